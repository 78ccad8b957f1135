import Foundation
import Testing

/// What `sync` asks of a server, and when.
@Suite(.needsProgram)
struct FetchingTests {
  @Test func `a good run says nothing and keeps what it has read`() throws {
    let night = try Nightly(asking: "ok")
    try night.offer(8)
    try night.run().expectSilence()
    #expect(night.houses == 8)
    #expect(night.kept == ["KEY.a", "KEY.json", "lock"])
    #expect(night.keptBytes.values.contains(Data(night.folder.bytes("feed.json")?.array ?? [])))
    for name in ["state", "state/hot-water"] {
      #expect((night.folder.status(name)?.st_mode ?? 0) & 0o7777 == 0o700)
    }
  }

  @Test func `it gives what convert gives`() throws {
    let night = try Nightly(asking: "modified")
    try night.folder.write("feed.json", SmallFeed.list([SmallFeed.record()]))
    try night.run().expectSilence()
    let (server, other) = (try #require(night.server), try Scratch())
    _ = try BuiltProgram.run(
      ["convert", server.url("modified")] + Nightly.names.flatMap { ["-o", other($0)] })
    #expect(Nightly.names.map { other.bytes($0) } == night.outputs)
    #expect(night.folder.text("c.ics").contains("DTSTAMP:20200625T181310Z"))
    // From the copy too.
    let offline = try BuiltProgram.run(
      ["convert", server.url("modified"), "--offline", "--state", night.state, "--format", "ics"])
    #expect(offline.bytes == night.outputs[2])
  }

  @Test func `within the time to live nothing is asked, and options take effect`() throws {
    let night = try Nightly(asking: "ok")
    try night.offer(8)
    try night.run().expectSilence()
    let stamps = night.stamps
    try night.offer(9)
    try night.run("--max-age", "3h").expectSilence()
    #expect(night.stamps == stamps)
    #expect(try night.requests().count == 1)
    #expect(try night.status().contains("nothing new"))
    // Hot water's own time is three hours.
    let words = night.words().filter { $0 != "--max-age" }
    try BuiltProgram.run(words + ["--where", "house=3"]).expectSilence()
    #expect(try night.requests().count == 1)
    #expect(night.houses == 1)
    try night.run("--max-age", "0s").expectSilence()
    #expect(try night.requests().count == 2)
    #expect(night.houses == 9)
  }

  @Test(arguments: ["etag", "since", "redirect-to-etag"])
  func `a 304 leaves bytes and times alone`(path: String) throws {
    let night = try Nightly(asking: path)
    try night.offer(8)
    night.folder.setTime("feed.json", 1_593_108_790)
    try night.run().expectSilence()
    let stamps = night.stamps
    let copies = night.copies
    for _ in 0..<2 {
      try night.run().expectSilence()
      #expect(night.stamps == stamps)
      #expect(night.copies == copies)
    }
    let requests = try night.requests().filter { !$0.hasPrefix("GET /redirect") }
    #expect(requests.count == 3)
    #expect(!requests[0].contains("\r\nIf-"))
    #expect(
      requests[2].contains(path == "since" ? "\r\nIf-Modified-Since: " : "\r\nIf-None-Match: "))
    // And new content is seen.
    try night.offer(9)
    try night.run().expectSilence()
    #expect(night.houses == 9)
    #expect(night.kept == ["KEY.b", "KEY.json", "lock"])
  }

  @Test func `without validators the payload tells what is new`() throws {
    let night = try Nightly(asking: "ok")
    try night.offer(8)
    try night.run().expectSilence()
    let stamps = night.stamps
    // Another envelope around the same payload.
    try night.folder.write("feed.json", " " + night.folder.text("feed.json"))
    try night.run().expectSilence()
    #expect(night.stamps == stamps)
    #expect(try night.status().contains("nothing new"))
    try night.offer(9)
    try night.run().expectSilence()
    #expect(try night.status().contains("new data published"))
  }

  @Test(arguments: ["flapping-503", "flapping-429", "flapping-short", "flapping-garbage"])
  func `a server that comes back is waited for`(path: String) throws {
    let night = try Nightly(asking: path)
    try night.offer(8)
    try night.run().expectSilence()
    #expect(night.houses == 8)
    #expect(
      try night.requests().count == (["flapping-503", "flapping-short"].contains(path) ? 3 : 2))
  }

  @Test func `what will not pass is not tried again`() throws {
    let night = try Nightly(asking: "404")
    try night.offer(8)
    try night.run().expectLogLine(69, "error: source: ", says: ["404"])
    #expect(try night.requests().count == 1)
    try night.run(input: night.server?.url("503-much-later"))
      .expectLogLine(69, "error: source: ", says: ["3600 seconds"])
    #expect(try night.requests().count == 2)
  }

  @Test func `header lines are sent, and their names are judged`() throws {
    let night = try Nightly(asking: "ok")
    try night.offer(8)
    try night.run("--header", "X-Key: a b", "--header", "User-Agent:me").expectSilence()
    let request = try night.requests()[0]
    #expect(request.contains("\r\nX-Key: a b") && request.contains("\r\nUser-Agent: me"))
    #expect(!request.contains("sluice/"))
    let url = try #require(night.server).url("echo")
    let run = try BuiltProgram.run(["convert", url, "--header", "X-Key: 1"])
    #expect(run.errors.contains("GET /echo"))
    #expect(try BuiltProgram.run(["convert", url, "--header", "Range: bytes=1-"]).code == 64)
  }

  @Test func `outputs that cannot be made are told before anything is asked`() throws {
    let night = try Nightly(asking: "ok")
    try night.offer(8)
    try night.run("-o", night.folder("nowhere/x.csv")).expectLogLine(73, "error: sink: ")
    #expect(try night.requests().isEmpty)
  }
}
