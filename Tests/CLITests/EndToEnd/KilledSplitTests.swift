import Foundation
import Testing

extension EndToEnd {
  /// Runs with five hundred files that are killed: each file is whole at any moment, and the next
  /// run completes or repeats what was begun.
  @Suite(.slow)
  struct KilledSplitTests {
    /// A job with a table, a calendar for each house and a list of them. The feed has changed since
    /// its files were made: some houses are new, some are gone, some have other days.
    private final class Job {
      let folder: Scratch
      private let isSync: Bool
      private(set) var old: [String: Data] = [:]
      private(set) var new: [String: Data] = [:]

      init(isSync: Bool) throws {
        self.isSync = isSync
        folder = try Scratch(in: Scratch.memory)
        _ = try folder.folder("live")
        try offer(isChanged: false)
        try BuiltProgram.run(words).expectSilence()
        old = files
        try offer(isChanged: true)
        try shell("cp -a live saved")
        try BuiltProgram.run(words).expectSilence()
        new = files
        #expect(old.count == 502 && old != new)
      }

      var words: [String] {
        (isSync
          ? ["sync", folder("live/feed.json"), "--state", folder("live/state"), "--max-age", "0"]
            + ["--today", "2020-06-01"]
          : ["convert", folder("live/feed.json")])
          + ["-o", folder("live/ics/{street}/{house}.ics"), "-o", folder("live/all.csv")]
          + ["--file-index", folder("live/index.ndjson")]
      }

      var state: String { folder("live/state") }

      private func offer(isChanged: Bool) throws {
        let records = (1...510).compactMap { number -> String? in
          if isChanged ? number % 50 == 3 : number > 500 { return nil }
          return SmallFeed.record(
            street: "\"Улица \(number % 3)\"", house: "\"\(number)\"",
            period: isChanged && number % 5 == 0
              ? "\"29.06.2020-12.07.2020\"" : "\"22.06.2020-05.07.2020\"")
        }
        try folder.write("live/feed.json", SmallFeed.list(records))
        folder.setTime("live/feed.json", isChanged ? 1_593_586_400 : 1_593_500_000)
      }

      func restore() throws { try shell("rm -rf live && cp -a saved live") }

      private func shell(_ script: String) throws {
        let run = try BuiltProgram.shell(script, "/bin/sh", in: folder.path)
        #expect(run.code == 0, "\(run.errors)")
      }

      /// The published files by their paths.
      var files: [String: Data] {
        let paths = (FileManager.default.subpaths(atPath: folder("live")) ?? []).filter {
          !$0.hasPrefix("state") && $0 != "feed.json" && !$0.contains(".sluice-tmp")
        }
        return paths.reduce(into: [:]) { files, path in
          files[path] = FileManager.default.contents(atPath: folder("live/\(path)"))
        }
      }

      /// Whether anything is left that is no published file.
      var hasLeftovers: Bool {
        (FileManager.default.subpaths(atPath: folder("live")) ?? []).contains {
          $0.contains(".sluice-tmp")
        }
      }

      /// Checks what a killed run has left, then that the next run makes it good.
      func expectHealed(_ place: String) throws {
        let standing = files
        for (path, content) in standing {
          #expect(
            content == old[path] || content == new[path], "\(place): \(path) is not whole")
        }
        // No file is missing that was there and stays.
        for path in Set(old.keys).intersection(new.keys) {
          #expect(standing[path] != nil, "\(place): \(path) is gone")
        }
        let next = try BuiltProgram.run(words)
        #expect(next.code == 0 && next.errors == "", "\(place): \(next.errors)")
        let healed = files
        #expect(Set(healed.keys) == Set(new.keys), "\(place)")
        for (path, content) in new where content != healed[path] {
          Issue.record("\(place): \(path) is not new")
        }
        #expect(!hasLeftovers, "\(place)")
      }
    }

    @Test(
      .enabled(
        if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"),
      arguments: [false, true])
    func `killed at twenty of its writes and renames`(isSync: Bool) throws {
      let job = try Job(isSync: isSync)
      try job.restore()
      let all = try SystemCalls.changes(of: job.words, state: job.state, in: job.folder)
      #expect(all.contains { $0.name == "syncfs" })
      // Those at the turns of the run, and some of the many between.
      let turns = all.indices.filter { index in
        ["syncfs", "mkdir", "mkdirat"].contains(all[index].name)
          || index + 1 < all.count && all[index].name != all[index + 1].name
      }.suffix(14)
      let spread = (1...8).map { $0 * all.count / 8 - 1 }
      for point in Set(turns).union(spread).sorted().map({ all[$0] }) {
        try job.restore()
        let run = try SystemCalls.run(job.words, point, "signal=SIGKILL")
        #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
        try job.expectHealed("\(point)")
      }
    }

    @Test(arguments: [false, true])
    func `killed at any moment`(isSync: Bool) throws {
      let job = try Job(isSync: isSync)
      try job.restore()
      let duration = try ContinuousClock().measure { _ = try BuiltProgram.run(job.words) }
      let longest = duration.components.attoseconds / 1_000_000_000_000
      var killed = 0
      var round = 0
      while killed < 20, round < 200 {
        round += 1
        try job.restore()
        let child = try BuiltProgram.start([BuiltProgram.path] + job.words)
        let delay = Int64.random(in: 0...max(longest, 1000))
        usleep(UInt32(delay))
        child.send(SIGKILL)
        if child.wait().signal == SIGKILL { killed += 1 }
        try job.expectHealed("after \(delay) µs")
      }
      #expect(killed >= 10)
    }

    @Test(
      .enabled(
        if: SystemCalls.canBeTraced, "strace cannot trace: signals at system calls are left out"))
    func `a signal leaves all old or all new, and nothing besides`() throws {
      let job = try Job(isSync: false)
      try job.restore()
      let all = try SystemCalls.changes(of: job.words, state: job.state, in: job.folder)
      for point in (1...15).map({ all[$0 * all.count / 15 - 1] }) {
        try job.restore()
        let run = try SystemCalls.run(job.words, point, "signal=SIGTERM")
        #expect(run.signal == SIGTERM, "\(point): \(run)")
        let files = job.files
        let isOld = job.old.allSatisfy { files[$0.key] == $0.value }
        let isNew = job.new.allSatisfy { files[$0.key] == $0.value }
        #expect(isOld || isNew, "\(point)")
        #expect(!job.hasLeftovers, "\(point)")
      }
    }

    @Test(
      .enabled(
        if: SystemCalls.canBeTraced, "strace cannot trace: failing calls are left out"),
      arguments: ["write", "syncfs", "openat"])
    func `a call that fails before the end leaves the old files`(name: String) throws {
      let job = try Job(isSync: false)
      try job.restore()
      let all = try SystemCalls.changes(of: job.words, state: job.state, in: job.folder)
        .filter { $0.name == name }
      guard let point = name == "syncfs" ? all.first : all.dropLast(4).last else {
        Issue.record("\(name) is not called")
        return
      }
      try job.restore()
      let run = try SystemCalls.run(job.words, point, "error=ENOSPC")
      #expect(run.code == 73 || run.code == 74, "\(point): \(run)")
      #expect(job.files == job.old && !job.hasLeftovers, "\(point)")
      try job.expectHealed("\(point)")
    }
  }
}
