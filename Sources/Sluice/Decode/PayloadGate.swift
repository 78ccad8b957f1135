/// Hands a payload on, or lets it wait in an unlinked temporary file until it is known to be the
/// right one.
struct PayloadGate<Next: ByteStage & ~Copyable>: ~Copyable {
  private var next: Next
  private let tally: Tally
  private var waiting: Spool?
  private var bytesOut = 0

  init(into next: consuming Next, tally: Tally) {
    self.next = next
    self.tally = tally
  }

  /// Takes the next bytes of a payload.
  mutating func write(_ bytes: RawSpan, mayPass: Bool) throws(PipelineError) {
    if mayPass {
      count(bytes.byteCount)
      try next.write(bytes)
    } else {
      if waiting == nil { waiting = try Spool { .envelope(.spool(errno: $0)) } }
      try waiting?.write(bytes)
    }
  }

  /// Hands on what has waited.
  mutating func open() throws(PipelineError) {
    guard var waiting = waiting.take() else { return }
    count(waiting.count)
    try waiting.replay(into: &next)
  }

  /// Drops what waits: it was another's.
  mutating func drop() { waiting = nil }

  /// Says that all has been handed on.
  consuming func finish() throws(PipelineError) { try next.finish() }

  private mutating func count(_ bytes: Int) {
    bytesOut += bytes
    tally.envelope.bytesOut.set(bytesOut)
  }
}
