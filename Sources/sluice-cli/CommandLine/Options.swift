import Sluice

extension OptionRow {
  /// The table of options. Parsing, help, man page and completions are made from it; help lists
  /// the options in this order.
  static let all: [OptionRow] = [
    OptionRow(
      .output, short: "o", .file("OUTPUT"), repeatable: true, on: [.convert, .sync],
      en: """
        file to write; its extension chooses the format (.csv, .ndjson, .jsonl, .ics, .sqlite), '-' \
        is standard output; without any -o, CSV goes to standard output; sync wants a file; of \
        several tables, each goes to a file of its own where the name has {table} in it
        """,
      ru: """
        куда записать; формат определяется по расширению (.csv, .ndjson, .jsonl, .ics, .sqlite), \
        «-» — стандартный вывод; если -o не указан, CSV идёт в стандартный вывод; для sync нужен \
        файл; если таблиц несколько, каждая идёт в свой файл, когда в имени есть {table}
        """),
    OptionRow(
      .format, .choice(of: Format.self), on: [.convert, .sync],
      en: "format for '-' and for extensions that name none",
      ru: "формат для «-» и для расширений, которые его не определяют"),
    OptionRow(
      .where, .text("FIELD=VALUE"), repeatable: true, on: [.convert, .sync],
      en: """
        keep the records whose FIELD is VALUE, in capitals or not, Cyrillic yo as ye; different \
        fields must all match, of one field any value may; an empty VALUE matches a missing one; \
        'sluice feeds NAME' lists the fields
        """,
      ru: """
        оставить записи, у которых поле FIELD равно VALUE, без различия прописных и строчных, ё и \
        е; условия на разные поля должны выполняться все, на одно и то же поле — хотя бы одно; \
        пустое VALUE означает, что значения нет; поля перечисляет «sluice feeds NAME»
        """),
    OptionRow(
      .from, .text("DATE"), on: [.convert, .sync],
      en: "keep what ends on this day (YYYY-MM-DD) or later",
      ru: "оставить то, что заканчивается в этот день (ГГГГ-ММ-ДД) или позже"),
    OptionRow(
      .to, .text("DATE"), on: [.convert, .sync],
      en: "keep what begins on this day (YYYY-MM-DD) or earlier",
      ru: "оставить то, что начинается в этот день (ГГГГ-ММ-ДД) или раньше"),
    OptionRow(
      .feed, .feed, standard: Feed.names[0], on: [.convert, .sync, .inspect, .searches, .cities],
      en: """
        feed to read, by its name, or a document of your own, by its path ('./waste.yaml'); \
        default: \(Feed.names[0]); for searches, every feed; for cities, the built-in one with a list
        """,
      ru: """
        какой набор данных читать: имя или путь к своему документу («./waste.yaml»); \
        по умолчанию \(Feed.names[0]), для searches — все, для cities — встроенный со списком
        """),
    OptionRow(
      .entry, .text("NAME"), on: [.convert, .sync, .inspect],
      en: "file inside the zip archive, when there are several",
      ru: "какой файл взять из zip-архива, если их там несколько"),
    OptionRow(
      .table, .text("NAME"), on: [.convert, .sync],
      en: "the only table to read, of a feed that gives several",
      ru: "какую одну таблицу читать, если в наборе данных их несколько"),
    OptionRow(
      .merge, on: [.convert, .sync],
      en: """
        keep what was added to a database that is there: columns of your own, and marks; rows \
        that left the feed are removed
        """,
      ru: """
        сохранить то, что добавлено в уже существующую базу данных: свои столбцы и пометки; \
        строки, которых больше нет в наборе данных, удаляются
        """),
    OptionRow(
      .csvDialect, .choice(of: CSVDialect.self), standard: CSVDialect.plain.rawValue,
      on: [.convert, .sync],
      en: """
        dialect of CSV; plain: UTF-8, commas, LF; excel: BOM, semicolons, CRLF, decimal commas, \
        formulas disarmed; default: plain
        """,
      ru: """
        вариант CSV; plain: UTF-8, запятые, LF; excel: BOM, точки с запятой, CRLF, \
        десятичные запятые, защита от формул; по умолчанию plain
        """),
    OptionRow(
      .alarm, .text("TIME"), repeatable: true, on: [.convert, .sync],
      en: "reminder that long before an event; 30m, 2h, 1d or 1w",
      ru: "за сколько напомнить о событии; 30m, 2h, 1d или 1w (минуты, часы, дни, недели)"),
    OptionRow(
      .calendarName, .text("TEXT"), on: [.convert, .sync],
      en: "name of the calendar; default: the feed's",
      ru: "название календаря; по умолчанию — как у набора данных"),
    OptionRow(
      .rejects, .file("FILE"), on: [.convert, .sync],
      en: "file for rejected records; NDJSON with the reason and the raw text of each",
      ru: "файл для отклонённых записей; NDJSON с причиной и исходным текстом каждой"),
    OptionRow(
      .maxRejects, .text("N|N%"), standard: "10%", on: [.convert, .sync],
      en: "publish nothing if more records than this are rejected; default: 10%",
      ru: "ничего не публиковать, если отклонено больше записей; по умолчанию 10%"),
    OptionRow(
      .allowRejects, on: [.convert, .sync],
      en: "exit with 0 instead of 3 when rejects are within the limit",
      ru: "завершаться с кодом 0, а не 3, если отклонённых записей не больше предела"),
    OptionRow(
      .stats, .file("FILE|-"), on: [.convert, .sync],
      en: "file for the statistics of the run; one JSON object, '-' is standard output",
      ru: "файл для статистики; один объект JSON, «-» — стандартный вывод"),
    OptionRow(
      .maxSize, .text("BYTES"), standard: "2G", on: [.convert, .sync, .inspect],
      en: "limit for the unpacked size; 500M or 2GiB, for example; default: 2G",
      ru: "предел размера после распаковки; например, 500M или 2GiB; по умолчанию 2G"),
    OptionRow(
      .cacert, .file("FILE"), on: [.convert, .sync, .inspect, .cities],
      en: "certificates (PEM) to trust besides the system's",
      ru: "сертификаты (PEM), которым доверять вместе с системными"),
    OptionRow(
      .header, .text("NAME: VALUE"), repeatable: true, on: [.convert, .sync, .inspect],
      en: "header line to ask a URL with; it goes to no other host",
      ru: "строка заголовка для запроса по адресу; другим серверам она не отправляется"),
    OptionRow(
      .search, .text("TERM"), on: [.convert, .sync, .inspect],
      en: "ask only for what matches this term; for feeds that can be searched",
      ru: "запросить только то, что соответствует этому слову; для наборов с поиском"),
    OptionRow(
      .resume, on: [.convert, .sync, .inspect],
      en: "go on where a run of many requests broke off; answers that it got are not asked again",
      ru: "продолжить с места, где прервался запуск из многих запросов; полученное не "
        + "запрашивается снова"),
    OptionRow(
      .mirror, .text("URL"), isSetting: false, on: [.cities],
      en: "the server that is asked in place of the feed's own, as INPUT of convert names it",
      ru: "сервер, который спрашивают вместо собственного сервера набора (INPUT у convert)"),
    OptionRow(
      .state, .file("DIR"), on: [.convert, .sync, .inspect, .searches, .status, .cities],
      en: """
        folder for what is kept from run to run; default: $XDG_STATE_HOME/sluice, or else \
        ~/.local/state/sluice
        """,
      ru: """
        папка для того, что хранится между запусками; по умолчанию $XDG_STATE_HOME/sluice, \
        иначе ~/.local/state/sluice
        """),
    OptionRow(
      .config, .file("FILE"), isSetting: false, on: [.convert, .sync, .status, .cities],
      en: """
        YAML file with the long names of options as keys; what is typed counts first, then the \
        environment (SLUICE_MAX_AGE for --max-age), then this file; default: $SLUICE_CONFIG
        """,
      ru: """
        файл YAML, ключи — длинные имена параметров; сначала учитывается командная строка, потом \
        окружение (SLUICE_MAX_AGE для --max-age), потом этот файл; по умолчанию $SLUICE_CONFIG
        """),
    OptionRow(
      .offline, on: [.convert],
      en: "convert the last good copy that sync keeps; nothing is downloaded",
      ru: "преобразовать последнюю удачную копию, которую хранит sync; ничего не скачивается"),
    OptionRow(
      .maxAge, .text("TIME"), on: [.sync, .cities],
      en: """
        ask a URL again only after this time, from when on an answer is stale; 90s, 30m, 3h or 1d; \
        default: the feed's own, 3h for hot-water
        """,
      ru: """
        не запрашивать адрес снова раньше, чем через это время: после него ответ устарел; 90s, \
        30m, 3h или 1d; по умолчанию — как у набора данных, 3h у hot-water
        """),
    OptionRow(
      .staleOK, .text("TIME"), on: [.sync],
      en: """
        exit with 0 when the source cannot be used and its last good copy is no older than this; \
        what is published stays
        """,
      ru: """
        завершаться с кодом 0, если источник недоступен или испорчен, а последняя удачная копия \
        не старше; опубликованное остаётся как есть
        """),
    OptionRow(
      .maxShrink, .text("N%"), standard: "25%", on: [.sync],
      en: "refuse a feed that has lost more of its records since last time; default: 25%",
      ru: "не принимать данные, если с прошлого раза пропала большая доля записей; "
        + "по умолчанию 25%"),
    OptionRow(
      .accept, isSetting: false, on: [.sync],
      en: "accept this once what the guards would refuse, empty answers too",
      ru: "на этот раз принять то, что отклонила бы защита, и пустые ответы"),
    OptionRow(
      .changes, .file("FILE"), on: [.sync],
      en: "file for what changed since the last run; NDJSON of new, moved, cancelled, restored",
      ru: "файл для изменений с прошлого запуска; NDJSON: новые, перенесённые, отменённые, "
        + "восстановленные"),
    OptionRow(
      .today, .text("DATE"), on: [.sync],
      en: "the day that counts as today (YYYY-MM-DD)",
      ru: "какой день считать сегодняшним (ГГГГ-ММ-ДД)"),
    OptionRow(
      .ping, .text("URL"), on: [.sync],
      en: """
        tell a watcher how the run goes; GET URL/start and URL, POST URL/fail with the last lines, \
        as healthchecks.io wants it
        """,
      ru: """
        сообщать о ходе работы службе наблюдения; GET URL/start и URL, POST URL/fail с последними \
        строками, как принято у healthchecks.io
        """),
    OptionRow(
      .check, .file("FILE"), isSetting: false, on: [.feeds],
      en: "check a feed's document; with a SAMPLE of its data, say what that gives",
      ru: "проверить документ набора; если указан SAMPLE с данными — показать, что получится"),
    OptionRow(
      .new, .file("SAMPLE"), isSetting: false, on: [.feeds],
      en: "print a document to begin with, made from a sample of the data",
      ru: "вывести документ для начала, составленный по образцу данных"),
    OptionRow(
      .document, isSetting: false, on: [.feeds],
      en: "print the document of a built-in feed, as an example",
      ru: "вывести документ встроенного набора как пример"),
    OptionRow(
      .clear, isSetting: false, on: [.searches],
      en: "forget these searches",
      ru: "забыть эти поиски"),
    OptionRow(
      .lang, .choice(of: Language.self),
      en: """
        language of messages and of calendar text; default: that of the locale for messages, \
        the feed's for calendars
        """,
      ru: """
        язык сообщений и текста в календаре; по умолчанию сообщения — на языке локали, \
        календарь — на языке набора данных
        """),
    OptionRow(
      .quiet, short: "q", on: [.convert, .sync, .inspect],
      en: "say nothing but errors",
      ru: "сообщать только об ошибках"),
    OptionRow(
      .verbose, short: "v", on: [.convert, .sync, .inspect],
      en: "say more on standard error",
      ru: "выводить подробности в стандартный поток ошибок"),
    OptionRow(
      .noProgress, on: [.convert, .sync, .inspect],
      en: "show no progress",
      ru: "не показывать ход работы"),
    OptionRow(
      .help, short: "h", isSetting: false,
      en: "show help; after a command, the help of this command",
      ru: "показать справку; после команды — справку по ней"),
    OptionRow(
      .version, short: "V", isSetting: false,
      en: "show the version",
      ru: "показать версию"),
  ]
}

/// A row of the table of options: all that the parser, the help, the man page and the completions
/// know of an option.
struct OptionRow: Sendable {
  let name: OptionName
  let short: Character?
  /// What its value is; nil for a flag.
  let value: ValueKind?
  let isRepeatable: Bool
  /// Whether a configuration file and the environment may set it; what is asked for once may only
  /// be typed.
  let isSetting: Bool
  /// The commands that take it; nil is every command.
  let commands: [CommandName]?
  /// What it does. A shell shows only what stands before the first semicolon.
  let help: Text

  /// What holds where nothing is said and this is the same for every feed; help says it too.
  let standard: String?

  /// Makes a row. What `sync` takes, `config` takes too.
  init(
    _ name: OptionName, short: Character? = nil, _ value: ValueKind? = nil,
    repeatable: Bool = false, isSetting: Bool = true, standard: String? = nil,
    on commands: [CommandName]? = nil, en: String, ru: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRepeatable = repeatable
    self.isSetting = isSetting
    self.standard = standard
    self.commands = commands.map { $0.contains(.sync) ? $0 + [.config] : $0 }
    self.help = Text(en: "\(en)", ru: "\(ru)")
  }

  /// The option as one types it, `--output`.
  var long: String { name.spelled }

  /// Every way to type it, the short one first.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [long] }

  /// Says whether a command takes it.
  func belongs(to command: CommandName) -> Bool { commands?.contains(command) ?? true }

  /// The beginning of the help, for one line in a shell.
  func summary(_ language: Language) -> String {
    String(help[language].prefix { $0 != ";" })
  }

  /// The options that a command takes, in the order of the table; for nil, those of every command.
  static func of(_ command: CommandName?) -> [OptionRow] {
    all.filter { row in command.map(row.belongs) ?? (row.commands == nil) }
  }
}

/// An option, by its long name. ``OptionRow/all`` says the rest.
enum OptionName: String, CaseIterable, Sendable {
  case output, format
  case `where`, from, to
  case feed, entry, table, merge
  case csvDialect = "csv-dialect"
  case alarm
  case calendarName = "calendar-name"
  case rejects
  case maxRejects = "max-rejects"
  case allowRejects = "allow-rejects"
  case stats
  case maxSize = "max-size"
  case cacert, header
  case state, config, offline
  case search, resume, mirror
  case maxAge = "max-age"
  case staleOK = "stale-ok"
  case maxShrink = "max-shrink"
  case accept, today, changes, ping
  case check, new, document, clear
  case lang, quiet, verbose
  case noProgress = "no-progress"
  case help, version

  /// The option as one types it.
  var spelled: String { "--" + rawValue }
}

/// What an option's value or an operand is: how help names it and how shells complete it.
enum ValueKind: Equatable, Sendable {
  /// Text that cannot be guessed; the placeholder says what it is.
  case text(String)
  case file(String)
  case choice([String])
  case feed
  case command

  /// The values of an enumeration, by their names.
  static func choice<Value>(of: Value.Type) -> ValueKind
  where Value: CaseIterable & RawRepresentable<String> {
    .choice(Value.allCases.map(\.rawValue))
  }

  /// What stands for the value in help: `FILE`, or the choices, `csv|ndjson|ics`.
  var placeholder: String {
    switch self {
    case .text(let name), .file(let name): name
    case .choice(let names): names.joined(separator: "|")
    case .feed: "NAME"
    case .command: "COMMAND"
    }
  }

  /// The values that a shell can offer; nil where there is no list.
  var offers: [String]? {
    switch self {
    case .text, .file: nil
    case .choice(let names): names
    case .feed: Feed.names
    case .command: CommandRow.visible.map(\.name.rawValue)
    }
  }

  var isFile: Bool { if case .file = self { true } else { false } }

  /// Besides the values that can be offered, files are taken.
  var mayBeFile: Bool { self == .feed }
}
