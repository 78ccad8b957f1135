import Testing

@testable import Sluice

/// Rows that wait as they were read, while their chunk and their list end.
@Suite struct HeldWholesTests {
  /// What a row is, with its columns.
  enum Rows: CaseIterable {
    case records, keyedRecords, values, members

    var isObject: Bool { self == .keyedRecords || self == .members }

    /// The table; the fields around come before the rows, or after them.
    var document: String {
      let key = isObject ? "\n  k: $key" : ""
      let columns =
        self == .records || self == .keyedRecords
        ? "\n  n: {kind: decimal}\n  s: s" : "\n  n: {from: \"$value\", kind: decimal}"
      return """
        feed: own
        rows: "a[].b[].c\(isObject ? ".*" : "[]")"
        columns:
          x: "a[].x"
          y: "a[].b[].y"\(key)\(columns)
        """
    }

    /// The text of a row.
    func row(_ number: Int, _ random: inout SeededGenerator, strange: UInt64) -> String {
      let isStrange = random.next() % strange == 0
      let value = isStrange ? random.pick(["\"x\"", "null", "[1]", "1e400"]) : "\(number).5"
      let text = random.next() % 9 == 0 ? #"a\"\u0416\#(number)"# : "Невский, \(number)"
      let isRecord = self == .records || self == .keyedRecords
      let written = isRecord ? #"{"n":\#(value),"s":"\#(text)"}"# : value
      guard isObject else { return written }
      let key = random.next() % 40 == 0 ? #"k\t\#(number)"# : "k\(number)"
      return "\"\(key)\":\(written)"
    }
  }

  /// A document with the fields around the rows after them, and one with these before.
  private static func documents(
    _ rows: Rows, lists: Int, longest: UInt64, strange: UInt64, seed: UInt64
  ) -> (late: String, early: String) {
    var random = SeededGenerator(seed: seed)
    var (late, early): ([String], [String]) = ([], [])
    for outer in 0..<4 {
      var (lateInner, earlyInner): ([String], [String]) = ([], [])
      for inner in 0..<lists {
        let list = (0..<Int(random.next() % (longest + 1))).map {
          rows.row($0, &random, strange: strange)
        }.joined(separator: ",")
        let container = rows.isObject ? #""c":{\#(list)}"# : #""c":[\#(list)]"#
        lateInner.append(#"{\#(container),"y":"y\#(inner)"}"#)
        earlyInner.append(#"{"y":"y\#(inner)",\#(container)}"#)
      }
      late.append(#"{"b":[\#(lateInner.joined(separator: ","))],"x":"x\#(outer)"}"#)
      early.append(#"{"x":"x\#(outer)","b":[\#(earlyInner.joined(separator: ","))]}"#)
    }
    let room = String(repeating: " ", count: RecordShape.slack)
    return (
      #"{"a":[\#(late.joined(separator: ","))]}"# + room,
      #"{"a":[\#(early.joined(separator: ","))]}"# + room
    )
  }

  @Test(arguments: Rows.allCases)
  func `fields two lists further out give the rows of fields before them`(rows: Rows) throws {
    let run = FeedRun(feed: try OwnFeed.read(rows.document))
    for seed in 0..<12 as Range<UInt64> {
      let (late, early) = Self.documents(
        rows, lists: seed % 3 == 0 ? 30 : 4, longest: [3, 12, 150, 900][Int(seed % 4)],
        strange: [40, 1000, .max][Int(seed % 3)], seed: seed)
      let (whole, other) = (run(late), run(early))
      #expect(whole.error == nil)
      #expect(whole.rows == other.rows)
      #expect(whole.rows.count > 10)
      #expect(whole.counts == other.counts)
      #expect(
        whole.rejects.map { "\($0.record) \($0.reason) \($0.raw)" }
          == other.rejects.map { "\($0.record) \($0.reason) \($0.raw)" })
      for length in [700, 2000, 9000] {
        #expect(run(late, cut: .pieces(length)).isSame(as: whole), "\(length)")
      }
    }
  }

  /// Rows of many short lists wait for `x`, which is three lists further out, and leave as one
  /// series. What stands between is around several of these lists.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a text that is around several lists stays until all their rows have left`(seed: UInt64)
    throws
  {
    let run = FeedRun(
      feed: try OwnFeed.read(
        """
        feed: own
        rows: "a[].b[].c[].d[]"
        columns:
          x: "a[].x"
          y: "a[].b[].y"
          t: {from: "a[].b[].t", kind: instant}
          names: "a[].b[].names[*]"
          z: "a[].b[].c[].z"
          n: {kind: integer}
        """))
    var random = SeededGenerator(seed: seed)
    var (late, early): ([String], [String]) = ([], [])
    for outer in 0..<3 {
      var (lateB, earlyB): ([String], [String]) = ([], [])
      for inner in 0..<12 {
        var (lateC, earlyC): ([String], [String]) = ([], [])
        for place in 0..<Int(random.next() % 25) {
          let rows = (0...random.next() % 3).map { #"{"n":\#($0)}"# }.joined(separator: ",")
          let field = random.next() % 4 == 0 ? nil : #""z":"z\#(place)""#
          lateC.append(
            "{" + ([#""d":[\#(rows)]"#, field].compactMap(\.self)).joined(separator: ",") + "}")
          earlyC.append(
            "{" + ([field, #""d":[\#(rows)]"#].compactMap(\.self)).joined(separator: ",") + "}")
        }
        let fields =
          #""y":"text \#(inner)","t":"2026-01-\#(10 + inner)T10:00:00+03:00","names":["a","b\#(inner)"]"#
        lateB.append(#"{"c":[\#(lateC.joined(separator: ","))],\#(fields)}"#)
        earlyB.append(#"{\#(fields),"c":[\#(earlyC.joined(separator: ","))]}"#)
      }
      late.append(#"{"b":[\#(lateB.joined(separator: ","))],"x":"x\#(outer)"}"#)
      early.append(#"{"x":"x\#(outer)","b":[\#(earlyB.joined(separator: ","))]}"#)
    }
    let room = String(repeating: " ", count: RecordShape.slack)
    let whole = run(#"{"a":[\#(late.joined(separator: ","))]}"# + room)
    #expect(whole.error == nil && whole.rows.count > 100)
    #expect(whole.rows == run(#"{"a":[\#(early.joined(separator: ","))]}"# + room).rows)
  }

  @Test(arguments: ["200", "2K", "20K"])
  func `what waits takes no more room than may be held`(hold: String) throws {
    for rows in Rows.allCases {
      let run = FeedRun(feed: try OwnFeed.read("hold: \(hold)\n" + rows.document))
      let (late, _) = Self.documents(rows, lists: 20, longest: 40, strange: .max, seed: 7)
      let fault = run(late).fault
      #expect(fault == run(late, cut: .pieces(9)).fault)
      if hold == "200" {
        // Rows wait for the innermost field first.
        #expect(fault == .tooManyHeld(field: "y", limit: 200))
      }
    }
  }
}
