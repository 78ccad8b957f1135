/// The times of an event that are more than columns: made of a day and a time on it, of a length,
/// or repeated.
package struct EventTiming: Sendable, Equatable {
  /// A place in time.
  package struct Moment: Sendable, Equatable {
    /// The column of its day; for a start it may be one of instants. Nil for the day of the start,
    /// or of the repetition.
    package var day: String?
    /// The column of the time on that day. A row without one is an event of whole days.
    package var time: String?
  }

  package var start: Moment
  /// Nil for an end that a length makes, or for none.
  package var end: Moment?
  package var length: EventLength?
  /// The zone of its local times; nil for the feed's clock.
  package var zone: FieldZone?
  /// What becomes of doubtful local times; nil for the feed's rule.
  package var gap: ClockChanges.Gap?
  package var overlap: ClockChanges.Overlap?
  package var recurrence: Recurrence?
}

/// How long an event lasts.
package enum EventLength: Sendable, Equatable {
  /// So many days on the calendar, and so many seconds after them.
  case fixed(days: Int, seconds: Int)
  /// The number in a column, of units of so many seconds.
  case column(String, unit: Int)
}

/// The days on which an event comes again.
package struct Recurrence: Sendable, Equatable {
  package enum Unit: String, Sendable, CaseIterable {
    case week, month, year
  }

  /// A day of the document, or a column of days.
  package enum DayValue: Sendable, Equatable {
    case day(Day)
    case column(String)
  }

  /// The days of a unit: texts of the document, or a column of them.
  package enum Days: Sendable, Equatable {
    case fixed(SeriesRule)
    case column(String)
  }

  package var every: Unit
  /// The event comes in every such unit: 2 for every second week.
  package var interval = 1
  /// Nil for the day of the begin.
  package var on: Days?
  /// The first day; nil for the start's own, or 1970-01-01.
  package var from: DayValue?
  /// The last day, inclusive; nil for none.
  package var until: DayValue?
  package var except: [DayValue] = []
  /// The column with the day of a single occurrence, if there is one.
  package var column: String?
}

/// The texts that a row has for its event beside its columns, by their indexes in a row.
struct EventTexts: Equatable {
  /// The start and the end, as instants. A text that is empty: the event lasts whole days, or has
  /// no end.
  var start: Int?
  var end: Int?
  /// The names of the zones of both.
  var zone: Int?
  var endZone: Int?
  /// The value of RRULE, and the excepted days or local times with commas between.
  var rule: Int?
  var except: Int?
  /// The last day of its first occurrence, if that lasts whole days.
  var ruleDay: Int?
  /// The local start and the length of its first occurrence, if its start and end do not show them:
  /// `20260329T023000/PT8H`. Empty if they do.
  var ruleStart: Int?
  /// What tells this series from others of its key, and the day of a single occurrence of it, such
  /// as `20260131`.
  var series: Int?
  var occurrence: Int?
  /// The number of texts.
  var count = 0
}

extension EventTexts {
  /// The repetition of a row's event.
  struct Rule {
    /// The value of RRULE.
    var text: String
    /// Days or local times.
    var except: [String]
    /// The last day of the first occurrence; nil if it is an event at a time.
    var last: Day?

    var isOfDays: Bool { last != nil }
  }

  /// Returns the repetition of a row's event; nil for a single one, also of a series.
  func rule(of record: borrowing Record) -> Rule? {
    guard let rule, let except, let ruleDay, record.text(rule).count > 0, !isOccurrence(record)
    else {
      return nil
    }
    func text(_ index: Int) -> String { String(decoding: record.text(index), as: UTF8.self) }
    return Rule(
      text: text(rule), except: text(except).split(separator: ",").map(String.init),
      last: Day(iso: text(ruleDay)))
  }

  /// Whether a row is a single occurrence of a series.
  func isOccurrence(_ record: borrowing Record) -> Bool {
    occurrence.map { record.text($0).count > 0 } ?? false
  }
}

extension Table {
  /// The texts of its event beside the columns; nil if columns have all that its event needs.
  var eventTexts: EventTexts? {
    guard let event else { return nil }
    var texts = EventTexts()
    let first = eventTextsStart
    func next() -> Int {
      texts.count += 1
      return first + texts.count - 1
    }
    let repeats = event.timing?.recurrence != nil
    if let timing = event.timing {
      if timing.start.time != nil { texts.start = next() }
      if texts.start != nil || isInstant(timing.start.day),
        timing.end != nil || timing.length != nil
      {
        texts.end = next()
      }
    }
    if event.isLocal || repeats {
      if case .path = zone(ofStart: event) { texts.zone = next() }
      if event.timing == nil, case .path = zone(ofColumn: event.end) { texts.endZone = next() }
    }
    if repeats {
      texts.rule = next()
      texts.except = next()
      texts.ruleDay = next()
      texts.ruleStart = next()
      texts.series = next()
      texts.occurrence = next()
    }
    return texts.count > 0 ? texts : nil
  }

  /// The index of the first text of its event in a row.
  var eventTextsStart: Int {
    fields.reduce(keyNumber == nil ? 0 : 1) { $0 + $1.columns.count } + (event?.textsBefore ?? 0)
  }

  /// The index after the last text of its event in a row.
  var eventTextsEnd: Int { eventTextsStart + (eventTexts?.count ?? 0) }

  /// Whether a column has instants.
  private func isInstant(_ column: String?) -> Bool {
    column.map { column in
      fields.contains { $0.kind == .instant && $0.columns.contains(column) }
    } ?? false
  }

  /// The zone that the document gives to the start of events; nil for the feed's clock.
  func zone(ofStart event: Event) -> FieldZone? {
    event.timing?.zone ?? zone(ofColumn: event.start)
  }

  /// The zone that the document gives to a column of instants; nil for the feed's clock.
  func zone(ofColumn name: String?) -> FieldZone? {
    fields.first { name.map($0.columns.contains) ?? false }?.zone
  }
}

extension EventLength {
  /// Reads a length: `2h`, `90m`, `1d`, or a duration of RFC 5545 (section 3.3.6), `PT1H30M`. Nil
  /// for any other text, and for nothing.
  static func read(_ text: String) -> EventLength? {
    guard let duration = DocumentValues.refresh(text) else { return nil }
    var (days, seconds, number) = (0, 0, 0)
    var isTime = false
    for byte in duration.utf8.dropFirst() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = min(number * 10 + Int(byte - UInt8(ascii: "0")), most)
        continue
      case UInt8(ascii: "T"): isTime = true
      case UInt8(ascii: "W"): days += number * 7
      case UInt8(ascii: "D"): days += number
      case UInt8(ascii: "H"): seconds += number * 3600
      case UInt8(ascii: "M") where isTime: seconds += number * 60
      default: seconds += number
      }
      number = 0
    }
    return days > 0 || seconds > 0 ? .fixed(days: days, seconds: seconds) : nil
  }

  /// The largest number in a length, so that sums stay small.
  private static var most: Int { 999_999 }
}
