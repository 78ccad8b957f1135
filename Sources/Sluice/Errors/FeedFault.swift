/// Errors of a document that is not the expected feed. The rules are those of the feed's own
/// document.
package enum FeedFault: Equatable, Sendable {
  /// The path to the rows ends early. `path` is missing, and `keys` are the keys in its place.
  case missing(path: String, keys: [String])
  /// A list of rows, or a step on the path to one, has a value of another kind.
  case wrongKind(path: String, found: TokenKind, wanted: TokenKind, keys: [String])
  /// There are records, but none has any of the feed's keys. `keys` are the keys that they have.
  case noKnownKey(expected: [String], keys: [String])
  /// A field that belongs to all rows of a list comes a second time, after its rows.
  case afterItsRows(field: String)
  /// A field that belongs to all rows of a list has not come after this many bytes of them.
  case tooManyHeld(field: String, limit: Int)
  /// A condition names a column that cannot filter records. `columns` are those that can.
  case noSuchColumn(String, columns: [String])
  /// A calendar was asked for, but the feed has no events.
  case noEvents
  /// A record of more than this many bytes.
  case recordTooLong(limit: Int)
  /// The event of a record comes more often than this in the days asked for.
  case tooManyOccurrences(limit: Int)
  /// The feed has no such table. `tables` are those that it has.
  case noSuchTable(String, tables: [String])
  /// Two rows of a table have the same key.
  case sameKey(table: String, key: [String])
  /// A row of a table refers to a row of another, `parent`, that does not exist.
  case noSuchRow(table: String, column: String, value: String, parent: String)
  /// A database cannot store this number of a table.
  case notStorable(table: String, column: String, value: String)
  /// The shares of this column cannot be computed. `choices` are the columns that can filter
  /// records.
  case share(ShareFault, of: String, choices: [String])
  /// The rows of one key and day, which make one event, are not next to each other.
  case groupApart(key: [String], day: Day)
  /// A number has too many digits to compute with.
  case notReckonable(column: String, value: String)
  /// A time zone that the document names cannot be read from the system's database.
  case noZone(String, ZoneFile.Fault)
  /// An answer has no records. The one before had this many.
  case emptied(before: Int)
  /// More records were rejected than the limit allows.
  case tooManyRejects(rejected: Int, of: Int, limit: RejectLimit)
  /// All records that were selected, this many, were rejected.
  case allRejected(Int)

  /// The kind of problem.
  package var `class`: FaultClass {
    switch self {
    case .noSuchColumn, .noEvents, .noSuchTable: .usage
    case .noZone: .noInput
    case .missing, .wrongKind, .noKnownKey, .afterItsRows, .tooManyHeld, .recordTooLong,
      .tooManyOccurrences, .sameKey, .noSuchRow,
      .notStorable, .share, .groupApart, .notReckonable, .emptied, .tooManyRejects,
      .allRejected:
      .badFeed
    }
  }
}

/// Reasons that shares cannot be computed. Without one record all other shares would be wrong.
package enum ShareFault: Equatable, Sendable {
  /// A value is not a number; nil if it is a list or an object.
  case notANumber(String?)
  /// A value is less than zero.
  case negative(String)
  /// A value, or the total, has more digits than can be counted exactly.
  case tooLong(limit: Int)
  /// All values are zero.
  case zeroTotal
}

/// Reasons to reject a record. The raw values are the codes of the rejects file and do not change.
public enum RejectReason: String, Error, Sendable, CaseIterable {
  /// An element of the list of records is not an object.
  case notAnObject = "not-an-object"
  /// A line of a CSV text has more or fewer fields than its first.
  case wrongFieldCount = "wrong-field-count"
  /// The value of a field has another kind than its column needs.
  case wrongKind = "wrong-kind"
  /// A field occurs twice in the record.
  case duplicateKey = "duplicate-key"
  /// A required field is missing, null or empty.
  case missingValue = "missing-value"
  /// A text is not a period.
  case notAPeriod = "not-a-period"
  /// A cell has more than a hundred periods.
  case tooManyPeriods = "too-many-periods"
  /// A date is a day that does not exist.
  case noSuchDay = "no-such-day"
  /// A period ends before it starts.
  case endBeforeStart = "end-before-start"
  /// A text is not a point in time with an offset from UTC (RFC 3339 or ISO 8601).
  case notAnInstant = "not-an-instant"
  /// A text is not a whole number of seconds or milliseconds since 1970, or is out of range.
  case notAUnixTime = "not-a-unix-time"
  /// A text is not a time of day.
  case notATime = "not-a-time"
  /// A local time that no clock of its zone shows, because it is put forward.
  case noSuchTime = "no-such-time"
  /// A local time that comes twice, because the clock is put back.
  case ambiguousTime = "ambiguous-time"
  /// A text is no name of a time zone that the system knows.
  case noSuchZone = "no-such-zone"
  /// A text is not a number.
  case notADecimal = "not-a-decimal"
  /// A text is not a whole number.
  case notAnInteger = "not-an-integer"
  /// A text is not a day.
  case notADay = "not-a-day"
  /// A text is not in the column's map, which rejects all others.
  case notInMap = "not-in-map"
  /// A text is neither true nor false.
  case notAFlag = "not-a-flag"
  /// A value of more than 1 MiB.
  case tooLong = "too-long"
  /// The address has the number of another one. Unlike other records with a reason, this one has
  /// its rows in the tables. Only its event is left out.
  case sameNumber = "same-number"
}

/// The number of rejected records above which a run fails.
public enum RejectLimit: Equatable, Sendable {
  /// More than this many.
  case count(Int)
  /// More than this share of all records read, in millionths.
  case share(millionths: Int)

  /// Ten percent.
  public static let standard = RejectLimit.share(millionths: 100_000)
  /// No limit: even all records may be rejected.
  package static let unlimited = RejectLimit.count(.max)

  /// Returns whether the limit allows `rejected` of the `read` records.
  package func allows(_ rejected: Int, of read: Int) -> Bool {
    switch self {
    case .count(let limit): rejected <= limit
    case .share(let millionths):
      rejected * 1_000_000 <= read * millionths
    }
  }
}

/// A rejected record, with all that a person needs to find and correct it.
package struct Reject: Sendable, Equatable {
  /// The name of the input, if there are several.
  package var input: String?
  /// The record's number, counted from 1 in the order of the input.
  package var record: Int
  /// The offset of the record, in bytes from the start of the JSON or CSV text.
  package var offset: Int
  /// The field, by the feed's own key; nil if the whole record is wrong.
  package var field: String?
  /// The raw text of the field, its first 64 KiB; nil if there is none.
  package var value: [UInt8]?
  /// The reason for rejecting it.
  package var reason: RejectReason
  /// The raw text of the record, its first 64 KiB.
  package var raw: [UInt8]
}

/// Receives the rejected records, in order.
protocol RejectReceiver: AnyObject {
  /// Receives the next record. Throws if it cannot be written.
  func receive(_ reject: Reject) throws(PipelineError)
}

extension RejectLimit {
  /// Reads `N` or `N%`, the latter up to 100 and with at most four decimals. Returns nil for any
  /// other text.
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
