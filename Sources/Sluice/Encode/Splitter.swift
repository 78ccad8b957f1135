/// An encoder that hands on what it has written whenever it is asked to.
protocol SplitEncoder: RecordStage, ~Copyable {
  /// Hands on all bytes so far.
  mutating func handOn() throws(PipelineError)
  /// Says whether the next row is the first of its file.
  mutating func beginRow(isFirst: Bool)
}

extension SplitEncoder where Self: ~Copyable {
  mutating func beginRow(isFirst: Bool) {}
}

extension CSVEncoder: SplitEncoder where Output: ~Copyable {}
extension NDJSONEncoder: SplitEncoder where Output: ~Copyable {}
extension CalendarEncoder: SplitEncoder where Output: ~Copyable {}

/// Lets one encoder write the rows of many files.
struct Splitter<Encoder: SplitEncoder & ~Copyable>: RecordStage, ~Copyable {
  private var encoder: Encoder
  private let files: SplitFiles

  /// Makes a splitter of an encoder that writes into a ``SplitSink`` of these files and has written
  /// its header. Throws the errors of the files.
  init(_ encoder: consuming Encoder, into files: SplitFiles) throws(PipelineError) {
    self.encoder = encoder
    self.files = files
    try self.encoder.handOn()
  }

  var checksKeys: Bool { encoder.checksKeys }
  var takesEvents: Bool { encoder.takesEvents }
  static var looksAhead: Bool { Encoder.looksAhead }

  mutating func expect(_ row: borrowing Record) { encoder.expect(row) }

  mutating func take(_ row: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    guard case .wanted = fate else { return try encoder.take(row, fate) }
    encoder.beginRow(isFirst: files.select(row))
    try encoder.take(row, fate)
    try encoder.handOn()
    files.endRow()
  }

  consuming func finish() throws(PipelineError) {
    files.beginFooter()
    try encoder.finish()
    try files.end()
  }
}

extension Branch {
  /// Makes the encoder of an output whose files are split by columns. `files` makes them for the
  /// columns of the table that the encoder writes: for a calendar, that of the events.
  ///
  /// Throws like ``encoder(_:of:in:options:into:counters:)``.
  static func splitter(
    _ format: OutputFormat, of table: Table, in feed: Feed, options: EncoderOptions,
    counters: Counters, into files: SplitFiles
  ) throws(PipelineError) -> Branch {
    let chosen = options.chosen(of: table)
    let columns = chosen?.columns ?? table.columns
    switch format {
    case .csv, .tsv:
      let encoder = CSVEncoder(
        columns, format == .tsv ? .tabs : DelimitedForm(options.dialect),
        headings: options.headings(of: columns),
        into: SplitSink(files), counters: counters)
      return try .table(encoder, chosen, into: files)
    case .ndjson, .json:
      let encoder = NDJSONEncoder(columns, asArray: format == .json, into: SplitSink(files))
      return try .table(encoder, chosen, into: files)
    case .ics:
      return try .splitCalendar(
        table, of: feed, try table.eventWithKey, options: options.calendar, into: files,
        counters: counters)
    case .xlsx: throw PipelineError(sink: .workbookOfColumns(path: files.pattern.path))
    case .sqlite: throw PipelineError(sink: .notAFile(path: files.pattern.path))
    case .site: throw PipelineError(sink: .notAFolder(path: files.pattern.path))
    }
  }
}

extension Table {
  /// Whether these columns name one place: they hold the key, or the key's number.
  func isOnePlace(named columns: [String]) -> Bool {
    guard let keyNumber else { return false }
    return keyNumber.column.map(columns.contains) == true
      || keyNumber.parts.allSatisfy(columns.contains)
  }
}

extension OutputFormat {
  /// The table whose columns a name may have: that of the rows, or for a calendar that of the
  /// events.
  package func named(_ table: Table) -> Table {
    guard self == .ics, let event = table.event, let group = event.group,
      let key = table.keyNumber?.parts
    else { return table }
    return table.grouped(by: group, of: event, keyed: key)
  }
}
