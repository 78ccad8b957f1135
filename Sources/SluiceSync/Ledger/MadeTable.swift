import Sluice

extension Feed {
  /// Returns a feed of one table that is made of this one, and not read. Its columns are in this
  /// order. `key` identifies a row.
  func made(_ name: String, _ columns: [Column], key: [String]) -> Feed {
    let shown = Set(tables[0].shownColumns ?? tables[0].columns.map(\.name))
    let hidden = Set(tables[0].columns.map(\.name)).subtracting(shown)
    var feed = self
    feed.name = name
    feed.url = nil
    feed.requests = nil
    feed.headers = []
    feed.envelope = nil
    feed.views = []
    feed.tables = [
      Table(
        name, rows: [.each],
        fields: columns.map { column in
          var field = Field(
            path: [.each, .key(column.name)], kind: FieldKind(column.kind), columns: [column.name])
          if let label = column.label { field.labels = [label] }
          field.isShown = !hidden.contains(column.name)
          return field
        }, key: key)
    ]
    return feed
  }
}

extension FieldKind {
  /// The kind of a field that fills a column of this kind. The number of a key is text: it was not
  /// made of the other columns.
  fileprivate init(_ column: ColumnKind) {
    self =
      switch column {
      case .text, .keyNumber: .text
      case .verbatim: .verbatim
      case .decimal: .decimal
      case .integer: .integer
      case .flag: .flag
      case .day: .day
      case .instant: .instant
      case .time: .time
      }
  }
}

/// The table of a history: one row for each version of an event.
///
///     locality, …, start_date, end_date, change, first_seen, last_seen, nights, ended,
///     old_start_date, old_end_date, cancelled_on, restored_on, unseen_from, unseen_to,
///     version, uid, address_id
struct HistoryTable {
  /// The feed with this table alone.
  let feed: Feed
  /// The order of the rows unless somebody wants another: place by place, event by event.
  let order: [SortOrder]
  private let domain: String
  /// The places of the feed's texts, and of an event's days, in a row.
  private let textColumns: [Int]
  private let firstDay: Int
  private let lastDay: Int
  /// The place of the first column after those of the feed.
  private let start: Int
  private let hasLastDay: Bool
  private let count: Int

  init(_ feed: Feed, _ columns: LedgerColumns) {
    let table = feed.tables[0]
    // Those of the feed, in its order. The number of the key comes last.
    let own = table.columns.filter { $0.kind != .keyNumber }
    let taken = Set(table.columns.map(\.name))
    /// A column of the history. The feed may have one of that name.
    func made(_ name: String, _ kind: ColumnKind, ru: String, en: String) -> Column {
      Column(
        taken.contains(name) ? "history_\(name)" : name, kind, label: Localized(ru: ru, en: en))
    }
    let days = [table.columns[columns.firstDay], table.columns[columns.lastDay]]
    hasLastDay = columns.firstDay != columns.lastDay
    let old = (hasLastDay ? days : [days[0]]).map { day in
      made(
        "old_\(day.name)", .day, ru: "\(day.heading(in: .ru)) до переноса",
        en: "\(day.heading(in: .en)) before the move")
    }
    let all =
      own + [
        made("change", .text, ru: "Что случилось", en: "Change"),
        made("first_seen", .day, ru: "Впервые замечено", en: "First seen"),
        made("last_seen", .day, ru: "Последний раз замечено", en: "Last seen"),
        made("nights", .integer, ru: "Ночей", en: "Nights"),
        made("ended", .text, ru: "Чем кончилось", en: "Ended"),
      ] + old + [
        made("cancelled_on", .day, ru: "Отменено", en: "Cancelled on"),
        made("restored_on", .day, ru: "Восстановлено", en: "Restored on"),
        made("unseen_from", .day, ru: "Не было видно с", en: "Not seen from"),
        made("unseen_to", .day, ru: "Не было видно по", en: "Not seen to"),
        made("version", .integer, ru: "Версия", en: "Version"),
        made("uid", .text, ru: "UID события", en: "UID of the event"),
        table.keyNumber?.column.map { Column($0, .keyNumber, label: table.keyNumber?.label) }
          ?? made("key", .keyNumber, ru: "Номер ключа", en: "Number of the key"),
      ]
    let key = [all[all.count - 2].name, all[all.count - 3].name]
    order = ((table.keyNumber?.parts ?? table.key) + key).map { SortOrder($0) }
    self.feed = feed.made("history", all, key: key)
    domain = EventIdentity.domain(of: feed)
    textColumns = Array(columns.texts)
    (firstDay, lastDay) = (columns.firstDay, columns.lastDay)
    start = own.count
    count = all.count
  }

  /// Makes an empty row.
  var record: Record { Record(columns: count) }

  /// Fills a row.
  func fill(_ record: inout Record, with version: borrowing EventVersion) {
    record.bytes.removeAll()
    version.texts.put(into: textColumns, of: &record)
    record.set(firstDay, toDay: version.days.first)
    if hasLastDay { record.set(lastDay, toDay: version.days.last) }
    record.setDays(version.days.first, version.days.last)
    var column = start
    func next() -> Int {
      defer { column += 1 }
      return column
    }
    record.set(next(), toWord: version.kind.historyWord)
    record.set(next(), toDay: version.firstSeen)
    record.set(next(), toDay: version.lastSeen)
    record.set(next(), toNumber: version.nights)
    record.set(next(), toWord: version.ended?.historyWord ?? "")
    record.set(next(), toDay: version.oldDays?.first)
    if hasLastDay { record.set(next(), toDay: version.oldDays?.last) }
    record.set(next(), toDay: version.ended == .cancelled ? version.endedOn : nil)
    record.set(next(), toDay: version.restoredOn)
    record.set(next(), toDay: version.unseen?.lowerBound)
    record.set(next(), toDay: version.unseen?.upperBound)
    record.set(next(), toNumber: version.number)
    version.identity.setUID(of: version.key, domain, in: next(), of: &record)
    record.keyNumber = version.key
    record.set(next(), toKey: version.key)
  }
}

extension ChangeKind {
  /// Its name in a history.
  fileprivate var historyWord: StaticString {
    switch self {
    case .new: "new"
    case .moved: "moved"
    case .cancelled: "cancelled"
    case .restored: "restored"
    case .gone: "past"
    case .reworded: "reworded"
    }
  }
}

extension Record {
  fileprivate mutating func set(_ column: Int, toWord word: StaticString) {
    let start = bytes.count
    bytes.append(word)
    setText(column, from: start)
  }

  fileprivate mutating func set(_ column: Int, toNumber number: Int) {
    let start = bytes.count
    bytes.append(string: "\(number)")
    setText(column, from: start)
  }
}
