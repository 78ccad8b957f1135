/// Keeps all bytes.
struct ByteKeeper: ByteStage, ~Copyable {
  /// Where they are.
  final class Box {
    var bytes: [UInt8] = []
  }

  private let box: Box

  init(_ box: Box) { self.box = box }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { box.bytes.append(contentsOf: $0) }
  }

  consuming func finish() throws(PipelineError) {}
}
