/// Hands every row to several outputs.
///
/// A collection cannot hold stages that are not copyable, and `finish` cannot be called on an
/// existential: each output's encoder sits in a box, which gives it up at the end. One virtual
/// call a row costs nothing beside the row.
struct FanOut: RecordStage, ~Copyable {
  private let branches: ContiguousArray<Branch>

  init(_ branches: [Branch]) { self.branches = ContiguousArray(branches) }

  mutating func write(_ record: borrowing Record) throws(PipelineError) {
    for index in 0..<branches.count { try branches[index].write(record) }
  }

  mutating func passOver(_ record: borrowing Record) {
    for branch in branches { branch.passOver(record) }
  }

  consuming func finish() throws(PipelineError) {
    for branch in branches { try branch.finish() }
  }
}

/// One output of a ``FanOut``.
class Branch {
  func write(_ record: borrowing Record) throws(PipelineError) {}
  func passOver(_ record: borrowing Record) {}
  /// Finishes the output; nothing is called after it.
  func finish() throws(PipelineError) {}
}

/// The box around one encoder.
final class EncoderBranch<Encoder: RecordStage & ~Copyable>: Branch {
  private var encoder: Encoder?

  init(_ encoder: consuming Encoder) { self.encoder = consume encoder }

  override func write(_ record: borrowing Record) throws(PipelineError) {
    try encoder?.write(record)
  }

  override func passOver(_ record: borrowing Record) { encoder?.passOver(record) }

  override func finish() throws(PipelineError) {
    try encoder.take()?.finish()
  }
}
