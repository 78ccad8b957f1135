/// What counts for one output in place of the conversion's own values. Nil leaves those.
public struct OutputOptions: Equatable, Sendable {
  /// The conditions that its rows must match; empty for none.
  public var conditions: [Condition]?
  /// The one place whose rows it gets, as people type it.
  public var address: String?
  /// The first day of the period that its rows must overlap, inclusive.
  public var from: Day?
  /// The last day of that period, inclusive.
  public var to: Day?
  /// The reminders of its events, as RFC 5545 durations without a sign.
  public var alarms: [String]?
  /// The name of its calendars.
  public var calendarName: String?
  /// The columns of its tables, in order.
  public var columns: [String]?
  /// The dialect of its CSV.
  public var dialect: CSVDialect?

  /// Makes options that leave everything to the conversion.
  public init() {}

  /// Whether they say which rows the output gets.
  var select: Bool { conditions != nil || address != nil || from != nil || to != nil }
}

extension Conversion {
  /// Whether an output has a selection of its own. Then every record is judged, and each output
  /// chooses its rows.
  package var hasOwnSelections: Bool { outputs.contains(where: \.own.select) }

  /// Whether an output does not want all rows.
  func selects(for output: Output) -> Bool {
    (output.own.address ?? address) != nil || !selection(of: output, among: [:]).isEmpty
  }

  /// The addresses whose places are wanted, each once.
  package var addresses: [String] {
    guard hasOwnSelections else { return [address].compactMap(\.self) }
    var addresses: [String] = []
    for output in outputs {
      if let address = output.own.address ?? address, !addresses.contains(address) {
        addresses.append(address)
      }
    }
    return addresses
  }

  /// The rows of an output. `places` has the places that were chosen for the addresses.
  func selection(of output: Output, among places: [String: ChosenPlace]) -> RowSelection {
    let address = output.own.address ?? address
    return RowSelection(
      conditions: output.own.conditions ?? conditions,
      place: address.flatMap { places[$0]?.conditions } ?? [],
      from: output.own.from ?? from, to: output.own.to ?? to)
  }

  /// The options of an output's encoder. `date` is that of the content. `isOfOnePlace` says that
  /// each file of the output is about one place.
  func encoderOptions(
    _ date: ContentDate, of output: Output? = nil, ofOnePlace isOfOnePlace: Bool = false
  ) -> EncoderOptions {
    let own = output?.own
    return EncoderOptions(
      columns: own?.columns ?? columns, dialect: own?.dialect ?? dialect,
      readerLanguage: readerLanguage, hasLabels: headerRow == .labels,
      calendar: CalendarOptions(
        language: language, name: own?.calendarName ?? calendarName, alarms: own?.alarms ?? alarms,
        stamp: stamp, date: date,
        isOfOnePlace: isOfOnePlace || (own?.address ?? address) != nil,
        from: own?.from ?? from, to: own?.to ?? to))
  }
}

/// Chooses the rows that one output gets of one table, and counts them.
///
///     conversion   --from 2020-07-01
///     a.csv        {where: street=Садовая}            rows of Садовая from 1 July on
///     b.csv        {from: 2020-06-01}                 rows of all streets from 1 June on
///     c.csv                                           rows of all streets from 1 July on
final class RowSelector {
  private let conversion: Conversion
  let output: Conversion.Output
  private let table: Table
  private var selection: RowSelection
  private var filter: Filter
  private let near: NearPlaces?
  /// The number of rows chosen, and of those that only the days left out.
  private(set) var rows = 0
  private var outsideOfDays = 0

  init(_ conversion: Conversion, of output: Conversion.Output, from table: Table) {
    self.conversion = conversion
    self.output = output
    self.table = table
    selection = conversion.selection(of: output, among: [:])
    near = NearPlaces(selection.conditions, in: table)
    filter = Filter(selection.conditions, place: [], table, observer: near)
  }

  /// Begins the rows, when the places of all addresses are known.
  func begin(_ places: [String: ChosenPlace]) {
    selection = conversion.selection(of: output, among: places)
    filter = Filter(selection.conditions, place: selection.place, table, observer: near)
  }

  /// Returns whether the output gets a row, and counts it.
  func takes(_ record: borrowing Record) -> Bool {
    if !filter.isEmpty, !filter.matches(record) { return false }
    guard selection.includesDays(of: record) else {
      outsideOfDays += 1
      return false
    }
    rows += 1
    return true
  }

  /// Whether it is right that there are no rows: one place may have nothing at the moment, and the
  /// days or values from a certain one on may have none one day.
  var mayBeEmpty: Bool {
    !selection.place.isEmpty || selection.from != nil || selection.to != nil
      || selection.conditions.contains { $0.comparison != .equal }
  }

  /// Why the output got no row; nil if it got some.
  var emptiness: EmptySelection? {
    guard rows == 0 else { return nil }
    var empty = EmptySelection(
      path: output.destination.path ?? "-", isOfPlace: !selection.place.isEmpty)
    if outsideOfDays > 0 {
      empty.days = (outsideOfDays, selection.from, selection.to)
    } else if let (column, nearest) = filter.blame, selection.place.isEmpty {
      empty.unmatched = (table.columns[column].name, nearest)
      empty.near = near?.places ?? []
    }
    return empty
  }
}

extension Conversion.Output {
  /// The tables that it has rows of. A calendar has only those with events, if there are any.
  func indices(of parts: [ConversionPart]) -> [Int] {
    guard format == .ics, parts.contains(where: { $0.table.event != nil }) else {
      return Array(parts.indices)
    }
    return parts.indices.filter { parts[$0].table.event != nil }
  }
}

extension RowSelection {
  /// Whether it leaves out nothing.
  var isEmpty: Bool { conditions.isEmpty && place.isEmpty && from == nil && to == nil }

  /// Returns whether a row overlaps the days that are wanted.
  package func includesDays(of record: borrowing Record) -> Bool {
    record.overlaps(from: from, to: to)
  }
}

/// Passes on as wanted the rows that an output chooses. The others are left out.
struct SelectingStage: RecordStage, ~Copyable {
  private let selector: RowSelector
  private var next: FanOut

  init(_ selector: RowSelector, into branches: [Branch]) {
    self.selector = selector
    next = FanOut(branches)
  }

  var checksKeys: Bool { next.checksKeys }

  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate, !selector.takes(row) else { return try next.take(row, fate) }
    try next.take(row, .leftOut)
  }

  consuming func finish() throws(PipelineError) { try next.finish() }
}
