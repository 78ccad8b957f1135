import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

/// Ledgers whose values are not those that a run has written.
@Suite struct LedgerDamageTests {
  private let folder: ScratchFolder
  private let stamp = 1_593_108_790

  init() throws { folder = try ScratchFolder() }

  private var path: String { folder(Ledger.name) }

  private func sql(_ statements: String) throws { try SQLiteDatabase(path: path).run(statements) }

  private func seal() throws -> LedgerSeal { try LedgerSeal(reading: SQLiteDatabase(path: path)) }

  /// Makes a ledger with live events, a cancelled one, and several years. Returns the feed of the
  /// next night, which moves one event, cancels one and restores one.
  private func prepare(_ count: Int = 40) throws -> String {
    var houses = (0..<count).map { house("Улица \($0)", period: "\($0 % 28 + 1).7.2020, 1.2.2021") }
    try LedgerNight("2020-06-01", stamp: stamp)(
      "[\(houses.joined(separator: ","))]", in: folder.path)
    let first = houses.removeFirst()
    try LedgerNight("2020-06-02", stamp: stamp + 60)(
      "[\(houses.joined(separator: ","))]", in: folder.path)
    houses[0] = first
    houses[1] = house("Улица 2", period: "9.9.2020, 1.2.2021")
    return "[\(houses.joined(separator: ","))]"
  }

  private func night(_ feed: String, in folder: String) throws -> LedgerNight.Result {
    var night = LedgerNight("2020-06-03", stamp: stamp + 120)
    night.commits = false
    return try night(feed, in: folder)
  }

  /// Makes a ledger of version 1, which has no seal.
  private func makeOld() throws {
    try sql(
      "DROP TABLE seal; ALTER TABLE origin DROP COLUMN document; PRAGMA user_version = 1")
  }

  private func isCorrupt(_ error: any Error) -> Bool {
    if case .corrupt? = error as? DatabaseFault { true } else { false }
  }

  // MARK: Flipped bits

  @Test func `a flipped bit stops the run, or changes nothing`() throws {
    let feed = try prepare()
    let whole = try #require(FileManager.default.contents(atPath: path))
    let good = try night(feed, in: folder.path)
    #expect(good.counts.moved > 0 && good.counts.cancelled > 0 && good.counts.restored > 0)
    var generator = SeededGenerator(seed: 20)
    // Each byte of the header, and some of all others.
    var bits = (0..<100).map { $0 * 8 + Int.random(in: 0..<8, using: &generator) }
    for _ in 0..<500 { bits.append(Int.random(in: 0..<whole.count * 8, using: &generator)) }
    var refused = 0
    for bit in bits {
      let damaged = try ScratchFolder()
      var bytes = whole
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      try bytes.write(to: URL(fileURLWithPath: damaged(Ledger.name)))
      do {
        let result = try night(feed, in: damaged.path)
        #expect(result.ics == good.ics && result.changes == good.changes, "bit \(bit)")
      } catch {
        #expect(error is DatabaseFault, "bit \(bit): \(error)")
        refused += 1
      }
    }
    #expect(refused > 50)
  }

  // MARK: Values

  private static let columns =
    ["address", "first", "last", "year", "number", "sequence", "stamp", "cancelled", "digest"].map {
      "event.\($0)"
    } + ["next_number.address", "next_number.year", "next_number.next"]
    + ["next_of_year.year", "next_of_year.next"]
    + ["address", "old_first", "old_last", "first", "last", "kind", "year", "number"].map {
      "untold.\($0)"
    }

  /// Sets a column of one row. Returns whether SQLite allowed it.
  private func set(_ place: Substring, of table: Substring, to value: String) throws -> Bool {
    if table == "untold" {
      try sql(
        """
        INSERT INTO untold(address, old_first, old_last, first, last, kind, year, number)
        VALUES(1, 18000, 18000, 18001, 18001, 1, 2020, 1)
        """)
    }
    if table == "next_of_year" { try sql("INSERT INTO next_of_year VALUES(2018, 2)") }
    let key = table == "next_of_year" ? "year" : "address"
    let row = "WHERE \(key) = (SELECT max(\(key)) FROM \(table))"
    return (try? sql("UPDATE OR FAIL \(table) SET \(place) = \(value) \(row)")) != nil
  }

  @Test(arguments: columns)
  func `a number out of range is damage, and none traps`(column: String) throws {
    let feed = try prepare()
    try makeOld()
    let whole = try #require(FileManager.default.contents(atPath: path))
    let parts = column.split(separator: ".")
    let isAny = ["address", "digest"].contains(parts[1])
    for value in [
      "-1", "-9223372036854775808", "9223372036854775807", "2147483648", "-719163", "2932897",
      "9007199254740993", "'x'", "'7x'", "1.5", "x'00'", "x''", "''",
    ] {
      try whole.write(to: URL(fileURLWithPath: path))
      guard try set(parts[1], of: parts[0], to: value) else { continue }
      do {
        let result = try night(feed, in: folder.path)
        // An address and a digest are any number; times and places go further than days.
        #expect(isAny || Int(value) != nil, "\(column) = \(value)")
        _ = result
      } catch {
        #expect(isCorrupt(error), "\(column) = \(value): \(error)")
      }
    }
  }

  @Test(arguments: [
    "first = -719163", "last = 2932897", "year = 0", "year = 10000", "year = -1", "number = 0",
    "number = -1", "sequence = -1", "sequence = 2147483648", "cancelled = 2147483648",
    "stamp = 253402300800", "text_street = x'41'", "text_street = CAST(x'8080' AS TEXT)",
    "text_street = CAST(x'D0' AS TEXT)", "text_house = CAST(x'EDA080' AS TEXT)",
  ])
  func `each value that no run writes is named`(_ change: String) throws {
    let feed = try prepare()
    try makeOld()
    try sql("UPDATE event SET \(change) WHERE address = (SELECT max(address) FROM event)")
    let name = change.prefix { $0 != " " }
    #expect(throws: DatabaseFault.corrupt(path: path, detail: "bad value in event.\(name)")) {
      try night(feed, in: folder.path)
    }
  }

  @Test func `a text of 75 bytes that continue nothing is no endless loop`() throws {
    let feed = try prepare()
    try makeOld()
    let bytes = String(repeating: "80", count: 75)
    try sql("UPDATE event SET text_street = CAST(x'\(bytes)' AS TEXT)")
    #expect(throws: DatabaseFault.self) { try night(feed, in: folder.path) }
  }

  @Test(arguments: [
    "UPDATE event SET sequence = sequence + 1", "UPDATE event SET text_street = 'Другая'",
    "UPDATE event SET text_house = NULL", "UPDATE next_number SET next = 1", "DELETE FROM event",
    "DELETE FROM next_number", "UPDATE event SET digest = digest + 1",
    "UPDATE seal SET content = '0-0-0'", "DELETE FROM seal", "DROP TABLE seal",
    "INSERT INTO next_of_year VALUES(2018, 2)", "DROP TABLE next_of_year",
    "CREATE INDEX i ON event(year)", "PRAGMA user_version = 0",
    "INSERT INTO untold(address, kind, year, number) VALUES(1, 0, 2020, 1)",
  ])
  func `what a run has not written does not match the seal`(_ change: String) throws {
    let feed = try prepare()
    try sql(change)
    do {
      _ = try night(feed, in: folder.path)
      Issue.record("not noticed: \(change)")
    } catch {
      #expect(isCorrupt(error), "\(error)")
    }
  }

  @Test func `values that change places change the seal`() throws {
    try LedgerNight()(list(house("аб", "в")), in: folder.path)
    let streets = [
      "text_street = 'аб', text_house = 'в'", "text_street = 'а', text_house = 'бв'",
      "text_street = 'абв', text_house = NULL", "text_street = NULL, text_house = 'абв'",
      "text_street = 'абв', text_house = ''",
      "text_street = 'аб', text_building = 'в', text_house = NULL",
      "number = 2, sequence = 1", "number = 1, sequence = 2", "year = 1, sequence = 2020",
    ]
    var seals: [String] = []
    for change in streets {
      try sql("UPDATE event SET \(change)")
      seals.append("\(try seal())")
    }
    #expect(Set(seals).count == streets.count)
    // A row of one table is not one of another.
    try sql("DELETE FROM event; DELETE FROM next_number")
    try sql("INSERT INTO next_number VALUES(1, 2, 3)")
    let one = try seal()
    try sql("UPDATE next_number SET address = 2, year = 1")
    #expect(try seal() != one)
  }

  @Test func `a text with a NUL is a text`() throws {
    try LedgerNight("2020-06-01")(list(house("А\\u0000Б")), in: folder.path)
    let gone = try LedgerNight("2020-06-02")("[]", in: folder.path)
    #expect(gone.counts == LedgerChanges(cancelled: 1))
    #expect(gone.changeLines[0].contains("А\\u0000Б"))
    #expect(try LedgerNight("2020-06-03")("[]", in: folder.path).events.count == 1)
  }

  @Test func `a content of a time that no calendar can name is kept at its limits`() throws {
    for stamp in [Int.max, Int.min, 253_402_300_800] {
      let folder = try ScratchFolder()
      let first = try LedgerNight(stamp: stamp)(list(house()), in: folder.path)
      #expect(try LedgerNight(stamp: stamp)(list(house()), in: folder.path).ics == first.ics)
    }
  }

  // MARK: Ledgers of version 1

  @Test func `a ledger of version 1 is adopted as it is`() throws {
    let feed = try prepare()
    let good = try night(feed, in: folder.path)
    try makeOld()
    #expect(try night(feed, in: folder.path).ics == good.ics)
    let adopted = try LedgerNight("2020-06-03", stamp: stamp + 120)(feed, in: folder.path)
    #expect(adopted.ics == good.ics && adopted.changes == good.changes)
    #expect(try SQLiteDatabase(path: path).integer("PRAGMA user_version") == 2)
    #expect(try LedgerNight("2020-06-03")(feed, in: folder.path).ics == good.ics)
    try sql("UPDATE event SET sequence = 7")
    #expect(throws: DatabaseFault.self) { try night(feed, in: folder.path) }
  }

  @Test(arguments: [1, 2])
  func `a ledger without numbers of years gone by is adopted`(version: Int) throws {
    let feed = try prepare()
    let good = try night(feed, in: folder.path)
    try sql("DROP TABLE next_of_year")
    if version == 1 {
      try makeOld()
    } else {
      let database = try SQLiteDatabase(path: path)
      try LedgerSeal(reading: database).write(to: database)
    }
    let adopted = try LedgerNight("2020-06-03", stamp: stamp + 120)(feed, in: folder.path)
    #expect(adopted.ics == good.ics && adopted.changes == good.changes)
    #expect(try SQLiteDatabase(path: path).integer("SELECT count(*) FROM next_of_year") == 0)
    #expect(try LedgerNight("2020-06-03")(feed, in: folder.path).ics == good.ics)
  }

  // MARK: The way out

  @Test func `a damaged ledger is set aside, and a new one begins`() throws {
    let today = LedgerNight.day("2020-06-03")
    func open(_ setsAside: Bool) throws -> Bool {
      try LedgerSession(folder: folder.path, feed: .hotWater, today: today, accepts: setsAside)
        .isNew
    }
    _ = try prepare()
    try sql("UPDATE event SET sequence = 7")
    let damaged = FileManager.default.contents(atPath: path)
    #expect(throws: PipelineError.self) { try open(false) }
    #expect(try open(true))
    #expect(FileManager.default.contents(atPath: "\(path).damaged") == damaged)
    // Once more, with another kind of damage.
    try "no database".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try open(true))
    #expect(folder.names.contains("\(Ledger.name).damaged-2"))
    #expect(FileManager.default.contents(atPath: "\(path).damaged") == damaged)
    // A good one stays.
    #expect(!folder.names.contains("\(Ledger.name).damaged-3"))
  }
}
