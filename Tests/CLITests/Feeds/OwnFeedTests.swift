import Foundation
import Testing

@testable import Sluice
@testable import SluiceText

extension EndToEnd {
  /// A feed of one's own, from its document to every output.
  @Suite struct OwnFeedTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private static let document = """
      feed: bins
      rows: days[]
      columns:
        street: $.street
        bin: kind
        day: {kind: day, required: true}
      key: [street, bin]
      event: {summary: "{bin}", location: "{street}", alarm: 1d}
      """
    private static let data = """
      {"street":"Lindenweg 4","days":[{"kind":"paper","day":"2026-01-05"},
      {"kind":"bio; garden","day":"12.01.2026"}]}
      """

    @Test func `CSV, NDJSON and a calendar in one pass`() throws {
      try folder.write("bins.yaml", Self.document)
      try folder.write("data.json", Self.data)
      let run = try BuiltProgram.run(
        [
          "convert", "data.json", "--feed", "./bins.yaml", "-o", "a.csv", "-o", "a.ndjson", "-o",
          "a.ics",
        ], environment: ["SOURCE_DATE_EPOCH": "0"], in: folder.path)
      run.expectSilence()
      #expect(
        folder.text("a.csv")
          == "street,bin,day\nLindenweg 4,paper,2026-01-05\nLindenweg 4,bio; garden,2026-01-12\n")
      #expect(
        folder.text("a.ndjson").hasPrefix(
          #"{"street":"Lindenweg 4","bin":"paper","day":"2026-01-05"}"# + "\n"))
      let lines = folder.text("a.ics").components(separatedBy: "\r\n")
      for name in ["BEGIN:VEVENT", "END:VEVENT", "BEGIN:VALARM", "END:VALARM", "TRIGGER:-P1D"] {
        #expect(lines.count { $0 == name } == 2)
      }
      #expect(lines.contains("PRODID:-//sluice//bins//EN") && lines.contains("NAME:bins"))
      #expect(lines.contains("DTSTART;VALUE=DATE:20260105"))
      #expect(lines.contains("DTEND;VALUE=DATE:20260106"))
      #expect(lines.contains(#"SUMMARY:bio\; garden"#))
      #expect(lines.contains("LOCATION:Lindenweg 4"))
      let uids = lines.filter { $0.hasPrefix("UID:") }
      #expect(Set(uids).count == 2 && uids.allSatisfy { $0.hasSuffix("-2026-1@bins.sluice") })
    }

    @Test func `a line of a table with other fields than its first is refused as such`() throws {
      try folder.write(
        "bins.yaml", "feed: bins\nrows: '[]'\ncolumns: {bin: bin, day: {kind: day}}\n")
      try folder.write("data.csv", "bin,day\npaper,2026-01-05\nbio\nbio,2026-01-06,x\n")
      let run = try BuiltProgram.run(
        [
          "convert", "data.csv", "--feed", "bins.yaml", "--max-rejects", "2", "--rejects", "r",
        ], in: folder.path)
      #expect(run.code == 3 && run.output == "bin,day\npaper,2026-01-05\n")
      run.expectOneLine("sluice: warning: 2 of 3 records rejected: wrong-field-count 2")
      #expect(
        folder.text("r") == """
          {"record":2,"offset":25,"field":null,"value":null,"reason":"wrong-field-count","raw":"bio"}
          {"record":3,"offset":29,"field":null,"value":null,"reason":"wrong-field-count","raw":"bio,2026-01-06,x"}

          """)
      // In JSON a list is no record, but no line of a table either.
      try folder.write("data.json", #"[["bio"],{"bin":"paper"}]"#)
      let json = try BuiltProgram.run(
        ["convert", "data.json", "--feed", "bins.yaml", "--max-rejects", "1"], in: folder.path)
      #expect(json.code == 3 && json.errors.contains("not-an-object 1"))
    }

    @Test func `a document is known by its slash or its ending`() throws {
      try folder.write("bins.yaml", Self.document)
      try folder.write("bins.yml", Self.document)
      try folder.write("bins", Self.document)
      try folder.write("data.json", Self.data)
      for name in ["bins.yaml", "bins.yml", "./bins", folder("bins")] {
        let run = try BuiltProgram.run(["convert", "data.json", "--feed", name], in: folder.path)
        #expect(run.code == 0, "\(run.errors)")
      }
      try BuiltProgram.run(["convert", "data.json", "--feed", "bins"], in: folder.path)
        .expectFailure(64, "unknown feed \"bins\"")
      try BuiltProgram.run(["convert", "data.json", "--feed", "./none.yaml"], in: folder.path)
        .expectFailure(66, "the feed's document: there is no file \"./none.yaml\"")
      try folder.write("bad.yaml", "feed: bins\nrows: days[]\ncolumns:\n  a: {kind: dai}\n")
      try BuiltProgram.run(["convert", "data.json", "--feed", "bad.yaml"], in: folder.path)
        .expectFailure(
          64, "bad.yaml:4:13: \"kind\": \"dai\" is not one of the choices; did you mean day?")
    }

    @Test func `an element without its list gives no rows, and one with another is rejected`()
      throws
    {
      try folder.write(
        "own.yaml",
        """
        feed: own
        rows: streets[].plan.dates[]
        columns: {street: "streets[].name", day: {kind: day, required: true}}
        key: [street]
        event: {summary: "{street}"}
        """)
      func run(_ streets: String, _ words: String...) throws -> Run {
        try folder.write("data.json", "{\"streets\":[\(streets)]}")
        return try BuiltProgram.run(
          ["convert", "data.json", "--feed", "./own.yaml"] + words, in: folder.path)
      }
      let good = #"{"name":"A","plan":{"dates":[{"day":"2026-01-05"}]}}"#
      for gap in [
        "{}", #"{"name":"B"}"#, #"{"plan":null}"#, #"{"plan":{}}"#, #"{"plan":{"dates":null}}"#,
        #"{"plan":{"dates":[]}}"#,
      ] {
        for streets in ["\(good),\(gap)", "\(gap),\(good)"] {
          let run = try run(streets, "--stats", "s.json")
          #expect(run.code == 0 && run.output == "street,day\nA,2026-01-05\n", "\(run.errors)")
          #expect(folder.text("s.json").hasPrefix(#"{"read":1,"kept":1,"#))
        }
      }
      // Where nothing shows that the path is right, it is not.
      try run(#"{"name":"B"},{"name":"C"}"#).expectFailure(
        65, "normalize: byte 23: there is no \"streets[].plan\" (keys seen: \"name\")")
      try run(#"{"name":"B"},{"plan":{"Dates":[]}}"#).expectFailure(
        65, "normalize: there is no \"streets[].plan.dates\" (keys seen: \"Dates\")")
      try run(#"{"plan":{"dates":"none"}}"#).expectFailure(
        65, "normalize: byte 29: \"streets[].plan.dates\" is a string instead of an array")
      #expect(try run(#"{"name":"B","plan":null}"#).code == 0)
      for (bad, reject) in [
        (
          #"{"name":"B","plan":{"dates":{"day":"2026-01-06"}}}"#,
          #"{"record":2,"offset":93,"field":"dates","value":"{\"day\":\"2026-01-06\"}","#
            + #""reason":"wrong-kind","raw":"{\"day\":\"2026-01-06\"}"}"#
        ),
        (
          #"{"name":"B","plan":["x"]}"#,
          #"{"record":2,"offset":84,"field":"plan","value":"[\"x\"]","reason":"wrong-kind","#
            + #""raw":"[\"x\"]"}"#
        ),
        (
          #""B""#,
          #"{"record":2,"offset":65,"field":null,"value":null,"reason":"not-an-object","#
            + #""raw":"\"B\""}"#
        ),
      ] {
        let run = try run("\(good),\(bad)", "--max-rejects", "50%", "--rejects", "r.ndjson")
        #expect(run.code == 3 && run.output == "street,day\nA,2026-01-05\n", "\(run.errors)")
        #expect(folder.text("r.ndjson") == reject + "\n")
      }
    }

    @Test func `sync keeps its state under the feed's name, with a ledger`() throws {
      try folder.write("bins.yaml", Self.document)
      let words = [
        "sync", "data.json", "--feed", "bins.yaml", "-o", "a.ics", "--state", "state", "--today",
        "2026-01-01", "--changes", "changes.ndjson",
      ]
      func night(_ data: String) throws -> Run {
        try folder.write("data.json", data)
        return try BuiltProgram.run(
          words, environment: ["SOURCE_DATE_EPOCH": "0"], in: folder.path)
      }
      try night(Self.data).expectSilence()
      #expect(folder.status("state/bins/lock") != nil)
      let uid = folder.text("a.ics").components(separatedBy: "\r\n").first { $0.hasPrefix("UID:") }
      // The paper is collected a day later, the garden not at all.
      let short = #"{"street":"Lindenweg 4","days":[{"kind":"paper","day":"2026-01-06"}]}"#
      #expect(try night(short).code == 75)
      let moved = Self.data.replacingOccurrences(of: "2026-01-05", with: "2026-01-06")
      try night(moved).expectSilence()
      let lines = folder.text("a.ics").components(separatedBy: "\r\n")
      #expect(uid.map(lines.contains) == true && lines.contains("SEQUENCE:1"))
      #expect(lines.contains("DTSTART;VALUE=DATE:20260106"))
      let change = folder.text("changes.ndjson")
      #expect(change.contains(#""old_day":"2026-01-05","day":"2026-01-06""#), "\(change)")
      #expect(change.hasPrefix(#"{"change":"moved","uid":""#))
    }

    @Test func `events at points in time are synced without a ledger`() throws {
      try folder.write(
        "shows.yaml",
        """
        feed: shows
        rows: "[]"
        columns: {hall: hall, from: {kind: instant}, to: {kind: instant}}
        key: [hall]
        event: {summary: "{hall}", start: from, end: to}
        """)
      try folder.write(
        "data.json",
        #"[{"hall":"A","from":"2026-01-05T19:00:00+0100","to":"2026-01-05T21:30:00+0100"}]"#)
      let run = try BuiltProgram.run(
        ["sync", "data.json", "--feed", "./shows.yaml", "-o", "a.ics", "--state", "state"],
        in: folder.path)
      run.expectSilence()
      let lines = folder.text("a.ics").components(separatedBy: "\r\n")
      #expect(
        lines.contains("DTSTART:20260105T180000Z") && lines.contains("DTEND:20260105T203000Z"))
    }

    @Test func `a header's secret goes to the feed's own server and nowhere else`() throws {
      let document =
        Self.document + "\nurl: https://127.0.0.1:1/x\nheaders: {X-Key: $SLUICE_TEST_KEY}"
      try folder.write("bins.yaml", document)
      try folder.write("data.json", Self.data)
      let words = ["convert", "--feed", "bins.yaml", "--allow-env", "SLUICE_TEST_KEY"]
      try BuiltProgram.run(words, in: folder.path)
        .expectFailure(64, "the feed bins needs SLUICE_TEST_KEY in the environment")
      let run = try BuiltProgram.run(
        words, environment: ["SLUICE_TEST_KEY": "geheim"], in: folder.path)
      #expect(run.code == 69 && !run.errors.contains("geheim"))
      try BuiltProgram.run(
        words, environment: ["SLUICE_TEST_KEY": "a\nb"], in: folder.path
      ).expectFailure(64, "the environment's value for the header X-Key of bins is not valid")
      // Where another input is read, it is not even looked for.
      #expect(try BuiltProgram.run(words + ["data.json"], in: folder.path).code == 0)
    }

    @Test(arguments: [
      ("https://localhost/y", 64), ("https://LOCALHOST:443/", 64), ("https://localhost:?a", 64),
      ("https://u:p@localhost:0443/", 64), ("http://localhost:443/", 69),
      ("https://localhost:1", 69), ("https://localhost.:1/", 69),
      ("https://localhost@127.0.0.1:1/", 69), ("https://localhost\\@127.0.0.1:1/", 69),
      ("https://127.0.0.1:1\\@localhost/", 64),
      ("https://localhost\\.example/", 66), ("https://a@b@localhost/", 66),
    ])
    func `the feed's own server is the one that is connected to`(url: String, code: Int32) throws {
      try folder.write(
        "bins.yaml", Self.document + "\nurl: https://localhost/x\nheaders: {X-Key: $SLUICE_TEST_K}")
      let run = try BuiltProgram.run(["convert", "--feed", "bins.yaml", url], in: folder.path)
      #expect(run.code == code, "\(run.errors)")
    }
  }
}
