import Foundation
import Testing

/// What the environment says for a feed's parameters is nowhere to be read.
@Suite(.needsProgram)
struct SecretTests {
  private static let key = "s3cr3t/key value"
  private let folder: Scratch
  private let server: APIServer
  private let feed: String

  init() throws {
    folder = try Scratch()
    server = try APIServer(Samples.path("Samples/posts/feed.json"))
    feed = try folder.write(
      "feed.yaml",
      """
      feed: own
      url: \(server.url)/posts
      parameters: {appid: $OWN_KEY, x: "a b&c"}
      rows: "[]"
      columns: {id: id}
      """)
  }

  private func run(_ words: String..., key: String? = key) throws -> Run {
    try BuiltProgram.run(
      words + ["--feed", feed, "--state", folder("state"), "-v", "--allow-env", "OWN_KEY"],
      environment: key.map { ["OWN_KEY": $0] } ?? [:])
  }

  private func expectHidden(
    _ run: Run, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try BuiltProgram.shell(
      "grep -rl -e s3cr3t -e 'key value' . ; true", in: folder.path)
    #expect(found.output == "", sourceLocation: sourceLocation)
    #expect(!run.errors.contains("s3cr3t") && !run.output.contains("s3cr3t"))
  }

  @Test func `it is sent, percent-encoded, and in no file`() throws {
    let run = try run("sync", "-o", folder("a.csv"))
    #expect(run.code == 0, "\(run.errors)")
    #expect(try server.counts().paths == ["/posts?appid=s3cr3t%2Fkey%20value&x=a%20b%26c"])
    try expectHidden(run)
  }

  @Test(arguments: ["401:*", "404:*", "503:*:9:600", "cut:*:9", "html:*", "short:*"])
  func `it is in no error`(fault: String) throws {
    try server.fail(fault)
    let run = try run("convert", "-o", folder("a.csv"))
    #expect(run.code == 69 || run.code == 65)
    if fault.first == "4" { #expect(run.errors.contains("/posts?appid=***&x=a%20b%26c")) }
    try expectHidden(run)
  }

  @Test func `a short one is cut out of the URL all the same`() throws {
    try server.fail("401:*")
    let run = try run("convert", "-o", folder("a.csv"), key: "k9")
    #expect(run.errors.contains("/posts?appid=***&x=a%20b%26c") && !run.errors.contains("k9"))
  }

  @Test(arguments: [nil, ""])
  func `a variable that is not set is an error before anything is asked`(key: String?) throws {
    try run("convert", "-o", folder("a.csv"), key: key)
      .expectFailure(64, "the feed own needs OWN_KEY in the environment")
    #expect(try server.counts().requests == 0)
  }

  @Test func `what an answer says is shown without it`() throws {
    try server.offer(#"{"posts": [{"s3cr3t/key value": 1}]}"#)
    let run = try run("convert", "-o", folder("a.csv"))
    run.expectFailure(65, "normalize: ")
    #expect(run.errors.contains("***"))
    #expect(!run.errors.contains("s3cr3t"))
  }
}
