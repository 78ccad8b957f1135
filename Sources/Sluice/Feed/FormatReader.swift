/// Reads a text in the format of a document.
///
///     Mo., 5. Jan. 2026, 14:30     in   EEE, d. MMM y, H:mm     2026-01-05 14:30
///     850                          in   Hmm                     8:50
///     20260105                     in   yyyyMMdd                2026-01-05
///
/// The whole text must fit. A weekday must be that of the day.
struct FormatReader: ~Copyable {
  /// Why a text does not fit.
  enum Flaw: Error {
    /// It has another form.
    case form
    /// It has this form, but there is no such day, or no such time.
    case value
  }

  private let text: UnsafeRawBufferPointer
  /// The length of the text.
  private let count: Int
  /// The first of the hundred years that two digits may mean; nil if there are none.
  private let firstYear: Int?
  private var index = 0
  private var (year, month, day) = (1, 1, 1)
  private var (hour, minute, second) = (0, 0, 0)
  /// 1 before and 2 after noon; 0 if the text does not say.
  private var half: UInt8 = 0
  /// Whether the hour is one of twelve.
  private var isHalfHour = false
  private var hasHour = false
  /// The bits of the weekdays that it may be; 0 if the text does not say.
  private var weekdays: UInt8 = 0
  private var fraction = 0..<0
  private var offset: Int?

  fileprivate init(_ text: UnsafeRawBufferPointer, _ firstYear: Int?) {
    (self.text, count) = (text, text.count)
    self.firstYear = firstYear
  }

  /// Reads a text in the first of some formats that it fits. The text must be well-formed UTF-8
  /// without white space around it.
  static func read(
    _ text: UnsafeRawBufferPointer, _ formats: [TimeFormat], _ rule: TimeRule
  ) -> Result<WrittenInstant, Flaw> {
    var flaw = Flaw.form
    for index in formats.indices {
      var reader = FormatReader(text, rule.firstYear)
      guard reader.follow(formats[index].steps, rule.names) else { continue }
      if let written = reader.written { return .success(written) }
      flaw = .value
    }
    return .failure(flaw)
  }

  /// Reads the whole text by the steps of a format. Returns whether it has this form.
  private mutating func follow(
    _ steps: ContiguousArray<TimeFormat.Step>, _ names: TimeNames
  ) -> Bool {
    for place in steps.indices {
      guard take(steps[place], names) else { return false }
    }
    return isAtEnd
  }

  @inline(__always)
  fileprivate var isAtEnd: Bool { index == count }

  @inline(__always)
  fileprivate mutating func take(_ step: TimeFormat.Step, _ names: TimeNames) -> Bool {
    switch step {
    case .byte(let byte): return pass(byte)
    case .blank:
      guard !isSingleSpace else {
        index &+= 1
        return true
      }
      return takeBlank()
    case .number(let number, let least, let most, let after):
      guard
        let value = least == most
          ? digits(Int(most)) : openDigits(Int(least), Int(most), after: Int(after))
      else { return false }
      return set(number, value)
    case .shortYear: return takeShortYear()
    case .name(let kind, let takesDot): return takeName(kind, names, takesDot: takesDot)
    case .ordinal: return takeOrdinal(names)
    case .fraction(let count): return takeFraction(Int(count))
    case .offset(let form): return takeOffset(form)
    case .utc: return takeUTC()
    case .timeOfDay: return takeTimeOfDay()
    case .date: return takeDate()
    case .dateOfSign(let sign, let isMonthFirst):
      return takeDate(sign, isMonthFirst: isMonthFirst)
    }
  }

  /// Reads `HH:mm:ss`, but neither a leap second nor the end of a day.
  @inline(__always)
  private mutating func takeTimeOfDay() -> Bool {
    guard count &- index >= 8, let start = text.baseAddress,
      let time = FixedTime.timeOfDay(start + index)
    else { return false }
    (hour, minute, second) = time
    hasHour = true
    index &+= 8
    return true
  }

  /// Reads `yyyy-MM-dd`.
  private mutating func takeDate() -> Bool {
    let rest = UnsafeRawBufferPointer(rebasing: text[index...])
    guard let date = FixedTime.date(rest) else { return false }
    (year, month, day) = date
    index &+= FixedTime.date
    return true
  }

  /// Reads a date with the year at its end, and this sign in it.
  @inline(__always)
  private mutating func takeDate(_ sign: UInt8, isMonthFirst: Bool) -> Bool {
    guard count &- index >= FixedTime.date, let start = text.baseAddress,
      let (first, second, year) = FixedTime.numbers(ofDate: start + index, sign: sign)
    else { return false }
    self.year = year
    (month, day) = isMonthFirst ? (first, second) : (second, first)
    index &+= FixedTime.date
    return true
  }

  private mutating func takeBlank() -> Bool {
    guard let end = WhiteSpace.end(in: text, at: index) else { return false }
    index = end
    return true
  }

  private mutating func takeShortYear() -> Bool {
    guard let value = digits(2), let known = TimeRule.year(ofTwoDigits: value, from: firstYear)
    else { return false }
    year = known
    return true
  }

  @inline(never)
  private mutating func takeName(
    _ kind: TimeNames.Kind, _ names: TimeNames, takesDot: Bool
  ) -> Bool {
    guard let (value, end) = names.match(kind, in: text, at: index, takesDot: takesDot)
    else { return false }
    index = end
    switch kind {
    case .month: month = Int(value)
    case .weekday: weekdays = value
    case .half: half = value
    }
    return true
  }

  private mutating func takeOrdinal(_ names: TimeNames) -> Bool {
    guard let value = openDigits(1, 2),
      let end = names.endOfOrdinal(value, in: text, at: index)
    else { return false }
    index = end
    return set(.day, value)
  }

  /// Reads this many digits after the seconds' decimal sign, any number if it is 0.
  private mutating func takeFraction(_ count: Int) -> Bool {
    let start = index
    guard (count > 0 ? digits(count) : openDigits(1, 9)) != nil else { return false }
    fraction = start..<index
    return true
  }

  private mutating func takeUTC() -> Bool {
    for name in ["GMT", "UTC", "UT", "Z"] as [StaticString] where pass(name) {
      offset = 0
      return true
    }
    return false
  }

  /// Keeps a number. Returns whether it may be that of a time.
  private mutating func set(_ number: TimeFormat.Number, _ value: Int) -> Bool {
    switch number {
    case .year:
      year = value
      return value > 0
    case .month:
      month = value
      return 1...12 ~= value
    case .day:
      day = value
      return 1...31 ~= value
    case .minute:
      minute = value
      return value < 60
    case .second:
      second = value
      return value <= 60
    case .hour, .hourFromOne, .halfHour, .halfHourFromZero:
      hasHour = true
      isHalfHour = number == .halfHour || number == .halfHourFromZero
      hour = number == .halfHour ? value % 12 : number == .hourFromOne ? value % 24 : value
      switch number {
      case .hourFromOne: return 1...24 ~= value
      case .halfHour: return 1...12 ~= value
      case .halfHourFromZero: return value < 12
      default: return value <= 24
      }
    }
  }

  /// The time of the numbers that were read; nil if there is no such time.
  @inline(__always)
  fileprivate var written: WrittenInstant? {
    guard let day = Day(year: year, month: month, day: day) else { return nil }
    if weekdays != 0 {
      // 1970-01-01 was a Thursday.
      let weekday = dividingDown(Int(day.number) + 3, by: 7).1
      guard weekdays & 1 << UInt8(weekday) != 0 else { return nil }
    }
    var hour = hour
    if half != 0 {
      if isHalfHour {
        hour += half == 2 ? 12 : 0
      } else if (hour >= 12) != (half == 2) {
        return nil
      }
    }
    guard let time = TimeOfDay.seconds(hour, minute, min(second, 59)),
      time < TimeOfDay.end || second == 0
    else { return nil }
    var written = WrittenInstant(day: day, time: time)
    written.isLeapSecond = second == 60
    written.hasTime = hasHour
    written.fraction = fraction
    written.offset = offset
    return written
  }

  // MARK: Parts of the text

  /// Reads this many digits. Nil if there are fewer.
  @inline(__always)
  private mutating func digits(_ count: Int) -> Int? {
    guard self.count &- index >= count else { return nil }
    var value = 0
    if count == 2 {
      guard let both = FixedTime.twoDigits(text, at: index) else { return nil }
      value = both
    } else {
      for place in index..<index &+ count {
        let digit = text[place] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value &* 10 &+ Int(digit)
      }
    }
    index &+= count
    return value
  }

  /// Reads `least` to `most` digits, so that `after` more are left. Nil if there are too few.
  private mutating func openDigits(_ least: Int, _ most: Int, after: Int = 0) -> Int? {
    var count = 0
    while count < most + after, index + count < self.count,
      text[index + count] &- UInt8(ascii: "0") < 10
    {
      count += 1
    }
    count = min(most, count - after)
    return count >= least ? digits(count) : nil
  }

  private mutating func takeOffset(_ form: TimeFormat.Offset) -> Bool {
    if form.takesZ, pass(UInt8(ascii: "Z")) {
      offset = 0
      return true
    }
    let isWest = index < text.count && text[index] == UInt8(ascii: "-")
    guard pass(UInt8(ascii: "+")) || pass(UInt8(ascii: "-")), let hours = digits(2), hours < 24
    else { return false }
    var seconds = hours * 3600
    let mark = index
    if !form.hasColon || pass(UInt8(ascii: ":")), let minutes = digits(2), minutes < 60 {
      seconds += minutes * 60
    } else if form.minutes == .must {
      return false
    } else {
      index = mark
    }
    offset = isWest ? -seconds : seconds
    return true
  }

  /// Whether a space comes, and then a sign or a letter of ASCII.
  @inline(__always)
  private var isSingleSpace: Bool {
    count &- index > 1 && text[index] == UInt8(ascii: " ")
      && text[index &+ 1] &- UInt8(ascii: "!") < 0x5E
  }

  @inline(__always)
  private mutating func pass(_ byte: UInt8) -> Bool {
    guard index < count, text[index] == byte else { return false }
    index &+= 1
    return true
  }

  private mutating func pass(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard text.count - index >= count else { return false }
    for offset in 0..<count where text[index + offset] != name.utf8Start[offset] { return false }
    index += count
    return true
  }
}

extension FirstFormat {
  /// Reads a text in the format, which has these names. Returns nil if it does not fit: another
  /// format of the rule may, and ``FormatReader/read(_:_:_:)`` tells why none does.
  func read(_ text: UnsafeRawBufferPointer, _ names: TimeNames) -> WrittenInstant? {
    var reader = FormatReader(text, firstYear)
    for place in 0..<count {
      guard reader.take(steps[place], names) else { return nil }
    }
    return reader.isAtEnd ? reader.written : nil
  }
}

/// A point in time as a text writes it.
struct WrittenInstant {
  /// The day in the text.
  var day: Day
  /// Seconds after midnight. A leap second counts as the one before it.
  var time = 0
  /// Whether the second is the 60th, a leap second.
  var isLeapSecond = false
  /// The place in the text of the digits after the seconds' decimal sign.
  var fraction = 0..<0
  /// Whether the seconds are in the text.
  var hasSeconds = false
  /// Whether there is a time at all; else it is midnight.
  var hasTime = true
  /// The offset from UTC in seconds, positive is east; nil if the text has none.
  var offset: Int?
  /// The place in the text of the offset.
  var offsetPlace = 0..<0

  /// Seconds since 1970-01-01 00:00:00 on the clock of the text.
  var local: Int { Int(day.number) * 86_400 + time }
}
