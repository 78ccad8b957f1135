import Sluice

/// What `convert` is asked to do.
struct ConvertOptions: Equatable, Sendable {
  var reading: ReadingOptions
  /// At least one.
  var outputs: [Output]
  /// The only table wanted; nil is all.
  var table: String?
  /// Whether databases that are there keep what was added to them.
  var isMerge: Bool
  var conditions: [Condition]
  /// The first and the last day wanted, both inclusive; never reversed.
  var from: Day?
  var to: Day?
  var csvDialect: CSVDialect
  /// The language of calendar text; nil is the feed's.
  var calendarLanguage: Language?
  var alarms: [Alarm]
  /// The calendar's name; nil is the feed's.
  var calendarName: String?
  var rejects: Destination?
  var maxRejects: RejectLimit
  /// Whether rejects within the limit are no reason for an exit code of their own.
  var areRejectsAllowed: Bool
  var stats: Destination?
  /// Where what changed since the last run goes; of `sync` only.
  var changes: Destination?
  /// Whether the last good copy is converted instead of the input.
  var isOffline: Bool
  /// The state folder; nil is the usual one.
  var state: String?

  /// Reads the options and checks that they agree.
  init(_ arguments: Arguments, operand: String?) throws(UsageError) {
    reading = try ReadingOptions(arguments, operand: operand)
    outputs = try Output.all(
      named: arguments.all(.output), format: try arguments.choice(.format))
    if reading.feed.event == nil, outputs.contains(where: { $0.format == .ics }) {
      throw .noEvents(feed: reading.feed.name)
    }
    table = arguments[.table]
    isMerge = arguments.has(.merge)
    let tables = try Self.tables(reading.feed, table, outputs, isMerge)
    conditions = []
    for text in arguments.all(.where) {
      guard tables.count == 1 else { throw .filterOfTables(tables: tables.map(\.name)) }
      conditions.append(try Condition(text, of: reading.feed.only(tables[0])))
    }
    from = try arguments.value(.from) { Day(iso: $0) }
    to = try arguments.value(.to) { Day(iso: $0) }
    if let from, let to, from > to {
      throw .daysReversed(from: arguments[.from] ?? "", to: arguments[.to] ?? "")
    }
    csvDialect = try arguments.choice(.csvDialect) ?? .plain
    calendarLanguage = try arguments.choice(.lang)
    alarms = []
    for text in arguments.all(.alarm) {
      guard let alarm = Alarm(text) else { throw .badValue(.alarm, value: text) }
      // The same reminder twice would ring twice.
      if !alarms.contains(alarm) { alarms.append(alarm) }
    }
    calendarName = arguments[.calendarName]
    rejects = arguments[.rejects].map(Destination.init)
    maxRejects = try arguments.value(.maxRejects, RejectLimit.init) ?? .standard
    areRejectsAllowed = arguments.has(.allowRejects)
    stats = arguments[.stats].map(Destination.init)
    changes = arguments[.changes].map(Destination.init)
    isOffline = arguments.has(.offline)
    state = arguments[.state]
    try checkFiles(of: tables, implied: arguments.all(.output).isEmpty)
  }

  /// The tables that are wanted, where the outputs can hold them.
  private static func tables(
    _ feed: Feed, _ name: String?, _ outputs: [Output], _ isMerge: Bool
  ) throws(UsageError) -> [Table] {
    let all = feed.allTables
    let tables = all.filter { name == nil || $0.name == name }
    if let name, tables.isEmpty { throw .noSuchTable(name, tables: all.map(\.name)) }
    let names = tables.map(\.name)
    for output in outputs where output.format != .sqlite && tables.count > 1 {
      guard output.destination.namesTables else {
        throw .severalTables(format: output.format, tables: names)
      }
    }
    guard isMerge else { return tables }
    guard outputs.contains(where: { $0.format == .sqlite }) else { throw .idleMerge }
    if let table = tables.first(where: \.key.isEmpty) { throw .noKeyToMerge(table: table.name) }
    return tables
  }

  /// Checks that nothing is written twice, and that what is read is not written.
  ///
  /// Where standard output is implied, it is called by what goes there: nobody said `-o`.
  private func checkFiles(of tables: [Table], implied isImplied: Bool) throws(UsageError) {
    var writers = outputs.flatMap { output in
      (output.destination.namesTables ? tables : [tables[0]]).map { table in
        (
          option: isImplied ? output.format.rawValue.uppercased() : "-o",
          destination: output.destination.named(by: table)
        )
      }
    }
    if let rejects { writers.append(("--rejects", rejects)) }
    if let stats { writers.append(("--stats", stats)) }
    if let changes { writers.append(("--changes", changes)) }
    let input = SameFile(reading.input)
    for (index, writer) in writers.enumerated() {
      if let input, input.matches(SameFile(writer.destination)) {
        switch writer.destination {
        case .file(let path): throw .outputIsInput(writer.option, path: path)
        case .standardOutput: throw .standardOutputIsInput
        }
      }
      for other in writers[..<index] {
        guard SameFile(other.destination).matches(SameFile(writer.destination)) else { continue }
        switch (other.destination, writer.destination) {
        case (_, .file(let path)), (.file(let path), _):
          throw .sharedFile(other.option, writer.option, path: path)
        default: throw .sharedStandardOutput(other.option, writer.option)
        }
      }
    }
  }
}

/// What is read, and how: the part that `convert`, `sync` and `inspect` share.
struct ReadingOptions: Equatable, Sendable {
  var feed: Feed
  /// An input is named, and nobody said which feed's it is.
  var isFeedAssumed: Bool
  var input: Input
  /// The entry of the archive to take, when there are several.
  var entry: String?
  /// The largest inflated size, in bytes; nil is the usual one.
  var maxSize: Int?
  /// A file of certificates to trust besides the system's.
  var cacert: String?
  /// Header lines to ask a URL with.
  var headers: [String]
  var verbosity: Verbosity
  var isProgressAllowed: Bool

  /// Reads the options.
  init(_ arguments: Arguments, operand: String?) throws(UsageError) {
    feed = try Feed.known(as: arguments[.feed] ?? Feed.names[0])
    isFeedAssumed = operand != nil && arguments[.feed] == nil
    input = try RequestOptions(arguments).input(operand, of: feed)
    entry = arguments[.entry]
    maxSize = try arguments.value(.maxSize, byteCount)
    cacert = arguments[.cacert]
    headers = []
    for text in arguments.all(.header) {
      guard let line = HeaderLine(text) else { throw .badValue(.header, value: text) }
      headers.append(line.text)
    }
    // Of -q and -v the last one counts, so that an alias can be overruled.
    verbosity = arguments.options.reduce(.normal) { verbosity, given in
      switch given.row.name {
      case .quiet: .quiet
      case .verbose: .verbose
      default: verbosity
      }
    }
    isProgressAllowed = verbosity != .quiet && !arguments.has(.noProgress)
  }
}

/// How a feed's own requests are asked: of use only where there are such.
struct RequestOptions {
  private let arguments: Arguments

  /// Reads the options.
  init(_ arguments: Arguments) { self.arguments = arguments }

  /// The input that the operand INPUT names for a feed.
  func input(_ operand: String?, of feed: Feed) throws(UsageError) -> Input {
    guard let requests = feed.requests else {
      try refuse { _ in .noRequests(feed: feed.name) }
      return try Input(operand, of: feed)
    }
    let input = try Input(operand) { (mirror) throws(UsageError) in
      RequestInput(
        state: try StatePath.chosen(arguments[.state]), mirror: mirror,
        search: try term(requests, feed), resumes: arguments.has(.resume))
    }
    if case .requests = input { return input }
    try refuse { .noRequestToFile($0) }
    return input
  }

  private func term(_ requests: FeedRequests, _ feed: Feed) throws(UsageError) -> String? {
    guard let term = arguments[.search] else { return nil }
    guard let search = requests.search else { throw .noSearch(feed: feed.name) }
    let text = term.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard text.count >= search.least else { throw .shortSearch(term, least: search.least) }
    return text
  }

  private func refuse(_ error: (String) -> UsageError) throws(UsageError) {
    for option in [OptionName.search, .resume] where arguments.has(option) {
      // Set for all feeds, it may well be of no use for some.
      guard arguments.options.contains(where: { $0.row.name == option && $0.origin == .flag })
      else { continue }
      throw error(option.spelled)
    }
  }
}

extension Feed {
  /// The variables that the environment has to have when the feed's server is asked.
  private var variables: [String] {
    headers.flatMap(\.variables) + (requests?.variables ?? [])
  }

  /// Those of them that are not set.
  var unsetVariables: [String] {
    var names: [String] = []
    for name in variables where !names.contains(name) && Environment.value(name) == nil {
      names.append(name)
    }
    return names
  }
}

extension ReadingOptions {
  /// The header lines of a request: those that were typed or set, and those of the feed if its own
  /// server is asked. Values from the environment go nowhere else.
  var headerLines: [String] {
    get throws(UsageError) {
      guard isOwnServer else { return headers }
      var lines = headers
      for header in feed.headers {
        // What was typed wins: another value of the header, or a password in the URL.
        let name = header.name.lowercased()
        if headers.contains(where: { $0.lowercased().hasPrefix(name + ":") }) { continue }
        if name == "authorization", hasPassword { continue }
        var missing: String?
        let line = header.line(Environment.value, missing: &missing)
        guard let line else { throw .noVariable(missing ?? "", feed: feed.name) }
        guard let checked = HeaderLine(line) else {
          throw .badFeedHeader(header.name, feed: feed.name)
        }
        lines.append(checked.text)
      }
      return lines
    }
  }

  private var hasPassword: Bool {
    if case .url(let url) = input { URLParts(url)?.userinfo != nil } else { false }
  }

  /// Whether the feed's own server is asked, or a mirror of it.
  private var isOwnServer: Bool {
    switch input {
    case .requests: true
    case .url(let url):
      feed.url.flatMap { HTTPOrigin($0) }.map { $0 == HTTPOrigin(url) } ?? false
    case .file, .standardInput: false
    }
  }

  /// The input with the environment's values for the feed's variables.
  var inputWithSecrets: Input {
    get throws(UsageError) {
      guard case .requests(var asked) = input, let requests = feed.requests else { return input }
      var values = try Environment.values(requests.variables, feed: feed.name)
      // A header line that was typed needs no variable of the feed's.
      for name in feed.headers.flatMap(\.variables) { values[name] = Environment.value(name) }
      asked.secrets = RequestSecrets(values)
      return .requests(asked)
    }
  }
}

extension ConvertOptions {
  /// Does what `convert` is asked to do.
  func run(_ console: Console) -> ExitCode {
    do throws(UsageError) {
      let conversion = try conversion
      let state = isOffline ? try StatePath.chosen(state) : nil
      let tally = conversion.tally
      let outcome = withProgress(
        on: console, isAllowed: isProgressAllowed, read: { ProgressState(tally) }
      ) {
        state.map { Sluice.convertLastGood(conversion, state: $0) } ?? Sluice.convert(conversion)
      }
      return report(
        outcome.error, outcome.statistics, missing: outcome.shortfall, doubt: outcome.doubt,
        outdated: outcome.outdated, console)
    } catch {
      console.error(error.text(command: .convert))
      return .usage
    }
  }

  /// The conversion that these options and the environment ask for.
  var conversion: Conversion {
    get throws(UsageError) {
      var conversion = try reading.conversion(isOffline: isOffline)
      conversion.outputs = outputs
      conversion.table = table
      conversion.mergesDatabases = isMerge
      conversion.conditions = conditions
      conversion.from = from
      conversion.to = to
      conversion.dialect = csvDialect
      conversion.language = calendarLanguage ?? reading.feed.language
      conversion.calendarName = calendarName
      conversion.alarms =
        alarms.isEmpty ? [reading.feed.event?.alarm].compactMap(\.self) : alarms.map(\.duration)
      conversion.rejects = rejects
      conversion.rejectLimit = maxRejects
      conversion.statistics = stats
      conversion.changes = changes
      if let epoch = Environment.value("SOURCE_DATE_EPOCH") {
        guard let seconds = wholeNumber(epoch[...]) else { throw .badEpoch(epoch) }
        conversion.stamp = seconds
      }
      return conversion
    }
  }

  /// Whether a line of progress may be shown: where data goes to the terminal it would get between.
  var isProgressAllowed: Bool {
    let destinations = outputs.map(\.destination) + [rejects, stats].compactMap { $0 }
    return reading.isProgressAllowed
      && !(destinations.contains(.standardOutput) && Descriptor.standardOutput.isTerminal)
  }

  /// Says what a person should know of how it went, and chooses the exit code; what is missing may
  /// be allowed to be.
  func report(
    _ error: PipelineError?, _ counts: Statistics, missing shortfall: PipelineError? = nil,
    isAllowed: Bool = false, doubt: ListDoubt? = nil, outdated: Int = 0, _ console: Console
  ) -> ExitCode {
    if outdated > 0, reading.verbosity != .quiet { console.note(.begunAnew(outdated)) }
    if let error {
      let code = ExitCode(error)
      // A reader that has seen enough is no error.
      if code != .done { console.error(reading.text(of: error)) }
      return code
    }
    let isVerbose = reading.verbosity == .verbose
    if reading.verbosity != .quiet {
      if let text = Text.noneKept(counts, from, to) { console.warning(text) }
      if counts.rejected > 0, !areRejectsAllowed || isVerbose {
        console.warning(.someRejected(counts, areKept: rejects != nil))
      }
      if console.isTerminal || isVerbose, counts.isLargeCalendar {
        console.warning(.largeCalendar(counts))
      }
    }
    if isVerbose { console.note(.summary(counts)) }
    if let shortfall {
      if !isAllowed || reading.verbosity != .quiet { console.warning(shortfall.text) }
      if !isAllowed { return .someRejected }
    }
    if let doubt {
      console.warning(.doubtful(doubt))
      return .someRejected
    }
    return counts.rejected > 0 && !areRejectsAllowed ? .someRejected : .done
  }
}

extension ReadingOptions {
  /// An error's text; where the data may be another feed's, it says what it was read as.
  func text(of error: PipelineError) -> Text {
    isFeedAssumed ? error.text.readAsDefault(feed.name) : error.text
  }

  /// A conversion that reads what these options say. Nothing is asked offline, and no secret needed.
  func conversion(isOffline: Bool = false) throws(UsageError) -> Conversion {
    var conversion = Conversion(feed, isOffline ? input : try inputWithSecrets)
    conversion.entry = entry
    if let maxSize { conversion.maxSize = maxSize }
    conversion.certificateFile = cacert
    if !isOffline { conversion.headers = try headerLines }
    return conversion
  }
}

extension ProgressState {
  /// Reads how far a run has come.
  init(_ tally: Tally) {
    let progress = tally.progress
    self.init(
      bytesRead: progress.bytes, totalBytes: progress.expected, records: progress.records,
      requestsDone: tally.requestProgress?.done, requestsInAll: tally.requestProgress?.of,
      secondsToWait: tally.pause)
  }
}

/// What is said of a run that went well.
extension Text {
  /// Says that nothing was kept, and why; nil where nothing is to be said of it.
  static func noneKept(_ counts: Statistics, _ from: Day?, _ to: Day?) -> Text? {
    guard counts.kept == 0 else { return nil }
    if counts.skippedMatches > 0 {
      return Text(
        en: "what matches says that nothing is planned there: \(counts.skippedMatches) of "
          + "\(counts.read) records, skipped",
        ru: "для найденного ничего не запланировано: записей \(counts.skippedMatches) "
          + "из \(counts.read), пропущены")
    }
    if counts.outsideOfDays > 0 { return noneInDays(counts, from, to) }
    guard let unmatched = counts.unmatched, counts.filtered > 0 else { return nil }
    let nearest = unmatched.nearest.map { escaped($0, limit: 60) }.joined(separator: ", ")
    let text = Text(
      en: "none of \(counts.read) records matches --where",
      ru: "ни одна запись (из \(counts.read)) не подходит под --where")
    guard !nearest.isEmpty else { return text }
    return text
      + Text(
        en: "; nearest values of \(unmatched.column): \(nearest)",
        ru: "; ближайшие значения \(unmatched.column): \(nearest)")
  }

  private static func noneInDays(_ counts: Statistics, _ from: Day?, _ to: Day?) -> Text {
    let wanted =
      switch (from, to) {
      case (let from?, let to?): Text(en: "from \(from) to \(to)", ru: "с \(from) по \(to)")
      case (let from?, nil): Text(en: "on \(from) or later", ru: "\(from) или позже")
      case (nil, let to?): Text(en: "on \(to) or earlier", ru: "\(to) или раньше")
      case (nil, nil): Text.verbatim("")
      }
    let text = Text(
      en: "none of \(counts.outsideOfDays) records has a day \(wanted.en)",
      ru: "ни у одной записи (из \(counts.outsideOfDays)) нет дней \(wanted.ru)")
    guard let days = counts.daysRead else { return text }
    return text
      + Text(
        en: "; theirs are \(days.lowerBound) to \(days.upperBound)",
        ru: "; их дни — с \(days.lowerBound) по \(days.upperBound)")
  }

  /// Says that records were refused, and how to see them.
  static func someRejected(_ counts: Statistics, areKept: Bool) -> Text {
    let reasons = RejectReason.allCases.compactMap { reason in
      counts.reasons[reason].map { "\(reason.rawValue) \($0)" }
    }.joined(separator: ", ")
    let text = Text(
      en: "\(counts.rejected) of \(counts.judged) \(plural(counts.judged, "record", "records")) "
        + "rejected: \(reasons)",
      ru: "отклонено записей: \(counts.rejected) из \(counts.judged): \(reasons)")
    guard !areKept else { return text }
    return text + Text(en: "; --rejects FILE shows them", ru: "; их покажет --rejects FILE")
  }

  /// Says that a calendar is larger than Google takes.
  static func largeCalendar(_ counts: Statistics) -> Text {
    Text(
      en: "the calendar has \(counts.events) events and \(counts.calendarBytes) bytes; Google "
        + "refuses more than 1000 events or 1 MB; choose a part with --where FIELD=VALUE",
      ru: "в календаре событий: \(counts.events), байт: \(counts.calendarBytes); Google не "
        + "принимает больше 1000 событий или 1 МБ; выберите часть: --where FIELD=VALUE")
  }

  /// Sums a run up.
  static func summary(_ counts: Statistics) -> Text {
    let written = counts.written.map { "\(escaped($0.path, limit: 200)) (\($0.bytes))" }
      .joined(separator: ", ")
    let counted = Text(
      en: "records read \(counts.read), kept \(counts.kept), filtered \(counts.filtered), "
        + "skipped \(counts.skipped), rejected \(counts.rejected); rows \(counts.rows), "
        + "events \(counts.events)",
      ru: "записей прочитано \(counts.read), принято \(counts.kept), отсеяно \(counts.filtered), "
        + "пропущено \(counts.skipped), отклонено \(counts.rejected); строк \(counts.rows), "
        + "событий \(counts.events)")
    guard !written.isEmpty else { return counted }
    return counted
      + Text(en: "; bytes written: \(written)", ru: "; записано байт: \(written)")
  }
}
