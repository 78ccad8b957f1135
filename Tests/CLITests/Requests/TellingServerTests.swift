import Testing

/// A server that repeats the key it is asked with does not make it known.
@Suite(.needsProgram)
struct TellingServerTests {
  private static let key = "s3cr3t-of-mine"

  /// How a feed sends its key.
  enum Way: String, CaseIterable {
    case header = "headers: {X-Key: $LIST_KEY}"
    case parameter = "parameters: {token: $LIST_KEY}"
  }

  private func run(
    _ path: String, _ way: Way, _ command: String = "convert", status: Bool = false
  ) throws -> Run {
    let pages = try Pages()
    let status = status ? "status: {path: code, is: good}" : "search: {parameter: q}"
    try pages.use(path, "pages: {by: link}", way.rawValue, status)
    let run = try BuiltProgram.run(
      pages.words(
        ["-o", pages.folder("a.csv"), "--rejects", pages.folder("rejects.ndjson")]
          + ["--stats", pages.folder("stats.json"), "-v"], command: command),
      environment: ["LIST_KEY": Self.key])
    let found = try BuiltProgram.shell("grep -rl s3cr . ; true", in: pages.folder.path)
    #expect(found.output == "")
    #expect(!run.errors.contains("s3cr") && !run.output.contains("s3cr"), "\(run.errors)")
    #expect(pages.kept == [])
    return run
  }

  @Test(arguments: ["/told/link", "/told/path"], Way.allCases)
  func `in a link it is a fault, and is not asked for in its mask`(path: String, way: Way) throws {
    for command in ["convert", "sync"] {
      let run = try run(path, way, command)
      #expect(run.code == 65)
      #expect(run.errors.contains("source: page 1: the link to the next page, \"http://"))
      #expect(run.errors.contains("***\", has a secret that no parameter "), "\(run.errors)")
    }
  }

  @Test(arguments: Way.allCases)
  func `in a redirect it is hidden`(way: Way) throws {
    let run = try run("/told/redirect", way)
    #expect(run.code == 69)
    #expect(
      run.errors.contains("404 for \"http://") && run.errors.contains("/gone/***?token=***\""))
  }

  @Test(arguments: ["/told/text", "/told/keys", "/told/status"], [0, 32, 34, 36, 66, 70, 74])
  func `in an answer it is hidden, also where that is cut in the middle of it`(
    path: String, pad: Int
  ) throws {
    for way in Way.allCases {
      let run = try run("\(path)?pad=\(pad)", way, status: path == "/told/status")
      #expect(run.code == 65 || run.code == 69)
      if pad == 0 { #expect(run.errors.contains("***")) }
    }
  }

  @Test func `who is not let in is told which variable says who asks`() throws {
    let pages = try Pages()
    try pages.use("/said?rows=25", "pages: {by: page, parameter: page}", Way.header.rawValue)
    try pages.server.fail("401:*")
    let run = try pages.run("-o", pages.folder("a.csv"), environment: ["LIST_KEY": Self.key])
    run.expectFailure(69, "source: page 1: the server answers 401 for ")
    #expect(run.errors.contains("; is LIST_KEY correct?"))
  }
}
