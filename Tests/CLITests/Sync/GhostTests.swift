import Foundation
import Testing

/// What a killed run was about to publish counts as published only if it was.
@Suite(
  .needsProgram, .slow,
  .enabled(
    if: SystemCalls.canBeTraced, "strace cannot trace: kills at system calls are left out"))
struct GhostTests {
  /// A job with two calendars. Calendars are all that the ledger writes in it.
  private struct Job {
    let folder: Scratch
    let calendars = ["a.ics", "b.ics"]

    init() throws { folder = try Scratch(in: Scratch.memory) }

    func words(_ day: String) -> [String] {
      ["sync", folder("feed.json"), "--state", folder("state"), "--today", day]
        + calendars.flatMap { ["-o", folder($0)] } + ["-o", folder("t.csv")]
    }

    /// Puts twelve houses at the source, and one with this period if there is one.
    func offer(_ period: String?) throws {
      var records = (1...12).map { SmallFeed.record(house: "\"\($0)\"") }
      if let period { records.append(SmallFeed.record(house: "\"99\"", period: "\"\(period)\"")) }
      try folder.write("feed.json", SmallFeed.list(records))
    }

    /// The event of the thirteenth house: its status, SEQUENCE and first day; nil if there is none.
    func event(in calendar: String) -> String? {
      let events = folder.text(calendar).components(separatedBy: "BEGIN:VEVENT")
      return events.first { $0.contains("дом 99") }.map { event in
        ["STATUS:", "SEQUENCE:", "DTSTART;VALUE=DATE:"].compactMap { name in
          event.components(separatedBy: "\r\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
        }.joined(separator: " ")
      }
    }

    /// Runs the job, kills it at this call, and returns which calendars are new.
    func kill(_ day: String, at point: SystemCalls.Point) throws -> [Bool] {
      let before = calendars.map { folder.bytes($0) }
      let run = try SystemCalls.run(words(day), point, "signal=SIGKILL")
      #expect(run.signal == SIGKILL, "\(point) was not reached: \(run)")
      return zip(before, calendars).map { $0 != folder.bytes($1) }
    }

    func run(_ day: String) throws {
      let run = try BuiltProgram.run(words(day))
      #expect(run.code == 0 && run.errors == "", "\(run.errors)")
    }
  }

  /// The renames of a run, those of its two records included.
  private static let renames = (1...5).map { SystemCalls.Point(name: "renameat2", number: $0) }

  @Test func `an event that people have is cancelled, whatever a killed run had in mind`() throws {
    var seen: Set<Int> = []
    for point in Self.renames {
      let job = try Job()
      try job.offer("01.07.2020-14.07.2020")
      try job.run("2020-06-01")
      try job.offer("25.05.2020-03.06.2020")
      let isNew = try job.kill("2020-06-02", at: point)
      seen.insert(isNew.filter { $0 }.count)
      try job.offer(nil)
      try job.run("2020-06-05")
      for calendar in job.calendars {
        // Moved into the past, it has come to its end. Otherwise it is cancelled.
        let wanted = isNew.contains(true) ? nil : "CANCELLED 1 20200701"
        #expect(job.event(in: calendar) == wanted, "\(point), \(calendar)")
      }
    }
    #expect(seen == [0, 1, 2])
  }

  @Test func `an event that nobody saw is not cancelled, and no change is counted twice`() throws {
    for point in Self.renames {
      let job = try Job()
      try job.offer(nil)
      try job.run("2020-06-01")
      try job.offer("01.07.2020-14.07.2020")
      let isNew = try job.kill("2020-06-02", at: point).contains(true)
      try job.offer(nil)
      try job.run("2020-06-03")
      #expect(job.event(in: "a.ics") == (isNew ? "CANCELLED 1 20200701" : nil), "\(point)")

      let other = try Job()
      try other.offer("01.07.2020-14.07.2020")
      try other.run("2020-06-01")
      try other.offer("02.07.2020-15.07.2020")
      let isMoved = try other.kill("2020-06-02", at: point).contains(true)
      try other.offer("03.07.2020-16.07.2020")
      try other.run("2020-06-03")
      #expect(
        other.event(in: "a.ics") == "CONFIRMED \(isMoved ? 2 : 1) 20200703", "\(point)")
    }
  }

  @Test func `an error before the first output leaves nothing that was not published`() throws {
    let job = try Job()
    try job.offer("01.07.2020-14.07.2020")
    try job.run("2020-06-01")
    try job.offer("25.05.2020-03.06.2020")
    let run = try SystemCalls.run(
      job.words("2020-06-02"), SystemCalls.Point(name: "renameat2", number: 2), "error=EIO")
    #expect(run.code == 74, "\(run)")
    try job.offer(nil)
    try job.run("2020-06-05")
    #expect(job.event(in: "a.ics") == "CANCELLED 1 20200701")
  }
}
