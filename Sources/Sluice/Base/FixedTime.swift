/// Reads and writes a date and a time of day whose digits stand at fixed places, eight bytes at
/// once.
///
///     2020-06-22T10:05:00.5+03:00
///     └──────┘                     the year and the month
///             └┘ └──────┘          the day; the time of day
///                          └────┘  the offset
///
/// A byte becomes its digit, and a separator 0, if it differs from the pattern in no higher bit. It
/// says nothing about what else a text may be: a slower parser reads all other forms, and finds
/// what is wrong.
enum FixedTime {
  /// The length of a date, and that of a date with a time: with its seconds, and without.
  static let date = 10
  static let dateAndTime = 19
  static let dateAndMinute = 16

  /// Returns the parts of the date that a text begins with; nil if it does not, or is shorter.
  @inline(__always)
  static func date(_ text: UnsafeRawBufferPointer) -> (year: Int, month: Int, day: Int)? {
    guard text.count >= date, let start = text.baseAddress,
      let first = digits(start, pattern: 0x2D30_302D_3030_3030, separators: 0xFF00_00FF_0000_0000)
    else { return nil }
    let day = (text[8] &- UInt8(ascii: "0"), text[9] &- UInt8(ascii: "0"))
    guard day.0 < 10, day.1 < 10 else { return nil }
    return (
      two(first, 0) &* 100 &+ two(first, 16), two(first, 40), Int(day.0) &* 10 &+ Int(day.1)
    )
  }

  /// Returns the parts of the date that a text begins with, `22.06.2020`; nil if it does not, or is
  /// shorter.
  @inline(__always)
  static func dottedDate(
    _ text: Slice<UnsafeRawBufferPointer>
  ) -> (year: Int, month: Int, day: Int)? {
    guard text.count >= date, let start = UnsafeRawBufferPointer(rebasing: text).baseAddress,
      let (day, month, year) = numbers(ofDate: start, sign: UInt8(ascii: "."))
    else { return nil }
    return (year, month, day)
  }

  /// Returns the three numbers of ten bytes like `22.06.2020`, with this sign between them; nil if
  /// there are none.
  @inline(__always)
  static func numbers(
    ofDate start: UnsafeRawPointer, sign: UInt8
  ) -> (first: Int, second: Int, year: Int)? {
    let sign = UInt64(sign)
    guard
      let front = digits(
        start, pattern: 0x3030_0030_3000_3030 | sign &<< 16 | sign &<< 40,
        separators: 0x0000_FF00_00FF_0000),
      // The last eight bytes end with the four of the year.
      let year = digits(
        start + 2, pattern: 0x3030_3030_0030_3000 | sign | sign &<< 24,
        separators: 0x0000_0000_FF00_00FF)
    else { return nil }
    return (two(front, 0), two(front, 24), two(year, 32) &* 100 &+ two(year, 48))
  }

  /// Returns the day of the date that a text begins with; nil if it does not, or if there is no
  /// such day.
  @inline(__always)
  static func day(_ text: UnsafeRawBufferPointer) -> Day? {
    date(text).flatMap { Day(year: $0.year, month: $0.month, day: $0.day) }
  }

  /// Returns whether nothing follows the date in a text, or midnight: `2020-06-22T00:00:00`, also
  /// with `.000`. The date itself is not looked at.
  @inline(__always)
  static func isMidnight(afterDateIn text: UnsafeRawBufferPointer) -> Bool {
    if text.count == date { return true }
    guard let start = text.baseAddress, text.count == dateAndTime || text.count == dateAndTime + 4,
      text[date] == UInt8(ascii: "T") || text[date] == UInt8(ascii: " "),
      word(start + date + 1) == 0x3030_3A30_303A_3030
    else { return false }
    return text.count == dateAndTime || word(start + dateAndTime - 4) &>> 32 == 0x3030_302E
  }

  /// Returns the parts of the time at eight bytes; nil if there is none. They may be too large.
  @inline(__always)
  static func time(_ start: UnsafeRawPointer) -> (hour: Int, minute: Int, second: Int)? {
    guard
      let all = digits(start, pattern: 0x3030_3A30_303A_3030, separators: 0x0000_FF00_00FF_0000)
    else { return nil }
    return (two(all, 0), two(all, 24), two(all, 48))
  }

  /// Returns the parts of the time of day at eight bytes; nil if there is none. A leap second is in
  /// none.
  @inline(__always)
  static func timeOfDay(_ start: UnsafeRawPointer) -> (hour: Int, minute: Int, second: Int)? {
    timeOfDay(word(start))
  }

  /// The same at the eight bytes of a word.
  @inline(__always)
  static func timeOfDay(_ word: UInt64) -> (hour: Int, minute: Int, second: Int)? {
    guard
      let all = digits(
        word, pattern: 0x3030_3A30_303A_3030, separators: 0x0000_FF00_00FF_0000,
        // The tens of minutes and seconds are at most five.
        beyond: 0x060A_0006_0A00_0606)
    else { return nil }
    let hour = two(all, 0)
    return hour < 24 ? (hour, two(all, 24), two(all, 48)) : nil
  }

  /// Returns the time that follows a date and a mark, as eight bytes: `10:05:00`, which may be
  /// written without the seconds, and may be none. Nil if the text has another length, or another
  /// mark.
  @inline(__always)
  static func timeWord(afterDateIn text: UnsafeRawBufferPointer) -> UInt64? {
    guard let start = text.baseAddress, text.count == dateAndTime || text.count == dateAndMinute,
      text[date] == UInt8(ascii: "T") || text[date] == UInt8(ascii: " ")
    else { return nil }
    if text.count == dateAndTime { return word(start + date + 1) }
    return word(start + dateAndMinute - 8) &>> 24 | 0x3030_3A00_0000_0000
  }

  /// Returns the offset from UTC at six bytes, `+03:00`, in seconds; nil if there is none. The two
  /// bytes before them must be readable, and are digits in all that is read here.
  @inline(__always)
  static func offset(_ start: UnsafeRawPointer) -> Int? {
    let sign = start.load(as: UInt8.self)
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let minutes = minutes(start, after: sign)
    else { return nil }
    let seconds = minutes &* 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// Returns the offset from UTC that a text is, in seconds: `Z`, `+03`, `+0300` or `+03:00`. Nil if
  /// it is none. The text must not be empty.
  @inline(__always)
  static func shortOffset(_ text: UnsafeRawBufferPointer) -> Int? {
    if text.count == 1 { return text[0] == UInt8(ascii: "Z") ? 0 : nil }
    let sign = text[0]
    guard text.count == 3 || text.count == 5 || text.count == 6 && text[3] == UInt8(ascii: ":"),
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = twoDigits(text, at: 1),
      let minutes = text.count == 3 ? 0 : twoDigits(text, at: text.count - 2),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = (hours &* 60 &+ minutes) &* 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// Returns the number of the two digits at an index of a text; nil if there is another byte.
  @inline(__always)
  static func twoDigits(_ text: UnsafeRawBufferPointer, at index: Int) -> Int? {
    let (tens, ones) = (text[index] &- UInt8(ascii: "0"), text[index &+ 1] &- UInt8(ascii: "0"))
    return tens < 10 && ones < 10 ? Int(tens &* 10 &+ ones) : nil
  }

  /// Returns the minutes of the hours and minutes after this sign; nil if there are none, or more
  /// than those of a day.
  @inline(__always)
  private static func minutes(_ start: UnsafeRawPointer, after mark: UInt8) -> Int? {
    guard
      let all = digits(
        start - 2, pattern: 0x3030_3A30_3000_3030 | UInt64(mark) &<< 16,
        separators: 0x0000_FF00_00FF_0000)
    else { return nil }
    let (hours, minutes) = (two(all, 24), two(all, 48))
    guard hours < 24, minutes < 60 else { return nil }
    return hours &* 60 &+ minutes
  }

  /// Returns the number of eight digits; nil if there is another byte.
  @inline(__always)
  static func number(_ start: UnsafeRawPointer) -> Int? {
    number(word(start))
  }

  /// Returns the number of one to sixteen digits; nil if there is another byte, or if they are
  /// more. Eight bytes from `start` on are readable.
  @inline(__always)
  static func number(_ start: UnsafeRawPointer, count: Int) -> Int? {
    guard count > 8 else { return leading(start, count) }
    guard count <= 16, let high = leading(start, count &- 8), let low = number(start + (count &- 8))
    else { return nil }
    return high &* 100_000_000 &+ low
  }

  /// Returns the number of the first one to eight digits at eight bytes.
  @inline(__always)
  private static func leading(_ start: UnsafeRawPointer, _ count: Int) -> Int? {
    let missing = 64 &- 8 &* UInt64(truncatingIfNeeded: count)
    // Zeros before them.
    let before = zeros & ((1 &<< missing) &- 1)
    return number(word(start) &<< missing | before)
  }

  @inline(__always)
  private static func word(_ start: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
  }

  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// Returns the number of eight digits, the first in the lowest byte.
  @inline(__always)
  private static func number(_ word: UInt64) -> Int? {
    guard let ones = digits(word, pattern: zeros, separators: 0) else { return nil }
    // Neighbours are put together: to numbers of two digits, of four, of eight.
    let twos = (ones &* 10 &+ ones &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (twos &* 100 &+ twos &>> 16) & 0x0000_FFFF_0000_FFFF
    return Int(truncatingIfNeeded: (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF)
  }

  /// Returns the digits at eight bytes; nil if they are no digits with these separators between.
  @inline(__always)
  private static func digits(
    _ start: UnsafeRawPointer, pattern: UInt64, separators: UInt64
  ) -> UInt64? {
    digits(word(start), pattern: pattern, separators: separators)
  }

  @inline(__always)
  private static func digits(
    _ word: UInt64, pattern: UInt64, separators: UInt64, beyond: UInt64 = 0x0606_0606_0606_0606
  ) -> UInt64? {
    let all = word ^ pattern
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    // Six more than a digit above nine is a bit higher, and ten more than one above five.
    let isBeyond = (all | (all &+ beyond)) & high != 0
    return all & separators == 0 && !isBeyond ? all : nil
  }

  /// Returns the number of the two digits at these bits.
  @inline(__always)
  private static func two(_ digits: UInt64, _ bits: UInt64) -> Int {
    Int(truncatingIfNeeded: (digits &>> bits) & 0xF) &* 10
      &+ Int(truncatingIfNeeded: (digits &>> (bits &+ 8)) & 0xF)
  }

  // MARK: Writing

  /// Writes a date: ten bytes. Returns the place after them.
  @inline(__always)
  static func put(
    _ date: (year: Int, month: Int, day: Int), at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let year = bytes(date.year / 100) | bytes(date.year % 100) &<< 16
    put(year | bytes(date.month) &<< 40 | 0x2D00_002D_0000_0000, at: place)
    UnsafeMutableRawPointer(place + 8).storeBytes(
      of: UInt16(truncatingIfNeeded: bytes(date.day)).littleEndian, as: UInt16.self)
    return place + Self.date
  }

  /// Writes a time of day: eight bytes. Returns the place after them.
  @inline(__always)
  static func put(
    hour: Int, minute: Int, second: Int, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let minutes = bytes(minute) &<< 24
    put(bytes(hour) | minutes | bytes(second) &<< 48 | 0x0000_3A00_003A_0000, at: place)
    return place + 8
  }

  /// Writes a fraction of a second: a point and three digits. Returns the place after them.
  @inline(__always)
  static func put(
    thousandths: Int, at place: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let hundreds = thousandths / 100
    place[0] = UInt8(ascii: ".")
    place[1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: hundreds)
    UnsafeMutableRawPointer(place + 2).storeBytes(
      of: UInt16(truncatingIfNeeded: bytes(thousandths &- hundreds &* 100)).littleEndian,
      as: UInt16.self)
    return place + 4
  }

  /// Writes eight bytes.
  @inline(__always)
  static func put(_ word: UInt64, at place: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(place).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// Returns the two bytes of a number below 100.
  @inline(__always)
  private static func bytes(_ number: Int) -> UInt64 {
    let number = UInt64(truncatingIfNeeded: number) & 0x7F
    let tens = (number &* 103) &>> 10
    return 0x3030 | tens | (number &- tens &* 10) &<< 8
  }
}
