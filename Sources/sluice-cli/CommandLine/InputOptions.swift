import Sluice
import SluiceText

extension Option {
  static let input = OptionGroup(
    title: Text(en: "Input", ru: "Входные данные"),
    options: [
      Option(
        .feed, .feed, standard: Feed.names[0],
        on: [.convert, .sync, .find, .inspect, .searches, .cities, .history, .diff],
        en: """
          feed to read, by its name, or the path of your own document ('./waste.yaml'); \
          default: \(Feed.names[0]); searches: all feeds; cities: the built-in feed with a list
          """,
        ru: """
          какой набор данных читать, имя или путь к своему документу («./waste.yaml»); \
          по умолчанию \(Feed.names[0]); searches: все наборы; cities: встроенный набор со списком
          """),
      Option(
        .input, .file("INPUT"), isSetting: false, on: [.find],
        en: "what to search: a file, '-' or a URL; default: the last good copy of sync",
        ru: "где искать: файл, «-» или адрес; по умолчанию — последняя удачная копия sync"),
      Option(
        .entry, .text("NAME"), on: [.convert, .sync, .find, .inspect, .history, .diff],
        en: """
          file inside the zip archive, if there are several; convert and history read all that fit a pattern \
          such as '*.json'
          """,
        ru: """
          какой файл взять из zip-архива, если их там несколько; convert и history читают все, что подходят \
          под образец вроде '*.json'
          """),
      Option(
        .filesFrom, .file("LIST"), isSetting: false, on: [.convert, .history],
        en: "file with the names of more inputs, one a line; '-' reads them from standard input",
        ru: "файл с именами входных файлов, по одному на строке; «-» — из стандартного ввода"),
      Option(
        .null, short: "0", isSetting: false, on: [.convert, .history],
        en: "the names in --files-from end with a zero byte, as find -print0 writes them",
        ru: "имена в --files-from отделены нулевым байтом, как их пишет find -print0"),
      Option(
        .recursive, short: "r", isSetting: false, on: [.convert, .history],
        en: "read folders with the folders in them; without it only their own files",
        ru: "читать папки вместе с вложенными; иначе только их собственные файлы"),
      Option(
        .withInput, on: [.convert],
        en: "add the columns input, the file of each row, and input_date, the day of its content",
        ru: """
          добавить столбцы input — файл, из которого строка, — и input_date, день его содержимого
          """),
      Option(
        .inputDate, .text("PATTERN"), on: [.convert, .history, .diff],
        en: """
          where the names of inputs have the day of their content, such as '*-{yyyy-MM-dd}.json'; \
          default: the date of the archive's entry, or of the file
          """,
        ru: """
          где в именах входных файлов стоит день их содержимого, например '*-{yyyy-MM-dd}.json'; по \
          умолчанию — дата файла в архиве или самого файла
          """),
      Option(
        .pattern, .text("PATTERN"), on: [.history],
        en: "the same as --input-date",
        ru: "то же, что --input-date"),
      Option(
        .onError, .choice(of: BrokenInputs.self), standard: "stop", on: [.convert, .history],
        en: """
          of several inputs, what a broken one does: stop (default) ends the run and publishes \
          nothing, skip leaves it out, names it, and ends with 3
          """,
        ru: """
          что делать, если один из входных файлов испорчен: stop (по умолчанию) — закончить, ничего \
          не публикуя; skip — пропустить его, назвать и закончить с кодом 3
          """),
      Option(
        .threads, .count, on: [.convert, .history],
        en: """
          threads that read several inputs, or one large list, at once, 6 at most; with 1 there are \
          no others; what is written is the same with any number; default: as many as there are \
          processors; for one list 3, from 256 MiB on
          """,
        ru: """
          сколько потоков одновременно читают входные файлы или один большой список, не больше 6; \
          с 1 других потоков нет; результат при любом числе один и тот же; по умолчанию — по числу \
          процессоров; для одного списка — 3, начиная с 256 МиБ
          """),
    ])
}
