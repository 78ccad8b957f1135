/// Hands an envelope's payload on unchanged, and lets it be heard on its way.
struct PayloadTap<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  private var next: Next
  private let facts: PayloadFacts?

  init(into next: consuming Next, facts: PayloadFacts?) {
    self.next = next
    self.facts = facts
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    facts?.add(bytes)
    try next.write(bytes)
  }

  consuming func finish() throws(PipelineError) { try next.finish() }
}
