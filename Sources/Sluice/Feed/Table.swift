/// A list of rows that a feed gives, and everything that is read of a row.
package struct Table: Sendable, Equatable {
  /// Its name: of the SQL table, and in place of `{table}` in the name of an output.
  package var name: String
  /// The path of the rows, which ends in `.each`.
  package var rows: Path
  /// The values that are read of a row and of what surrounds it, in column order.
  package var fields: [Field]
  /// The number that tells a row's subject from others, for example its address.
  package var address: KeyNumber?
  /// What makes a row an event; nil if the table has no events.
  package var event: Event?
  /// The columns that tell its rows apart; empty if nothing does.
  package var key: [String]
  /// The columns that name a row of another table, each by the only key column of that table. A row
  /// goes with the row that it names.
  package var references: [Reference]
  /// Flags of the user's own: made once, false at first, and never written again.
  package var marks: [String]

  /// A column that names a row of another table.
  package struct Reference: Sendable, Equatable {
    /// The column here.
    package var column: String
    /// The other table.
    package var table: String
    /// Its key.
    package var key: String

    /// Makes a reference.
    package init(_ column: String, to table: String, _ key: String) {
      self.column = column
      self.table = table
      self.key = key
    }
  }

  /// Makes a table.
  package init(
    _ name: String, rows: Path, fields: [Field], key: [String] = [],
    references: [Reference] = [], marks: [String] = []
  ) {
    self.name = name
    self.rows = rows
    self.fields = fields
    self.key = key
    self.references = references
    self.marks = marks
  }
}

/// A column of an output.
package struct Column: Sendable, Equatable {
  /// Its name.
  package var name: String
  /// What it holds.
  package var kind: ColumnKind

  /// Makes a column.
  package init(_ name: String, _ kind: ColumnKind) {
    self.name = name
    self.kind = kind
  }
}

/// What a column of an output holds. An empty text is a missing value, of every kind.
package enum ColumnKind: UInt8, Sendable, Equatable, BitwiseCopyable {
  /// Text from the feed: any characters.
  case text
  /// A number with the digits that the feed wrote, in JSON's syntax.
  case decimal
  /// A whole number.
  case integer
  /// `true` or `false`.
  case flag
  /// A day, `2020-06-22`.
  case day
  /// A point in time (RFC 3339).
  case instant
  /// The number of a key: 64 bits, which many programs cannot hold as a number.
  case keyNumber

  /// Its text is ASCII that no format has to quote or to escape.
  @inline(__always)
  var isTame: Bool { rawValue > ColumnKind.decimal.rawValue }

  /// JSON writes its text without quotation marks.
  @inline(__always)
  var isBare: Bool { self == .decimal || self == .integer || self == .flag }
}

extension Table {
  /// Its columns, in order.
  package var columns: [Column] {
    fields.flatMap { field in field.columns.map { Column($0, field.kind.columnKind) } }
      + (address?.column.map { [Column($0, .keyNumber)] } ?? [])
  }

  /// The place of the key's number in a row: its column, or after all columns if it has none.
  package var keyNumberIndex: Int? {
    address.map { _ in fields.reduce(0) { $0 + $1.columns.count } }
  }

  /// The number of texts in a row, the key's number included.
  package var width: Int { fields.reduce(address == nil ? 0 : 1) { $0 + $1.columns.count } }

  /// The keys of a row that are read; the columns of a CSV input are known by them.
  package var keys: [String] {
    fields.filter { $0.path.arrays == rows.arrays }.map(\.path.lastKey)
  }

  /// The columns that records can be filtered by: texts and the key's number. Days and prices are
  /// read only of records that the filter has let through.
  package var filterColumns: [String] {
    fields.filter(\.kind.isReadAtOnce).flatMap(\.columns) + (address?.column.map { [$0] } ?? [])
  }

  /// The columns that hold days or instants; rows can be filtered by them.
  package var dayColumns: [String] { fields.filter(\.kind.givesDays).flatMap(\.columns) }

  /// The fields of a row's first and last day: those of its event, or its period, or the first field
  /// that holds a day; nil if the table has no days.
  var dayFields: (first: Int, last: Int)? {
    func field(of column: String) -> Int? { fields.firstIndex { $0.columns.contains(column) } }
    if let event, let first = field(of: event.start) {
      return (first, event.end.flatMap(field) ?? first)
    }
    let first =
      fields.firstIndex { $0.kind == .period } ?? fields.firstIndex { $0.kind.givesDays }
    return first.map { ($0, $0) }
  }

  /// How its events lie in time.
  var eventTime: EventTime {
    guard let event, let fields = dayFields, self.fields[fields.first].kind == .instant else {
      return .days
    }
    let columns = columns.map(\.name)
    return .instants(
      start: columns.firstIndex(of: event.start) ?? 0,
      end: event.end.flatMap { columns.firstIndex(of: $0) })
  }

  /// Whether a ledger keeps its events from run to run: they last whole days, and each is one row.
  package var keepsLedger: Bool {
    event != nil && event?.group == nil && address != nil && eventTime == .days
  }
}

/// How events lie in time.
enum EventTime: Equatable {
  /// They last whole days: those of the row.
  case days
  /// They begin, and perhaps end, at points in time, which are in these columns.
  case instants(start: Int, end: Int?)
}

/// Something that is read from the document and gives one or two columns.
package struct Field: Sendable, Equatable {
  /// Where it is.
  package var path: Path
  /// How its text becomes columns.
  package var kind: FieldKind
  /// The columns that it gives: two for a period, else one.
  package var columns: [String]
  /// A record without it is refused.
  package var isRequired = false
  /// A text that, standing alone, says that the record is of no concern; the record is skipped.
  package var skip: String?
  /// Its instants are numbers that count this; nil where they are texts.
  package var unix: UnixTime?
  /// The column that it is a share of; such a field is read from nowhere, its path has no steps.
  package var shareOf: String?

  /// Makes a field that is read as text or another kind, and gives these columns.
  package init(
    path: Path, kind: FieldKind, columns: [String], isRequired: Bool = false, skip: String? = nil,
    unix: UnixTime? = nil, shareOf: String? = nil
  ) {
    self.path = path
    self.kind = kind
    self.columns = columns
    self.isRequired = isRequired
    self.skip = skip
    self.unix = unix
    self.shareOf = shareOf
  }
}

/// What counts the time since 1970-01-01T00:00:00Z.
package enum UnixTime: String, Sendable, Equatable, CaseIterable, BitwiseCopyable {
  case seconds, milliseconds
}

/// How a text becomes columns: the kinds of a feed document.
package enum FieldKind: String, Sendable, Equatable, CaseIterable, BitwiseCopyable {
  /// Text: trimmed, white space inside made one space. A number is taken as its text.
  case text
  /// Text as it came, line breaks and all.
  case verbatim
  /// A whole number, as JSON writes it; also one that stands in a string.
  case integer
  /// A number, its digits unchanged; also one that stands in a string.
  case decimal
  /// One day: ISO 8601, `2020-06-22`, or `22.06.2020`; as ISO 8601.
  case day
  /// A point in time (RFC 3339, and ISO 8601 with an offset without colon), as RFC 3339.
  case instant
  /// One or several periods of whole days, as a first and a last day; several give several rows.
  case period
  /// True or false; also as 1 and 0, or a word in a string.
  case flag
  /// A number's part of its column's total, over all rows that are kept: percent with three
  /// decimals, rounded half to even.
  case share

  /// The kind of its columns.
  var columnKind: ColumnKind {
    switch self {
    case .text, .verbatim: .text
    case .integer: .integer
    case .decimal, .share: .decimal
    case .day, .period: .day
    case .instant: .instant
    case .flag: .flag
    }
  }

  /// Its column is filled as the value comes, before the record is judged: records can be filtered by
  /// it.
  var isReadAtOnce: Bool {
    self == .text || self == .verbatim || self == .integer || self == .flag
  }

  /// Its text must have a certain form, and the record is judged by that.
  var isJudged: Bool { self != .text && self != .verbatim && self != .share }

  /// It tells on what days a row lies.
  var givesDays: Bool { self == .day || self == .instant || self == .period }
}

/// A number made of columns: the FNV-1a hash of their folded texts.
package struct KeyNumber: Sendable, Equatable {
  /// The column that shows it, if one does.
  package var column: String?
  /// The columns it is made of, in order.
  package var parts: [String]
  /// No two rows have the same: a database keeps them apart by it.
  package var isUnique = false
}

/// A question that a database answers under a name of its own: a table in another order.
package struct View: Sendable, Equatable {
  /// Its name.
  package var name: String
  /// The table.
  package var table: String
  /// The columns that it is ordered by.
  package var order: [Order]

  /// A column, and in which direction.
  package struct Order: Sendable, Equatable {
    /// The column.
    package var column: String
    /// The greatest first.
    package var isDescending = false

    /// Makes an order.
    package init(_ column: String, isDescending: Bool = false) {
      self.column = column
      self.isDescending = isDescending
    }
  }

  /// Makes a view.
  package init(_ name: String, of table: String, by order: [Order]) {
    self.name = name
    self.table = table
    self.order = order
  }
}
