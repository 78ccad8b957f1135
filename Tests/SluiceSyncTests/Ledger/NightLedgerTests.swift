import Testing

@testable import Sluice
@testable import SluiceSync

/// The ledger in memory, against the one on the disk, and what it tells of versions.
@Suite struct NightLedgerTests {
  /// A ledger in memory with what it has told.
  fileprivate final class Told {
    var changes: [EventChange] = []
    var versions: [EventVersion] = []
    private(set) var ledger: NightLedger?

    init() throws {
      let ledger = try NightLedger(.hotWater) { [unowned self] in versions.append(copy $0) }
      ledger.noteChange = { [unowned self] in changes.append($0) }
      self.ledger = ledger
    }

    /// Reads a night, and returns the counts.
    @discardableResult
    func night(_ day: String, _ json: String) throws -> LedgerChanges {
      let ledger = try #require(ledger)
      changes = []
      ledger.begin(LedgerNight.day(day))
      let normalizer = Normalizer(
        .hotWater, options: NormalizerOptions(limit: .count(.max), tracksAllRows: true),
        into: FanOut([Branch(NightStage(into: ledger))]), counters: Counters())
      try ChunkCutter.feed(
        Array(json.utf8), splitAt: json.utf8.count,
        to: Tokenizer(into: normalizer, counters: Counters()))
      return try ledger.end()
    }

    /// The versions after the last night, each as a line.
    func lines() throws -> [String] {
      try ledger?.finish()
      return versions.map { version in
        var parts = [
          "\(version.number) \(version.kind) \(version.days.first)…\(version.days.last)",
          "seen \(version.firstSeen)…\(version.lastSeen) \(version.nights)",
        ]
        if let ended = version.ended, let day = version.endedOn { parts.append("\(ended) \(day)") }
        if let day = version.restoredOn { parts.append("back \(day)") }
        if let days = version.unseen {
          parts.append("unseen \(days.lowerBound)…\(days.upperBound)")
        }
        return parts.joined(separator: ", ")
      }
    }
  }

  private func record(_ street: String, _ period: String) -> String {
    """
    {"Населенный пункт":"П","Адрес жилого здания":"\(street)","№ дома":"1",\
    "Период отключения ГВС":"\(period)"}
    """
  }

  private func feed(_ periods: String...) -> String {
    "[\(periods.map { record("Садовая", $0) }.joined(separator: ","))]"
  }

  @Test func `an event that moves has a version for each of its days`() throws {
    let told = try Told()
    try told.night("2020-06-01", feed("10.06.2020-20.06.2020"))
    try told.night("2020-06-02", feed("10.06.2020-20.06.2020"))
    try told.night("2020-06-03", feed("12.06.2020-20.06.2020"))
    #expect(
      try told.lines() == [
        "1 new 2020-06-10…2020-06-20, seen 2020-06-01…2020-06-02 2, moved 2020-06-03",
        "2 moved 2020-06-12…2020-06-20, seen 2020-06-03…2020-06-03 1",
      ])
    #expect(told.versions[1].oldDays == told.versions[0].days)
    #expect(told.versions[0].identity == told.versions[1].identity)
  }

  @Test func `what comes back within 30 days is restored, and later it is new`() throws {
    let told = try Told()
    try told.night("2020-06-01", feed("10.08.2020-20.08.2020"))
    try told.night("2020-06-02", "[]")
    try told.night("2020-07-01", feed("10.08.2020-20.08.2020"))
    try told.night("2020-07-02", "[]")
    try told.night("2020-08-01", feed("10.08.2020-20.08.2020"))
    #expect(
      try told.lines() == [
        "1 new 2020-08-10…2020-08-20, seen 2020-06-01…2020-06-01 1, cancelled 2020-06-02, "
          + "back 2020-07-01",
        "2 restored 2020-08-10…2020-08-20, seen 2020-07-01…2020-07-01 1, cancelled 2020-07-02",
        "1 new 2020-08-10…2020-08-20, seen 2020-08-01…2020-08-01 1",
      ])
    #expect(told.versions.map(\.identity.number) == [1, 1, 2])
  }

  @Test func `days without a night are told`() throws {
    let told = try Told()
    try told.night(
      "2020-06-01", "[\(record("А", "01.06.2020")),\(record("Б", "01.09.2020"))]")
    try told.night("2020-06-05", "[]")
    #expect(
      try told.lines() == [
        "1 new 2020-06-01…2020-06-01, seen 2020-06-01…2020-06-01 1, gone 2020-06-05, "
          + "unseen 2020-06-02…2020-06-04",
        "1 new 2020-09-01…2020-09-01, seen 2020-06-01…2020-06-01 1, cancelled 2020-06-05, "
          + "unseen 2020-06-02…2020-06-04",
      ])
  }

  @Test func `nights in which a record was rejected are days in which it was not seen`() throws {
    let told = try Told()
    try told.night("2020-06-01", feed("10.06.2020"))
    #expect(try told.night("2020-06-02", feed("31.06.2020")).waiting == 1)
    try told.night("2020-06-03", "[]")
    #expect(
      try told.lines() == [
        "1 new 2020-06-10…2020-06-10, seen 2020-06-01…2020-06-01 1, cancelled 2020-06-03, "
          + "unseen 2020-06-02…2020-06-02"
      ])
  }

  @Test func `other words on the same days are a version of their own`() throws {
    let told = try Told()
    try told.night("2020-06-01", "[\(record("Садовая", "10.06.2020"))]")
    try told.night("2020-06-02", "[\(record("САДОВАЯ", "10.06.2020"))]")
    #expect(told.changes.map(\.kind) == [.reworded])
    #expect(
      try told.lines() == [
        "1 new 2020-06-10…2020-06-10, seen 2020-06-01…2020-06-01 1, reworded 2020-06-02",
        "2 reworded 2020-06-10…2020-06-10, seen 2020-06-02…2020-06-02 1",
      ])
  }

  @Test(arguments: [1, 2, 3, 4])
  func `it decides as the ledger on the disk does`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    let told = try Told()
    var list: [(street: Int, isLoud: Bool, first: Int32, length: Int32)] = []
    let start = LedgerNight.day("2020-05-01").number
    for night in 0..<90 {
      let today = Day(number: start + Int32(night))
      for _ in 0..<3 {
        list.append(
          (
            Int.random(in: 0..<25, using: &generator), false,
            today.number + Int32.random(in: -4...40, using: &generator),
            Int32.random(in: 0...5, using: &generator)
          ))
      }
      for index in list.indices where Int.random(in: 0..<12, using: &generator) == 0 {
        list[index].first += Int32.random(in: -3...3, using: &generator)
        list[index].isLoud.toggle()
      }
      for _ in 0..<2 where !list.isEmpty {
        list.remove(at: Int.random(in: list.indices, using: &generator))
      }
      // What is left out may come back on a later night.
      var records = list.filter { _ in Int.random(in: 0..<15, using: &generator) > 0 }.map { row in
        let (first, last) = (Day(number: row.first), Day(number: row.first + row.length))
        let street = row.isLoud ? "УЛИЦА \(row.street)" : "Улица \(row.street)"
        return record(street, "\(first) по \(last)")
      }
      if Int.random(in: 0..<6, using: &generator) == 0 {
        records.append(record("Улица 3", "31.06.2020"))
      }
      if Int.random(in: 0..<25, using: &generator) == 0 { records.append(record("", "31.06.2020")) }
      let json = "[\(records.joined(separator: ","))]"
      let kept = try LedgerNight("\(today)")(json, in: folder.path)
      #expect(try told.night("\(today)", json) == kept.counts, "night \(night)")
      #expect(try told.list() == kept.changeLines, "night \(night)")
    }
  }
}

extension NightLedgerTests.Told {
  /// The list of changes of the last night, as `sync --changes` writes it.
  fileprivate func list() throws -> [String] {
    let layout = ChangeLayout(.hotWater, try LedgerColumns(.hotWater))
    let box = Collector.Box()
    var encoder = NDJSONEncoder(layout.list, into: Collector(box: box))
    var record = Record(columns: layout.list.count)
    let sorted = changes.sorted { $0.isBefore($1) }
    for change in sorted where change.kind != .reworded {
      #expect(layout.fill(&record, with: change))
      try encoder.take(record, .wanted)
    }
    try encoder.finish()
    return String(decoding: box.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
