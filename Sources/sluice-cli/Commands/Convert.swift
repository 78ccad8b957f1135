import Sluice
import SluiceSync
import SluiceText

extension Command {
  /// The row of `convert`.
  static let convert = Command(
    name: "convert",
    summary: Text(
      en: "read a feed once and write all outputs in that one pass",
      ru: "прочитать набор данных один раз и за этот же проход записать все файлы"),
    operands: [.inputs],
    notes: [
      Text(
        en: """
          Files are published only after all of them are complete and the input has been checked           to its end. If anything fails, the old files stay as they were. Only the exit code           shows a failure on standard output, because what was written there cannot be taken back.
          """,
        ru: """
          Файлы публикуются, только когда готовы все и входные данные проверены до конца. При           любом сбое прежние файлы остаются нетронутыми. Записанное в стандартный вывод не           отозвать, поэтому о сбое там сообщает только код завершения.
          """)
    ],
    examples: [
      Example(
        line: "sluice convert -o hot-water.csv -o hot-water.ics",
        meaning: Text(
          en: "download the feed and write a table and a calendar",
          ru: "скачать набор данных и сделать из него таблицу и календарь")),
      Example(
        line: """
          sluice convert feed.zip --address 'Непокорённых 15к1' --alarm 1d -o home.ics
          """,
        meaning: Text(
          en: "a calendar for one house, with a reminder the day before",
          ru: "календарь для одного дома с напоминанием за день")),
      Example(
        line: "sluice convert nights/*.json --on-error skip -o nights.csv",
        meaning: Text(
          en: "many files into one table; broken ones are named and left out",
          ru: "много файлов в одну таблицу; испорченные будут названы и пропущены")),
      Example(
        line: """
          sluice convert feed.zip --from 2020-07-01 --to 2020-07-31 --csv-dialect excel \
          -o july.csv
          """,
        meaning: Text(
          en: "the outages of July, for Excel",
          ru: "июльские отключения для Excel")),
      Example(
        line: "sluice convert feed.zip -o 'ics/{address_id}.ics' --file-index index.ndjson",
        meaning: Text(
          en: "a calendar for each house, and a list of them",
          ru: "календарь для каждого дома и их список")),
      Example(
        line: "sluice convert --feed photos --search officia -o photos.ndjson",
        meaning: Text(
          en: "a search in a list that comes in pages",
          ru: "поиск в списке, который отдают по страницам")),
      Example(
        line: """
          curl -s https://example.org/feed.json | sluice convert - --format ndjson \
          | jq -r .street | sort -u
          """,
        meaning: Text(
          en: "part of a pipeline",
          ru: "в конвейере")),
    ],
    options: ConvertOptions.self)
}

/// The options of `convert`.
struct ConvertOptions: CommandOptions {
  var reading: ReadingOptions
  /// The outputs: at least one.
  var outputs: [Output]
  /// The only table to write, or nil for all.
  var table: String?
  /// Whether existing databases keep their own additions.
  var isMerge: Bool
  /// Which rows the outputs get, and how they are written. An output may have its own.
  var rows: RowOptions
  /// Whether conditions stand between outputs, as if each belonged to one.
  private var warnsOfConditions: Bool
  /// Whether files are replaced although the selection keeps nothing. For `convert` only.
  var isEmptyAllowed: Bool
  var tableForm: TableOptions
  /// The language of calendar texts, or nil for the feed's.
  var calendarLanguage: Language?
  var rejects: Destination?
  var maxRejects: RejectLimit
  /// The largest size of all outputs together in bytes, or nil for the usual one.
  var maxOutput: Int?
  /// Whether rejected records within the limit do not change the exit code.
  var areRejectsAllowed: Bool
  var stats: Destination?
  /// The destination of the list of files that are named by columns.
  var fileIndex: Destination?
  /// The most such files, or nil for the usual number.
  var maxFiles: Int?
  /// The number of seconds in which all answers must have arrived, 0 for no limit, or nil for the
  /// command's own.
  var maxTime: Int?
  /// The destination of the changes since the last run. For `sync` only.
  var changes: Destination?
  /// Whether the last good copy is converted instead of the input.
  private var isOffline: Bool
  /// The state folder, or nil for the usual one.
  var state: String?

  var feedRead: Feed? { reading.feed }
  var openVariables: OpenVariables? { reading.variables }

  /// Reads the options and checks that they are consistent.
  init(_ arguments: Arguments) throws(UsageError) {
    reading = try ReadingOptions(ofSeveral: arguments)
    outputs = try Output.all(
      named: arguments.all(.output), format: try arguments.choice(.format))
    if reading.feed.event == nil, outputs.contains(where: { $0.format == .ics }) {
      throw .noEvents(feed: reading.feed.name)
    }
    table = arguments[.table]
    isMerge = arguments.has(.merge)
    let tables = try Self.tables(reading.feed, table, outputs, isMerge)
    for output in outputs { try output.checkPlaces(tables) }
    let today = try reading.feed.today(arguments)
    rows = try RowOptions(arguments, of: tables, in: reading.feed, today: today)
    try rows.checkDays()
    for (index, own) in arguments.own(.output).enumerated() {
      guard let own else { continue }
      outputs[index].own = try OutputOptions(
        own, of: tables, in: reading.feed, today: today, beside: rows)
    }
    warnsOfConditions = arguments.hasConditionsAmongOutputs
    isEmptyAllowed = arguments.has(.allowEmpty)
    tableForm = try TableOptions(arguments, outputs, of: tables, in: reading.feed)
    calendarLanguage = try arguments.choice(.lang)
    rejects = arguments[.rejects].map(Destination.init)
    maxRejects = try arguments.value(.maxRejects, RejectLimit.init) ?? .standard
    maxOutput = try arguments.value(.maxOutput, byteCount)
    areRejectsAllowed = arguments.has(.allowRejects)
    stats = arguments[.stats].map(Destination.init)
    changes = arguments[.changes].map(Destination.init)
    fileIndex = arguments[.fileIndex].map(Destination.init)
    if fileIndex != nil, !outputs.contains(where: \.destination.namesColumns) {
      throw .idleFileIndex
    }
    maxFiles = try arguments.value(.maxFiles, positiveCount)
    maxTime = try arguments.value(.maxTime, seconds(in:))
    isOffline = arguments.has(.offline)
    if isOffline, !reading.moreInputs.isEmpty { throw .inputs(.offline) }
    state = arguments[.state]
    try checkFiles(of: tables, implied: arguments.all(.output).isEmpty)
  }

  /// Returns the selected tables. Throws if an output cannot contain them.
  private static func tables(
    _ feed: Feed, _ name: String?, _ outputs: [Output], _ isMerge: Bool
  ) throws(UsageError) -> [Table] {
    let all = feed.tables
    let tables = all.filter { name == nil || $0.name == name }
    if let name, tables.isEmpty { throw .noSuchTable(name, tables: all.map(\.name)) }
    for output in outputs where !output.format.holdsTables && tables.count > 1 {
      let names = tables.filter { output.format != .ics || $0.event != nil }.map(\.name)
      guard names.count > 1 else { continue }
      guard output.destination.namesTables else {
        throw .severalTables(format: output.format, tables: names)
      }
    }
    guard isMerge else { return tables }
    guard outputs.contains(where: { $0.format == .sqlite }) else { throw .idleMerge }
    if let table = tables.first(where: \.key.isEmpty) { throw .noKeyToMerge(table: table.name) }
    return tables
  }

  /// Checks that no file is written twice, and that the input is not written.
  ///
  /// Errors call standard output by its format if there is no `-o`.
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
    if let fileIndex { writers.append(("--file-index", fileIndex)) }
    if let schema = tableForm.schema { writers.append(("--schema", schema)) }
    let inputs = ([reading.input] + reading.moreInputs).compactMap { SameFile($0) }
    for (index, writer) in writers.enumerated() {
      let file = SameFile(writer.destination)
      if inputs.contains(where: { $0.matches(file) }) {
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
    for case .file(let site) in writers.map(\.destination) where site.hasSuffix("/") {
      for writer in writers {
        guard case .file(let path) = writer.destination, path != site, let folder = SiteFiles(site),
          folder.contains(path)
        else { continue }
        throw .insideSite(writer.option, path: path, site: site)
      }
    }
  }
}

extension ConvertOptions {
  /// Runs `convert`.
  func run(_ console: Console) -> ExitCode {
    do throws(UsageError) {
      let conversion = try conversion
      let newTable = newTable(console, locale: Language(environment: Environment.value))
      let state = isOffline ? try StatePath.chosen(state) : nil
      warn(console)
      let counters = Counters()
      let outcome = withProgress(
        on: console, isAllowed: isProgressAllowed, read: { ProgressState(counters) }
      ) {
        if let state {
          RequestOutcome(
            run: SluiceSync.convertLastGood(conversion, state: state, counters: counters))
        } else {
          SluiceSync.convert(conversion, counters: counters)
        }
      }
      let code = report(
        outcome.run.error, outcome.run.statistics, missing: outcome.shortfall,
        doubt: outcome.doubt,
        places: PlaceRemarks(
          chosen: conversion.addresses.compactMap { outcome.run.places[$0] },
          near: outcome.run.nearPlaces), console)
      if outcome.run.error == nil, let newTable { console.note(.forSpreadsheets(newTable)) }
      let isEmpty = outcome.run.error == nil && outcome.run.statistics.isSelectionEmpty
      return isEmpty ? .nothingSelected : code
    } catch {
      console.error(error.text(command: .convert))
      return ExitCode(error)
    }
  }

  /// Warns of options that may mean something else than was thought.
  func warn(_ console: Console) {
    if warnsOfConditions, reading.verbosity != .quiet { console.warning(.sharedConditions) }
  }

  /// The conversion of these options and the environment.
  var conversion: Conversion {
    get throws(UsageError) {
      var conversion = try reading.conversion(isOffline: isOffline)
      conversion.outputs = outputs
      conversion.table = table
      conversion.mergesDatabases = isMerge
      conversion.conditions =
        rows.conditions + [rows.fromTime, rows.toTime].compactMap(\.self)
      conversion.address = rows.address
      conversion.allowsEmpty = isEmptyAllowed
      conversion.from = rows.from
      conversion.to = rows.to
      conversion.columns = rows.columns
      conversion.dialect = rows.csvDialect ?? .plain
      conversion.headerRow = tableForm.headerRow
      conversion.readerLanguage = tableForm.readerLanguage
      conversion.sort = tableForm.sort
      conversion.limit = tableForm.limit
      conversion.schema = tableForm.schema
      conversion.language = calendarLanguage ?? reading.feed.language
      conversion.calendarName = rows.calendarName
      conversion.alarms =
        rows.alarms.isEmpty
        ? [reading.feed.event?.alarm].compactMap(\.self) : rows.alarms.map(\.duration)
      conversion.rejects = rejects
      conversion.rejectLimit = maxRejects
      conversion.maxOutput = maxOutput
      conversion.statistics = stats
      conversion.changes = changes
      conversion.fileIndex = fileIndex
      conversion.maxFiles = maxFiles ?? Conversion.standardMaxFiles
      conversion.maxSeconds = maxTime == 0 ? nil : maxTime
      if let epoch = Environment.value("SOURCE_DATE_EPOCH") {
        guard let seconds = wholeNumber(epoch[...]) else { throw .badEpoch(epoch) }
        conversion.stamp = seconds
      }
      return conversion
    }
  }

  /// Whether a line of progress may be shown. It must not mix with data on the same terminal.
  var isProgressAllowed: Bool {
    let destinations =
      outputs.map(\.destination) + [rejects, stats, fileIndex, tableForm.schema].compactMap { $0 }
    return reading.isProgressAllowed
      && !(destinations.contains(.standardOutput) && Descriptor.standardOutput.isTerminal)
  }
}

extension ProgressState {
  /// Reads the progress of a run.
  init(_ counters: Counters) {
    let progress = counters.progress
    self.init(
      bytesRead: progress.bytes, totalBytes: progress.expected, records: progress.records,
      inputsDone: counters.inputProgress?.done, inputsInAll: counters.inputProgress?.of,
      requestsDone: counters.requestProgress?.done, requestsInAll: counters.requestProgress?.of,
      secondsToWait: counters.pause)
  }
}
