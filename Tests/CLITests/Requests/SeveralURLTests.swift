import Foundation
import Testing

/// A feed whose answers come from several URLs and become one document.
@Suite(.needsProgram)
struct SeveralURLTests {
  private let folder: Scratch
  private let server: APIServer

  init() throws {
    folder = try Scratch()
    server = try APIServer(Samples.path("Samples/posts/feed.json"))
  }

  private func run(
    _ words: String..., environment: [String: String] = [:]
  ) throws -> Run {
    try BuiltProgram.run(
      words + ["--feed", "posts", "--state", folder("state")], environment: environment)
  }

  private func expectPublished(_ names: [String]) {
    #expect(folder.names.filter { $0 != "state" } == names)
    #expect(folder.temporaries == [])
  }

  /// The answers that wait in the state folder.
  private var kept: [String] {
    let feed = folder("state") + "/posts"
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: feed)) ?? []
    return folders.filter { $0.hasSuffix(".answers") }.flatMap { name in
      (try? FileManager.default.contentsOfDirectory(atPath: "\(feed)/\(name)")) ?? []
    }.sorted()
  }

  @Test func `three answers give what one file of all three gives`() throws {
    try run("convert", server.url, "-o", folder("{table}.csv")).expectSilence()
    let file = try BuiltProgram.run(
      [
        "convert", Samples.path("Samples/posts/feed.json"), "--feed", "posts", "-o",
        folder("file-{table}.csv"),
      ])
    file.expectSilence()
    for table in ["users", "addresses", "geos", "companies", "posts", "comments"] {
      #expect(folder.bytes("\(table).csv") == folder.bytes("file-\(table).csv"))
    }
    #expect(try server.counts().paths.sorted() == ["/comments", "/posts", "/users"])
    #expect(kept == [])
  }

  @Test func `a mirror's own path stands before those of the feed`() throws {
    try run("convert", server.url + "/v1/", "-o", folder("a.sqlite"))
      .expectFailure(69, "source: posts: the server answers 404 for ")
    #expect(try server.counts().paths.contains("/v1/users"))
  }

  @Test func `what did arrive is kept, and a run that resumes asks only for the rest`() throws {
    try server.fail("500:/users", "404:/comments")
    let failed = try run("convert", server.url, "-o", folder("a.sqlite"))
    failed.expectFailure(69, "source: users: the server answers 500 for ")
    #expect(failed.errors.contains("(also missing: comments. 1 answer is kept, --resume"))
    expectPublished([])
    #expect(kept == ["named-posts"])
    try server.fail()
    try server.reset()
    try run("convert", server.url, "-o", folder("a.sqlite"), "--resume").expectSilence()
    #expect(try server.counts().paths.sorted() == ["/comments", "/users"])
    #expect(kept == [])
    expectPublished(["a.sqlite"])
  }

  @Test func `to look at it takes nothing away from a run that resumes`() throws {
    try server.fail("500:/users")
    try run("convert", server.url, "-o", folder("a.sqlite")).expectFailure(69, "source: users: ")
    let before = kept
    #expect(before == ["named-comments", "named-posts"])
    try server.fail()
    try server.reset()
    #expect(try run("inspect", server.url).code == 0)
    #expect(try server.counts().paths == ["/users"])
    #expect(kept == before + ["named-users"])
  }

  @Test func `a reader that has seen enough leaves nothing behind`() throws {
    let run = try BuiltProgram.shell(
      "set -o pipefail; sluice convert '\(server.url)' --feed posts --table comments "
        + "--state '\(folder("state"))' --format csv | true")
    #expect(run.code == 0 && run.errors == "", "\(run.errors)")
    #expect(try server.counts().requests == 3)
    #expect(kept == [])
  }

  @Test func `a run that does not resume begins anew`() throws {
    try server.fail("500:/users")
    try run("convert", server.url, "-o", folder("a.sqlite")).expectFailure(69, "source: users: ")
    try server.fail()
    try server.reset()
    try run("convert", server.url, "-o", folder("a.sqlite")).expectSilence()
    #expect(try server.counts().requests == 3)
  }

  @Test func `a kept answer that was damaged is asked for again`() throws {
    try server.fail("500:/users")
    try run("convert", server.url, "-o", folder("a.sqlite")).expectFailure(69, "source: users: ")
    try server.fail()
    let damage = try BuiltProgram.shell(
      "sed -i '1s/\\[/ /' state/posts/*.answers/named-posts && truncate -s -9 "
        + "state/posts/*.answers/named-comments", in: folder.path)
    #expect(damage.code == 0)
    try server.reset()
    try run("convert", server.url, "-o", folder("a.sqlite"), "--resume").expectSilence()
    #expect(try server.counts().requests == 3)
  }

  @Test(arguments: [
    ("cut:/users:9", Int32(69), "source: byte 92: users: the connection was lost after 92 of 185"),
    ("short:/users", 65, "json: byte "), ("malformed:/users", 65, "json: byte "),
    ("html:/users", 65, "source: byte 0: users: this looks like HTML"),
    ("500:/users", 69, "source: users: the server answers 500"),
    ("401:/users", 69, "source: users: the server answers 401"),
    ("429:/users:9:600", 69, "source: users: the server answers 429"),
    ("503:/users:9:600", 69, "source: users: the server answers 503"),
  ])
  func `each fault is one line that names the request, and nothing is published`(
    fault: String, code: Int32, start: String
  ) throws {
    try server.fail(fault)
    try folder.write("posts.csv", "old")
    let run = try run("convert", server.url, "--table", "posts", "-o", folder("posts.csv"))
    run.expectFailure(code, start.hasPrefix("source: byte 92") ? "source: byte " : start)
    #expect(run.errors.contains(" users: "))
    #expect(folder.text("posts.csv") == "old")
    expectPublished(["posts.csv"])
    // Who is turned away for good asks no more, unless that was under way.
    let isTurnedAway = ["401", "429", "503"].contains { fault.hasPrefix($0) }
    #expect(kept == ["named-comments", "named-posts"] || isTurnedAway && kept == ["named-posts"])
  }

  @Test func `sync publishes, asks again only after the feed's time, and keeps a copy`() throws {
    let words = ["sync", server.url, "-o", folder("a.sqlite")]
    try run(words[0], words[1], words[2], words[3]).expectSilence()
    try run(words[0], words[1], words[2], words[3]).expectSilence()
    #expect(try server.counts().requests == 3)
    try run(words[0], words[1], words[2], words[3], "--max-age", "0").expectSilence()
    #expect(try server.counts().requests == 6)
    try run("convert", server.url, "--offline", "-o", folder("b.sqlite")).expectSilence()
    #expect(try server.counts().requests == 6)
    let status = try BuiltProgram.run(["status", "--state", folder("state")])
    #expect(status.output.contains("input: \(server.url)/posts \(server.url)/users "))
  }

  @Test func `options of requests are refused where there are none`() throws {
    let file = Samples.path("Samples/posts/feed.json")
    let state = folder("state")
    for (words, start) in [
      ([file, "--resume"], "--resume has no effect"),
      ([server.url, "--search", "x"], "posts cannot be searched"),
    ] {
      let run = try BuiltProgram.run(["convert", "--feed", "posts", "--state", state] + words)
      run.expectFailure(64, start)
    }
    try BuiltProgram.run(["convert", Samples.bonds, "--feed", "bonds", "--resume"])
      .expectFailure(64, "bonds has nothing to search or to resume")
  }
}
