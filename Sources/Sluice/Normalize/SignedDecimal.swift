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
