@testable import Sluice

/// Keeps bytes.
struct Writer: ByteStage, ~Copyable {
  private let output: Output

  init(to output: Output) { self.output = output }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { output.bytes.append(contentsOf: $0) }
  }

  consuming func finish() throws(PipelineError) { output.bytes.append(0) }
}
