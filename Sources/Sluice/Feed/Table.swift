/// A list of rows in a feed, and everything read from a row.
package struct Table: Sendable, Equatable {
  /// Its name: the name of the SQL table, and the value of `{table}` in the name of an output.
  package var name: String
  /// The path of the rows. It ends in `.each` or `.any`, or in `.zip` if they are made of lists.
  package var rows: Path
  /// The parallel lists that the rows are made of; empty if the rows are values themselves.
  package var zipped: [Path] = []
  /// The values read from a row and from its surroundings, in column order.
  package var fields: [Field]
  /// The number that identifies a row's subject, for example its address.
  package var keyNumber: KeyNumber?
  /// What its rows must be; nil for all. Others are skipped.
  package var conditions: RowCondition?
  /// How a row becomes events, each by a rule of its own; empty if the table has no events. See
  /// ``ofEachEvent``.
  package var events: [Event] = []
  /// The columns in which people search; nil if the document has no rule.
  package var search: SearchRule?
  /// The columns that identify a row; empty if there are none.
  package var key: [String]
  /// The columns that name a row of another table, each by the only key column of that table. If
  /// the named row is deleted, the row is deleted too.
  package var references: [Reference]
  /// Flags for the user. They are created once as false and never written again.
  package var marks: [String]
  /// Those of the marks whose rows no view shows, unless it asks for the mark.
  package var hides: [String] = []

  /// A column that names a row of another table.
  package struct Reference: Sendable, Equatable {
    /// The column of this table.
    package var column: String
    /// The other table.
    package var table: String
    /// The key column of the other table.
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
  /// The kind of its values.
  package var kind: ColumnKind
  /// What people call it; nil if the document does not say.
  package var label: Localized<String>?

  /// Makes a column.
  package init(_ name: String, _ kind: ColumnKind, label: Localized<String>? = nil) {
    self.name = name
    self.kind = kind
    self.label = label
  }

  /// Returns its heading for people: its label in that language, or its name if it has none.
  package func heading(in language: Language) -> String {
    guard let label = label?[language], !label.isEmpty else { return name }
    return label
  }
}

/// The kind of the values in an output column. An empty text is a missing value in every kind.
package enum ColumnKind: UInt8, Sendable, Equatable, BitwiseCopyable {
  /// Text from the feed: any characters, but no white space other than single spaces.
  case text
  /// Text from the feed as it came. So it may break lines.
  case verbatim
  /// A number in JSON's syntax, with the digits as the feed wrote them.
  case decimal
  /// A whole number.
  case integer
  /// `true` or `false`.
  case flag
  /// A day, `2020-06-22`.
  case day
  /// A point in time (RFC 3339).
  case instant
  /// A time of day, `14:30` or `14:30:15`; the end of a day is `24:00`.
  case time
  /// The number of a key. It has 64 bits, too many for the numbers of many programs.
  case keyNumber

  /// Whether its text is ASCII that no format needs to quote or escape.
  @inline(__always)
  var isTame: Bool { rawValue > ColumnKind.decimal.rawValue }

  /// Whether JSON writes its text without quotation marks.
  @inline(__always)
  var isBare: Bool { self == .decimal || self == .integer || self == .flag }
}

extension Table {
  /// The first of its events; nil if it has none.
  package var event: Event? {
    get { events.first }
    set {
      guard let newValue else { return events = [] }
      events = [newValue] + events.dropFirst()
    }
  }

  /// Its columns, in order.
  package var columns: [Column] {
    fields.flatMap { field in
      field.columns.enumerated().map { index, name in
        let label = index < field.labels.count ? field.labels[index] : nil
        return Column(name, field.kind.columnKind, label: label)
      }
    } + (keyNumber?.column.map { [Column($0, .keyNumber, label: keyNumber?.label)] } ?? [])
  }

  /// The names of the columns that an output has if it names none; nil for all.
  package var shownColumns: [String]? {
    if fields.allSatisfy(\.isShown) { return nil }
    let hidden = Set(fields.filter { !$0.isShown }.flatMap(\.columns))
    return columns.map(\.name).filter { !hidden.contains($0) }
  }

  /// The index of the key's number in a row: its column, or after all columns if it has none. It is
  /// nil if the table has no key number.
  package var keyNumberIndex: Int? {
    keyNumber.map { _ in fields.reduce(0) { $0 + $1.columns.count } }
  }

  /// The number of texts in a row, the key's number and those of its events included.
  package var width: Int { ofEachEvent.last?.eventTextsEnd ?? eventTextsStart }

  /// Whether the document is a list, whose elements have the rows. Lines of JSON are such a list
  /// too.
  var isListOfRows: Bool { rows.steps.first == .each }

  /// The keys read from a row. In a CSV input, these are the names of the columns.
  package var keys: [String] {
    fields.filter { $0.isRead && $0.path.arrays == rows.arrays }.map(\.path.lastKey)
  }

  /// Those of the keys whose values are read unchanged.
  var verbatimKeys: Set<String> {
    Set(
      fields.filter { $0.kind == .verbatim }.flatMap(\.valuePaths)
        .filter { $0.arrays == rows.arrays }.map(\.lastKey))
  }

  /// The columns for filtering records: texts and the key's number. Days and prices are read only
  /// from records that match the filter.
  package var filterColumns: [String] {
    let early = fields.filter(\.kind.isReadAtOnce).flatMap(\.columns)
    guard let keyNumber, let column = keyNumber.column, keyNumber.parts.allSatisfy(early.contains)
    else { return early }
    return early + [column]
  }

  /// The columns that conditions may be on: all whose values are in the record itself.
  package var conditionColumns: [String] {
    fields.filter { $0.kind != .share }.flatMap(\.columns)
      + (keyNumber?.column.map { [$0] } ?? [])
  }

  /// Returns the column for filtering that has this name or label, or whose value the source keeps
  /// under this key. Nil if there is none.
  package func filterColumn(_ name: String) -> String? {
    columns(named: name, in: fields.filter(\.kind.isReadAtOnce)).first
  }

  /// Returns the columns that have this name or label, or whose value the source keeps under this
  /// key: two for the key of a period. Empty if there is none.
  package func columns(named name: String) -> [String] { columns(named: name, in: fields) }

  private func columns(named name: String, in fields: [Field]) -> [String] {
    if fields.contains(where: { $0.columns.contains(name) }) || keyNumber?.column == name {
      return [name]
    }
    let key = Fold.key(name)
    func isKey(_ label: Localized<String>?) -> Bool {
      [label?.ru, label?.en].contains { $0.map(Fold.key) == key }
    }
    for field in fields {
      for (column, label) in zip(field.columns, field.labels) where isKey(label) { return [column] }
      if field.kind != .hidden, !field.path.steps.isEmpty,
        Fold.key(field.path.lastKey) == key
      {
        return field.columns
      }
    }
    return isKey(keyNumber?.label) ? [keyNumber?.column].compactMap(\.self) : []
  }

  /// Returns the column that has this name or label; nil if there is none.
  package func column(called name: String) -> String? {
    if columns.contains(where: { $0.name == name }) { return name }
    let key = Fold.key(name)
    return columns.first { column in
      [column.label?.ru, column.label?.en].contains { $0.map(Fold.key) == key }
    }?.name
  }

  /// The columns that contain days or instants. Rows can be filtered by them.
  package var dayColumns: [String] { fields.filter(\.kind.givesDays).flatMap(\.columns) }

  /// The indexes of the fields of a row's first and last day; nil if the table has no days. They
  /// are the fields of its event, or its period, or the first field with a day. With several events
  /// a row has the days of all.
  var dayFields: (first: Int, last: Int)? {
    if events.count > 1 { return nil }
    func field(of column: String) -> Int? { fields.firstIndex { $0.columns.contains(column) } }
    // The days of a repetition are made, not read.
    if event?.timing?.recurrence != nil { return nil }
    if let event, let first = field(of: event.start) {
      return (first, event.end.flatMap(field) ?? first)
    }
    let first =
      fields.firstIndex { $0.kind == .period } ?? fields.firstIndex { $0.kind.givesDays }
    return first.map { ($0, $0) }
  }

  /// The columns of a row's first and last instant; nil if its days are not those of instants.
  package var instantColumns: (first: String, last: String)? {
    guard let (first, last) = dayFields, fields[first].kind == .instant else { return nil }
    return (fields[first].columns[0], fields[last].columns[0])
  }

  /// Whether its events last whole days or lie at instants.
  var eventTime: EventTime {
    if let texts = eventTexts, let start = texts.start {
      return .instants(start: start, end: texts.end)
    }
    guard let event, let fields = dayFields, self.fields[fields.first].kind == .instant else {
      return .days
    }
    let columns = columns.map(\.name)
    return .instants(
      start: columns.firstIndex(of: event.start) ?? 0,
      end: eventTexts?.end ?? event.end.flatMap { columns.firstIndex(of: $0) })
  }

  /// Whether a ledger keeps its events from run to run. They must last whole days, and each must be
  /// one row.
  package var keepsLedger: Bool {
    events.count == 1 && event?.group == nil && event?.timing == nil && keyNumber != nil
      && eventTime == .days
  }
}

/// The time of events: whole days or instants.
enum EventTime: Equatable {
  /// They last whole days: the days of the row.
  case days
  /// They start at a point in time and may have an end. The arguments are the indexes of texts. An
  /// event without a text for its start lasts whole days.
  case instants(start: Int, end: Int?)
}

/// A value that is read from the document and fills one or two columns.
package struct Field: Sendable, Equatable {
  /// Its path in the document.
  package var path: Path
  /// How its text becomes columns.
  package var kind: FieldKind
  /// The columns that it fills: two for a period, otherwise one.
  package var columns: [String]
  /// Whether a record without it is rejected.
  package var isRequired = false
  /// The text that marks a record to skip. It must be the whole value.
  package var skip: String?
  /// The unit of instants that are numbers; nil if they are texts.
  package var unix: UnixTime?
  /// The zone of its instants; nil for the feed's clock.
  package var zone: FieldZone?
  /// What becomes of local times that clocks pass over, and of those that come twice; nil for the
  /// feed's rule.
  package var gap: ClockChanges.Gap?
  package var overlap: ClockChanges.Overlap?
  /// How its text is read, if not in the usual forms of its kind.
  package var rule: TimeRule?
  /// How its text is made of values; nil if it is the value at its path.
  package var made: MadeText?
  /// The column whose share it is. Such a field is not read from the document: its path is empty.
  package var shareOf: String?
  /// What people call its columns, one for each; empty if the document does not say.
  package var labels: [Localized<String>] = []
  /// Whether outputs have its columns that do not name them: conditions, keys and events may use
  /// others too.
  package var isShown = true

  /// Makes a field that is read as `kind` and fills `columns`.
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

/// The unit of a time counted from 1970-01-01T00:00:00Z.
package enum UnixTime: String, Sendable, Equatable, CaseIterable, BitwiseCopyable {
  case seconds, milliseconds
}

/// How a text becomes columns: the kinds of a feed document.
package enum FieldKind: String, Sendable, Equatable, BitwiseCopyable {
  /// Text: trimmed, with white space inside reduced to one space. A number is read as its text.
  case text
  /// Text unchanged, including line breaks.
  case verbatim
  /// A whole number in JSON's syntax; also in a string.
  case integer
  /// A number, with its digits unchanged; also in a string.
  case decimal
  /// One day: ISO 8601, `2020-06-22`, or `22.06.2020`. Written as ISO 8601.
  case day
  /// A point in time: RFC 3339, or ISO 8601 with an offset without a colon. Written as RFC 3339.
  case instant
  /// A time of day: `14:30`, `14:30:15`, or three or four digits. Written as `14:30`.
  case time
  /// One or more periods of whole days, as a first and a last day. Each period makes a row.
  case period
  /// True or false; also 1 and 0, or a word in a string.
  case flag
  /// A number's share of its column's total over all kept rows, in percent with three decimals,
  /// rounded half to even.
  case share
  /// The day of a single occurrence of an event that comes again. It is not read from the document.
  case occurrence
  /// A value that other fields are made of, for example the name of their zone. It has no column.
  case hidden

  /// The kind of its output columns.
  var columnKind: ColumnKind {
    switch self {
    case .text, .hidden: .text
    case .verbatim: .verbatim
    case .integer: .integer
    case .decimal, .share: .decimal
    case .day, .period, .occurrence: .day
    case .instant: .instant
    case .time: .time
    case .flag: .flag
    }
  }

  /// Whether its column is filled when the value is read, before the record is judged. Records can
  /// be filtered by such a column.
  var isReadAtOnce: Bool {
    self == .text || self == .verbatim || self == .integer || self == .flag
  }

  /// Whether its column may be part of a key. A period may be several rows.
  var mayBeKey: Bool {
    isReadAtOnce || self == .decimal || self == .day || self == .instant || self == .time
  }

  /// Whether its text may be the name of other fields' zone.
  var namesZone: Bool { self == .text || self == .verbatim || self == .hidden }

  /// Whether its text must have a certain form. The record is judged by that.
  var isJudged: Bool {
    switch self {
    case .text, .verbatim, .share, .hidden, .occurrence: false
    case .integer, .decimal, .day, .instant, .time, .period, .flag: true
    }
  }

  /// Whether it determines the days of a row.
  var givesDays: Bool { self == .day || self == .instant || self == .period }
}

extension FieldKind: CaseIterable {
  /// The kinds that a document can name.
  package static let allCases: [FieldKind] = [
    .text, .verbatim, .integer, .decimal, .day, .instant, .time, .period, .flag, .share,
  ]
}

/// A number computed from columns: the FNV-1a hash of their folded texts.
package struct KeyNumber: Sendable, Equatable {
  /// The output column of the number, if it has one.
  package var column: String?
  /// The columns from which it is computed, in order.
  package var parts: [String]
  /// What people call the output column; nil if the document does not say.
  package var label: Localized<String>?
}

/// A named view in a database: rows of a table in another order.
package struct View: Sendable, Equatable {
  /// Its name.
  package var name: String
  /// The table.
  package var table: String
  /// The sort order.
  package var order: [Order]
  /// The conditions of its rows. All must hold.
  package var conditions: [Condition] = []

  /// The values that a column may have in the rows of a view.
  package struct Condition: Sendable, Equatable {
    /// The column, or a mark.
    package var column: String
    /// The kind of the values; that of a mark is `flag`.
    package var kind: ColumnKind
    /// Whether it is a mark.
    package var isMark: Bool
    /// The values of which it must have one, at least one; an empty one is a missing value.
    package var values: [String]
    /// Whether it must have none of them instead.
    package var isNot: Bool
  }

  /// A column and its sort direction.
  package struct Order: Sendable, Equatable {
    /// The column.
    package var column: String
    /// Whether the greatest value is first.
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
