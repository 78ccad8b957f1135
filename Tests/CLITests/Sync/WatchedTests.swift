import Foundation
import Testing

/// What a watcher is told of runs: `--ping`.
@Suite(.needsProgram)
struct WatchedTests {
  /// What was told, in order.
  private struct Told: Equatable, CustomStringConvertible {
    var method: String
    var target: String
    var authorization = ""
    var lines = ""
    var description: String { "\(method) \(target) \(authorization) \(lines)" }
  }

  private func told(to night: Nightly) throws -> [Told] {
    let all = try JSONDecoder().decode([[String]].self, from: Data(try night.log("pings").utf8))
    return all.map { Told(method: $0[0], target: $0[1], authorization: $0[2], lines: $0[3]) }
  }

  private func watched(_ path: String, asking feed: String = "ok") throws -> (Nightly, String) {
    let night = try Nightly(asking: feed)
    try night.offer(8)
    return (night, try #require(night.server).url(path))
  }

  @Test func `a good run tells its start and its success and says nothing`() throws {
    let (night, url) = try watched("ping?x=1")
    try night.run("--ping", url).expectSilence()
    #expect(
      try told(to: night) == [
        Told(method: "GET", target: "/ping/start?x=1"), Told(method: "GET", target: "/ping?x=1"),
      ])
  }

  @Test func `a failed run tells its error`() throws {
    let (night, url) = try watched("ping", asking: "404")
    let run = try night.run("--ping", url)
    run.expectLogLine(69, "error: source: the server answers 404")
    let line = String(run.errors.dropFirst(21))
    #expect(
      try told(to: night) == [
        Told(method: "GET", target: "/ping/start"),
        Told(method: "POST", target: "/ping/fail", lines: line),
      ])
  }

  @Test func `every code but 0 is a failure`() throws {
    let folder = try Scratch()
    let server = try FaultServer(body: Samples.hotWater)
    let words = [
      "sync", server.url("ok"), "-o", folder("a.csv"), "--state", folder("s"), "--max-age", "0",
      "--ping", server.url("ping"),
    ]
    let rejected = try BuiltProgram.run(words)
    rejected.expectLogLine(3, "warning: 3 of 43 records rejected")
    try BuiltProgram.run(words + ["--allow-rejects"]).expectSilence()
    let epoch = try BuiltProgram.run(words, environment: ["SOURCE_DATE_EPOCH": "x"])
    epoch.expectLogLine(64, "error: SOURCE_DATE_EPOCH")
    let shrunk = try BuiltProgram.run(
      words.map { $0 == server.url("ok") ? Samples.hotWater : $0 } + ["--max-rejects", "1"])
    shrunk.expectLogLine(65, "error: normalize: ")
    let log = try Nightly.get(server.url("pings"))
    let told = try JSONDecoder().decode([[String]].self, from: Data(log.utf8))
    #expect(
      told.map { $0[1] } == [
        "/ping/start", "/ping/fail", "/ping/start", "/ping", "/ping/fail", "/ping/start",
        "/ping/fail",
      ])
    #expect(told[1][3] == String(rejected.errors.dropFirst(21)))
    #expect(told[4][3].hasPrefix("sluice: error: SOURCE_DATE_EPOCH"))
  }

  @Test func `a source that may be away for a while is no failure`() throws {
    let (night, url) = try watched("ping", asking: "flapping-404")
    // The first two answers of this kind are 404.
    for _ in 0..<2 { #expect(try night.run("--ping", url).code == 69) }
    try night.run("--ping", url).expectSilence()
    try night.folder.write("feed.json", "nonsense")
    let run = try night.run("--ping", url, "--stale-ok", "7d")
    run.expectLogLine(0, "warning: source: ")
    #expect(try told(to: night).map(\.target).suffix(2) == ["/ping/start", "/ping"])
  }

  @Test(arguments: ["404", "ping-404", "ping-500", "ping-reset", "ping-to-file", "nowhere"])
  func `a watcher that does not hear changes nothing`(path: String) throws {
    var (night, url) = try watched(path)
    if path == "nowhere" { url = "http://127.0.0.1:1/key" }
    url = url.replacing("://", with: "://me:secret@")
    try night.run("--ping", url).expectSilence()
    #expect(night.houses == 8)
    let verbose = try night.run("--ping", url, "-v")
    #expect(verbose.code == 0)
    let lines = verbose.errors.split(separator: "\n")
    #expect(lines.last?.contains("sluice: warning: could not ping: ") == true)
    for secret in ["secret", "me:", "/key", "/ping"] {
      #expect(!verbose.errors.contains(secret), "\(verbose.errors)")
    }
    try night.folder.write("feed.json", "nonsense")
    try night.run("--ping", url).expectLogLine(65, "error: source: ")
  }

  @Test func `the watcher's password is sent and the feed's lines are not`() throws {
    let (night, plain) = try watched("ping-moved")
    let url = plain.replacing("://", with: "://me:secret@")
    try night.run("--ping", url, "--header", "X-Key: feed").expectSilence()
    let told = try told(to: night)
    #expect(told.map(\.target) == ["/ping-moved/start", "/ping/start", "/ping-moved", "/ping"])
    #expect(told.allSatisfy { $0.authorization == "Basic bWU6c2VjcmV0" })
    let pings = try night.requests().filter { $0.contains("/ping") }
    #expect(pings.count >= 4 && !pings.contains { $0.contains("X-Key") })
  }

  @Test func `a run that finds another at work tells nothing`() throws {
    let (night, url) = try watched("ping", asking: "silent")
    let first = try BuiltProgram.start(
      [BuiltProgram.path] + night.words(["--ping", url]))
    for _ in 0..<100 {
      if try !told(to: night).isEmpty { break }
      usleep(5000)
    }
    try night.run("--ping", url).expectLogLine(75, "error: sync: another run")
    #expect(try told(to: night).map(\.target) == ["/ping/start"])
    first.send(SIGTERM)
    #expect(first.wait().signal == SIGTERM)
  }

  @Test(arguments: ["ftp://me:secret@h/x", "secret", "https://"])
  func `a URL that is none is refused and not shown`(url: String) throws {
    let (night, _) = try watched("ping")
    let run = try BuiltProgram.run(night.words(["--ping", url]))
    run.expectFailure(64, "--ping: \"***\" is not an http or https URL")
  }
}
