/// Checks an answer as it comes, and writes it into its file.
///
/// The file takes its name only when the answer has been checked to its end: what is destroyed
/// before leaves none.
struct AnswerWriter: ByteStage, ~Copyable {
  private let path: String
  private let set = OutputSet(endsWithItsReaders: false)
  private var file: OutputWriter
  private var check: AnswerCheck
  private let counts: [Tally]
  private let before: Int
  private var fingerprint = Fingerprint()

  /// Opens the file; the answer is checked as one of this feed, nil where it has no rows of it.
  ///
  /// No more of its records than the limit says may be refused, and one without records does not
  /// take the place of one that has some, which `before` says.
  init(
    _ path: String, _ feed: Feed?, limit: RejectLimit = .standard, before: Int = 0,
    status: Envelope.Test?
  ) throws(PipelineError) {
    self.path = path
    self.before = before
    file = try set.open(path: path)
    let tables = feed?.allTables ?? []
    counts = tables.map { _ in Tally() }
    check = AnswerCheck(feed, counts, limit: limit, status: status)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try check.write(bytes)
    fingerprint.add(bytes)
    try file.write(bytes)
  }

  consuming func finish() throws(PipelineError) {}

  /// Says that the answer is complete; `facts` lack the counts of what is in it.
  consuming func end(_ facts: KeptAnswer.Facts) throws(PipelineError) -> KeptAnswer {
    try check.finish()
    var facts = facts
    facts.records = counts.reduce(0) { $0 + $1.read.value }
    // Tables of one list have its elements in common.
    let elements = counts.reduce(0) { max($0, $1.elements.value) }
    if elements != facts.records { facts.parents = elements }
    if facts.records == 0, before > 0 {
      throw PipelineError(.normalize(.emptied(before: before)))
    }
    let length = fingerprint.length
    let notes = AnswerStore.notes(facts, length: length, fingerprint)
    try file.write(notes)
    try file.finish()
    try set.commit()
    return KeptAnswer(
      path: path, length: length, fingerprint: "\(fingerprint)", facts: facts)
  }
}
