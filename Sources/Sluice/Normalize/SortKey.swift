/// A column by which rows are sorted.
public struct SortOrder: Equatable, Sendable {
  /// The name of the column.
  public var column: String
  /// Whether the greatest value is first.
  public var isDescending: Bool

  /// Makes an order.
  public init(_ column: String, isDescending: Bool = false) {
    self.column = column
    self.isDescending = isDescending
  }
}

/// Makes keys of values: bytes that compare as the values do.
///
///     1.50, 2, 10, 1e2        by value
///     2020-06-22T10:00:00Z    by the moment, whatever its offset
///     дом 2, дом 10, дом 10а  text as people look it up: case and ё do not count, and a run of
///                             digits is a number
///     no value                after all others, in a falling order too
///
/// A key ends where no other key of its kind goes on. So keys of several columns may follow each
/// other.
struct SortKey: ~Copyable {
  private enum Presence { static let value: UInt8 = 1, missing: UInt8 = 2 }

  /// The most digits that are one number of a text. Longer runs are several.
  private static let longestNumber = 250

  private var folded = ByteBuffer(capacity: 256)

  /// Appends the key of a value.
  mutating func append(
    _ text: UnsafeRawBufferPointer, _ kind: ColumnKind, isDescending: Bool,
    to buffer: inout ByteBuffer
  ) {
    guard text.count > 0 else { return buffer.append(Presence.missing) }
    buffer.append(Presence.value)
    let start = buffer.count
    switch kind {
    case .text, .verbatim: append(text: text, to: &buffer)
    case .decimal, .integer: Self.append(number: text, to: &buffer)
    case .instant: Self.append(instant: text, to: &buffer)
    // 14:30 is before 14:30:15 as a text too.
    case .day, .time, .flag, .keyNumber:
      buffer.append(text)
      buffer.append(0)
    }
    guard isDescending else { return }
    for index in start..<buffer.count {
      let byte = ~buffer.contents[index]
      buffer.start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  private mutating func append(text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    folded.removeAll()
    folded.reserve(2 * text.count + 8)
    Fold.forEachByte(of: text) { folded.append($0) }
    var index = 0
    while index < folded.count {
      let byte = folded.contents[index]
      guard !Self.isDigit(byte) else {
        index = appendNumber(at: index, to: &buffer)
        continue
      }
      // 0 ends the key, so the two lowest bytes are written in two.
      if byte < 2 { buffer.append(1) }
      buffer.append(byte < 2 ? byte + 1 : byte)
      index += 1
    }
    buffer.append(0)
  }

  /// Appends the number at an index: where digits sort, its length, its digits. Returns the index
  /// after it.
  private mutating func appendNumber(at start: Int, to buffer: inout ByteBuffer) -> Int {
    let bytes = folded.contents
    var end = start
    while end < bytes.count, Self.isDigit(bytes[end]) { end += 1 }
    var first = start
    while first < end - 1, bytes[first] == UInt8(ascii: "0") { first += 1 }
    end = min(end, first + Self.longestNumber)
    buffer.append(UInt8(ascii: "0"))
    buffer.append(UInt8(end - first))
    buffer.append(UnsafeRawBufferPointer(rebasing: bytes[first..<end]))
    return end
  }

  /// Appends a number in JSON's syntax (RFC 8259, section 6): its sign, then the power of ten above
  /// its first digit, then its digits without the zeros at both ends.
  private static func append(number text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    let isNegative = text[0] == UInt8(ascii: "-")
    let body = text[(isNegative ? 1 : 0)...]
    let mantissa = body.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var power = exponent(body[mantissa.endIndex...])
    power += mantissa.prefix { $0 != UInt8(ascii: ".") }.count
    let zeros = mantissa.prefix { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    power -= zeros.count(where: isDigit)
    let digits = mantissa[zeros.endIndex...]
    guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") && isDigit($0) }) else {
      return buffer.append(0x80)
    }
    buffer.append(isNegative ? 0x40 : 0xC0)
    let start = buffer.count
    append(ordered: power, to: &buffer)
    for byte in digits[...last] where isDigit(byte) { buffer.append(byte) }
    buffer.append(0)
    guard isNegative else { return }
    for index in start..<buffer.count {
      let byte = ~buffer.contents[index]
      buffer.start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  /// Returns the exponent that a number ends with, `e-7`; 0 if it has none. Beyond 15 digits it
  /// only has to be large.
  private static func exponent(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
    let digits = text.drop { !isDigit($0) }.drop { $0 == UInt8(ascii: "0") }
    let size =
      digits.count > 15
      ? 1_000_000_000_000_000 : digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return text.contains(UInt8(ascii: "-")) ? -size : size
  }

  private static func append(instant text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    append(ordered: InstantText.seconds(text), to: &buffer)
    if text.count > 20, text[19] == UInt8(ascii: ".") {
      let fraction = text[20...].prefix(while: isDigit)
      let zeros = fraction.reversed().prefix { $0 == UInt8(ascii: "0") }.count
      buffer.append(UnsafeRawBufferPointer(rebasing: fraction.dropLast(zeros)))
    }
    buffer.append(0)
  }

  /// Appends a number of 64 bits, so that its bytes compare as it does.
  private static func append(ordered number: Int, to buffer: inout ByteBuffer) {
    let bits = UInt64(bitPattern: Int64(number)) ^ (1 << 63)
    buffer.append(wordOf: Int(truncatingIfNeeded: bits.byteSwapped))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
