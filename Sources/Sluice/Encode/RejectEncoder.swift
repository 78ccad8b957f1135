/// Writes refused records as NDJSON: `record`, `offset`, `field`, `value`, `reason`, `raw`.
final class RejectEncoder<Output: ByteStage & ~Copyable>: RejectReceiver, Rewindable {
  /// Bytes that are collected before they are handed on.
  private let size = 64 << 10
  private var output: Output?
  private var lines = ByteBuffer(capacity: 4096)

  init(into output: consuming Output) { self.output = consume output }

  func receive(_ reject: Reject) throws(PipelineError) {
    lines.append(string: "{\"record\":\(reject.record),\"offset\":\(reject.offset),\"field\":")
    append(reject.field.map { Array($0.utf8) })
    lines.append(",\"value\":")
    append(reject.value)
    lines.append(string: ",\"reason\":\"\(reject.reason.rawValue)\",\"raw\":")
    append(reject.raw)
    lines.append("}\n")
    if lines.count >= size { try flush() }
  }

  /// Hands on the rest and finishes the sink.
  func finish() throws(PipelineError) {
    try flush()
    try output.take()?.finish()
  }

  var position: Int { lines.count }

  func rewind(to position: Int) { lines.truncate(to: position) }

  private func flush() throws(PipelineError) {
    try output?.write(lines)
    lines.removeAll()
  }

  private func append(_ text: [UInt8]?) {
    guard let text else { return lines.append("null") }
    text.withUnsafeBytes { JSONText.appendString($0, to: &lines) }
  }
}
