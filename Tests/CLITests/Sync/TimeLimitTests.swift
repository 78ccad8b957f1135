import Foundation
import Testing

/// A run has an end: a time in which all answers must have arrived, and a size for all of them.
@Suite(.needsProgram, .slow) struct TimeLimitTests {
  @Test func `a server that never answers ends a run in time, and the files stay`() throws {
    let night = try Nightly(asking: "silent")
    try night.offer(8)
    try night.run(input: night.server?.url("ok")).expectSilence()
    let before = night.stamps
    let run = try night.run("--max-time", "1s")
    run.expectLogLine(69, "error: source: ", says: ["within 1 second", "--max-time"])
    #expect(night.stamps == before)
    let url = try #require(night.server?.url("silent"))
    let convert = try BuiltProgram.run(["convert", url, "--max-time", "1s"])
    convert.expectFailure(69, "source: the answers did not arrive within 1 second")
    // A body that comes a byte at a time is fast enough for nothing else.
    let drip = try #require(night.server?.url("drip"))
    try BuiltProgram.run(["convert", drip, "--max-time", "1s"]).expectFailure(69, "source: byte ")
  }

  @Test func `a wait that a server asks for does not go beyond the end of the run`() throws {
    let night = try Nightly(asking: "429-seconds")
    try night.offer(8)
    let run = try night.run("--max-time", "1s")
    #expect(run.code == 69 && run.errors.contains("429"), "\(run.errors)")
  }

  @Test func `pages that have come in time are kept, and the rest is asked for later`() throws {
    let pages = try Pages("requests: {at-once: 1, per-second: 1}")
    let run = try BuiltProgram.run(
      pages.words(["-o", pages.folder("a.csv"), "--max-time", "2s"]))
    run.expectFailure(69, "source: ")
    #expect(run.errors.contains("--max-time") && run.errors.contains("--resume"), "\(run.errors)")
    let kept = pages.kept
    #expect(!kept.isEmpty)
    try pages.server.reset()
    try BuiltProgram.run(
      pages.words(["-o", pages.folder("a.csv"), "--max-time", "0", "--resume"])
    ).expectSilence()
    let asked = try pages.asked()
    #expect(asked.allSatisfy { number in !kept.contains { $0.hasSuffix("0\(number)") } })
  }

  @Test func `all answers together have a size`() throws {
    let pages = try Pages("requests: {at-once: 1, per-second: 1000}")
    let words = pages.words(["-o", pages.folder("a.csv")])
    // Each page is smaller than that.
    let run = try BuiltProgram.run(words + ["--max-size", "5000"])
    run.expectFailure(69, "source: ")
    #expect(run.errors.contains("all answers together exceed"), "\(run.errors)")
    #expect(run.errors.contains("--max-size"))
    #expect(try pages.asked().count < 3)
    // What was kept counts too.
    let again = try BuiltProgram.run(words + ["--max-size", "5000", "--resume"])
    #expect(again.code == 69)
    try BuiltProgram.run(words + ["--max-size", "1M", "--resume"]).expectSilence()
  }
}
