import Testing

@testable import Sluice

/// Whole records with periods and keys: the rows that come of a series of them are those of their
/// tokens, which come where the text is cut into pieces.
@Suite(.slow) struct PlainPeriodTests {
  /// The columns of an own feed, and where the town of a row is.
  private static func document(_ rows: String, town: String, _ rest: String) -> String {
    """
    feed: own
    rows: "\(rows)"
    columns:
      town: \(town)
      street: {from: street, required: true}
      house: house
      floors: {from: floors, kind: integer}
      off: {from: off, kind: period, columns: [start, end]\(rest)
    """
  }
  private static let key = "key: {columns: [town, street, house], as: id}"
  private static let event = """
    event: {start: start, end: end, summary: "{street} {house}"}
    """

  private static let documents = [
    document("[]", town: "town", ", required: true, skip: ГВС сохранено}\n\(key)"),
    document("[]", town: "town", ", skip: ГВС сохранено}\n\(key)\n\(event)"),
    document("[]", town: "town", ", required: true}\nkey: [street, house]\n\(event)"),
    document("[]", town: "town", "}\nkey: {columns: [house, floors], as: id}"),
    document("[]", town: "town", "}\nkey: [house, floors]"),
    document("[].v[]", town: "\"[].town\"", ", skip: ГВС сохранено}\n\(key)"),
    document("[].v[]", town: "\"[].town\"", ", skip: ГВС сохранено}\n\(key)\n\(event)"),
    document("[]", town: "town", ", skip: \" \"}\n\(key)"),
  ]

  private static let periods = [
    "22.06.2020-05.07.2020", "22.06.2020-05.07.2020", "06.07.2020", "1.6.2020 - 3.6.2020",
  ]
  private static let strangePeriods = [
    "null", #""""#, #""  ""#, "5", "true", "[]", #""1.6.2020, 1.8.2020""#, #""31.6.2020""#,
    #""soon""#, #""2.6.2020-1.6.2020""#, #"" 1.6.2020 ""#, #""\u0031.6.2020""#,
  ]
  private static let streets = [#""Садовая""#, #""Садовая""#, #""Лесной  ""#, #""a, \"b\"""#]
  private static let strangeValues = ["null", #""""#, "7", "1.5", "true", "{}", #"" ""#, #""x""#]

  /// Returns a record in which some values are strange, one of so many.
  private static func record(_ strange: Int, _ generator: inout SeededGenerator) -> String {
    func isStrange() -> Bool { Int.random(in: 0..<strange, using: &generator) == 0 }
    var off = "\"\(generator.pick(periods))\""
    if Int.random(in: 0..<9, using: &generator) == 0 { off = #""ГВС  сохранено""# }
    if isStrange() { off = generator.pick(strangePeriods) }
    let town = isStrange() ? generator.pick(strangeValues) : #""Пушкин""#
    let street = isStrange() ? generator.pick(strangeValues) : generator.pick(streets)
    let floors = isStrange() ? generator.pick(strangeValues) : "\(5 + 4 * off.utf8.count % 3)"
    let house = Int.random(in: 1...99, using: &generator)
    var members = [
      #""town":\#(town)"#, #""street":\#(street)"#, #""house":"\#(house)""#,
      #""floors":\#(floors)"#, #""off":\#(off)"#,
    ]
    if isStrange() { members.removeLast() }
    return "{\(members.joined(separator: ","))}"
  }

  /// Returns a list of records, or of towns with lists of them.
  private static func json(
    _ document: String, _ strange: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var elements: [String] = []
    if document.contains("[].v[]") {
      for number in 0..<40 {
        let count = generator.pick([0, 1, 2, 5, 90])
        let records = (0..<count).map { _ in record(strange, &generator) }
        elements.append(#"{"town":"t\#(number % 3)","v":[\#(records.joined(separator: ","))]}"#)
      }
    } else {
      elements = (0..<300).map { _ in record(strange, &generator) }
    }
    return Array("[\(elements.joined(separator: ","))]".utf8)
      + Array(repeating: UInt8(ascii: " "), count: RecordShape.slack)
  }

  @Test(arguments: documents.indices, 0..<12)
  func `rows of a series are those of tokens`(number: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let document = Self.documents[number]
    var run = FeedRun(feed: try OwnFeed.read(document))
    if seed % 4 == 3 { run.conditions = [Condition(column: "street", value: "Садовая")] }
    let json = Self.json(document, generator.pick([5, 30, 1000]), &generator)
    let pieces = run(json, cut: .pieces(9))
    #expect(pieces.counts.read > 100 && pieces.counts.rows > 0)
    for length in [json.count, 5000, 1234, 400] {
      #expect(run(json, cut: .pieces(length)).isSame(as: pieces), "\(document), \(length)")
    }
  }

  @Test(arguments: [false, true])
  func `the number of a key chooses rows`(areOthers: Bool) throws {
    let document = """
      feed: own
      rows: "[]"
      columns: {street: street, house: house}
      key: {columns: [street, house], as: id}
      """
    let json = "[" + (0..<300).map { house("s", "\($0 % 7)") }.joined(separator: ",") + "]"
    let own = json.replacing("Адрес жилого здания", with: "street")
      .replacing("№ дома", with: "house")
    var run = FeedRun(feed: try OwnFeed.read(document))
    let number = try #require(run(own).rows.first?.suffix(16))
    run.conditions = [
      Condition(column: "id", areOthers ? .notEqual : .equal, value: String(number))
    ]
    let result = run(own)
    #expect(result.rows.count == (areOthers ? 300 - 43 : 43))
    #expect(result.rows.allSatisfy { $0.hasSuffix(number) != areOthers })
    #expect(result.isSame(as: run(own, cut: .pieces(9))))
  }

  @Test(arguments: [3, 63, 64, 65, 100])
  func `a row that is not beside those of its day is named by its number`(before: Int) throws {
    let document = """
      feed: own
      rows: "[]"
      columns: {street: {required: true}, day: {kind: day, required: true}, note: note}
      key: [street]
      event: {each: day, start: day, summary: "{street}"}
      """
    let days = (0..<before).map { Day(number: Int32(18_500 + $0)).description }
    let records = (days + [days[1]] + days).map { #"{"street":"S","day":"\#($0)"}"# }
    let json = "[\(records.joined(separator: ","))]"
    var run = FeedRun(feed: try OwnFeed.read(document))
    let error = try #require(run(json).error)
    #expect(error.record == before + 1)
    #expect(run(json, cut: .pieces(9)).error == error)
    // Records that are not wanted count, wherever they stand in a series.
    run.conditions = [Condition(column: "note", .notEqual, value: "x")]
    let dropped = #"{"street":"S","day":"2020-06-01","note":"x"}"#
    let mixed = "[\(records.joined(separator: ",\(dropped),"))]"
    let other = try #require(run(mixed).error)
    #expect(other.record == 2 * before + 1)
    #expect(run(mixed, cut: .pieces(9)).error == other)
  }

  @Test(arguments: [1, 5, 63, 64, 65, 200])
  func `a forged key is reported where it stands, though others are skipped before it`(
    before: Int
  ) {
    let plain = (0..<before).map { house("Садовая", "\($0)") }
    let skipped = house("Невский", "1", period: "ГВС сохранено")
    let first = plain + [forestHouse(), skipped, skipped, house()]
    let records = first + [forgedHouse(), house(), skipped]
    let json = "[" + records.joined(separator: ",") + "]"
    let result = FeedRun()(json)
    #expect(result.statistics.sameNumber == 1 && result.statistics.skipped == 3)
    #expect(
      result.rejects == [
        Reject(
          record: before + 5, offset: first.reduce(1) { $0 + $1.utf8.count + 1 },
          reason: .sameNumber, raw: Array(forgedHouse().utf8))
      ])
    for length in [9, 300, 700, 5000] {
      #expect(FeedRun()(json, cut: .pieces(length)).isSame(as: result), "\(length)")
    }
  }
}
