/// Tells which numbers SQLite can hold: whole ones of 64 bits, and 8-byte floats. Of others it makes
/// the nearest, without a word.
enum SQLiteNumber {
  /// A number's text, as JSON writes it, or an empty one stays what it is: a whole number exactly, a
  /// decimal as the float next to it.
  static func holds(_ text: UnsafeRawBufferPointer, _ rule: Rule) -> Bool {
    if rule == .integer {
      // 18 digits always fit.
      return text.count <= 18 || Int(String(decoding: text, as: UTF8.self)) != nil
    }
    // The greatest float has 309 digits.
    let hasExponent = text.contains { $0 | 0x20 == UInt8(ascii: "e") }
    guard hasExponent || text.count > 308 else { return true }
    return Double(String(decoding: text, as: UTF8.self))?.isFinite ?? false
  }
}
