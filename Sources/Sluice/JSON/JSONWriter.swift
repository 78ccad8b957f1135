import CSluice

/// Single values of JSON, for people and diagnostics.
package enum JSONText {
  /// Returns the literal name of a token, or nil for other tokens.
  static func literal(_ kind: TokenKind) -> StaticString? {
    switch kind {
    case .true: "true"
    case .false: "false"
    case .null: "null"
    default: nil
    }
  }

  /// Returns a scalar as JSON, or the text that the end of an object or array has. Only the first
  /// 64 KiB are returned.
  static func scalar(_ kind: TokenKind, _ text: UnsafeRawBufferPointer) -> [UInt8] {
    if let literal = literal(kind) { return Array("\(literal)".utf8) }
    guard kind == .string else { return Array(text.prefix(Limits.captured)) }
    var buffer = ByteBuffer(capacity: 256)
    appendString(
      UnsafeRawBufferPointer(rebasing: text.prefix(UTF8Encoding.cut(text, to: Limits.captured))),
      to: &buffer)
    return Array(buffer.contents)
  }

  /// Appends a string value with its quotes. Escapes `\" \\ \b \f \n \r \t`, other control
  /// characters as `\u00XX`, and U+0085, U+2028 and U+2029, which end a line to some programs.
  package static func appendString(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "\""))
    var index = 0
    while index < text.count { index += appendEscaped(text, at: index, to: &buffer) }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Appends the byte of a string value at an index, or a line break, escaped if it must be.
  /// Returns the number of bytes that it had.
  static func appendEscaped(
    _ text: UnsafeRawBufferPointer, at index: Int, to buffer: inout ByteBuffer
  ) -> Int {
    let byte = text[index]
    switch byte {
    case 0xC2, 0xE2:
      let length = lineBreak(in: text, at: index)
      if length == 0 { buffer.append(byte) }
      if length == 2 { buffer.append("\\u0085") }
      if length == 3 { buffer.append(text[index + 2] == 0xA8 ? "\\u2028" : "\\u2029") }
      return max(length, 1)
    case UInt8(ascii: "\""): buffer.append("\\\"")
    case UInt8(ascii: "\\"): buffer.append("\\\\")
    case 0x08: buffer.append("\\b")
    case 0x0C: buffer.append("\\f")
    case 0x0A: buffer.append("\\n")
    case 0x0D: buffer.append("\\r")
    case 0x09: buffer.append("\\t")
    case ..<0x20:
      let digits: StaticString = "0123456789abcdef"
      buffer.append("\\u00")
      buffer.append(digits.utf8Start[Int(byte >> 4)])
      buffer.append(digits.utf8Start[Int(byte & 15)])
    default: buffer.append(byte)
    }
    return 1
  }

  /// Returns the length of the line break at an index: U+0085, U+2028 or U+2029. 0 if there is
  /// another character.
  private static func lineBreak(in text: UnsafeRawBufferPointer, at index: Int) -> Int {
    guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    return cscan_break(start + index, start + text.count)
  }
}

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

/// Writes a JSON object, member by member.
package struct JSONObject: ~Copyable {
  private var text = ByteBuffer(capacity: 1024)
  private var isFirst = true

  package init() { text.append("{") }

  private mutating func key(_ name: String) {
    if !isFirst { text.append(",") }
    isFirst = false
    append(name)
    text.append(":")
  }

  private mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { JSONText.appendString(UnsafeRawBufferPointer($0), to: &text) }
  }

  package mutating func add(_ name: String, _ number: Int) {
    key(name)
    text.append(string: String(number))
  }

  /// Adds a number of seconds with three decimals.
  mutating func add(_ name: String, milliseconds seconds: Double) {
    let milliseconds = Int((seconds * 1000).rounded())
    let fraction = String(milliseconds % 1000)
    key(name)
    text.append(string: "\(milliseconds / 1000).")
    text.append(string: String(repeating: "0", count: 3 - fraction.count) + fraction)
  }

  package mutating func add(_ name: String, _ string: String?) {
    key(name)
    if let string { append(string) } else { text.append("null") }
  }

  /// Adds a value that is JSON already.
  mutating func add(_ name: String, bare value: String) {
    key(name)
    text.append(string: value)
  }

  /// Adds a list of texts.
  mutating func add(_ name: String, _ strings: [String]) {
    openList(name)
    for string in strings {
      if !isFirst { text.append(",") }
      isFirst = false
      append(string)
    }
    closeList()
  }

  mutating func openList(_ name: String) {
    key(name)
    text.append("[")
    isFirst = true
  }

  mutating func openItem() {
    if !isFirst { text.append(",") }
    text.append("{")
    isFirst = true
  }

  mutating func closeList() {
    text.append("]")
    isFirst = false
  }

  mutating func open(_ name: String) {
    key(name)
    text.append("{")
    isFirst = true
  }

  mutating func close() {
    text.append("}")
    isFirst = false
  }

  package consuming func finish() -> ByteBuffer {
    text.append("}\n")
    return text
  }
}
