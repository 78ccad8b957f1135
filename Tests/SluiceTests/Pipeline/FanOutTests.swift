import Testing

@testable import Sluice

@Suite struct FanOutTests {
  /// Writes down what it is told.
  private struct Scribe: RecordStage, ~Copyable {
    final class Log { var lines: [String] = [] }
    let name: String
    let log: Log
    var failsAt = Int.max

    mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
      guard record.keyNumber < failsAt else { throw Collector.failure }
      switch fate {
      case .wanted: log.lines.append("\(name) \(record.keyNumber)")
      case .leftOut: log.lines.append("\(name) (\(record.keyNumber))")
      case .rejected(let key): log.lines.append("\(name) rejected \(key ?? 0)")
      }
    }
    consuming func finish() throws(PipelineError) { log.lines.append("\(name) end") }
  }

  @Test func `every output gets every row, in order, and ends once`() throws {
    let log = Scribe.Log()
    var fan = FanOut([
      Branch(Scribe(name: "a", log: log)), Branch(Scribe(name: "b", log: log)),
    ])
    var record = Record(columns: 1)
    try fan.take(record, .wanted)
    record.keyNumber = 1
    try fan.take(record, .leftOut)
    try fan.take(record, .rejected(key: 2))
    try fan.finish()
    #expect(
      log.lines == [
        "a 0", "b 0", "a (1)", "b (1)", "a rejected 2", "b rejected 2", "a end", "b end",
      ])
  }

  @Test func `an output's failure ends the run`() throws {
    let log = Scribe.Log()
    var fan = FanOut([
      Branch(Scribe(name: "a", log: log)),
      Branch(Scribe(name: "b", log: log, failsAt: 0)),
      Branch(Scribe(name: "c", log: log)),
    ])
    #expect(throws: Collector.failure) { try fan.take(Record(columns: 1), .wanted) }
    #expect(log.lines == ["a 0"])
  }

  @Test func `no output at all is fine`() throws {
    var fan = FanOut([])
    try fan.take(Record(columns: 1), .wanted)
    try fan.finish()
  }
}
