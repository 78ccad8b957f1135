import Foundation
import Testing

extension EndToEnd {
  /// Days in formats and times of day, from an input to each output.
  @Suite struct FormatOutputTests {
    private let folder: Scratch

    init() throws {
      folder = try Scratch()
      try folder.write(
        "feed.yaml",
        """
        feed: lessons
        rows: lessons[]
        columns:
          room: {required: true}
          date: {kind: day, format: yyyyMMdd, required: true}
          from: {from: startTime, kind: time}
        key: [room]
        event: {summary: "{room}, {from}"}
        """)
      try folder.write(
        "feed.json",
        """
        {"lessons": [
          {"room": "A", "date": 20130108, "startTime": 1155},
          {"room": "B", "date": 20130107, "startTime": 850},
          {"room": "C", "date": "20130109", "startTime": "24:00"},
          {"room": "D", "date": 20130109, "startTime": null}
        ]}
        """)
    }

    private func run(_ words: String...) throws -> Run {
      try BuiltProgram.run(
        ["convert", "feed.json", "--feed", "./feed.yaml"] + words, in: folder.path)
    }

    @Test func `tables have the times as texts`() throws {
      try run("-o", "a.csv", "-o", "a.ndjson", "--schema", "a.json").expectSilence()
      #expect(
        folder.text("a.csv")
          == """
          room,date,from
          A,2013-01-08,11:55
          B,2013-01-07,08:50
          C,2013-01-09,24:00
          D,2013-01-09,

          """)
      let lines = folder.text("a.ndjson").split(separator: "\n")
      #expect(lines.first == #"{"room":"A","date":"2013-01-08","from":"11:55"}"#)
      #expect(lines.last == #"{"room":"D","date":"2013-01-09","from":null}"#)
      #expect(folder.text("a.json").contains(#""name":"from","type":"string""#))
    }

    @Test func `spreadsheets have them too`() throws {
      try run("-o", "a.csv", "--csv-dialect", "excel").expectSilence()
      #expect(folder.text("a.csv").contains("C;2013-01-09;24:00\r\n"))
      try run("-o", "a.xlsx").expectSilence()
    }

    @Test(.enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing: no database is read"))
    func `a database has them as texts`() throws {
      try run("-o", "a.sqlite").expectSilence()
      let found = try BuiltProgram.tool([
        "sqlite3", folder("a.sqlite"),
        "SELECT room, typeof(\"from\") FROM lessons WHERE \"from\" > '09:00' ORDER BY 1",
      ])
      #expect(found.output == "A|text\nC|text\n")
    }

    @Test func `conditions and orders are by time`() throws {
      #expect(
        try run("--where", "from<12:00", "--columns", "room").output == "room\nA\nB\n")
      #expect(try run("--where", "from=8:50", "--columns", "room").output == "room\nB\n")
      #expect(
        try run("--sort", "from:desc", "--columns", "room").output == "room\nC\nA\nB\nD\n")
      #expect(try run("--from", "2013-01-09", "--columns", "room").output == "room\nC\nD\n")
    }

    @Test func `a condition on what is no time of day is refused`() throws {
      let run = try run("--where", "from>noon")
      #expect(run.code == 64)
      #expect(run.errors.contains("--where: from holds times of day; \"noon\" is none"))
    }

    @Test func `the events have the days`() throws {
      try run("-o", "a.ics").expectSilence()
      let text = folder.text("a.ics")
      #expect(text.contains("DTSTART;VALUE=DATE:20130108\r\nDTEND;VALUE=DATE:20130109"))
      #expect(text.contains("SUMMARY:B\\, 08:50") && text.contains("SUMMARY:D\r\n"))
    }

    @Test func `a table in CSV has formats too`() throws {
      try folder.write(
        "table.yaml",
        """
        feed: fixtures
        rows: "[]"
        columns:
          day: {kind: day, format: "EEE d. MMM y", names: de}
          at: {kind: time, format: "H.mm 'Uhr'"}
          end: {kind: time, parts: {hour: eh, minute: em}}
        """)
      try folder.write(
        "table.csv", "day;at;eh;em\nMo 5. Jän. 2026;9.30 Uhr;11;5\nDi 5. Jän. 2026;;;\n")
      let run = try BuiltProgram.run(
        ["convert", "table.csv", "--feed", "./table.yaml", "--max-rejects", "50%"], in: folder.path)
      #expect(run.code == 3)
      #expect(run.output == "day,at,end\n2026-01-05,09:30,11:05\n")
      #expect(run.errors.contains("no-such-day 1"))
    }

    @Test func `a document's wrong format is told with its line, and in Russian too`() throws {
      try folder.write(
        "wrong.yaml", "feed: a\nrows: d[]\ncolumns:\n  a: {kind: day, format: dd.mm.yyyy}\n")
      let run = try BuiltProgram.run(["feeds", "--check", "wrong.yaml"], in: folder.path)
      #expect(run.code == 64)
      #expect(
        run.errors.contains("wrong.yaml:4:26: the format \"dd.mm.yyyy\" lacks the letter \"M\""))
      let russian = try BuiltProgram.run(
        ["feeds", "--check", "wrong.yaml", "--lang", "ru"], in: folder.path)
      #expect(russian.errors.contains("не хватает буквы"))
    }
  }
}
