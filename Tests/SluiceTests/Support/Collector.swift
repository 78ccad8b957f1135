@testable import Sluice

/// Keeps the bytes that it is given, in a box that outlives it.
struct Collector: ByteStage, ~Copyable {
  /// What a collector was given.
  final class Box {
    var bytes: [UInt8] = []
    var isFinished = false
    /// What the collector throws as soon as it has been given this many bytes.
    var failsAt: Int?
  }

  /// What a collector throws when it is told to.
  static let failure = PipelineError(.json(.truncated), at: 17)

  let box: Box

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0) }
    if let failsAt = box.failsAt, box.bytes.count >= failsAt {
      box.bytes.removeSubrange(failsAt...)
      throw Collector.failure
    }
  }

  consuming func finish() throws(PipelineError) { box.isFinished = true }
}
