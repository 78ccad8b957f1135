/// Keeps all bytes, or the first.
struct ByteKeeper: ByteStage, ~Copyable {
  /// Where they are.
  final class Box {
    var bytes: [UInt8] = []
  }

  private let box: Box
  private let limit: Int

  /// Keeps no more than `limit` bytes; what comes behind them is dropped.
  init(_ box: Box, limit: Int = .max) {
    self.box = box
    self.limit = limit
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0.prefix(limit - box.bytes.count)) }
  }

  consuming func finish() throws(PipelineError) {}
}
