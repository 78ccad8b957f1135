import Foundation
import Testing

/// Sources that cannot be used, and the copy that stands in for them.
@Suite(.needsProgram)
struct LastGoodTests {
  /// A job that has run once, over a server whose feed can be changed.
  private func afterOneNight() throws -> Nightly {
    let night = try Nightly(asking: "ok")
    try night.offer(8)
    try night.run().expectSilence()
    return night
  }

  @Test(arguments: ["<html>", "", "{\"status\":\"result\"", "[{\"x\":1}]"])
  func `nonsense leaves all as it was`(nonsense: String) throws {
    let night = try afterOneNight()
    let (stamps, outputs) = (night.stamps, night.outputs)
    try night.folder.write("feed.json", nonsense)
    let run = try night.run()
    #expect(run.code == 65, "\(run.errors)")
    #expect(night.stamps == stamps && night.outputs == outputs)
    #expect(night.kept == ["KEY.a", "KEY.json", "lock"])
    #expect(try night.status().contains("the source sent broken data"))
    // The copy stands in for a while, and says so.
    try night.run("--stale-ok", "7d")
      .expectLogLine(0, "warning: ", says: ["the published files are unchanged (as of "])
    try night.run("--stale-ok", "7d", "-q").expectSilence()
    #expect(night.stamps == stamps)
    // And the next good night is a good night.
    try night.offer(9)
    try night.run().expectSilence()
    #expect(night.houses == 9)
  }

  @Test func `a server that is away is an error, or put up with for a while`() throws {
    let night = try Nightly()
    try night.offer(8)
    let closed = "http://127.0.0.1:9/feed"
    let first = try night.run("--stale-ok", "7d", input: closed)
    first.expectLogLine(69, "error: source: ")
    #expect(night.outputs == [nil, nil, nil])
    #expect(try night.status().contains("last good copy: none"))
    // A copy from before: the record of the URL is made from that of a file.
    try night.run(input: night.folder("feed.json")).expectSilence()
    let stamps = night.stamps
    let names = night.keptBytes.keys.sorted()
    let url = try #require(
      names.first { name in
        String(decoding: night.keptBytes[name] ?? Data(), as: UTF8.self).contains(closed)
      }
    ).dropLast(".json".count)
    let file = try #require(names.first { $0.hasSuffix(".a") }).dropLast(2)
    func age(_ seconds: Int) throws {
      let record = String(decoding: night.keptBytes["\(file).json"] ?? Data(), as: UTF8.self)
      let time = Int(Date().timeIntervalSince1970) - seconds
      try night.folder.write(
        "state/hot-water/\(url).json",
        record.replacing(/"confirmed":\d+/, with: "\"confirmed\":\(time)"))
      try night.folder.write("state/hot-water/\(url).a", night.keptBytes["\(file).a"] ?? Data())
    }
    _ = try BuiltProgram.shell(
      "rm -r \(url).events && cp -a \(file).events \(url).events", in: "\(night.state)/hot-water")
    try age(7 * 86_400 - 600)
    try night.run("--stale-ok", "7d", input: closed).expectLogLine(0, "warning: source: ")
    try night.run("--stale-ok", "6d", input: closed).expectLogLine(69, "error: source: ")
    try night.run(input: closed).expectLogLine(69, "error: source: ")
    try age(7 * 86_400 + 600)
    try night.run("--stale-ok", "7d", input: closed).expectLogLine(69, "error: source: ")
    #expect(night.stamps == stamps)
    // What is asked for is made of the copy all the same.
    try age(60)
    let more = try night.run("--stale-ok", "1h", "-q", "-o", night.folder("d.csv"), input: closed)
    more.expectSilence()
    #expect(night.folder.bytes("d.csv") == night.outputs[0])
  }

  @Test func `convert can do without the source`() throws {
    let night = try afterOneNight()
    let url = try #require(night.server).url("ok")
    let words = ["convert", url, "--offline", "--state", night.state]
    #expect(try BuiltProgram.run(words).bytes == night.outputs[0])
    #expect(try night.requests().count == 1)
    for other in [["convert", "x.json"], ["convert"]] {
      let run = try BuiltProgram.run(other + words.dropFirst(2))
      run.expectFailure(66, "sync: there is no last good copy of ")
    }
    let empty = try BuiltProgram.run(
      ["convert", "--offline", url], environment: ["HOME": night.folder.path])
    empty.expectFailure(66, "sync: there is no last good copy of ")
    try BuiltProgram.run(["convert", "--offline"]).expectFailure(64, "neither XDG_STATE_HOME nor")
  }

  @Test func `a copy that was damaged is fetched anew, whatever time and server say`() throws {
    let night = try Nightly(asking: "etag")
    try night.offer(8)
    try night.run().expectSilence()
    let outputs = night.outputs
    let copy = try #require(night.keptBytes.first { $0.key.hasSuffix(".a") })
    try night.folder.write("state/hot-water/\(copy.key)", copy.value.dropLast())
    try night.run("--max-age", "3h").expectSilence()
    #expect(night.outputs == outputs)
    #expect(try night.requests().count == 2)
    #expect(try night.requests()[1].contains("If-None-Match") == false)
    #expect(night.keptBytes.first { $0.key.hasSuffix(".b") }?.value == copy.value)
  }

  @Test func `a copy or a record that was lost is made good or told`() throws {
    let night = try afterOneNight()
    let outputs = night.outputs
    unlink("\(night.state)/hot-water/" + (night.keptBytes.keys.first { $0.hasSuffix(".a") } ?? ""))
    try night.run("--max-age", "3h").expectSilence()
    #expect(night.outputs == outputs)
    #expect(night.kept == ["KEY.b", "KEY.json", "lock"])
    let record = night.keptBytes.keys.first { $0.hasSuffix(".json") } ?? ""
    try night.folder.write("state/hot-water/\(record)", "{")
    try night.run().expectLogLine(74, "error: sync: ", says: [record])
    #expect(try BuiltProgram.run(["status", "--state", night.state]).code == 74)
    #expect(night.outputs == outputs)
  }
}
