@testable import Sluice

/// The lengths of the series that came.
final class SeriesLengths {
  var all: [Int] = []
}

/// Keeps the lengths of series.
struct LengthSpy: RecordStage, ~Copyable {
  let lengths: SeriesLengths

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {}

  mutating func take(_ series: borrowing RowSeries, of record: inout Record) throws(PipelineError) {
    lengths.all.append(series.count)
  }

  consuming func finish() throws(PipelineError) {}
}
