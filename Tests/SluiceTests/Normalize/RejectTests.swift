import Testing

@testable import Sluice

/// Records that are refused, why, and what is told of them.
@Suite struct RejectTests {
  private let street = "Адрес жилого здания"
  private let period = "Период отключения ГВС"

  private func value(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

  /// A record whose house is this JSON.
  private func houseIs(_ json: String) -> String {
    #"{"Адрес жилого здания":"Садовая","№ дома":\#(json),"Период отключения ГВС":"1.6.2020"}"#
  }

  @Test(arguments: ["true", "false", "{}", "[]", #"{"a": [1, "]}"], "b": null}"#, "[ [\n], 7 ]"])
  func `a value of the wrong kind, with its JSON text`(_ json: String) {
    let record = houseIs(json)
    let result = FeedRun()("[\(house()), \(record)]")
    #expect(
      result.rejects == [
        Reject(
          record: 2, offset: 3 + house().utf8.count, field: "№ дома", value: value(json),
          reason: .wrongKind, raw: Array(record.utf8))
      ])
    #expect(result.counts == Counts(read: 2, kept: 1, rejected: 1, rows: 1))
  }

  @Test(arguments: [
    "Населенный пункт", "Адрес жилого здания", "№ дома", "корпус", "литер", "Период отключения ГВС",
  ])
  func `every field minds its kind and its twins`(_ name: String) {
    let fields = ["Населенный пункт", "Адрес жилого здания", "№ дома", "корпус", "литер"]
    let good = fields.map { #""\#($0)":"1""# } + [#""Период отключения ГВС":"1.6.2020""#]
    let wrong = good.map { $0.hasPrefix("\"\(name)") ? "\"\(name)\":[0]" : $0 }
    let twice = good + [#""\#(name)":"again""#]
    let result = FeedRun()(
      "[{\(wrong.joined(separator: ","))},{\(twice.joined(separator: ","))},{\(good.joined(separator: ","))}]"
    )
    #expect(result.rejects.map(\.reason) == [.wrongKind, .duplicateKey])
    #expect(result.rejects.map(\.field) == [name, name])
    #expect(result.rejects.map(\.value) == [value("[0]"), value("again")])
    #expect(result.counts == Counts(read: 3, kept: 1, rejected: 2, rows: 1))
  }

  @Test(arguments: [
    (#""2""#, "2"), ("2", "2"), ("true", "true"), (#"{"a":1}"#, #"{"a":1}"#),
    (#""a\n\u0041""#, "a\nA"), (#""""#, ""),
  ])
  func `a key that stands twice, with its second value`(_ json: String, _ shown: String) {
    for first in [#""1""#, "null", "1"] {
      let result = FeedRun()("[\(houseIs("\(first), \"№ дома\": \(json)"))]")
      #expect(result.rejects.map(\.reason) == [.duplicateKey])
      #expect(result.rejects.map(\.value) == [value(shown)])
    }
  }

  @Test func `a second value that is null shows as none`() {
    let result = FeedRun()("[\(houseIs("1, \"№ дома\": null"))]")
    #expect(result.rejects.map(\.reason) == [.duplicateKey])
    #expect(result.rejects.map(\.value) == [nil])
  }

  @Test func `keys that nobody reads may stand twice`() {
    let result = FeedRun()(
      #"[{"x":1,"x":2,"Адрес жилого здания":"С","Период отключения ГВС":"1.6.2020"}]"#)
    #expect(result.rejects == [])
    #expect(result.rows.count == 1)
  }

  @Test(arguments: [
    "7", "true", "null", #""a\"b""#, "[]", #"[{"Адрес жилого здания":"А"}]"#, "[[[]]]",
  ])
  func `a record that is no object`(_ json: String) {
    let result = FeedRun()("[\(house()),\(json)]")
    #expect(
      result.rejects == [
        Reject(
          record: 2, offset: 2 + house().utf8.count, field: nil, value: nil, reason: .notAnObject,
          raw: Array(json.utf8))
      ])
  }

  @Test func `what must be there and is not`() {
    let result = FeedRun()(
      list(
        house(""), house(" \u{A0}"), #"{"№ дома":"1","Период отключения ГВС":"1.6.2020"}"#,
        #"{"Адрес жилого здания":null,"Период отключения ГВС":"1.6.2020"}"#, house(period: ""),
        house(period: "\u{3000}"), #"{"Адрес жилого здания":"А"}"#,
        #"{"Адрес жилого здания":"А","Период отключения ГВС":null}"#, #"{"№ дома":"1"}"#, "{}"))
    #expect(result.rejects.map(\.reason) == Array(repeating: .missingValue, count: 10))
    #expect(
      result.rejects.map(\.field)
        == [street, street, street, street, period, period, period, period, street, street])
    #expect(result.rejects.map(\.record) == Array(1...10))
    #expect(result.rejects[0].value == nil)
    #expect(result.rejects[6].value == nil)
  }

  @Test(arguments: [
    ("летом", RejectReason.notAPeriod), ("31.6.2020", .noSuchDay),
    ("5.7.2020-22.6.2020", .endBeforeStart), (" ; ", .notAPeriod),
  ])
  func `a period that is none, with its text as it came`(_ text: String, _ reason: RejectReason) {
    let record = house(period: text)
    #expect(
      FeedRun()(list(record)).rejects == [
        Reject(
          record: 1, offset: 1, field: period, value: value(text), reason: reason,
          raw: Array(record.utf8))
      ])
  }

  @Test func `the first thing that is wrong is told`() {
    let result = FeedRun()(
      #"""
      [{"корпус":true,"литер":[],"Адрес жилого здания":"","Период отключения ГВС":"летом"},
      {"Период отключения ГВС":"летом"}]
      """#)
    #expect(result.rejects.map(\.reason) == [.wrongKind, .missingValue])
    #expect(result.rejects.map(\.field) == ["корпус", street])
    #expect(result.rejects.map(\.value) == [value("true"), nil])
  }

  // MARK: The order of judgement

  @Test func `a record is skipped before anything else is looked at`() {
    let result = FeedRun(conditions: [Condition(column: "house", value: "1")])(
      list(
        #"{"№ дома":true,"Период отключения ГВС":"ГВС сохранено"}"#,
        #"{"№ дома":"9","№ дома":"9","Период отключения ГВС":"ГВС сохранено"}"#))
    #expect(result.counts == Counts(read: 2, skipped: 2))
  }

  @Test func `a period that stands twice is no word to skip by`() {
    let result = FeedRun()(
      list(
        #"""
        {"Адрес жилого здания":"А","Период отключения ГВС":"ГВС сохранено",
        "Период отключения ГВС":"1.6.2020"}
        """#, house()))
    #expect(result.rejects.map(\.reason) == [.duplicateKey])
    #expect(result.counts == Counts(read: 2, kept: 1, rejected: 1, rows: 1))
  }

  @Test(arguments: [
    #"{"Адрес жилого здания":"А","№ дома":"2","Период отключения ГВС":"летом"}"#,
    #"{"№ дома":"2","Период отключения ГВС":"1.6.2020"}"#,
    #"{"Адрес жилого здания":"А","№ дома":"2","корпус":true,"Период отключения ГВС":"1.6.2020"}"#,
    #"{"Адрес жилого здания":"А","№ дома":"2","№ дома":"1","Период отключения ГВС":"1.6.2020"}"#,
    #"{"Адрес жилого здания":"А","№ дома":true,"Период отключения ГВС":"1.6.2020"}"#, "{}", "7",
    "[1]",
  ])
  func `what the filter drops is not judged`(_ record: String) {
    let result = FeedRun(
      conditions: [Condition(column: "house", value: "1")], limit: .count(0))(
        list(record, house("А", "1")))
    #expect(result.error == nil)
    #expect(result.counts == Counts(read: 2, kept: 1, filtered: 1, rows: 1))
  }

  @Test func `what the filter keeps is judged`() {
    let result = FeedRun(conditions: [Condition(column: "house", value: "1")])(
      list(
        house("", "1"), house("А", "1", period: "летом"),
        #"{"№ дома":"1","№ дома":"2","Период отключения ГВС":"1.6.2020"}"#))
    #expect(result.counts == Counts(read: 3, rejected: 3))
    #expect(result.rejects.map(\.reason) == [.missingValue, .notAPeriod, .duplicateKey])
  }

  @Test func `bad records are refused whatever days are asked for`() {
    let result = FeedRun(from: Day(year: 2021, month: 1, day: 1))(
      list(house(period: "31.6.2020"), house(period: "1.6.2020"), house("", period: "1.6.2020")))
    #expect(result.counts == Counts(read: 3, filtered: 1, rejected: 2))
  }

  // MARK: Limits

  private func run(_ limit: RejectLimit, bad: Int, good: Int, filtered: Int = 0) -> FeedResult {
    let records =
      Array(repeating: house("А", "1", period: "летом"), count: bad)
      + Array(repeating: house("А", "1"), count: good)
      + Array(repeating: house("А", "2", period: "летом"), count: filtered)
    let conditions = filtered > 0 ? [Condition(column: "house", value: "1")] : []
    return FeedRun(conditions: conditions, limit: limit)("[\(records.joined(separator: ","))]")
  }

  @Test(arguments: [
    (RejectLimit.count(0), 0, 5, true), (.count(0), 1, 99, false), (.count(2), 2, 0, true),
    (.count(2), 3, 1000, false), (.standard, 1, 9, true), (.standard, 2, 17, false),
    (.standard, 2, 18, true), (.share(millionths: 0), 1, 9999, false),
    (.share(millionths: 0), 0, 1, true), (.share(millionths: 1_000_000), 3, 0, true),
    (.share(millionths: 5_000), 1, 199, true), (.share(millionths: 5_000), 1, 198, false),
  ])
  func `too many refused records end the run`(
    _ limit: RejectLimit, _ bad: Int, _ good: Int, _ isFine: Bool
  ) {
    let result = run(limit, bad: bad, good: good)
    let fault = FeedFault.tooManyRejects(rejected: bad, of: bad + good, limit: limit)
    #expect(result.fault == (isFine ? nil : fault))
    #expect(result.rejects.count == bad)
    #expect(result.counts == Counts(read: bad + good, kept: good, rejected: bad, rows: good))
  }

  @Test func `a share is of all records that were read`() {
    #expect(run(.standard, bad: 10, good: 1, filtered: 90).fault == nil)
    #expect(
      run(.standard, bad: 11, good: 9, filtered: 80).fault
        == .tooManyRejects(rejected: 11, of: 100, limit: .standard))
    #expect(run(.share(millionths: 0), bad: 0, good: 0, filtered: 9).fault == nil)
  }

  @Test func `skipped records count for the share`() {
    let records =
      Array(repeating: house(period: "ГВС сохранено"), count: 9) + [house(period: "летом")]
    let result = FeedRun(limit: .standard)("[\(records.joined(separator: ","))]")
    #expect(result.fault == nil)
    #expect(result.counts == Counts(read: 10, skipped: 9, rejected: 1))
  }
}
