/// A row of a feed, as text.
public struct Row: Sendable {
  /// The names of the columns, in order.
  public let columns: [String]
  /// The values, in the order of the columns; a missing value is empty. Days are ISO 8601, instants
  /// RFC 3339, numbers as the feed writes them.
  public let values: [String]

  /// The value of a column; nil if it is missing, or if there is no such column.
  public subscript(column: String) -> String? {
    guard let index = columns.firstIndex(of: column), !values[index].isEmpty else { return nil }
    return values[index]
  }
}

extension Conversion {
  /// Reads the input and writes all outputs in one pass. Returns the counts.
  ///
  /// Outputs appear together after the input has been checked to its end, or not at all. Blocks
  /// until the end. Throws the first error; nothing has been published then.
  @discardableResult
  public func run() throws(PipelineError) -> Statistics {
    try Signals.withoutPipe { () throws(PipelineError) in
      let outcome = convert(self, counters: Counters()) { () throws(PipelineError) in try source() }
      if let error = outcome.error { throw error }
      return outcome.statistics
    }
  }

  /// Reads the input and writes one file, whose extension names its format. Returns the counts.
  ///
  /// Throws as ``run()`` does, and an error with the code `unknown-format` for another extension.
  @discardableResult
  public func write(to path: String) throws(PipelineError) -> Statistics {
    guard let format = OutputFormat(extensionOf: path) else {
      throw PipelineError(sink: .unknownFormat(path: path))
    }
    var conversion = self
    conversion.outputs = [Output(.file(path), format)]
    return try conversion.run()
  }

  /// Reads the input and returns the output of one table in memory. A database cannot be had so:
  /// it throws an error with the code `not-a-file`.
  public func bytes(as format: OutputFormat) throws(PipelineError) -> [UInt8] {
    let box = ByteKeeper.Box()
    try read { (part) throws(PipelineError) in
      try .encoder(
        format, of: part.table, in: feed, options: encoderOptions, into: ByteKeeper(box),
        counters: part.counters)
    }
    return box.bytes
  }

  /// Reads the input and calls `body` with each row of the first table that is asked for. Returns
  /// the counts; throws as ``run()`` does.
  ///
  /// The calls come one after the other, while this call blocks; of a large archive they come on
  /// another thread. The rows before an error have been handed over by then.
  @discardableResult
  public func forEachRow(_ body: @escaping (Row) -> Void) throws(PipelineError) -> Statistics {
    try read { part in
      let columns = part.table.columns.map(\.name)
      return Branch(
        RowSink { record in
          let values = columns.indices.map { String(decoding: record.text($0), as: UTF8.self) }
          body(Row(columns: columns, values: values))
        })
    }
  }

  /// Reads the first table that is asked for into one branch.
  @discardableResult
  private func read(
    into branch: (ConversionPart) throws(PipelineError) -> Branch
  ) throws(PipelineError) -> Statistics {
    try Signals.withoutPipe { () throws(PipelineError) in
      let counters = Counters()
      let tables = try chosenTables()
      var part = ConversionPart(feed, tables[0], counters: counters, rejects: nil)
      part.branches = [try branch(part)]
      let options = NormalizerOptions(
        conditions: conditions, from: from, to: to, limit: rejectLimit)
      let pass = ConversionPass(
        conversion: self, parts: [part], options: options, counters: counters)
      let shares = try pass.run(try source(), payload: nil)
      var statistics = Statistics(counters)
      statistics.shares = shares
      statistics.unmatched = part.findings.unmatched
      return statistics
    }
  }
}

/// Reads the rows of a feed's first table, whatever its input's form.
package struct RowReader: ByteStage, ~Copyable {
  private var stages: Sniffer

  /// Calls `write` with each row, which lives only for the call.
  package init(_ feed: Feed, _ write: @escaping (borrowing Record) -> Void) {
    let counters = Counters()
    let rows = Normalizer(
      feed.tables[0], of: feed, options: NormalizerOptions(limit: .count(.max)),
      into: RowSink(write: write), counters: counters)
    let options = DecodingOptions(columns: feed.tables[0].keys)
    stages = Decoding(into: rows, options: options, counters: counters).stages
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) { try stages.write(bytes) }

  package consuming func finish() throws(PipelineError) { try stages.finish() }
}

/// Hands rows to a closure.
struct RowSink: RecordStage, ~Copyable {
  let write: (borrowing Record) -> Void

  mutating func take(_ record: borrowing Record, _ fate: RowFate) {
    if case .wanted = fate { write(record) }
  }

  consuming func finish() {}
}
