/// The rows of a table that the program makes, on their way to all outputs of a run.
package final class MadeRows {
  private let rows: Box<FanOut>
  private let counters: Counters

  init(into part: ConversionPart) {
    rows = Box(FanOut(part.branches))
    counters = part.counters
  }

  /// Passes a row on. Its texts are those of the table's columns, in order.
  package func take(_ row: borrowing Record) throws(PipelineError) {
    counters.read.increase()
    counters.kept.increase()
    counters.rows.increase()
    try rows.value.pointee.take(row, .wanted)
  }

  func finish() throws(PipelineError) { try rows.take().finish() }
}

/// Runs a conversion whose rows the program makes, of the first table of its feed. Its input is not
/// read. Blocks until the end.
package func convert(
  _ conversion: Conversion, counters: Counters = Counters(),
  making make: (MadeRows) throws(PipelineError) -> Void
) -> Outcome {
  let run = Run(conversion, counters: counters)
  do throws(PipelineError) {
    try run.openDiagnostics()
    try run.openOutputs()
    _ = try run.write(make)
    try run.prepare()
    try run.publish()
    return Outcome(error: nil, statistics: run.statistics)
  } catch {
    run.abandon()
    return Outcome(error: error, statistics: run.statistics)
  }
}
