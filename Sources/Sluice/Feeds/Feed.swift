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
  var addressIndex: Int? {
    address.map { address in
      fields.reduce(0) { $0 + $1.columns.count }
    }
  }

  /// How many texts a row has, the address's number among them.
  var width: Int { fields.reduce(address == nil ? 0 : 1) { $0 + $1.columns.count } }

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
  var keepsLedger: Bool {
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
