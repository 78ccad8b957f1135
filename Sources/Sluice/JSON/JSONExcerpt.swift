extension JSONText {
  /// Returns the value at a place of a JSON text as people see it: an object or array as it is
  /// written, a string without its quotes and escapes. Only the first 64 KiB are returned.
  ///
  ///     {"tags":["a",["b"],"c\/d"]}
  ///                  └───┘ └────┘      ["b"] and c/d
  ///
  /// The text is right as far as it goes. It may be cut off: then the value ends with it.
  static func excerpt(at start: Int, in text: UnsafeRawBufferPointer) -> [UInt8] {
    let value = UnsafeRawBufferPointer(rebasing: text[start..<end(ofValueAt: start, in: text)])
    if value.first == UInt8(ascii: "\""), let text = decoded(value) { return text }
    return Array(UTF8Encoding.prefix(value, Limits.captured))
  }

  /// Returns the place after the value at `start`.
  private static func end(ofValueAt start: Int, in text: UnsafeRawBufferPointer) -> Int {
    var (depth, place, isInString) = (0, start, false)
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\\"): place += 1
      case UInt8(ascii: "\""):
        isInString.toggle()
        if !isInString, depth == 0 { return place + 1 }
      case _ where isInString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        // The bracket after a number or a name is one around it.
        if depth <= 0 { return depth < 0 ? place : place + 1 }
      case UInt8(ascii: ","), 0...UInt8(ascii: " "): if depth == 0 { return place }
      default: break
      }
      place += 1
    }
    return text.count
  }

  /// Returns the first 64 KiB of a string without its quotes and escapes; nil if it is cut off.
  private static func decoded(_ string: UnsafeRawBufferPointer) -> [UInt8]? {
    // It is decoded by whole vectors.
    var written = ByteBuffer(capacity: string.count)
    written.append(string)
    let start = UnsafePointer(written.start.assumingMemoryBound(to: UInt8.self))
    var text = ByteBuffer(capacity: string.count)
    let length = EscapedText.append(stringAt: start, before: start + string.count, to: &text)
    return length.map { _ in Array(UTF8Encoding.prefix(text.contents, Limits.captured)) }
  }
}
