/// A number that is not negative, exactly as it was written: digits and how many of them are
/// decimals.
///
///     "1.50" = 150 with 2 decimals;  "3e2" = 300 with none;  "25e-1" = 25 with 1
///
/// 38 digits in all, decimals and zeros that an exponent adds included.
struct ExactDecimal: Equatable {
  /// Why a text is no such number.
  enum Fault: Error, Equatable {
    case notANumber, negative, tooLong
    /// It is greater than the total that it is to be a part of, or that is zero.
    case notAPart
  }

  /// The digits as one number, and how many of them stand behind the point.
  private(set) var digits: UInt128 = 0
  private(set) var decimals = 0

  /// Zero.
  init() {}

  /// Reads a number as JSON writes it (RFC 8259, section 6).
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
    // Zeros at the end of a fraction are no digits that count.
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

  /// How many digits there may be.
  static let most = 38

  /// Appends so many zeros to the digits.
  private mutating func shift(by places: Int) throws(Fault) {
    guard digits > 0 else { return }
    guard places <= Self.most else { throw .tooLong }
    for _ in 0..<places {
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      // One digit of 39 would fit, and not every one.
      guard !overflow, product < Self.limit else { throw .tooLong }
      digits = product
    }
  }

  /// The first number of 39 digits.
  private static let limit: UInt128 = (0..<most).reduce(1) { product, _ in product * 10 }

  /// The number is zero.
  var isZero: Bool { digits == 0 }

  /// Adds another number.
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

  /// What part of a total this is: thousandths of a percent, rounded half to even.
  ///
  /// Throws ``Fault/notAPart`` where the total is zero or less than this number.
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

/// A number with a sign, exactly as it was written; what is reckoned with it is exact too.
///
///     "-3.170" = -317 with 2 decimals
///
/// 38 digits, as ``ExactDecimal`` has.
struct SignedDecimal: Equatable {
  /// The digits as one number, and how many of them stand behind the point.
  private var digits: Int128
  private var decimals: Int

  /// Zero.
  init() { (digits, decimals) = (0, 0) }

  /// Reads a number as JSON writes it (RFC 8259, section 6).
  init(_ text: UnsafeRawBufferPointer) throws(ExactDecimal.Fault) {
    let isNegative = text.first == UInt8(ascii: "-")
    let number = try ExactDecimal(UnsafeRawBufferPointer(rebasing: text[(isNegative ? 1 : 0)...]))
    digits = isNegative ? -Int128(number.digits) : Int128(number.digits)
    decimals = number.decimals
  }

  /// Adds another number.
  mutating func add(_ other: SignedDecimal) throws(ExactDecimal.Fault) {
    let decimals = max(decimals, other.decimals)
    guard let (a, b) = Self.widened(self, other, to: decimals) else { throw .tooLong }
    let (sum, isTooLong) = a.addingReportingOverflow(b)
    guard !isTooLong, sum.magnitude < Self.limit else { throw .tooLong }
    (digits, self.decimals) = (sum, decimals)
  }

  /// Whether this is the smaller number.
  func isLess(than other: SignedDecimal) -> Bool {
    let decimals = max(decimals, other.decimals)
    if let (a, b) = Self.widened(self, other, to: decimals) { return a < b }
    // The one that has no room for the other's decimals is by far the larger in size.
    return self.decimals < other.decimals ? digits < 0 : other.digits > 0
  }

  /// The number with so many decimals at most, rounded half to even.
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

  /// Appends it in decimal digits, without an exponent and without zeros that do not count.
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

  /// The first number of 39 digits.
  private static let limit: UInt128 = (0..<38).reduce(1) { product, _ in product * 10 }

  /// Both numbers in digits with the same decimals; nil where one gets too long.
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

/// Tells numbers, as JSON writes them (RFC 8259, section 6), from other texts.
enum DecimalText {
  /// The whole text is a number.
  static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count <= Limits.number else { return false }
    var state = NumberState.start
    for byte in text {
      guard let after = state.after(byte) else { return false }
      state = after
    }
    return state.mayEnd
  }

  /// The whole text is a number without fraction and exponent.
  static func isInteger(_ text: UnsafeRawBufferPointer) -> Bool {
    isNumber(text)
      && text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
  }
}

/// The state of a number (RFC 8259, section 6), named by its last byte.
///
///     -12.50e+7
///     ^ minus  ^^ whole  ^ point  ^^ fraction  ^ exponent  ^ exponentSign  ^ exponentDigits
enum NumberState: UInt8 {
  case start, minus, zero, whole, point, fraction, exponent, exponentSign, exponentDigits

  /// The number may end here.
  var mayEnd: Bool {
    switch self {
    case .zero, .whole, .fraction, .exponentDigits: true
    case .start, .minus, .point, .exponent, .exponentSign: false
    }
  }

  /// The state after `byte`; nil if the byte does not continue the number.
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
