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
