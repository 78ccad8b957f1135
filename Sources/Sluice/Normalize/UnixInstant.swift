/// Reads points in time that are counted since 1970-01-01T00:00:00Z, without leap seconds (POSIX).
enum UnixInstant {
  /// Appends a whole number as RFC 3339, on a clock so many seconds east of UTC, to `buffer` and
  /// gives the day written in it; why not, where it is none of the years 1 to 9999.
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

  /// A whole number that is not too long to be one of these times.
  private static func number(_ text: UnsafeRawBufferPointer) -> Int? {
    guard text.count <= 18, DecimalText.isInteger(text) else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    let value = text.dropFirst(isNegative ? 1 : 0).reduce(0) {
      $0 * 10 + Int($1 &- UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }

  /// Two digits behind a sign.
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
  /// The whole seconds of a count, and the thousandths after them.
  fileprivate func split(_ count: Int) -> (seconds: Int, thousandths: Int) {
    switch self {
    case .seconds: (count, 0)
    case .milliseconds: (UnixInstant.floor(count, 1000), UnixInstant.remainder(count, 1000))
    }
  }

  /// The number counts a time of the years 1990 to 2099: where nothing says what it is, it may well
  /// be one.
  func isPlausible(_ count: Int) -> Bool {
    (631_152_000..<4_102_444_800).contains(split(count).seconds)
  }
}
