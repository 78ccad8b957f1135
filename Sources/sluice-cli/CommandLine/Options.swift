import Sluice
import SluiceText

extension Option {
  /// The table of options, in groups. The parser, the help, the man page and the completions are
  /// made from it. Help lists the options in this order.
  static let groups: [OptionGroup] = [
    output, rows, input, tables, calendar, rejects, network, requests, state, nights, feeds, common,
  ]

  /// All options, in the order of their groups.
  static let all: [Option] = groups.flatMap(\.options)

  private static let output = OptionGroup(
    title: Text(en: "Output", ru: "Вывод"),
    options: [
      Option(
        .output, short: "o", .file("OUTPUT"), repeatable: true,
        on: [.convert, .sync, .history, .diff],
        en: """
          file to write; its extension selects the format (.csv, .tsv, .xlsx, .json, .ndjson, .ics, .sqlite), \
          '-' is standard output, FOLDER/ is a site with a page and a calendar for each place; \
          without -o, CSV goes to standard output; sync needs a file or a folder; \
          {table} in the name writes each table to its own file, {COLUMN} the rows of each value, \
          such as 'ics/{address_id}.ics'
          """,
        ru: """
          куда записать; формат определяется по расширению (.csv, .tsv, .xlsx, .json, .ndjson, .ics, .sqlite), \
          «-» — стандартный вывод, «ПАПКА/» — сайт со страницей и календарём для каждого места; \
          без -o CSV идёт в стандартный вывод; для sync нужен файл или папка; если \
          в имени есть {table}, каждая таблица записывается в свой файл, а если {СТОЛБЕЦ} — строки \
          с каждым его значением, например 'ics/{address_id}.ics'
          """),
      Option(
        .format, .choice(of: OutputFormat.self), on: [.convert, .sync, .history, .diff],
        en: "format of '-' and of files with another extension",
        ru: "формат для «-» и для файлов с другим расширением"),
      Option(
        .fileIndex, .file("FILE"), on: [.convert, .sync],
        en: "list of the files that columns name; NDJSON, one file a line, with its values",
        ru: "список файлов, названных по столбцам; NDJSON, по файлу на строке, с его значениями"),
      Option(
        .maxFiles, .count, standard: "50000", on: [.convert, .sync],
        en: "limit of these files; beyond it nothing is published; default: 50000",
        ru: "предел числа таких файлов; если их больше, ничего не публикуется; по умолчанию 50000"),
    ])

  private static let rows = OptionGroup(
    title: Text(en: "Choosing rows", ru: "Отбор строк"),
    options: [
      Option(
        .where, .text("FIELD=VALUE"), repeatable: true, on: [.convert, .sync],
        en: """
          keep the records whose FIELD is VALUE; case does not matter, ё matches е; conditions on \
          different fields must all hold; repeat a field to allow several values; an empty VALUE \
          matches a missing one; * is any text, \\* a star: 'street=Kras*'; other signs: 'house!=3', \
          'price>=100', <, <=, >; 'sluice feeds NAME' lists the fields
          """,
        ru: """
          оставить записи, у которых поле FIELD равно VALUE; регистр букв не важен, ё и е не \
          различаются; условия на разные поля должны выполняться все; чтобы разрешить несколько \
          значений, повторите поле; пустое VALUE означает, что значения нет; * — любой текст, \\* — \
          сама звёздочка: 'street=Красн*'; другие знаки: 'house!=3', 'price>=100', <, <=, >; поля перечисляет \
          «sluice feeds NAME»
          """),
      Option(
        .address, .text("TEXT"), on: [.convert, .sync, .history],
        en: """
          keep the one place that TEXT names, as people type it: 'Sadovaya 14'; several or \
          none: nothing is written; history tells its story; 'sluice find TEXT' shows what a text \
          finds
          """,
        ru: """
          оставить одно место, которое названо так, как пишут люди: «Непокорённых 15к1»; если \
          подходит несколько мест или ни одного, ничего не записывается; history рассказывает о нём; что \
          находится по тексту, \
          покажет «sluice find TEXT»
          """),
      Option(
        .from, .time, on: [.convert, .sync],
        en: """
          keep what ends on this day (YYYY-MM-DD) or later; also DD.MM.YYYY, today, yesterday, \
          tomorrow, +7d, -3d by the feed's clock; of a feed with times also YYYY-MM-DDTHH:MM
          """,
        ru: """
          оставить то, что заканчивается в этот день (ГГГГ-ММ-ДД) или позже; можно ДД.ММ.ГГГГ, today, \
          yesterday, tomorrow, +7d, -3d по часам набора; если в наборе есть время, то и \
          ГГГГ-ММ-ДДTЧЧ:ММ
          """),
      Option(
        .to, .time, on: [.convert, .sync],
        en: "keep what begins on this day (YYYY-MM-DD) or earlier; written as for --from",
        ru:
          "оставить то, что начинается в этот день (ГГГГ-ММ-ДД) или раньше; записывается как у --from"
      ),
      Option(
        .allowEmpty, on: [.convert],
        en: """
          replace files even if the selection keeps no row, and exit with 0; without it, files \
          that exist stay as they are, and the exit code is 1
          """,
        ru: """
          заменить файлы, даже если под отбор ничего не подошло, и завершиться с кодом 0; иначе \
          прежние файлы остаются как есть, а код завершения — 1
          """),
    ])

  private static let tables = OptionGroup(
    title: Text(en: "Tables", ru: "Таблицы"),
    options: [
      Option(
        .table, .text("NAME"), on: [.convert, .sync, .find],
        en: "read only this table of a feed with several tables; find: default: the first",
        ru: """
          читать только эту таблицу, если в наборе данных их несколько; find: по умолчанию первую
          """),
      Option(
        .columns, .text("COLUMN,COLUMN"), repeatable: true, on: [.convert, .sync, .history],
        en: """
          columns of tables, in this order; by name, by label or as the source calls them; 'sluice \
          feeds NAME' lists them
          """,
        ru: """
          какие столбцы и в каком порядке будут в таблицах; имя столбца, его подпись или название из \
          источника; их перечисляет «sluice feeds NAME»
          """),
      Option(
        .merge, on: [.convert, .sync],
        en: """
          update an existing database instead of replacing it; columns and marks that you added \
          are kept; rows that left the feed are deleted
          """,
        ru: """
          обновить существующую базу данных, а не заменить её; добавленные вами столбцы и пометки \
          сохраняются; строки, которых больше нет в наборе данных, удаляются
          """),
      Option(
        .csvDialect, .choice(of: CSVDialect.self), standard: CSVDialect.plain.rawValue,
        on: [.convert, .sync, .history, .diff],
        en: """
          dialect of CSV; plain: UTF-8, commas, LF; excel: BOM, semicolons, CRLF, decimal commas, \
          local times, formulas made harmless; default: plain
          """,
        ru: """
          вариант CSV; plain: UTF-8, запятые, LF; excel: BOM, точки с запятой, CRLF, \
          десятичные запятые, местное время, защита от формул; по умолчанию plain
          """),
      Option(
        .headerRow, .choice(of: HeaderRow.self), standard: HeaderRow.names.rawValue,
        on: [.convert, .sync, .history],
        en: """
          header of CSV and TSV; names: those of the columns; labels: what people call them, in \
          the language of messages; default: names
          """,
        ru: """
          заголовок CSV и TSV; names: имена столбцов; labels: их названия для людей, на языке \
          сообщений; по умолчанию names
          """),
      Option(
        .sort, .text("COLUMN[:desc]"), repeatable: true, on: [.convert, .sync, .history],
        en: """
          order of the rows in tables; several columns by commas or by repeating; numbers and days \
          by value, text without regard to case, house 2 before 10; missing values last; calendars, \
          databases and sites are not sorted
          """,
        ru: """
          порядок строк в таблицах; несколько столбцов — через запятую или повторением; числа и дни \
          по значению, текст без учёта регистра, дом 2 перед домом 10; пустые значения в конце; \
          календари, базы данных и сайты не сортируются
          """),
      Option(
        .limit, .count, on: [.convert, .sync, .history],
        en: """
          write only the first so many rows of each table, after --sort; calendars, databases and \
          sites have all
          """,
        ru: """
          записать только столько первых строк каждой таблицы, после --sort; в календарях, базах \
          данных и на сайтах — все
          """),
      Option(
        .schema, .file("FILE"), on: [.convert, .sync, .history],
        en: """
          description of the tables for programs; a data package (datapackage.json) with the \
          columns, their types and labels; it lies in the folder of the tables or above it
          """,
        ru: """
          описание таблиц для программ; пакет данных (datapackage.json) со столбцами, их типами и \
          названиями; он лежит в папке таблиц или выше неё
          """),
    ])

  private static let calendar = OptionGroup(
    title: Text(en: "Calendar", ru: "Календарь"),
    options: [
      Option(
        .alarm, .reminder, repeatable: true, on: [.convert, .sync],
        en: "reminder this long before an event; 30m, 2h, 1d or 1w",
        ru: "за сколько напомнить о событии; 30m, 2h, 1d или 1w (минуты, часы, дни, недели)"),
      Option(
        .calendarName, .text("TEXT"), on: [.convert, .sync],
        en: "name of the calendar; default: the feed's",
        ru: "название календаря; по умолчанию — как у набора данных"),
    ])

  private static let rejects = OptionGroup(
    title: Text(
      en: "Rejected records, statistics, limits", ru: "Отклонённые записи, статистика, пределы"),
    options: [
      Option(
        .rejects, .file("FILE"), on: [.convert, .sync],
        en: "file for rejected records; NDJSON with the reason and the raw text of each",
        ru: "файл для отклонённых записей; NDJSON с причиной и исходным текстом каждой"),
      Option(
        .maxRejects, .countOrPercentage, standard: "10%", on: [.convert, .sync, .history, .diff],
        en: "publish nothing if more of the records read than this are rejected; default: 10%",
        ru: """
          ничего не публиковать, если отклонено больше записей (от всех прочитанных); по \
          умолчанию 10%
          """),
      Option(
        .allowRejects, on: [.convert, .sync, .history, .diff],
        en: "exit with 0 instead of 3 if rejects are within the limit",
        ru: "завершаться с кодом 0, а не 3, если отклонённых записей не больше предела"),
      Option(
        .stats, .file("FILE|-"), on: [.convert, .sync],
        en: "file for the statistics of the run; one JSON object, '-' is standard output",
        ru: "файл для статистики запуска; один объект JSON, «-» — стандартный вывод"),
      Option(
        .maxSize, .size, standard: "2G", on: [.convert, .sync, .find, .inspect, .history, .diff],
        en: """
          limit of the unpacked size, and of all answers together; for example 500M or 2GiB; default: \
          2G
          """,
        ru: """
          предел размера после распаковки и всех ответов вместе; например, 500M или 2GiB; по \
          умолчанию 2G
          """),
      Option(
        .maxOutput, .size, on: [.convert, .sync, .history],
        en: """
          limit of all outputs together, of the ledger's growth too; beyond it nothing is \
          published; default: 64M, or 100 times the unpacked data if that is more
          """,
        ru: """
          предел размера всех выходных файлов вместе, с ростом журнала событий; если он превышен, \
          ничего не публикуется; по умолчанию 64M или 100 размеров распакованных данных, если \
          это больше
          """),
    ])

  private static let network = OptionGroup(
    title: Text(en: "Network", ru: "Сеть"),
    options: [
      Option(
        .cacert, .file("FILE"), on: [.convert, .sync, .inspect, .cities, .history, .diff],
        en: "certificates (PEM) to trust besides the system's",
        ru: "сертификаты (PEM), которым доверять вместе с системными"),
      Option(
        .header, .headerLine, repeatable: true, on: [.convert, .sync, .inspect, .history, .diff],
        en: "header line of requests; it is sent to no other host",
        ru: "строка заголовка для запросов; другим серверам она не отправляется"),
      Option(
        .maxTime, .duration, on: [.convert, .sync],
        en: """
          time in which all answers must have arrived; 90s, 30m or 2h, 0 for no limit; default: 20m \
          for sync, none for convert
          """,
        ru: """
          за какое время должны прийти все ответы; 90s, 30m или 2h, 0 — без предела; по умолчанию \
          20m у sync, у convert предела нет
          """),
      Option(
        .allowEnv, .text("NAME[@HOST]"), repeatable: true,
        on: [.convert, .sync, .inspect, .cities, .history, .diff],
        en: """
          variable that your own document may send to its server; with @HOST only if that is the \
          server; read from $CREDENTIALS_DIRECTORY/NAME, otherwise from the environment
          """,
        ru: """
          переменная, которую ваш документ может отправить своему серверу; с @HOST — только если \
          это тот сервер; значение берётся из $CREDENTIALS_DIRECTORY/NAME, иначе из окружения
          """),
    ])

  private static let requests = OptionGroup(
    title: Text(en: "Feeds of many requests", ru: "Наборы из многих запросов"),
    options: [
      Option(
        .search, .text("TERM"), on: [.convert, .sync, .inspect],
        en: "request only what matches this term; for feeds with a search",
        ru: "запросить только то, что соответствует этому слову; для наборов с поиском"),
      Option(
        .resume, on: [.convert, .sync, .inspect],
        en: "continue an interrupted run; answers that it received are not requested again",
        ru: "продолжить прерванный запуск; уже полученные ответы снова не запрашиваются"),
      Option(
        .mirror, .url(example: "http://HOST:PORT"), isSetting: false, on: [.cities],
        en: "server to use instead of the feed's own; for convert, INPUT names it",
        ru: "сервер вместо собственного сервера набора; у convert его задаёт INPUT"),
    ])

  private static let state = OptionGroup(
    title: Text(en: "State and settings", ru: "Состояние и настройки"),
    options: [
      Option(
        .state, .file("DIR"),
        on: [.convert, .sync, .find, .inspect, .searches, .status, .cities, .diff],
        en: """
          folder for what is kept between runs; default: $XDG_STATE_HOME/sluice, otherwise \
          ~/.local/state/sluice
          """,
        ru: """
          папка для того, что хранится между запусками; по умолчанию $XDG_STATE_HOME/sluice, \
          иначе ~/.local/state/sluice
          """),
      Option(
        .config, .file("FILE"), isSetting: false, on: [.convert, .sync, .status, .cities],
        en: """
          YAML file with the long names of options as keys; the command line wins over the \
          environment (SLUICE_MAX_AGE for --max-age), which wins over this file; default: \
          $SLUICE_CONFIG
          """,
        ru: """
          файл YAML, ключи — длинные имена параметров; сначала учитывается командная строка, потом \
          окружение (SLUICE_MAX_AGE для --max-age), потом этот файл; по умолчанию $SLUICE_CONFIG
          """),
      Option(
        .offline, on: [.convert],
        en: "convert the last good copy that sync keeps; nothing is downloaded",
        ru: "преобразовать последнюю удачную копию, которую хранит sync; ничего не скачивается"),
    ])

  private static let nights = OptionGroup(
    title: Text(en: "Nightly runs", ru: "Ночные запуски"),
    options: [
      Option(
        .maxAge, .duration, on: [.sync, .cities],
        en: """
          request a URL again only after this time; older answers are stale; 90s, 30m, 3h or 1d; \
          default: the feed's own, 3h for hot-water
          """,
        ru: """
          запрашивать адрес снова только через это время; ответ старше считается устаревшим; 90s, \
          30m, 3h или 1d; по умолчанию — как у набора данных, 3h у hot-water
          """),
      Option(
        .staleOK, .duration, on: [.sync],
        en: """
          exit with 0 if the source is down or broken and the last good copy is no older than this; \
          the published files are unchanged
          """,
        ru: """
          завершаться с кодом 0, если источник недоступен или испорчен, а последняя удачная копия \
          не старше; опубликованные файлы не меняются
          """),
      Option(
        .maxShrink, .percentage, standard: "25%", on: [.sync],
        en: "refuse a feed that lost a larger share of its records since last time; default: 25%",
        ru: """
          не принимать данные, если с прошлого раза пропала большая доля записей; по умолчанию 25%
          """),
      Option(
        .accept, isSetting: false, on: [.sync],
        en: "accept this once what the guards would refuse, empty answers too",
        ru: "на этот раз принять то, что отклонила бы защита, в том числе пустые ответы"),
      Option(
        .changes, .file("FILE"), on: [.sync],
        en: "file for what changed since the last run; NDJSON of new, moved, cancelled, restored",
        ru: """
          файл для изменений с прошлого запуска; NDJSON: новые, перенесённые, отменённые, \
          восстановленные
          """),
      Option(
        .today, .day, on: [.sync, .find, .diff],
        en: "the day that counts as today (YYYY-MM-DD)",
        ru: "какой день считать сегодняшним (ГГГГ-ММ-ДД)"),
      Option(
        .ping, .url(example: "https://HOST/PATH"), on: [.sync],
        en: """
          report the run to a monitor; GET URL/start and URL, POST URL/fail with the last lines, \
          as healthchecks.io expects
          """,
        ru: """
          сообщать о ходе работы службе наблюдения; GET URL/start и URL, POST URL/fail с последними \
          строками, как принято у healthchecks.io
          """),
    ])

  private static let feeds = OptionGroup(
    title: Text(en: "Documents of feeds, searches", ru: "Документы наборов, поиски"),
    options: [
      Option(
        .check, .file("FILE"), isSetting: false, on: [.feeds],
        en: "check a feed's document; with a SAMPLE of its data, show the result",
        ru: "проверить документ набора; если указан образец данных (SAMPLE), показать результат"),
      Option(
        .new, .file("SAMPLE"), isSetting: false, on: [.feeds],
        en: "print a first document, made from a sample of the data",
        ru: "вывести документ для начала, составленный по образцу данных"),
      Option(
        .document, isSetting: false, on: [.feeds],
        en: "print the document of a built-in feed, as an example",
        ru: "вывести документ встроенного набора как пример"),
      Option(
        .dataPackage, isSetting: false, on: [.feeds],
        en: "print a feed's tables, columns and types for programs; a data package, as of --schema",
        ru: "вывести таблицы, столбцы и типы набора для программ; пакет данных, как у --schema"),
      Option(
        .clear, isSetting: false, on: [.searches],
        en: "forget these searches",
        ru: "забыть эти поиски"),
    ])

  private static let common = OptionGroup(
    title: Text(en: "Messages and help", ru: "Сообщения и справка"),
    options: [
      Option(
        .lang, .choice(of: Language.self),
        en: """
          language of messages and of calendar text; default: the locale's for messages, the \
          feed's for calendars
          """,
        ru: """
          язык сообщений и текста в календаре; по умолчанию сообщения — на языке локали, \
          календарь — на языке набора данных
          """),
      Option(
        .json, isSetting: false, on: [.find],
        en: "print NDJSON, one place a line, with its events",
        ru: "выводить NDJSON: по месту на строке, с его событиями"),
      Option(
        .quiet, short: "q", on: [.convert, .sync, .inspect, .history, .diff],
        en: "report errors only",
        ru: "сообщать только об ошибках"),
      Option(
        .verbose, short: "v", on: [.convert, .sync, .find, .inspect, .history, .diff],
        en: "report details on standard error",
        ru: "выводить подробности в стандартный поток ошибок"),
      Option(
        .noProgress, on: [.convert, .sync, .inspect],
        en: "show no progress",
        ru: "не показывать ход работы"),
      Option(
        .help, short: "h", isSetting: false,
        en: "show help; after a command, the help of this command",
        ru: "показать справку; после команды — справку по ней"),
      Option(
        .version, short: "V", isSetting: false,
        en: "show the version; with -v, those of its libraries too",
        ru: "показать версию; с -v — и версии библиотек"),
    ])
}
