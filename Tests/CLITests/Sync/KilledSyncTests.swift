import Foundation
import Testing

/// Nightly runs that are killed, some five hundred of them by the release program: each output is
/// wholly old or wholly new, and after the next run ledger, outputs and record agree as though
/// nothing had happened.
@Suite(
  .needsProgram,
  .enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing: killed syncs are not tested"),
  .slow)
struct KilledSyncTests {
  @Test(
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"),
    arguments: [false, true])
  func `killed at each of its own writes, renames and commits`(isFirstNight: Bool) async throws {
    let night = try KilledNight(isFirstNight: isFirstNight, in: Scratch.memory)
    #expect(night.new.outputs != night.old.outputs && night.new.ledger != night.old.ledger)
    try night.restore()
    let all = try SystemCalls.changes(of: night.words, state: night.state, in: night.folder)
    let kinds = Set(all.map(\.name))
    #expect(all.count >= 80 && kinds.isSuperset(of: ["pwrite64", "fdatasync", "fsync", "openat"]))
    let isNew = try await Self.inParts(Self.sample(of: all, BuiltProgram.isRelease ? 200 : 20)) {
      points in
      let night = try KilledNight(isFirstNight: isFirstNight, in: Scratch.memory)
      var isNew = (ledger: false, record: false)
      for point in points {
        try night.restore()
        let run = try SystemCalls.run(night.words, point, "signal=SIGKILL")
        #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
        let left = try night.expectWhole("\(point)")
        try night.expectHealed("\(point)", after: left)
        isNew.ledger = isNew.ledger || left.ledger == night.new.ledger
        isNew.record = isNew.record || left.record == night.new.record
      }
      return isNew
    }
    if BuiltProgram.isRelease {
      #expect(isNew.contains { $0.ledger } && isNew.contains { $0.record })
    }
  }

  @Test(
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"),
    arguments: [false, true])
  func `what a killed run has published is known when the feed has moved on`(isFirstNight: Bool)
    async throws
  {
    let night = try KilledNight(isFirstNight: isFirstNight, in: Scratch.memory)
    try night.restore()
    let all = try SystemCalls.changes(of: night.words, state: night.state, in: night.folder)
    let wasAhead = try await Self.inParts(Self.sample(of: all, BuiltProgram.isRelease ? 60 : 8)) {
      points in
      let night = try KilledNight(isFirstNight: isFirstNight, in: Scratch.memory)
      try night.restore()
      let before = night.events
      var wasAhead = false
      for point in points {
        try night.restore()
        let run = try SystemCalls.run(night.words, point, "signal=SIGKILL")
        #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
        let left = try night.sight()
        if left.outputs == night.new.outputs, left.ledger == night.old.ledger { wasAhead = true }
        try night.expectAccounted("\(point)", after: left, before)
      }
      return wasAhead
    }
    if BuiltProgram.isRelease {
      #expect(wasAhead.contains(true), "no kill between outputs and ledger")
    }
  }

  @Test(
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: full disks are left out"))
  func `where the disk is full, the outputs are old in nearly all cases, and the next run heals`()
    throws
  {
    let night = try KilledNight(in: Scratch.memory)
    try night.restore()
    let all = try SystemCalls.changes(of: night.words, state: night.state, in: night.folder)
    let writes = all.filter { $0.name == "pwrite64" }
    #expect(writes.count >= 20)
    var isNew = 0
    for point in writes {
      try night.restore()
      let run = try SystemCalls.run(night.words, point, "error=ENOSPC")
      guard run.code != 0 else { continue }
      #expect(run.code == 74, "\(point): \(run)")
      let left = try night.expectWhole("\(point)")
      if left.outputs != night.old.outputs { isNew += 1 }
      try night.expectHealed("\(point)", after: left)
    }
    // The last page of the transaction.
    #expect(isNew <= 2, "\(isNew) of \(writes.count) writes failed after the outputs")
  }

  /// Runs the body at the same time on parts of the points, each with points of the whole run, and
  /// returns what each has found.
  private static func inParts<Found: Sendable>(
    _ points: [SystemCalls.Point],
    _ body: @escaping @Sendable ([SystemCalls.Point]) throws -> Found
  ) async throws -> [Found] {
    let count = BuiltProgram.isRelease ? 4 : 1
    return try await withThrowingTaskGroup(of: Found.self) { group in
      for first in 0..<count {
        let part = stride(from: first, to: points.count, by: count).map { points[$0] }
        group.addTask { try body(part) }
      }
      var found: [Found] = []
      for try await part in group { found.append(part) }
      return found
    }
  }

  /// Takes so many at even distances, the last one among them; all where there are no more.
  private static func sample<Element>(of all: [Element], _ count: Int) -> [Element] {
    guard all.count > count else { return all }
    return (1...count).map { all[$0 * all.count / count - 1] }
  }

  @Test(arguments: 1...4)
  func `killed at any moment, up to three times in a row`(part: Int) throws {
    let night = try KilledNight(in: Scratch.memory)
    let wanted = BuiltProgram.isRelease ? 70 : 3
    let longest = night.duration.components.attoseconds / 1_000_000_000_000
    var killed = 0
    var started = 0
    while killed < wanted, started < 4 * wanted {
      try night.restore()
      var left: KilledNight.Sight?
      var delays: [Int64] = []
      for _ in 0..<Int.random(in: 1...3) {
        let child = try BuiltProgram.start([BuiltProgram.path] + night.words)
        delays.append(.random(in: 0...longest))
        usleep(UInt32(delays[delays.endIndex - 1]))
        child.send(SIGKILL)
        let run = child.wait()
        started += 1
        // One that ended in time leaves nothing to heal.
        guard run.signal == SIGKILL else {
          run.expectSilence()
          left = nil
          break
        }
        killed += 1
        left = try night.expectWhole("after \(delays) µs", after: left)
      }
      if let left { try night.expectHealed("after \(delays) µs", after: left) }
    }
    #expect(killed >= wanted, "\(killed) of \(started) runs were killed")
  }
}
