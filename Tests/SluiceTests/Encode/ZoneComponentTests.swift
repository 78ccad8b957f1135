import Testing

@testable import Sluice

/// Time zones in calendars.
@Suite struct ZoneComponentTests {
  private func lines(_ rule: String) throws -> [String] {
    let rule = try #require(ZoneRule(Array(rule.utf8)))
    let zone = Zone(first: rule.standard, changes: [], rule: rule)
    return ZoneComponent(zone, named: "X", from: 1_767_225_600).lines
  }

  @Test(arguments: [
    ("GMT0BST,M3.5.0/1,M10.5.0", "BYMONTH=3;BYDAY=-1SU", "BYMONTH=10;BYDAY=-1SU"),
    ("EST5EDT,M3.2.0,M11.1.0", "BYMONTH=3;BYDAY=2SU", "BYMONTH=11;BYDAY=1SU"),
    (
      "IST-2IDT,M3.4.4/26,M10.5.0", "BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR",
      "BYMONTH=10;BYDAY=-1SU"
    ),
    (
      "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "BYMONTH=3;BYMONTHDAY=24,25,26,27,28,29,30;BYDAY=SA",
      "BYMONTH=10;BYDAY=-1SU"
    ),
    ("AAA3BBB,J60,300", "BYMONTH=3;BYMONTHDAY=1", "BYYEARDAY=301"),
  ])
  func `what goes on for ever is a rule`(_ rule: String, _ summer: String, _ winter: String) throws
  {
    let rules = try lines(rule).filter { $0.hasPrefix("RRULE:") }
    #expect(rules == ["RRULE:FREQ=YEARLY;\(summer)", "RRULE:FREQ=YEARLY;\(winter)"])
  }

  @Test func `a rule that a calendar cannot say is listed`() throws {
    let lines = try lines("AAA3BBB,M2.5.0/26,M10.5.0")
    #expect(!lines.contains { $0.hasPrefix("RRULE:") })
    #expect(lines.contains { $0.hasPrefix("RDATE:20270301T020000,20280228T020000,") })
  }

  @Test func `a clock that is never changed has one time`() throws {
    #expect(
      try lines("<+0530>-5:30") == [
        "BEGIN:VTIMEZONE", "TZID:X", "BEGIN:STANDARD", "DTSTART:20260101T053000",
        "TZOFFSETFROM:+0530", "TZOFFSETTO:+0530", "END:STANDARD", "END:VTIMEZONE",
      ])
    #expect(try lines("XXX3EDT4,0/0,J365/23").count == 8)
  }

  @Test func `changes of the past are lists`() throws {
    let zone = Zone(
      first: -75,
      changes: [
        Zone.Change(instant: 0, offset: 0, name: "A"),
        Zone.Change(instant: 86_400, offset: 3600, name: "B", isSummer: true),
        Zone.Change(instant: 172_800, offset: 0, name: "A"),
        Zone.Change(instant: 259_200, offset: 3600, name: "B", isSummer: true),
      ], rule: nil)
    #expect(
      ZoneComponent(zone, named: "X", from: ZoneComponent.earliestStart).lines == [
        "BEGIN:VTIMEZONE", "TZID:X", "BEGIN:STANDARD", "DTSTART:16001231T235845",
        "TZOFFSETFROM:-000115", "TZOFFSETTO:-000115", "END:STANDARD", "BEGIN:STANDARD",
        "DTSTART:19691231T235845", "TZOFFSETFROM:-000115", "TZOFFSETTO:+0000", "TZNAME:A",
        "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:19700102T000000", "TZOFFSETFROM:+0000",
        "TZOFFSETTO:+0100", "TZNAME:B", "RDATE:19700104T000000", "END:DAYLIGHT",
        "BEGIN:STANDARD", "DTSTART:19700103T010000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0000",
        "TZNAME:A", "END:STANDARD", "END:VTIMEZONE",
      ])
  }
}
