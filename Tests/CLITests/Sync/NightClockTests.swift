import Foundation
import Testing

/// Nights whose clock, validators, options or folder are not what they were.
@Suite(.needsProgram) struct NightClockTests {
  /// Changes the record of the only input.
  private func change(_ night: Nightly, _ expression: String) throws {
    let run = try BuiltProgram.shell(
      "sed -E -i '\(expression)' state/hot-water/*.json", in: night.folder.path)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `a clock that is a day behind the last run is refused, and tells which`() throws {
    let night = try Nightly()
    try night.offer(3)
    try night.run().expectSilence()
    let (stamps, kept) = (night.stamps, night.keptBytes)
    let now = Int(Date().timeIntervalSince1970)
    try night.offer(4)
    try change(night, "s/\"ran\":[0-9]+/\"ran\":\(now + 90_000)/")
    for _ in 0..<2 {
      let run = try night.run()
      run.expectLogLine(75, "error: sync: the clock shows ", says: ["the last run", "--accept"])
      #expect(night.stamps == stamps && night.keptBytes.count == kept.count)
    }
    try night.run("--accept").expectSilence()
    #expect(night.houses == 4)
    // From then on that run is the last one.
    try night.run().expectSilence()
    // A clock that was set by an hour is no reason.
    try change(night, "s/\"ran\":[0-9]+/\"ran\":\(now + 3_600)/")
    try night.run().expectSilence()
  }

  @Test func `content is requested whole once a week, however often it was confirmed`() throws {
    let night = try Nightly(asking: "etag")
    try night.offer(3)
    try night.run().expectSilence()
    try night.run().expectSilence()
    #expect(try night.requests().last?.contains("If-None-Match: ") == true)
    let now = Int(Date().timeIntervalSince1970)
    try change(night, "s/\"fetched\":[0-9]+/\"fetched\":\(now - 8 * 86_400)/")
    try night.run().expectSilence()
    #expect(try night.requests().last?.contains("If-None-Match: ") == false)
    // It came whole, so that it may be confirmed for another week.
    try night.run().expectSilence()
    #expect(try night.requests().last?.contains("If-None-Match: ") == true)
  }

  @Test func `a record that cannot be opened is a fault of the state, not of the source`() throws {
    let night = try Nightly()
    try night.offer(3)
    try night.run().expectSilence()
    let stamps = night.stamps
    let run = try BuiltProgram.shell(
      "for f in state/hot-water/*.json; do rm $f && mkdir $f; done", in: night.folder.path)
    #expect(run.code == 0)
    try night.run().expectLogLine(74, "error: sync: cannot read ", says: [".json"])
    #expect(night.stamps == stamps)
  }

  @Test func `with stale data, a table and a calendar follow the same options`() throws {
    let night = try Nightly()
    try night.offer(3)
    try night.run("--changes", night.folder("changes.ndjson")).expectSilence()
    let (whole, changes) = (night.outputs, night.folder.bytes("changes.ndjson"))
    try night.folder.write("feed.json", "no feed")
    let words = ["--stale-ok", "7d", "--changes", night.folder("changes.ndjson")]
    let run = try BuiltProgram.run(night.words(words + ["--where", "house=2"]))
    #expect(run.code == 0, "\(run.errors)")
    #expect(night.houses == 1)
    #expect(night.folder.text("c.ics").components(separatedBy: "BEGIN:VEVENT").count == 2)
    #expect(try BuiltProgram.run(night.words(words)).code == 0)
    #expect(night.outputs == whole)
    #expect(night.folder.bytes("changes.ndjson") == changes)
    // The ledger is as it was.
    try night.offer(3)
    try night.run().expectSilence()
    #expect(night.outputs == whole)
  }

  @Test(
    .enabled(if: SystemCalls.canBeTraced, "strace cannot trace: killed runs are left out"))
  func `leftovers of a killed run go even if the next run fails early`() throws {
    let night = try Nightly(in: Scratch.memory)
    try night.offer(3)
    try night.run().expectSilence()
    try night.offer(4)
    let point = SystemCalls.Point(name: "renameat2", number: 2)
    let killed = try SystemCalls.run(night.words(), point, "signal=SIGKILL")
    #expect(killed.signal == SIGKILL && !night.folder.temporaries.isEmpty)
    let run = try BuiltProgram.shell(
      "for f in state/hot-water/*.events/ledger.sqlite; do echo hello > $f; done",
      in: night.folder.path)
    #expect(run.code == 0)
    #expect(try night.run().code == 74)
    #expect(night.folder.temporaries == [])
  }

  @Test func `a state folder that others may write to is refused with the line to type`() throws {
    let night = try Nightly()
    try night.offer(3)
    try night.run().expectSilence()
    let stamps = night.stamps
    for (folder, mode) in [("state", mode_t(0o770)), ("state/hot-water", 0o702)] {
      #expect(chmod(night.folder(folder), mode) == 0)
      let run = try night.run()
      let path = night.folder(folder)
      run.expectLogLine(
        73, "error: sync: other users may write to the folder", says: ["chmod go-w \"\(path)\""])
      #expect(night.stamps == stamps)
      #expect(try night.status().contains("hot-water"))
      let mended = try BuiltProgram.shell("chmod go-w \"\(path)\"")
      #expect(mended.code == 0)
      try night.run().expectSilence()
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give folders away: left out"))
  func `a state folder of another user is refused, and status reads it`() throws {
    let night = try Nightly()
    try night.offer(3)
    try night.run().expectSilence()
    for folder in ["state", "state/hot-water"] {
      #expect(chown(night.folder(folder), 65_534, 65_534) == 0)
      let run = try night.run()
      run.expectLogLine(73, "error: sync: the folder", says: ["another user", "--state"])
      #expect(try night.status().contains("hot-water"))
      #expect(chown(night.folder(folder), 0, 0) == 0)
    }
    try night.run().expectSilence()
  }
}
