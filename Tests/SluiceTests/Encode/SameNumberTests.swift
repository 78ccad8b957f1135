import Testing

@testable import Sluice

/// Two addresses that have the same number.
@Suite struct SameNumberTests {
  private let number = "80bc25f8a2bca1ba"

  private func uids(_ result: FeedResult) -> [String] {
    result.lines.filter { $0.hasPrefix("UID") }
  }

  @Test func `the numbers are the same, the checks are not`() {
    let result = FeedRun()(list(forestHouse(), forgedHouse(), house()))
    #expect(Set(result.rows.map { $0.suffix(16) }).count == 2)
    var checks: Set<UInt64> = []
    for text in [
      "пушкин␟лесная␟7␟␟", "пушкин␟лесная␟7␟", "пушкин␟лесная␟8␟␟", "", "\0", "\0\0", "а",
    ] {
      var state = CheckedKey()
      for byte in text.utf8 { state.add(byte) }
      var again = CheckedKey()
      for byte in text.utf8 { again.add(byte) }
      #expect(state.values == again.values)
      var fnv = FNV1a()
      for byte in text.utf8 { fnv.add(byte) }
      #expect(state.values.number == fnv.value)
      checks.insert(state.values.check)
    }
    #expect(checks.count == 7 && !checks.contains(0))
  }

  @Test func `both are rows, the first is an event, the second is reported`() {
    for records in [[forestHouse(), forgedHouse()], [forgedHouse(), forestHouse()]] {
      let json = list(records[0], house(), records[1])
      let result = FeedRun()(json)
      #expect(result.error == nil)
      #expect(result.rows.count == 3)
      #expect(uids(result).count == 2)
      let first = FeedRun()(list(records[0], house()))
      #expect(result.ics == first.ics)
      #expect(result.counts == Counts(read: 3, kept: 3, rows: 3))
      #expect(result.statistics.sameNumber == 1)
      #expect(
        result.rejects == [
          Reject(
            record: 3, offset: json.utf8.count - records[1].utf8.count - 1, reason: .sameNumber,
            raw: Array(records[1].utf8))
        ])
    }
  }

  @Test func `spellings of one address are one address`() {
    let result = FeedRun()(
      list(forestHouse(), house("ЛЕСНАЯ", "7", locality: "пушкин", period: "1.8.2020")))
    #expect(result.statistics.sameNumber == 0 && uids(result).count == 2)
  }

  @Test func `a record of several periods is reported once, and only if it was asked for`() {
    let json = list(forestHouse(), forgedHouse(period: "1.8.2020, 1.9.2020, 1.10.2020"))
    #expect(FeedRun()(json).statistics.sameNumber == 1)
    #expect(FeedRun()(json).rejects.count == 1)
    var run = FeedRun()
    run.to = Day(iso: "2020-07-31")
    let result = run(json)
    #expect(result.statistics.sameNumber == 0 && result.rejects.isEmpty)
    #expect(uids(result).count == 1)
    // The other one alone has its event.
    run = FeedRun()
    run.conditions = [Condition(column: "locality", value: "")]
    #expect(uids(run(json)).count == 3)
    #expect(run(json).statistics.sameNumber == 0)
  }

  @Test func `it does not count for the limit of rejected records`() {
    var run = FeedRun()
    run.limit = .count(0)
    let result = run(list(forestHouse(), forgedHouse()))
    #expect(result.error == nil && result.statistics.sameNumber == 1)
  }

  /// A feed with the key of hot water and other events.
  private func feed(_ time: String, _ event: String) throws -> Feed {
    try OwnFeed.read(
      """
      feed: own
      rows: "[]"
      columns:
        locality: Населенный пункт
        street: Адрес жилого здания
        house: № дома
        building: корпус
        letter: литер
        at: {from: "Период отключения ГВС", kind: \(time)}
      key: {columns: [locality, street, house, building, letter], as: address_id}
      event: {summary: "{street}", \(event)}
      """)
  }

  @Test func `events at points in time are told apart as well`() throws {
    let feed = try feed("instant", "start: at")
    let time = "2020-07-01T10:00:00+03:00"
    let result = FeedRun(feed: feed)(
      list(forestHouse(period: time), forgedHouse(period: time), forgedHouse(period: time)))
    #expect(result.rows.count == 3 && uids(result).count == 1)
    #expect(result.statistics.sameNumber == 2)
  }

  @Test func `rows of a day of one address never become the event of another`() throws {
    let feed = try feed("instant", "start: at, each: day, values: {n: {texts: house}}")
    let (morning, evening) = ("2020-07-01T10:00:00+03:00", "2020-07-01T20:00:00+03:00")
    let result = FeedRun(feed: feed)(
      list(
        forestHouse(period: morning), forgedHouse(period: morning), forestHouse(period: evening),
        forgedHouse(period: evening), house(period: morning)))
    #expect(result.error == nil)
    #expect(result.rows.count == 5 && uids(result).count == 2)
    #expect(result.statistics.sameNumber == 2)
    #expect(result.rejects.map(\.record) == [2, 4])
  }
}
