import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

/// The numbers of events over years, and the room that a ledger takes.
@Suite struct LedgerNumbersTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func count(_ query: String) throws -> Int {
    try SQLiteDatabase(path: folder(Ledger.name)).integer(query)
  }

  private func night(_ today: String, _ records: String...) throws -> LedgerNight.Result {
    var night = LedgerNight(today)
    night.foldedRows = 2
    return try night("[\(records.joined(separator: ","))]", in: folder.path)
  }

  private func numbers(_ result: LedgerNight.Result) -> [String] { result.events.map(\.number) }

  // MARK: Folding

  @Test func `a new event of a year gone by has a number above all that were given`() throws {
    let days = "1.6.2020, 2.6.2020, 3.6.2020"
    _ = try night("2020-05-01", house("А", period: days), house("Б", period: "1.6.2020"))
    _ = try night("2020-07-01")
    // Last year and the one before: exact.
    #expect(
      try numbers(night("2021-12-31", house("Б", period: "5.6.2020, 1.3.2021"))) == [
        "2020-2", "2021-1",
      ])
    #expect(try count("SELECT count(*) FROM next_of_year") == 0)
    // At New Year the numbers of 2020 are folded, but for an address that has an event of it.
    _ = try night("2022-01-01", house("Б", period: "5.6.2020, 2.3.2021"))
    #expect(try count("SELECT count(*) FROM next_of_year") == 0)
    #expect(try numbers(night("2022-01-02", house("А", period: "1.2.2022"))) == ["2022-1"])
    #expect(try count("SELECT next FROM next_of_year WHERE year = 2020") == 4)
    #expect(try count("SELECT count(*) FROM next_number WHERE year = 2020") == 0)
    #expect(
      try numbers(
        night(
          "2022-01-03", house("А", period: "9.6.2020, 1.2.2022"),
          house("Б", period: "8.6.2020, 1.4.2021"),
          house("В", period: "7.6.2020, 8.6.2020"))) == [
          "2020-4", "2022-1", "2020-4", "2021-3", "2020-4", "2020-5",
        ])
    // The second time the higher number stays.
    _ = try night("2022-01-04")
    #expect(try count("SELECT next FROM next_of_year WHERE year = 2020") == 6)
  }

  @Test func `few numbers are kept as they are`() throws {
    let night = LedgerNight("2020-05-01")
    try night(list(house("А", period: "1.6.2020"), house("Б", period: "1.6.2020")), in: folder.path)
    try LedgerNight("2029-05-01")("[]", in: folder.path)
    #expect(try count("SELECT count(*) FROM next_number") == 2)
    #expect(try count("SELECT count(*) FROM next_of_year") == 0)
  }

  /// Ten years. Each night some new addresses come, some old ones come again, also with days of
  /// years gone by.
  @Test(.slow) func `no UID is given twice in ten years, and the ledger stops growing`() throws {
    var generator = SeededGenerator(seed: 14)
    var given: [String: Int] = [:]
    var rows: [(street: Int, days: [Int])] = []
    var streets = 0
    var pages: [Int] = []
    let start = Int(LedgerNight.day("2018-01-01").number)
    for step in 0..<400 {
      let today = Day(number: Int32(start + step * 9))
      let year = today.parts.year
      rows.removeAll { _ in Int.random(in: 0..<100, using: &generator) < 15 }
      for _ in 0..<6 {
        let isNew = Int.random(in: 0..<3, using: &generator) > 0
        if isNew { streets += 1 }
        let street = isNew ? streets : Int.random(in: 0...streets, using: &generator)
        let by = Int.random(in: 0..<4, using: &generator) == 0 ? -1400 : 0
        let first = Int(today.number) + by + Int.random(in: -9...60, using: &generator)
        rows.append((street, [first, first + Int.random(in: 1...9, using: &generator)]))
      }
      var night = LedgerNight("\(today)", stamp: Int(today.number) * 86_400)
      night.foldedRows = 64
      let json = rows.map { row in
        house(
          "Улица \(row.street)",
          period: row.days.map { day in
            "\(Day(number: Int32(day)))".split(separator: "-").reversed().joined(separator: ".")
          }.joined(separator: ", "))
      }
      let result = try night("[\(json.joined(separator: ","))]", in: folder.path)
      for line in result.changeLines where line.hasPrefix(#"{"change":"new""#) {
        let uid = line.split(separator: "\"")[7].prefix { $0 != "@" }.split(separator: "-")
        let number = try #require(Int(uid[2]))
        let key = "\(uid[0])-\(uid[1])"
        let before = given[key] ?? 0
        #expect(number > before, "\(uid)")
        // Numbers of this year and the last are exact.
        if try #require(Int(uid[1])) >= year - 1 { #expect(number == before + 1, "\(uid)") }
        given[key] = number
      }
      if step % 20 == 19 {
        pages.append(try count("PRAGMA page_count"))
        #expect(
          try count("SELECT count(*) FROM next_number WHERE year < \(year - 1)")
            < 64 + rows.count * 2 + 100)
      }
    }
    #expect(try count("SELECT count(*) FROM next_of_year") > 5)
    #expect(given.count > 1500)
    let (early, late) = (pages[6..<10].max() ?? 0, pages[10...].max() ?? .max)
    #expect(late <= early + early / 10, "\(pages)")
  }

  // MARK: Calendars that stand

  @Test func `an event whose number was folded is known`() throws {
    let shown = try night(
      "2020-05-01", house("А", period: "1.6.2020, 2.6.2020"), house("Б", period: "1.6.2020"))
    let calendar = folder("shown.ics")
    try Data(shown.ics).write(to: URL(fileURLWithPath: calendar))
    _ = try night("2020-07-01")
    _ = try night("2022-05-01", house("В", period: "1.6.2022"))
    #expect(try count("SELECT count(*) FROM next_number") == 1)
    let today = LedgerNight.day("2022-05-02")
    let run = try Ledger(folder: folder.path, feed: .hotWater).begin()
    let none = try run.strangers(in: calendar, today: today).count
    #expect(none == 0)
    // Numbers above were never given.
    let other = String(decoding: shown.ics, as: UTF8.self).replacing("-2020-2@", with: "-2020-3@")
    try other.write(toFile: calendar, atomically: true, encoding: .utf8)
    let one = try run.strangers(in: calendar, today: today).count
    #expect(one == 1)
    try run.stage().finish()
    try run.takeOver([calendar], today: today)
    _ = try run.reconcile(today: today, stamp: 1_593_108_790, foldedRows: 2)
    try run.prepare()
    try run.commit()
    #expect(
      try numbers(
        night("2022-05-03", house("А", period: "9.6.2020"), house("Б", period: "9.6.2020"))) == [
          "2020-4", "2020-3", "2022-1",
        ])
  }

  // MARK: Room

  private let long = (0..<3000).map {
    house("Улица \($0)" + String(repeating: "я", count: 300), period: "1.6.2020")
  }

  @Test func `a ledger gives room back when its events are gone`() throws {
    try LedgerNight("2020-05-01")("[\(long.joined(separator: ","))]", in: folder.path)
    let before = try count("PRAGMA page_count")
    let result = try LedgerNight("2020-07-01")("[]", in: folder.path)
    #expect(result.counts.gone == long.count)
    #expect(try count("PRAGMA page_count") < before / 4)
    #expect(try count("PRAGMA freelist_count") == 0)
    let size = try FileManager.default.attributesOfItem(atPath: folder(Ledger.name))[.size] as? Int
    #expect(try size == count("PRAGMA page_count") * 4096)
    // Its seal fits.
    #expect(
      try LedgerNight("2020-07-02")(list(house("А", period: "1.8.2020")), in: folder.path)
        .counts.new == 1)
  }

  @Test func `a ledger that cannot give room back is whole`() throws {
    try LedgerNight("2020-05-01")("[\(long.joined(separator: ","))]", in: folder.path)
    let before = try count("PRAGMA page_count")
    let run = try Ledger(folder: folder.path, feed: .hotWater).begin()
    try run.stage().finish()
    _ = try run.reconcile(today: LedgerNight.day("2020-07-01"), stamp: 1_593_108_790)
    try run.prepare()
    // SQLite refuses to, while a query is open.
    var query = try run.database.prepare("SELECT address FROM next_number")
    _ = try query.step()
    try run.commit()
    let goesOn = try query.step()
    #expect(goesOn)
    try query.reset()
    #expect(try count("PRAGMA page_count") == before)
    #expect(try count("SELECT count(*) FROM event") == 0)
    #expect(
      try LedgerNight("2020-07-02")(list(house("А", period: "1.8.2020")), in: folder.path)
        .counts.new == 1)
    // Made good by the next run.
    #expect(try count("PRAGMA page_count") < before)
  }
}
