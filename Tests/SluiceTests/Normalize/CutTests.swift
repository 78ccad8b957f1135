import Testing

@testable import Sluice

/// The same rows, refusals and errors however the JSON is cut.
@Suite struct CutTests {
  private let houses = list(
    house("Непокоре\u{308}нных, \\\"\\u0419\\\"", "15\u{A0}", building: "1", letter: "А\\t"),
    #"{"x":[{"корпус":true},"\ud83c\udfe0"],"№ дома":1e5,"Адрес жилого здания":"🏠","Период отключения ГВС":"с 28.12 по 5.1.2021 г., 2020-03-01"}"#,
    #"{"Адрес жилого здания":"А","№ дома":{"a":"[\"}"},"Период отключения ГВС":"1.6.2020"}"#,
    #"{"Адрес жилого здания":"А","литер":"\u0041","литер":"\u0042"}"#, #""те\nкст""#, "-1.5e3",
    "[[]]",
    house(period: "ГВС\u{3000}сохранено"), house(period: "31.6.2020"), house("\u{2028}"))

  @Test func `records of the hot-water feed`() {
    let result = FeedRun().everyCut(houses)
    #expect(result.error == nil)
    #expect(result.counts == Counts(read: 10, kept: 2, skipped: 1, rejected: 7, rows: 3))
    #expect(
      result.rejects.map(\.reason) == [
        .wrongKind, .duplicateKey, .notAnObject, .notAnObject, .notAnObject, .noSuchDay,
        .missingValue,
      ])
    #expect(String(decoding: result.rejects[2].raw, as: UTF8.self) == #""те\nкст""#)
  }

  @Test func `records that are filtered`() {
    let run = FeedRun(
      conditions: [Condition(column: "house", value: "16")], limit: .standard)
    let result = run.everyCut(houses)
    #expect(result.counts == Counts(read: 10, filtered: 9, skipped: 1))
    #expect(result.statistics.unmatched?.nearest == ["15", "1e5", "65"])
  }

  @Test func `bonds`() {
    let result = FeedRun(feed: .bonds).everyCut(
      #"""
      {"activities":[{"isin":"1","title":{"a":["б"]},"items":[{"date":"2018-09-01T13:00:00Z","price":1}]},
      {"title":" О\u0424З ","isin":2,"items":[{"price":-0.5E-3,"date":"2018-09-01T13:00:00+0300"},7,{}]}]}
      """#)
    #expect(result.error == nil)
    #expect(result.counts == Counts(read: 4, kept: 1, rejected: 3, rows: 1))
    #expect(result.rejects.first?.value == Array(#"{"a":["б"]}"#.utf8))
  }

  @Test(arguments: [
    #"[{"Адрес жилого здания":"А","Период отключения ГВС":"1.6.2020"},]"#, #"[{"x":1}]"#,
    #"{"status":"error","б":{"x":1}}"#, #"[{"Адрес жилого здания":"А""#, #"["\ud800"]"#, "", "[]x",
    #"[{"Адрес жилого здания":"А","Период отключения ГВС":"1.6.2020"},{"№ дома":01}]"#,
  ])
  func `errors`(_ json: String) {
    #expect(FeedRun().everyCut(json).error != nil)
  }

  @Test(arguments: [
    #"{"activities":[{"isin":"1","currency":"₽","title":"Б","items":[],"title":"А"}]}"#,
    #"{"activities":[{"items":{"a":1}}]}"#,
    #"{"activities":{"б":[]}}"#, #"{"активности":[]}"#,
  ])
  func `errors of bonds`(_ json: String) {
    #expect(FeedRun(feed: .bonds).everyCut(json).fault != nil)
  }
}
