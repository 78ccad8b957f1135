/// The columns of a list of changes.
struct ChangeLayout {
  let names: [String]
  let kinds: [ColumnKind]
  private let texts: Int
  private let domain: String
  /// Which of the old first and last and the new first and last day are told.
  private let dayIndexes: [Int]

  init(_ feed: Feed, _ columns: LedgerColumns) {
    let (all, allKinds) = (feed.columns, feed.columnKinds)
    // One day alone is not told twice.
    dayIndexes = columns.firstDay == columns.lastDay ? [0, 2] : [0, 1, 2, 3]
    let days =
      [all[columns.firstDay]]
      + (columns.firstDay == columns.lastDay ? [] : [all[columns.lastDay]])
    names =
      ["change", "uid", feed.address?.column ?? "key"] + columns.texts.map { all[$0] }
      + days.map { "old_\($0)" } + days
    kinds =
      [.plain, .plain, .plain] + columns.texts.map { allKinds[$0] }
      + dayIndexes.map { _ in .plain }
    texts = columns.texts.count
    domain = EventIdentity.domain(of: feed)
  }

  /// Makes a line's record of a row of ``LedgerRun/writeChanges(into:)``.
  func read(
    _ row: borrowing SQLiteStatement, _ kind: ChangeKind, _ word: StaticString,
    into record: inout Record
  ) {
    record.bytes.removeAll()
    record.bytes.append(word)
    record.setText(0, from: 0)
    var address = ByteBuffer(capacity: 16)
    AddressHash.append(UInt64(bitPattern: Int64(row.integer(0))), to: &address)
    var start = record.bytes.count
    EventIdentity(year: row.integer(6), number: row.integer(7))
      .appendUID(address: address.contents, domain: domain, to: &record.bytes)
    record.setText(1, from: start)
    start = record.bytes.count
    record.bytes.append(address.contents)
    record.setText(2, from: start)
    for index in 0..<texts {
      start = record.bytes.count
      record.bytes.append(row.text(8 + index))
      record.setText(3 + index, from: start)
    }
    for (place, index) in dayIndexes.enumerated() {
      start = record.bytes.count
      let isOld = index < 2
      if isOld ? kind == .moved || kind == .cancelled : kind != .cancelled {
        row.day(1 + index).append(to: &record.bytes)
      }
      record.setText(3 + texts + place, from: start)
    }
    record.bytes.reserve(16)
  }
}
