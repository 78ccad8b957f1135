import Testing

@testable import Sluice

/// Records of the bonds feed: rows in a list inside a list, with fields around them.
@Suite struct BondsRowTests {
  private func run(_ json: String) -> FeedResult { FeedRun(feed: .bonds)(json) }

  private func value(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// One bond with these members before its one item.
  private func bond(
    _ members: String, item: String = #"{"date":"2018-09-01T13:00:00+0300","price":1}"#
  )
    -> String
  {
    #"{"activities":[{\#(members),"items":[\#(item)]}]}"#
  }

  private let parents = #""isin":"RU1","title":"А","currency":"RUB""#

  @Test func `one row per item, with what stands around it`() {
    let result = run(
      #"""
      {"x":[1],"activities":[
      {"title":"ОФЗ, \"26\"","y":{"isin":"no"},"currency":"RUB","isin":"RU1","items":[
      {"date":"2018-09-01T13:00:00+0300","price":56.177},
      {"price":"1e400","z":[{"price":0}],"date":"2018-09-02 13:00:00Z"}]},
      {"isin":" RU2 ","items":[]},
      {"isin":"RU3","items":[{"date":"2018-09-03T13:00:00+0300","price":-0.10}]}]}
      """#)
    #expect(
      result.csv
        == value(
          """
          isin,title,currency,date,price
          RU1,"ОФЗ, ""26""\",RUB,2018-09-01T13:00:00+03:00,56.177
          RU1,"ОФЗ, ""26""\",RUB,2018-09-02T13:00:00Z,1e400
          RU3,,,2018-09-03T13:00:00+03:00,-0.10

          """))
    #expect(
      result.ndjson
        == value(
          #"""
          {"isin":"RU1","title":"ОФЗ, \"26\"","currency":"RUB","date":"2018-09-01T13:00:00+03:00","price":56.177}
          {"isin":"RU1","title":"ОФЗ, \"26\"","currency":"RUB","date":"2018-09-02T13:00:00Z","price":1e400}
          {"isin":"RU3","title":null,"currency":null,"date":"2018-09-03T13:00:00+03:00","price":-0.10}

          """#))
    #expect(result.counts == Counts(read: 3, kept: 3, rows: 3))
    #expect(
      result.statistics.days == Day(year: 2018, month: 9, day: 1)!...Day(
        year: 2018, month: 9, day: 3)!)
  }

  @Test(arguments: [
    #"{"activities":[]}"#, #"{"a":1,"activities":[]}"#,
    #"{"activities":[{"isin":"a","items":[]}]}"#,
  ])
  func `nothing is fine`(_ json: String) {
    let result = run(json)
    #expect(result.error == nil)
    #expect(result.csv == value("isin,title,currency,date,price\n"))
    #expect(result.counts == Counts())
  }

  @Test(arguments: ["isin", "title", "currency"])
  func `a field of a bond after its items belongs to them`(_ field: String) {
    for items in ["[]", #"[{"date":"2018-09-01T13:00:00Z","price":1}]"#, #"[7,{"price":1}]"#] {
      for late in ["\"x\"", "null", "[1]"] {
        func document(_ members: String) -> String {
          #"{"activities":[{"isin":"1","items":[]},{\#(members)}]}"#
        }
        let after = run(document(#""items":\#(items),"\#(field)":\#(late)"#))
        let before = run(document(#""\#(field)":\#(late),"items":\#(items)"#))
        #expect(after.error == nil)
        #expect(after.csv == before.csv)
        #expect(after.rejects.map(\.reason) == before.rejects.map(\.reason))
        #expect(after.rejects.map(\.value) == before.rejects.map(\.value))
      }
    }
  }

  @Test func `the next bond begins anew`() {
    let result = run(
      #"""
      {"activities":[{"isin":"1","title":"t","currency":"c","items":[{"date":"2018-09-01T13:00:00Z","price":1}]},
      {"title":"u","isin":"2","items":[{"date":"2018-09-01T13:00:00Z","price":2}]},
      {"items":[{"date":"2018-09-01T13:00:00Z","price":3}]}]}
      """#)
    #expect(result.rows.map { $0.prefix(5) } == ["1,t,c", "2,u,,"])
    #expect(result.rejects.map(\.reason) == [.missingValue])
    #expect(result.rejects.map(\.field) == ["isin"])
  }

  @Test(arguments: [
    (#""isin":"1","isin":"2""#, "isin", RejectReason.duplicateKey, "2"),
    (#""isin":"1","title":"a","title":2"#, "title", .duplicateKey, "2"),
    (#""isin":"1","title":{"a":[1, 2]}"#, "title", .wrongKind, #"{"a":[1, 2]}"#),
    (#""isin":true"#, "isin", .wrongKind, "true"),
    (#""isin":"1","currency":[]"#, "currency", .wrongKind, "[]"),
    (#""isin":"1","currency":[],"title":{}"#, "currency", .wrongKind, "[]"),
    (#""isin":"1","isin":[ 3 ]"#, "isin", .duplicateKey, "[ 3 ]"),
  ])
  func `what is wrong with a bond refuses each of its items, and no others`(
    _ members: String, _ field: String, _ reason: RejectReason, _ shown: String
  ) {
    let items = #"{"date":"2018-09-01T13:00:00Z","price":1}"#
    let result = run(
      #"{"activities":[{\#(members),"items":[\#(items),\#(items)]},{"isin":"3","items":[\#(items)]}]}"#
    )
    #expect(result.rejects.map(\.reason) == [reason, reason])
    #expect(result.rejects.map(\.field) == [field, field])
    #expect(result.rejects.map(\.value) == [value(shown), value(shown)])
    #expect(result.rejects.map(\.raw) == [value(items), value(items)])
    #expect(result.rows.map { $0.prefix(2) } == ["3,"])
    #expect(result.counts == Counts(read: 3, kept: 1, rejected: 2, rows: 1))
  }

  private static let wrongItems: [(String, RejectReason, String?, String?)] = [
    ("{}", .missingValue, "date", nil),
    (#"{"date":"2018-09-01T13:00:00Z"}"#, .missingValue, "price", nil),
    (#"{"date":"","price":1}"#, .missingValue, "date", nil),
    (#"{"date":"вчера","price":1}"#, .notAnInstant, "date", "вчера"),
    (#"{"date":20180901,"price":1}"#, .notAnInstant, "date", "20180901"),
    (#"{"date":"2018-02-30T13:00:00Z","price":1}"#, .noSuchDay, "date", "2018-02-30T13:00:00Z"),
    (#"{"date":"2018-09-01T13:00:00Z","price":"1,5"}"#, .notADecimal, "price", "1,5"),
    (#"{"date":"2018-09-01T13:00:00Z","price":true}"#, .wrongKind, "price", "true"),
    (#"{"date":"2018-09-01T13:00:00Z","price":1,"price":1}"#, .duplicateKey, "price", "1"),
    (
      #"{"date":["2018-09-01T13:00:00Z"],"price":1}"#, .wrongKind, "date",
      #"["2018-09-01T13:00:00Z"]"#
    ),
    ("7", .notAnObject, nil, nil), ("[]", .notAnObject, nil, nil),
  ]

  @Test(arguments: wrongItems)
  func `what is wrong with an item`(
    _ item: String, _ reason: RejectReason, _ field: String?, _ shown: String?
  ) {
    let good = #"{"date":"2018-09-01T13:00:00Z","price":1}"#
    let result = run(bond(parents, item: "\(item),\(good)"))
    #expect(result.rejects.map(\.reason) == [reason])
    #expect(result.rejects.first?.field == field)
    #expect(result.rejects.first?.value == shown.map(value))
    #expect(result.rejects.first?.raw == value(item))
    #expect(result.rows.count == 1)
  }

  @Test func `white space around decimals and instants is trimmed`() {
    let result = run(
      bond(parents, item: #"{"date":" 2018-09-01T13:00:00Z\n","price":"\#u{A0}1.50 "}"#))
    #expect(result.rows == ["RU1,А,RUB,2018-09-01T13:00:00Z,1.50"])
  }

  @Test func `instants belong to the day written in them`() {
    let json = bond(
      parents,
      item:
        #"{"date":"2018-09-01T23:30:00-1100","price":1},{"date":"2018-09-02T00:30:00+1400","price":2}"#
    )
    let first = Day(year: 2018, month: 9, day: 1)
    let second = Day(year: 2018, month: 9, day: 2)
    #expect(FeedRun(feed: .bonds, from: first, to: first)(json).rows.map(\.last) == ["1"])
    #expect(FeedRun(feed: .bonds, from: second, to: second)(json).rows.map(\.last) == ["2"])
  }

  @Test func `decimals have a comma for spreadsheets`() {
    var run = FeedRun(feed: .bonds)
    run.dialect = .excel
    let result = run(bond(parents, item: #"{"date":"2018-09-01T13:00:00Z","price":-56.177}"#))
    #expect(
      result.csv
        == value(
          "\u{FEFF}isin;title;currency;date;price\r\nRU1;А;RUB;2018-09-01 13:00:00;\"-56,177\"\r\n")
    )
    #expect(result.statistics.guardedCells == 0)
  }
}
