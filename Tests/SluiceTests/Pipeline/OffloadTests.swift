import Glibc
import Synchronization
import Testing

@testable import Sluice

@Suite struct OffloadTests {
  /// A rule that applies from this byte on, on any machine.
  private func rule(_ threshold: Int? = 0) -> OffloadRule {
    OffloadRule(threshold: threshold, processors: 1)
  }

  /// An ``Offload`` into a witness.
  private func offload(_ box: Witness.Box, _ offloading: Offloading) -> Offload<Witness> {
    Offload(into: Witness(box: box), offloading)
  }

  /// Sends `chunks` as full buffers, and finishes; returns what was thrown.
  private func run(_ chunks: [[UInt8]], _ box: Witness.Box, _ rule: OffloadRule) -> PipelineError? {
    let offloading = Offloading(rule, counters: Counters())
    do throws(PipelineError) {
      var stage = offload(box, offloading)
      var buffer = ByteBuffer(capacity: 64)
      for chunk in chunks {
        chunk.withUnsafeBytes { buffer.append($0) }
        try stage.take(&buffer)
        #expect(buffer.count == 0 && buffer.capacity >= 64)
      }
      try stage.finish()
      return nil
    } catch {
      return error
    }
  }

  private func chunks(_ count: Int) -> [[UInt8]] {
    (0..<count).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 1 + $0 % 64) }
  }

  @Test(arguments: [nil, 0, 1, 100, 5000] as [Int?])
  func `every chunk arrives, in order and uncut`(threshold: Int?) {
    let box = Witness.Box()
    let sent = chunks(3000)
    #expect(run(sent, box, rule(threshold)) == nil)
    #expect(box.chunks == sent)
    #expect(box.isFinished)
  }

  @Test func `buffers and borrowed bytes keep their order`() throws {
    let box = Witness.Box()
    let sent = chunks(500)
    var stage = offload(box, Offloading(rule(), counters: Counters()))
    for (index, chunk) in sent.enumerated() {
      if index % 3 == 0 {
        var buffer = ByteBuffer(capacity: 64)
        chunk.withUnsafeBytes { buffer.append($0) }
        try stage.take(&buffer)
      } else {
        try stage.write(chunk.span.bytes)
      }
    }
    try stage.finish()
    #expect(box.chunks == sent)
  }

  @Test func `the other thread begins with the chunk that passes the threshold`() {
    let box = Witness.Box()
    #expect(run(chunks(40), box, rule(100)) == nil)
    let here = pthread_self()
    // 1 + 2 + … + 14 = 105: the chunks behind them are not this thread's.
    #expect(box.threads.prefix(14).allSatisfy { $0 == here })
    #expect(box.threads.dropFirst(14).allSatisfy { $0 != here })
    #expect(box.finisher == here)
  }

  @Test func `one thread does where a second is not wanted or has no processor`() {
    for rule in [OffloadRule.never, OffloadRule(threshold: 0, processors: .max)] {
      let box = Witness.Box()
      #expect(run(chunks(100), box, rule) == nil)
      #expect(box.threads.allSatisfy { $0 == pthread_self() })
      #expect(box.chunks == chunks(100))
    }
  }

  @Test(arguments: [1, 2, 8, 9, 20, 99, 100])
  func `an error is thrown later, and nothing is called after it`(failing: Int) {
    let box = Witness.Box()
    box.failsAt = failing
    #expect(run(chunks(100), box, rule()) == Witness.failure)
    #expect(box.chunks == Array(chunks(100).prefix(failing)))
    #expect(!box.isFinished)
    #expect(box.isGone)
  }

  @Test func `an error of the end is thrown by the end`() {
    let box = Witness.Box()
    box.failsAtEnd = true
    #expect(run(chunks(100), box, rule()) == Witness.failure)
    #expect(box.chunks == chunks(100))
  }

  @Test func `nothing sent is nothing received`() {
    let box = Witness.Box()
    #expect(run([], box, rule()) == nil)
    #expect(box.chunks.isEmpty && box.isFinished && box.isGone)
  }

  @Test func `a sender is held back`() throws {
    let box = Witness.Box()
    let sent = Atomic<Int>(0)
    box.lead = { sent.load(ordering: .sequentiallyConsistent) }
    var stage = offload(box, Offloading(rule(), counters: Counters()))
    var buffer = ByteBuffer(capacity: 64)
    for index in 0..<2000 {
      buffer.append(UInt8(truncatingIfNeeded: index))
      sent.add(1, ordering: .sequentiallyConsistent)
      try stage.take(&buffer)
    }
    try stage.finish()
    #expect(box.chunks.count == 2000)
    // Those under way, the one being taken, and the one that waits to be sent.
    #expect(box.longestLead <= 6)
  }

  @Test(arguments: [0, 1, 5, 8, 30])
  func `an abandoned stage takes what was sent, and is gone`(count: Int) throws {
    let box = Witness.Box()
    do {
      var stage = offload(box, Offloading(rule(), counters: Counters()))
      for chunk in chunks(count) { try stage.write(chunk.span.bytes) }
      // Destroyed here.
    }
    #expect(box.chunks == chunks(count))
    #expect(!box.isFinished)
    #expect(box.isGone)
  }

  @Test func `an error that nobody was there to hear settles the run`() throws {
    let counters = Counters()
    let offloading = Offloading(rule(), counters: counters)
    let box = Witness.Box()
    box.failsAt = 3
    do {
      var stage = offload(box, offloading)
      for index in 1...5 {
        counters.base64.bytesIn.set(index)
        var buffer = ByteBuffer(capacity: 64)
        buffer.append(0)
        // The first two may not be refused; of the others, who knows.
        do { try stage.take(&buffer) } catch { #expect(error == Witness.failure) }
      }
    }
    counters.base64.bytesIn.set(9)
    let own = PipelineError(.unzip(.truncated), at: 1)
    #expect(offloading.settle(own) == Witness.failure)
    #expect(counters.base64.bytesIn.value == 3)
  }
}

/// Notes what it is given, on which thread.
private struct Witness: ByteStage, ~Copyable {
  static let failure = PipelineError(sink: .unfinished(path: "x"))

  /// What a witness has noted.
  final class Box {
    var chunks: [[UInt8]] = []
    var threads: [pthread_t] = []
    var finisher: pthread_t?
    var isFinished: Bool { finisher != nil }
    /// Throws at this call.
    var failsAt: Int?
    var failsAtEnd = false
    /// Says how many chunks have been sent.
    var lead: (() -> Int)?
    var longestLead = 0
    weak var mark: Mark?
    /// The witness has been destroyed.
    var isGone: Bool { mark == nil }
  }

  final class Mark {}

  let box: Box
  private let mark = Mark()

  init(box: Box) {
    self.box = box
    box.mark = mark
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    if let lead = box.lead { box.longestLead = max(box.longestLead, lead() - box.chunks.count) }
    box.chunks.append(bytes.withUnsafeBytes { Array($0) })
    box.threads.append(pthread_self())
    if box.chunks.count == box.failsAt { throw Witness.failure }
  }

  consuming func finish() throws(PipelineError) {
    if box.failsAtEnd { throw Witness.failure }
    box.finisher = pthread_self()
  }
}
