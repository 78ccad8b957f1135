import Foundation
import Testing

/// A list whose pages do not all come: what is said, what is kept, and how a run goes on.
@Suite(.needsProgram)
struct BrokenPagesTests {
  private static let hasRealList = Samples.isThere(Pages.real)

  @Test(
    .enabled(if: hasRealList, "../shared/data is not there: 5,000 photos are left out"),
    arguments: ["cut:/photos?_page=137", "cut:>136"])
  func `5,000 photos, cut at page 137, are gone on with and come out the same`(fault: String)
    throws
  {
    // Where it is the 137th request that is cut, pages are asked for one by one.
    let pages = try Pages(
      "requests: {at-once: \(fault.contains(">") ? 1 : 2), per-second: 1000}", data: Pages.real)
    let folder = pages.folder
    let outputs = ["a.csv", "a.ndjson", "a.sqlite"]
    func words(_ prefix: String) -> [String] { outputs.flatMap { ["-o", folder(prefix + $0)] } }
    try BuiltProgram.run(pages.words(words("whole-"))).expectSilence()
    #expect(try pages.asked().sorted() == Array(1...250))

    try pages.server.reset()
    try pages.server.fail(fault)
    let cut = try BuiltProgram.run(pages.words(words("")))
    cut.expectFailure(69, "source: byte ")
    #expect(cut.errors.contains(": page 137: the connection was lost after "))
    #expect(cut.errors.contains("answers are kept, --resume continues from there)"))
    #expect(folder.names == ["photos.yaml", "state"] + outputs.map { "whole-" + $0 })
    let kept = pages.kept
    #expect(!kept.contains("page-0000137"))
    // Where the server is away for good, no page behind it has come either.
    if fault.contains(">") { #expect(kept.count == 136) }

    try pages.server.fail()
    try pages.server.reset()
    try BuiltProgram.run(pages.words(words("") + ["--resume"])).expectSilence()
    let asked = try pages.asked()
    #expect(Set(asked).count == asked.count)
    #expect(asked.allSatisfy { number in !kept.contains { $0.hasSuffix("0\(number)") } })
    #expect(asked.count + kept.count == 250)
    for name in ["a.csv", "a.ndjson"] {
      #expect(folder.bytes(name) == folder.bytes("whole-" + name), "\(name) differs")
    }
    if BuiltProgram.has("sqlite3") {
      let dump = try ["a.sqlite", "whole-a.sqlite"].map {
        try BuiltProgram.tool(["sqlite3", folder($0), ".dump"]).bytes
      }
      #expect(dump[0] == dump[1] && !dump[0].text.isEmpty)
    }
    #expect(pages.kept == [])
  }

  @Test(arguments: [
    ("cut:/photos?_page=2", Int32(69), "source: byte ", "page 2: the connection was lost after "),
    ("short:/photos?_page=2", 65, "json: byte ", "page 2: the JSON is truncated"),
    ("malformed:/photos?_page=2", 65, "json: byte ", "page 2: the character \"=\""),
    ("html:/photos?_page=2", 65, "source: byte 0: ", "page 2: this looks like HTML"),
    ("500:/photos?_page=2", 69, "source: page 2: ", "the server answers 500"),
    ("404:/photos?_page=2", 69, "source: page 2: ", "the server answers 404"),
    ("401:/photos?_page=2", 69, "source: page 2: ", "the server answers 401"),
    ("429:/photos?_page=2:9:600", 69, "source: page 2: ", "try again in 600 seconds"),
    ("503:/photos?_page=2:9:600", 69, "source: page 2: ", "try again in 600 seconds"),
  ])
  func `each fault of one page is one line, and nothing is published`(
    fault: String, code: Int32, start: String, says: String
  ) throws {
    let pages = try Pages()
    try pages.server.fail(fault)
    let old = try pages.folder.write("a.csv", "old")
    let run = try pages.run("-o", old)
    run.expectFailure(code, start)
    #expect(run.errors.contains(says), "\(run.errors)")
    #expect(pages.folder.text("a.csv") == "old")
    #expect(pages.folder.names == ["a.csv", "photos.yaml", "state"])
    #expect(pages.kept.contains("page-0000001"))
    #expect(!pages.kept.contains("page-0000002"))
    // Resumed while the fault goes on, it says the same; then it is made good.
    let again = try pages.run("-o", old, "--resume", "--lang", "ru")
    #expect(again.code == code && again.errors.contains("страница 2: "), "\(again.errors)")
    try pages.server.fail()
    try pages.server.reset()
    try pages.run("-o", old, "--resume").expectSilence()
    #expect(!(try pages.asked()).contains(1))
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 48)
  }

  @Test(arguments: ["cut", "502", "503::", "503:1:1", "429:1:1", "429:1:garbage"])
  func `a page that fails once is asked for again, and nobody hears of it`(kind: String) throws {
    let pages = try Pages()
    let parts = kind.split(separator: ":", omittingEmptySubsequences: false)
    let wait = parts.count > 2 ? ":\(parts[2])" : ""
    try pages.server.fail("\(parts[0]):/photos?_page=2:1\(wait)")
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    #expect(try pages.asked().sorted() == [1, 2, 2, 3])
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 48)
  }

  @Test func `a run that was killed is gone on with, and what it left is swept`() throws {
    let pages = try Pages(
      "pages: {by: page, parameter: _page, size-parameter: _limit, size: 2}",
      words: ["--delay", "0.3"])
    let child = try BuiltProgram.start(
      [BuiltProgram.path] + pages.words(["-o", pages.folder("a.csv")]))
    pages.wait(for: 5)
    // A second run finds the first at work, however long it takes to start.
    child.send(SIGSTOP)
    let other = try pages.run("-o", pages.folder("b.csv"))
    other.expectFailure(75, "sync: another run (process \(child.pid)) is using ")
    child.send(SIGKILL)
    #expect(child.wait().signal == SIGKILL)
    let kept = pages.kept.filter { $0.hasPrefix("page-") }.compactMap { Int($0.suffix(7)) }
    #expect((5..<24).contains(kept.count))
    try pages.server.reset()
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    let asked = try pages.asked()
    #expect(Set(asked).isDisjoint(with: kept) && asked.count + kept.count == 24)
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 48)
    #expect(pages.folder.names == ["a.csv", "photos.yaml", "state"])
    #expect(pages.kept == [])
  }

  @Test func `a signal leaves the pages that came, and no temporary file`() throws {
    let pages = try Pages(
      "pages: {by: page, parameter: _page, size-parameter: _limit, size: 2}",
      words: ["--delay", "0.3"])
    let child = try BuiltProgram.start(
      [BuiltProgram.path] + pages.words(["-o", pages.folder("a.csv")]))
    pages.wait(for: 3)
    child.send(SIGTERM)
    #expect(child.wait().signal == SIGTERM)
    #expect(pages.kept.allSatisfy { $0.hasPrefix("page-") })
    #expect(pages.folder.names == ["photos.yaml", "state"])
    let kept = pages.kept.count
    #expect((3..<24).contains(kept))
    try pages.server.reset()
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    #expect(try pages.asked().count == 24 - kept)
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 48)
  }

  @Test(arguments: [40, 46, 60])
  func `a list that changed between two runs is read anew`(count: Int) throws {
    let pages = try Pages("pages: {by: page, parameter: _page, size-parameter: _limit, size: 5}")
    try pages.server.fail("500:/photos?_page=7")
    try pages.run("-o", pages.folder("a.csv")).expectFailure(69, "source: page 7: ")
    try pages.server.fail()
    let rows = (0..<count).map { #"{"albumId": 1, "id": \#(1000 - $0), "title": "t\#($0)"}"# }
    try pages.server.offer(#"{"photos": [\#(rows.joined(separator: ","))]}"#)
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    try pages.run("-o", pages.folder("whole.csv")).expectSilence()
    #expect(pages.folder.bytes("a.csv") == pages.folder.bytes("whole.csv"))
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == count + 1)
  }

  @Test func `another size of pages has no use for what is kept`() throws {
    let pages = try Pages("pages: {by: page, parameter: _page, size-parameter: _limit, size: 5}")
    try pages.server.fail("500:/photos?_page=7")
    try pages.run("-o", pages.folder("a.csv")).expectFailure(69, "source: page 7: ")
    try pages.server.fail()
    let feed = try String(contentsOfFile: pages.feed, encoding: .utf8)
    try pages.folder.write("photos.yaml", feed.replacing("size: 5}", with: "size: 6}"))
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 48)
  }

  @Test func `the last good copy stands in for a list that does not come`() throws {
    let pages = try Pages()
    func night(_ more: String...) throws -> Run {
      try BuiltProgram.run(
        pages.words(["-o", pages.folder("a.csv"), "--max-age", "0"] + more, command: "sync"))
    }
    try night().expectSilence()
    let old = pages.folder.bytes("a.csv")
    try pages.server.fail("500:/photos?_page=2")
    #expect(try night().code == 69)
    let stands = try night("--stale-ok", "7d")
    #expect(stands.code == 0 && stands.errors.contains("page 2: the server answers 500"))
    #expect(pages.folder.bytes("a.csv") == old)
    // What is kept of it serves the next night, where that is wanted.
    try pages.server.fail()
    try pages.server.reset()
    try night("--resume").expectSilence()
    #expect(!(try pages.asked()).contains(1))
    #expect(pages.kept == [])
  }

  @Test func `outputs that cannot be made are told before anything is asked`() throws {
    let pages = try Pages()
    try pages.run("-o", pages.folder("nowhere/a.csv"))
      .expectFailure(73, "sink: there is no folder ")
    #expect(try pages.server.counts().requests == 0)
  }

  @Test func `answers wait until the outputs are published`() throws {
    let pages = try Pages()
    // The page's rows are refused only by the whole document's limit.
    let words = ["-o", pages.folder("a.csv"), "--max-rejects", "0"]
    try pages.server.offer(#"{"photos": [{"albumId": 1, "id": 1}, {"albumId": 1}]}"#)
    try BuiltProgram.run(pages.words(words)).expectFailure(65, "normalize: 1 of 2 records rejected")
    #expect(pages.kept == ["page-0000001"] || pages.kept.count == 2)
    try pages.server.reset()
    try BuiltProgram.run(pages.words(["-o", pages.folder("a.csv"), "--resume"]))
      .expectFailure(65, "normalize: 1 of 2 records rejected")
    #expect(try pages.server.counts().requests == 0)
  }
}
