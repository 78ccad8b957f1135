/// What can be wrong with a document as the feed it is meant to be.
public enum FeedFault: Equatable, Sendable {
  /// The way to the rows breaks off: there is no such key; `keys` are the ones that are there.
  case missing(path: String, keys: [String])
  /// A list of rows, or a step on the way to one, is another kind of value.
  case wrongKind(path: String, found: TokenKind, wanted: TokenKind, keys: [String])
  /// There are records, but none has any of the feed's keys; `keys` are the ones that are there.
  case noKnownKey(expected: [String], keys: [String])
  /// A field that belongs to all rows of a list comes after the list.
  case afterItsRows(field: String)
  /// A condition asks for a column that records of the feed cannot be chosen by.
  case noSuchColumn(String, columns: [String])
  /// The feed has no events, and a calendar was asked for.
  case noEvents
  /// A record is larger than this.
  case recordTooLong(limit: Int)
  /// There is no such table.
  case noSuchTable(String, tables: [String])
  /// Two rows of a table have the same key.
  case sameKey(table: String, key: [String])
  /// A row of a table names a row of another that is not there.
  case noSuchRow(table: String, column: String, value: String, parent: String)
  /// A number of a table is none that a database can hold.
  case notStorable(table: String, column: String, value: String)
  /// There are no shares of this column; `choices` are the columns that records can be chosen by.
  case share(ShareFault, of: String, choices: [String])
  /// Rows of one key and day, which make one event, do not stand together.
  case groupApart(key: [String], day: Day)
  /// A number has more digits than can be reckoned with.
  case notReckonable(column: String, value: String)
  /// An answer has no records where the one before had so many.
  case emptied(before: Int)
  /// More records were refused than the limit allows.
  case tooManyRejects(rejected: Int, of: Int, limit: RejectLimit)
}

/// Why there are no shares of a column. A record that is left out would make all others wrong.
public enum ShareFault: Equatable, Sendable {
  /// A value is no number; a list or an object has no text.
  case notANumber(String?)
  /// A value is less than zero.
  case negative(String)
  /// A value, or the total, has more digits than can be counted exactly.
  case tooLong(limit: Int)
  /// All values are zero.
  case zeroTotal
}

/// Why a record was refused: the fixed codes of the rejects file.
public enum RejectReason: String, Error, Sendable, CaseIterable {
  /// An element of the list of records is no object.
  case notAnObject = "not-an-object"
  /// A line of a table has other fields than its first.
  case wrongFieldCount = "wrong-field-count"
  /// A field holds another kind of value than its rule takes.
  case wrongKind = "wrong-kind"
  /// A field stands twice in the record.
  case duplicateKey = "duplicate-key"
  /// A field that must be there is missing, null or empty.
  case missingValue = "missing-value"
  /// A text is no period.
  case notAPeriod = "not-a-period"
  /// A cell holds more than a hundred periods.
  case tooManyPeriods = "too-many-periods"
  /// A date names a day that the calendar has not.
  case noSuchDay = "no-such-day"
  /// A period ends before it starts.
  case endBeforeStart = "end-before-start"
  /// A text is no point in time with an offset from UTC.
  case notAnInstant = "not-an-instant"
  /// A text is no whole number of seconds or milliseconds since 1970, or too great a one.
  case notAUnixTime = "not-a-unix-time"
  /// A text is no number.
  case notADecimal = "not-a-decimal"
  /// A text is no whole number.
  case notAnInteger = "not-an-integer"
  /// A text is no day.
  case notADay = "not-a-day"
  /// A text is neither true nor false.
  case notAFlag = "not-a-flag"
}

/// How many refused records are too many.
public enum RejectLimit: Equatable, Sendable {
  /// More than this many.
  case count(Int)
  /// More than this share of the records not filtered away, in millionths.
  case share(millionths: Int)

  /// Ten percent.
  public static let standard = RejectLimit.share(millionths: 100_000)

  /// The limit allows `rejected` of `judged` records.
  package func allows(_ rejected: Int, of judged: Int) -> Bool {
    switch self {
    case .count(let limit): rejected <= limit
    case .share(let millionths):
      rejected * 1_000_000 <= judged * millionths
    }
  }
}

/// A record that was refused, with what a person needs to find and mend it.
public struct Reject: Sendable, Equatable {
  /// Which record, counted from 1.
  public var record: Int
  /// Where it begins, in bytes of the JSON.
  public var offset: Int
  /// The field, by the feed's own key; nil where the whole record is at fault.
  public var field: String?
  /// The field's text as it came, its first 64 KiB; nil where there is none.
  public var value: [UInt8]?
  /// Why.
  public var reason: RejectReason
  /// The record as it came, its first 64 KiB.
  public var raw: [UInt8]
}

/// Takes the records that were refused, in order.
protocol RejectReceiver: AnyObject {
  /// Takes the next one.
  func receive(_ reject: Reject) throws(PipelineError)
}

extension RejectLimit {
  /// Takes `N` or `N%`, the latter up to 100 and with at most four decimals.
  package init?(_ text: String) {
    guard text.last == "%" else {
      guard let count = wholeNumber(text[...]) else { return nil }
      self = .count(count)
      return
    }
    let parts = text.dropLast().split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = wholeNumber(parts[0]), whole <= 100 else { return nil }
    var millionths = whole * 10_000
    if parts.count == 2 {
      let decimals = parts[1]
      guard decimals.count <= 4, let digits = wholeNumber(decimals) else { return nil }
      millionths += (decimals.count..<4).reduce(digits) { value, _ in value * 10 }
    }
    guard millionths <= 1_000_000 else { return nil }
    self = .share(millionths: millionths)
  }
}
