/// The days of a unit on which an event comes again.
package enum SeriesRule: Sendable, Equatable {
  /// Days of the week: 1 for Monday to 7, in order.
  case week([Int])
  /// Days of the month, from 1, in order. A month without a day has none.
  case month([Int])
  /// A day of the year. 29 February is in leap years only.
  case year(month: Int, day: Int)

  /// The rule as RFC 5545 has it (section 3.3.10).
  var text: String {
    switch self {
    case .week(let days):
      let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
      return "FREQ=WEEKLY;BYDAY=\(days.map { names[$0 - 1] }.joined(separator: ","))"
    case .month(let days):
      return "FREQ=MONTHLY;BYMONTHDAY=\(days.map(String.init).joined(separator: ","))"
    case .year(let month, let day): return "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(day)"
    }
  }

  /// The rule for every unit from a day on.
  static func every(_ unit: Recurrence.Unit, from day: Day) -> SeriesRule {
    let parts = day.parts
    return switch unit {
    case .week: .week([day.weekday])
    case .month: .month([parts.day])
    case .year: .year(month: parts.month, day: parts.day)
    }
  }

  /// Reads the days of a unit; several have commas or spaces between. Nil if the text says none.
  ///
  ///     week    mo, Thursday, 7        month   1, 15        year   12-31, 2020-12-31
  static func read(_ text: String, every unit: Recurrence.Unit) -> SeriesRule? {
    let words = text.split { $0 == "," || $0 == ";" || $0 == " " }
    switch unit {
    case .week: return days(words, Self.weekday).map { .week($0) }
    case .month:
      return days(words) { word in
        word.utf8.count <= 2
          ? wholeNumber(word).flatMap { 1...31 ~= $0 ? $0 : nil } : nil
      }.map { .month($0) }
    case .year:
      guard words.count == 1, let word = words.first else { return nil }
      // In a leap year every day is there.
      let day = Day(iso: word.utf8.count == 5 ? "2000-\(word)" : String(word))
      return day.map { .year(month: $0.parts.month, day: $0.parts.day) }
    }
  }

  private static func days(_ words: [Substring], _ read: (Substring) -> Int?) -> [Int]? {
    let numbers = words.compactMap(read)
    guard !numbers.isEmpty, numbers.count == words.count else { return nil }
    return Array(Set(numbers)).sorted()
  }

  /// Reads a day of the week: `mo`, `Mon`, `Monday`, or 1 to 7.
  private static func weekday(_ word: Substring) -> Int? {
    let word = word.lowercased()
    if word.utf8.count == 1 { return Int(word).flatMap { 1...7 ~= $0 ? $0 : nil } }
    let names = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    let index = names.firstIndex { name in
      name == word || (2...3).contains(word.utf8.count) && name.hasPrefix(word)
    }
    return index.map { $0 + 1 }
  }
}

extension SeriesRule {
  /// The number of the unit that a day is in.
  fileprivate func unit(of day: Day) -> Int {
    switch self {
    // 1970-01-01 was a Thursday.
    case .week: dividingDown(Int(day.number) + 3, by: 7).quotient
    case .month: day.parts.year * 12 + day.parts.month - 1
    case .year: day.parts.year
    }
  }

  /// The first day of a unit; nil after the year 9999.
  fileprivate func begin(ofUnit unit: Int) -> Day? {
    switch self {
    case .week:
      let day = Day(number: Int32(unit * 7 - 3))
      return day <= CalendarTime.lastDay ? day : nil
    case .month: return Day(year: unit / 12, month: unit % 12 + 1, day: 1)
    case .year: return Day(year: unit, month: 1, day: 1)
    }
  }
}

extension Day {
  /// The day of the week: 1 for Monday to 7.
  var weekday: Int {
    // 1970-01-01 was a Thursday, which is 4.
    dividingDown(Int(number) + 3, by: 7).remainder + 1
  }
}

/// The days of an event that comes again.
///
///     month [31], from 2026-01-01 until 2026-06-01, except 2026-03-31
///       ─▶ 2026-01-31, 2026-05-31
struct Series: Equatable {
  /// The first day of a series that names none.
  static let usualStart = Day(number: 0)

  var rule: SeriesRule
  var from: Day
  var until: Day
  var except: Set<Day> = []
  /// It comes in every such unit, counted from that of its first day.
  var interval = 1
  /// The day from which its first day is looked for; nil for `from`. It stays if `from` is moved.
  var origin: Day?

  /// The rule as RFC 5545 has it (section 3.3.10). Weeks begin on Monday.
  var text: String { interval > 1 ? "\(rule.text);INTERVAL=\(interval)" : rule.text }

  /// Returns its first day that is not before `day`; nil if there is none.
  func next(from day: Day) -> Day? {
    var day = max(day, from)
    while let found = unexcepted(from: day), found <= until {
      guard except.contains(found) else { return found }
      guard found < CalendarTime.lastDay else { return nil }
      day = Day(number: found.number + 1)
    }
    return nil
  }

  /// The excepted days after one of its days on which it would be.
  func exceptions(after day: Day) -> [Day] {
    except.filter { $0 > day && $0 <= until && unexcepted(from: $0) == $0 }.sorted()
  }

  /// The first day in a unit that counts, also an excepted one, that is not before `day`.
  private func unexcepted(from day: Day) -> Day? {
    guard interval > 1 else { return ofRule(from: day) }
    guard let first = ofRule(from: origin ?? from) else { return nil }
    var day = day
    while let found = ofRule(from: day) {
      let unit = rule.unit(of: found)
      let over = dividingDown(unit - rule.unit(of: first), by: interval).remainder
      if over == 0 { return found }
      guard let next = rule.begin(ofUnit: unit + interval - over) else { return nil }
      day = next
    }
    return nil
  }

  /// The first day of the rule, in any unit, that is not before `day`.
  private func ofRule(from day: Day) -> Day? {
    let parts = day.parts
    switch rule {
    case .week(let days):
      let today = day.weekday
      let ahead = days.map { ($0 - today + 7) % 7 }.min() ?? 0
      let found = Day(number: day.number + Int32(ahead))
      return found <= CalendarTime.lastDay ? found : nil
    case .month(let dates):
      var (year, month) = (parts.year, parts.month)
      // Every month but those of 30 days and February has a 31st.
      for _ in 0..<3 {
        for date in dates {
          if let found = Day(year: year, month: month, day: date), found >= day { return found }
        }
        (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
      }
      return nil
    case .year(let month, let date):
      // Leap years are four years apart, or eight around a century.
      for year in parts.year...parts.year + 8 {
        if let found = Day(year: year, month: month, day: date), found >= day { return found }
      }
      return nil
    }
  }
}
