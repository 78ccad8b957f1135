import Testing

/// Nothing of a list is lost without a word, whatever its server says of its pages.
@Suite(.needsProgram)
struct DoubtfulListTests {
  /// Runs, and expects an error, no outputs, and the same again from who resumes.
  private func expectFault(_ pages: Pages, _ start: String) throws {
    for more in [[], ["--resume"]] {
      try BuiltProgram.run(pages.words(["-o", pages.folder("a.csv")] + more))
        .expectFailure(65, "source: page 1: \(start)")
      #expect(pages.folder.names == ["photos.yaml", "state"])
      #expect(pages.kept == [])
    }
  }

  @Test func `a link that is missing is told`() throws {
    let pages = try Pages()
    try pages.use("/unlinked", "pages: {by: link}")
    try expectFault(
      pages, "the link to the next page is missing, although the server reports 25 rows")
  }

  @Test func `a link that cannot be read is not the end of the list`() throws {
    let pages = try Pages()
    try pages.use("/unreadable", "pages: {by: link}")
    try expectFault(
      pages, "cannot read the Link header \"/unreadable?page=2; rel=next\", so more ")
  }

  @Test func `by offset, a server that gives fewer rows than are asked for is followed`() throws {
    let pages = try Pages()
    try pages.use(
      "/capped", "pages: {by: offset, parameter: from, size-parameter: count, size: 20}")
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    #expect(pages.numbers == Array(0..<25))
    #expect(try pages.server.asked("from") == ["0", "10", "20", "25"])
  }

  @Test func `by offset, a run that broke off is gone on with behind the rows that came`() throws {
    let pages = try Pages()
    try pages.use(
      "/capped", "pages: {by: offset, parameter: from, size-parameter: count, size: 20}")
    try pages.server.fail("500:/capped?from=20")
    try pages.run("-o", pages.folder("a.csv")).expectFailure(69, "source: page 3: ")
    #expect(pages.kept == ["page-0000001", "page-0000002"])
    try pages.server.fail()
    try pages.server.reset()
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    #expect(pages.numbers == Array(0..<25))
    #expect(try pages.server.asked("from") == ["20", "25"])
  }

  @Test func `by offset, where the server tells how many there are, the right size is told`() throws
  {
    let pages = try Pages()
    try pages.use(
      "/capped?total=1", "pages: {by: offset, parameter: from, size-parameter: count, size: 20}")
    try expectFault(
      pages,
      "rows would be lost or repeated, the server sends 10 rows per page; set 'size: 10'")
    try pages.use(
      "/capped?total=1", "pages: {by: offset, parameter: from, size-parameter: count, size: 10}")
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    #expect(pages.numbers == Array(0..<25))
  }

  @Test(arguments: [
    ("/parents", "pages: {by: page, parameter: page, size: 5}"),
    ("/parents", "pages: {by: offset, parameter: from, size-parameter: count, size: 5}"),
    // The server gives five, whatever it is asked for.
    ("/parents", "pages: {by: offset, parameter: from, size-parameter: count, size: 15}"),
    ("/parents?after=0", "pages: {by: link}"),
  ])
  func `a page whose elements have no rows is not the end of the list`(path: String, line: String)
    throws
  {
    let pages = try Pages()
    try pages.use(path, rows: "parents[].lines[]", line)
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    #expect(pages.numbers == Array(0..<5) + Array(10..<30))
  }

  @Test func `a run that broke off behind a page without rows is gone on with`() throws {
    let pages = try Pages()
    try pages.use(
      "/parents", rows: "parents[].lines[]",
      "pages: {by: offset, parameter: from, size-parameter: count, size: 15}")
    try pages.server.fail("500:/parents?from=10")
    try pages.run("-o", pages.folder("a.csv")).expectFailure(69, "source: page 3: ")
    try pages.server.fail()
    try pages.server.reset()
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    #expect(pages.numbers == Array(0..<5) + Array(10..<30))
    #expect(try pages.server.asked("from") == ["10", "15", "20", "25", "30"])
  }

  @Test(arguments: ["pages: {by: link}", "pages: {by: page, parameter: page, size: 5}"])
  func `an empty page that links to the next is not the end of the list`(line: String) throws {
    let pages = try Pages()
    try pages.use("/hole", line)
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    #expect(pages.numbers == Array(0..<5) + Array(10..<25))
  }

  @Test(arguments: ["99999999999999999999", "1000000000001", "-1", "many"])
  func `a total that no list has is not believed`(total: String) throws {
    let pages = try Pages()
    try pages.use(
      "/said?rows=\(total)", "pages: {by: page, parameter: page, size-parameter: size, size: 10}")
    try pages.run("-o", pages.folder("a.csv")).expectSilence()
    #expect(pages.numbers == Array(0..<25))
    #expect(try pages.server.asked("page").allSatisfy { Int($0).map { $0 <= 5 } ?? false })
  }

  @Test(arguments: [30, 24, 12])
  func `other rows than the server tells are published, and told`(total: Int) throws {
    let pages = try Pages()
    try pages.use(
      "/said?rows=\(total)", "pages: {by: page, parameter: page, size-parameter: size, size: 10}")
    let run = try pages.run("-o", pages.folder("a.csv"), "-q")
    #expect(run.code == 3)
    run.expectOneLine(
      "sluice: warning: the server reports \(total) rows and sends 25: some may be ")
    #expect(pages.numbers == Array(0..<25))
    #expect(pages.kept == [])
  }

  @Test func `a list that changes while it is read is published, told, and read again`() throws {
    let pages = try Pages("requests: {at-once: 1, per-second: 1000}")
    let warning =
      "sluice: warning: the list changed while it was read, from 47 to 48 rows: some may be missing"
    try pages.server.fail("grow:/photos?_page=2:1")
    let run = try pages.run("-o", pages.folder("a.csv"), "-q")
    #expect(run.code == 3)
    run.expectOneLine(warning)
    #expect(pages.folder.text("a.csv").split(separator: "\n").count == 49)
    // Night after night: the next one does not wait until the copy is old.
    func night() throws -> Run {
      try BuiltProgram.run(
        pages.words(["-o", pages.folder("b.csv"), "--max-age", "1h"], command: "sync"))
    }
    try pages.server.fail("grow:/photos?_page=2:1")
    let first = try night()
    #expect(first.code == 3)
    #expect(first.errors.contains("the list changed while it was read, from 48 to 49 rows"))
    #expect(
      !(try BuiltProgram.run(["status", "--state", pages.folder("state")]).output)
        .contains("no request before"))
    try pages.server.reset()
    try night().expectSilence()
    #expect(try pages.asked().sorted().first == 1)
    #expect(pages.folder.text("b.csv").split(separator: "\n").count == 50)
    try pages.server.reset()
    try night().expectSilence()
    #expect(try pages.asked() == [])
  }

  @Test func `what a run left of a list that changed under it is not gone on with`() throws {
    let pages = try Pages(
      "pages: {by: page, parameter: _page, size-parameter: _limit, size: 5}",
      "requests: {at-once: 1, per-second: 1000}")
    try pages.server.fail("grow:/photos?_page=3:1", "500:/photos?_page=6")
    try pages.run("-o", pages.folder("a.csv")).expectFailure(69, "source: page 6: ")
    #expect(pages.kept.count == 5)
    try pages.server.fail()
    try pages.server.reset()
    try pages.run("-o", pages.folder("a.csv"), "--resume").expectSilence()
    #expect(try pages.asked().sorted().prefix(6) == [1, 2, 3, 4, 5, 6])
    try pages.run("-o", pages.folder("whole.csv")).expectSilence()
    #expect(pages.folder.bytes("a.csv") == pages.folder.bytes("whole.csv"))
  }
}
