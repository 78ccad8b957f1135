import CSluice

/// Writes values as cells of a sheet (ECMA-376-1, section 18.3.1.4).
///
/// Every function writes from `p` on and returns the place after. The caller has made room.
enum CellText {
  /// The largest number of UTF-16 units in a cell of a spreadsheet.
  static let limit = 32_767
  /// The most bytes that one byte of a text becomes: `_` becomes `_x005F_`.
  static let growth = 7
  /// The most bytes that a number, a day or an instant becomes, beside its own.
  static let most = 32

  /// The number of UTF-16 units of a text in UTF-8.
  static func units(_ text: UnsafeRawBufferPointer) -> Int {
    text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
  }

  // MARK: Texts

  /// Writes a text, with its markup escaped. What XML cannot hold is written as a code, `_x000B_`,
  /// as ST_Xstring says (ECMA-376-1, section 22.9.2.19). So what looks like a code in a text is
  /// escaped too.
  @inline(__always)
  static func put(
    _ text: UnsafeRawBufferPointer, at p: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return p }
    let copied = cscan_copy_xml(p, source, text.count)
    return copied == text.count ? p + copied : putEscaped(text, from: copied, at: p + copied)
  }

  @inline(never)
  private static func putEscaped(
    _ text: UnsafeRawBufferPointer, from start: Int, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var p = place
    var index = start
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "&"): p = put("&amp;", at: p)
      case UInt8(ascii: "<"): p = put("&lt;", at: p)
      case UInt8(ascii: ">"): p = put("&gt;", at: p)
      // XML would make a line feed of it. More programs know this than a code.
      case 0x0D: p = put("&#13;", at: p)
      case 0x09, 0x0A:
        p.pointee = byte
        p += 1
      case 0..<0x20: p = putCode(UInt16(byte), at: p)
      // Some readers take less than four digits for a code too.
      case UInt8(ascii: "_") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "x"):
        p = put("_x005F_", at: p)
      case 0xEF where index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
        p = putCode(0xFF00 | UInt16(text[index + 2] | 0x40), at: p)
        index += 2
      default:
        p.pointee = byte
        p += 1
      }
      index += 1
    }
    return p
  }

  private static func putCode(
    _ code: UInt16, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var p = put("_x", at: place)
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(code >> shift & 15)
      p.pointee = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
      p += 1
    }
    return put("_", at: p)
  }

  /// Whether a reader of XML might drop blanks at the ends of a text, or change them.
  static func hasBlanks(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first, let last = text.last else { return false }
    return first <= 0x20 || last <= 0x20 || text.contains { $0 == 0x0A || $0 == 0x09 }
  }

  /// Writes the bytes of a literal.
  @inline(__always)
  static func put(
    _ text: StaticString, at p: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    p.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    return p + text.utf8CodeUnitCount
  }

  // MARK: Numbers

  /// Whether a number has at most 15 digits, so that a spreadsheet shows all of them, and a size
  /// that it can hold.
  static func isExact(_ number: UnsafeRawBufferPointer) -> Bool {
    if number.count <= 15, !number.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      return true
    }
    // Whoever writes so many zeros means something else than a number of a spreadsheet.
    guard number.count <= 40 else { return false }
    var (digits, exponent) = (0, 0)
    for (index, byte) in number.enumerated() {
      if byte | 0x20 == UInt8(ascii: "e") {
        let text = String(decoding: number[(index + 1)...], as: UTF8.self)
        exponent = Int(text) ?? 1000
        break
      }
      // Zeros before the first other digit do not count.
      if byte &- UInt8(ascii: "0") < 10, digits > 0 || byte != UInt8(ascii: "0") { digits += 1 }
    }
    return digits <= 15 && (-280...280).contains(exponent)
  }

  /// Writes a whole number that is not negative.
  @inline(__always)
  static func put(
    decimal value: Int, at p: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var width = 1
    var bound = 10
    while value >= bound {
      width += 1
      bound *= 10
    }
    var rest = UInt32(truncatingIfNeeded: value)
    for index in (0..<width).reversed() {
      p[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    return p + width
  }

  // MARK: Days and instants

  /// The number of 1970-01-01. Spreadsheets count days from 1899-12-30.
  private static let epoch = 25_569
  /// 1900-03-01 and 9999-12-31. Before the first, spreadsheets disagree: some have a 1900-02-29.
  private static let days = 61...2_958_465

  /// Returns the number of a day, `2020-06-22`; nil if spreadsheets have none for it.
  @inline(__always)
  static func serial(day text: UnsafeRawBufferPointer) -> Int? {
    guard text.count >= 10,
      let day = Day(year: digits(text, 0, 4), month: digits(text, 5, 2), day: digits(text, 8, 2))
    else { return nil }
    let serial = Int(day.number) + epoch
    return days.contains(serial) ? serial : nil
  }

  /// Returns the number of an instant's day, and its microsecond of that day, by the clock that is
  /// written in it. Nil if spreadsheets have none for it. A leap second has none.
  static func serial(
    instant text: UnsafeRawBufferPointer
  ) -> (day: Int, microseconds: Int)? {
    guard text.count >= 20,
      let day = Day(
        year: digits(text, 0, 4), month: digits(text, 5, 2), day: digits(text, 8, 2))
    else { return nil }
    let second = digits(text, 17, 2)
    guard second < 60 else { return nil }
    let time = digits(text, 11, 2) * 3600 + digits(text, 14, 2) * 60 + second
    var (fraction, unit) = (0, 100_000)
    if text[19] == UInt8(ascii: ".") {
      for byte in text[20...] {
        let digit = Int(byte &- UInt8(ascii: "0"))
        guard digit < 10, unit > 0 else { break }
        fraction += digit * unit
        unit /= 10
      }
    }
    let serial = Int(day.number) + epoch
    return days.contains(serial) ? (serial, time * 1_000_000 + fraction) : nil
  }

  /// Writes a number of days with a part of a day, to eleven decimals: less than a microsecond.
  static func put(
    day: Int, microseconds: Int, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var p = put(decimal: day, at: place)
    // 10¹¹ parts of a day: a microsecond has 125/108 of them.
    var rest = (microseconds * 125 + 54) / 108
    guard rest > 0 else { return p }
    p.pointee = UInt8(ascii: ".")
    p += 1
    var unit = 10_000_000_000
    while rest > 0 {
      p.pointee = UInt8(ascii: "0") + UInt8(rest / unit)
      rest %= unit
      unit /= 10
      p += 1
    }
    return p
  }

  @inline(__always)
  private static func digits(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int {
    var number = 0
    for index in start..<start + count {
      number = number * 10 + Int(text[index] &- UInt8(ascii: "0"))
    }
    return number
  }
}
