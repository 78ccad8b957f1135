@testable import Sluice

/// Tests of feeds with one table say less.
extension Feed {
  /// A feed of one table.
  init(
    name: String, summary: Localized<String>, url: String? = nil, maxAge: Int,
    language: Language, clock: Clock = .written, envelope: Envelope? = nil, rows: Path,
    fields: [Field],
    keyNumber: KeyNumber? = nil, event: Event? = nil
  ) {
    var table = Table(
      String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }), rows: rows, fields: fields)
    table.keyNumber = keyNumber
    table.event = event
    self.init(
      name: name, summary: summary, url: url, maxAge: maxAge, language: language,
      envelope: envelope, tables: [table])
    self.clock = clock
  }

  var table: Table {
    get { tables[0] }
    set { tables[0] = newValue }
  }
  var rows: Path { table.rows }
  var fields: [Field] {
    get { table.fields }
    set { table.fields = newValue }
  }
  var keyNumber: KeyNumber? { table.keyNumber }
  var columns: [String] { table.columns.map(\.name) }
}

extension Table {
  static var hotWater: Table { Feed.hotWater.table }
  static var bonds: Table { Feed.bonds.table }
}

extension Normalizer where Next: ~Copyable {
  init(_ feed: Feed, options: NormalizerOptions, into next: consuming Next, counters: Counters) {
    self.init(feed.table, of: feed, options: options, into: next, counters: counters)
  }
}

extension CSVEncoder where Output: ~Copyable {
  init(_ feed: Feed, dialect: CSVDialect, into output: consuming Output, counters: Counters) {
    self.init(
      feed.table.columns, DelimitedForm(dialect), into: output,
      counters: counters)
  }
}

extension NDJSONEncoder where Output: ~Copyable {
  init(_ feed: Feed, into output: consuming Output) {
    self.init(feed.table.columns, into: output)
  }
}

extension CalendarEncoder where Output: ~Copyable {
  init(
    _ feed: Feed, _ event: Event, options: CalendarOptions, into output: consuming Output,
    counters: Counters
  ) throws(PipelineError) {
    try self.init(
      feed.table, of: feed, event, options: options, into: output, counters: counters)
  }
}

extension Branch {
  static func calendar<Output: ByteStage & ~Copyable>(
    _ feed: Feed, _ event: Event, options: CalendarOptions, into output: consuming Output,
    counters: Counters
  ) throws(PipelineError) -> Branch {
    try .calendar(feed.table, of: feed, event, options: options, into: output, counters: counters)
  }
}

extension EventCalendar {
  convenience init<Output: ByteStage & ~Copyable>(
    _ feed: Feed, _ event: Event, options: CalendarOptions, into output: consuming Output,
    counters: Counters
  ) throws(PipelineError) {
    try self.init(feed.table, of: feed, event, options: options, into: output, counters: counters)
  }
}
