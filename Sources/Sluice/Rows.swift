/// A row of a feed, as text.
public struct Row: Sendable {
  /// The names of the columns, in order.
  public let columns: [String]
  /// The values, in the order of the columns. A missing value is empty. Days are ISO 8601, instants
  /// are RFC 3339, and numbers are as the feed writes them.
  public let values: [String]

  /// The value of a column; nil if it is missing or if there is no such column.
  public subscript(column: String) -> String? {
    guard let index = columns.firstIndex(of: column), !values[index].isEmpty else { return nil }
    return values[index]
  }
}

extension Conversion {
  /// Reads the input and writes all outputs in one pass. Returns the counts.
  ///
  /// Outputs appear together after the input has been checked to its end, or not at all. Blocks
  /// until the end. Throws the first error. In that case no output has been published.
  @discardableResult
  public func run() throws(PipelineError) -> Statistics {
    try Signals.withoutPipe { () throws(PipelineError) in
      let outcome = convert(self, counters: Counters()) { () throws(PipelineError) in try source() }
      if let error = outcome.error { throw error }
      return outcome.statistics
    }
  }

  /// Reads the input and writes one file. Its extension names its format. Returns the counts.
  ///
  /// Throws like ``run()``, and an error with the code `unknown-format` for an unknown extension.
  @discardableResult
  public func write(to path: String) throws(PipelineError) -> Statistics {
    guard let format = OutputFormat(extensionOf: path) else {
      throw PipelineError(sink: .unknownFormat(path: path))
    }
    var conversion = self
    conversion.outputs = [Output(.file(path), format)]
    return try conversion.run()
  }

  /// Reads the input and returns the output of one table in memory.
  ///
  /// Throws like ``run()``, and an error with the code `not-a-file` for a database.
  public func bytes(as format: OutputFormat) throws(PipelineError) -> [UInt8] {
    let box = ByteKeeper.Box()
    try read(from: source) { (part, date) throws(PipelineError) in
      try .encoder(
        format, of: part.table, in: feed, options: encoderOptions(date), into: ByteKeeper(box),
        counters: part.counters)
    }
    return box.bytes
  }

  /// Reads the input and calls `body` with each row of the first selected table. Returns the
  /// counts. Throws like ``run()``.
  ///
  /// The calls of `body` are serial, and this function blocks until the last one. For a large
  /// archive they are made on another thread. After an error, the rows before it have been passed.
  @discardableResult
  public func forEachRow(_ body: @escaping (Row) -> Void) throws(PipelineError) -> Statistics {
    try read(from: source) { (part, _) in
      let all = part.table.columns.map(\.name)
      let columns = part.table.shownColumns ?? all
      let places = columns.compactMap(all.firstIndex)
      return Branch(
        RowSink { record in
          let values = places.map { String(decoding: record.text($0), as: UTF8.self) }
          body(Row(columns: columns, values: values))
        })
    }
  }

  /// Reads the first selected table into one branch. Returns the counts. `open` returns the source
  /// and is called once, unless there are several inputs. Another thread may read `counters`.
  @discardableResult
  func read(
    telling observer: (any InputObserver)? = nil, counters: Counters = Counters(),
    from open: () throws(PipelineError) -> Source,
    into branch: (ConversionPart, ContentDate) throws(PipelineError) -> Branch
  ) throws(PipelineError) -> Statistics {
    try Signals.withoutPipe { () throws(PipelineError) in
      let date = ContentDate()
      let tables = try chosenTables()
      // Each of several inputs has facts of its own.
      let table = isSeries ? tables[0] : tables[0].reading(try facts(of: input, for: tables))
      var part = ConversionPart(table, counters: counters)
      part.branches = [try branch(part, date)]
      // Whoever compares inputs must know which records are not among the rows.
      var options = NormalizerOptions(
        conditions: conditions, from: from, to: to, limit: rejectLimit,
        tracksAllRows: observer != nil)
      options.zones = try Zones(of: feed)
      var alone = self
      alone.outputs = []
      let pass = ConversionPass(
        conversion: alone, parts: [part], options: options, counters: counters, date: date)
      let series = isSeries || observer != nil ? InputSeries(pass, telling: observer) : nil
      let findings =
        if let series { try series.run() } else { try pass.run(try open(), payload: nil) }
      var statistics = Statistics(counters, date: date)
      statistics.inputs = series?.inputs ?? []
      statistics.shares = findings.shares
      statistics.unmatched = part.findings.unmatched
      return statistics
    }
  }
}

/// Reads the rows of a feed's first table from an input of any format.
package struct RowReader: ByteStage, ~Copyable {
  private var stages: Sniffer

  /// Makes a reader that calls `write` with each row. The row is valid only during the call.
  package init(_ feed: Feed, _ write: @escaping (borrowing Record) -> Void) {
    let counters = Counters()
    let rows = Normalizer(
      feed.tables[0], of: feed, options: NormalizerOptions(limit: .unlimited),
      into: RowSink(write: write), counters: counters)
    let options = DecodingOptions(
      columns: feed.tables[0].keys, verbatim: feed.tables[0].verbatimKeys,
      readsLines: feed.tables[0].isListOfRows)
    stages = Decoding(into: rows, options: options, counters: counters).stages
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) { try stages.write(bytes) }

  package consuming func finish() throws(PipelineError) { try stages.finish() }
}

/// Passes rows to a closure.
private struct RowSink: RecordStage, ~Copyable {
  let write: (borrowing Record) -> Void

  mutating func take(_ record: borrowing Record, _ fate: RowFate) {
    if case .wanted = fate { write(record) }
  }

  consuming func finish() {}
}
