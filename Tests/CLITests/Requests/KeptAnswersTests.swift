import Foundation
import Testing

/// What waits in the state folder is of use, or goes.
@Suite(.needsProgram)
struct KeptAnswersTests {
  private static let old = "touch -d '31 days ago' state/photos/*.answers/* state/photos/*.answers "

  private func feedFolder(_ pages: Pages) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: pages.folder("state/photos")).sorted()
  }

  /// Makes what is kept so many seconds older.
  private func age(_ pages: Pages, by seconds: Int) throws {
    let time = Int(Date().timeIntervalSince1970) - seconds
    try BuiltProgram.shell(
      "sed -i -E 's/\"answered\":[0-9]+/\"answered\":\(time)/' state/photos/*.answers/*",
      in: pages.folder.path
    ).expectSilence()
  }

  @Test func `what failed searches have left is swept after a month, and what was published stays`()
    throws
  {
    let pages = try Pages("pages: {by: page, parameter: _page, size-parameter: _limit, size: 5}")
    func night(_ more: String...) throws -> Run {
      try BuiltProgram.run(pages.words(["-o", pages.folder("a.csv")] + more, command: "sync"))
    }
    try night("--search", "quiet").expectSilence()
    let published = try feedFolder(pages)
    try pages.server.fail("500:/photos?_page=2")
    #expect(try night("--search", "officia").code == 69)
    #expect(try pages.run("--search", "boats", "-o", pages.folder("a.csv")).code == 69)
    let left = try feedFolder(pages)
    #expect(left.filter { $0.hasSuffix(".answers") }.count == 2)
    #expect(left.filter { $0.hasSuffix(".json") }.count == 2)
    try pages.server.fail()
    // Somebody may come back to them.
    try night("--search", "market").expectSilence()
    #expect(Set(try feedFolder(pages)).isSuperset(of: left))
    try BuiltProgram.shell(
      Self.old + "state/photos/*.json; cd state/photos; "
        + "touch -d '31 days ago' .0.json.sluice-tmp; touch .1.json.sluice-tmp",
      in: pages.folder.path
    ).expectSilence()
    try night("--search", "quiet", "--max-age", "0").expectSilence()
    let swept = try feedFolder(pages)
    #expect(Set(swept).isSuperset(of: published))
    #expect(!swept.contains { $0.hasSuffix(".answers") })
    #expect(swept.filter { $0.hasSuffix(".json") }.count == 2)
    #expect(swept.filter { $0.hasSuffix(".sluice-tmp") } == [".1.json.sluice-tmp"])
  }

  @Test func `what is too old to resume is not, and that is said`() throws {
    let pages = try Pages("pages: {by: page, parameter: _page, size-parameter: _limit, size: 5}")
    try pages.server.fail("500:/photos?_page=7")
    #expect(try pages.run("-o", pages.folder("a.csv")).code == 69)
    let kept = pages.kept.count
    try age(pages, by: 3000)
    // One of them is older than the others, and than the feed's answers may be.
    let first = try #require(
      FileManager.default.subpaths(atPath: pages.folder("state"))?
        .first { $0.hasSuffix("page-0000001") })
    try BuiltProgram.shell(
      "sed -i -E 's/\"answered\":[0-9]+/\"answered\":1700000000/' state/\(first)",
      in: pages.folder.path
    ).expectSilence()
    try pages.server.fail()
    try pages.server.reset()
    let run = try pages.run("-o", pages.folder("a.csv"), "--resume")
    #expect(run.code == 0)
    run.expectOneLine(
      "sluice: --resume: \(kept) kept answers are too old to resume; started over")
    #expect(try pages.asked().sorted().prefix(10) == Array(1...10)[...])
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 48)
  }

  @Test(arguments: [("2h", true), ("30m", false), ("0", true)])
  func `how old it may be says --max-age too`(maxAge: String, isGoneOnWith: Bool) throws {
    let pages = try Pages("pages: {by: page, parameter: _page, size-parameter: _limit, size: 5}")
    func night(_ more: String...) throws -> Run {
      try BuiltProgram.run(
        pages.words(["-o", pages.folder("a.csv"), "--max-age", maxAge] + more, command: "sync"))
    }
    try pages.server.fail("500:/photos?_page=7")
    #expect(try night().code == 69)
    // Less than the hour of the feed, however slow the machine is.
    try age(pages, by: 3000)
    try pages.server.fail()
    try pages.server.reset()
    let run = try night("--resume")
    #expect(run.code == 0 && run.errors.contains("too old to resume") == !isGoneOnWith)
    #expect(try pages.asked().contains(1) == !isGoneOnWith)
  }

  @Test func `answers are known again however long the links behind them are`() throws {
    let pages = try Pages()
    try pages.use("/long", "pages: {by: link, most: 5}")
    try pages.server.fail("500:/long?page=3")
    #expect(try pages.run("-o", pages.folder("a.csv")).code == 69)
    #expect(pages.kept.count == 2)
    try pages.server.fail()
    try pages.server.reset()
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    #expect(try pages.server.asked("page") == ["3"])
    #expect(pages.numbers == Array(0..<15))
  }

  @Test func `an answer that cannot be kept is an error, and is asked for by the next run`() throws
  {
    let pages = try Pages("requests: {at-once: 1, per-second: 1000}")
    // No page fits into what a file may have: as it is when a disk is full.
    let words = pages.words(["-o", pages.folder("a.csv")])
    let run = try BuiltProgram.shell(
      "ulimit -f 2; exec sluice \(words.map { "'\($0)'" }.joined(separator: " "))")
    run.expectFailure(74, "sink: byte 2048: page 1: cannot write to \"")
    #expect(run.errors.contains("the file would be too large; "))
    #expect(pages.kept == [])
    #expect(try pages.asked() == [1])
    #expect(pages.folder.names == ["photos.yaml", "state"])
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 48)
  }
}
