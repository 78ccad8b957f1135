import Foundation
import Testing

extension EndToEnd {
  /// Command lines that would write one file twice, or over what they read.
  @Suite struct UsageConflictTests {
    @Test(arguments: [
      "feed.json -o a.csv -o a.csv", "feed.json -o a.csv -o ./a.csv",
      "feed.json -o a.csv -o link.csv",
      "feed.json -o new.csv -o ./new.csv", "feed.json -o new.csv -o there/new.csv",
      "feed.json -o a.csv --rejects ./a.csv", "feed.json -o a.csv --stats link.csv",
      "feed.json --rejects r --stats ./r", "feed.json -o feed.json --format csv",
      "feed.json -o hard.csv", "feed.json -o feedlink.csv", "feed.json -o a.csv --stats feed.json",
      "./feed.json --rejects feed.json", "feed.json --stats -", "feed.json -o - --rejects -",
      "feed.json -o a.csv --rejects - --stats -", "feed.json -o - -o -", "feed.json -o feed.ics",
      "feed.json --feed bonds -o a.ics", "feed.json -o a.ods", "feed.json --format ics -o a.csv",
      "feed.json --from 2020-07-02 --to 2020-07-01", "feed.json --from 2020-02-30",
      "feed.json --where nothing=1", "feed.json --where street",
      "feed.json --where start_date=2020",
      "feed.json --max-rejects many", "feed.json --max-size 0x", "feed.json --alarm soon",
      "feed.json --lang de", "feed.json --feed cold-water", "ftp://a/b",
      "feed.json -o", "feed.json --nope", "feed.json --stats a.csv -o a.csv",
    ])
    func `a conflict is a usage error before anything is touched`(line: String) throws {
      let folder = try prepared()
      let names = folder.names
      let run = try BuiltProgram.run(
        ["convert"] + line.split(separator: " ").map(String.init), in: folder.path)
      #expect(run.code == 64)
      run.expectOneLine("sluice: error: ")
      #expect(run.errors.contains("; "))
      #expect(run.output == "")
      #expect(folder.names == names)
      #expect(folder.text("a.csv") == "old" && folder.text("feed.json") == "[]")
    }

    private func prepared() throws -> Scratch {
      let folder = try Scratch()
      try folder.write("feed.json", "[]")
      try folder.write("a.csv", "old")
      try folder.link("link.csv", to: "a.csv")
      try folder.link("there", to: ".")
      try folder.link("feedlink.csv", to: "feed.json")
      link(folder("feed.json"), folder("hard.csv"))
      link(folder("feed.json"), folder("feed.ics"))
      return folder
    }

    @Test(arguments: [
      "sluice convert - -o feed.json --format csv < feed.json",
      "sluice convert - -o feedlink.csv < feed.json", "sluice convert feed.json > feed.json",
      "sluice convert feed.json -o - -o a.csv > a.csv",
      "sluice convert feed.json --stats a.csv > a.csv",
      "sluice convert feed.json >> feed.json", "sluice convert - -o - < feed.json >> feed.json",
      "sluice convert feed.json -o new.csv --stats - >> there/feed.json",
    ])
    func `what the shell connects is known too`(line: String) throws {
      let folder = try prepared()
      let run = try BuiltProgram.shell(line, in: folder.path)
      #expect(folder.temporaries == [])
      #expect(run.code == 64)
      // What the shell empties before we start is its own affair.
      if !line.contains(" > feed.json") { #expect(folder.text("feed.json") == "[]") }
      run.expectOneLine("sluice: error: ")
    }

    @Test func `the null device may take everything`() throws {
      let words = ["convert", Samples.hotWater, "--allow-rejects", "--format", "csv"]
      let null = [
        "-o", "/dev/null", "-o", "/dev/null", "--rejects", "/dev/null", "--stats", "/dev/null",
      ]
      try BuiltProgram.run(words + null).expectSilence()
    }
  }
}
