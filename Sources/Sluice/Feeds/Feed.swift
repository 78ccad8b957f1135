/// What `sluice` knows of a feed: data that the stages read.
///
/// A new feed is one value like `Feed.hotWater`, one line in ``all`` and a folder in `Samples/`.
public struct Feed: Sendable, Equatable {
  /// Its name on the command line; also the domain of its events' UIDs.
  public var name: String
  /// What it is, in a few words.
  public var summary: Localized
  /// Where it is fetched from when no input is named.
  public var url: String?
  /// For how many seconds an answer is good: so long it is not asked again.
  public var maxAge: Int
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
  /// The column that numbers addresses.
  public var address: AddressColumn?
  /// What makes a row an event; nil where the feed has none.
  public var event: Event?

  /// The names of the columns, in order.
  public var columns: [String] {
    fields.flatMap(\.columns) + (address.map { [$0.column] } ?? [])
  }

  /// The columns that records can be chosen by: texts and the address's number. Days and prices are
  /// read only of records that were chosen.
  public var filterColumns: [String] {
    fields.filter { $0.rule == .text }.flatMap(\.columns) + (address.map { [$0.column] } ?? [])
  }

  /// The columns that hold days or instants, by which rows can be chosen.
  public var dayColumns: [String] {
    fields.filter { $0.rule == .period || $0.rule == .instant }.flatMap(\.columns)
  }

  /// All feeds; the first is the default.
  public static let all: [Feed] = [.hotWater, .bonds]

  /// The feed of this name.
  public static func named(_ name: String) -> Feed? { all.first { $0.name == name } }
}

/// The way through an API's answer to the payload, which is base64 text.
public struct Envelope: Sendable, Equatable {
  /// The field that says whether the answer is one, and the text that says so.
  public var status: Path
  /// The status of a good answer.
  public var accepted: String
  /// The field that marks the feed's own element in a list.
  public var mark: Path
  /// What that field must be, as text.
  public var marked: String
  /// The payload, in the same element.
  public var payload: Path
  /// The payload's version, in the same element, where there is such a field.
  public var version: Path?
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
}

/// How a text becomes columns.
public enum Rule: String, Sendable, Equatable, BitwiseCopyable {
  /// Text: trimmed, white space inside made one space. A number is taken as its text.
  case text
  /// A number, its digits unchanged; also one that stands in a string.
  case decimal
  /// A point in time (RFC 3339, and ISO 8601 with an offset without colon), as RFC 3339.
  case instant
  /// One or several periods of whole days, as a first and a last day; several give several rows.
  case period
}

/// A column made of others: the FNV-1a hash of their folded texts.
public struct AddressColumn: Sendable, Equatable {
  /// Its name.
  public var column: String
  /// The columns it is made of, in order.
  public var parts: [String]
}

/// What makes a row an event of a calendar.
public struct Event: Sendable, Equatable {
  /// The calendar's name.
  public var calendarName: Localized
  /// A colour's name (CSS3, RFC 7986, section 5.9).
  public var color: String
  /// How often to fetch it anew, an RFC 5545 duration.
  public var refresh: String
  /// The event's title.
  public var summary: Template
  /// The event's place.
  public var location: Template
  /// The event's category.
  public var category: Localized
}

/// A text with places for a row's columns: clauses, joined by commas, of parts, joined by spaces.
///
/// A part whose column is missing drops out with its word, a clause without parts with its comma.
public struct Template: Sendable, Equatable {
  /// A column's text behind a word.
  public struct Part: Sendable, Equatable {
    /// The word before it, with its space; empty where there is none.
    public var word: Localized
    /// The column.
    public var column: String

    /// Makes a part; the words are without the space.
    public init(_ column: String, ru: String = "", en: String = "") {
      self.column = column
      word = Localized(ru: ru.isEmpty ? "" : ru + " ", en: en.isEmpty ? "" : en + " ")
    }
  }

  /// What stands before the first clause.
  public var prefix = Localized(ru: "", en: "")
  /// The clauses.
  public var clauses: [[Part]]
}
