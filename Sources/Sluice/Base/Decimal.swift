import CSluice

/// A number that is not negative, exactly as written: its digits and the number of its decimals.
///
///     "1.50" = 150 with 2 decimals;  "3e2" = 300 with none;  "25e-1" = 25 with 1
///
/// The limit is 38 digits in all, including the decimals and the zeros that an exponent adds.
struct ExactDecimal: Equatable {
  /// Why a text is not such a number, or why a calculation has no result.
  enum Fault: Error, Equatable {
    case notANumber, negative, tooLong
    /// The number is greater than its total, or the total is zero.
    case notAPart
  }

  /// The digits as one number, and how many of them are after the point.
  private(set) var digits: UInt128 = 0
  private(set) var decimals = 0

  /// Zero.
  init() {}

  /// Reads a number in JSON's syntax (RFC 8259, section 6). Throws ``Fault/notANumber``,
  /// ``Fault/negative`` or ``Fault/tooLong``.
  init(_ text: UnsafeRawBufferPointer) throws(Fault) {
    guard DecimalText.isNumber(text) else { throw .notANumber }
    var isNegative = false
    var isFraction = false
    var exponent = 0
    var (sign, isExponent) = (1, false)
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"):
        if isExponent { sign = -1 } else { isNegative = true }
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
      default:
        let digit = Int(byte - UInt8(ascii: "0"))
        if isExponent {
          exponent = min(exponent * 10 + digit, 10_000)
        } else {
          try shift(by: 1)
          digits += UInt128(digit)
          if isFraction { decimals += 1 }
        }
      }
    }
    if isNegative, digits > 0 { throw .negative }
    decimals -= sign * exponent
    // Zeros at the end of a fraction are not significant.
    while decimals > 0, digits > 0, digits % 10 == 0 {
      digits /= 10
      decimals -= 1
    }
    if digits == 0 { decimals = 0 }
    guard decimals <= Self.most else { throw .tooLong }
    if decimals < 0 {
      try shift(by: -decimals)
      decimals = 0
    }
  }

  /// The maximum number of digits.
  static let most = 38

  /// Appends `places` zeros to the digits.
  private mutating func shift(by places: Int) throws(Fault) {
    guard digits > 0 else { return }
    guard places <= Self.most else { throw .tooLong }
    for _ in 0..<places {
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      // Some numbers of 39 digits fit into 128 bits, but not all.
      guard !overflow, product < Self.limit else { throw .tooLong }
      digits = product
    }
  }

  /// The smallest number of 39 digits.
  private static let limit: UInt128 = (0..<most).reduce(1) { product, _ in product * 10 }

  /// Whether the number is zero.
  var isZero: Bool { digits == 0 }

  /// Adds another number. Throws ``Fault/tooLong`` if the sum needs more than 38 digits.
  mutating func add(_ other: ExactDecimal) throws(Fault) {
    var other = other
    let decimals = max(decimals, other.decimals)
    try widen(to: decimals)
    try other.widen(to: decimals)
    let sum = digits + other.digits
    guard sum < Self.limit else { throw .tooLong }
    digits = sum
  }

  private mutating func widen(to decimals: Int) throws(Fault) {
    try shift(by: decimals - self.decimals)
    self.decimals = decimals
  }

  /// Returns this number's share of a total in thousandths of a percent, rounded half to even.
  ///
  /// Throws ``Fault/notAPart`` if the total is zero or less than this number. Throws
  /// ``Fault/tooLong`` if 38 digits are not enough for both numbers with the same decimals.
  func thousandthsOfPercent(of total: ExactDecimal) throws(Fault) -> Int {
    var (part, total) = (self, total)
    let decimals = max(part.decimals, total.decimals)
    try part.widen(to: decimals)
    try total.widen(to: decimals)
    guard total.digits > 0, part.digits <= total.digits else { throw .notAPart }
    let product = part.digits.multipliedFullWidth(by: 100_000)
    let (quotient, rest) = total.digits.dividingFullWidth(product)
    let other = total.digits - rest
    let isUp = rest > other || rest == other && quotient % 2 == 1
    return Int(quotient) + (isUp ? 1 : 0)
  }
}

extension ExactDecimal: CustomStringConvertible {
  /// The digits with their decimals: `12.0`.
  var description: String {
    var text = String(digits)
    guard decimals > 0 else { return text }
    text = String(repeating: "0", count: max(0, decimals + 1 - text.count)) + text
    text.insert(".", at: text.index(text.endIndex, offsetBy: -decimals))
    return text
  }
}

/// A number with a sign, exactly as written. Calculations with it are exact too.
///
///     "-3.170" = -317 with 2 decimals
///
/// The limit is 38 digits, as in ``ExactDecimal``.
struct SignedDecimal: Equatable {
  /// The digits as one number, and how many of them are after the point.
  private var digits: Int128
  private var decimals: Int

  /// Zero.
  init() { (digits, decimals) = (0, 0) }

  /// Reads a number in JSON's syntax (RFC 8259, section 6). Throws
  /// ``ExactDecimal/Fault/notANumber`` or ``ExactDecimal/Fault/tooLong``.
  init(_ text: UnsafeRawBufferPointer) throws(ExactDecimal.Fault) {
    let isNegative = text.first == UInt8(ascii: "-")
    let number = try ExactDecimal(UnsafeRawBufferPointer(rebasing: text[(isNegative ? 1 : 0)...]))
    digits = isNegative ? -Int128(number.digits) : Int128(number.digits)
    decimals = number.decimals
  }

  /// Adds another number. Throws ``ExactDecimal/Fault/tooLong`` if the sum needs more than 38
  /// digits.
  mutating func add(_ other: SignedDecimal) throws(ExactDecimal.Fault) {
    let decimals = max(decimals, other.decimals)
    guard let (a, b) = Self.widened(self, other, to: decimals) else { throw .tooLong }
    let (sum, isTooLong) = a.addingReportingOverflow(b)
    guard !isTooLong, sum.magnitude < Self.limit else { throw .tooLong }
    (digits, self.decimals) = (sum, decimals)
  }

  /// Returns whether this number is less than `other`.
  func isLess(than other: SignedDecimal) -> Bool {
    let decimals = max(decimals, other.decimals)
    if let (a, b) = Self.widened(self, other, to: decimals) { return a < b }
    // The number without room for the other's decimals is by far the larger one in magnitude.
    return self.decimals < other.decimals ? digits < 0 : other.digits > 0
  }

  /// Returns the number with at most `places` decimals, rounded half to even.
  func rounded(to places: Int) -> SignedDecimal {
    guard decimals > places else { return self }
    let divisor = (places..<decimals).reduce(Int128(1)) { product, _ in product * 10 }
    var (quotient, rest) = digits.quotientAndRemainder(dividingBy: divisor)
    let size = rest.magnitude
    let other = divisor.magnitude - size
    if size > other || size == other && quotient % 2 != 0 { quotient += digits < 0 ? -1 : 1 }
    var number = self
    (number.digits, number.decimals) = (quotient, places)
    return number
  }

  /// Returns the whole part of a number of units. What is beyond ±10¹² is as far as that.
  func times(_ unit: Int) -> Int {
    let most = Int128(1_000_000_000_000)
    let (product, isTooLong) = digits.multipliedReportingOverflow(by: Int128(unit))
    guard !isTooLong else { return Int(digits < 0 ? -most : most) }
    let divisor = (0..<decimals).reduce(Int128(1)) { product, _ in product * 10 }
    return Int(min(max(product / divisor, -most), most))
  }

  /// Appends the number in decimal digits, without an exponent and without insignificant zeros.
  func append(to buffer: inout [UInt8]) {
    var (digits, decimals) = (digits, decimals)
    while decimals > 0, digits % 10 == 0 {
      digits /= 10
      decimals -= 1
    }
    var text = String(digits.magnitude)
    if decimals >= text.utf8.count {
      text = String(repeating: "0", count: decimals + 1 - text.utf8.count) + text
    }
    if digits < 0 { buffer.append(UInt8(ascii: "-")) }
    buffer += text.utf8.dropLast(decimals)
    guard decimals > 0 else { return }
    buffer.append(UInt8(ascii: "."))
    buffer += text.utf8.suffix(decimals)
  }

  /// The smallest number of 39 digits.
  private static let limit: UInt128 = (0..<38).reduce(1) { product, _ in product * 10 }

  /// Returns the digits of both numbers with the same decimals, or nil if one gets too long.
  private static func widened(_ a: SignedDecimal, _ b: SignedDecimal, to decimals: Int)
    -> (Int128, Int128)?
  {
    guard let a = a.widened(to: decimals), let b = b.widened(to: decimals) else { return nil }
    return (a, b)
  }

  private func widened(to places: Int) -> Int128? {
    guard digits != 0 else { return 0 }
    var digits = digits
    for _ in decimals..<max(places, decimals) {
      let (product, isTooLong) = digits.multipliedReportingOverflow(by: 10)
      guard !isTooLong, product.magnitude < Self.limit else { return nil }
      digits = product
    }
    return digits
  }
}

/// Recognizes numbers in JSON's syntax (RFC 8259, section 6).
enum DecimalText {
  /// Returns whether the whole text is a number of at most ``Limits/number`` characters.
  static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count <= Limits.number else { return false }
    var state = NumberState.start
    for byte in text {
      guard let after = state.after(byte) else { return false }
      state = after
    }
    return state.mayEnd
  }

  /// Returns whether a text of a row is a number, which is recognized at once. Some are not.
  @inline(__always)
  static func isSurelyNumber(ofRow text: UnsafeRawBufferPointer) -> Bool {
    Int(number(ofRow: text).length) == text.count
  }

  /// Returns whether a text of a row is a number without fraction and exponent.
  @inline(__always)
  static func isInteger(ofRow text: UnsafeRawBufferPointer) -> Bool {
    let number = number(ofRow: text)
    return Int(number.length) == text.count ? number.is_whole != 0 : isInteger(text)
  }

  /// Returns the number that begins a text of a row, after which 32 bytes can be read. Its length
  /// is 0 if it needs a closer look. The number may be longer than the text.
  @inline(__always)
  private static func number(ofRow text: UnsafeRawBufferPointer) -> cvalue_found_number {
    guard text.count > 0, let start = text.baseAddress else {
      return cvalue_found_number(length: -1, is_whole: 0)
    }
    return cvalue_number(start.assumingMemoryBound(to: UInt8.self))
  }

  /// Returns whether the whole text is a number without fraction and exponent.
  static func isInteger(_ text: UnsafeRawBufferPointer) -> Bool {
    isNumber(text)
      && text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
  }
}

/// The state of a number (RFC 8259, section 6), named after its last byte.
///
///     -12.50e+7
///     ^ minus  ^^ whole  ^ point  ^^ fraction  ^ exponent  ^ exponentSign  ^ exponentDigits
enum NumberState: UInt8 {
  case start, minus, zero, whole, point, fraction, exponent, exponentSign, exponentDigits

  /// Whether the number may end here.
  var mayEnd: Bool {
    switch self {
    case .zero, .whole, .fraction, .exponentDigits: true
    case .start, .minus, .point, .exponent, .exponentSign: false
    }
  }

  /// Returns the state after `byte`, or nil if the byte does not continue the number.
  @inline(__always)
  func after(_ byte: UInt8) -> NumberState? {
    let isDigit = byte &- UInt8(ascii: "0") < 10
    switch self {
    case .start where byte == UInt8(ascii: "-"): return .minus
    case .start, .minus:
      return isDigit ? (byte == UInt8(ascii: "0") ? .zero : .whole) : nil
    case .whole where isDigit: return .whole
    case .zero, .whole:
      if byte == UInt8(ascii: ".") { return .point }
      return byte | 0x20 == UInt8(ascii: "e") ? .exponent : nil
    case .point: return isDigit ? .fraction : nil
    case .fraction:
      if isDigit { return .fraction }
      return byte | 0x20 == UInt8(ascii: "e") ? .exponent : nil
    case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"):
      return .exponentSign
    case .exponent, .exponentSign, .exponentDigits: return isDigit ? .exponentDigits : nil
    }
  }
}
