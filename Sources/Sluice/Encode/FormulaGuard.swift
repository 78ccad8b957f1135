/// Finds the places in a text where a spreadsheet would read a formula.
///
///     =1+1                 the text begins with one
///     ‹no-break space›=1   also after blanks and invisible characters
///     x, =1+1              a cell of its own where a spreadsheet splits at commas
///     x, +7 812, - дом     a number or a dash inside a text: nothing that can do harm
///
/// OWASP's list of first characters ("CSV Injection") is followed, with their full-width forms.
enum FormulaGuard {
  /// Returns the offsets before which an apostrophe has to be written, in order.
  static func places(in text: UnsafeRawBufferPointer) -> [Int] {
    guard text.count > 0 else { return [] }
    var places: [Int] = []
    if endsCell(text[0]) && text[0] != comma || formula(in: text, from: 0, isFirst: true) != nil {
      places.append(0)
    }
    for index in text.indices where endsCell(text[index]) {
      guard let place = formula(in: text, from: index + 1, isFirst: false) else { continue }
      places.append(place)
    }
    return places
  }

  /// Returns whether a text with this first byte may begin with a formula. Quick, for the most
  /// frequent letters, digits and signs.
  @inline(__always)
  static func mayBegin(_ byte: UInt8) -> Bool {
    switch byte {
    case ...0x20, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "@"),
      0x7F...0xCF, 0xD2...:
      true
    // The lead bytes of Cyrillic letters, D0 and D1, too.
    default: false
    }
  }

  private static let comma = UInt8(ascii: ",")

  /// Whether a cell may end with this byte, where a spreadsheet splits wrongly. A semicolon is not
  /// among them: a text with one is in quotes.
  private static func endsCell(_ byte: UInt8) -> Bool {
    byte == comma || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Returns the offset of the sign that begins a formula, after blanks and invisible characters.
  private static func formula(
    in text: UnsafeRawBufferPointer, from start: Int, isFirst: Bool
  ) -> Int? {
    var index = start
    while index < text.count {
      let (value, length) = UTF8Encoding.scalar(in: text, at: index)
      switch value {
      // = and @, also full-width
      case 0x3D, 0x40, 0xFF1D, 0xFF20: return index
      // + and -, also full-width
      case 0x2B, 0x2D, 0xFF0B, 0xFF0D:
        return isFirst || canDoHarm(text, from: index + length) ? index : nil
      default: break
      }
      // What ends a cell begins the next one. Otherwise long runs would be read again and again.
      guard isFirst || !endsCell(text[index]), Unicode.Scalar(value)?.isBlank == true else {
        return nil
      }
      index += length
    }
    return nil
  }

  /// Returns whether a formula, up to the end of its cell, can do more than reckon: call a function
  /// or reach another program or sheet.
  private static func canDoHarm(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var hasLetter = false
    for byte in text[start...] {
      if endsCell(byte) { return false }
      switch byte {
      case UInt8(ascii: "|"), UInt8(ascii: "!"): return true
      case UInt8(ascii: "("): if hasLetter { return true }
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
        hasLetter = true
      default: break
      }
    }
    return false
  }
}

extension Unicode.Scalar {
  /// Whether nothing is seen where it stands.
  fileprivate var isBlank: Bool {
    isHidden || properties.isWhitespace || properties.isDefaultIgnorableCodePoint
  }
}
