/// Says whether bytes are a JSON text, slowly and plainly: one function for each rule of RFC 8259.
///
/// Each `take` function goes past what it takes and says whether it was there.
struct ReferenceJSON {
  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func isValid(_ text: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var reader = ReferenceJSON(text.starts(with: mark) ? Array(text.dropFirst(3)) : text)
    reader.takeSpace()
    guard reader.takeValue() else { return false }
    reader.takeSpace()
    return reader.at == reader.bytes.count
  }

  private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func take(_ character: Character) -> Bool {
    guard let byte, byte == character.asciiValue else { return false }
    at += 1
    return true
  }

  private mutating func take(anyOf characters: String) -> Bool {
    characters.contains { take($0) }
  }

  private mutating func take(word: String) -> Bool { word.allSatisfy { take($0) } }

  private mutating func takeSpace() {
    while take(anyOf: " \t\r") || take("\n") {}
  }

  private mutating func takeValue() -> Bool {
    switch byte.map({ Character(UnicodeScalar($0)) }) {
    case "{": takeObject()
    case "[": takeArray()
    case "\"": takeString()
    case "t": take(word: "true")
    case "f": take(word: "false")
    case "n": take(word: "null")
    default: takeNumber()
    }
  }

  private mutating func takeObject() -> Bool {
    guard take("{") else { return false }
    takeSpace()
    if take("}") { return true }
    repeat {
      takeSpace()
      guard takeString() else { return false }
      takeSpace()
      guard take(":") else { return false }
      takeSpace()
      guard takeValue() else { return false }
      takeSpace()
    } while take(",")
    return take("}")
  }

  private mutating func takeArray() -> Bool {
    guard take("[") else { return false }
    takeSpace()
    if take("]") { return true }
    repeat {
      takeSpace()
      guard takeValue() else { return false }
      takeSpace()
    } while take(",")
    return take("]")
  }

  private mutating func takeNumber() -> Bool {
    _ = take("-")
    if !take("0"), !takeDigits() { return false }
    if take("."), !takeDigits() { return false }
    if take(anyOf: "eE") {
      _ = take(anyOf: "+-")
      return takeDigits()
    }
    return true
  }

  private mutating func takeDigits() -> Bool {
    let start = at
    while take(anyOf: "0123456789") {}
    return at > start
  }

  private mutating func takeString() -> Bool {
    guard take("\"") else { return false }
    while let byte {
      if take("\"") { return true }
      if byte < 0x20 { return false }
      if take("\\") {
        guard takeEscape() else { return false }
      } else {
        guard takeCharacter() else { return false }
      }
    }
    return false
  }

  private mutating func takeEscape() -> Bool {
    if take(anyOf: "\"\\/bfnrt") { return true }
    guard take("u"), let unit = takeUnit() else { return false }
    if unit < 0xD800 || unit > 0xDFFF { return true }
    guard unit <= 0xDBFF, take("\\"), take("u"), let low = takeUnit() else { return false }
    return low >= 0xDC00 && low <= 0xDFFF
  }

  private mutating func takeUnit() -> Int? {
    var unit = 0
    for _ in 0..<4 {
      guard let byte, let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80
      else { return nil }
      unit = unit * 16 + digit
      at += 1
    }
    return unit
  }

  /// One scalar of UTF-8: decoded, then judged by its value and by how long it should have been.
  private mutating func takeCharacter() -> Bool {
    guard let first = byte else { return false }
    let length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4
    guard length < 4 || first >> 3 == 30, at + length <= bytes.count else { return false }
    guard length > 1 else {
      at += 1
      return true
    }
    var value = Int(first) & (0x7F >> length)
    for next in bytes[at + 1..<at + length] {
      guard next >> 6 == 2 else { return false }
      value = value << 6 | Int(next & 0x3F)
    }
    at += length
    let shortest = [0, 0, 0x80, 0x800, 0x10000][length]
    return value >= shortest && value <= 0x10FFFF && !(0xD800...0xDFFF ~= value)
  }
}
