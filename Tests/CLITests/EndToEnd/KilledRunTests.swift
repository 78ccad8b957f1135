import Foundation
import Testing

extension EndToEnd {
  /// Runs that are killed: each output is wholly old or wholly new, and the next run sweeps.
  @Suite(.slow)
  struct KilledRunTests {
    private static let names = OldOutputs.names

    private static func words(_ input: String, _ folder: Scratch) -> [String] {
      ["convert", input, "--allow-rejects", "-q"] + names.flatMap { ["-o", folder($0)] }
    }

    private static func expected(_ input: String) throws -> [Bytes?] {
      let folder = try Scratch(in: Scratch.memory)
      #expect(try BuiltProgram.run(words(input, folder)).code == 0)
      return names.map { folder.bytes($0) }
    }

    /// Checks what a killed run has left, then that the next run makes it good.
    private func expectWhole(
      _ folder: Scratch, _ input: String, hadOutputs: Bool, _ new: [Bytes?], _ place: String
    ) throws {
      for (name, new) in zip(Self.names, new) {
        let old = hadOutputs ? OldOutputs.content(name) : nil
        let now = folder.bytes(name)
        #expect(now == old || now == new, "\(place): \(name) is neither old nor new")
      }
      let next = try BuiltProgram.run(Self.words(input, folder))
      #expect(next.code == 0 && next.errors == "", "\(place): \(next.errors)")
      #expect(Self.names.map { folder.bytes($0) } == new, "\(place)")
      #expect(folder.names == Self.names, "\(place): \(folder.names)")
    }

    @Test(
      .enabled(
        if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"),
      arguments: [true, false])
    func `killed at any system call`(hadOutputs: Bool) throws {
      let input = Samples.hotWater
      let new = try Self.expected(input)
      let counted = try Scratch(in: Scratch.memory)
      if hadOutputs { _ = try OldOutputs(in: counted) }
      let points = try SystemCalls.points(of: Self.words(input, counted), in: counted)
      #expect(points.count >= 50)
      for point in points {
        let folder = try Scratch(in: Scratch.memory)
        if hadOutputs { _ = try OldOutputs(in: folder) }
        let run = try SystemCalls.run(Self.words(input, folder), point, "signal=SIGKILL")
        #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
        try expectWhole(folder, input, hadOutputs: hadOutputs, new, "\(point)")
      }
    }

    @Test(arguments: [true, false])
    func `killed at any moment`(hadOutputs: Bool) throws {
      let new = try Self.expected(Samples.full)
      var random = SystemRandomNumberGenerator()
      var killed = 0
      var round = 0
      // How fast the machine is nobody knows: as many rounds as it takes to hit some runs.
      while round < 50 || (killed < 6 && round < 500) {
        round += 1
        let folder = try Scratch(in: Scratch.memory)
        if hadOutputs { _ = try OldOutputs(in: folder) }
        let child = try BuiltProgram.start([BuiltProgram.path] + Self.words(Samples.full, folder))
        let delay = UInt32.random(in: 0...(round % 3 == 0 ? 20_000 : 120_000), using: &random)
        usleep(delay)
        child.send(SIGKILL)
        let run = child.wait()
        if run.signal == SIGKILL { killed += 1 } else { #expect(run.code == 0) }
        try expectWhole(folder, Samples.full, hadOutputs: hadOutputs, new, "after \(delay) µs")
      }
      #expect(killed > 5)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal at any moment removes what is half done, then ends the run`(signal: Int32) throws
    {
      let new = try Self.expected(Samples.full)
      var ended = 0
      var round = 0
      // How fast the machine is nobody knows: as many rounds as it takes to hit some runs.
      while round < 30 || (ended < 4 && round < 300) {
        round += 1
        let folder = try Scratch(in: Scratch.memory)
        let old = round % 2 == 0 ? try OldOutputs(in: folder) : nil
        let child = try BuiltProgram.start([BuiltProgram.path] + Self.words(Samples.full, folder))
        let delay = UInt32.random(in: 0...(round % 3 == 0 ? 20_000 : 120_000))
        usleep(delay)
        child.send(signal)
        let run = child.wait()
        #expect(run.errors == "")
        #expect(folder.temporaries == [], "after \(delay) µs")
        let now = Self.names.map { folder.bytes($0) }
        if run.signal == signal {
          ended += 1
          let before = Self.names.map { old == nil ? nil : OldOutputs.content($0) }
          #expect(now == before || now == new, "after \(delay) µs")
        } else {
          #expect(
            run.code == 0 && now == new, "after \(delay) µs: \(run.code), signal \(run.signal)")
        }
      }
      #expect(ended > 3)
    }

    @Test(
      .enabled(
        if: SystemCalls.canBeTraced, "strace cannot trace: signals at system calls are left out"),
      arguments: [true, false])
    func `a signal at any system call leaves all old or all new`(hadOutputs: Bool) throws {
      let input = Samples.hotWater
      let new = try Self.expected(input)
      let before = Self.names.map { hadOutputs ? OldOutputs.content($0) : nil }
      let counted = try Scratch(in: Scratch.memory)
      if hadOutputs { _ = try OldOutputs(in: counted) }
      let points = try SystemCalls.points(of: Self.words(input, counted), in: counted)
      #expect(points.count >= 50)
      for (index, point) in points.enumerated() {
        let folder = try Scratch(in: Scratch.memory)
        if hadOutputs { _ = try OldOutputs(in: folder) }
        let signal = ["SIGTERM", "SIGINT", "SIGHUP"][index % 3]
        let run = try SystemCalls.run(Self.words(input, folder), point, "signal=\(signal)")
        let now = Self.names.map { folder.bytes($0) }
        #expect([SIGTERM, SIGINT, SIGHUP].contains(run.signal), "\(point): \(run)")
        #expect(now == before || now == new, "\(point)")
        #expect(folder.temporaries == [], "\(point): \(folder.names)")
      }
    }

    @Test func `a run started with nohup goes on`() throws {
      let folder = try Scratch(in: Scratch.memory)
      let fifo = try folder.pipe("feed")
      let child = try BuiltProgram.start(
        [
          "bash", "-c",
          "trap '' HUP; exec sluice convert '\(fifo)' --feed bonds -o '\(folder("a.csv"))'",
        ])
      let writer = try BuiltProgram.start(
        ["bash", "-c", "exec 3> '\(fifo)'; sleep 0.2; cat '\(Samples.bonds)' >&3"])
      usleep(100_000)
      child.send(SIGHUP)
      #expect(writer.wait().code == 0)
      child.wait().expectSilence()
      #expect(folder.text("a.csv").hasPrefix("isin,"))
    }
  }
}
