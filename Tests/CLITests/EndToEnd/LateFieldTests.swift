import Foundation
import Testing

extension EndToEnd {
  /// A field of the whole document that stands after more rows than may wait for it: the input is
  /// read twice.
  @Suite struct LateFieldTests {
    private let folder: Scratch
    private static let rows = (1...400).map { number in
      number % 100 == 0 ? "7" : #"{"n":\#(number),"day":"2026-01-05"}"#
    }.joined(separator: ",")
    private static let late = #"{"d":[\#(rows)],"city":"Lund"}"#
    private static let early = #"{"city":"Lund","d":[\#(rows)]}"#
    private static let words = "--max-rejects 4 --allow-rejects"

    init() throws {
      folder = try Scratch()
      let document = """
        feed: f
        hold: 1K
        rows: d[]
        columns: {city: {from: $.city, required: true}, n: n, day: {kind: day}}
        key: [n]
        event: {summary: "{n} in {city}"}

        """
      try folder.write("f.yaml", document)
      try folder.write("e.yaml", document + "envelope: {payload: data}\n")
      try folder.write("late.json", Self.late)
      try folder.write("early.json", Self.early)
    }

    private func convert(_ words: [String], feed: String = "f.yaml") throws -> Run {
      try BuiltProgram.run(
        ["convert"] + words + ["--feed", feed] + Self.words.split(separator: " ").map(String.init),
        environment: ["SOURCE_DATE_EPOCH": "0"], in: folder.path)
    }

    /// The table of the document whose field stands first.
    private func table() throws -> Bytes {
      let run = try convert(["early.json", "-o", "early.csv"])
      run.expectSilence()
      return try #require(folder.bytes("early.csv"))
    }

    @Test func `a file gives the rows of one whose field stands first`() throws {
      for name in ["early", "late"] {
        try convert([
          "\(name).json", "-o", "\(name).csv", "-o", "\(name).ndjson", "-o", "\(name).ics",
          "--rejects", "\(name).rejects", "--stats", "\(name).stats",
        ]).expectSilence()
      }
      for kind in ["csv", "ndjson", "ics"] {
        #expect(folder.bytes("late.\(kind)") == folder.bytes("early.\(kind)"), "\(kind)")
      }
      #expect(folder.text("late.csv").hasPrefix("city,n,day\nLund,1,2026-01-05\nLund,2,"))
      #expect(folder.text("late.rejects").split(separator: "\n").count == 4)
      let counts = #""read":400,"kept":396,"filtered":0,"skipped":0,"rejected":4,"rows":396"#
      #expect(folder.text("late.stats").contains(counts))
    }

    /// Some wait as they were read, more by their fields, and with many more the input is read twice.
    @Test(arguments: [300, 3000, 30_000], ["d[]", "d.*", "e[].d[]", "e[].d.*"])
    func `many rows of any form`(count: Int, path: String) throws {
      for columns in ["v: {from: $value, kind: decimal}", "n: {kind: integer}, day: {kind: day}"] {
        let isObject = path.hasSuffix("*")
        let rows = (0..<count).map { number in
          let value =
            number % 7777 == 5
            ? "true"
            : columns.hasPrefix("v") ? "\(number).5" : #"{"n":\#(number),"day":"2026-01-05"}"#
          return isObject ? #""k\#(number)":\#(value)"# : value
        }
        let members =
          path.hasPrefix("e") ? Self.elements(rows, isObject) : Self.list(rows, isObject)
        try folder.write("late.json", #"{\#(members),"city":"Lund"}"#)
        try folder.write("early.json", #"{"city":"Lund",\#(members)}"#)
        let others = (isObject ? "key: $key, " : "") + (path.hasPrefix("e") ? "e: \"e[].e\", " : "")
        try folder.write(
          "g.yaml", "feed: g\nrows: \"\(path)\"\ncolumns: {city: $.city, \(others)\(columns)}\n")
        for name in ["early", "late"] {
          let words = ["\(name).json", "-o", "\(name).csv", "--rejects", "\(name).rejects"]
          try convert(words, feed: "g.yaml").expectSilence()
        }
        #expect(folder.bytes("late.csv") == folder.bytes("early.csv"))
        let rejects = ["early", "late"].map {
          folder.text("\($0).rejects").split(separator: "\n").count
        }
        #expect(rejects == [(count + 7771) / 7777, (count + 7771) / 7777], "\(columns)")
      }
    }

    /// The member `d` with these rows.
    private static func list(_ rows: some Sequence<String>, _ isObject: Bool) -> String {
      let rows = rows.joined(separator: ",")
      return isObject ? #""d":{\#(rows)}"# : #""d":[\#(rows)]"#
    }

    /// The member `e` with elements of 90 rows each, in some after the field that is around them.
    private static func elements(_ rows: [String], _ isObject: Bool) -> String {
      let elements = stride(from: 0, to: rows.count, by: 90).map { first in
        let members = [
          #""e":"e\#(first)""#, list(rows[first..<min(first + 90, rows.count)], isObject),
        ]
        return "{" + (first % 4 == 0 ? members : members.reversed()).joined(separator: ",") + "}"
      }
      return #""e":[\#(elements.joined(separator: ","))]"#
    }

    @Test func `a zip in an envelope`() throws {
      let payload = Data(Archive(Self.late).bytes).base64EncodedString()
      try folder.write("e.json", #"{"data":"\#(payload)"}"#)
      try convert(["e.json", "-o", "e.csv"], feed: "e.yaml").expectSilence()
      #expect(folder.bytes("e.csv") == (try table()))
    }

    @Test func `standard input and a FIFO are kept in a temporary file`() throws {
      let table = try table()
      let words = "--feed f.yaml -o piped.csv \(Self.words)"
      try BuiltProgram.shell("cat late.json | sluice convert - \(words)", in: folder.path)
        .expectSilence()
      #expect(folder.bytes("piped.csv") == table)
      _ = try folder.pipe("fifo")
      try BuiltProgram.shell(
        "cat late.json >fifo & sluice convert fifo \(words); wait", in: folder.path
      ).expectSilence()
      #expect(folder.bytes("piped.csv") == table)
      #expect(folder.temporaries.isEmpty)
    }

    @Test func `standard input that cannot be kept ends the run`() throws {
      let run = try BuiltProgram.shell(
        "cat late.json | sluice convert - --feed f.yaml -o a.csv \(Self.words)",
        environment: ["TMPDIR": folder("none")], in: folder.path)
      run.expectFailure(74, "source: ")
      #expect(run.errors.contains("TMPDIR") && folder.bytes("a.csv") == nil)
    }

    @Test func `a URL is asked once`() throws {
      let server = try FaultServer(body: folder("late.json"))
      try convert([server.url("ok"), "-o", "served.csv"]).expectSilence()
      #expect(folder.bytes("served.csv") == (try table()))
    }

    @Test func `a field that never comes`() throws {
      try folder.write("none.json", #"{"d":[\#(Self.rows)]}"#)
      let run = try convert(["none.json", "-o", "none.csv"])
      #expect(run.code == 65)
      #expect(run.errors.contains("missing-value") || run.errors.contains("400 of 400"))
    }
  }
}
