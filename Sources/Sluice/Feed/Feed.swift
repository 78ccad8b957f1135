/// What `sluice` knows of a feed: data that the stages read.
///
/// It is written as a YAML document, which ``FeedDocument`` reads; those in `BuiltIn` are built in.
public struct Feed: Sendable, Equatable {
  /// Its name on the command line; also the domain of its events' UIDs.
  public var name: String
  /// What it is, in a few words.
  public var summary: Localized<String>
  /// Where it is fetched from when no input is named.
  public var url: String?
  /// What is asked for where that is more than the URL alone, which is nil then.
  public var requests: FeedRequests?
  /// Header lines that its own server is asked with.
  public var headers: [Header] = []
  /// For how many seconds an answer is good: so long it is not asked again.
  public var maxAge: Int
  /// How much of it may be gone since last time; nil for the usual share.
  public var maxShrink: ShrinkLimit?
  /// The language of its calendar texts unless another is asked for.
  public var language: Language
  /// Seconds east of UTC of the clock that stamps its archive's entries.
  public var clockOffset: Int
  /// The JSON object around the payload; nil where the document itself holds the rows.
  public var envelope: Envelope?
  /// Where rows are: a path that ends in `.each`.
  public var rows: Path
  /// What is read of a row and of what stands around it, in column order.
  public var fields: [Field]
  /// What tells a row's subject from others, by number: its address, say.
  public var address: AddressColumn?
  /// What makes a row an event; nil where the feed has none.
  public var event: Event?
  /// Its tables, where it gives several; each has rows and fields of its own then, and those of the
  /// feed are the first one's.
  public var tables: [Table] = []
  /// What a database of it can be asked besides.
  public var views: [View] = []
}

extension Feed {
  /// The names of the columns, in order.
  public var columns: [String] {
    fields.flatMap(\.columns) + (address?.column.map { [$0] } ?? [])
  }

  /// Where the address's number stands in a row: in its column, or behind all columns where it has
  /// none to be seen.
  package var addressIndex: Int? {
    address.map { address in
      fields.reduce(0) { $0 + $1.columns.count }
    }
  }

  /// How many texts a row has, the address's number among them.
  package var width: Int { fields.reduce(address == nil ? 0 : 1) { $0 + $1.columns.count } }

  /// The keys of a row that are read, by which a table's columns are known.
  public var keys: [String] {
    fields.filter { $0.path.arrays == rows.arrays }.map(\.path.lastKey)
  }

  /// The columns that records can be chosen by: texts and the address's number. Days and prices are
  /// read only of records that were chosen.
  public var filterColumns: [String] {
    fields.filter(\.rule.isReadAtOnce).flatMap(\.columns) + (address?.column.map { [$0] } ?? [])
  }

  /// The columns that hold days or instants, by which rows can be chosen.
  public var dayColumns: [String] { fields.filter(\.rule.givesDays).flatMap(\.columns) }

  /// The fields that a row's first and last day come from, by their places: those of its event, or
  /// else its period, or the first that holds a day; nil where the feed has no days.
  var dayFields: (first: Int, last: Int)? {
    func field(of column: String) -> Int? { fields.firstIndex { $0.columns.contains(column) } }
    if let event, let first = field(of: event.start) {
      return (first, event.end.flatMap(field) ?? first)
    }
    let first =
      fields.firstIndex { $0.rule == .period } ?? fields.firstIndex { $0.rule.givesDays }
    return first.map { ($0, $0) }
  }

  /// How its events lie in time.
  var eventTime: EventTime {
    guard let event, let fields = dayFields, self.fields[fields.first].rule == .instant else {
      return .days
    }
    let columns = columns
    return .instants(
      start: columns.firstIndex(of: event.start) ?? 0,
      end: event.end.flatMap { columns.firstIndex(of: $0) })
  }

  /// Its events are kept by a ledger, from run to run: those that last whole days are, where each
  /// is a row.
  package var keepsLedger: Bool {
    event != nil && event?.group == nil && address != nil && eventTime == .days
  }
}

/// How events lie in time.
enum EventTime: Equatable {
  /// They last whole days: those of the row.
  case days
  /// They begin, and perhaps end, at points in time, which stand in these columns.
  case instants(start: Int, end: Int?)
}

/// Something that is read from the document and gives one or two columns.
public struct Field: Sendable, Equatable {
  /// Where it is.
  public var path: Path
  /// How its text becomes columns.
  public var rule: Rule
  /// The columns that it gives: two for a period, else one.
  public var columns: [String]
  /// A record without it is refused.
  public var isRequired = false
  /// A text that, standing alone, says that the record is of no concern; the record is skipped.
  public var skip: String?
  /// Its instants are numbers that count this; nil where they are texts.
  public var unix: UnixTime?
  /// The column that it is a share of; such a field is read from nowhere, its path has no steps.
  public var shareOf: String?

  /// Makes a field that is read as text or another kind, and gives these columns.
  package init(
    path: Path, rule: Rule, columns: [String], isRequired: Bool = false, skip: String? = nil,
    unix: UnixTime? = nil, shareOf: String? = nil
  ) {
    self.path = path
    self.rule = rule
    self.columns = columns
    self.isRequired = isRequired
    self.skip = skip
    self.unix = unix
    self.shareOf = shareOf
  }
}

/// What counts the time since 1970-01-01T00:00:00Z.
public enum UnixTime: String, Sendable, Equatable, CaseIterable, BitwiseCopyable {
  case seconds, milliseconds
}

/// How a text becomes columns: the kinds of a feed document.
public enum Rule: String, Sendable, Equatable, CaseIterable, BitwiseCopyable {
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

  /// Its column is filled as the value comes, before the record is judged: records can be chosen by
  /// it.
  var isReadAtOnce: Bool {
    self == .text || self == .verbatim || self == .integer || self == .flag
  }

  /// Its text must be of a form, by which the record is judged.
  var isJudged: Bool { self != .text && self != .verbatim && self != .share }

  /// It tells on what days a row lies.
  var givesDays: Bool { self == .day || self == .instant || self == .period }
}

/// A number made of columns: the FNV-1a hash of their folded texts.
public struct AddressColumn: Sendable, Equatable {
  /// The column that shows it, if one does.
  public var column: String?
  /// The columns it is made of, in order.
  public var parts: [String]
  /// No two rows have the same: a database keeps them apart by it.
  public var isUnique = false
}

/// What a database is told of the rows that it keeps.
public struct Table: Sendable, Equatable {
  /// Its name: of the SQL table, and in place of `{table}` in the name of an output.
  public var name: String
  /// Where its rows are, as in ``Feed``.
  public var rows: Path
  /// What is read of them, in column order.
  public var fields: [Field]
  /// The columns that tell its rows apart; none where nothing does.
  public var key: [String] = []
  /// The columns that name a row of another table, each by that one's only key column. A row goes
  /// with the row that it names.
  public var references: [Reference] = []
  /// Flags that are the user's own: made once, false at first, and never written again.
  public var marks: [String] = []

  /// A column that names a row of another table.
  public struct Reference: Sendable, Equatable {
    /// The column here.
    public var column: String
    /// The other table.
    public var table: String
    /// Its key.
    public var key: String

    /// Makes a reference.
    public init(_ column: String, to table: String, _ key: String) {
      self.column = column
      self.table = table
      self.key = key
    }
  }

  /// Makes a table.
  public init(
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

/// A question that a database answers under a name of its own: a table in another order.
public struct View: Sendable, Equatable {
  /// Its name.
  public var name: String
  /// The table.
  public var table: String
  /// The columns that it is ordered by.
  public var order: [Order]

  /// A column, and in which direction.
  public struct Order: Sendable, Equatable {
    /// The column.
    public var column: String
    /// The greatest first.
    public var isDescending = false

    /// Makes an order.
    public init(_ column: String, isDescending: Bool = false) {
      self.column = column
      self.isDescending = isDescending
    }
  }

  /// Makes a view.
  public init(_ name: String, of table: String, by order: [Order]) {
    self.name = name
    self.table = table
    self.order = order
  }
}

extension Feed {
  /// The tables that the feed gives: those that it names, or its rows as one of its own name.
  public var allTables: [Table] {
    guard tables.isEmpty else { return tables }
    let name = String(self.name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let key = address.flatMap { $0.isUnique ? $0.parts : nil } ?? []
    return [Table(name, rows: rows, fields: fields, key: key)]
  }

  /// The feed as if it gave this table only.
  public func only(_ table: Table) -> Feed {
    guard !tables.isEmpty else { return self }
    var feed = self
    feed.tables = []
    feed.rows = table.rows
    feed.fields = table.fields
    return feed
  }
}

/// The way through an API's answer to the payload, which is base64 text.
public struct Envelope: Sendable, Equatable {
  /// A field, and what it must be, as text.
  public struct Test: Sendable, Equatable {
    /// Where the field is.
    public var path: Path
    /// What it must be.
    public var value: String
  }

  /// The field that says whether the answer is one, where there is such a field.
  public var status: Test?
  /// The field that marks the feed's own element in a list; nil where the payload is in no list.
  public var match: Test?
  /// The payload, in the same element.
  public var payload: Path
  /// The payload's version, in the same element, where there is such a field.
  public var version: Path?
}

extension Feed {
  /// A header line that a feed's own server is asked with.
  public struct Header: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Its value; `$NAME` in it stands for what the environment says.
    public var value: String
  }
}

extension Feed.Header {
  /// The variables of the environment that its value names.
  package var variables: [String] {
    value.split(separator: "$", omittingEmptySubsequences: false).dropFirst().compactMap { text in
      let name = text.prefix { Self.isNameCharacter($0) }
      return name.first.map { $0.isNumber ? nil : String(name) } ?? nil
    }
  }

  /// The line, with what the environment says in it; nil where a variable is not set. Its name is
  /// then what `missing` holds.
  package func line(
    _ environment: (String) -> String?, missing: inout String?
  ) -> String? {
    var line = "\(name): "
    var rest = value[...]
    while let sign = rest.firstIndex(of: "$") {
      line += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      let variable = rest.prefix { Self.isNameCharacter($0) }
      guard let first = variable.first, !first.isNumber else {
        line += "$"
        continue
      }
      guard let text = environment(String(variable)), !text.isEmpty else {
        missing = String(variable)
        return nil
      }
      line += text
      rest = rest[variable.endIndex...]
    }
    return line + rest
  }

  /// The names of variables are upper-case, so that a price of `$a` stays one.
  static func isNameCharacter(_ character: Character) -> Bool {
    character == "_" || character.isASCII && (character.isUppercase || character.isNumber)
  }
}

/// A language that messages and calendar texts come in.
public enum Language: String, Sendable, CaseIterable {
  case ru, en
}

/// What there is in every language.
public struct Localized<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The Russian one.
  public var ru: Value
  /// The English one.
  public var en: Value

  /// Takes one of each.
  public init(ru: Value, en: Value) {
    self.ru = ru
    self.en = en
  }

  /// The one of a language.
  public subscript(language: Language) -> Value {
    switch language {
    case .ru: ru
    case .en: en
    }
  }
}

extension Feed {
  /// The feed that is meant where none is named.
  private static let standard = "hot-water"

  /// The names of the feeds that are built in: the default first, then the others by name.
  ///
  /// The documents of the folder `BuiltIn` are all of them: a build plugin lists it.
  public static let names = [standard] + DocumentList.names.filter { $0 != standard }

  /// The built-in feed of this name: only its document is read.
  public static func named(_ name: String) -> Feed? {
    // A test reads all of them: none has a fault.
    document(named: name).flatMap { try? FeedDocument.read($0) }
  }

  /// The text of a built-in feed's document.
  public static func document(named name: String) -> [UInt8]? {
    DocumentList.document(named: name)
  }
}

extension Feed {
  /// The list for each of whose items the feed asks; nil where it has none.
  public var items: ItemList? { requests?.items }
}
