import Glibc

/// Reads the bytes of a kept answer, without what is written behind them.
struct AnswerReader: ~Copyable {
  private let path: String
  private let descriptor: InputDescriptor
  private var left: Int
  /// What was read last.
  private(set) var buffer: ByteBuffer

  init(_ answer: KeptAnswer) throws(PipelineError) {
    path = answer.path
    left = answer.length
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      throw PipelineError(.source(.unreadable(path: path, errno: errno)))
    }
    descriptor = InputDescriptor(owning: number)
    buffer = ByteBuffer(capacity: max(1, min(left, DescriptorSource.pieceSize)))
  }

  /// Reads the next piece into ``buffer``; false at the end.
  mutating func read() throws(PipelineError) -> Bool {
    buffer.removeAll()
    guard left > 0 else { return false }
    switch descriptor.read(into: &buffer) {
    case .bytes(let count):
      buffer.truncate(to: min(count, left))
      left -= buffer.count
      return true
    case .end: throw PipelineError(.source(.read(path: path, errno: EIO)))
    case .failed(let error): throw PipelineError(.source(.read(path: path, errno: error)))
    }
  }
}
