import Foundation
import Testing

extension EndToEnd {
  /// Columns that conditions, keys and events use, and that no output has.
  @Suite struct ShownColumnsTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private static let document = """
      feed: collections
      rows: "[]"
      where: {type: pickup}
      columns:
        type: {from: event_type, show: false}
        bin: {required: true}
        day: {kind: day, required: true}
        subject: {value: bins, show: false}
      key: {columns: [subject, bin], unique: true}
      event: {summary: "{bin} ({type})"}
      """
    private static let data = """
      [{"event_type": "pickup", "bin": "paper", "day": "2026-01-05"},
      {"event_type": "holiday", "bin": "bio", "day": "2026-01-06"}]
      """

    private func convert(_ options: String...) throws {
      try folder.write("feed.yaml", Self.document)
      try folder.write("data.json", Self.data)
      let run = try BuiltProgram.run(
        ["convert", "data.json", "--feed", "./feed.yaml"] + options, in: folder.path)
      run.expectSilence()
    }

    @Test func `tables have the columns that are shown`() throws {
      try convert("-o", "a.csv", "-o", "a.ndjson", "-o", "a.json", "-o", "a.tsv")
      #expect(folder.text("a.csv") == "bin,day\npaper,2026-01-05\n")
      #expect(folder.text("a.tsv") == "bin\tday\npaper\t2026-01-05\n")
      #expect(folder.text("a.ndjson") == #"{"bin":"paper","day":"2026-01-05"}"# + "\n")
      #expect(folder.text("a.json").contains("pickup") == false)
    }

    @Test func `events and conditions use the others`() throws {
      try convert("--where", "type=pickup", "-o", "a.ics")
      #expect(folder.text("a.ics").contains("SUMMARY:paper (pickup)") == true)
    }

    @Test func `an output can ask for one`() throws {
      try convert("--columns", "type,bin", "-o", "a.csv")
      #expect(folder.text("a.csv") == "type,bin\npickup,paper\n")
    }

    @Test func `a database has one only if it is part of the key`() throws {
      try convert("-o", "a.db", "-o", "a.csv", "--schema", "datapackage.json")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/a.db"))
      #expect(bytes.range(of: Data("subject".utf8)) != nil)
      #expect(bytes.range(of: Data("pickup".utf8)) == nil)
      #expect(!folder.text("datapackage.json").contains("subject"))
    }
  }
}
