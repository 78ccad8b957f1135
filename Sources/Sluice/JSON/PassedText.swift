/// Reads an object that the tokenizer has passed, and is well-formed.
struct PassedText {
  /// The next byte.
  var p: UnsafePointer<UInt8>

  /// Passes over a key, up to the first byte of its value; gives nil where there is none or where it
  /// holds escapes.
  mutating func key() -> UnsafeRawBufferPointer? {
    skipSpace()
    guard p.pointee == UInt8(ascii: "\"") else { return nil }
    p += 1
    let start = p
    while p.pointee != UInt8(ascii: "\"") {
      if p.pointee == UInt8(ascii: "\\") { return nil }
      p += 1
    }
    let key = UnsafeRawBufferPointer(start: start, count: p - start)
    p += 1
    _ = separator()
    skipSpace()
    return key
  }

  /// Passes over a colon, a comma or a bracket, and gives it.
  mutating func separator() -> UInt8 {
    skipSpace()
    defer { p += 1 }
    return p.pointee
  }

  private mutating func skipSpace() {
    while p.pointee <= 0x20 { p += 1 }
  }
}
