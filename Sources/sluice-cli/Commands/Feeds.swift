import Sluice
import SluiceText

extension Command {
  /// The kinds of columns.
  private static let kinds = FieldKind.allCases.map(\.rawValue).joined(separator: ", ")

  /// The row of `feeds`.
  static let feeds = Command(
    name: "feeds",
    summary: Text(
      en: "list the feeds, show one, or help with a feed of your own",
      ru: "перечислить наборы данных, показать один из них или помочь составить свой"),
    operands: [
      Operand(
        value: .feed, isRequired: false,
        help: Text(
          en: "a feed to describe, or its document's path; with --check, a SAMPLE of its data",
          ru: "какой набор описать: имя или путь к документу; с --check — образец данных (SAMPLE)"))
    ],
    notes: [
      Text(
        en: """
          A feed is a YAML (or JSON) document. It says where the data is, where its rows are, which \
          columns a row has and of which kind (\(kinds)), and which of them make an event. Begin \
          with --new, look at --document hot-water, check with --check, and use the document \
          anywhere by its path (--feed ./waste.yaml).
          """,
        ru: """
          Набор данных описывается документом YAML (или JSON): где данные, где в них строки, какие \
          у строки столбцы и какого вида (\(kinds)) и какие из них составляют событие. Начните с \
          --new, посмотрите на --document hot-water, проверяйте с --check и указывайте документ по \
          пути (--feed ./waste.yaml).
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
          en: "begin a feed of your own with a sample of its data",
          ru: "начать свой набор по образцу данных")),
      Example(
        line: "sluice feeds --check waste.yaml sample.json",
        meaning: Text(
          en: "check it, and see what the sample gives",
          ru: "проверить его и увидеть, что получится из образца")),
      Example(
        line: "sluice convert sample.json --feed ./waste.yaml -o waste.ics",
        meaning: Text(en: "make a calendar with it", ru: "сделать с ним календарь")),
    ],
    options: FeedsOptions.self)
}

/// The options of `feeds`.
enum FeedsOptions: CommandOptions {
  case list
  case describe(Feed)
  /// Prints the document of a built-in feed.
  case document([UInt8])
  /// Prints a description of a feed's tables for programs.
  case dataPackage(Feed)
  /// Reports on a document, and on the result of a sample if there is one.
  case check(Feed, file: String, sample: Input?)
  /// Makes a document of a sample.
  case new(Input)

  /// Reads the options. Only one of them can be given.
  init(_ arguments: Arguments) throws(UsageError) {
    let operand = arguments.operand
    let asked: [OptionName] = [.check, .new, .document, .dataPackage].filter {
      arguments.has($0)
    }
    if asked.count > 1 { throw .onlyOne(asked[0].spelled, asked[1].spelled) }
    if let path = arguments[.check] {
      let feed = try Feed.read(path)
      let sample = try operand.map { text throws(UsageError) in try Input(text, of: feed) }
      self = .check(feed, file: path, sample: sample)
    } else if let sample = arguments[.new] {
      if let operand { throw .excessOperand(operand) }
      self = .new(try Input(sample))
    } else if arguments.has(.document) {
      guard let operand else { throw .missingOperand("NAME") }
      guard let document = Feed.document(named: operand) else { throw .unknownFeed(operand) }
      self = .document(document)
    } else if arguments.has(.dataPackage) {
      guard let operand else { throw .missingOperand("NAME") }
      self = .dataPackage(try Feed.known(as: operand))
    } else {
      self =
        try operand.map { name throws(UsageError) in .describe(try Feed.known(as: name)) } ?? .list
    }
  }
}

extension FeedsOptions {
  /// Lists, describes, checks or makes feeds.
  func run(_ console: Console) -> ExitCode {
    let language = console.language
    switch self {
    case .list:
      let width = Feed.names.map(\.count).max() ?? 0
      return show(
        Feed.names.compactMap(Feed.named).map { feed in
          let padding = String(repeating: " ", count: width - feed.name.count)
          return "\(feed.name)\(padding)  \(feed.summary[language])\n"
        }.joined(), console)
    case .describe(let feed): return show(FeedReport.text(of: feed, language), console)
    case .document(let bytes): return show(String(decoding: bytes, as: UTF8.self), console)
    case .dataPackage(let feed):
      return show(feed.dataPackage(in: language), console)
    case .check(let feed, let file, let sample):
      return checkFeed(feed, file, sample, console)
    case .new(let input): return newFeed(input, console)
    }
  }
}

/// Lays out the description of a feed, for people.
enum FeedReport {
  /// The report, in lines.
  static func text(of feed: Feed, _ language: Language) -> String {
    var lines = ["\(feed.name): \(feed.summary[language])"]
    func add(_ label: Text, _ value: String) { lines.append("\(label[language]): \(value)") }
    if let requests = feed.requests {
      lines += RequestReport.lines(of: requests, language) { shown($0, feed) }
    } else {
      add(
        .verbatim("URL"),
        feed.url.map { shown($0, feed) }
          ?? Text(en: "none; give an INPUT", ru: "нет; укажите INPUT")[language])
    }
    if !feed.headers.isEmpty {
      // A value in the document may be as secret as one from the environment.
      let headers = feed.headers.map {
        "\($0.name): \($0.value.utf8.contains(UInt8(ascii: "$")) ? $0.value : Redaction.mark)"
      }
      add(Text(en: "headers", ru: "заголовки"), headers.joined(separator: ", "))
    }
    if let envelope = feed.envelope {
      let tests = [
        envelope.match.map { "\($0.path.lastKey) = \($0.value)" },
        envelope.status.map { "\($0.path) = \($0.value)" },
      ]
      add(
        Text(en: "envelope", ru: "ответ API"),
        ([envelope.payload.description] + tests.compactMap { $0 }).joined(separator: ", "))
    }
    let only = feed.tables.count == 1 ? feed.tables[0] : nil
    if let only { add(Text(en: "rows", ru: "строки"), only.rowsText) }
    for table in feed.tables {
      let name = only == nil ? "\(table.name): " : ""
      if let conditions = table.conditions {
        add(Text(en: "only where", ru: "только где"), "\(name)\(conditions)")
      }
      if table.events.count > 1 {
        let starts = table.events.map {
          ["", $0.start].contains($0.tag) ? $0.start : "\($0.start) (\($0.tag))"
        }
        add(
          Text(en: "events of a row", ru: "события строки"),
          "\(name)\(starts.joined(separator: ", "))")
      }
      for event in table.events {
        guard let conditions = event.conditions else { continue }
        let start = table.events.count > 1 ? "\(event.start): " : ""
        add(Text(en: "events where", ru: "события где"), "\(name)\(start)\(conditions)")
      }
    }
    add(
      Text(en: "calendar", ru: "календарь"),
      feed.event?.calendarName[feed.language]
        ?? Text(en: "no: the feed has no events", ru: "нет: в наборе нет событий")[language])
    if let only, only.keyNumber == nil, !only.key.isEmpty {
      add(Text(en: "key", ru: "ключ"), only.key.joined(separator: ", "))
    }
    for table in feed.tables {
      let key = table.key.joined(separator: ", ")
      let head =
        only == nil
        ? Text(
          en: "table \(table.name): \(table.rowsText), key \(key)",
          ru: "таблица \(table.name): \(table.rowsText), ключ \(key)")
        : Text(en: "columns:", ru: "столбцы:")
      lines += [head[language]] + self.lines(of: table, language)
    }
    // All texts of the document are foreign.
    return lines.map { escaped($0, limit: .max) + "\n" }.joined()
  }

  /// Returns a URL of the document, without secrets unless the document is public.
  private static func shown(_ url: String, _ feed: Feed) -> String {
    feed.isBuiltIn ? url : Redaction.url(url)
  }

  /// Returns the columns of a table, one a line.
  private static func lines(of table: Table, _ language: Language) -> [String] {
    var lines: [String] = []
    for field in table.fields where field.kind != .hidden {
      let reference = table.references.first { [$0.column] == field.columns }
      lines.append(line(field, language) + (reference.map { " → \($0.table)" } ?? ""))
    }
    if !table.marks.isEmpty {
      let marks = table.marks.joined(separator: ", ")
      let text = Text(en: "  \(marks): your own marks", ru: "  \(marks): ваши пометки")
      lines.append(text[language])
    }
    if let number = table.keyNumber {
      let parts = number.parts.joined(separator: ", ")
      let hash =
        !table.key.isEmpty
        ? Text(en: "FNV-1a 64 of \(parts), unique", ru: "FNV-1a 64 от \(parts), не повторяется")
        : Text(en: "FNV-1a 64 of \(parts)", ru: "FNV-1a 64 от \(parts)")
      let column = number.column ?? Text(en: "(key)", ru: "(ключ)")[language]
      lines.append("  \(column): \(hash[language])")
    }
    return lines
  }

  private static func line(_ field: Field, _ language: Language) -> String {
    if let share = field.shareOf {
      let text = Text(en: "percent of the total of \(share)", ru: "процент от суммы \(share)")
      return "  \(field.columns.joined()): \(text[language])"
    }
    var notes = [kind(of: field)]
    for label in field.labels {
      notes.append(Text(en: "\(quoted: label.en)", ru: "\(quoted: label.ru)"))
    }
    switch field.zone {
    case .named(let zone): notes.append(Text(en: "in \(zone)", ru: "по поясу \(zone)"))
    case .path(let path):
      notes.append(
        Text(en: "in the zone of \(path.description)", ru: "по поясу из \(path.description)"))
    case nil: break
    }
    if let rule = field.rule { notes += self.notes(of: rule) }
    if let rules = field.made?.rules { notes += words(of: rules) }
    if !field.isShown { notes.append(Text(en: "not shown", ru: "не показан")) }
    if field.isRequired { notes.append(Text(en: "required", ru: "обязательно")) }
    let name = field.columns.isEmpty ? "-" : field.columns.joined(separator: ", ")
    let line =
      "  \(name): \(source(of: field)[language]), "
      + notes.map { $0[language] }.joined(separator: ", ")
    guard let skip = field.skip else { return line }
    let skips = Text(en: "\"\(skip)\" skips the record", ru: "«\(skip)» — запись пропускается")
    return "\(line); \(skips[language])"
  }

  /// What a document says about the form of days and times.
  private static func notes(of rule: TimeRule) -> [Text] {
    var notes: [Text] = []
    if rule.readsInstant { notes.append(Text(en: "of an instant", ru: "из момента времени")) }
    switch rule.source {
    case .formats(let formats):
      let texts = formats.map(\.text)
      let (en, ru) = (texts.joined(separator: " or "), texts.joined(separator: " или "))
      notes.append(Text(en: "as \(en)", ru: "в виде \(ru)"))
    case .count(.minutes):
      notes.append(Text(en: "in minutes from midnight", ru: "в минутах от полуночи"))
    case .count(.seconds):
      notes.append(Text(en: "in seconds from midnight", ru: "в секундах от полуночи"))
    case .own, .parts: break
    }
    if !rule.names.languages.isEmpty, rule.names.languages != ["en"] {
      let languages = rule.names.languages.joined(separator: ", ")
      notes.append(Text(en: "names: \(languages)", ru: "названия: \(languages)"))
    }
    return notes
  }

  /// What is done to a text, in this order.
  private static func words(of rules: TextRules) -> [Text] {
    var words: [Text] = []
    if rules.isHTML { words.append(Text(en: "of HTML", ru: "из HTML")) }
    if let split = rules.split {
      words.append(
        Text(
          en: "part \(split.take) by \(quoted: split.by)",
          ru: "часть \(split.take), разделитель \(quoted: split.by)"))
    }
    for text in [rules.prefix, rules.suffix] where !text.isEmpty {
      words.append(Text(en: "without \(quoted: text)", ru: "без \(quoted: text)"))
    }
    if let trim = rules.trim {
      words.append(
        Text(en: "without \(quoted: trim) at its ends", ru: "без \(quoted: trim) по краям"))
    }
    switch rules.letters {
    case .upper: words.append(Text(en: "capital letters", ru: "прописными"))
    case .lower: words.append(Text(en: "small letters", ru: "строчными"))
    case nil: break
    }
    if let map = rules.map {
      words.append(Text(en: "map of \(map.texts.count)", ru: "замен: \(map.texts.count)"))
    }
    if rules.number?.hasDecimalComma == true {
      words.append(Text(en: "with a decimal comma", ru: "с десятичной запятой"))
    }
    if let sign = rules.number?.thousands {
      words.append(
        Text(en: "\(quoted: sign) between thousands", ru: "\(quoted: sign) между тысячами"))
    }
    return words
  }

  /// Where the text of a field comes from.
  private static func source(of field: Field) -> Text {
    if case .parts(let parts) = field.rule?.source {
      let paths = parts.paths.compactMap { $0?.description }
      return .verbatim(paths.joined(separator: " + "))
    }
    guard let made = field.made else { return .verbatim(field.path.description) }
    if let fact = made.input { return .verbatim(fact.rawValue) }
    if let constant = made.constant {
      return Text(en: "always \(quoted: constant)", ru: "всегда \(quoted: constant)")
    }
    let paths = made.paths.map(\.description).joined(separator: ", ")
    guard made.paths.count > 1 else { return .verbatim(paths) }
    return Text(en: "the first of \(paths)", ru: "первое из \(paths)")
  }

  private static func kind(of field: Field) -> Text {
    switch (field.kind, field.unix) {
    case (.text, _): Text(en: "text", ru: "текст")
    case (.verbatim, _): Text(en: "text as it came", ru: "текст как есть")
    case (.integer, _): Text(en: "integer", ru: "целое число")
    case (.decimal, _): Text(en: "decimal", ru: "число")
    case (.day, _): Text(en: "day", ru: "день")
    case (.instant, .seconds?):
      Text(
        en: "instant in seconds since 1970", ru: "момент времени в секундах с 1970 года")
    case (.instant, .milliseconds?):
      Text(
        en: "instant in milliseconds since 1970", ru: "момент времени в миллисекундах с 1970 года")
    case (.instant, nil) where field.rule != nil: Text(en: "instant", ru: "момент времени")
    case (.instant, nil): Text(en: "instant (RFC 3339)", ru: "момент времени (RFC 3339)")
    case (.time, _): Text(en: "time of day", ru: "время суток")
    case (.period, _): Text(en: "period of days", ru: "период в днях")
    case (.share, _): Text(en: "share", ru: "доля")
    case (.occurrence, _): Text(en: "day of a repetition", ru: "день повторения")
    case (.flag, _): Text(en: "true or false", ru: "да или нет (true, false)")
    case (.hidden, _): Text(en: "for other columns", ru: "для других столбцов")
    }
  }
}

/// Lays out the requests of a feed, for people.
private enum RequestReport {
  /// The report, in lines. `shown` hides the secrets of a URL.
  static func lines(
    of requests: FeedRequests, _ language: Language, _ shown: (String) -> String
  ) -> [String] {
    var lines: [String] = []
    func add(_ label: Text, _ value: Text) {
      lines.append("\(label[language]): \(value[language])")
    }
    switch requests.plan {
    case .one(let url): add(.verbatim("URL"), .verbatim(shown(url)))
    case .named(let named):
      for one in named { add(.verbatim("URL \(one.name)"), .verbatim(shown(one.url))) }
    case .items: break
    case .pages(let url, let paging):
      add(.verbatim("URL"), .verbatim(shown(url)))
      add(Text(en: "pages", ru: "страницы"), text(of: paging))
    }
    if case .items(let url, let list) = requests.plan {
      add(.verbatim("URL"), .verbatim(shown(url)))
      let start = list.start.joined(separator: ", ")
      add(
        Text(en: "one for each of", ru: "по одному на каждый из"),
        Text(en: "\(list.name), at first: \(start)", ru: "\(list.name), поначалу: \(start)"))
      add(Text(en: "published", ru: "публикуется"), requests.publication.meaning)
    }
    if !requests.parameters.isEmpty {
      let parameters = requests.parameters.map { "\($0.name) = \($0.value.written)" }
      add(
        Text(en: "parameters", ru: "параметры запроса"),
        .verbatim(parameters.joined(separator: ", ")))
    }
    if let status = requests.status {
      add(Text(en: "status", ru: "статус"), .verbatim("\(status.path) = \(status.value)"))
    }
    if let search = requests.search {
      let (parameter, least) = (search.parameter, search.least)
      let characters = plural(least, "character", "characters")
      add(
        Text(en: "search", ru: "поиск"),
        Text(
          en: "\(parameter), at least \(least) \(characters)",
          ru: "\(parameter), символов не меньше: \(least)"))
    }
    add(
      Text(en: "requests", ru: "запросы"),
      Text(
        en: "\(requests.atOnce) at once, \(requests.perSecond) a second, at most",
        ru: """
          одновременно не больше \(requests.atOnce), в секунду не больше \(requests.perSecond)
          """))
    return lines
  }

  private static func text(of paging: FeedRequests.Paging) -> Text {
    let size = paging.sizeParameter.map { "\($0) = \(paging.size)" } ?? "\(paging.size)"
    return switch paging.way {
    case .page(let parameter, let first):
      Text(
        en: "\(parameter) counts pages from \(first), rows of a page: \(size)",
        ru: "\(parameter) — номер страницы, начиная с \(first), строк на странице: \(size)")
    case .offset(let parameter, let first):
      Text(
        en: "\(parameter) counts rows from \(first), rows of a page: \(size)",
        ru: "\(parameter) — номер строки, начиная с \(first), строк на странице: \(size)")
    case .link:
      Text(
        en: "each links to the next, rows of a page: \(size)",
        ru: "каждая ссылается на следующую, строк на странице: \(size)")
    }
  }
}

extension FeedRequests.Publication {
  /// The condition for publishing the outputs.
  fileprivate var meaning: Text {
    switch self {
    case .all: Text(en: "when all have been answered", ru: "когда получены все ответы")
    case .stale:
      Text(
        en: "even if parts could not be refreshed; those keep their last rows",
        ru: "даже если что-то не удалось обновить; там остаются прежние строки")
    }
  }
}
