/// The occurrences of an event that comes again.
///
///     repeat: {every: month, on: 31, from: 2026-01-01}      time 02:30, Europe/Berlin
///
///     occurrence     local time     instant
///     2026-01-31     02:30          2026-01-31T01:30Z
///     2026-03-31     02:30          2026-03-31T00:30Z
///
/// Each has its time on the clock of its zone. Doubtful times are read as RFC 5545 reads those of a
/// rule (section 3.3.10).
extension EventMaker {
  /// The largest number of days that one record may be unrolled to.
  static let mostOccurrences = 20_000

  /// Whether the days asked for have both ends, so that occurrences are rows.
  private var isUnrolled: Bool { window.from != nil && window.to != nil }

  /// Makes a series. Its first occurrence is the time of the row. Without a day there is no event.
  mutating func makeSeries(_ record: inout Record) -> Refusal? {
    record.hasDays = false
    let made: Series
    switch read(record) {
    case .failure(let refusal): return (refusal.reason, refusal.field)
    case .success(nil): return nil
    case .success(let found?): made = found
    }
    times = Times()
    times.start = start.time.flatMap { TimeOfDay.seconds(record.text($0.column)) }
    times.end = end.time.flatMap { TimeOfDay.seconds(record.text($0.column)) }
    times.length = length(record)
    var clipped = made
    if !isUnrolled {
      // The calendar has only what overlaps the days asked for.
      if let from = window.from {
        clipped.from = max(clipped.from, Day(number: from.number - Int32(span)))
        while let first = clipped.next(from: clipped.from), lastDay(of: first) < from {
          clipped.from = Day(number: first.number + 1)
        }
      }
      if let to = window.to { clipped.until = min(clipped.until, to) }
    }
    guard let first = clipped.next(from: clipped.from) else {
      leaveOut(made, &record)
      return nil
    }
    writeRule(&record, clipped, first: first, of: made)
    writeOccurrence(&record, on: first)
    record.setDays(first, min(max(clipped.until, lastDay(of: first)), CalendarTime.lastDay))
    if isUnrolled { series = made }
    return nil
  }

  /// Makes the record that of a series without an occurrence on the days asked for. It is not
  /// written, but counts among those of its key, so that the numbers of others do not depend on the
  /// days.
  private mutating func leaveOut(_ series: Series, _ record: inout Record) {
    guard let first = series.next(from: series.from) else { return }
    writeRule(&record, series, first: first, of: series)
    let end = window.from.map { Day(number: $0.number - 1) } ?? first
    record.setDays(first, max(first, min(series.until, end)))
  }

  private struct SeriesRefusal: Error {
    var reason: RejectReason
    var field: Int
  }

  /// Reads the days of a series; nil if the row has none.
  private func read(_ record: borrowing Record) -> Result<Series?, SeriesRefusal> {
    guard let recurrence = timing.recurrence else { return .success(nil) }
    func day(_ value: Recurrence.DayValue?, _ column: Int?) -> Day? {
      if case .day(let day) = value { return day }
      return column.flatMap { Self.day(record.text($0)) }
    }
    let own = start.day.flatMap { Self.day(record.text($0.column)) }
    let begin = day(recurrence.from, from) ?? own
    let rule: SeriesRule
    switch recurrence.on {
    case .fixed(let fixed): rule = fixed
    case nil:
      guard let begin else { return .success(nil) }
      rule = .every(recurrence.every, from: begin)
    case .column:
      guard let on, record.text(on).count > 0 else { return .success(nil) }
      let text = String(decoding: record.text(on), as: UTF8.self)
      guard let found = SeriesRule.read(text, every: recurrence.every) else {
        return .failure(SeriesRefusal(reason: .notADay, field: fields[on]))
      }
      rule = found
    }
    let last = day(recurrence.until, until)
    if from != nil, let until, let begin = day(recurrence.from, from), let last, last < begin {
      return .failure(SeriesRefusal(reason: .endBeforeStart, field: fields[until]))
    }
    var series = Series(
      rule: rule, from: begin ?? Series.usualStart,
      until: last ?? CalendarTime.lastDay)
    if recurrence.interval > 1 {
      guard let begin else {
        // Nothing says which units count.
        let column = from ?? start.day?.column
        return column.map { .failure(SeriesRefusal(reason: .missingValue, field: fields[$0])) }
          ?? .success(nil)
      }
      (series.interval, series.origin) = (recurrence.interval, begin)
    }
    for case .day(let day) in recurrence.except { series.except.insert(day) }
    for column in except {
      let text = String(decoding: record.text(column), as: UTF8.self)
      for word in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0 == " " }) {
        guard let day = Day(iso: String(word)) else {
          return .failure(SeriesRefusal(reason: .notADay, field: fields[column]))
        }
        series.except.insert(day)
      }
    }
    return .success(series)
  }

  /// The number of days that one occurrence may go on after its first.
  private var span: Int {
    if times.start == nil { return max(0, (times.length?.days ?? 1) - 1) }
    if times.end != nil { return 1 }
    return times.length.map { $0.days + $0.seconds / 86_400 + 1 } ?? 0
  }

  /// Writes the rule of a series, its exceptions, and what tells it from others.
  private func writeRule(
    _ record: inout Record, _ series: Series, first: Day, of whole: Series
  ) {
    func put(_ text: String, _ column: Int?) {
      guard let column else { return }
      let place = record.bytes.count
      record.bytes.append(string: text)
      record.setText(column, from: place)
    }
    var rule = series.text
    if series.until < CalendarTime.lastDay { rule += ";UNTIL=\(last(series.until))" }
    put(rule, texts.rule)
    let excepted = series.exceptions(after: first)
    put(excepted.map(localText).joined(separator: ","), texts.except)
    if times.start == nil { put("\(lastDay(of: first))", texts.ruleDay) }
    if let nominal = nominalStart(first) { put(nominal, texts.ruleStart) }
    var hash = FNV1a()
    for part in [
      whole.text, "\(whole.from)", "\(whole.until)", "\(times.start ?? -1)",
      "\(times.end ?? -1)", "\(times.length?.days ?? 0)", "\(times.length?.seconds ?? 0)",
    ] {
      for byte in part.utf8 { hash.add(byte) }
      hash.add(0x1F)
    }
    if zoneField != nil { for byte in zoneName { hash.add(byte) } }
    if let column = texts.series {
      let place = record.bytes.count
      record.bytes.append(hexadecimal: hash.value)
      record.setText(column, from: place)
    }
  }

  /// The last time of a series (RFC 5545, section 3.3.10): in UTC if its events have times.
  private func last(_ day: Day) -> String {
    guard let start = times.start else { return dateText(day) }
    let zone = reader?.zone ?? .utc
    return CalendarTime.utc(zone.instant(of: Int(day.number) * 86_400 + start))
  }

  /// The local start and the length of a series whose first occurrence does not show them: clocks
  /// pass over its start, or are changed before its end. Nil if it does.
  ///
  ///     20260329T023000/PT8H
  ///
  /// A start that clocks pass over is read by the clock before the change (RFC 5545, section
  /// 3.3.5), and the length is that of all occurrences (section 3.8.5.3).
  private func nominalStart(_ first: Day) -> String? {
    guard let start = times.start, let zone = reader?.zone, let instants = instants(on: first)
    else { return nil }
    let local = Int(first.number) * 86_400 + start
    let length: (days: Int, seconds: Int)? =
      times.end.map { (0, $0 - start + ($0 <= start ? 86_400 : 0)) } ?? times.length
    let nominal = length.map { $0.days * 86_400 + $0.seconds }
    let isShown = instants.start + zone.offset(at: instants.start) == local
    guard !isShown || instants.end.map({ $0 - instants.start }) != nominal else { return nil }
    return CalendarTime.local(local) + (length.map { "/" + Self.duration($0) } ?? "")
  }

  /// Returns a length as RFC 5545 has it (section 3.3.6): `P1D`, `PT8H30M`.
  private static func duration(_ length: (days: Int, seconds: Int)) -> String {
    var text = length.days > 0 ? "P\(length.days)D" : "P"
    guard length.seconds > 0 else { return text }
    text += "T"
    let parts = [
      ("H", length.seconds / 3600), ("M", length.seconds / 60 % 60), ("S", length.seconds % 60),
    ]
    for (unit, number) in parts where number > 0 { text += "\(number)\(unit)" }
    return text
  }

  /// The day of an occurrence, or its local time.
  private func localText(_ day: Day) -> String {
    guard let start = times.start else { return dateText(day) }
    return CalendarTime.local(Int(day.number) * 86_400 + start)
  }

  private func dateText(_ day: Day) -> String {
    String(CalendarTime.utc(Int(day.number) * 86_400).prefix(8))
  }

  /// The start and the end of the occurrence on a day, as instants; nil for whole days. Doubtful
  /// local times are read as RFC 5545 reads those of a rule (section 3.3.10).
  private func instants(on day: Day) -> (start: Int, end: Int?)? {
    guard let start = times.start, let zone = reader?.zone else { return nil }
    let local = Int(day.number) * 86_400 + start
    if let end = times.end {
      let over = end <= start ? 86_400 : 0
      return (zone.instant(of: local), zone.instant(of: Int(day.number) * 86_400 + end + over))
    }
    let begin = zone.instant(of: local)
    return (
      begin,
      times.length.map { length in
        length.days > 0
          ? zone.instant(of: local + length.days * 86_400) + length.seconds
          : begin + length.seconds
      }
    )
  }

  private func lastDay(of day: Day) -> Day {
    guard let instants = instants(on: day) else {
      return Day(number: min(day.number + Int32(span), CalendarTime.lastDay.number))
    }
    guard let end = instants.end, end > instants.start else { return day }
    return max(day, lastDay(end, offset: nil))
  }

  private mutating func writeOccurrence(_ record: inout Record, on day: Day) {
    guard let instants = instants(on: day), let column = texts.start else { return }
    _ = append(instants.start, nil, as: column, &record)
    if let end = instants.end, let column = texts.end { _ = append(end, nil, as: column, &record) }
  }

  /// Returns the first day of the record's series that overlaps the days asked for, or the first
  /// after `day`; nil if there is none.
  func nextDay(after day: Day?) -> Day? {
    guard let series, let from = window.from, let to = window.to else { return nil }
    let first = day.map { Day(number: $0.number + 1) } ?? Day(number: from.number - Int32(span))
    return series.next(from: first).flatMap { $0 <= to ? $0 : nil }
  }

  /// Makes the record that of one day of its series.
  mutating func setDay(_ day: Day, _ record: inout Record) {
    writeOccurrence(&record, on: day)
    if let column = texts.occurrence {
      let place = record.bytes.count
      day.append(to: &record.bytes, isBasic: true)
      record.setText(column, from: place)
    }
    if let dayColumn { record.set(dayColumn, to: day) }
    record.setDays(day, lastDay(of: day))
  }
}
