/// A time zone: the offset of its clocks from UTC, and when they are changed.
///
///     Europe/London 2026      01:00 UTC                     01:00 UTC
///     ───────── +00:00 ──────────┤├───────── +01:00 ───────────┤├────── +00:00 ─────
///                            29 March                      25 October
///              01:00 to 02:00 is on no clock      01:00 to 02:00 comes twice
///
/// Times are seconds: instants since 1970-01-01T00:00:00Z, without leap seconds, and local times as
/// a clock shows them, since the clock's own 1970-01-01 00:00:00.
package struct Zone: Sendable, Equatable {
  /// A time in which the clocks are not changed.
  struct Stretch: Equatable {
    /// The first instant; `Int.min` if there is none before.
    var start: Int
    /// The instant after the last one; `Int.max` if there is none.
    var end: Int
    /// The offset of the clocks from UTC, in seconds; positive is east.
    var offset: Int

    static let none = Stretch(start: 0, end: 0, offset: 0)

    func contains(_ instant: Int) -> Bool { start <= instant && instant < end }
  }

  /// What a local time can mean. The arguments are offsets from UTC in seconds.
  enum Reading: Equatable {
    /// One instant.
    case once(Int)
    /// No instant: the clocks pass over it. They have these offsets before and after.
    case never(before: Int, after: Int)
    /// Two instants, because clocks are put back.
    case twice(earlier: Int, later: Int)
  }

  /// UTC, or the time of a clock that is never changed.
  package static let utc = Zone(offset: 0)

  /// The largest offset that a zone may have, in seconds (RFC 9636, section 3.2: 26 hours).
  static let largestOffset = 93_600

  /// The offset before the first change.
  let first: Int
  let changes: [Change]
  /// What holds after the last change; nil if nothing changes any more.
  let rule: ZoneRule?

  /// A change of the clocks.
  struct Change: Sendable, Equatable {
    /// The instant.
    var instant: Int
    /// The offset from then on.
    var offset: Int
    /// The letters of the time from then on, `BST`; empty if they are not known.
    var name = ""
    /// Whether that is the time of summer.
    var isSummer = false
  }

  /// Makes the zone of a clock that is never changed.
  package init(offset: Int) { self.init(first: offset, changes: [], rule: nil) }

  /// Makes a zone. The changes are in order. The rule holds after the last one.
  init(first: Int, changes: [Change], rule: ZoneRule?) {
    self.first = first
    self.changes = changes
    self.rule = rule
  }

  /// Returns the offset from UTC at an instant.
  package func offset(at instant: Int) -> Int { stretch(at: instant).offset }

  /// Returns the time around an instant in which the clocks are not changed.
  func stretch(at instant: Int) -> Stretch {
    // The number of changes up to the instant.
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].instant <= instant { low = middle + 1 } else { high = middle }
    }
    let start = low == 0 ? Int.min : changes[low - 1].instant
    guard low == changes.count, let rule else {
      return Stretch(
        start: start, end: low < changes.count ? changes[low].instant : .max,
        offset: low == 0 ? first : changes[low - 1].offset)
    }
    let stretch = rule.stretch(at: instant)
    return Stretch(
      start: max(start, stretch.start), end: stretch.end, offset: stretch.offset)
  }

  /// Returns the instant of a local time: the earlier of two. A time that the clocks pass over is
  /// read by the clock before the change.
  func instant(of local: Int) -> Int {
    switch reading(of: local) {
    case .once(let offset), .never(let offset, _), .twice(let offset, _): local - offset
    }
  }

  /// Returns the day at an instant.
  package func day(at instant: Int) -> Day {
    // Any clock can be set to any time. Days have 32 bits.
    let instant = min(max(instant, -(1 << 46)), 1 << 46)
    let local = instant + offset(at: instant)
    return Day(number: Int32(clamping: dividingDown(local, by: 86_400).quotient))
  }

  /// Returns what a local time means.
  func reading(of local: Int) -> Reading {
    var offsets: [Int] = []
    var gap: Reading?
    var stretch = stretch(at: local - Self.largestOffset)
    while true {
      let instant = local - stretch.offset
      if stretch.contains(instant) { offsets.append(stretch.offset) }
      guard stretch.end <= local + Self.largestOffset else { break }
      let next = self.stretch(at: stretch.end)
      if stretch.end + stretch.offset <= local, local < stretch.end + next.offset {
        gap = .never(before: stretch.offset, after: next.offset)
      }
      stretch = next
    }
    guard let earlier = offsets.first, let later = offsets.last else {
      return gap ?? .once(stretch.offset)
    }
    return earlier == later ? .once(earlier) : .twice(earlier: earlier, later: later)
  }
}

/// The rule of a zone for all years: the value of POSIX's variable `TZ`, as the last line of a
/// zone's file has it (RFC 9636, section 3.3).
///
///     GMT0BST,M3.5.0/1,M10.5.0       the last Sunday of March at 1:00, that of October at 2:00
struct ZoneRule: Sendable, Equatable {
  /// A day and time of a year at which the clocks are changed.
  struct Moment: Sendable, Equatable {
    enum Day: Sendable, Equatable {
      /// `M3.5.0`: the month, the week in it, of which 5 is the last, and the day of the week from
      /// 0 for Sunday.
      case weekday(month: Int, week: Int, day: Int)
      /// `J60`: the day of a year without 29 February, from 1.
      case dayWithoutLeapDay(Int)
      /// `59`: the day of the year, from 0.
      case day(Int)
    }

    var day: Day
    /// Seconds after midnight on the clock before it is changed. It may lie on another day.
    var time = 7200
  }

  /// The offset from UTC of the standard time, in seconds; positive is east.
  var standard: Int
  /// The letters of the standard time and of the other one, `GMT` and `BST`.
  var names = (standard: "", other: "")
  /// The other time of the year; nil if there is none.
  var other: (offset: Int, from: Moment, until: Moment)?

  static func == (a: ZoneRule, b: ZoneRule) -> Bool {
    guard a.standard == b.standard, a.names == b.names else { return false }
    switch (a.other, b.other) {
    case (nil, nil): return true
    case (let a?, let b?): return a == b
    default: return false
    }
  }

  /// Returns the time around an instant in which the clocks are not changed.
  func stretch(at instant: Int) -> Zone.Stretch {
    guard let other else { return Zone.Stretch(start: .min, end: .max, offset: standard) }
    let days = dividingDown(instant + standard, by: 86_400).quotient
    // Before the year 2 and after 9998 nothing can be shown.
    let day = Day(number: Int32(clamping: min(max(days, -718_700), 2_932_000)))
    let year = day.parts.year
    var changes: [(instant: Int, offset: Int, isOther: Bool)] = []
    for year in year - 1...year + 1 {
      changes.append((other.from.instant(in: year, offset: standard), other.offset, true))
      changes.append((other.until.instant(in: year, offset: other.offset), standard, false))
    }
    // Where the other time lasts all the year, its end falls together with its next begin, which
    // counts.
    changes.sort { ($0.instant, $0.isOther ? 1 : 0) < ($1.instant, $1.isOther ? 1 : 0) }
    let next = changes.firstIndex { $0.instant > instant } ?? changes.count
    guard next > 0 else {
      return Zone.Stretch(start: .min, end: changes[0].instant, offset: standard)
    }
    return Zone.Stretch(
      start: changes[next - 1].instant, end: next < changes.count ? changes[next].instant : .max,
      offset: changes[next - 1].offset)
  }
}

extension ZoneRule.Moment {
  /// Returns the instant in a year. The clock before has this offset.
  fileprivate func instant(in year: Int, offset: Int) -> Int {
    dayNumber(in: year) * 86_400 + time - offset
  }

  /// Returns the number of its day since 1970-01-01.
  private func dayNumber(in year: Int) -> Int {
    func number(_ month: Int, _ day: Int) -> Int {
      Int(Sluice.Day(year: year, month: month, day: day)?.number ?? 0)
    }
    switch day {
    case .weekday(let month, let week, let day):
      let first = number(month, 1)
      // 1970-01-01 was a Thursday, which is 4.
      let weekday = ((first + 4) % 7 + 7) % 7
      var date = 1 + (day - weekday + 7) % 7 + (week - 1) * 7
      while date > Sluice.Day.length(ofMonth: month, year: year) { date -= 7 }
      return first + date - 1
    case .dayWithoutLeapDay(let day):
      let isAfterLeapDay = day >= 60 && Sluice.Day.length(ofMonth: 2, year: year) == 29
      return number(1, 1) + day - 1 + (isAfterLeapDay ? 1 : 0)
    case .day(let day):
      return number(1, 1) + day
    }
  }
}
