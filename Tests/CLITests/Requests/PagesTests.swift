import Foundation
import Testing

/// A list that comes in pages is read to its end, whatever tells the pages apart.
@Suite(.needsProgram)
struct PagesTests {
  private static let rows = 47

  private func whole() throws -> Bytes? {
    let pages = try Pages()
    try pages.run("-o", pages.folder("whole.csv")).expectSilence()
    return pages.folder.bytes("whole.csv")
  }

  @Test func `the pages of a sample give what they gave`() throws {
    let pages = try Pages()
    for name in ["served.csv", "served.ndjson"] {
      try pages.run("-o", pages.folder(name)).expectSilence()
      let expected = FileManager.default.contents(atPath: Samples.path("Samples/photos/\(name)"))
      #expect(
        pages.folder.bytes(name) == expected.map { Bytes($0) },
        "\(name) has changed: run 'make goldens', and read the difference before you commit it")
    }
    #expect(pages.kept == [])
  }

  @Test(arguments: [
    "pages: {by: page, parameter: _page, size-parameter: _limit, size: 7}",
    "pages: {by: page, parameter: _page, size-parameter: _limit, size: 1}",
    "pages: {by: page, parameter: _page, size-parameter: _limit, size: 47}",
    "pages: {by: page, parameter: _page, size-parameter: _limit, size: 100}",
    "pages: {by: offset, parameter: _start, size-parameter: _limit, size: 10}",
    "pages: {by: offset, parameter: _start, size-parameter: _limit, size: 47}",
  ])
  func `by number and by offset, all rows come once and in order`(line: String) throws {
    let pages = try Pages(line)
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    #expect(pages.folder.bytes("a.csv") == (try whole()))
    let asked = try pages.server.counts().paths
    #expect(Set(asked).count == asked.count)
  }

  @Test func `by link, all rows come once and in order`() throws {
    let pages = try Pages("pages: {by: link, size-parameter: _limit, size: 10}")
    let feed = try String(contentsOfFile: pages.feed, encoding: .utf8)
      .replacing("/photos\n", with: "/photos?_page=1\n")
    try pages.folder.write("photos.yaml", feed)
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    #expect(pages.folder.bytes("a.csv") == (try whole()))
    #expect(try pages.asked() == [1, 2, 3, 4, 5])
  }

  @Test func `an empty list is one request, and outputs without rows`() throws {
    let pages = try Pages()
    let run = try pages.run(
      "--search", "nothing is called so", "-o", pages.folder("a.csv"), "-q")
    // A selection that keeps nothing. Without --quiet it says so.
    #expect(run.code == 1 && run.errors == "")
    #expect(pages.folder.text("a.csv") == "album_id,id,title,url,thumbnail_url\n")
    #expect(try pages.server.counts().requests == 1)
  }

  @Test func `one answer is a file like any other`() throws {
    let folder = try Scratch()
    let words = ["convert", Samples.path("Samples/photos/feed.json"), "--feed", "photos"]
    try BuiltProgram.run(words + ["-o", folder("a.csv")]).expectSilence()
    let page = try #require(try whole()).text.split(separator: "\n").prefix(21)
    #expect(folder.text("a.csv") == page.map { $0 + "\n" }.joined())
    try BuiltProgram.run(words + ["--resume"])
      .expectFailure(64, "--resume has no effect when INPUT is a file")
  }

  @Test func `what is known of a request is a column like any other`() throws {
    let pages = try Pages()
    let feed = try String(contentsOfFile: pages.feed, encoding: .utf8)
    try pages.folder.write(
      "photos.yaml",
      feed + "  page: {from: $request.page, kind: integer}\n"
        + "  at: {from: $request.answered, kind: instant}\n")
    try pages.run("--format", "ndjson", "-o", pages.folder("a.ndjson")).expectSilence()
    let lines = pages.folder.text("a.ndjson").split(separator: "\n")
    #expect(lines.count == Self.rows)
    #expect(lines.first?.contains(#""page":1,"at":"20"#) == true)
    #expect(lines.last?.contains(#""page":3,"at":"20"#) == true)
  }

  @Test func `requests are few at once, and no more than so many connections are made`() throws {
    let pages = try Pages(
      "pages: {by: page, parameter: _page, size-parameter: _limit, size: 2}",
      "requests: {at-once: 3, per-second: 1000}", words: ["--delay", "0.02", "--hold", "22"])
    let run = try BuiltProgram.start(
      [BuiltProgram.path] + pages.words(["-o", pages.folder("a.csv")]))
    // The last three wait for each other.
    for _ in 0..<2000 where try pages.server.counts().requests < 24 { usleep(5000) }
    try pages.server.release()
    run.wait().expectSilence()
    let counts = try pages.server.counts()
    #expect(counts.most == 3)
    #expect(counts.connections == 3)
    #expect(counts.requests == 24)
  }

  @Test func `one request at a time is one connection`() throws {
    let pages = try Pages(
      "pages: {by: page, parameter: _page, size-parameter: _limit, size: 2}",
      "requests: {at-once: 1, per-second: 1000}")
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    let counts = try pages.server.counts()
    #expect(counts.most == 1)
    #expect(counts.connections == 1)
    #expect(try pages.asked() == Array(1...24))
  }

  @Test func `requests begin no faster than so many a second`() throws {
    let pages = try Pages(
      "pages: {by: page, parameter: _page, size-parameter: _limit, size: 5}",
      "requests: {at-once: 4, per-second: 20}")
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    let times = try pages.server.counts().times
    #expect(times.count == 10)
    // Nine intervals of a twentieth of a second; what the machine does in between only delays.
    #expect((times.last ?? 0) - (times.first ?? 0) > 0.3)
  }

  private static let next = "the link to the next page leads to"

  @Test(arguments: [
    ("/linked/elsewhere", "page 1: \(next) another server, \"https://example.org/"),
    ("/linked/ftp", "page 1: \(next) another server, \"ftp://127.0.0.1/"),
    ("/linked/nonsense", "page 1: \(next) another server, \"http://[::1/"),
    ("/linked/itself", "page 1: \(next) a page already read, \"http://127.0.0.1:"),
    ("/linked/loop", "page 2: \(next) a page already read, \"http://127.0.0.1:"),
    ("/endless", "page 6: the list has more than 5 pages"),
  ])
  func `links that lead nowhere good end the run`(path: String, start: String) throws {
    let pages = try Pages("pages: {by: link, most: 5}")
    try pages.use(path, "pages: {by: link, most: 5}")
    let run = try pages.run("-o", pages.folder("a.csv"))
    run.expectFailure(65, "source: \(start)")
    #expect(pages.folder.names == ["photos.yaml", "state"])
    // Another run says the same, and asks for no more than the page that is wrong.
    try pages.server.reset()
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectFailure(65, "source: \(start)")
    #expect(try pages.server.counts().requests == 1)
  }

  @Test func `a server that takes no notice of the page is not asked for ever`() throws {
    let pages = try Pages()
    try pages.use("/same", "pages: {by: page, parameter: page}")
    try pages.run("-o", pages.folder("a.csv"))
      .expectFailure(65, "source: page 2: this page is the same as the one next to it")
  }

  @Test func `a secret that a server repeats in its links is in no file`() throws {
    let pages = try Pages(words: ["--key", "k3y-of-mine"])
    try pages.use("/echo", "pages: {by: link}", "parameters: {key: $LIST_KEY}")
    let environment = ["LIST_KEY": "k3y-of-mine"]
    try pages.server.fail("cut:/echo?after=20")
    let cut = try pages.run("-o", pages.folder("a.csv"), environment: environment)
    #expect(cut.code == 69 && !cut.errors.contains("k3y"), "\(cut.errors)")
    let found = try BuiltProgram.shell("grep -rl k3y . ; true", in: pages.folder.path)
    #expect(found.output == "")
    try pages.server.fail()
    try pages.server.reset()
    try pages.run("-o", pages.folder("a.csv"), "--resume", environment: environment)
      .expectSilence()
    #expect(try pages.server.counts().paths == ["/echo?after=20&key=k3y-of-mine"])
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 26)
    let wrong = try pages.run("-o", pages.folder("a.csv"), environment: ["LIST_KEY": "wr0ng-key"])
    wrong.expectFailure(69, "source: page 1: the server answers 401 for ")
    #expect(wrong.errors.contains("/echo?key=***") && !wrong.errors.contains("wr0ng"))
  }

  @Test func `a feed in pages is added by a document alone`() throws {
    let pages = try Pages()
    let feed = try pages.folder.write(
      "shipments.yaml",
      """
      feed: shipments
      url: http://h.invalid/v2/shipments
      pages: {by: offset, parameter: from, size-parameter: count, size: 4}
      rows: shipments[].lines[]
      columns:
        number: {from: "shipments[].number", required: true}
        port: shipments[].port
        what: what
        kilograms: {kind: decimal, required: true}
        due: {kind: day, required: true}
      key: [number, what]
      event: {summary: "{what} {for port}"}
      """)
    let check = try BuiltProgram.run(["feeds", "--check", feed])
    #expect(check.code == 0, "\(check.errors)")
    #expect(check.output.contains("pages: from counts rows from 0, rows of a page: count = 4\n"))
    pages.feed = feed
    let folder = pages.folder
    try pages.run("-o", folder("a.csv"), "-o", folder("a.ics")).expectSilence()
    let lines = folder.text("a.csv").split(separator: "\n")
    #expect(lines.count == 20)
    #expect(lines[1] == "S-000,Riga,timber,0.50,2026-12-01")
    #expect(lines[19] == "S-009,Riga,timber,90.50,2026-12-01")
    #expect(folder.text("a.ics").contains("SUMMARY:steel for Turku"))
    #expect(try pages.server.asked("from") == ["0", "4", "8", "10"])
    // Night after night, by its ledger.
    for _ in 0..<2 {
      let night = pages.words(["-o", folder("b.ics"), "--max-age", "0"], command: "sync")
      try BuiltProgram.run(night + ["--today", "2026-12-01"]).expectSilence()
    }
    #expect(folder.text("b.ics").components(separatedBy: "BEGIN:VEVENT").count == 20)
  }
}
