import Sluice

/// The columns of a list of changes.
///
///     change, uid, address_id, locality, …, old_start_date, old_end_date, start_date, end_date
///
/// `sync --changes` and `diff` write it.
struct ChangeLayout {
  let list: [Column]
  /// The places of the feed's texts in a line.
  let textColumns: ContiguousArray<Int>
  private let domain: String
  /// Which days are written: 0 and 1 are the old first and last day, 2 and 3 the new ones.
  private let dayIndexes: [Int]

  init(_ feed: Feed, _ columns: LedgerColumns) {
    let all = feed.tables[0].columns
    // An event of one day has that day once.
    dayIndexes = columns.firstDay == columns.lastDay ? [0, 2] : [0, 1, 2, 3]
    let days =
      [all[columns.firstDay]]
      + (columns.firstDay == columns.lastDay ? [] : [all[columns.lastDay]])
    let key = feed.tables[0].keyNumber?.column ?? "key"
    list =
      [Column("change", .text), Column("uid", .text), Column(key, .keyNumber)]
      + columns.texts.map { all[$0] } + days.map { Column("old_\($0.name)", $0.kind) } + days
    textColumns = ContiguousArray(3..<3 + columns.texts.count)
    domain = EventIdentity.domain(of: feed)
  }

  /// Begins the record of a line: the kind of the change and the event. The texts follow, then the
  /// days.
  func begin(
    _ word: StaticString, key: UInt64, _ identity: EventIdentity, into record: inout Record
  ) {
    record.bytes.removeAll()
    record.bytes.append(word)
    record.setText(0, from: 0)
    identity.setUID(of: key, domain, in: 1, of: &record)
    record.set(2, toKey: key)
  }

  /// Writes the days of a line. A missing day is empty.
  func setDays(old: Period?, new: Period?, in record: inout Record) {
    for (place, index) in dayIndexes.enumerated() {
      let days = index < 2 ? old : new
      record.set(
        3 + textColumns.count + place, toDay: days.map { index % 2 == 0 ? $0.first : $0.last })
    }
  }
}

extension ChangeLayout {
  /// Fills the record of a line. Returns false if the change is not one of a list.
  func fill(_ record: inout Record, with change: EventChange) -> Bool {
    let word = change.kind == .reworded ? "reworded" : change.kind.word
    guard let word, let version = change.new ?? change.old else { return false }
    begin(word, key: version.key, version.identity, into: &record)
    version.texts.put(into: Array(textColumns), of: &record)
    let hasOld = change.kind == .moved || change.kind == .cancelled
    setDays(old: hasOld ? change.old?.days : nil, new: change.new?.days, in: &record)
    return true
  }
}

extension EventChange {
  /// The order of the UIDs, which is that of a list.
  func isBefore(_ other: EventChange) -> Bool {
    guard let one = new ?? old, let two = other.new ?? other.old else { return false }
    if one.key != two.key { return one.key < two.key }
    if one.identity.year != two.identity.year { return one.identity.year < two.identity.year }
    return one.identity.number < two.identity.number
  }
}

extension EventIdentity {
  /// Writes the UID of an event of the address with this number into a column.
  func setUID(of key: UInt64, _ domain: String, in column: Int, of record: inout Record) {
    var address = ByteBuffer(capacity: 16)
    address.append(hexadecimal: key)
    let start = record.bytes.count
    appendUID(address: address.contents, domain: domain, to: &record.bytes)
    record.setText(column, from: start)
  }
}

extension Record {
  /// Sets the text of a column to a day; empty for nil.
  mutating func set(_ column: Int, toDay day: Day?) {
    if let day {
      set(column, to: day)
    } else {
      setText(column, from: bytes.count)
    }
  }
}
