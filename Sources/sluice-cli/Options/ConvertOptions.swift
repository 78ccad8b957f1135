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
