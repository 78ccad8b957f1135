import Glibc

/// A day of the proleptic Gregorian calendar, as the number of days since 1970-01-01.
public struct Day: BitwiseCopyable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Days since 1970-01-01. Earlier days are negative.
  public var number: Int32

  /// Makes a day from its number.
  public init(number: Int32) { self.number = number }

  /// Makes a day from its parts. Nil if the calendar has no such day or if the year is not 1 to
  /// 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard year > 0, year <= 9999, month > 0, month <= 12, day > 0,
      day <= 28 || day <= Day.length(ofMonth: month, year: year)
    else { return nil }
    // In years that begin in March the leap day is the last day, so months have a regular length.
    let isBefore = month < 3
    let years = UInt(bitPattern: isBefore ? year &- 1 : year)
    let months = UInt(bitPattern: isBefore ? month &+ 12 : month)
    let centuries = years / 100
    let days = 1461 &* years / 4 &- centuries &+ centuries / 4 &+ (979 &* months &- 2919) / 32
    number = Int32(truncatingIfNeeded: Int(bitPattern: days) &+ day &- 719_469)
  }

  /// The year, the month (1 to 12) and the day of the month.
  ///
  /// The divisions are multiplications with a shift, exact for all numbers of these sizes (Neri and
  /// Schneider, "Euclidean affine functions and their application to calendar algorithms", 2022).
  public var parts: (year: Int, month: Int, day: Int) {
    // Days since a 1 March, in years that begin then: the leap day is the last one.
    let eras = 15_000
    let days = 4 &* UInt64(Int(number) &+ 719_468 &+ eras &* 146_097) &+ 3
    let century = days / 146_097
    let inCentury = days % 146_097 | 3
    let years = 2_939_745 &* inCentury
    let dayOfYear = UInt64(UInt32(truncatingIfNeeded: years)) / 2_939_745 / 4
    let months = 2141 &* dayOfYear &+ 197_913
    let isNext = dayOfYear >= 306
    let year = Int(100 &* century &+ years &>> 32) &- 400 &* eras &+ (isNext ? 1 : 0)
    return (
      year, Int(months &>> 16) &- (isNext ? 12 : 0), Int((months & 0xFFFF) / 2141) &+ 1
    )
  }

  /// Orders days by time.
  public static func < (a: Day, b: Day) -> Bool { a.number < b.number }

  /// The day in ISO 8601's format: `2020-06-22`.
  public var description: String {
    var text = ByteBuffer(capacity: 16)
    append(to: &text)
    return String(decoding: text.contents, as: UTF8.self)
  }

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Appends the day in ISO 8601's extended format, `2020-06-22`, or the basic one, `20200622`.
  func append(to buffer: inout ByteBuffer, isBasic: Bool = false) {
    let place = buffer.end(withRoom: FixedTime.date)
    _ = FixedTime.put(parts, at: place)
    guard isBasic else { return buffer.commit(FixedTime.date) }
    (place[4], place[5], place[6], place[7]) = (place[5], place[6], place[8], place[9])
    buffer.commit(8)
  }
}

/// Reads points in time in the format of ``InstantParser``: `2020-06-22T10:00:00.5+03:00`.
package enum InstantText {
  /// Returns the whole seconds since 1970 of a text. The text must have this format.
  static func seconds(_ text: UnsafeRawBufferPointer) -> Int {
    guard text.count >= 20, let day = day(text) else { return 0 }
    let time = number(text, 11, 2) * 3600 + number(text, 14, 2) * 60 + number(text, 17, 2)
    return Int(day.number) * 86_400 + time - offset(text)
  }

  /// Returns the day in a text that begins with one, `2020-06-22`, and is at least that long; nil
  /// if there is no such day.
  static func day(_ text: UnsafeRawBufferPointer) -> Day? {
    Day(year: number(text, 0, 4), month: number(text, 5, 2), day: number(text, 8, 2))
  }

  /// Returns the offset from UTC in a text of this format, in seconds.
  static func offset(_ text: UnsafeRawBufferPointer) -> Int {
    guard text.count >= 20, text[text.count - 1] != UInt8(ascii: "Z") else { return 0 }
    let offset = number(text, text.count - 5, 2) * 3600 + number(text, text.count - 2, 2) * 60
    return text[text.count - 6] == UInt8(ascii: "-") ? -offset : offset
  }

  /// Returns the `count` digits from `start` on as a number.
  private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int {
    text[start..<start + count].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
  }
}

extension InstantText {
  /// Appends an instant as the time on its clock, without the offset: `2020-06-22 10:00:00`.
  /// Spreadsheets read that as a time and can reckon with it. A fraction of a second follows a
  /// comma.
  static func appendLocal(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    guard text.count >= 20 else { return buffer.append(text) }
    buffer.append(UnsafeRawBufferPointer(rebasing: text[..<10]))
    buffer.append(" ")
    buffer.append(UnsafeRawBufferPointer(rebasing: text[11..<19]))
    let fraction = text[20...].prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard text[19] == UInt8(ascii: "."), !fraction.isEmpty else { return }
    buffer.append(",")
    buffer.append(UnsafeRawBufferPointer(rebasing: fraction))
  }

  /// Returns seconds since 1970 in RFC 3339's format, in UTC: `2020-06-22T10:00:00Z`.
  package static func utc(_ seconds: Int) -> String {
    let (days, rest) = dividingDown(seconds, by: 86_400)
    let day = Day(number: Int32(clamping: days))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day)T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }
}

/// Reads the system's monotonic clock, which nobody can set.
///
/// The standard library's clocks would link its whole runtime for tasks into the program, and every
/// start would pay for it.
enum MonotonicTime {
  /// Nanoseconds since some moment, which is the same for the whole run.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// The moment at which a run stops waiting for answers.
package struct RunDeadline: Equatable, Sendable {
  /// The length of time that the run was given, in seconds.
  package let seconds: Int
  private let end: Int

  /// Makes the deadline of a run that begins now.
  package init(seconds: Int) {
    self.seconds = seconds
    // Longer ones never come.
    end = MonotonicTime.now + min(seconds, 1 << 32) * 1_000_000_000
  }

  /// The number of seconds that are left.
  package var left: Double { Double(end - MonotonicTime.now) * 1e-9 }
  /// Whether it has passed.
  package var hasPassed: Bool { MonotonicTime.now >= end }
}

/// A run's source of time and chance: the system, or a test's replacement.
package struct SyncClock: Sendable {
  /// The time, in seconds since 1970.
  package var now: @Sendable () -> Int
  /// Seconds since some moment. The value never decreases.
  package var elapsed: @Sendable () -> Double
  /// Waits for this many seconds.
  package var wait: @Sendable (Double) -> Void
  /// Returns a random number between 0 and the argument.
  var random: @Sendable (Double) -> Double

  /// The system's clocks and random numbers.
  package static let system = SyncClock(
    now: { time(nil) },
    elapsed: {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    },
    wait: { seconds in
      var rest = timespec(
        tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
      while true {
        var left = timespec()
        guard nanosleep(&rest, &left) != 0, errno == EINTR else { return }
        rest = left
      }
    },
    random: { Double.random(in: 0...max(0, $0)) })
}
