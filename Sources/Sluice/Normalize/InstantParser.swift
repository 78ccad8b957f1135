/// Reads a point in time: RFC 3339, section 5.6, and the forms of ISO 8601 that differ in the
/// offset (`+0300`, `+03`), in a space for the `T`, or in seconds left out.
struct InstantParser: ~Copyable {
  private let text: UnsafeRawBufferPointer
  private var index = 0

  /// Appends `text` as RFC 3339 to `buffer` and gives the day written in it; why not, where it is
  /// none.
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

  /// Exactly `width` digits.
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
