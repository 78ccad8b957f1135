import Foundation
import Testing

/// A calendar that stands is read before it is replaced: a ledger that does not know its events
/// never gives their UIDs to others.
@Suite(.needsProgram) struct TakeoverTests {
  /// A job with one calendar.
  private struct Job {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Puts a feed with these houses and periods at the source.
    func offer(_ houses: [(house: String, period: String)], as name: String = "feed.json") throws {
      let records = houses.map { house in
        SmallFeed.record(house: "\"\(house.house)\"", period: "\"\(house.period)\"")
      }
      try folder.write(name, SmallFeed.list(records))
    }

    func run(_ more: String..., input: String = "feed.json") throws -> Run {
      try BuiltProgram.run(
        ["sync", folder(input), "--state", folder("state"), "-o", folder("o.ics")]
          + ["--today", "2020-06-01"] + more)
    }

    func succeed(_ more: String...) throws {
      let run = try BuiltProgram.run(
        ["sync", folder("feed.json"), "--state", folder("state"), "-o", folder("o.ics")]
          + ["--today", "2020-06-01"] + more)
      #expect(run.code == 0 && run.errors == "", "\(run.errors)")
    }

    func shell(_ script: String) throws {
      let run = try BuiltProgram.shell(script, in: folder.path)
      #expect(run.code == 0, "\(run.errors)")
    }

    /// The events of a calendar, sorted: number, first day, SEQUENCE and status.
    func events(_ name: String = "o.ics") -> [String] {
      folder.text(name).components(separatedBy: "BEGIN:VEVENT").dropFirst().map { event in
        let lines = event.components(separatedBy: "\r\n")
        func value(_ start: String) -> Substring {
          lines.first { $0.hasPrefix(start) }?.dropFirst(start.count) ?? "-"
        }
        let uid = value("UID:").prefix { $0 != "@" }.drop { $0 != "-" }.dropFirst()
        let day = value("DTSTART;VALUE=DATE:")
        return "\(uid) \(day) \(value("SEQUENCE:")) \(value("STATUS:"))"
      }.sorted()
    }

    /// Publishes an event that is moved twice and cancelled, and another of the same house.
    func publishSeason() throws {
      for period in ["01.07.2020-14.07.2020", "02.07.2020-15.07.2020", "03.07.2020-16.07.2020"] {
        try offer([("1", period)])
        try succeed()
      }
      try offer([("2", "01.08.2020-14.08.2020")])
      try succeed("--accept")
      try offer([("2", "01.08.2020-14.08.2020"), ("1", "01.09.2020-14.09.2020")])
      try succeed()
      #expect(
        events() == [
          "2020-1 20200703 3 CANCELLED", "2020-1 20200801 0 CONFIRMED",
          "2020-2 20200901 0 CONFIRMED",
        ])
    }
  }

  @Test func `where the state is lost, events keep their UIDs and numbers`() throws {
    let job = try Job()
    try job.publishSeason()
    let before = (bytes: job.folder.bytes("o.ics"), events: job.events())
    try job.shell("rm -r state")
    for _ in 0..<2 {
      let run = try job.run()
      run.expectLogLine(
        75, "error: sync: ", says: ["o.ics", "3 events that the ledger does not know", "--accept"])
      #expect(job.folder.bytes("o.ics") == before.bytes)
    }
    try job.succeed("--accept")
    #expect(job.events() == before.events)
    try job.succeed()
    #expect(job.events() == before.events)
    // The next event has the next number.
    try job.offer([
      ("2", "01.08.2020-14.08.2020"), ("1", "01.09.2020-14.09.2020"),
      ("1", "01.12.2020-14.12.2020"),
    ])
    try job.succeed()
    #expect(job.events().contains("2020-3 20201201 0 CONFIRMED"))
  }

  @Test func `an older copy of the state does not give numbers out twice`() throws {
    let job = try Job()
    try job.publishSeason()
    try job.shell("cp -a state copy")
    let known = [("2", "01.08.2020-14.08.2020"), ("1", "01.09.2020-14.09.2020")]
    try job.offer(known + [("1", "01.10.2020-14.10.2020")])
    try job.succeed()
    try job.shell("rm -r state; cp -a copy state")
    try job.offer(known + [("1", "01.12.2020-14.12.2020")])
    let run = try job.run()
    run.expectLogLine(
      75, "error: sync: ", says: ["1 event that the ledger does not know", "-2020-3@hot-water"])
    try job.succeed("--accept")
    // It was moved, so it keeps its UID.
    #expect(job.events().contains("2020-3 20201201 1 CONFIRMED"))

    // An event that was moved since the copy was made.
    try job.shell("rm -r state; cp -a copy state; rm o.ics")
    try job.offer([("2", "02.08.2020-15.08.2020"), ("1", "01.09.2020-14.09.2020")])
    try job.succeed()
    try job.shell("rm -r state; cp -a copy state")
    try job.offer([("2", "03.08.2020-16.08.2020"), ("1", "01.09.2020-14.09.2020")])
    #expect(try job.run().code == 75)
    try job.succeed("--accept")
    #expect(job.events().contains("2020-1 20200803 2 CONFIRMED"))
  }

  @Test func `two inputs cannot write one calendar in turns`() throws {
    let job = try Job()
    try job.publishSeason()
    try job.offer([("7", "01.08.2020-14.08.2020")], as: "other.json")
    let before = job.folder.bytes("o.ics")
    #expect(try job.run(input: "other.json").code == 75)
    #expect(job.folder.bytes("o.ics") == before)
    let run = try job.run("--accept", input: "other.json")
    #expect(run.code == 0, "\(run.errors)")
    // Those of the first input are cancelled in the sight of all.
    #expect(job.events().filter { $0.hasSuffix("CANCELLED") }.count == 3)
    let again = try job.run()
    again.expectLogLine(75, "error: sync: ", says: ["o.ics"])
  }

  @Test func `a calendar that convert wrote is taken over`() throws {
    let job = try Job()
    try job.offer([("1", "01.07.2020-14.07.2020"), ("1", "01.09.2020-14.09.2020")])
    let run = try BuiltProgram.run(["convert", job.folder("feed.json"), "-o", job.folder("o.ics")])
    run.expectSilence()
    let before = job.events()
    #expect(try job.run().code == 75)
    try job.succeed("--accept")
    #expect(job.events() == before && before.count == 2)
  }

  @Test func `a file that is no calendar of the feed is not destroyed`() throws {
    let other = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//sluice//waste//EN\r\nEND:VCALENDAR\r\n"
    for text in [
      "my notes", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", other,
      other.replacing("sluice//waste", with: "Mozilla//Calendar"),
      other.replacing("BEGIN:VCALENDAR\r\n", with: "{\"a\":1}\n"), "\u{0}\u{0}\u{0}",
      other.replacing("waste", with: "hot-water-2"),
    ] {
      let job = try Job()
      try job.offer([("1", "01.07.2020-14.07.2020")])
      try job.folder.write("o.ics", text)
      let run = try job.run()
      run.expectLogLine(
        75, "error: sync: ", says: ["is not a calendar of \"hot-water\"", "--accept"])
      #expect(job.folder.text("o.ics") == text)
      try job.succeed("--accept")
      #expect(job.events() == ["2020-1 20200701 0 CONFIRMED"])
      // Converting replaces it, as ever.
      try job.folder.write("o.ics", text)
      _ = try BuiltProgram.run(["convert", job.folder("feed.json"), "-o", job.folder("o.ics")])
      #expect(job.events().count == 1)
    }
  }

  @Test func `an empty file, a missing one and a damaged copy of what was published are replaced`()
    throws
  {
    let job = try Job()
    try job.folder.write("o.ics", "")
    try job.publishSeason()
    let (published, events) = (job.folder.text("o.ics"), job.events())
    for script in [
      "rm o.ics", ": > o.ics", "head -c 700 o.ics > x && mv x o.ics", "echo more >> o.ics",
      "sed -i s/CONFIRMED/TENTATIVE/ o.ics", "sed -i s/UID:[0-9a-f]/UID:x/ o.ics",
    ] {
      try job.shell(script)
      try job.succeed()
      #expect(job.events() == events, "\(script)")
      #expect(job.folder.text("o.ics") == published, "\(script)")
    }
  }
}
