import Testing
import Sluice

@testable import sluice_cli

@Suite struct OutputRulesTests {
  private func formats(_ line: String) throws -> [OutputFormat] {
    try convert(line).outputs.map(\.format)
  }

  @Test func `the extension chooses the format, in any case`() throws {
    #expect(
      try formats("-o a.csv -o b.ndjson -o c.jsonl -o d.ics -o E.CSV -o f.Ics")
        == [.csv, .ndjson, .ndjson, .ics, .csv, .ics])
  }

  @Test func `the format option serves standard output and unknown extensions only`() throws {
    #expect(try formats("-o - --format ndjson") == [.ndjson])
    #expect(try formats("--format ics") == [.ics])
    #expect(try formats("-o a.txt -o b.csv --format ndjson") == [.ndjson, .csv])
    #expect(try formats("-o - -o b.ics") == [.csv, .ics])
    #expect(try formats("-o a.csv --format csv") == [.csv])
    #expect(try formats("-o /dev/null --format ics") == [.ics])
  }

  @Test func `an output without a format is refused`() {
    #expect(problem("convert -o a.txt") == .unknownExtension("a.txt"))
    #expect(problem("convert -o csv") == .unknownExtension("csv"))
  }

  @Test func `a format that contradicts every output is refused`() {
    #expect(problem("convert -o a.csv -o b.ics --format ndjson") == .idleFormat(.ndjson))
    #expect(problem("convert -o a.csv -o b.ics --format ics") == nil)
  }

  @Test func `a calendar of a feed without events is refused`() {
    #expect(problem("convert x.json --feed bonds -o a.ics") == .noEvents(feed: "bonds"))
    #expect(problem("convert x.json --feed bonds --format ics") == .noEvents(feed: "bonds"))
    #expect(problem("convert x.json --feed bonds -o a.csv") == nil)
  }

  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func `standard output has one user, by whatever name`(name: String) {
    #expect(problem("convert -o - -o \(name)") == .sharedStandardOutput("-o", "-o"))
    #expect(problem("convert --stats \(name)") == .sharedStandardOutput("CSV", "--stats"))
    #expect(
      problem("convert -o a.csv --rejects \(name) --stats -")
        == .sharedStandardOutput("--rejects", "--stats"))
    #expect(problem("convert -o a.csv --stats \(name)") == nil)
  }

  @Test func `a file has one user`() {
    #expect(problem("convert -o a.csv -o a.csv") == .sharedFile("-o", "-o", path: "a.csv"))
    #expect(
      problem("convert -o a.csv --stats s --rejects s")
        == .sharedFile("--rejects", "--stats", path: "s"))
    #expect(problem("convert a.csv -o a.csv") == .outputIsInput("-o", path: "a.csv"))
    #expect(problem("convert in --stats in -o a.csv") == .outputIsInput("--stats", path: "in"))
    #expect(problem("convert -o /dev/null -o /dev/null --format csv") == nil)
  }

  @Test func `a name that ends in a slash is a site, whatever its extension`() throws {
    #expect(try formats("-o site/ -o a.csv/ -o b.csv --format csv") == [.site, .site, .csv])
    #expect(problem("convert -o site/ --format csv") == .idleFormat(.csv))
    #expect(
      problem("convert -o - --format site")
        == .notAChoice(
          "--format", value: "site",
          choices: ["csv", "tsv", "xlsx", "ndjson", "json", "ics", "sqlite"]))
  }

  @Test func `a site of a feed with several tables names the table`() {
    #expect(
      problem("convert x.json --feed photos -o site/ --table none")
        == .noSuchTable("none", tables: ["photos"]))
    #expect(problem("convert x.json --feed photos -o {table}/") == nil)
    #expect(
      problem("convert -o {street}/") == .splitDatabase("{street}", path: "{street}/"))
  }

  @Test(arguments: [
    "site/a.csv", "./site/b/c.ndjson", "site/inner/", "site//a.csv",
  ])
  func `an output inside of a site is refused`(_ path: String) {
    #expect(
      problem("convert -o site/ -o \(path)") == .insideSite("-o", path: path, site: "site/"))
    #expect(
      problem("convert -o \(path) -o ./site/") == .insideSite("-o", path: path, site: "./site/"))
  }

  @Test func `reports inside of a site are refused, a site beside another is not`() {
    #expect(
      problem("convert -o site/ --stats site/s")
        == .insideSite("--stats", path: "site/s", site: "site/"))
    #expect(problem("convert -o site/ -o site2/ -o sit/a.csv") == nil)
    #expect(problem("convert -o site/ -o site") == .unknownExtension("site"))
    #expect(problem("convert -o site/ -o site//") == .sharedFile("-o", "-o", path: "site//"))
  }

  @Test func `composed and decomposed names are different files`() {
    #expect(!SameFile("\u{439}.csv").matches(SameFile("\u{438}\u{306}.csv")))
  }
}
