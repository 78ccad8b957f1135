import Testing

@testable import Sluice
@testable import SluiceSync

/// What a rejected record means for the events in the ledger if it does not say where it is.
@Suite struct RefusedRecordTests {
  private let folder: ScratchFolder
  private let stamp = 1_593_108_790

  init() throws { folder = try ScratchFolder() }

  /// Runs a night over a feed. Returns its counts and its events in words.
  @discardableResult
  private func night(_ day: String, _ feed: String, of own: Feed = .hotWater) throws
    -> (counts: LedgerChanges, words: [String])
  {
    var night = LedgerNight(day, stamp: stamp)
    night.feed = own
    let result = try night(feed, in: folder.path)
    return (
      result.counts,
      result.events.map { "\($0.number) \($0.first)-\($0.end) \($0.sequence) \($0.status)" }
    )
  }

  /// Records of the house whose address cannot be read, in every way.
  private static let unreadable: [String] = [
    house("", "65"),
    house().replacing("\"Краснопутиловская\"", with: "null"),
    house().replacing("\"Краснопутиловская\"", with: "{\"x\": 1}"),
    house().replacing("\"Краснопутиловская\"", with: "[\"Краснопутиловская\"]"),
    house().replacing("\"Краснопутиловская\"", with: "true"),
    house().replacing("\"65\"", with: "{}"),
    house().replacing("\"65\"", with: "[65]"),
    house().replacing("\"65\"", with: "false"),
    house().replacing("\"Санкт-Петербург\"", with: "[]"),
    house().replacing("}", with: ", \"Адрес жилого здания\": \"Другая\"}"),
    house().replacing("}", with: ", \"№ дома\": \"66\"}"),
    // The first flaw is another one.
    "{\"Период отключения ГВС\": [], \"Адрес жилого здания\": \"Краснопутиловская\", "
      + "\"№ дома\": {}}",
    house(period: "скоро").replacing("\"65\"", with: "{}"),
    "[\"Санкт-Петербург\", \"Краснопутиловская\", \"65\"]", "\"Краснопутиловская\"", "7", "null",
  ]

  @Test(arguments: unreadable)
  func `a record of unknown address cancels nothing, and the events are shown`(record: String)
    throws
  {
    try night("2020-06-01", list(house(), house("Другая")))
    let (counts, words) = try night("2020-06-02", list(record, house("Другая")))
    #expect(counts == LedgerChanges(waiting: 1))
    #expect(
      words == ["2020-1 20200622-20200706 0 CONFIRMED", "2020-1 20200622-20200706 0 CONFIRMED"])
    // The same feed without it: now the house has left.
    let (next, last) = try night("2020-06-03", list(house("Другая")))
    #expect(next == LedgerChanges(cancelled: 1))
    #expect(last.last == "2020-1 20200622-20200706 1 CANCELLED")
  }

  @Test func `a record of unknown address lets nothing move away`() throws {
    try night("2020-06-01", list(house(period: "22.6.2020"), house("Другая")))
    let feed = list(house(period: "23.6.2020"), house("", "1"))
    let (counts, words) = try night("2020-06-02", feed)
    #expect(counts == LedgerChanges(new: 1, waiting: 2))
    #expect(words.count == 3)
    #expect(words.contains("2020-2 20200623-20200624 0 CONFIRMED"))
    #expect(words.contains("2020-1 20200622-20200623 0 CONFIRMED"))
    let (next, _) = try night("2020-06-03", list(house(period: "23.6.2020"), house("Другая")))
    #expect(next == LedgerChanges(cancelled: 1))
  }

  @Test func `past events of a feed that always has such a record go 30 days after their end`()
    throws
  {
    try night("2020-06-01", list(house(period: "10.6.2020"), house("", "1")))
    #expect(try night("2020-07-10", list(house("", "1"))).words.count == 1)
    let (counts, words) = try night("2020-07-11", list(house("", "1")))
    #expect(counts == LedgerChanges(gone: 1) && words.isEmpty)
  }

  @Test func `a cancelled event is forgotten in time, whatever is rejected`() throws {
    try night("2020-06-01", list(house(period: "22.9.2020")))
    try night("2020-06-02", "[]")
    #expect(try night("2020-07-01", list(house("", "1"))).words.count == 1)
    #expect(try night("2020-07-02", list(house("", "1"))).counts == LedgerChanges(gone: 1))
  }

  /// A feed whose key has a number and a flag.
  private static let own = """
    feed: pools
    rows: "[]"
    columns:
      town: {required: true}
      lane: {kind: integer}
      open: {kind: flag}
      off: {kind: day, required: true}
    key: [town, lane, open]
    event: {summary: "{town}", start: off}
    """

  private static let pool =
    #"{"town": "А", "lane": 3, "open": true, "off": "1.7.2020"}"#

  @Test(arguments: [
    (#""off": "1.7.2020""#, #""off": "скоро""#, false),
    (#""off": "1.7.2020""#, #""off": {}"#, false),
    (#""lane": 3"#, #""lane": "x""#, true), (#"true"#, #""?""#, true),
    (#""town": "А""#, #""town": " ""#, true),
  ])
  func `the other parts of an address are read although the record is rejected`(
    _ good: String, _ bad: String, _ isUnknown: Bool
  ) throws {
    let feed = try FeedDocument.read(Array(Self.own.utf8))
    let other = Self.pool.replacing("А", with: "Б")
    try night("2020-06-01", list(Self.pool, other), of: feed)
    // Only a record without an address keeps the other pool.
    let (counts, _) = try night(
      "2020-06-02", list(Self.pool.replacing(good, with: bad)), of: feed)
    #expect(
      counts
        == (isUnknown ? LedgerChanges(waiting: 2) : LedgerChanges(cancelled: 1, waiting: 1)))
  }
}
