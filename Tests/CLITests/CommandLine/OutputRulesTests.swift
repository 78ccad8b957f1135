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
    #expect(problem("convert -o a.csv/") == .unknownExtension("a.csv/"))
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

  @Test func `composed and decomposed names are different files`() {
    #expect(!SameFile("\u{439}.csv").matches(SameFile("\u{438}\u{306}.csv")))
  }
}
