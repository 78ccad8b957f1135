@testable import Sluice

/// Keeps what a source pushes, and can refuse at a byte of choice.
struct BodyCollector: ByteStage, ~Copyable {
  private(set) var bytes: [UInt8] = []
  private(set) var pieces = 0
  private let refusesAt: Int
  private let onWrite: () -> Void

  /// What is thrown where the stage refuses.
  static let refusal = PipelineError(.json(.truncated), at: 7)

  init(refusesAt: Int = .max, onWrite: @escaping () -> Void = {}) {
    self.refusesAt = refusesAt
    self.onWrite = onWrite
  }

  mutating func write(_ piece: RawSpan) throws(PipelineError) {
    onWrite()
    piece.withUnsafeBytes { bytes += $0 }
    pieces += 1
    if bytes.count > refusesAt { throw Self.refusal }
  }

  consuming func finish() throws(PipelineError) {}
}
