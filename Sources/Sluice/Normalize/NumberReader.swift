/// Reads numbers with the signs of a ``TextRules/NumberForm``.
///
///     signs                             as written     in JSON's way
///     decimal: ",", thousands: "."      -1.234,56      -1234.56
///     decimal: ",", thousands: " "      12 034,5       12034.5        also with no-break spaces
///     thousands: "'"                    1’234.5        1234.5
struct NumberReader {
  /// The sign before the decimals.
  private let mark: UInt8
  /// The sign between thousands; nil if there is none. A space is any white space.
  private let separator: UInt8?

  init(_ form: TextRules.NumberForm) {
    mark = UInt8(ascii: form.hasDecimalComma ? "," : ".")
    separator = form.thousands?.utf8.first
  }

  /// Appends a number in JSON's way to `buffer`, which has room for the text. Returns whether the
  /// text is a number in this form; nothing is appended if it is not. Thousands have separators
  /// everywhere or nowhere.
  func append(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) -> Bool {
    let start = buffer.end(withRoom: text.count)
    var end = start
    var number = NumberState.start
    func put(_ byte: UInt8) -> Bool {
      guard let after = number.after(byte) else { return false }
      number = after
      end.pointee = byte
      end += 1
      return true
    }
    // The digits since the last separator, and whether there was one.
    var (digits, hasGroups, isWhole) = (0, false, true)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte &- UInt8(ascii: "0") < 10 {
        digits &+= 1
        guard put(byte) else { return false }
      } else if isWhole, let next = endOfSeparator(in: text, at: index) {
        guard hasGroups ? digits == 3 : 1...3 ~= digits else { return false }
        (digits, hasGroups, index) = (0, true, next)
        continue
      } else if byte == UInt8(ascii: "-"), index == 0 {
        guard put(byte) else { return false }
      } else {
        guard !isWhole || !hasGroups || digits == 3, byte != UInt8(ascii: ".") || mark == byte,
          put(byte == mark ? UInt8(ascii: ".") : byte)
        else { return false }
        isWhole = false
      }
      index &+= 1
    }
    guard number.mayEnd, !isWhole || !hasGroups || digits == 3, end - start <= Limits.number else {
      return false
    }
    buffer.commit(upTo: end)
    return true
  }

  /// Returns the index after a separator at an index; nil if none is there.
  @inline(__always)
  private func endOfSeparator(in text: UnsafeRawBufferPointer, at index: Int) -> Int? {
    guard let separator else { return nil }
    if separator == UInt8(ascii: " ") { return WhiteSpace.end(in: text, at: index) }
    if text[index] == separator { return index + 1 }
    // The typographic apostrophe.
    guard separator == UInt8(ascii: "'"), text.count - index >= 3, text[index] == 0xE2,
      text[index + 1] == 0x80, text[index + 2] == 0x99
    else { return nil }
    return index + 3
  }
}
