/// Reads a point in time: RFC 3339, section 5.6, and some forms of ISO 8601. These have another
/// offset (`+0300`, `+03`), a space for the `T`, or no seconds.
struct InstantParser: ~Copyable {
  private let text: UnsafeRawBufferPointer
  private var index = 0

  /// Appends `text` as RFC 3339 to `buffer`. Returns the day written in it, or why it is not an
  /// instant.
  static func parse(_ text: UnsafeRawBufferPointer, into buffer: inout ByteBuffer)
    -> Result<Day, RejectReason>
  {
    var parser = InstantParser(text: text)
    return parser.parse(into: &buffer)
  }

  private init(text: UnsafeRawBufferPointer) { self.text = text }

  private mutating func parse(into buffer: inout ByteBuffer) -> Result<Day, RejectReason> {
    let failure: Result<Day, RejectReason> = .failure(.notAnInstant)
    guard let year = number(4), pass("-"), let month = number(2), pass("-"), let date = number(2),
      pass("T") || pass("t") || pass(" "),
      let hour = number(2), hour < 24, pass(":"), let minute = number(2), minute < 60
    else { return failure }
    buffer.append(UnsafeRawBufferPointer(rebasing: text[0..<10]))
    buffer.append("T")
    buffer.append(UnsafeRawBufferPointer(rebasing: text[11..<16]))
    let secondsStart = index
    if pass(":") {
      guard let second = number(2), second <= 60 else { return failure }
      if pass(".") || pass(",") {
        let fraction = index
        while number(1) != nil {}
        guard index > fraction else { return failure }
      }
      let start = buffer.count
      buffer.append(UnsafeRawBufferPointer(rebasing: text[secondsStart..<index]))
      if index - secondsStart > 3 {
        buffer.start.storeBytes(of: UInt8(ascii: "."), toByteOffset: start + 3, as: UInt8.self)
      }
    } else {
      buffer.append(":00")
    }
    guard appendOffset(to: &buffer), index == text.count else { return failure }
    guard let day = Day(year: year, month: month, day: date) else { return .failure(.noSuchDay) }
    return .success(day)
  }

  private mutating func appendOffset(to buffer: inout ByteBuffer) -> Bool {
    if pass("Z") || pass("z") {
      buffer.append("Z")
      return true
    }
    let start = index
    guard pass("+") || pass("-"), let hours = number(2), hours < 24 else { return false }
    buffer.append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
    buffer.append(":")
    _ = pass(":")
    let minutesStart = index
    guard let minutes = number(2) else {
      buffer.append("00")
      return text[index - 1] != UInt8(ascii: ":")
    }
    buffer.append(UnsafeRawBufferPointer(rebasing: text[minutesStart..<index]))
    return minutes < 60
  }

  /// Reads exactly `width` digits. Returns nil if there are fewer.
  private mutating func number(_ width: Int) -> Int? {
    guard text.count - index >= width else { return nil }
    var value = 0
    for offset in 0..<width {
      let digit = text[index + offset] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    index += width
    return value
  }

  private mutating func pass(_ character: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }
}

/// Reads instants that are counted since 1970-01-01T00:00:00Z, without leap seconds (POSIX).
///
///     1592784000 ─▶ 2020-06-22T03:00:00+03:00 on a clock 10800 seconds east of UTC
enum UnixInstant {
  /// Appends a whole number as RFC 3339 to `buffer`, on a clock `clockOffset` seconds east of UTC.
  /// Returns the day written in it, or the reason if it is not an instant of the years 1 to 9999.
  static func parse(
    _ text: UnsafeRawBufferPointer, _ unit: UnixTime, clockOffset: Int,
    into buffer: inout ByteBuffer
  ) -> Result<Day, RejectReason> {
    guard let count = number(text) else { return .failure(.notAUnixTime) }
    let (seconds, thousandths) = unit.split(count)
    let local = seconds + clockOffset
    let (days, time) = (floor(local, 86_400), remainder(local, 86_400))
    guard seconds >= first, seconds <= last, days >= floor(first, 86_400),
      days <= floor(last, 86_400)
    else { return .failure(.notAUnixTime) }
    let day = Day(number: Int32(days))
    day.append(to: &buffer)
    append("T", time / 3600, to: &buffer)
    append(":", time / 60 % 60, to: &buffer)
    append(":", time % 60, to: &buffer)
    if thousandths > 0 {
      append(".", thousandths / 10, to: &buffer)
      buffer.append(UInt8(ascii: "0") + UInt8(thousandths % 10))
    }
    if clockOffset == 0 {
      buffer.append("Z")
    } else {
      append(clockOffset < 0 ? "-" : "+", abs(clockOffset) / 3600, to: &buffer)
      append(":", abs(clockOffset) / 60 % 60, to: &buffer)
    }
    return .success(day)
  }

  /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
  private static let first = -62_135_596_800
  private static let last = 253_402_300_799

  /// Reads a whole number; nil if the text is not one, or is too long for one of these instants.
  private static func number(_ text: UnsafeRawBufferPointer) -> Int? {
    guard text.count <= 18, DecimalText.isInteger(text) else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    let value = text.dropFirst(isNegative ? 1 : 0).reduce(0) {
      $0 * 10 + Int($1 &- UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }

  /// Appends a sign and two digits.
  private static func append(_ sign: StaticString, _ number: Int, to buffer: inout ByteBuffer) {
    buffer.append(sign)
    buffer.append(UInt8(ascii: "0") + UInt8(number / 10))
    buffer.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Division that rounds down, before 1970 too.
  fileprivate static func floor(_ number: Int, _ divisor: Int) -> Int {
    (number - remainder(number, divisor)) / divisor
  }

  fileprivate static func remainder(_ number: Int, _ divisor: Int) -> Int {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

extension UnixTime {
  /// Returns the whole seconds of a count, and the thousandths after them.
  fileprivate func split(_ count: Int) -> (seconds: Int, thousandths: Int) {
    switch self {
    case .seconds: (count, 0)
    case .milliseconds: (UnixInstant.floor(count, 1000), UnixInstant.remainder(count, 1000))
    }
  }

  /// Returns whether the number is an instant of the years 1990 to 2099. A field of such numbers
  /// may hold instants.
  func isPlausible(_ count: Int) -> Bool {
    (631_152_000..<4_102_444_800).contains(split(count).seconds)
  }
}
