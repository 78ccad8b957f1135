import Foundation
import Testing

extension EndToEnd {
  /// Columns of shares, which need two readings of the input.
  @Suite struct SharesTests {
    private let folder: Scratch

    init() throws {
      folder = try Scratch()
      try folder.write(
        "f.yaml",
        """
        feed: f
        rows: d[]
        columns:
          n: {required: true}
          v: {kind: decimal}
          p: {kind: share, of: v}
        """)
      try folder.write("d.json", Self.data)
    }

    private static let data =
      #"{"d":[{"n":"a","v":1.5},{"v":9},{"n":"b","v":3},{"n":"c","v":6},{"n":"a","v":1.5}]}"#
    private static let csv = "n,v,p\na,1.5,12.500\nb,3,25.000\nc,6,50.000\na,1.5,12.500\n"

    private func convert(_ words: [String]) throws -> Run {
      try BuiltProgram.run(
        ["convert"] + words + ["--feed", "f.yaml", "--max-rejects", "50%", "--allow-rejects"],
        in: folder.path)
    }

    @Test func `every format has them, and records are counted and refused once`() throws {
      try convert([
        "d.json", "-o", "a.csv", "-o", "a.ndjson", "-o", "a.sqlite", "--stats", "s.json",
        "--rejects", "r.ndjson",
      ]).expectSilence()
      #expect(folder.text("a.csv") == Self.csv)
      #expect(folder.text("a.ndjson").hasPrefix(#"{"n":"a","v":1.5,"p":12.500}"# + "\n"))
      let query = try BuiltProgram.tool(
        ["sqlite3", "a.sqlite", "SELECT sum(p) FROM f"], in: folder.path)
      #expect(query.output == "100.0\n")
      #expect(folder.text("r.ndjson").split(separator: "\n").count == 1)
      let stats = folder.text("s.json")
      #expect(stats.contains(#""read":5,"kept":4,"filtered":0,"skipped":0,"rejected":1,"rows":4"#))
      #expect(
        stats.contains(#""shares":{"p":{"of":"v","total":"12.0","sum":"100.000"}},"#))
      try convert(["d.json", "--csv-dialect", "excel", "-o", "e.csv"]).expectSilence()
      #expect(folder.text("e.csv").contains("a;\"1,5\";\"12,500\"\r\n"))
    }

    @Test func `a pipe, a part of a file and a FIFO are read as a file is`() throws {
      let words = "convert - --feed f.yaml --max-rejects 50% --allow-rejects"
      let part = try BuiltProgram.shell(
        "printf 'xx%s' '\(Self.data)' >part; { dd bs=1 count=2 of=/dev/null 2>&-; sluice \(words); } <part",
        in: folder.path)
      #expect(part.output == Self.csv)
      #expect(
        try BuiltProgram.shell("cat d.json | sluice \(words)", in: folder.path).output == Self.csv)
      _ = try folder.pipe("fifo")
      let fifo = try BuiltProgram.shell(
        "cat d.json >fifo & sluice \(words.replacing(" - ", with: " fifo ")); wait",
        in: folder.path)
      #expect(fifo.output == Self.csv && fifo.code == 0)
      // What a pipe gave has gone where the program ends, and nothing is left of it.
      #expect(folder.temporaries.isEmpty)
    }

    @Test func `a copy that cannot be kept is told`() throws {
      let run = try BuiltProgram.shell(
        "cat d.json | sluice convert - --feed f.yaml -o a.csv",
        environment: ["TMPDIR": folder("none")], in: folder.path)
      run.expectFailure(74, "source: ")
      #expect(run.errors.contains("TMPDIR") && folder.bytes("a.csv") == nil)
    }

    @Test func `a URL is asked once, and its answer read twice`() throws {
      let server = try FaultServer(body: folder("d.json"))
      #expect(try convert([server.url("ok")]).output == Self.csv)
    }

    @Test func `events tell shares, in a ledger too`() throws {
      try folder.write(
        "e.yaml",
        """
        feed: e
        rows: d[]
        columns: {n: n, day: {kind: day}, v: {kind: integer}, p: {kind: share, of: v}}
        key: [n]
        event: {summary: "{n}, {p}"}
        """)
      try folder.write(
        "e.json",
        #"{"d":[{"n":"a","day":"2026-01-05","v":1},{"n":"b","day":"2026-01-06","v":3}]}"#)
      for (words, summaries) in [
        (["convert"], ["SUMMARY:a\\, 25.000", "SUMMARY:b\\, 75.000"]),
        (
          ["sync", "--state", "state", "--today", "2026-01-01"],
          ["SUMMARY:a\\, 25.000", "SUMMARY:b\\, 75.000"]
        ),
        (["convert", "--where", "n=a"], ["SUMMARY:a\\, 100.000"]),
      ] {
        try BuiltProgram.run(
          words + ["e.json", "--feed", "e.yaml", "-o", "e.ics"],
          environment: ["SOURCE_DATE_EPOCH": "0"], in: folder.path
        ).expectSilence()
        #expect(
          folder.text("e.ics").components(separatedBy: "\r\n").filter { $0.hasPrefix("SUMMARY:") }
            == summaries)
        // A ledger that does not know its events would refuse to replace it.
        try FileManager.default.removeItem(atPath: folder("e.ics"))
      }
    }

    @Test func `an archive is read twice too`() throws {
      try folder.write("d.zip", Archive(Self.data).bytes)
      #expect(try convert(["d.zip"]).output == Self.csv)
    }

    @Test func `shares are of the rows that are asked for`() throws {
      #expect(
        try convert(["d.json", "--where", "n=a"]).output == "n,v,p\na,1.5,50.000\na,1.5,50.000\n")
    }

    @Test(arguments: [
      (#"{"n":"x","v":-1}"#, #"byte 30: record 3, field "v": "-1" is negative"#),
      (#"{"n":"x","v":"1,5"}"#, #"byte 30: record 3, field "v": "1,5" is not a number"#),
      (#"{"n":"x","v":1e40}"#, #"record 3, field "v": the total of "v" has more than 38 digits"#),
    ])
    func `what there is no share of publishes nothing, and says where it is`(
      record: String, says: String
    ) throws {
      try folder.write("a.csv", "old")
      try folder.write("bad.json", #"{"d":[{"n":"a","v":1},{"v":9},"# + record + "]}")
      let run = try convert([
        "bad.json", "-o", "a.csv", "--rejects", "r.ndjson", "--stats", "s.json",
      ])
      run.expectFailure(65, "normalize: ")
      #expect(run.errors.contains(says), "\(run.errors)")
      #expect(folder.text("a.csv") == "old" && folder.temporaries.isEmpty)
      #expect(folder.text("r.ndjson").split(separator: "\n").count == 1)
      #expect(folder.text("s.json").hasPrefix(#"{"read":3,"kept":1,"#))
    }

    @Test func `records are advised to be chosen only by columns that they can be chosen by`()
      throws
    {
      try folder.write("bad.json", #"{"d":[{"n":"a","v":-1}]}"#)
      try convert(["bad.json"]).expectFailure(65, "normalize: ")
      #expect(
        try convert(["bad.json"]).errors.hasSuffix(
          "; correct it, or select other records: --where by \"n\"\n"))
      try folder.write(
        "f.yaml", "feed: f\nrows: d[]\ncolumns: {v: {kind: decimal}, p: {kind: share, of: v}}")
      #expect(try convert(["bad.json"]).errors.hasSuffix("; correct it in the data\n"))
      try convert(["bad.json", "--where", "p=1"]).expectFailure(
        64, "--where: cannot filter by \"p\"")
    }

    @Test func `zeros are told, and nothing at all is no error`() throws {
      try folder.write("zero.json", #"{"d":[{"n":"a","v":0},{"n":"b","v":0.0}]}"#)
      try convert(["zero.json"]).expectFailure(
        65, "normalize: the total of \"v\" is 0, so there are no shares of it")
      try folder.write("none.json", #"{"d":[]}"#)
      #expect(try convert(["none.json"]).output == "n,v,p\n")
    }

    @Test func `each table has totals of its own`() throws {
      try folder.write(
        "t.yaml",
        """
        feed: t
        tables:
          a: {rows: "a[]", columns: {v: {kind: integer}, p: {kind: share, of: v}}}
          b: {rows: "b[]", columns: {p: {kind: share, of: w}, w: {kind: decimal}}}
          c: {rows: "c[]", columns: {x: x}}
        """)
      try folder.write(
        "t.json", #"{"a":[{"v":1},{"v":3}],"b":[{"w":0.5},{"w":0.5}],"c":[{"x":"y"}]}"#)
      let run = try BuiltProgram.run(
        ["convert", "t.json", "--feed", "t.yaml", "-o", "{table}.csv", "--stats", "s.json"],
        in: folder.path)
      run.expectSilence()
      #expect(folder.text("a.csv") == "v,p\n1,25.000\n3,75.000\n")
      #expect(folder.text("b.csv") == "p,w\n50.000,0.5\n50.000,0.5\n")
      #expect(folder.text("c.csv") == "x\ny\n")
      let stats = folder.text("s.json")
      #expect(
        stats.contains(
          #""shares":{"a.p":{"of":"v","total":"4","sum":"100.000"},"b.p":{"of":"w","total":"1.0","#)
      )
      #expect(stats.contains(#""read":5,"kept":5,"#))
    }

    @Test func `sync and its last good copy give them too`() throws {
      let words = [
        "--feed", "f.yaml", "--state", "state", "--max-rejects", "50%", "--allow-rejects",
      ]
      try BuiltProgram.run(["sync", "d.json", "-o", "a.csv"] + words, in: folder.path)
        .expectSilence()
      #expect(folder.text("a.csv") == Self.csv)
      let offline = try BuiltProgram.run(
        ["convert", "d.json", "--offline"] + words, in: folder.path)
      #expect(offline.output == Self.csv)
      try folder.write("d.json", Self.data.replacing("6}", with: "-6}"))
      let run = try BuiltProgram.run(["sync", "d.json", "-o", "a.csv"] + words, in: folder.path)
      #expect(run.code == 65 && folder.text("a.csv") == Self.csv)
    }

    @Test func `a sample is tried out with its shares`() throws {
      let run = try BuiltProgram.run(["feeds", "--check", "f.yaml", "d.json"], in: folder.path)
      for text in [
        "  p: percent of the total of v\n", "records: 5 (kept 4, skipped 0, rejected 1), rows 4\n",
        "total of v: 12.0, p: 100.000 in all\n", #"first row: {"n":"a","v":1.5,"p":12.500}"#,
      ] {
        #expect(run.output.contains(text), "\(run.output)")
      }
    }
  }
}
