/// Tells numbers, as JSON writes them (RFC 8259, section 6), from other texts.
enum DecimalText {
  /// The whole text is a number.
  static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count <= Limits.number else { return false }
    var state = NumberState.start
    for byte in text {
      guard let after = state.after(byte) else { return false }
      state = after
    }
    return state.mayEnd
  }

  /// The whole text is a number without fraction and exponent.
  static func isInteger(_ text: UnsafeRawBufferPointer) -> Bool {
    isNumber(text)
      && text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
  }
}
