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
