/// The texts of a ``Joint``, ready to be written.
struct JointText {
  let separator: ContiguousArray<UInt8>
  let opening: ContiguousArray<UInt8>
  let after: ContiguousArray<UInt8>
  let closing: ContiguousArray<UInt8>
  let isInside: Bool
  /// Whether the separator is only spaces.
  let isBlank: Bool

  init(_ joint: Joint) {
    separator = ContiguousArray(joint.separator.utf8)
    opening = ContiguousArray(joint.opening.utf8)
    after = ContiguousArray(joint.after.utf8)
    closing = ContiguousArray(joint.closing.utf8)
    isInside = joint.isInside
    isBlank = separator.allSatisfy { $0 == UInt8(ascii: " ") }
  }
}

extension ContentLine where Output: ~Copyable {
  /// Appends a text with escapes. Throws if the output fails.
  mutating func appendText(_ text: ContiguousArray<UInt8>) throws(PipelineError) {
    try text.span.bytes.withUnsafeBytes { (raw) throws(PipelineError) in try appendText(raw) }
  }
}
