import Foundation
import Testing

/// A list is searched by a term, and the terms are remembered.
@Suite(.needsProgram)
struct SearchTests {
  private func searches(_ pages: Pages, _ words: String...) throws -> Run {
    try BuiltProgram.run(["searches", "--state", pages.folder("state")] + words)
  }

  /// What was shown, without the times.
  private func terms(_ run: Run) -> [String] {
    run.output.split(separator: "\n").map { String($0.drop { $0 != " " }.drop { $0 == " " }) }
  }

  @Test func `only what matches is asked for`() throws {
    let pages = try Pages()
    try pages.run("--search", "officia", "-o", pages.folder("a.csv")).expectSilence()
    let lines = pages.folder.text("a.csv").split(separator: "\n").dropFirst()
    #expect(lines.count == 7 && lines.allSatisfy { $0.contains("officia") })
    #expect(try pages.server.counts().paths.first == "/photos?_page=1&_limit=20&q=officia")
    #expect(try pages.server.asked("q").allSatisfy { $0 == "officia" })
  }

  @Test func `a term is sent as it is written, and white space does not count`() throws {
    let pages = try Pages()
    try pages.run("--search", "  Фото  № 9 ", "-o", pages.folder("a.csv")).expectSilence()
    #expect(pages.folder.text("a.csv").contains("Фото № 9 — мост"))
    #expect(try pages.server.asked("q").first == "%D0%A4%D0%BE%D1%82%D0%BE%20%E2%84%96%209")
  }

  @Test(arguments: ["off", "  off  ", "мос"])
  func `a term that is too short is refused before anything is asked`(term: String) throws {
    let pages = try Pages()
    let run = try pages.run("--search", term, "-o", pages.folder("a.csv"))
    run.expectFailure(64, "--search: ")
    #expect(run.errors.contains("fewer than 4 characters"))
    #expect(try pages.server.counts().requests == 0)
  }

  @Test func `searches are shown, newest first, each once, and forgotten when that is asked`()
    throws
  {
    let pages = try Pages()
    #expect(try searches(pages).output == "")
    for term in ["officia", "boats", "market", "officia"] {
      try pages.run("--search", term, "-o", pages.folder("a.csv")).expectSilence()
    }
    // One that fails was searched for, too.
    try pages.server.fail("500:*")
    #expect(try pages.run("--search", "quiet").code == 69)
    let names = ["quiet", "officia", "market", "boats"]
    #expect(terms(try searches(pages, "--feed", "photos")) == names)
    #expect(terms(try searches(pages)) == names.map { "photos  " + $0 })
    try searches(pages, "--feed", "posts").expectFailure(64, "posts cannot be searched")
    try searches(pages, "--clear").expectSilence()
    try searches(pages).expectSilence()
  }

  @Test func `answers to one search do not stand in for another's`() throws {
    let pages = try Pages("pages: {by: page, parameter: _page, size-parameter: _limit, size: 5}")
    try pages.server.fail("500:/photos?_page=2")
    #expect(try pages.run("--search", "officia").code == 69)
    try pages.server.fail()
    try pages.run("--search", "boats", "--resume", "-o", pages.folder("a.csv")).expectSilence()
    let lines = pages.folder.text("a.csv").split(separator: "\n").dropFirst()
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("boats") })
  }
}
