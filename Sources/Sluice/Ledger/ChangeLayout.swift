/// The columns of a list of changes.
struct ChangeLayout {
  let names: [String]
  let kinds: [ColumnKind]
  private let texts: Int
  private let domain: String

  init(_ feed: Feed, _ columns: LedgerColumns) {
    let (all, allKinds) = (feed.columns, feed.columnKinds)
    let days = [all[columns.firstDay], all[columns.lastDay]]
    names =
      ["change", "uid", all[columns.address]] + columns.texts.map { all[$0] }
      + days.map { "old_\($0)" } + days
    kinds =
      [.plain, .plain, .plain] + columns.texts.map { allKinds[$0] }
      + [.plain, .plain, .plain, .plain]
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
    for index in 0..<4 {
      start = record.bytes.count
      let isOld = index < 2
      if isOld ? kind == .moved || kind == .cancelled : kind != .cancelled {
        row.day(1 + index).append(to: &record.bytes)
      }
      record.setText(3 + texts + index, from: start)
    }
    record.bytes.reserve(16)
  }
}
