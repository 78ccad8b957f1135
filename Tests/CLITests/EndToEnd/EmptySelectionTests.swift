import Foundation
import Testing

extension EndToEnd {
  /// A selection that keeps nothing must not empty a file that has something.
  @Suite struct EmptySelectionTests {
    private let folder: Scratch
    private let outputs: [String]
    private static let names = ["a.csv", "a.ndjson", "a.ics", "a.sqlite"]

    init() throws {
      folder = try Scratch()
      outputs = Self.names.flatMap { [folder] name in ["-o", folder(name)] }
    }

    private func convert(_ words: String...) throws -> Run {
      try BuiltProgram.run(["convert", Samples.full] + outputs + words)
    }

    private var files: [String: Bytes] {
      Dictionary(
        uniqueKeysWithValues: Self.names.compactMap { name in
          folder.bytes(name).map { (name, $0) }
        })
    }

    @Test(arguments: [["--where", "house=none"], ["--from", "2031-01-01"]])
    func `files that exist stay, and the exit code is 1`(_ selection: [String]) throws {
      try convert().expectSilence()
      let before = files
      folder.setTime("a.csv", 1_000_000)
      let run = try BuiltProgram.run(["convert", Samples.full] + outputs + selection)
      #expect(run.code == 1)
      run.expectOneLine("sluice: warning: none of 13")
      #expect(run.errors.contains("unchanged: \(folder("a.csv")), "))
      #expect(run.errors.contains("--allow-empty replaces them"))
      #expect(files == before)
      #expect(folder.status("a.csv")?.st_mtim.tv_sec == 1_000_000)
      #expect(folder.temporaries == [])
      let quiet = try BuiltProgram.run(["convert", Samples.full, "-q"] + outputs + selection)
      #expect(quiet.code == 1 && quiet.errors == "" && files == before)
    }

    @Test func `files that do not exist are made, and the exit code is 1`() throws {
      let run = try convert("--where", "house=none")
      #expect(run.code == 1)
      #expect(!run.errors.contains("unchanged"))
      #expect(folder.names == ["a.csv", "a.ics", "a.ndjson", "a.sqlite"])
      #expect(folder.text("a.csv").split(separator: "\n").count == 1)
      // The same bytes again are no loss.
      let again = try convert("--where", "house=none")
      #expect(again.code == 1 && !again.errors.contains("unchanged"))
    }

    @Test func `one file of several is made, the others stay`() throws {
      try convert().expectSilence()
      let before = files
      unlink(folder("a.ndjson"))
      #expect(try convert("--where", "house=none").code == 1)
      #expect(folder.bytes("a.ndjson")?.count == 0)
      #expect(files.filter { $0.key != "a.ndjson" } == before.filter { $0.key != "a.ndjson" })
    }

    @Test func `the files can be emptied on purpose`() throws {
      try convert().expectSilence()
      let run = try convert("--where", "house=none", "--allow-empty")
      #expect(run.code == 0 && run.errors.contains("none of 13200 records matches --where"))
      #expect(folder.text("a.csv").split(separator: "\n").count == 1)
      #expect(folder.bytes("a.ndjson")?.count == 0)
      #expect(!folder.text("a.ics").contains("VEVENT"))
    }

    @Test func `standard output has its header, and the exit code is 1`() throws {
      let run = try BuiltProgram.run(["convert", Samples.full, "--where", "house=none"])
      #expect(run.code == 1)
      #expect(run.output.hasPrefix("locality,street,"))
      #expect(run.output.split(separator: "\n").count == 1)
      let allowed = try BuiltProgram.run(
        ["convert", Samples.full, "--where", "house=none", "--allow-empty"])
      #expect(allowed.code == 0 && allowed.output == run.output)
    }

    @Test func `a feed without records is no selection`() throws {
      try folder.write("feed.json", "[]")
      let words = ["convert", folder("feed.json"), "-o", folder("a.csv")]
      try folder.write("a.csv", "old")
      try BuiltProgram.run(words).expectSilence()
      #expect(folder.text("a.csv").hasPrefix("locality,"))
      try folder.write("a.csv", "old")
      let selected = try BuiltProgram.run(words + ["--where", "house=1"])
      #expect(selected.code == 1 && folder.text("a.csv") == "old")
      selected.expectOneLine("sluice: warning: the selection keeps none of 0 records")
    }

    @Test func `a merged database is not touched`() throws {
      let words = [
        "convert", "--feed", "posts", "--table", "users", "--merge", "-o", folder("p.sqlite"),
      ]
      let posts = Samples.path("Samples/posts/feed.json")
      try BuiltProgram.run(words + [posts]).expectSilence()
      let before = folder.bytes("p.sqlite")
      // The rows have left the feed: a merge would delete them.
      try folder.write("none.json", #"{"posts":[],"users":[],"comments":[]}"#)
      let run = try BuiltProgram.run(words + [folder("none.json"), "--where", "id=1"])
      #expect(run.code == 1, "\(run.errors)")
      #expect(folder.bytes("p.sqlite") == before)
      let allowed = try BuiltProgram.run(
        words + [folder("none.json"), "--where", "id=1", "--allow-empty"])
      #expect(allowed.code == 0 && folder.bytes("p.sqlite") != before)
    }

    private static let tables = """
      feed: two
      tables:
        ups: {rows: "ups[]", columns: {n: n, d: {kind: day}}}
        downs: {rows: "downs[]", columns: {n: n, d: {kind: day}}}
      """

    @Test func `one of several tables is not emptied, and its files go together`() throws {
      try folder.write("two.yaml", Self.tables)
      try folder.write(
        "two.json",
        #"{"ups":[{"n":1,"d":"2020-01-01"},{"n":2,"d":"2020-02-01"}],"#
          + #""downs":[{"n":3,"d":"2020-01-01"}]}"#)
      let words = [
        "convert", folder("two.json"), "--feed", folder("two.yaml"), "-o", folder("{table}.csv"),
      ]
      try BuiltProgram.run(words).expectSilence()
      let (ups, downs) = (folder.text("ups.csv"), folder.text("downs.csv"))
      let run = try BuiltProgram.run(words + ["--from", "2020-02-01"])
      #expect(run.code == 1)
      run.expectOneLine(
        "sluice: warning: the selection keeps no row of downs; unchanged: \(folder("ups.csv")), ")
      #expect(folder.text("ups.csv") == ups && folder.text("downs.csv") == downs)
      // In one database the tables go together as well, and it has rows.
      let database = words.dropLast() + [folder("two.sqlite"), "--from", "2020-02-01"]
      try BuiltProgram.run(Array(database)).expectSilence()
      let allowed = try BuiltProgram.run(words + ["--from", "2020-02-01", "--allow-empty"])
      #expect(allowed.code == 0)
      #expect(
        folder.text("ups.csv") == "n,d\n2,2020-02-01\n" && folder.text("downs.csv") == "n,d\n")
      // What is empty already does not hold back the others.
      let later = try BuiltProgram.run(words + ["--from", "2020-01-02"])
      #expect(later.code == 0)
    }

    @Test func `a selection of rejected records alone publishes nothing`() throws {
      try folder.write(
        "feed.json",
        SmallFeed.list(
          [SmallFeed.record(house: "\"1\"", period: "\"летом\"")]
            + (2...99).map { SmallFeed.record(house: "\"\($0)\"") }))
      try folder.write("a.csv", "old")
      let words = ["convert", folder("feed.json"), "-o", folder("a.csv"), "--where"]
      let run = try BuiltProgram.run(words + ["house=1"])
      #expect(run.code == 65 && folder.text("a.csv") == "old")
      run.expectOneLine("sluice: error: normalize: all selected records were rejected (1)")
      let any = try BuiltProgram.run(words + ["house=1", "--max-rejects", "100%"])
      #expect(any.code == 65 && folder.text("a.csv") == "old")
      // One of two is far more than a tenth of those two, but not of all.
      let two = try BuiltProgram.run(words + ["house=1", "--where", "house=2"])
      #expect(two.code == 3, "\(two.errors)")
      two.expectOneLine("sluice: warning: 1 of 2 records rejected")
    }

    @Test(arguments: ["{table}.csv", "a}b{.csv", "{a.csv"])
    func `other braces are part of the name`(_ name: String) throws {
      try BuiltProgram.run(["convert", Samples.full, "-o", folder(name)]).expectSilence()
      #expect(folder.names.count == 1)
    }
  }
}
