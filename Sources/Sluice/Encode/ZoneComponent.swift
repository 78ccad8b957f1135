/// Writes a time zone as a calendar has it: a VTIMEZONE (RFC 5545, section 3.6.5).
///
///     BEGIN:DAYLIGHT
///     DTSTART:19960331T010000            on the clock before the change
///     TZOFFSETFROM:+0000
///     TZOFFSETTO:+0100
///     RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
///     END:DAYLIGHT
///
/// Changes of the past are lists of times (RDATE). What goes on for ever is a rule. The component
/// is right from a certain instant on.
struct ZoneComponent {
  /// 1970-01-01T00:00:00Z without the largest offset: every local time from 1970 on is after it.
  static let usualStart = -Zone.largestOffset
  /// 1601-01-01T00:00:00Z. Before it no zone has a change.
  static let earliestStart = -11_644_473_600
  /// The year up to which changes are listed that no rule of RFC 5545 can say.
  private static let lastListedYear = 2400

  private let zone: Zone
  private let name: String
  private let start: Int

  /// Makes the component of a zone, for instants from `start` on.
  init(_ zone: Zone, named name: String, from start: Int) {
    self.zone = zone
    self.name = name
    self.start = start
  }

  /// A time of the clocks, with the changes that begin it.
  private struct Observance {
    var from: Int
    var to: Int
    var name: String
    var isSummer: Bool
    /// The local times of the changes, on the clock before.
    var onsets: [Int]
    var rule: String?
  }

  /// Its lines. None is folded.
  var lines: [String] {
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(name)"]
    for observance in observances { lines += Self.lines(of: observance) }
    return lines + ["END:VTIMEZONE"]
  }

  private static func lines(of observance: Observance) -> [String] {
    let kind = observance.isSummer ? "DAYLIGHT" : "STANDARD"
    let onsets = observance.onsets.map(CalendarTime.local)
    var lines = [
      "BEGIN:\(kind)", "DTSTART:\(onsets[0])", "TZOFFSETFROM:\(offset(observance.from))",
      "TZOFFSETTO:\(offset(observance.to))",
    ]
    if !observance.name.isEmpty { lines.append("TZNAME:\(observance.name)") }
    if let rule = observance.rule { lines.append("RRULE:\(rule)") }
    if onsets.count > 1 { lines.append("RDATE:\(onsets.dropFirst().joined(separator: ","))") }
    return lines + ["END:\(kind)"]
  }

  /// Returns a UTC offset (RFC 5545, section 3.3.14): `+0100`, and `-000115` with seconds.
  private static func offset(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let size = abs(seconds)
    let rest = size % 60 == 0 ? "" : two(size % 60)
    return "\(seconds < 0 ? "-" : "+")\(two(size / 3600))\(two(size / 60 % 60))\(rest)"
  }

  // MARK: Observances

  private var observances: [Observance] {
    let known = zone.changes
    let ruled = zone.changesBeforeRule
    // What holds at the start.
    let before = known.last { $0.instant <= start }
    var offset = zone.offset(at: start)
    var observances = [
      Observance(
        from: offset, to: offset, name: before?.name ?? "", isSummer: false,
        onsets: [start + offset])
    ]
    for change in known[..<ruled] where change.instant > start {
      // Other letters alone are no change.
      guard change.offset != offset else { continue }
      let onset = change.instant + offset
      if let index = observances.firstIndex(where: {
        ($0.from, $0.to, $0.name, $0.isSummer)
          == (offset, change.offset, change.name, change.isSummer)
      }) {
        observances[index].onsets.append(onset)
      } else {
        observances.append(
          Observance(
            from: offset, to: change.offset, name: change.name, isSummer: change.isSummer,
            onsets: [onset]))
      }
      offset = change.offset
    }
    if let rule = zone.rule, let other = rule.other {
      // The rule holds from the first change on that it says too. There may be years before without
      // one.
      let first = ruled < known.count ? known[ruled].instant - 1 : known.last?.instant ?? start
      observances += repeated(rule, other, after: max(start, first), from: offset)
    }
    return observances
  }

  /// Returns the observances of a rule that holds for ever after an instant, at which clocks have
  /// an offset.
  private func repeated(
    _ rule: ZoneRule,
    _ other: (offset: Int, from: ZoneRule.Moment, until: ZoneRule.Moment), after end: Int,
    from offset: Int
  ) -> [Observance] {
    // The first change to each of the two times.
    var first: [Observance] = []
    var stretch = rule.stretch(at: end)
    func observance(from offset: Int, _ next: Zone.Stretch, isRule: Bool) -> Observance {
      let isOther = next.offset == other.offset
      return Observance(
        from: offset, to: next.offset,
        name: isOther ? rule.names.other : rule.names.standard, isSummer: isOther,
        onsets: [stretch.end + offset],
        rule: isRule ? (isOther ? other.from : other.until).recurrence : nil)
    }
    // A zone may come to its rule from another offset.
    var entry: [Observance] = []
    if stretch.offset != offset, stretch.end < Int.max {
      let next = rule.stretch(at: stretch.end)
      if next.offset != offset { entry = [observance(from: offset, next, isRule: false)] }
      stretch = next
    }
    for _ in 0..<2 {
      guard stretch.end < Int.max else { return entry }
      let next = rule.stretch(at: stretch.end)
      // Where the other time lasts all the year, nothing changes.
      guard next.offset != stretch.offset else { return entry }
      first.append(observance(from: stretch.offset, next, isRule: true))
      stretch = next
    }
    guard first.contains(where: { $0.rule == nil }) else { return entry + first }
    return entry + listed(first, rule, from: stretch)
  }

  /// Lists the changes that a rule of RFC 5545 cannot say. No zone of the database has such.
  private func listed(
    _ first: [Observance], _ rule: ZoneRule, from stretch: Zone.Stretch
  ) -> [Observance] {
    var observances = first
    for index in observances.indices { observances[index].rule = nil }
    var (stretch, index) = (stretch, 0)
    while stretch.end < Int.max {
      let onset = stretch.end + stretch.offset
      let day = Day(number: Int32(clamping: dividingDown(onset, by: 86_400).quotient))
      guard day.parts.year < Self.lastListedYear else { break }
      observances[index].onsets.append(onset)
      stretch = rule.stretch(at: stretch.end)
      index = 1 - index
    }
    return observances
  }
}

extension Zone {
  /// The number of its changes before those that its rule says too.
  fileprivate var changesBeforeRule: Int {
    guard let rule, rule.other != nil else { return changes.count }
    var count = changes.count
    while count > 0 {
      let change = changes[count - 1]
      let stretch = rule.stretch(at: change.instant)
      guard stretch.start == change.instant, stretch.offset == change.offset,
        count == changes.count || stretch.end == changes[count].instant
      else { break }
      count -= 1
    }
    return count
  }
}

extension ZoneRule.Moment {
  /// The moment as a rule of RFC 5545 (section 3.3.10); nil if there is no such rule.
  ///
  /// The time may lie on another day: 26:00 on the fourth Thursday is 2:00 on the Friday from 23
  /// on.
  fileprivate var recurrence: String? {
    let (shift, _) = dividingDown(time, by: 86_400)
    switch day {
    case .weekday(let month, let week, let day):
      let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
      let yearly = "FREQ=YEARLY;BYMONTH=\(month)"
      guard shift != 0 else {
        return "\(yearly);BYDAY=\(week == 5 ? -1 : week)\(names[day])"
      }
      guard week < 5 || month != 2 else { return nil }
      let last = Sluice.Day.length(ofMonth: month, year: 2001)
      let first = (week == 5 ? last - 6 : week * 7 - 6) + shift
      guard first >= 1, first + 6 <= last else { return nil }
      let dates = (first...first + 6).map(String.init).joined(separator: ",")
      return "\(yearly);BYMONTHDAY=\(dates);BYDAY=\(names[((day + shift) % 7 + 7) % 7])"
    case .dayWithoutLeapDay(let day):
      guard shift == 0, let date = Sluice.Day(year: 2001, month: 1, day: 1) else { return nil }
      let parts = Sluice.Day(number: date.number + Int32(day) - 1).parts
      return "FREQ=YEARLY;BYMONTH=\(parts.month);BYMONTHDAY=\(parts.day)"
    case .day(let day):
      return shift == 0 ? "FREQ=YEARLY;BYYEARDAY=\(day + 1)" : nil
    }
  }
}
