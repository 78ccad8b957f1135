import Foundation
import Testing

/// Nightly runs that are killed, some five hundred of them by the release program: each output is
/// wholly old or wholly new, and after the next run ledger, outputs and record agree as though
/// nothing had happened.
@Suite(
  .enabled(if: BuiltProgram.isThere, "the program is not built"),
  .enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing: killed syncs are not tested"),
  .serialized)
struct KilledSyncTests {
  @Test(
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"),
    arguments: [false, true])
  func `killed at each of its own writes, renames and commits`(isFirstNight: Bool) throws {
    let night = try KilledNight(isFirstNight: isFirstNight)
    #expect(night.new.outputs != night.old.outputs && night.new.ledger != night.old.ledger)
    try night.restore()
    let all = try SystemCalls.changes(of: night.words, state: night.state, in: night.folder)
    let kinds = Set(all.map(\.name))
    #expect(all.count >= 80 && kinds.isSuperset(of: ["pwrite64", "fdatasync", "fsync", "openat"]))
    var isNew = (ledger: false, record: false)
    for point in Self.sample(of: all, BuiltProgram.isRelease ? 200 : 20) {
      try night.restore()
      let run = try SystemCalls.run(night.words, point, "signal=SIGKILL")
      #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
      let left = try night.expectWhole("\(point)")
      try night.expectHealed("\(point)", after: left)
      isNew.ledger = isNew.ledger || left.ledger == night.new.ledger
      isNew.record = isNew.record || left.record == night.new.record
    }
    if BuiltProgram.isRelease { #expect(isNew.ledger && isNew.record) }
  }

  @Test(
    .enabled(
      if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"),
    arguments: [false, true])
  func `what a killed run has published is known when the feed has moved on`(isFirstNight: Bool)
    throws
  {
    let night = try KilledNight(isFirstNight: isFirstNight)
    try night.restore()
    let before = night.events
    let all = try SystemCalls.changes(of: night.words, state: night.state, in: night.folder)
    var wasAhead = false
    for point in Self.sample(of: all, BuiltProgram.isRelease ? 60 : 8) {
      try night.restore()
      let run = try SystemCalls.run(night.words, point, "signal=SIGKILL")
      #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
      let left = try night.sight()
      if left.outputs == night.new.outputs, left.ledger == night.old.ledger { wasAhead = true }
      try night.expectAccounted("\(point)", after: left, before)
    }
    if BuiltProgram.isRelease { #expect(wasAhead, "no kill between outputs and ledger") }
  }

  /// Takes so many at even distances, the last one among them; all where there are no more.
  private static func sample<Element>(of all: [Element], _ count: Int) -> [Element] {
    guard all.count > count else { return all }
    return (1...count).map { all[$0 * all.count / count - 1] }
  }

  @Test func `killed at any moment, up to three times in a row`() throws {
    let night = try KilledNight()
    let wanted = BuiltProgram.isRelease ? 280 : 10
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
