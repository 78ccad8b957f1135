@testable import Sluice

/// Counts the bytes that it is given and keeps none.
struct PieceCounter: ByteStage, ~Copyable {
  /// What was counted.
  final class Box {
    var count = 0
    var longest = 0
  }

  let box: Box

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    box.count += bytes.byteCount
    box.longest = max(box.longest, bytes.byteCount)
  }

  consuming func finish() throws(PipelineError) {}
}
