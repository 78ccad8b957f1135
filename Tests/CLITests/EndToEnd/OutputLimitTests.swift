import Foundation
import Testing

extension EndToEnd {
  /// A small input must not fill the disk.
  @Suite struct OutputLimitTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Writes a feed of records with a long text and many periods each. Each period is a row with
    /// the text.
    private func writeFeed(records: Int, periods: Int, text: Int) throws {
      let letters = String(repeating: "x", count: text)
      let days = (0..<periods).map { "01.01.\(2001 + $0)" }.joined(separator: ", ")
      try folder.write(
        "feed.json",
        SmallFeed.list(
          (0..<records).map {
            SmallFeed.record(street: "\"\(letters)\"", house: "\"\($0)\"", period: "\"\(days)\"")
          }))
    }

    @Test(arguments: ["csv", "ndjson", "ics", "sqlite", "xlsx"])
    func `outputs beyond the limit are refused, and the old ones stay`(_ format: String) throws {
      try writeFeed(records: 40, periods: 90, text: 1000)
      let output = folder("a.\(format)")
      let words = ["convert", folder("feed.json"), "-o", output, "-q"]
      try BuiltProgram.run(words).expectSilence()
      let whole = try #require(folder.bytes("a.\(format)"))
      try folder.write("a.\(format)", "old")
      let run = try BuiltProgram.run(words + ["--max-output", "100K"])
      #expect(run.code == 65)
      run.expectOneLine("sluice: error: sink: the outputs exceed 100 KiB")
      #expect(run.errors.contains("--max-output BYTES"))
      #expect(folder.text("a.\(format)") == "old" && folder.temporaries == [])
      // The limit is exact.
      let less = try BuiltProgram.run(words + ["--max-output", "\(whole.count - 1)"])
      #expect(less.code == 65 && folder.text("a.\(format)") == "old")
      try BuiltProgram.run(words + ["--max-output", "\(whole.count)"]).expectSilence()
      #expect(folder.bytes("a.\(format)") == whole)
    }

    @Test func `all outputs count together, the rejected records too`() throws {
      try writeFeed(records: 4, periods: 90, text: 1000)
      func run(_ words: String...) throws -> Run {
        try BuiltProgram.run(["convert", folder("feed.json"), "--max-output", "600K"] + words)
      }
      try run("-o", folder("a.csv")).expectSilence()
      #expect(try run("-o", folder("b.csv"), "-o", folder("b.ndjson")).code == 65)
      try folder.write(
        "feed.json",
        SmallFeed.list(Array(repeating: "\"\(String(repeating: "x", count: 9000))\"", count: 99)))
      let rejected = try run("--rejects", folder("r"), "--max-rejects", "100%")
      #expect(rejected.code == 65 && rejected.errors.contains("the outputs exceed 600 KiB"))
      #expect((folder.bytes("r")?.count ?? 0) < 700 << 10)
    }

    @Test func `nothing is written to standard output beyond the limit`() throws {
      try writeFeed(records: 40, periods: 90, text: 1000)
      let run = try BuiltProgram.run(["convert", folder("feed.json"), "--max-output", "1K"])
      #expect(run.code == 65 && run.output == "")
    }

    @Test func `a hundred times the data is allowed, and 64 MiB`() throws {
      // 3 MB of rows from 40 KB: the ratio is not judged below 64 MiB.
      try writeFeed(records: 40, periods: 90, text: 1000)
      try BuiltProgram.run(["convert", folder("feed.json"), "-o", folder("a.csv")]).expectSilence()
      // 90 MB of CSV from 1 MB.
      try writeFeed(records: 10, periods: 99, text: 100_000)
      try BuiltProgram.run(["convert", folder("feed.json"), "-o", folder("a.csv")]).expectSilence()
      // Two outputs are 180 MB.
      try folder.write("b.csv", "old")
      let run = try BuiltProgram.run([
        "convert", folder("feed.json"), "-o", folder("b.csv"), "-o", folder("b.ndjson"),
      ])
      #expect(run.code == 65 && folder.text("b.csv") == "old")
      #expect(run.errors.contains("the outputs exceed"))
    }

    @Test func `a table in CSV has the same limit`() throws {
      try folder.write(
        "own.yaml",
        "feed: own\nrows: \"[]\"\ncolumns: {t: t, p: {kind: period}}\nkey: [t]\nevent: {summary: \"{t}\"}\n"
      )
      let days = (0..<99).map { "01.01.\(2001 + $0)" }.joined(separator: ";")
      let line = String(repeating: "x", count: 100_000) + ",\"\(days)\"\n"
      try folder.write("t.csv", "t,p\n" + String(repeating: line, count: 10))
      let words = ["convert", folder("t.csv"), "--feed", folder("own.yaml"), "-o"]
      try BuiltProgram.run(words + [folder("a.csv")]).expectSilence()
      let run = try BuiltProgram.run(words + [folder("a.csv"), "-o", folder("a.ndjson")])
      #expect(run.code == 65)
    }

    @Test func `the growth of the ledger counts`() throws {
      try writeFeed(records: 40, periods: 90, text: 1000)
      let words = [
        "sync", folder("feed.json"), "-o", folder("a.csv"), "--where", "house=1", "--state",
        folder("state"), "--max-output",
      ]
      let run = try BuiltProgram.run(words + ["1M"])
      #expect(run.code == 65, "\(run.errors)")
      #expect(run.errors.contains("the outputs exceed 1 MiB"))
      #expect(folder.bytes("a.csv") == nil)
      try BuiltProgram.run(words + ["30M"]).expectSilence()
    }

    @Test(arguments: ["street", "house", "verbatim", "parent"])
    func `a value above 1 MiB is rejected`(_ place: String) throws {
      try folder.write(
        "own.yaml",
        """
        feed: own
        rows: list[].rows[]
        columns:
          parent: list[].parent
          street: street
          house: house
          verbatim: {kind: verbatim}
        """)
      func record(_ length: Int) -> String {
        let text = String(repeating: "x", count: length)
        let member = "\"\(place)\":\"\(text)\""
        return place == "parent"
          ? "{\(member),\"rows\":[{\"house\":\"1\"}]}" : "{\"rows\":[{\"house2\":1,\(member)}]}"
      }
      let limit = 1 << 20
      try folder.write(
        "feed.json",
        "{\"list\":[" + [3, limit, limit + 1, 4, limit + 1, 5].map(record).joined(separator: ",")
          + "]}")
      let run = try BuiltProgram.run([
        "convert", folder("feed.json"), "--feed", folder("own.yaml"), "-o", folder("a.csv"),
        "--rejects", folder("r"), "--max-rejects", "50%",
      ])
      #expect(run.code == 3, "\(run.errors)")
      run.expectOneLine("sluice: warning: 2 of 6 records rejected: too-long 2")
      #expect(folder.text("a.csv").split(separator: "\n").count == 5)
      let rejects = folder.text("r").split(separator: "\n")
      #expect(rejects.count == 2)
      #expect(rejects[0].hasPrefix("{\"record\":3,"))
      #expect(rejects[0].contains("\"field\":\"\(place)\",\"value\":\""))
      #expect(rejects[0].contains("\"reason\":\"too-long\""))
    }
  }
}
