import Foundation
import Testing

/// Runs that meet, runs that are killed, and what jobs say.
@Suite(.needsProgram, .slow)
struct RunningTests {
  @Test func `the second of two runs ends at once and names the first`() throws {
    let night = try Nightly(asking: "silent")
    try night.offer(8)
    let first = try BuiltProgram.start([BuiltProgram.path] + night.words())
    for _ in 0..<400 where night.folder.text("state/hot-water/lock").isEmpty { usleep(5000) }
    let second = try night.run()
    second.expectLogLine(75, "error: sync: another run (process \(first.pid))")
    // Another feed has another lock, and looking takes none.
    _ = try night.status()
    first.send(SIGTERM)
    #expect(first.wait().signal == SIGTERM)
    #expect(night.kept == ["lock"])
    try night.run(input: night.server?.url("ok")).expectSilence()
    #expect(night.houses == 8)
  }

  @Test(
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"),
    arguments: [true, false])
  func `killed at any system call`(isFirstNight: Bool) throws {
    func prepared() throws -> Nightly {
      let night = try Nightly(in: Scratch.memory)
      try night.offer(8)
      if !isFirstNight { try night.run().expectSilence() }
      try night.offer(9)
      return night
    }
    let reference = try prepared()
    let old = reference.outputs
    let points = try SystemCalls.points(of: reference.words(), in: reference.folder)
    let new = reference.outputs
    #expect(points.count >= 50 && new != old)
    for point in points {
      let night = try prepared()
      let run = try SystemCalls.run(night.words(), point, "signal=SIGKILL")
      #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
      for (now, (old, new)) in zip(night.outputs, zip(old, new)) {
        #expect(now == old || now == new, "\(point)")
      }
      // The state can be read, and what it names is whole.
      let status = try BuiltProgram.run(["status", "--state", night.state])
      #expect(status.code == 0, "\(point): \(status.errors)")
      let copy = try BuiltProgram.run(
        ["convert", night.folder("feed.json"), "--offline", "--state", night.state])
      if isFirstNight, copy.code == 66 {
        #expect(copy.bytes.count == 0)
      } else {
        #expect(copy.bytes == old[0] || copy.bytes == new[0], "\(point): \(copy.errors)")
      }
      // The next run heals.
      try night.run().expectSilence()
      #expect(night.outputs == new, "\(point)")
      #expect(night.kept.count == 3, "\(point): \(night.kept)")
      #expect(night.folder.temporaries == [], "\(point)")
      #expect(try night.status().contains("records: 9 "), "\(point)")
    }
  }

  @Test(
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"))
  func `what was blessed and then killed needs no second blessing, and nothing goes back`() throws {
    func prepared() throws -> Nightly {
      let night = try Nightly(asking: "etag")
      try night.offer(8)
      try night.run().expectSilence()
      try night.offer(2)
      return night
    }
    let more = ["--accept", "--max-age", "0"]
    let reference = try prepared()
    let old = reference.outputs
    let points = try SystemCalls.points(of: reference.words(more), in: reference.folder)
    let new = reference.outputs
    var healed = 0
    for point in points where point.name.hasPrefix("rename") || point.name == "unlinkat" {
      let night = try prepared()
      let run = try SystemCalls.run(night.words(more), point, "signal=SIGKILL")
      #expect(run.signal == SIGKILL)
      let left = night.outputs
      // Neither an age nor a copy brings the old data back.
      if left != old {
        let away = try night.run("--max-age", "3h", "--stale-ok", "7d")
        #expect(away.code == 0 && night.outputs == new, "\(point): \(away.errors)")
        healed += 1
      } else {
        let next = try night.run()
        #expect(next.code == 0 && night.outputs == new || next.code == 75 && night.outputs == old)
      }
    }
    #expect(healed > 3)
  }

  @Test func `lines are stamped unless the journal does it`() throws {
    let night = try Nightly()
    try night.run().expectLogLine(66, "error: source: there is no file ")
    let journal = try BuiltProgram.shell(
      """
      exec 2> errors
      export JOURNAL_STREAM=$(stat -L -c %d:%i /dev/fd/2)
      sluice sync nowhere.json -o a.csv --state state
      cat errors
      """, in: night.folder.path)
    #expect(journal.output.hasPrefix("sluice: error: source: "), "\(journal.output)")
    let other = try night.run(environment: ["JOURNAL_STREAM": "8:1234567"])
    other.expectLogLine(66, "error: ")
    let russian = try night.run(environment: ["LANG": "ru_RU.UTF-8"])
    russian.expectLogLine(66, "error: source: нет файла ")
  }

  @Test func `state goes where the system keeps it, or where one says`() throws {
    let night = try Nightly()
    try night.offer(8)
    let words = ["sync", night.folder("feed.json"), "-o", night.folder("a.csv")]
    for (environment, state) in [
      (["HOME": night.folder("h")], "h/.local/state/sluice"),
      (["HOME": "/x", "XDG_STATE_HOME": night.folder("x")], "x/sluice"),
      (["HOME": night.folder("i"), "XDG_STATE_HOME": "relative"], "i/.local/state/sluice"),
    ] {
      try BuiltProgram.run(words, environment: environment).expectSilence()
      #expect(night.folder.status("\(state)/hot-water/lock") != nil, "\(state)")
      let status = try BuiltProgram.run(["status"], environment: environment)
      #expect(status.output.contains("input: \(night.folder("feed.json"))\n"))
    }
    try BuiltProgram.run(words).expectLogLine(64, "error: neither XDG_STATE_HOME nor HOME")
    let file = try BuiltProgram.run(words + ["--state", night.folder("feed.json")])
    file.expectLogLine(73, "error: sync: ")
    let none = try BuiltProgram.run(["status", "--state", night.folder("none")])
    #expect(none.output.hasPrefix("no run is recorded in ") && none.code == 0)
  }

  @Test func `rejected records are told as convert tells them`() throws {
    let folder = try Scratch()
    let words = ["sync", Samples.hotWater, "-o", folder("a.csv"), "--state", folder("s")]
    try BuiltProgram.run(words).expectLogLine(3, "warning: 3 of 43 records rejected")
    try BuiltProgram.run(words + ["--allow-rejects"]).expectSilence()
    let pipe = try BuiltProgram.run(
      ["sync", "-", "-o", folder("a.csv"), "--state", folder("s"), "--allow-rejects"],
      reading: .bytes(Array(try Data(contentsOf: URL(fileURLWithPath: Samples.hotWater)))))
    pipe.expectSilence()
    let status = try BuiltProgram.run(["status", "--state", folder("s")]).output
    #expect(status.contains("input: -\n"))
    #expect(status.contains("records: 43 (kept 38, filtered 0, skipped 2, rejected 3), rows 42"))
  }
}
