import Sluice

/// The next numbers of a ledger's events: those of an address and year, and those of years gone by.
///
///     next_number  address, year ─▶ next       exact: every event of the address counts
///     next_of_year          year ─▶ next       the highest of the rows that were folded together
///
/// The next number is the larger of both. So no UID is given twice, and a new event of a year gone
/// by may skip some numbers.
struct LedgerNumbers: ~Copyable {
  private var find: SQLiteStatement

  init(_ database: borrowing SQLiteDatabase) throws(DatabaseFault) {
    find = try database.prepare(
      """
      SELECT max(
        coalesce((SELECT next FROM next_number WHERE address = ?1 AND year = ?2), 1),
        coalesce((SELECT next FROM next_of_year WHERE year = ?2), 1))
      """)
  }

  /// Returns the lowest number that no event of an address and year has had.
  mutating func next(_ address: Int, _ year: Int) throws(DatabaseFault) -> Int {
    try find.bind(1, address)
    try find.bind(2, year)
    let number = try find.step() ? find.integer(0) : 1
    try find.reset()
    return number
  }
}

extension LedgerRun {
  /// The number of rows from which on the numbers of years gone by are folded. A ledger with fewer
  /// keeps them all.
  static let foldedRows = 4096

  /// Folds the numbers of the years before last year together, if there are at least `count` rows
  /// of them. Without this a ledger would grow by a row with each address and year.
  ///
  /// The year is the one in the UID: that of the event's first day when it was new. An address with
  /// an event of that year keeps its row.
  func foldNumbers(today: Day, from count: Int) throws(DatabaseFault) {
    let old = """
      WHERE year < \(today.parts.year - 1) AND NOT EXISTS (SELECT 1 FROM event
        WHERE event.address = next_number.address AND event.year = next_number.year)
      """
    guard try database.integer("SELECT count(*) FROM next_number \(old)") >= count else { return }
    try database.run(
      """
      INSERT INTO next_of_year(year, next)
        SELECT year, max(next) FROM next_number \(old) GROUP BY year
        ON CONFLICT DO UPDATE SET next = max(next, excluded.next);
      DELETE FROM next_number \(old);
      """)
  }

  /// Gives the pages that nothing uses back to the disk, if they are many. Called outside of a
  /// transaction. If it fails, the ledger is as it was.
  func giveRoomBack() {
    guard let free = try? database.integer("PRAGMA freelist_count"), free > 256,
      let pages = try? database.integer("PRAGMA page_count"), free > pages / 4
    else { return }
    try? database.run("VACUUM")
  }
}
