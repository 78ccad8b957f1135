import Testing

@testable import Sluice

/// Several events that are made of one row.
@Suite struct SeveralEventsTests {
  private static let columns =
    "c: c, exam: {kind: day}, at: {kind: time}, again: {kind: day}, last: {kind: day}"
  private static let events =
    "\n- {calendar: Exams, summary: '{c}', start: {day: exam, time: at}, for: 2h}"
    + "\n- {summary: 'Again: {c}', start: again, end: last, where: {c: {not: Music}}}"
  private static let rows =
    #"{"c":"Logic","exam":"2026-02-03","at":"09:00","again":"2026-04-01","last":"2026-04-02"},"#
    + #"{"c":"Art","exam":"2026-02-03"},{"c":"Music","again":"2026-04-01"},"#
    + #"{"c":"Logic","exam":"2026-02-03","at":"14:00","again":"2026-04-01","last":"2026-04-02"},"#
    + #"{"c":"None"}"#

  private func run(
    _ rows: String = Self.rows, events: String = Self.events, from: String? = nil,
    to: String? = nil, conditions: [Condition] = []
  ) throws -> FeedResult {
    let feed = try OwnFeed.read(
      "clock: Europe/Berlin\n" + OwnFeed.document(Self.columns, "key: [c]\nevent:\(events)"))
    return FeedRun(
      feed: feed, conditions: conditions, from: from.flatMap { Day(iso: $0) },
      to: to.flatMap { Day(iso: $0) }, calendar: CalendarOptions(language: .en))(
        "{\"d\":[\(rows)]}")
  }

  private func lines(_ result: FeedResult, _ names: String...) -> [String] {
    let events = result.lines.drop { $0 != "BEGIN:VEVENT" }
    return events.filter { line in names.contains { line.hasPrefix($0) } }
  }

  @Test func `each event has its own days, texts and conditions`() throws {
    let result = try run()
    #expect(result.error == nil)
    #expect(
      lines(result, "DTSTART", "DTEND", "SUMMARY") == [
        "DTSTART:20260203T080000Z", "DTEND:20260203T100000Z", "SUMMARY:Logic",
        "DTSTART;VALUE=DATE:20260401", "DTEND;VALUE=DATE:20260403", "SUMMARY:Again: Logic",
        "DTSTART;VALUE=DATE:20260203", "DTEND;VALUE=DATE:20260204", "SUMMARY:Art",
        "DTSTART:20260203T130000Z", "DTEND:20260203T150000Z", "SUMMARY:Logic",
      ])
    #expect(result.lines.contains("NAME:Exams"))
    #expect(Set(lines(result, "UID")).count == 4)
    #expect(result.lines.count { $0 == "END:VEVENT" } == 4)
  }

  @Test func `tables have one row for each record`() throws {
    let result = try run()
    #expect(
      result.rows == [
        "Logic,2026-02-03,09:00,2026-04-01,2026-04-02", "Art,2026-02-03,,,",
        "Music,,,2026-04-01,", "Logic,2026-02-03,14:00,2026-04-01,2026-04-02", "None,,,,",
      ])
    #expect(result.counts == Counts(read: 5, kept: 5, rows: 5))
  }

  @Test func `the first event has the UID that it would have alone`() throws {
    let alone = try run(
      #"{"c":"Art","exam":"2026-02-03"}"#,
      events: " {summary: '{c}', start: {day: exam, time: at}, for: 2h}")
    let both = try run(#"{"c":"Art","exam":"2026-02-03","again":"2026-02-03"}"#)
    #expect(lines(alone, "UID") == [lines(both, "UID")[0]])
    #expect(lines(both, "UID")[1] == lines(both, "UID")[0].replacing("-1@", with: "-1-e2@"))
  }

  @Test func `days choose rows by all events, and events by their own`() throws {
    let april = try run(from: "2026-04-01")
    #expect(lines(april, "SUMMARY") == ["SUMMARY:Again: Logic"])
    #expect(april.rows.count == 2)
    #expect(april.counts == Counts(read: 5, kept: 2, filtered: 3, rows: 2))
    let february = try run(to: "2026-02-28")
    #expect(lines(february, "SUMMARY") == ["SUMMARY:Logic", "SUMMARY:Art", "SUMMARY:Logic"])
    #expect(february.counts == Counts(read: 5, kept: 3, filtered: 2, rows: 3))
    // What is left out is numbered too.
    #expect(lines(try run(), "UID").contains(lines(april, "UID")[0]))
    let one = try run(conditions: [Condition(column: "c", value: "art")])
    #expect(lines(one, "SUMMARY") == ["SUMMARY:Art"])
  }

  @Test func `an event that cannot be made rejects its record`() throws {
    let result = try run(
      #"{"c":"A","exam":"2026-02-03","again":"2026-04-03","last":"2026-04-02"},"#
        + #"{"c":"B","exam":"2026-03-29","at":"02:30"},{"c":"C","exam":"2026-02-03"}"#)
    #expect(result.rejects.map(\.reason) == [.endBeforeStart, .noSuchTime])
    #expect(result.rejects.map(\.field) == ["last", "at"])
    #expect(lines(result, "SUMMARY") == ["SUMMARY:C"])
  }

  @Test func `every cut gives the same`() throws {
    let feed = try OwnFeed.read(
      "clock: Europe/Berlin\n"
        + OwnFeed.document(Self.columns, "key: [c]\nevent:\(Self.events)"))
    let run = FeedRun(feed: feed, calendar: CalendarOptions(language: .en))
    #expect(run.everyCut("{\"d\":[\(Self.rows)]}").error == nil)
  }

  @Test(arguments: [
    ("[]", #"noValue("event")"#),
    (
      "[{summary: a, start: exam}, {summary: b, start: again, repeat: {every: week}}]",
      #"notInList("repeat")"#
    ),
    ("[{summary: a, start: exam, each: day}, {summary: b, start: again}]", #"notInList("each")"#),
    (
      "[{summary: a, start: exam}, {summary: b, start: again, calendar: B}]",
      #"saidByFirst("calendar")"#
    ),
    (
      "[{summary: a, start: exam}, {summary: b, start: again, alarm: 1d}]",
      #"saidByFirst("alarm")"#
    ),
    ("[{summary: a, start: exam}, {summary: b, start: nothing}]", "unknownColumn"),
    ("[{summary: a, start: exam}, b]", "wrongKind"),
  ])
  func `what a list cannot have is refused`(events: String, problem: String) throws {
    let error = #expect(throws: FeedDocumentFault.self) {
      _ = try OwnFeed.read(OwnFeed.document(Self.columns, "key: [c]\nevent: \(events)"))
    }
    #expect(error.map { "\($0.problem)".hasPrefix(problem) } == true, "\(error.debugDescription)")
  }
}
