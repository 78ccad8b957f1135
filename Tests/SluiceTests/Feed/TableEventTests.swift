import Testing

@testable import Sluice

/// Events in feeds of several tables.
@Suite struct TableEventTests {
  private let document = """
    feed: club
    clock: Europe/London
    tables:
      people: {rows: "people[]", columns: {id: {kind: integer, required: true}}, key: [id]}
      games:
        rows: games[]
        columns: {id: {kind: integer, required: true}, day: {kind: day}, at: {kind: time}}
        key: [id]
        event: {summary: "Game {id}", start: {day: day, time: at}}
      trips:
        rows: trips[]
        columns: {id: {kind: integer, required: true}, day: {kind: day}}
        key: [id]
        event: {calendar: Trips, summary: "Trip {id}"}
    """

  @Test func `tables have events of their own`() throws {
    let feed = try OwnFeed.read(document)
    #expect(feed.tables.map { $0.event != nil } == [false, true, true])
    #expect(feed.event?.calendarName.en == "club")
    #expect(feed.tables[2].event?.calendarName.en == "Trips")
    // The domain of their UIDs has the table's name: keys of two tables may be equal.
    #expect(EventIdentity.domain(of: feed, feed.tables[2]) == "@trips.club.sluice")
    #expect(!feed.keepsLedger)
  }

  @Test func `an event of a table needs its key, and a time its clock`() {
    #expect(
      OwnFeed.fault(document.replacing("key: [id]\n    event: {summary", with: "event: {summary"))
        == "8:12 eventWithoutKey")
    #expect(
      OwnFeed.fault(document.replacing("clock: Europe/London\n", with: ""))
        == #"8:42 needsClock("start")"#)
  }
}
