import Testing

@testable import Sluice

/// Keys of days, instants, times and decimals: their number is that of the texts as they are shown.
@Suite struct KeyKindTests {
  private static let columns =
    "a: a, d: {kind: day}, w: {kind: instant}, p: {kind: decimal}, t: {kind: time}"

  private func run(
    _ key: String, _ json: String, where conditions: [Condition] = []
  ) throws -> FeedResult {
    var run = FeedRun(
      feed: try OwnFeed.read(
        OwnFeed.document(Self.columns, "key: {columns: [\(key)], as: id}\nclock: +01:00")))
    run.conditions = conditions
    return run("{\"d\":[\(json)]}")
  }

  /// The number of a key of these texts.
  private func number(_ texts: String...) -> String {
    var hash = FNV1a()
    for byte in texts.joined(separator: "\u{1F}").utf8 { hash.add(byte) }
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  @Test func `the number is that of the texts as they are shown`() throws {
    let json = #"{"a":"x","d":"5.1.2026","w":"2026-01-05T10:00:00Z","p":" 1.50 ","t":"9:05"}"#
    let row = "x,2026-01-05,2026-01-05T11:00:00+01:00,1.50,09:05"
    let shown = row.split(separator: ",").map(String.init)
    #expect(try run("d", json).rows == ["\(row),\(number(shown[1]))"])
    #expect(try run("a, d", json).rows == ["\(row),\(number("x", shown[1]))"])
    #expect(
      try run("w, p, t", json).rows == [
        "\(row),\(number(shown[2].lowercased(), shown[3], shown[4]))"
      ])
  }

  @Test func `a condition on the number waits until the day is read`() throws {
    let json = #"{"d":"2026-01-05"},{"d":"6.1.2026"},{"d":"soon"},{"a":"x"}"#
    let result = try run("d", json, where: [Condition(column: "id", value: number("2026-01-06"))])
    #expect(result.rows.map { $0.prefix(11) } == [",2026-01-06"])
    #expect(result.rejects.map(\.reason) == [.notADay])
  }

  @Test func `a day may be in a unique key, if it is required`() {
    func fault(_ key: String, _ more: String = "") -> String {
      OwnFeed.fault(
        OwnFeed.document(
          "d: {kind: day, required: true}, p: {kind: period}, w: {kind: instant}",
          "key: \(key)\n\(more)"))
    }
    #expect(fault("{columns: [d], unique: true}") == "")
    #expect(fault("{columns: [w], unique: true}") == #"4:17 keyNotRequired("w")"#)
    #expect(fault("[p_start]").hasPrefix(#"4:7 columnOfOtherKind("p_start""#))
    #expect(fault("{columns: [d], unique: true}", "marks: [seen, gone]\nhides: [gone]") == "")
    #expect(fault("[d]", "marks: [seen]") == #"5:8 keyWants("marks", other: "unique")"#)
    #expect(
      fault("{columns: [d], unique: true}", "marks: [d]") == #"5:9 duplicateColumn("d")"#)
    #expect(
      fault("{columns: [d], as: id, unique: true}", "marks: [ID]") == #"5:9 duplicateColumn("ID")"#)
    #expect(
      fault("{columns: [d], unique: true}", "marks: [seen]\nhides: [x]")
        == #"6:9 unknownColumn("x", key: "hides", columns: ["seen"])"#)
    #expect(
      OwnFeed.fault("feed: a\nrows: d[]\ncolumns: {a: a}\nmarks: [x]")
        == #"4:8 keyWants("marks", other: "key")"#)
  }

  @Test func `each of several tables may have a key of a day`() throws {
    let feed = try OwnFeed.read(
      "feed: a\ntables: {t: {rows: 'a[]', columns: {d: {kind: day, required: true}}, key: [d]}}")
    #expect(feed.tables[0].key == ["d"])
  }
}
