/// Reads a point in time: RFC 3339, section 5.6, and some forms of ISO 8601. These have another
/// offset (`+0300`, `+03`), a space for the `T`, or no seconds. A local time has no offset.
struct InstantParser: ~Copyable {
  private let text: UnsafeRawBufferPointer
  private var index = 0

  /// Reads a text. Returns why it is not a point in time if it is none.
  static func parse(
    _ text: UnsafeRawBufferPointer
  ) -> Result<WrittenInstant, RejectReason> {
    if let written = WrittenInstant(canonical: text) { return .success(written) }
    var parser = InstantParser(text: text)
    return parser.parse()
  }

  /// Appends `text` as RFC 3339 to `buffer`, with the offset that is written in it. Returns the day
  /// written in it, or why it is not an instant.
  static func parse(_ text: UnsafeRawBufferPointer, into buffer: inout ByteBuffer)
    -> Result<Day, RejectReason>
  {
    switch parse(text) {
    case .failure(let reason): return .failure(reason)
    case .success(let written):
      guard written.offset != nil else { return .failure(.notAnInstant) }
      append(written, of: text, to: &buffer)
      return .success(written.day)
    }
  }

  /// Appends an instant with the offset that is written in it.
  static func append(
    _ written: WrittenInstant, of text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
  ) {
    buffer.append(UnsafeRawBufferPointer(rebasing: text[0..<10]))
    buffer.append("T")
    buffer.append(UnsafeRawBufferPointer(rebasing: text[11..<16]))
    if written.hasSeconds {
      buffer.append(UnsafeRawBufferPointer(rebasing: text[16..<19]))
      if !written.fraction.isEmpty {
        buffer.append(".")
        buffer.append(UnsafeRawBufferPointer(rebasing: text[written.fraction]))
      }
    } else {
      buffer.append(":00")
    }
    let offset = text[written.offsetPlace]
    guard offset.count > 1 else { return buffer.append("Z") }
    buffer.append(UnsafeRawBufferPointer(rebasing: offset.prefix(3)))
    buffer.append(":")
    if offset.count == 3 {
      buffer.append("00")
    } else {
      buffer.append(UnsafeRawBufferPointer(rebasing: offset.suffix(2)))
    }
  }

  private init(text: UnsafeRawBufferPointer) { self.text = text }

  private mutating func parse() -> Result<WrittenInstant, RejectReason> {
    let failure: Result<WrittenInstant, RejectReason> = .failure(.notAnInstant)
    guard let (year, month, date) = day(), pass("T") || pass("t") || pass(" "),
      let (hour, minute, second) = time(), hour < 24, minute < 60, second ?? 0 <= 60
    else { return failure }
    var written = WrittenInstant(day: Day(number: 0), time: hour * 3600 + minute * 60)
    if let second {
      written.hasSeconds = true
      written.isLeapSecond = second == 60
      written.time += min(second, 59)
      if pass(".") || pass(",") {
        let start = index
        while number(1) != nil {}
        guard index > start else { return failure }
        written.fraction = start..<index
      }
    }
    let start = index
    if index < text.count {
      guard let offset = offset() else { return failure }
      written.offset = offset
    }
    written.offsetPlace = start..<index
    guard index == text.count else { return failure }
    guard let day = Day(year: year, month: month, day: date) else { return .failure(.noSuchDay) }
    written.day = day
    return .success(written)
  }

  @inline(__always)
  private mutating func day() -> (year: Int, month: Int, day: Int)? {
    guard let date = FixedTime.date(text) else { return nil }
    index = FixedTime.date
    return date
  }

  /// Reads the hour and the minute, and the second if there is one.
  @inline(__always)
  private mutating func time() -> (hour: Int, minute: Int, second: Int?)? {
    if let start = text.baseAddress, text.count - index >= 8,
      let (hour, minute, second) = FixedTime.time(start + index)
    {
      index += 8
      return (hour, minute, second)
    }
    guard let hour = number(2), pass(":"), let minute = number(2) else { return nil }
    guard pass(":") else { return (hour, minute, nil) }
    return number(2).map { (hour, minute, $0) }
  }

  private mutating func offset() -> Int? {
    if pass("Z") || pass("z") { return 0 }
    let isWest = index < text.count && text[index] == UInt8(ascii: "-")
    guard pass("+") || pass("-"), let hours = number(2), hours < 24 else { return nil }
    var seconds = hours * 3600
    let hasColon = pass(":")
    if let minutes = number(2) {
      guard minutes < 60 else { return nil }
      seconds += minutes * 60
    } else if hasColon {
      return nil
    }
    return isWest ? -seconds : seconds
  }

  /// Reads exactly `width` digits. Returns nil if there are fewer.
  @inline(__always)
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

  @inline(__always)
  private mutating func pass(_ character: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }
}

extension WrittenInstant {
  /// Reads an instant that is written just as it would be of what is read:
  /// `2020-06-22T10:05:00.52+03:00`. Nil for other forms, and for what is no instant.
  @inline(__always)
  init?(canonical text: UnsafeRawBufferPointer) {
    guard let day = FixedTime.day(text) else { return nil }
    self.init(canonical: text, on: day)
  }

  /// Whether a text has the `T` and the end of such an instant.
  @inline(__always)
  static func seemsCanonical(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count > FixedTime.dateAndTime && text[FixedTime.date] == UInt8(ascii: "T")
      && (text[text.count - 1] == UInt8(ascii: "Z") || text[text.count - 3] == UInt8(ascii: ":"))
  }

  /// Reads the same, whose date is that of this day.
  @inline(__always)
  init?(canonical text: UnsafeRawBufferPointer, on day: Day) {
    guard text.count > FixedTime.dateAndTime, text[FixedTime.date] == UInt8(ascii: "T")
    else { return nil }
    self.init(timeIn: text, on: day)
    switch offsetPlace.count {
    case 1 where text[offsetPlace.lowerBound] == UInt8(ascii: "Z"): offset = 0
    case 6: offset = text.baseAddress.flatMap { FixedTime.offset($0 + offsetPlace.lowerBound) }
    default: return nil
    }
    guard offset != nil else { return nil }
  }

  /// Reads one with seconds in a form of ``InstantParser`` that many write: with a space for the
  /// `T`, without an offset, or with a shorter one, `+0300` or `+03`. Nil for others, and for what
  /// is none.
  @inline(never)
  init?(usual text: UnsafeRawBufferPointer) {
    guard text.count >= FixedTime.dateAndTime, let day = FixedTime.day(text),
      text[FixedTime.date] == UInt8(ascii: "T") || text[FixedTime.date] == UInt8(ascii: " ")
    else { return nil }
    self.init(timeIn: text, on: day)
    if offsetPlace.isEmpty { return }
    offset = FixedTime.shortOffset(UnsafeRawBufferPointer(rebasing: text[offsetPlace]))
    guard offset != nil else { return nil }
  }

  /// Reads the time of day after the date and a mark. What follows it is the place of the offset.
  @inline(__always)
  private init?(timeIn text: UnsafeRawBufferPointer, on day: Day) {
    guard let start = text.baseAddress,
      let (hour, minute, second) = FixedTime.timeOfDay(start + FixedTime.date + 1)
    else { return nil }
    self.init(day: day, time: (hour &* 60 &+ minute) &* 60 &+ second)
    hasSeconds = true
    var end = FixedTime.dateAndTime
    if end < text.count, text[end] == UInt8(ascii: ".") {
      end += 1
      while end < text.count, text[end] &- UInt8(ascii: "0") < 10 { end += 1 }
      fraction = FixedTime.dateAndTime + 1..<end
      guard !fraction.isEmpty else { return nil }
    }
    offsetPlace = end..<text.count
  }
}

/// Writes instants as RFC 3339: `2020-06-22T03:00:00.5+03:00`.
enum InstantWriter {
  /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
  static let instants = -62_135_596_800...253_402_300_799
  /// 0001-01-01.
  private static let firstDay = -719_162

  /// Appends an instant, on a clock with this offset from UTC in seconds. `fraction` are the digits
  /// after the decimal sign.
  ///
  /// An offset in RFC 3339 has no seconds. Clocks of long ago had them: such an instant is shown on
  /// a clock of whole minutes, and stays the same instant.
  ///
  /// Returns the day in the text, or nil if it is not of the years 1 to 9999.
  static func append(
    _ seconds: Int, offset: Int, isLeapSecond: Bool = false,
    fraction: UnsafeRawBufferPointer? = nil, to buffer: inout ByteBuffer
  ) -> Day? {
    let offset = offset / 60 * 60
    let local = seconds + offset
    guard instants.contains(seconds), instants.contains(local) else { return nil }
    // From the first day on, nothing is negative.
    let past = UInt(bitPattern: local &- firstDay &* 86_400)
    let (days, time) = (Int(past / 86_400), Int(past % 86_400))
    let day = Day(number: Int32(truncatingIfNeeded: firstDay &+ days))
    var end = FixedTime.put(day.parts, at: buffer.end(withRoom: 20))
    end.pointee = UInt8(ascii: "T")
    end = FixedTime.put(
      hour: time / 3600, minute: time / 60 % 60, second: isLeapSecond ? 60 : time % 60, at: end + 1)
    end.pointee = UInt8(ascii: "Z")
    guard offset != 0 || fraction?.isEmpty == false else {
      buffer.commit(upTo: end + 1)
      return day
    }
    buffer.commit(upTo: end)
    append(fraction, offset: offset, to: &buffer)
    return day
  }

  /// Appends what stands after the seconds.
  private static func append(
    _ fraction: UnsafeRawBufferPointer?, offset: Int, to buffer: inout ByteBuffer
  ) {
    if let fraction, fraction.count > 0 {
      buffer.append(".")
      buffer.append(fraction)
    }
    append(offset: offset, to: &buffer)
  }

  /// Appends an offset from UTC in seconds, of whole minutes: `Z`, `+03:00`.
  static func append(offset: Int, to buffer: inout ByteBuffer) {
    guard offset != 0 else { return buffer.append("Z") }
    let minutes = abs(offset) / 60
    // The seconds are not part of it.
    let place = buffer.end(withRoom: 9)
    place.pointee = UInt8(ascii: offset < 0 ? "-" : "+")
    _ = FixedTime.put(hour: minutes / 60, minute: minutes % 60, second: 0, at: place + 1)
    buffer.commit(6)
  }
}

/// Reads instants that are counted since 1970-01-01T00:00:00Z, without leap seconds (POSIX).
enum UnixInstant {
  /// Reads a whole number. Returns the seconds and the thousandths after them; nil if it is not an
  /// instant of the years 1 to 9999.
  static func parse(
    _ text: UnsafeRawBufferPointer, _ unit: UnixTime
  ) -> (seconds: Int, thousandths: Int)? {
    guard let count = number(text) else { return nil }
    let instant = unit.split(count)
    return InstantWriter.instants.contains(instant.seconds) ? instant : nil
  }

  /// Reads a whole number; nil if the text is not one, or is too long for one of these instants.
  private static func number(_ text: UnsafeRawBufferPointer) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    // No number begins with a zero but zero itself.
    guard text.count > first, text[first] != UInt8(ascii: "0") || text.count == first + 1 else {
      return nil
    }
    // Longer ones are of no year up to 9999.
    guard let start = text.baseAddress,
      let value = FixedTime.number(start + first, count: text.count - first)
    else { return nil }
    return isNegative ? -value : value
  }
}

extension UnixTime {
  /// Returns the whole seconds of a count, and the thousandths after them.
  fileprivate func split(_ count: Int) -> (seconds: Int, thousandths: Int) {
    switch self {
    case .seconds: return (count, 0)
    case .milliseconds:
      let (seconds, thousandths) = dividingDown(count, by: 1000)
      return (seconds, thousandths)
    }
  }

  /// Returns whether the number is an instant of the years 1990 to 2099. A field of such numbers
  /// may hold instants.
  func isPlausible(_ count: Int) -> Bool {
    (631_152_000..<4_102_444_800).contains(split(count).seconds)
  }
}

extension InstantText {
  /// Returns the whole seconds since 1970 of a time as people type it: in a form of
  /// ``InstantParser``, or as a local time of a zone, `2018-10-01T10:00`. Nil if it is no such
  /// time.
  package static func seconds(typed text: String, in zone: Zone) -> Int? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { bytes in
      guard case .success(let written) = InstantParser.parse(bytes) else { return nil }
      return written.offset.map { written.local - $0 } ?? zone.instant(of: written.local)
    }
  }
}
