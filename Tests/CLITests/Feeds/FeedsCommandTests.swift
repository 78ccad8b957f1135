import Foundation
import Testing

@testable import Sluice

extension EndToEnd {
  /// `feeds` as the one who writes a document uses it.
  @Suite struct FeedsCommandTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Samples of shapes that feeds come in.
    private static let samples: [String: String] = [
      "hot-water": (try? String(contentsOfFile: Samples.hotWater, encoding: .utf8)) ?? "",
      "bonds": (try? String(contentsOfFile: Samples.bonds, encoding: .utf8)) ?? "",
      "list":
        ##"[{"id":1,"name":"a: b","day":"2026-01-05"},{"id":2,"name":"#c","day":"06.01.2026"}]"##,
      "nested":
        #"{"meta":{"city":"B"},"l":[{"s":"x","d":[{"from":"2026-01-05","to":"2026-01-06"}]}]}"#,
      "odd-keys":
        #"{"a.b":[{"x.y":"1","[z]":"2","$q":"3","it's":"4","\"":"5","день [1]":"5.1.2026","":"6"}]}"#,
      "no-days": #"{"data":[{"a":1,"b":1.5,"c":true,"d":null,"e":[],"f":"x"}]}"#,
      "unix-times": #"[{"dt":1592809200,"name":"a"},{"dt":1592812800,"name":"b"}]"#,
      "gaps":
        #"{"s":[{"n":"A","c":[{"d":"2026-01-05"}]},{"n":"B"},{"n":"C","c":null},{"n":"D","c":[]}]}"#,
      "gap-first": #"{"s":[{"n":"B"},{"n":"C","c":null},{"n":"A","c":[{"d":"2026-01-05"}]}]}"#,
      "only-days": #"[{"d":"2026-01-05"},{"d":"2026-01-06"}]"#,
      "table": "Straße;№;when\r\nLindenweg;4;05.01.2026\r\n\"A; B\";;2026-01-06\r\n",
      "shared-day": #"{"made":"2026-01-05","l":[{"a":"x"},{"a":"y"}]}"#,
      "odd-day": "["
        + (1...20).map { #"{"a":"\#($0)","d":"\#($0 == 7 ? "soon" : "\($0).1.2026")"}"# }
        .joined(separator: ",") + "]",
      "lists":
        #"[{"a":"x","d":"2026-01-05","l":["p"],"o":[{"k.1":["q"]}],"m":[{"n":1}]}]"#,
      "rows-of-lists":
        #"{"h":{"columns":["SECID","DAY"],"data":[["A","2026-11-02"],["B",null]]}}"#,
      "headings": #"[["Name","Day"],["a","05/01/2026"],["b","19/01/2026"]]"#,
      "numbers-only": #"[["n","m"],[1,2],[3,4]]"#,
      "day-first": #"[["Date","Open"],["2026-01-01",1.5],["2026-01-02",2.5]]"#,
      "where-words": #"[["any","v"],["x",1],["y",2]]"#,
      "long-heading": "[[\"\(String(repeating: "N", count: 250))\",\"Day\"],"
        + #"["A","2026-11-02"],["B","2026-11-03"]]"#,
      "star": #"{"*":[{"*":"x","d":"2026-01-01"}],"other":[{"d":"2026-01-01"}]}"#,
      "keyed-days": #"{"by.day":{"2026-11-02":{"usd":1.5,"t":"x"},"2026-11-03":{"usd":1.6}}}"#,
      "keyed-values": #"{"2026-12-25":"Christmas","2026-12-26":"Boxing Day"}"#,
      "keys-of-keys":
        #"{"r":{"2026-11-02":{"1":{"n":"a"},"2":{"n":"b"}},"2026-11-03":{"1":{"n":"c"}}}}"#,
      "keyed-lists": #"{"r":{"2026-11-02":{"a":[{"t":"x"}],"b":[{"t":"y"}],"c":[{"t":"z"}]}}}"#,
      "dates": #"{"w":[{"dates":["2026-01-05","2026-02-02"],"type":"paper"}]}"#,
      "late": #"{"r":[{"a":"x","t":"2026-01-05T10:00:00Z"}],"city":"B"}"#,
      "many": "["
        + (1...3).map { i in
          "{" + (1...80).map { "\"k\($0)\":\"v\(i)\"" }.joined(separator: ",") + "}"
        }.joined(separator: ",") + "]",
    ]

    @Test(arguments: samples.keys.sorted())
    func `what --new writes passes --check and converts its sample`(name: String) throws {
      let sample = try folder.write("\(name).json", Self.samples[name] ?? "")
      for language in ["en", "ru"] {
        let new = try BuiltProgram.run(["feeds", "--new", sample, "--lang", language])
        #expect(new.code == 0 && new.errors == "", "\(new.errors)")
        #expect(new.output.contains("\nfeed: \(name)\n"))
        let document = try folder.write("\(name).yaml", new.output)
        let check = try BuiltProgram.run(["feeds", "--check", document, sample])
        #expect(check.code == 0 || check.code == 3, "\(check.errors)\n\(new.output)")
        #expect(check.output.contains("first row: {"), "\(new.output)")
        let convert = try BuiltProgram.run(
          ["convert", sample, "--feed", document, "--format", "ndjson", "--allow-rejects"])
        #expect(convert.code == 0 && !convert.output.isEmpty, "\(convert.errors)")
        if new.output.contains("\nevent:") {
          let calendar = try BuiltProgram.run(
            ["convert", sample, "--feed", document, "--format", "ics", "--allow-rejects"])
          #expect(calendar.code == 0 && calendar.output.contains("BEGIN:VEVENT"))
        }
      }
    }

    @Test func `what --new could not make a column of, or an event, is said in comments`() throws {
      func new(_ name: String) throws -> String {
        let sample = try folder.write("\(name).json", Self.samples[name] ?? "")
        return try BuiltProgram.run(["feeds", "--new", sample]).output
      }
      let odd = try new("odd-day")
      #expect(
        odd.contains(
          "\n  # 1 of 20 values is not of the kind day: 'soon' (record 7); such records are rejected.\n"
        ))
      let shared = try new("shared-day")
      #expect(shared.contains("\n# event:\n") && shared.contains("\n#   start: made\n"))
      #expect(shared.contains("# No row has a day of its own: all events would begin with made."))
      let lists = try new("lists")
      #expect(
        lists.contains(
          "# [].l: a list in the row, and a column has one value; its first: {from: 'l[0]'}, all "
            + "joined: {from: 'l[*]'}; or a row for each of them: rows: '[].l[]', {from: $value}\n")
      )
      #expect(
        lists.contains(
          "{from: 'm[0].n'}, all joined: {from: 'm[*].n'}; or a row for each of them: "
            + "rows: '[].m[]'\n"))
      // What is suggested is right.
      let document = try folder.write(
        "lists.yaml",
        lists.replacingOccurrences(of: "\ncolumns:\n", with: "\ncolumns:\n  l: {from: 'l[0]'}\n")
      )
      let run = try BuiltProgram.run(
        ["convert", folder("lists.json"), "--feed", document, "--format", "ndjson"])
      #expect(run.output == #"{"l":"p","a":"x","d":"2026-01-05"}"# + "\n", "\(run.errors)")
    }

    @Test func `a sample from a pipe, and one that suggests nothing`() throws {
      let pipe = try BuiltProgram.run(
        ["feeds", "--new", "-"], reading: .bytes(Array(Self.samples["list"]?.utf8 ?? "".utf8)))
      #expect(pipe.code == 0 && pipe.output.contains("feed: my-feed"))
      let envelope = try BuiltProgram.run(
        ["feeds", "--new", "-"],
        reading: .bytes(Array(Self.samples["hot-water"]?.utf8 ?? "".utf8)))
      #expect(envelope.code == 0 && envelope.output.contains("\nenvelope:\n"))
      let keys = try BuiltProgram.run(
        ["feeds", "--new", "-"], reading: .bytes(Array(#"{"2026-11-02":{"p":1}}"#.utf8)))
      #expect(keys.code == 0 && keys.output.contains("\nrows: '*'\n"))
      let none = try BuiltProgram.run(
        ["feeds", "--new", "-"], reading: .bytes(Array(#"{"a":[1]}"#.utf8)))
      none.expectFailure(65, "the sample has no records")
      #expect(none.errors.contains("(keys seen: \"a\")"))
      try BuiltProgram.run(["feeds", "--new", folder("none")]).expectFailure(66, "source: ")
    }

    @Test func `check says that a document is right, or where it is not`() throws {
      let document = try folder.write("a.yaml", "feed: a\nrows: d[]\ncolumns: {b: {kind: day}}\n")
      let right = try BuiltProgram.run(["feeds", "--check", document])
      #expect(right.code == 0 && right.output.hasPrefix("\(document): no errors\n"))
      #expect(right.output.contains("  b: d[].b, day\n"))
      try folder.write("a.yaml", "feed: a\nrows: d[]\ncolums: {b: {kind: day}}\n")
      try BuiltProgram.run(["feeds", "--check", document]).expectFailure(
        64, "\(document):3:1: unknown key \"colums\"; did you mean columns?")
    }

    @Test func `check says what a sample gives, refused records and all`() throws {
      let document = try folder.write("a.yaml", "feed: a\nrows: d[]\ncolumns: {b: {kind: day}}\n")
      let sample = try folder.write("a.json", #"{"d":[{"b":"2026-01-05"},{"b":"x"}]}"#)
      let run = try BuiltProgram.run(["feeds", "--check", document, sample])
      #expect(run.code == 65)
      for text in [
        "records: 2 (kept 1, skipped 0, rejected 1), rows 1", #"first row: {"b":"2026-01-05"}"#,
        "days: 2026-01-05 … 2026-01-05", "rejected as not-a-day: 1",
        #"record 2, byte 25, not-a-day, b = "x": {"b":"x"}"#,
      ] {
        #expect(run.output.contains(text), "\(run.output)")
      }
      run.expectOneLine("sluice: error: normalize: 1 of 2 records rejected, the limit is 10%")
      try folder.write("a.json", #"{"e":[]}"#)
      let other = try BuiltProgram.run(["feeds", "--check", document, sample])
      #expect(other.code == 65)
      other.expectOneLine("sluice: error: normalize: there is no \"d\" (keys seen: \"e\")")
    }

    @Test func `check reads times by the feed's clock`() throws {
      let document = try folder.write(
        "a.yaml",
        "sluice: 2\nfeed: a\nclock: Europe/London\nrows: \"[]\"\n"
          + "columns: {at: {from: at, kind: instant}}\n")
      let sample = try folder.write("a.json", #"[{"at": "2018-07-01T13:00:00"}]"#)
      let run = try BuiltProgram.run(["feeds", "--check", document, sample])
      #expect(run.code == 0 && run.output.contains(#"{"at":"2018-07-01T13:00:00+01:00"}"#))
    }

    @Test func `check says which rows share a key that is to be unique`() throws {
      let document = try folder.write(
        "a.yaml",
        """
        feed: a
        rows: d[]
        columns: {b: {required: true}, f: {required: true}}
        key: {columns: [b, f], unique: true}
        """)
      func check(_ rows: String) throws -> Run {
        let sample = try folder.write("a.json", "{\"d\":[\(rows)]}")
        return try BuiltProgram.run(["feeds", "--check", document, sample])
      }
      let apart = try check(#"{"b":"1","f":"23"},{"b":"12","f":"3"},{"b":"1","f":"2"}"#)
      #expect(apart.code == 0 && apart.output.contains("\nkey b, f: no duplicates\n"))
      let same = try check(
        #"{"b":"1","f":"2"},{"b":"x"},{"b":"3","f":"4"},{"b":" 1 ","f":"2"},{"b":"1","f":"2"}"#)
      #expect(same.code == 65)
      // A record that is rejected is no row; it is over the limit besides, which comes first.
      same.expectOneLine("sluice: error: normalize: 1 of 5 records rejected")
      #expect(
        same.output.contains(
          "key b, f: rows with the key of an earlier row: 2\n  rows 1 and 3: 1, 2\n"
            + "  rows 1 and 4: 1, 2\n"), "\(same.output)")
      let pair = try check(#"{"b":"1","f":"2"},{"b":"1","f":"2"}"#)
      #expect(pair.code == 65)
      pair.expectOneLine(
        "sluice: error: normalize: the rows 1 and 2 have the same key; add a column to the key, or "
          + "remove 'unique: true'")
      let many = (0..<100_002).map { #"{"b":"\#($0)","f":"x"}"# }.joined(separator: ",")
      let part = try check(many + #",{"b":"1","f":"x"}"#)
      #expect(part.code == 0)
      #expect(
        part.output.contains(
          "key b, f: no duplicates (the first 100000 rows; the others were not checked)\n"))
    }

    @Test func `check looks at every table`() throws {
      let document = try folder.write(
        "a.yaml",
        """
        feed: a
        tables:
          lines: {rows: "l[]", columns: {id: {required: true}, name: nam}, key: [id]}
          stops:
            rows: s[]
            columns: {id: {required: true}, on: {kind: day}}
            key: [id]
        """)
      let sample = try folder.write(
        "a.json",
        #"{"l":[{"id":1,"name":"x"}],"s":[{"id":7,"on":"2026-01-05"},{"id":7},{"id":8,"on":"y"}]}"#)
      let run = try BuiltProgram.run(["feeds", "--check", document, sample])
      #expect(run.code == 65)
      #expect(
        run.output.hasSuffix(
          """
          table lines:
            records: 1 (kept 1, skipped 0, rejected 0), rows 1
            first row: {"id":"1","name":null}
            empty in all rows: name (are their paths right?)
            key id: no duplicates
          table stops:
            records: 3 (kept 2, skipped 0, rejected 1), rows 2
            days: 2026-01-05 … 2026-01-05
            first row: {"id":"7","on":"2026-01-05"}
            key id: rows with the key of an earlier row: 1
              rows 1 and 2: 7
            rejected as not-a-day: 1
            first rejected:
              record 3, byte 68, not-a-day, on = "y": {"id":8,"on":"y"}

          """), "\(run.output)")
      run.expectOneLine(
        "sluice: error: normalize: 1 of 3 records of the table \"stops\" rejected, ")
      try folder.write("a.json", #"{"l":[],"s":[{"id":7},{"id":7}]}"#)
      try BuiltProgram.run(["feeds", "--check", document, sample]).expectOneLine(
        "sluice: error: normalize: the rows 1 and 2 of the table \"stops\" have the same key; add a column "
          + "to the key\n")
    }

    @Test func `check names columns that are empty in all rows`() throws {
      let document = try folder.write(
        "a.yaml", "feed: a\nrows: d[]\ncolumns: {a: a, b: bb, c: $.cc, e: e}")
      let sample = try folder.write("a.json", #"{"c":1,"d":[{"a":"1","b":"2"},{"e":"x"}]}"#)
      let run = try BuiltProgram.run(["feeds", "--check", document, sample])
      #expect(run.code == 0)
      #expect(run.output.contains("\nempty in all rows: b, c (are their paths right?)\n"))
      let none = try folder.write("none.json", #"{"d":[]}"#)
      let empty = try BuiltProgram.run(["feeds", "--check", document, none])
      #expect(!empty.output.contains("empty in all rows"))
    }

    @Test func `a refused record is shown with its column, its value and the reason`() throws {
      let document = try folder.write(
        "a.yaml",
        """
        feed: a
        rows: "[]"
        columns: {on: {from: "the day", kind: day}, n: {kind: integer, required: true}}
        """)
      let sample = try folder.write(
        "a.csv", "the day,n\n2026-02-30,1\n2026-01-05,two\n2026-01-05,\n")
      let run = try BuiltProgram.run(["feeds", "--check", document, sample])
      #expect(run.code == 65)
      #expect(
        run.output.contains(
          """
          first rejected:
            record 1, byte 10, no-such-day, on (the day) = "2026-02-30": 2026-02-30,1
            record 2, byte 23, not-an-integer, n = "two": 2026-01-05,two
            record 3, byte 38, missing-value, n: 2026-01-05,

          """), "\(run.output)")
      run.expectOneLine(
        "sluice: error: normalize: 3 of 3 records rejected, the limit is 10%; the report shows")
    }

    @Test func `check notes what the environment lacks, and never what it has`() throws {
      let document = try folder.write(
        "a.yaml",
        """
        feed: a
        url: https://example.org/x
        headers: {X-Key: $A_KEY, X-Other: "$A_KEY $B_KEY"}
        parameters: {key: $C_KEY}
        rows: "[]"
        columns: {a: a}
        """)
      let none = try BuiltProgram.run(
        ["feeds", "--check", document], environment: ["B_KEY": "geheim", "C_KEY": ""])
      #expect(none.code == 0)
      none.expectOneLine("sluice: requests of the feed a need A_KEY, C_KEY, not set in the")
      #expect(!none.output.contains("geheim"))
      let all = try BuiltProgram.run(
        ["feeds", "--check", document],
        environment: ["A_KEY": "geheim", "B_KEY": "geheim", "C_KEY": "geheim"])
      #expect(all.code == 0 && all.errors == "" && !all.output.contains("geheim"))
    }

    @Test(arguments: Feed.names)
    func `a built-in feed's document is an example that is right`(name: String) throws {
      let run = try BuiltProgram.run(["feeds", name, "--document"])
      let path = Samples.path("Sources/Sluice/Feed/BuiltIn/\(name).yaml")
      #expect(run.code == 0)
      #expect(FileManager.default.contents(atPath: path) == Data(run.output.utf8))
      let document = try folder.write("copy.yaml", run.output)
      let input = Samples.path("Samples/\(name)/feed.json")
      let table = Feed.named(name)?.tables.first.map { ["--table", $0.name] } ?? []
      let words = ["convert", input, "--allow-rejects"] + table + ["--feed"]
      let (own, builtIn) = (
        try BuiltProgram.run(words + [document]), try BuiltProgram.run(words + [name])
      )
      #expect(own.code == 0 && own.bytes == builtIn.bytes)
    }

    @Test(arguments: Feed.names)
    func `a feed's data package is that of its tables`(name: String) throws {
      let run = try BuiltProgram.run(["feeds", name, "--package", "--lang", "en"])
      #expect(run.code == 0 && run.errors == "")
      let input = Samples.path("Samples/\(name)/feed.json")
      let written = try BuiltProgram.run([
        "convert", input, "--feed", name, "--allow-rejects", "--lang", "en",
        "-o", folder("{table}.csv"), "--schema", folder("datapackage.json"),
      ])
      #expect(written.code == 0)
      #expect(run.output == folder.text("datapackage.json"))
    }

    @Test func `one thing is asked for at a time`() throws {
      try BuiltProgram.run(["feeds", "--check", "a", "--new", "b"])
        .expectFailure(64, "--check and --new exclude each other; choose one")
      try BuiltProgram.run(["feeds", "--document"]).expectFailure(64, "missing operand: NAME")
      try BuiltProgram.run(["feeds", "--document", "x"]).expectFailure(64, "unknown feed \"x\"")
      try BuiltProgram.run(["feeds", "--package"]).expectFailure(64, "missing operand: NAME")
      try BuiltProgram.run(["feeds", "--new", "a", "b"]).expectFailure(64, "one operand too many")
      try BuiltProgram.run(["convert", "--check", "a"])
        .expectFailure(64, "--check is not an option of convert; it belongs to feeds")
    }
  }
}
