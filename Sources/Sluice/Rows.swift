/// Reads the rows of a feed's first table, whatever its input's form.
package struct RowReader: ByteStage, ~Copyable {
  private var stage: InputStage<Normalizer<RowSink>>

  /// Calls `take` with each row, which lives only for the call.
  package init(_ feed: Feed, _ take: @escaping (borrowing Record) -> Void) {
    let tally = Tally()
    let rows = Normalizer(
      feed, options: NormalizerOptions(limit: .count(.max)), into: RowSink(take: take),
      tally: tally)
    stage = InputStage(
      InputRoutes(into: rows, options: DecodingOptions(columns: feed.keys), tally: tally))
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) { try stage.write(bytes) }

  package consuming func finish() throws(PipelineError) { try stage.finish() }
}

/// Hands rows to a closure.
struct RowSink: RecordStage, ~Copyable {
  let take: (borrowing Record) -> Void

  mutating func write(_ record: borrowing Record) { take(record) }
  consuming func finish() {}
}
