import Testing

@testable import Sluice
@testable import SluiceSync

/// The ledger from one night to the next.
@Suite struct LedgerTests {
  private let folder: ScratchFolder
  private let stamp = 1_593_108_790

  init() throws { folder = try ScratchFolder() }

  /// Runs a night over periods of the same house, `nil` for a feed without any.
  @discardableResult
  private func night(_ today: String, _ period: String?, stamp: Int? = nil) throws
    -> LedgerNight.Result
  {
    try LedgerNight(today, stamp: stamp ?? self.stamp)(
      period.map { list(house(period: $0)) } ?? "[]", in: folder.path)
  }

  private func words(_ result: LedgerNight.Result) -> [String] {
    result.events.map { "\($0.number) \($0.first)-\($0.end) \($0.sequence) \($0.status)" }
  }

  // MARK: The first night

  @Test(arguments: [
    list(),
    list(house(), house("Непокорённых", "15", building: "1", letter: "А")),
    list(
      house(period: "1.8.2020"), house(period: "1.6.2020"), house("А", "1", period: "1.6.2020"),
      house(period: "28.12.2020-5.1.2021"), house(period: "1.6.2021, 1.7.2020"),
      house("а", "1", period: "2.6.2020")),
    list(
      house(period: "1.6.2020, 1.6.2020"), house("КРАСНОПУТИЛОВСКАЯ", period: "1.6.2020"),
      house(period: "1.6.2020-2.6.2020"), house(period: "1.6.2020")),
    list(house("А\\\"\\n;,\\u0000\\t", nil, locality: nil), house(period: "31.12.9999, 1.1.0001")),
  ])
  func `the first calendar is the one that convert makes`(_ json: String) throws {
    var run = FeedRun()
    run.calendar.alarms = ["P1D"]
    run.calendar.stamp = stamp
    var night = LedgerNight("2020-06-01", stamp: stamp)
    night.calendar.alarms = ["P1D"]
    let result = try night(json, in: folder.path)
    let converted = run(json)
    #expect(
      String(decoding: result.ics, as: UTF8.self) == String(decoding: converted.ics, as: UTF8.self))
    #expect(result.counts.new == converted.statistics.events)
    #expect(result.counters.events.value == converted.statistics.events)
    #expect(result.changeLines.count == converted.statistics.events)
  }

  @Test func `thousands of events, twice`() throws {
    let records = (0..<3000).map {
      house("Улица \($0 % 70)", "\($0 % 900)", period: "\($0 % 28 + 1).6.2020")
    }
    let json = "[\(records.joined(separator: ","))]"
    var run = FeedRun()
    run.calendar.stamp = stamp
    let first = try LedgerNight("2020-06-01", stamp: stamp)(json, in: folder.path)
    #expect(first.ics == run(json).ics)
    let second = try LedgerNight("2020-06-02", stamp: stamp + 86_400)(json, in: folder.path)
    #expect(second.ics == first.ics)
    #expect(second.counts == LedgerChanges())
    #expect(second.changes.isEmpty)
  }

  // MARK: The rules

  @Test func `a moved period keeps its UID and gets the next sequence`() throws {
    try night("2020-06-01", "22.6.2020-5.7.2020")
    let result = try night("2020-06-02", "24.6.2020-7.7.2020", stamp: stamp + 60)
    #expect(words(result) == ["2020-1 20200624-20200708 1 CONFIRMED"])
    #expect(result.events[0].stamp == "20200625T181410Z")
    #expect(result.events[0].modified == "20200625T181410Z")
    // Into another year: the UID is a name and stays.
    #expect(
      words(try night("2020-06-03", "1.2.2021")) == ["2020-1 20210201-20210202 2 CONFIRMED"])
  }

  @Test func `a vanished period is cancelled, shown for 30 days, and gone`() throws {
    try night("2020-06-01", "22.6.2020-5.7.2020")
    let cancelled = ["2020-1 20200622-20200706 1 CANCELLED"]
    #expect(words(try night("2020-06-02", nil, stamp: stamp + 60)) == cancelled)
    let last = try night("2020-07-01", nil, stamp: stamp + 3600)
    #expect(words(last) == cancelled)
    #expect(last.events[0].stamp == "20200625T181410Z")
    let gone = try night("2020-07-02", nil)
    #expect(gone.events.isEmpty)
    #expect(gone.counts.gone == 1)
    #expect(gone.changes.isEmpty)
  }

  @Test func `a period that comes back is restored with its UID, or gets a new one later`() throws {
    try night("2020-06-01", "22.9.2020")
    try night("2020-06-02", nil)
    #expect(words(try night("2020-07-01", "22.9.2020")) == ["2020-1 20200922-20200923 2 CONFIRMED"])
    try night("2020-07-02", nil)
    #expect(words(try night("2020-08-01", "22.9.2020")) == ["2020-2 20200922-20200923 0 CONFIRMED"])
    try night("2020-08-02", nil)
    #expect(
      words(try night("2020-08-03", "23.9.2020")) == [
        "2020-3 20200923-20200924 0 CONFIRMED", "2020-2 20200922-20200923 1 CANCELLED",
      ])
  }

  @Test func `a past period that left the feed is simply gone, and its number used`() throws {
    try night("2020-06-01", "1.5.2020-5.5.2020")
    let result = try night("2020-06-02", nil)
    #expect(result.events.isEmpty)
    #expect(
      result.counts
        == {
          var counts = LedgerChanges(); counts.gone = 1; return counts
        }())
    #expect(words(try night("2020-06-03", "1.5.2020")) == ["2020-2 20200501-20200502 0 CONFIRMED"])
  }

  @Test func `a past period that stays in the feed stays in the calendar`() throws {
    let before = try night("2020-06-01", "1.5.2020-5.5.2020")
    #expect(try night("2021-06-02", "1.5.2020-5.5.2020").ics == before.ics)
  }

  @Test func `hot water kept after all cancels what was published`() throws {
    try night("2020-06-01", "22.6.2020-5.7.2020")
    let result = try night("2020-06-02", "ГВС сохранено")
    #expect(result.counters.skipped.value == 1)
    #expect(words(result) == ["2020-1 20200622-20200706 1 CANCELLED"])
    #expect(result.counts.cancelled == 1)
  }

  @Test(arguments: [
    house(period: "скоро"), house(period: "31.6.2020"), house(period: ""),
    house().replacing("}", with: ", \"Период отключения ГВС\": \"1.7.2020\"}"),
  ])
  func `an address whose record is refused keeps its events`(refused: String) throws {
    let before = try night("2020-06-01", "22.6.2020-5.7.2020")
    for condition in [[], [Condition(column: "street", value: "Другая")]] {
      var night = LedgerNight("2020-06-02", stamp: stamp + 60)
      night.conditions = condition
      let result = try night(list(refused), in: folder.path)
      #expect(result.counts == LedgerChanges(waiting: 1) && result.ics == before.ics)
    }
    #expect(
      words(try night("2020-06-03", "24.6.2020-7.7.2020")) == [
        "2020-1 20200624-20200708 1 CONFIRMED"
      ])
  }

  @Test func `a refused record beside a good one lets nothing move or vanish`() throws {
    try night("2020-06-01", "22.6.2020-5.7.2020")
    let feed = list(house(period: "24.6.2020-7.7.2020"), house(period: "скоро"))
    for day in ["2020-06-02", "2020-06-03"] {
      #expect(
        words(try LedgerNight(day, stamp: stamp)(feed, in: folder.path)) == [
          "2020-2 20200624-20200708 0 CONFIRMED", "2020-1 20200622-20200706 0 CONFIRMED",
        ])
    }
    #expect(
      words(try night("2020-06-04", "24.6.2020-7.7.2020")) == [
        "2020-2 20200624-20200708 0 CONFIRMED", "2020-1 20200622-20200706 1 CANCELLED",
      ])
  }

  @Test func `changes that were kept are told by the next run, once`() throws {
    try night("2020-06-01", "22.6.2020-5.7.2020")
    let session = try LedgerSession(
      folder: folder.path, feed: .hotWater, today: LedgerNight.day("2020-06-02"),
      keepsChanges: true)
    #expect(!session.isNew)
    try ChunkCutter.feed(
      Array(list(house(period: "24.6.2020-7.7.2020")).utf8), splitAt: 9,
      to: Tokenizer(
        into: Normalizer(
          .hotWater, options: NormalizerOptions(),
          into: FanOut([try session.branch(Counters())]), counters: Counters()),
        counters: Counters()))
    try session.reconcile(stamp: stamp)
    #expect(session.changes.moved == 1)
    try session.prepare()
    try session.commit()
    let told = try night("2020-06-03", "25.6.2020-8.7.2020")
    #expect(told.changeLines.count == 2)
    #expect(told.changeLines[0].contains(#""start_date":"2020-06-24""#))
    #expect(told.changeLines[1].contains(#""start_date":"2020-06-25""#))
    #expect(words(told) == ["2020-1 20200625-20200709 2 CONFIRMED"])
    #expect(try night("2020-06-04", "25.6.2020-8.7.2020").changeLines.isEmpty)
  }

  @Test func `a cancelled event has no reminder`() throws {
    var night = LedgerNight("2020-06-01")
    night.calendar.alarms = ["P1D"]
    #expect(try night(list(house()), in: folder.path).events[0].lines.contains("BEGIN:VALARM"))
    #expect(try !night("[]", in: folder.path).events[0].lines.contains("BEGIN:VALARM"))
  }

  @Test func `texts that are written otherwise give a new stamp but no change`() throws {
    try LedgerNight(stamp: stamp)(list(house("Садовая"), house("Наличная")), in: folder.path)
    let json = list(house("Садовая"), house("НАЛИЧНАЯ"))
    let result = try LedgerNight(stamp: stamp + 60)(json, in: folder.path)
    #expect(result.events.map(\.sequence) == [0, 0])
    #expect(result.events.map(\.stamp) == ["20200625T181310Z", "20200625T181410Z"])
    #expect(result.events[1].summary.contains("НАЛИЧНАЯ"))
    #expect(result.counts.reworded == 1)
    #expect(result.changes.isEmpty)
    #expect(try LedgerNight(stamp: stamp + 120)(json, in: folder.path).ics == result.ics)
  }

  @Test func `cancelled events stand last, in order of their UIDs`() throws {
    let streets = (0..<40).map { "Улица \($0)" }
    let all = streets.map { house($0, period: "1.7.2020, 1.8.2020, 1.2.2021, 1.9.2020") }
    let before = try LedgerNight()("[\(all.joined(separator: ","))]", in: folder.path)
    let result = try LedgerNight()(list(all[7]), in: folder.path)
    #expect(
      result.events.map(\.status) == Array(repeating: "CONFIRMED", count: 4)
        + Array(repeating: "CANCELLED", count: 156))
    #expect(result.events.prefix(4).map(\.lines) == before.events[28..<32].map(\.lines))
    let uids = result.events.dropFirst(4).map(\.uid)
    #expect(uids == uids.sorted())
    #expect(Set(uids).count == 156)
  }

  @Test func `the feed's order is the calendar's, and moves no byte of an event`() throws {
    let (a, b, c) = (house("А"), house("Б"), house("В", period: "1.7.2020, 1.8.2020"))
    let before = try LedgerNight()(list(a, b, c), in: folder.path).events
    let after = try LedgerNight()(list(c, a, b), in: folder.path).events
    #expect(after == [before[2], before[3], before[0], before[1]])
  }

  // MARK: On the way out

  @Test func `a changed filter cancels nothing`() throws {
    let json = list(house("А"), house("Б", period: "1.7.2020, 1.8.2020"), house("В"))
    let all = try LedgerNight()(json, in: folder.path)
    var night = LedgerNight()
    night.query.conditions = [Condition(column: "street", value: "б")]
    let some = try night(json, in: folder.path)
    #expect(some.counts == LedgerChanges())
    #expect(some.events == Array(all.events[1...2]))
    #expect(some.counters.events.value == 2)
    night.query = RowSelection(from: LedgerNight.day("2020-07-02"))
    #expect(
      try night(json, in: folder.path).events.map(\.number) == ["2020-1", "2020-2", "2020-1"])
    night.query.to = LedgerNight.day("2020-07-31")
    #expect(try night(json, in: folder.path).events.map(\.first) == ["20200622", "20200622"])
    #expect(try LedgerNight()(json, in: folder.path).ics == all.ics)
    // Cancelled ones are filtered as well.
    night.query = RowSelection(conditions: [Condition(column: "street", value: "Б")])
    #expect(try night("[]", in: folder.path).events.map(\.status) == ["CANCELLED", "CANCELLED"])
  }

  @Test func `an address can be chosen by its number, and a filter that keeps nothing is named`()
    throws
  {
    let json = list(house(), house("А"))
    var night = LedgerNight()
    night.query.conditions = [Condition(column: "address_id", value: "9a52bf95f4e4a500")]
    #expect(try night(json, in: folder.path).events.count == 1)
    night.query.conditions = [Condition(column: "street", value: "Краснопутиловска")]
    let result = try night(json, in: folder.path)
    #expect(result.events.isEmpty)
    #expect(result.unmatched?.column == "street")
    #expect(result.unmatched?.nearest.first == "Краснопутиловская")
  }

  @Test func `rows outside of the days asked for are taken too`() throws {
    let run = try Ledger(folder: folder.path, feed: .hotWater).begin()
    let json = Array(list(house(period: "1.6.2020, 1.8.2020")).utf8)
    let counters = Counters()
    let normalizer = Normalizer(
      .hotWater, options: NormalizerOptions(from: LedgerNight.day("2020-07-01")),
      into: try run.stage(), counters: counters)
    try ChunkCutter.feed(json, splitAt: 1, to: Tokenizer(into: normalizer, counters: counters))
    #expect(try run.reconcile(today: LedgerNight.day("2020-05-01"), stamp: 0).new == 2)
  }

  // MARK: Changes

  @Test func `changes are told in order of the UIDs, with old and new days`() throws {
    let id = "9a52bf95f4e4a500"
    let head =
      #""address_id":"\#(id)","locality":"Санкт-Петербург","street":"Краснопутиловская","#
      + #""house":"65","building":null,"letter":null,"#
    func line(_ word: String, _ number: String, _ days: [String?]) -> String {
      let names = ["old_start_date", "old_end_date", "start_date", "end_date"]
      let members = zip(names, days).map { #""\#($0)":\#($1.map { "\"\($0)\"" } ?? "null")"# }
      return #"{"change":"\#(word)","uid":"\#(id)-\#(number)@hot-water.sluice",\#(head)"#
        + members.joined(separator: ",") + "}"
    }
    #expect(
      try night("2020-06-01", "1.2.2021, 22.6.2020-5.7.2020, 1.9.2020").changeLines == [
        line("new", "2020-1", [nil, nil, "2020-06-22", "2020-07-05"]),
        line("new", "2020-2", [nil, nil, "2020-09-01", "2020-09-01"]),
        line("new", "2021-1", [nil, nil, "2021-02-01", "2021-02-01"]),
      ])
    let second = try night("2020-06-02", "23.6.2020-6.7.2020, 1.2.2021")
    #expect(
      second.changeLines == [
        line("moved", "2020-1", ["2020-06-22", "2020-07-05", "2020-06-23", "2020-07-06"]),
        line("cancelled", "2020-2", ["2020-09-01", "2020-09-01", nil, nil]),
      ])
    #expect(
      second.counts
        == {
          var counts = LedgerChanges(); counts.moved = 1; counts.cancelled = 1; return counts
        }())
    #expect(
      try night("2020-06-03", "1.2.2021, 23.6.2020-6.7.2020, 1.9.2020, 5.5.2020").changeLines == [
        line("restored", "2020-2", [nil, nil, "2020-09-01", "2020-09-01"]),
        line("new", "2020-3", [nil, nil, "2020-05-05", "2020-05-05"]),
      ])
  }

  @Test func `what a house is called cannot break a line of changes`() throws {
    let result = try LedgerNight()(list(house("А\\n\\\"}\\u0001")), in: folder.path)
    #expect(result.changeLines.count == 1)
    #expect(result.changeLines[0].contains(#""street":"А \"}\u0001""#))
  }
}
