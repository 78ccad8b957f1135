import Testing

@testable import Sluice

/// Documents in which a row has several events.
@Suite struct EventListTests {
  private func document(_ items: String) -> String {
    OwnFeed.document("c: c, a: {kind: day}, b: {kind: day}", "key: [c]\nevent:\n\(items)")
  }

  @Test func `each item is an event, and its number or its name is part of its UIDs`() throws {
    let feed = try OwnFeed.read(
      document(
        """
          - {calendar: Exams, color: teal, summary: "Exam {c}", start: a}
          - {summary: "Re-sit {c}", start: b, end: b2}
          - {summary: "Result {c}", start: b, as: result, own: Result, where: {c: x}}
        """.replacing(", end: b2", with: "")))
    #expect(feed.tables[0].events.map(\.tag) == ["", "2", "result"])
    #expect(feed.tables[0].events.map(\.start) == ["a", "b", "b"])
    #expect(feed.event?.calendarName.en == "Exams")
    #expect(!feed.keepsLedger)
    #expect(
      feed.tables[0].ofEachEvent.map { EventIdentity.domain(of: feed, $0) } == [
        "@own.sluice", "-2@own.sluice", "-result@own.sluice",
      ])
  }

  @Test func `a list of one is that event`() throws {
    let one = try OwnFeed.read(document("  - {summary: 'E {c}', start: a}\n"))
    #expect(try one == OwnFeed.read(document("  {summary: 'E {c}', start: a}\n")))
    #expect(one.keepsLedger)
  }

  @Test(arguments: [
    ("  []", "6:3 noValue(\"event\")"),
    (
      "  - {summary: A, start: a}\n  - {summary: B, start: b, calendar: C}",
      #"7:28 onlyForFirstEvent("calendar")"#
    ),
    (
      "  - {summary: A, start: a, alarm: 1d}\n  - {summary: B, start: b, alarm: 2d}",
      #"7:28 onlyForFirstEvent("alarm")"#
    ),
    (
      "  - {summary: A, start: a, each: day}\n  - {summary: B, start: b}",
      #"6:28 onlyForOneEvent("each")"#
    ),
    (
      "  - {summary: A, start: a}\n  - {summary: B, start: b, repeat: {every: week}}",
      #"7:28 onlyForOneEvent("repeat")"#
    ),
    (
      "  - {summary: A, start: a, as: x}\n  - {summary: B, start: b, as: x}",
      #"7:32 duplicateItem("x")"#
    ),
    (
      "  - {summary: A, start: a}\n  - {summary: B, start: b, as: 2}",
      #"7:32 badValue("2", key: "as", Wanted.columnName)"#
    ),
    (
      "  - {summary: A, start: a}\n  - {summary: B}",
      #"7:5 missingKey("start", of: Optional("event"))"#
    ),
    (
      "  - {summary: A, start: a}\n  - B",
      #"7:5 wrongKind(key: Optional("event"), found: Kind.text, wanted: [Kind.mapping])"#
    ),
  ])
  func `what is wrong with an item is told with its place`(items: String, fault: String) {
    let found = OwnFeed.fault(document(items))
    #expect(found == fault)
  }

  @Test func `a name is for one of several events only`() {
    #expect(
      OwnFeed.fault(document("  {summary: A, start: a, as: x}"))
        .hasPrefix(#"6:26 unknownKey("as""#))
  }

  @Test func `100 events are the most`() {
    let items = (1...101).map { "  - {summary: 'E\($0)', start: a}\n" }
    #expect(OwnFeed.fault(document(items.dropLast().joined())) == "")
    #expect(OwnFeed.fault(document(items.joined())) == #"6:3 tooMany("event", limit: 100)"#)
  }
}
