import Sluice
import SluiceText

/// The options that may count for one output alone: which rows it gets, and how they are written.
///
///     --from 2020-07-01 -o a.csv            the command line's count for all outputs
///     output: [{path: a.csv, from: …}]      those of an item count for this one, in their place
struct RowOptions: Equatable, Sendable {
  /// The keys of an output in a configuration file, beside its path.
  static let names: [OptionName] = [
    .where, .address, .from, .to, .alarm, .calendarName, .columns, .csvDialect,
  ]

  var conditions: [Condition] = []
  /// The wanted place, as people type it, or nil for all.
  var address: String?
  /// The first and the last selected day, both inclusive.
  var from: Day?
  var to: Day?
  /// The conditions of a first and a last time, instead of days.
  var fromTime: Condition?
  var toTime: Condition?
  var alarms: [Alarm] = []
  /// The calendar's name, or nil for the feed's.
  var calendarName: String?
  /// The columns of tables, in order, or nil for all.
  var columns: [String]?
  /// The dialect of CSV, or nil for the usual one.
  var csvDialect: CSVDialect?

  /// Reads the options for rows of these tables.
  init(
    _ arguments: Arguments, of tables: [Table], in feed: Feed, today: Day
  ) throws(UsageError) {
    for text in arguments.all(.where) {
      guard tables.count == 1 else { throw .filterOfTables(tables: tables.map(\.name)) }
      conditions.append(try Condition(text, of: tables[0], in: feed, today: today))
    }
    if let text = arguments[.address] {
      guard tables.count == 1 else { throw .filterOfTables(tables: tables.map(\.name)) }
      guard canFind(text, in: tables[0]) else { throw .badValue(.address, value: text) }
      address = text
    }
    let limits = TimeLimits(tables: tables, feed: feed, today: today)
    (from, fromTime) = try limits.read(.from, arguments)
    (to, toTime) = try limits.read(.to, arguments)
    for text in arguments.all(.alarm) {
      guard let alarm = Alarm(text) else { throw .badValue(.alarm, value: text) }
      // A duplicate reminder would ring twice.
      if !alarms.contains(alarm) { alarms.append(alarm) }
    }
    calendarName = arguments[.calendarName]
    csvDialect = try arguments.choice(.csvDialect)
    columns = try Self.columns(arguments.all(.columns), of: tables)
  }

  /// Returns the columns of these names; nil if there is no name.
  static func columns(
    _ texts: [String], of tables: [Table]
  ) throws(UsageError) -> [String]? {
    guard !texts.isEmpty else { return nil }
    guard tables.count == 1 else {
      throw .selection(.columnsOfTables(tables.map(\.name)))
    }
    var columns: [String] = []
    for text in texts {
      for name in columnNames(text) {
        let named = tables[0].columns(named: name)
        if named.isEmpty {
          throw .selection(.unknownColumn(name, columns: tables[0].columns.map(\.name)))
        }
        for column in named {
          if columns.contains(column) { throw .selection(.columnTwice(name)) }
          columns.append(column)
        }
      }
    }
    return columns
  }

  /// Checks that the first day is not after the last one. What is not given counts as in `others`.
  func checkDays(beside others: RowOptions? = nil) throws(UsageError) {
    let (from, to) = (from ?? others?.from, to ?? others?.to)
    if let from, let to, from > to { throw .daysReversed(from: "\(from)", to: "\(to)") }
    let times = (fromTime ?? others?.fromTime, toTime ?? others?.toTime)
    if let from = times.0?.value, let to = times.1?.value, from > to {
      throw .daysReversed(from: from, to: to)
    }
  }
}

extension OutputOptions {
  /// Reads the options of one output. What it does not have is left to `common`.
  init(
    _ arguments: Arguments, of tables: [Table], in feed: Feed, today: Day, beside common: RowOptions
  ) throws(UsageError) {
    self.init()
    let rows: RowOptions
    do throws(UsageError) {
      rows = try RowOptions(arguments, of: tables, in: feed, today: today)
      if rows.from != nil || rows.to != nil { try rows.checkDays(beside: common) }
    } catch {
      throw arguments.traced(error)
    }
    let times = [
      arguments.sets(.from) ? rows.fromTime : common.fromTime,
      arguments.sets(.to) ? rows.toTime : common.toTime,
    ].compactMap(\.self)
    let commonTimes = [common.fromTime, common.toTime].compactMap(\.self)
    if arguments.sets(.where) || times != commonTimes {
      conditions = (arguments.sets(.where) ? rows.conditions : common.conditions) + times
    }
    address = rows.address
    (from, to) = (rows.from, rows.to)
    if arguments.sets(.alarm) { alarms = rows.alarms.map(\.duration) }
    calendarName = rows.calendarName
    // An empty list means all.
    columns =
      arguments.sets(.columns) ? rows.columns ?? tables.first?.columns.map(\.name) : rows.columns
    dialect = rows.csvDialect
  }
}

/// Reads `--from` and `--to`.
private struct TimeLimits {
  let tables: [Table]
  let feed: Feed
  let today: Day

  /// Returns the day of an option. For a time, returns the condition of that time, and a day that
  /// leaves out none of its rows, whatever their clock.
  func read(
    _ option: OptionName, _ arguments: Arguments
  ) throws(UsageError) -> (Day?, Condition?) {
    let zone =
      tables[0].instantColumns.map { feed.localZone(of: $0.first, in: tables[0]) } ?? feed.localZone
    let time = try arguments.value(option) { SelectedTime($0, today: today, in: zone) }
    switch time {
    case nil: return (nil, nil)
    case .day(let day): return (day, nil)
    case .instant(let seconds):
      guard tables.count == 1 else { throw .filterOfTables(tables: tables.map(\.name)) }
      guard let columns = tables[0].instantColumns else {
        throw .selection(.onlyDays(option, value: arguments[option] ?? ""))
      }
      let isFirst = option == .from
      let day = Day(number: Int32(clamping: seconds / 86_400 + (isFirst ? -2 : 2)))
      var condition = Condition(
        column: isFirst ? columns.last : columns.first,
        isFirst ? .greaterOrEqual : .lessOrEqual, value: InstantText.utc(seconds))
      // An event without an end is where it begins.
      if isFirst { condition.otherwise = columns.first }
      return (day, condition)
    }
  }
}

extension Arguments {
  /// Whether differing conditions stand on both sides of an output, as if each belonged to one.
  var hasConditionsAmongOutputs: Bool {
    guard all(.output).count > 1 else { return false }
    var (before, here): (Set<String>, Set<String>) = ([], [])
    for given in options where given.origin == .flag {
      switch given.option.name {
      case .where:
        let text = given.value ?? ""
        if !before.isEmpty, !before.contains(text) { return true }
        here.insert(text)
      case .output:
        before.formUnion(here)
        here = []
      default: continue
      }
    }
    return false
  }
}

extension Text {
  /// Warns that conditions between outputs count for all of them.
  static let sharedConditions = Text(
    en: """
      every --where counts for all outputs, wherever it stands; a configuration file can have a \
      'where' for each output
      """,
    ru: """
      каждое --where действует на все файлы, где бы оно ни стояло; свой where для каждого файла \
      можно указать в файле настроек
      """)
}
