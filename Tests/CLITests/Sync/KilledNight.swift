import Foundation
import Testing

/// One night of a job that is killed, as often as one likes: the feed has changed since the night
/// before, and every attempt begins where that night ended.
///
///     feed A ─▶ saved ─▶ live ─▶ killed ─▶ expectWhole() ─▶ next run ─▶ expectHealed()
///                 └── restore() ──┘
///
/// `live` is the folder that the program sees; all paths in it stay the same.
final class KilledNight {
  /// What there is to see of a job between two runs.
  struct Sight: Equatable {
    /// By name; without an entry where there is no file.
    var outputs: [String: Data] = [:]
    /// SQLite's word on the ledger, then all of its rows; empty where there is none.
    var ledger = ""
    /// Changes that wait to be told.
    var untold = ""
    /// The state record without the times of runs, how the last one ended, and the note of what was
    /// about to be published.
    var record: [String: String] = [:]
    var result: String?
    /// The payload that was about to be published.
    var publishing: String?
    /// The bytes of the copy that the record names.
    var copy: Data?
    /// All paths below the folder.
    var paths: Set<String> = []
  }

  static let changes = "changes.ndjson"
  static let names = ["a.csv", "c.ics", changes]

  let folder: Scratch
  private let isFirstNight: Bool
  private(set) var old = Sight()
  private(set) var new = Sight()
  /// The list of changes of a run that finds nothing new.
  private var noChanges: Data?
  /// How long an undisturbed run takes.
  private(set) var duration = Duration.zero

  init(isFirstNight: Bool = false, in place: String = "/tmp") throws {
    self.isFirstNight = isFirstNight
    folder = try Scratch(in: place)
    _ = try folder.folder("live")
    if !isFirstNight {
      try Self.offer(Self.feed(isChanged: false), at: 1_593_500_000, in: folder)
      try BuiltProgram.run(words).expectSilence()
    }
    try Self.offer(Self.feed(isChanged: true), at: 1_593_586_400, in: folder)
    _ = try BuiltProgram.tool(["cp", "-a", folder("live"), folder("saved")])
    old = try sight()
    duration = try ContinuousClock().measure { try BuiltProgram.run(words).expectSilence() }
    new = try sight()
    try BuiltProgram.run(words).expectSilence()
    noChanges = try sight().outputs[Self.changes]
  }

  /// Three hundred houses; changed, some are gone, some have other days, some are new.
  private static func feed(isChanged: Bool) -> String {
    let records = (1...330).compactMap { number -> String? in
      let isNew = number > 300
      if isChanged ? !isNew && number % 10 == 3 : isNew { return nil }
      let isMoved = isChanged && number % 7 == 0
      return SmallFeed.record(
        house: "\"\(number)\"",
        period: isNew
          ? "\"06.07.2020-19.07.2020\""
          : isMoved ? "\"29.06.2020-12.07.2020\"" : "\"22.06.2020-05.07.2020\"")
    }
    return SmallFeed.list(records)
  }

  /// Puts another feed at the source: all houses are where they were, the new ones a week later or
  /// gone.
  func moveOn() throws {
    let records = (1...320).filter { $0 % 10 != 3 }.map { number in
      SmallFeed.record(
        house: "\"\(number)\"",
        period: number > 300 ? "\"13.07.2020-26.07.2020\"" : "\"22.06.2020-05.07.2020\"")
    }
    try Self.offer(SmallFeed.list(records), at: 1_593_672_800, in: folder)
  }

  private static func offer(_ feed: String, at time: Int, in folder: Scratch) throws {
    try folder.write("live/feed.json", feed)
    folder.setTime("live/feed.json", time)
  }

  var state: String { folder("live/state") }

  var words: [String] {
    ["sync", folder("live/feed.json"), "--state", state, "--today", "2020-07-01"]
      + ["-o", folder("live/a.csv"), "-o", folder("live/c.ics")]
      + ["--changes", folder("live/\(Self.changes)")]
  }

  /// Puts everything back to where the night before has left it.
  func restore() throws {
    let run = try BuiltProgram.shell(
      "rm -rf live && cp -a saved live", "/bin/sh", in: folder.path)
    #expect(run.code == 0, "\(run.errors)")
  }

  // MARK: Looking

  /// Looks at everything, and touches nothing: the ledger is read from a copy of its files.
  func sight() throws -> Sight {
    let files = FileManager.default
    var sight = Sight()
    for name in Self.names { sight.outputs[name] = files.contents(atPath: folder("live/\(name)")) }
    sight.paths = Set(files.subpaths(atPath: folder("live")) ?? [])
    if let ledger = sight.paths.first(where: { $0.hasSuffix("ledger.sqlite") }) {
      let path = URL(fileURLWithPath: folder("live/\(ledger)"))
      let parts = try rows(
        of: path,
        "PRAGMA integrity_check; SELECT * FROM origin; SELECT * FROM next_number; "
          + "SELECT * FROM next_of_year; SELECT * FROM event; SELECT '\(Self.separator)'; SELECT * FROM untold"
      ).components(separatedBy: "\(Self.separator)\n")
      // One that has no tables yet is none.
      sight.ledger = parts[0] == "ok\n" ? "" : parts[0]
      sight.untold = parts.count > 1 ? parts[1] : ""
    }
    guard let path = sight.paths.first(where: { $0.hasSuffix(".json") && $0.hasPrefix("state/") }),
      let bytes = files.contents(atPath: folder("live/\(path)"))
    else { return sight }
    let record = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    sight.record = record.mapValues { "\($0)" }
    for name in ["ran", "taken", "confirmed", "fetched"] { sight.record[name] = nil }
    sight.result = sight.record.removeValue(forKey: "result")
    sight.publishing = sight.record.removeValue(forKey: "publishing")
    for name in sight.record.keys where name.hasPrefix("publishing_") { sight.record[name] = nil }
    if let slot = sight.record["copy"] {
      sight.copy = files.contents(atPath: folder("live/\(path.dropLast(4))\(slot)"))
    }
    return sight
  }

  private static let separator = "\u{1E}"

  /// Reads a ledger as anybody would, with what a killed run has left beside it.
  private func rows(of ledger: URL, _ query: String) throws -> String {
    let files = FileManager.default
    let place = URL(fileURLWithPath: folder("look"))
    try? files.removeItem(at: place)
    try files.createDirectory(at: place, withIntermediateDirectories: false)
    for suffix in ["", "-wal", "-journal"] {
      let path = ledger.path + suffix
      guard let bytes = files.contents(atPath: path) else { continue }
      try bytes.write(to: place.appendingPathComponent("ledger" + suffix))
    }
    return try BuiltProgram.tool(["sqlite3", folder("look/ledger"), query]).output
  }

  /// An event of the calendar, as far as it can change.
  struct Event: Equatable {
    var sequence = 0
    var first = ""
    var status = ""
  }

  /// The events of the calendar by their UIDs.
  var events: [String: Event] {
    let text = folder.text("live/c.ics").replacing("\r\n ", with: "")
    return text.components(separatedBy: "BEGIN:VEVENT").dropFirst().reduce(into: [:]) {
      all, event in
      func value(_ name: String) -> String {
        let line = event.components(separatedBy: "\r\n").first { $0.hasPrefix(name) } ?? ""
        return String(line.split(separator: ":", maxSplits: 1).last ?? "")
      }
      all[value("UID")] = Event(
        sequence: Int(value("SEQUENCE")) ?? 0, first: value("DTSTART"), status: value("STATUS"))
    }
  }

  /// The UIDs that a list of changes tells of.
  static func told(_ changes: Data?) -> Set<String> {
    let lines = (changes ?? Data()).split(separator: UInt8(ascii: "\n"))
    return Set(
      lines.compactMap {
        (try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])?["uid"] as? String
      })
  }

  // MARK: Judging

  /// Checks what a killed run has left. Every thing is old or new, and nothing is ahead of what has
  /// to be there before it: a note of the payload, the outputs, the ledger, the record.
  ///
  /// `earlier` is what an earlier one of several killed runs has left. Gives what it saw.
  func expectWhole(_ place: String, after earlier: Sight? = nil) throws -> Sight {
    let left = try sight()
    // The next run tells the ledger before it tells anybody else.
    let wasKnown = earlier?.ledger == new.ledger || left.untold != ""
    for name in Self.names {
      let now = left.outputs[name]
      let isQuiet = wasKnown && name == Self.changes && now == noChanges
      #expect(
        now == old.outputs[name] || now == new.outputs[name] || isQuiet,
        "\(place): \(name) is neither old nor new")
    }
    #expect(
      left.ledger == old.ledger || left.ledger == new.ledger,
      "\(place): the ledger is neither old nor new: \(left.ledger.prefix(200))")
    if left.ledger == new.ledger, !wasKnown {
      #expect(left.outputs == new.outputs, "\(place): the ledger is ahead of the outputs")
    }
    let isBegun = isFirstNight && left.publishing != nil && left.record["copy"] == nil
    #expect(
      left.record == old.record || left.record == new.record || isBegun,
      "\(place): \(left.record)")
    let payload = left.publishing
    #expect(payload == nil || payload == new.record["payload"], "\(place): \(payload ?? "")")
    if left.outputs != old.outputs, earlier == nil, left.record != new.record {
      #expect(payload != nil, "\(place): the outputs are ahead of the note on them")
    }
    let isKnown = left.record == new.record
    if isKnown { #expect(left.ledger == new.ledger, "\(place): the record is ahead") }
    #expect(left.copy == (isKnown ? new : old).copy, "\(place): the last good copy is another")
    return left
  }

  /// Runs the job to its end on a feed that has changed once more, and checks that all that was
  /// published is accounted for: no event goes without a word or back, and every change is told.
  func expectAccounted(_ place: String, after left: Sight, _ eventsBefore: [String: Event]) throws {
    let published = events
    try moveOn()
    let run = try BuiltProgram.run(words)
    #expect(run.code == 0 && run.errors == "" && run.output == "", "\(place): \(run.errors)")
    let (now, after) = (events, try sight())
    #expect(published.keys.filter { now[$0] == nil } == [], "\(place): gone without a word")
    for (uid, event) in published {
      guard let later = now[uid], later != event else { continue }
      #expect(later.sequence == event.sequence + 1, "\(place): \(uid) went back or too far")
    }
    for (uid, event) in now where published[uid] == nil {
      #expect(event.status == "CONFIRMED", "\(place): nobody has seen \(uid)")
      #expect(event.sequence == 0, "\(place): nobody has seen \(uid)")
    }
    var told = Self.told(after.outputs[Self.changes])
    if left.outputs[Self.changes] == new.outputs[Self.changes] {
      told.formUnion(Self.told(left.outputs[Self.changes]))
    }
    let changed = now.filter { $0.value != eventsBefore[$0.key] }.map(\.key)
    #expect(Set(changed).subtracting(told).isEmpty, "\(place): changes were not told")
    #expect(after.untold == "" && after.publishing == nil && after.ledger.hasPrefix("ok\n"))
  }

  /// Runs the job to its end, and checks that nothing shows of the killed run before it.
  func expectHealed(_ place: String, after left: Sight) throws {
    let run = try BuiltProgram.run(words)
    #expect(run.code == 0 && run.errors == "" && run.output == "", "\(place): \(run.errors)")
    var expected = new
    // Told once: by the killed run, which has published its list before it committed.
    if left.ledger == new.ledger, left.untold == "" { expected.outputs[Self.changes] = noChanges }
    if left.record == new.record { expected.result = "unchanged" }
    let now = try sight()
    #expect(now.outputs["a.csv"] == expected.outputs["a.csv"], "\(place)")
    #expect(now.outputs["c.ics"] == expected.outputs["c.ics"], "\(place)")
    #expect(now.outputs[Self.changes] == expected.outputs[Self.changes], "\(place)")
    #expect(now.ledger == expected.ledger && now.ledger.hasPrefix("ok\n"), "\(place)")
    #expect(now.record == expected.record && now.result == expected.result, "\(place)")
    #expect(now.copy == expected.copy && now.publishing == nil, "\(place)")
    #expect(now.paths == expected.paths, "\(place): \(now.paths.sorted())")
  }
}
