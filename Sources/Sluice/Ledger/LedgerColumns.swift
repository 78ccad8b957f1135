/// The columns of a feed as a ledger keeps them: days and the address as numbers, the others as
/// text.
struct LedgerColumns {
  /// The feed's columns that are kept as text, by their places in a row.
  let texts: ContiguousArray<Int>
  /// The names of these columns, as SQL.
  let names: [String]
  /// The places of the columns that hold an event's first and last day, which may be the same, and
  /// of the address's number.
  let firstDay: Int
  let lastDay: Int
  let address: Int
  /// How many columns a row has.
  let count: Int

  /// Throws ``DatabaseFault/noEvents(feed:)`` where the feed has no events of whole days at numbered
  /// addresses.
  init(_ feed: Feed) throws(DatabaseFault) {
    let columns = feed.columns
    guard feed.keepsLedger, let event = feed.event, let address = feed.addressIndex,
      let first = columns.firstIndex(of: event.start)
    else { throw .noEvents(feed: feed.name) }
    let last = event.end.flatMap { columns.firstIndex(of: $0) } ?? first
    (firstDay, lastDay, self.address, count) = (first, last, address, feed.width)
    texts = ContiguousArray(columns.indices.filter { ![first, last, address].contains($0) })
    names = texts.map { Self.name(columns[$0]) }
  }

  /// A column's name in the ledger, apart from the ledger's own, quoted.
  private static func name(_ column: String) -> String {
    "\"text_\(column.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  /// The names, separated by commas, each behind a comma of its own; of a table where one is named.
  func list(of table: String? = nil) -> String {
    names.map { ", \(table.map { "\($0)." } ?? "")\($0)" }.joined()
  }

  /// A number of a row's texts: it tells whether they changed.
  ///
  /// FNV-1a, 64 bits. Ledgers stand on it: were it to change, all events would get new time stamps.
  func digest(_ record: borrowing Record) -> Int {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    for column in texts {
      for byte in record.text(column) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
      state = (state ^ 0x1F) &* 0x100_0000_01b3
    }
    return Int(bitPattern: UInt(state))
  }

  /// Makes a row of what a statement gives: its texts from column `start` on, address and days as
  /// given.
  func read(
    _ statement: borrowing SQLiteStatement, textsFrom start: Int, address: Int, first: Day,
    last: Day, into record: inout Record
  ) {
    record.bytes.removeAll()
    for (index, column) in texts.enumerated() {
      set(column, of: &record) { $0.append(statement.text(start + index)) }
    }
    set(firstDay, of: &record) { first.append(to: &$0) }
    set(lastDay, of: &record) { last.append(to: &$0) }
    record.addressID = UInt64(bitPattern: Int64(address))
    let number = record.addressID
    set(self.address, of: &record) { AddressHash.append(number, to: &$0) }
    record.setDays(first, last)
    record.bytes.reserve(16)
  }

  @inline(__always)
  private func set(
    _ column: Int, of record: inout Record, _ append: (inout ByteBuffer) -> Void
  ) {
    let start = record.bytes.count
    append(&record.bytes)
    record.setText(column, from: start)
  }
}
