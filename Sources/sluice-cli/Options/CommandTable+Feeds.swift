import Sluice

extension CommandRow {
  /// The kinds of columns.
  private static let kinds = Rule.allCases.map(\.rawValue).joined(separator: ", ")

  /// The commands that show feeds and keep what they are asked for.
  static let aboutFeeds: [CommandRow] = [
    CommandRow(
      name: .searches,
      summary: Text(
        en: "show what feeds were searched for, newest first; or forget it",
        ru: "показать, что искали в наборах данных, начиная с последнего, или забыть это"),
      notes: [
        Text(
          en: """
            Without --feed, the searches of all feeds are meant. They are kept in the state folder, \
            a hundred for each feed.
            """,
          ru: """
            Без --feed имеются в виду поиски во всех наборах. Они хранятся в папке состояния, по \
            сто для каждого набора.
            """)
      ],
      examples: [
        Example(
          line: "sluice searches --feed photos",
          meaning: Text(en: "what was searched for", ru: "что искали")),
        Example(
          line: "sluice searches --clear",
          meaning: Text(en: "forget all searches", ru: "забыть все поиски")),
      ]),
    CommandRow(
      name: .feeds,
      summary: Text(
        en: "list the feeds, show one, or help with a feed of your own",
        ru: "перечислить наборы данных, показать один из них или помочь составить свой"),
      operand: Operand(
        value: .feed, isRequired: false,
        help: Text(
          en: "a feed to describe, or its document's path; with --check, a SAMPLE of its data",
          ru: "какой набор описать: имя или путь к документу; с --check — образец данных (SAMPLE)")),
      notes: [
        Text(
          en: """
            A feed is a YAML (or JSON) document: where the data is, where its rows are, what is a \
            column and of which kind (\(kinds)), and what makes a row an event. Begin with --new, \
            look at --document hot-water, check with --check, and use it anywhere by its path \
            (--feed ./waste.yaml).
            """,
          ru: """
            Набор данных описывается документом YAML (или JSON): где данные, где в них строки, что \
            становится столбцом и какого вида (\(kinds)) и что делает строку событием. Начните с \
            --new, посмотрите на --document hot-water, проверяйте с --check и указывайте по пути \
            (--feed ./waste.yaml).
            """)
      ],
      examples: [
        Example(
          line: "sluice feeds",
          meaning: Text(en: "list the feeds", ru: "перечислить наборы данных")),
        Example(
          line: "sluice feeds hot-water",
          meaning: Text(en: "describe one feed", ru: "описать один набор данных")),
        Example(
          line: "sluice feeds --new sample.json > waste.yaml",
          meaning: Text(
            en: "begin a feed of your own with what the data suggests",
            ru: "начать свой набор с того, что подсказывают данные")),
        Example(
          line: "sluice feeds --check waste.yaml sample.json",
          meaning: Text(
            en: "check it, and see what becomes of the data",
            ru: "проверить его и увидеть, что станет с данными")),
        Example(
          line: "sluice convert sample.json --feed ./waste.yaml -o waste.ics",
          meaning: Text(
            en: "make a calendar with it", ru: "сделать с ним календарь")),
      ]),
    CommandRow(
      name: .cities,
      summary: Text(
        en: "keep the list of cities, or of whatever else a feed asks for one by one",
        ru: "вести список городов или чего угодно, что набор данных запрашивает поштучно"),
      action: Operand(
        value: .choice(of: ListOptions.Word.self), isRequired: false,
        help: Text(
          en: "what to do; default: list",
          ru: "что сделать; по умолчанию list (показать)")),
      operand: Operand(
        value: .text("TEXT"), isRequired: false,
        help: Text(
          en: "the name to add or to remove, or what to search for",
          ru: "название, которое добавить или убрать, или что искать")),
      notes: [
        Text(
          en: """
            The list belongs to the feed: without --feed to the built-in one that has such a list. \
            It is a text file in the state folder, one name a line. The next run asks for what was \
            added and drops the rows of what was removed. Names are the same whatever their case. \
            What search prints can be added as it is.
            """,
          ru: """
            Список принадлежит набору данных: без --feed — встроенному, у которого такой список \
            есть. Это текстовый файл в папке состояния, по названию на строке. Следующий запуск \
            запросит добавленное и уберёт строки удалённого. Регистр букв в названиях не важен. \
            То, что выводит search, можно добавлять как есть.
            """)
      ],
      examples: [
        Example(
          line: "sluice cities add Гродно",
          meaning: Text(
            en: "add a city; the next run asks for its weather too",
            ru: "добавить город: следующий запуск запросит погоду и для него")),
        Example(
          line: "sluice cities search Новосиб",
          meaning: Text(en: "ask how a name is spelled", ru: "узнать, как пишется название")),
        Example(
          line: "sluice cities --mirror http://127.0.0.1:8080",
          meaning: Text(
            en: "what such a mirror has answered, and not the feed's own server",
            ru: "что ответило такое зеркало, а не собственный сервер набора")),
        Example(
          line: "sluice cities",
          meaning: Text(
            en: "show the list, and when each was answered last",
            ru: "показать список и когда по каждому был ответ")),
        Example(
          line: "sluice cities remove Москва --feed ./stations.yaml",
          meaning: Text(
            en: "the same for the list of another feed", ru: "то же для списка другого набора")),
      ]),
  ]
}
