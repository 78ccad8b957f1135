import Glibc
import Testing

@testable import Sluice

@Suite struct OutputQueueTests {
  private static let rule = OffloadRule(threshold: 0, processors: 1)

  private func buffer(_ text: String) -> ByteBuffer {
    var buffer = ByteBuffer(capacity: 64)
    buffer.append(string: text)
    return buffer
  }

  private func give(_ text: String, to output: inout QueuedOutput<Witness>) throws {
    var buffer = buffer(text)
    try output.take(&buffer)
    #expect(buffer.count == 0 && buffer.capacity >= 64)
  }

  @Test func `buffers of all outputs are written in the order in which they came`() throws {
    let log = Witness.Log()
    let queue = OutputQueue(Self.rule, counters: Counters())
    var a = Witness.output("a", log, queue)
    var b = Witness.output("b", log, queue)
    for index in 0..<500 {
      try give("\(index)", to: &a)
      if index % 3 == 0 { try give("\(index)", to: &b) }
    }
    try b.finish()
    try a.finish()
    #expect(queue.end(after: nil) == nil)
    let expected = (0..<500).flatMap { $0 % 3 == 0 ? ["a\($0)", "b\($0)"] : ["a\($0)"] }
    #expect(log.lines == expected + ["b.", "a."])
    #expect(log.threads.allSatisfy { $0 != pthread_self() })
  }

  @Test func `the thread begins when enough of all outputs has passed`() throws {
    let log = Witness.Log()
    let queue = OutputQueue(OffloadRule(threshold: 4, processors: 1), counters: Counters())
    var a = Witness.output("a", log, queue)
    var b = Witness.output("b", log, queue)
    for text in ["12", "3"] {
      try give(text, to: &a)
      try give(text, to: &b)
    }
    try give("4", to: &a)
    #expect(queue.end(after: nil) == nil)
    #expect(log.lines == ["a12", "b12", "a3", "b3", "a4"])
    // Four bytes had passed before `a3`.
    #expect(log.threads.map { $0 == pthread_self() } == [true, true, false, false, false])
  }

  @Test(arguments: [OffloadRule.never, OffloadRule(threshold: 0, processors: .max)])
  func `one thread does where a second is not wanted or has no processor`(rule: OffloadRule) throws
  {
    let log = Witness.Log()
    let queue = OutputQueue(rule, counters: Counters())
    var output = Witness.output("a", log, queue)
    for index in 0..<20 {
      try give("\(index)", to: &output)
      #expect(log.lines.count == index + 1)
    }
    #expect(log.threads.allSatisfy { $0 == pthread_self() })
  }

  @Test func `borrowed bytes are written at once, behind what came before`() throws {
    let log = Witness.Log()
    let queue = OutputQueue(Self.rule, counters: Counters())
    var a = Witness.output("a", log, queue)
    var b = Witness.output("b", log, queue)
    for index in 0..<100 { try give("\(index)", to: &a) }
    try b.write(Array("now".utf8).span.bytes)
    #expect(log.lines.count == 101)
    #expect(log.lines.last == "bnow")
    #expect(log.threads.last == pthread_self())
  }

  @Test(arguments: [0, 1, 3, 4, 5, 20])
  func `what was counted behind the buffer that failed is taken back`(failing: Int) throws {
    let log = Witness.Log()
    log.failsAt = "a\(failing)"
    let allCounters = [Counters(), Counters()]
    let queue = OutputQueue(Self.rule, counters: allCounters[0])
    queue.allCounters.append(allCounters[1])
    let rejects = HeldRejects()
    queue.rejects = rejects
    var a = Witness.output("a", log, queue)
    var b = Witness.output("b", log, queue)
    var thrown: PipelineError?
    do {
      for index in 0..<40 {
        allCounters[0].source.bytesIn.set(1000 + index)
        allCounters[0].read.set(index)
        allCounters[1].read.set(2 * index)
        allCounters[1].guardedCells.set(3 * index)
        allCounters[1].reasons.withLock { $0[.wrongKind] = index }
        rejects.position = index / 2
        try give("\(index)", to: &a)
        allCounters[0].rows.set(index)
        try give("\(index)", to: &b)
      }
      try b.finish()
    } catch let error as PipelineError {
      thrown = error
    }
    #expect(thrown == Witness.failure)
    #expect(queue.end(after: PipelineError(.json(.truncated))) == Witness.failure)
    #expect(log.lines == (0..<failing).flatMap { ["a\($0)", "b\($0)"] } + ["a\(failing)"])
    #expect(allCounters[0].source.bytesIn.value == 1000 + failing)
    #expect(allCounters[0].read.value == failing)
    #expect(allCounters[0].rows.value == max(0, failing - 1))
    #expect(allCounters[1].read.value == 2 * failing)
    #expect(allCounters[1].guardedCells.value == 3 * failing)
    #expect(allCounters[1].reasons.withLock { $0 } == [.wrongKind: failing])
    #expect(rejects.position == failing / 2)
  }

  @Test func `an abandoned run writes what was handed over`() throws {
    let log = Witness.Log()
    let queue = OutputQueue(Self.rule, counters: Counters())
    do {
      var output = Witness.output("a", log, queue)
      for index in 0..<7 { try give("\(index)", to: &output) }
    }
    let own = PipelineError(.json(.truncated), at: 3)
    #expect(queue.end(after: own) == own)
    #expect(log.lines == (0..<7).map { "a\($0)" })
  }

  @Test func `behind the end there is one thread`() throws {
    let log = Witness.Log()
    let queue = OutputQueue(OffloadRule(threshold: 3, processors: 1), counters: Counters())
    var output = Witness.output("a", log, queue)
    try give("123", to: &output)
    #expect(queue.end(after: nil) == nil)
    try give("4", to: &output)
    try output.finish()
    #expect(log.lines == ["a123", "a4", "a."])
    #expect(log.threads.allSatisfy { $0 == pthread_self() })
  }

  @Test func `refused records wait for what was handed over before them`() throws {
    let log = Witness.Log()
    log.failsAt = "a2"
    let queue = OutputQueue(Self.rule, counters: Counters())
    let box = Collector.Box()
    let rejects = RejectEncoder(into: QueuedOutput(into: Collector(box: box), queue))
    queue.rejects = rejects
    func refuse(_ record: Int) throws {
      // Two of them are more than is held back.
      let raw = [UInt8](repeating: 0x61, count: 40 << 10)
      try rejects.receive(
        Reject(
          record: record, offset: 0, field: nil, value: nil, reason: .wrongKind, raw: raw))
    }
    var output = Witness.output("a", log, queue)
    for index in 0..<2 {
      try refuse(2 * index)
      try refuse(2 * index + 1)
      try give("\(index)", to: &output)
    }
    let written = box.bytes.count
    #expect(written > 4 * (40 << 10))
    try refuse(4)
    try give("2", to: &output)
    #expect(throws: Witness.failure) { try refuse(5) }
    #expect(box.bytes.count == written)
    #expect(queue.end(after: nil) == Witness.failure)
    try rejects.finish()
    let lines = box.bytes.split(separator: 0x0A).map {
      String(decoding: $0.prefix(12), as: UTF8.self)
    }
    #expect(lines == (0..<5).map { "{\"record\":\($0)," })
  }

  @Test func `a queue lives no longer than its run`() throws {
    weak var gone: OutputQueue?
    do {
      let queue = OutputQueue(Self.rule, counters: Counters())
      gone = queue
      let box = Collector.Box()
      let rejects = RejectEncoder(into: QueuedOutput(into: Collector(box: box), queue))
      queue.rejects = rejects
      var output = Witness.output("a", Witness.Log(), queue)
      try give("1", to: &output)
    }
    #expect(gone == nil)
  }
}

/// Holds a number of rejects.
private final class HeldRejects: Rewindable {
  var position = 0
  func rewind(to position: Int) { self.position = position }
}

/// Notes what it is given, on which thread.
private struct Witness: ByteStage, ~Copyable {
  static let failure = PipelineError(sink: .unfinished(path: "x"))

  /// What several witnesses have noted.
  final class Log {
    var lines: [String] = []
    var threads: [pthread_t] = []
    /// Throws at this line.
    var failsAt: String?
  }

  let name: String
  let log: Log

  /// An output that a witness is behind.
  static func output(_ name: String, _ log: Log, _ queue: OutputQueue) -> QueuedOutput<Witness> {
    QueuedOutput(into: Witness(name: name, log: log), queue)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    let line = name + bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    log.lines.append(line)
    log.threads.append(pthread_self())
    guard line == log.failsAt else { return }
    usleep(1000)
    throw Witness.failure
  }

  consuming func finish() throws(PipelineError) { log.lines.append("\(name).") }
}
