import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

/// The ledger's file: crashes, damage, other versions.
@Suite struct LedgerFileTests {
  private let folder: ScratchFolder
  private let stamp = 1_593_108_790
  private let feeds = [
    list(house(), house("А", period: "1.7.2020, 1.8.2020")),
    list(house(period: "25.6.2020"), house("А", period: "1.8.2020"), house("Б")),
  ]

  init() throws { folder = try ScratchFolder() }

  private var path: String { folder(Ledger.name) }

  private func fault(of feed: Feed = .hotWater, _ body: () throws -> Void = {}) -> DatabaseFault? {
    do {
      _ = try Ledger(folder: folder.path, feed: feed).begin()
      try body()
    } catch {
      return error as? DatabaseFault
    }
    return nil
  }

  private func sql(_ statements: String) throws { try SQLiteDatabase(path: path).run(statements) }

  // MARK: Crashes

  @Test(arguments: [0, 1])
  func `what is not committed never was, and the next run gives the same bytes`(_ index: Int)
    throws
  {
    if index > 0 { try LedgerNight("2020-06-01", stamp: stamp)(feeds[0], in: folder.path) }
    var night = LedgerNight("2020-06-02", stamp: stamp + 60)
    night.commits = false
    let died = try night(feeds[index], in: folder.path)
    night.commits = true
    let next = try night(feeds[index], in: folder.path)
    #expect(next.ics == died.ics)
    #expect(next.changes == died.changes)
    #expect(next.counts == died.counts && next.counts.isAny)
    let unchanged = try night(feeds[index], in: folder.path)
    #expect(unchanged.ics == died.ics)
    #expect(!unchanged.counts.isAny)
  }

  @Test func `the files as they are before the commit hold the old state`() throws {
    try LedgerNight("2020-06-01", stamp: stamp)(feeds[0], in: folder.path)
    let night = LedgerNight("2020-06-02", stamp: stamp + 60)
    // What a crash leaves behind, file by file.
    let left = try ScratchFolder()
    let published = try night(feeds[1], in: folder.path) {
      for name in folder.names {
        try FileManager.default.copyItem(atPath: folder(name), toPath: left(name))
      }
    }
    #expect(left.names.contains("\(Ledger.name)-wal"))
    let healed = try night(feeds[1], in: left.path)
    #expect(healed.ics == published.ics)
    #expect(healed.changes == published.changes)
    #expect(try night(feeds[1], in: left.path).ics == published.ics)
  }

  @Test func `the journal of a run that was killed after its commit is read`() throws {
    // A second connection keeps the journal from being folded into the file.
    try LedgerNight("2020-06-01", stamp: stamp)(feeds[0], in: folder.path)
    let left = try ScratchFolder()
    let reader = try SQLiteDatabase(path: path)
    _ = try reader.integer("SELECT count(*) FROM event")
    let night = LedgerNight("2020-06-02", stamp: stamp + 60)
    let published = try night(feeds[1], in: folder.path)
    for name in folder.names {
      try FileManager.default.copyItem(atPath: folder(name), toPath: left(name))
    }
    let next = try night(feeds[1], in: left.path)
    #expect(!next.counts.isAny)
    #expect(next.ics == published.ics)
    withExtendedLifetime(reader) {}
  }

  @Test func `a feed that was not read to its end cancels nothing`() throws {
    try LedgerNight(stamp: stamp)(feeds[0], in: folder.path)
    do {
      let run = try Ledger(folder: folder.path, feed: .hotWater).begin()
      var stage = try run.stage()
      try stage.take(Record(columns: Feed.hotWater.columns.count), .leftOut)
      #expect(throws: DatabaseFault.incomplete(path: path)) {
        try run.reconcile(today: Day(number: 0), stamp: 0)
      }
    }
    #expect(try !LedgerNight(stamp: stamp)(feeds[0], in: folder.path).counts.isAny)
  }

  @Test func `an unchanged run leaves the file as it was`() throws {
    try LedgerNight("2020-06-01", stamp: stamp)(feeds[0], in: folder.path)
    let before = FileManager.default.contents(atPath: path)
    try LedgerNight("2020-06-02", stamp: stamp + 60)(feeds[0], in: folder.path)
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(folder.names == [Ledger.name])
  }

  // MARK: Files that are no ledger of ours

  @Test func `a ledger of a later version is refused`() throws {
    try LedgerNight()(feeds[0], in: folder.path)
    try sql("PRAGMA user_version = 3")
    #expect(fault() == .newer(path: path, version: 3, known: 2))
  }

  @Test func `another database is refused and left alone`() throws {
    try sql("CREATE TABLE diary(day TEXT)")
    let before = FileManager.default.contents(atPath: path)
    #expect(fault() == .notALedger(path: path))
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test func `another feed's ledger is refused`() throws {
    try LedgerNight()(feeds[0], in: folder.path)
    var feed = Feed.hotWater
    feed.name = "cold-water"
    #expect(fault(of: feed) == .otherFeed(path: path, found: "hot-water", wanted: "cold-water"))
    #expect(fault(of: .bonds) == .noEvents(feed: "bonds"))
    #expect(fault() == nil)
  }

  @Test func `a text file is called corrupt and left alone`() throws {
    folder.make(Ledger.name, String(repeating: "no database ", count: 100))
    guard case .corrupt(path, _) = fault() else {
      Issue.record("not called corrupt")
      return
    }
    #expect(folder.text(Ledger.name)?.hasPrefix("no database") == true)
  }

  @Test func `a damaged file is called corrupt, wherever the damage is`() throws {
    let records = (0..<2000).map { house("Улица \($0)", period: "1.7.2020") }
    try LedgerNight()("[\(records.joined(separator: ","))]", in: folder.path)
    let whole = try #require(FileManager.default.contents(atPath: path))
    for page in 1..<whole.count / 4096 {
      var damaged = whole
      for byte in 0..<64 { damaged[page * 4096 + byte] = 0x5A }
      try damaged.write(to: URL(fileURLWithPath: path))
      guard case .corrupt = fault() else {
        Issue.record("page \(page): not called corrupt")
        continue
      }
    }
    for length in [1, 100, 4096, 8192, whole.count - 4096] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      guard case .corrupt = fault() else {
        Issue.record("\(length) bytes: not called corrupt")
        continue
      }
    }
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(fault() == nil)
  }

  @Test func `an empty file is a new ledger`() throws {
    folder.make(Ledger.name, "")
    #expect(try LedgerNight()(feeds[0], in: folder.path).counts.new == 3)
  }

  @Test func `a folder that is missing, or a folder in the place of the file`() throws {
    let missing = folder("none")
    #expect(throws: DatabaseFault.open(path: "\(missing)/\(Ledger.name)", errno: ENOENT)) {
      _ = try Ledger(folder: missing, feed: .hotWater)
    }
    try folder.makeFolder(Ledger.name)
    guard case .open = fault() else {
      Issue.record("opened a folder")
      return
    }
  }

  @Test func `a feed's new column finds room`() throws {
    try LedgerNight("2020-06-01", stamp: stamp)(feeds[0], in: folder.path)
    var night = LedgerNight("2020-06-02", stamp: stamp + 60)
    night.feed.fields.insert(
      Field(path: [.each, "№ \"дома\""], kind: .text, columns: ["a\"b"]), at: 2)
    let result = try night(
      #"[{"Адрес жилого здания":"А","№ \"дома\"":"x","Период отключения ГВС":"1.9.2020"}]"#,
      in: folder.path)
    #expect(result.counts.cancelled == 3)
    #expect(result.changeLines[0].contains(#""a\"b":"#))
    #expect(try !night("[]", in: folder.path).events.isEmpty)
  }

  @Test func `an output that fails is not the ledger's fault`() throws {
    let run = try Ledger(folder: folder.path, feed: .hotWater).begin()
    try run.stage().finish()
    _ = try run.reconcile(today: Day(number: 0), stamp: 0)
    let box = Collector.Box()
    box.failsAt = 10
    let calendar = try EventCalendar(
      .hotWater, #require(Feed.hotWater.event), options: CalendarOptions(language: .ru),
      into: Collector(box: box), counters: Counters())
    #expect(throws: DatabaseFault.output(Collector.failure)) {
      _ = try run.writeCalendar(RowSelection(), into: calendar)
    }
  }
}
