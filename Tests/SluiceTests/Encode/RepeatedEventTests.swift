import Testing

@testable import Sluice

/// Events that come again.
@Suite struct RepeatedEventTests {
  private func run(
    _ event: String, _ rows: String, from: String? = nil, to: String? = nil
  ) throws -> FeedResult {
    let columns =
      "t: t, on: on, a: {kind: time}, b: {kind: time}, f: {kind: day}, u: {kind: day}, x: x"
    let feed = try OwnFeed.read(
      "clock: Europe/London\n"
        + OwnFeed.document(columns, "key: [t]\nevent: {summary: '{t}', \(event)}"))
    return FeedRun(
      feed: feed, from: from.flatMap { Day(iso: $0) }, to: to.flatMap { Day(iso: $0) },
      calendar: CalendarOptions(language: .en))("{\"d\":[\(rows)]}")
  }

  private func lines(_ result: FeedResult, _ names: String...) -> [String] {
    let events = result.lines.drop { $0 != "BEGIN:VEVENT" }
    return events.filter { line in names.contains { line.hasPrefix($0) } }
  }

  @Test func `a rule with a time keeps the clock of its zone`() throws {
    let result = try run(
      "start: {time: a}, end: {time: b}, description: '{days}', repeat: {every: week, on: on, "
        + "from: 2026-03-01, until: u, except: x}",
      #"{"t":"x","on":"mo, Thursday","a":"22:00","b":"01:00","u":"2026-04-30","x":"2026-03-05,2026-04-06"}"#
    )
    #expect(
      lines(result, "DTSTART", "DTEND", "RRULE", "EXDATE", "DESC", "UID") == [
        "UID:af63f54c86021707-r-1@own.sluice",
        "DTSTART;TZID=Europe/London:20260302T220000", "DTEND;TZID=Europe/London:20260303T010000",
        "RRULE:FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20260430T210000Z",
        "EXDATE;TZID=Europe/London:20260305T220000", "EXDATE;TZID=Europe/London:20260406T220000",
        "DESCRIPTION:22:00 - 01:00",
      ])
    #expect(result.lines.contains("TZID:Europe/London"))
    #expect(result.rows == ["x,\"mo, Thursday\",22:00,01:00,,2026-04-30,\"2026-03-05,2026-04-06\""])
  }

  @Test func `a rule of whole days`() throws {
    let result = try run(
      "for: 2d, repeat: {every: month, on: [31, 1], from: f, until: 2026-05-31, except: [2026-03-31]}",
      #"{"t":"x","f":"2026-01-15"},{"t":"y","f":"2026-06-15"}"#)
    #expect(
      lines(result, "DTSTART", "DTEND", "RRULE", "EXDATE") == [
        "DTSTART;VALUE=DATE:20260131", "DTEND;VALUE=DATE:20260202",
        "RRULE:FREQ=MONTHLY;BYMONTHDAY=1,31;UNTIL=20260531", "EXDATE;VALUE=DATE:20260331",
      ])
    #expect(!result.lines.contains("BEGIN:VTIMEZONE"))
  }

  @Test func `a column of the start tells when it comes again`() throws {
    for (every, rule) in [
      ("week", "FREQ=WEEKLY;BYDAY=SU"), ("month", "FREQ=MONTHLY;BYMONTHDAY=29"),
      ("year", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"),
    ] {
      let result = try run("start: f, repeat: {every: \(every)}", #"{"t":"x","f":"2004-02-29"}"#)
      #expect(
        lines(result, "DTSTART", "RRULE") == ["DTSTART;VALUE=DATE:20040229", "RRULE:\(rule)"])
    }
  }

  @Test func `between two days each occurrence is a row and an event`() throws {
    let event = "start: {time: a}, end: {time: b}, repeat: {every: month, on: on, as: day}"
    let rows = #"{"t":"x","on":"31","a":"21:00","b":"00:00"},{"t":"x","on":"1","a":"09:00"}"#
    let result = try run(event, rows, from: "2026-01-31", to: "2026-04-01")
    #expect(
      result.rows == [
        "x,31,21:00,00:00,,,,2026-01-31", "x,31,21:00,00:00,,,,2026-03-31",
        "x,1,09:00,,,,,2026-02-01", "x,1,09:00,,,,,2026-03-01", "x,1,09:00,,,,,2026-04-01",
      ])
    #expect(
      lines(result, "DTSTART", "DTEND", "RRULE") == [
        "DTSTART:20260131T210000Z", "DTEND:20260201T000000Z",
        "DTSTART:20260331T200000Z", "DTEND:20260331T230000Z",
        "DTSTART:20260201T090000Z", "DTSTART:20260301T090000Z", "DTSTART:20260401T080000Z",
      ])
    let uids = lines(result, "UID").map { String($0.dropFirst(20).dropLast(11)) }
    #expect(
      uids == ["-r-1-20260131", "-r-1-20260331", "-r-2-20260201", "-r-2-20260301", "-r-2-20260401"])
    // Their numbers do not depend on the days asked for.
    let later = try run(event, rows, from: "2026-03-02", to: "2026-04-01")
    #expect(
      lines(later, "UID").map { String($0.dropFirst(20).dropLast(11)) }
        == ["-r-1-20260331", "-r-2-20260401"])
    #expect(try run(event, rows).rows == ["x,31,21:00,00:00,,,,", "x,1,09:00,,,,,"])
  }

  @Test func `every second week stays so wherever the days asked for begin`() throws {
    let event =
      "start: {time: a}, repeat: {every: week, interval: 2, on: [mo, fr], from: 2026-01-07, "
      + "except: [2026-01-09], as: day}"
    let rows = #"{"t":"x","a":"09:00"}"#
    #expect(
      lines(try run(event, rows), "DTSTART", "RRULE") == [
        "DTSTART;TZID=Europe/London:20260119T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO,FR;INTERVAL=2",
      ])
    #expect(
      lines(try run(event, rows, from: "2026-01-24"), "DTSTART")
        == ["DTSTART;TZID=Europe/London:20260202T090000"])
    let days = try run(event, rows, from: "2026-01-20", to: "2026-02-20").rows
    #expect(
      days.map { String($0.suffix(10)) } == [
        "2026-01-23", "2026-02-02", "2026-02-06",
        "2026-02-16", "2026-02-20",
      ])
  }

  @Test func `without a first day nothing says which week is the second`() throws {
    let result = try run(
      "repeat: {every: week, interval: 2, on: mo, from: f}",
      #"{"t":"x"},{"t":"y","f":"2026-01-06"}"#)
    #expect(result.rejects.map { "\($0.reason) \($0.field ?? "")" } == ["missingValue f"])
    #expect(lines(result, "DTSTART") == ["DTSTART;VALUE=DATE:20260112"])
  }

  @Test func `one day alone moves the rule's beginning or its end`() throws {
    let event = "start: {time: a}, repeat: {every: week, on: mo, from: 2026-01-01}"
    let rows = #"{"t":"x","a":"09:00"}"#
    #expect(
      lines(try run(event, rows, from: "2026-06-02"), "DTSTART", "RRULE") == [
        "DTSTART;TZID=Europe/London:20260608T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO",
      ])
    #expect(
      lines(try run(event, rows, to: "2026-06-02"), "DTSTART", "RRULE") == [
        "DTSTART;TZID=Europe/London:20260105T090000",
        "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260602T080000Z",
      ])
    #expect(lines(try run(event, rows, to: "2025-12-31"), "DTSTART") == [])
  }

  @Test func `a series that comes twice is written once, and its occurrences too`() throws {
    let rows = #"{"t":"x","on":"mo"},{"t":"x","on":"mo"},{"t":"x","on":"tu"}"#
    let event = "repeat: {every: week, on: on}"
    #expect(lines(try run(event, rows), "RRULE").count == 2)
    #expect(
      lines(try run(event, rows, from: "2026-01-05", to: "2026-01-13"), "DTSTART").count == 4)
  }

  @Test func `a day that is none is rejected`() throws {
    let result = try run(
      "repeat: {every: month, on: on}", #"{"t":"x","on":"32"},{"t":"y"},{"t":"z","on":"3"}"#)
    #expect(result.rejects.map { "\($0.reason) \($0.field ?? "")" } == ["notADay on"])
    #expect(result.rows.count == 2)
    #expect(lines(result, "RRULE") == ["RRULE:FREQ=MONTHLY;BYMONTHDAY=3"])
  }

  @Test func `too many days are an error`() throws {
    let result = try run(
      "repeat: {every: week, on: [mo, tu, we, th, fr, sa, su]}", #"{"t":"x"}"#,
      from: "1970-01-01", to: "2100-01-01")
    #expect(result.fault == .tooManyOccurrences(limit: 20_000))
  }

  @Test func `the days of a series`() throws {
    func days(_ rule: SeriesRule, _ from: String, _ count: Int) -> [String] {
      let series = Series(
        rule: rule, from: Day(iso: from) ?? Day(number: 0), until: CalendarTime.lastDay)
      var days: [Day] = []
      while days.count < count,
        let day = series.next(from: days.last.map { Day(number: $0.number + 1) } ?? series.from)
      {
        days.append(day)
      }
      return days.map(\.description)
    }
    #expect(days(.month([30, 31]), "2027-01-31", 3) == ["2027-01-31", "2027-03-30", "2027-03-31"])
    #expect(days(.week([1, 7]), "2026-01-05", 3) == ["2026-01-05", "2026-01-11", "2026-01-12"])
    #expect(days(.year(month: 2, day: 29), "1896-02-29", 2) == ["1896-02-29", "1904-02-29"])
    #expect(days(.week([1]), "9999-12-27", 3) == ["9999-12-27"])
    #expect(days(.month([31]), "9999-12-01", 3) == ["9999-12-31"])
  }

  @Test func `the days of every so many units`() throws {
    func days(_ rule: SeriesRule, _ from: String, _ interval: Int, _ count: Int) -> [String] {
      let series = Series(
        rule: rule, from: Day(iso: from) ?? Day(number: 0), until: CalendarTime.lastDay,
        interval: interval)
      var days: [Day] = []
      while days.count < count,
        let day = series.next(from: days.last.map { Day(number: $0.number + 1) } ?? series.from)
      {
        days.append(day)
      }
      return days.map(\.description)
    }
    #expect(
      days(.month([31]), "2026-02-01", 2, 4)
        == ["2026-03-31", "2026-05-31", "2026-07-31", "2027-01-31"])
    #expect(days(.week([7]), "1969-12-28", 3, 3) == ["1969-12-28", "1970-01-18", "1970-02-08"])
    #expect(
      days(.year(month: 2, day: 29), "2000-01-01", 3, 3)
        == ["2000-02-29", "2012-02-29", "2024-02-29"])
    #expect(days(.month([1]), "9999-11-01", 2, 3) == ["9999-11-01"])
    #expect(days(.week([1]), "9999-12-27", 2, 3) == ["9999-12-27"])
  }

  @Test(arguments: [
    ("mo", Recurrence.Unit.week, SeriesRule.week([1]) as SeriesRule?),
    ("Sunday mon 3", .week, .week([1, 3, 7])), ("0", .week, nil), ("8", .week, nil),
    ("m", .week, nil), ("", .week, nil), ("mo,xx", .week, nil),
    ("1, 15;31", .month, .month([1, 15, 31])), ("0", .month, nil), ("32", .month, nil),
    ("1 1", .month, .month([1])), ("-1", .month, nil),
    ("02-29", .year, .year(month: 2, day: 29)), ("2021-05-01", .year, .year(month: 5, day: 1)),
    ("02-30", .year, nil), ("13-01", .year, nil), ("1-1", .year, nil), ("01-01,02-01", .year, nil),
  ])
  func `the days of a unit are read`(_ text: String, _ unit: Recurrence.Unit, _ rule: SeriesRule?) {
    #expect(SeriesRule.read(text, every: unit) == rule)
  }

  @Test func `a first time that clocks pass over stays the time of the others`() throws {
    let result = try run(
      "start: {time: a}, end: {time: b}, repeat: {every: week, on: su, from: 2026-03-29}",
      #"{"t":"x","a":"01:30","b":"05:00"}"#)
    // In London clocks went from 01:00 to 02:00 on that day.
    #expect(
      lines(result, "DTSTART", "DTEND", "DURATION") == [
        "DTSTART;TZID=Europe/London:20260329T013000", "DURATION:PT3H30M",
      ])
    let unrolled = try run(
      "start: {time: a}, end: {time: b}, repeat: {every: week, on: su, from: 2026-03-29}",
      #"{"t":"x","a":"01:30","b":"05:00"}"#, from: "2026-03-29", to: "2026-04-05")
    #expect(
      lines(unrolled, "DTSTART", "DTEND") == [
        "DTSTART:20260329T013000Z", "DTEND:20260329T040000Z",
        "DTSTART:20260405T003000Z", "DTEND:20260405T040000Z",
      ])
  }

  @Test(arguments: [
    ("end: {time: b}", "PT8H"), ("for: 8h", nil), ("for: 1d", "P1D"), ("for: P1DT2H", "P1DT2H"),
  ])
  func `a first occurrence over a change of the clocks does not set the length of the others`(
    _ end: String, duration: String?
  ) throws {
    let result = try run(
      "start: {time: a}, \(end), repeat: {every: week, on: sa, from: 2026-03-28}",
      #"{"t":"x","a":"22:00","b":"06:00"}"#)
    #expect(lines(result, "DTSTART") == ["DTSTART;TZID=Europe/London:20260328T220000"])
    #expect(lines(result, "DURATION") == (duration.map { ["DURATION:\($0)"] } ?? []))
    #expect(
      lines(result, "DTEND")
        == (duration == nil ? ["DTEND;TZID=Europe/London:20260329T070000"] : []))
  }

  @Test func `the number of a series does not depend on the days asked for`() throws {
    let rows =
      #"{"t":"x","on":"mo","a":"10:00","f":"2026-01-01","u":"2026-02-01"},"#
      + #"{"t":"x","on":"tu","a":"10:00","f":"2026-03-01","u":"2026-12-01"},"#
      + #"{"t":"x","on":"we","a":"10:00","f":"2026-03-01","u":"2026-12-01"}"#
    let event = "start: {time: a}, repeat: {every: week, on: on, from: f, until: u}"
    let all = lines(try run(event, rows), "UID")
    #expect(Set(all).count == 3)
    #expect(lines(try run(event, rows, from: "2026-05-01"), "UID") == Array(all.dropFirst()))
    #expect(lines(try run(event, rows, to: "2026-01-31"), "UID") == [all[0]])
    let unrolled = lines(try run(event, rows, from: "2026-05-01", to: "2026-05-07"), "UID")
    #expect(unrolled.map { $0.prefix(24) } == all.dropFirst().map { $0.prefix(24) })
  }

  @Test func `a record whose series ends before it begins is rejected`() throws {
    let result = try run(
      "start: {time: a}, repeat: {every: week, on: on, from: f, until: u}",
      #"{"t":"x","on":"mo","a":"10:00","f":"2026-03-01","u":"2026-02-01"}"#)
    #expect(result.rejects.map(\.reason) == [.endBeforeStart])
    #expect(result.rejects.map(\.field) == ["u"])
    let error = #expect(throws: FeedDocumentFault.self) {
      _ = try run("repeat: {every: week, on: mo, from: 2026-03-01, until: 2026-02-01}", "")
    }
    #expect(error?.problem == .untilBeforeFrom(until: "2026-02-01", from: "2026-03-01"))
  }
}
