/// What can be wrong with a CSV text (RFC 4180).
public enum CSVFault: Equatable, Sendable {
  /// Nothing but empty lines.
  case empty
  /// The first line names none of the feed's columns; what it names.
  case noKnownColumn(expected: [String], found: [String])
  /// The first line names a column twice.
  case duplicateColumn(String)
  /// A quotation mark is not closed when the text ends.
  case unclosedQuote
  /// Bytes that are not UTF-8; what they may be, as ``ForeignEncoding`` guesses.
  case notUTF8(likely: String?)
  /// A line has more fields than this.
  case tooManyFields(limit: Int)
  /// A line, or the lines that quotation marks hold together, of more than this many bytes.
  case rowTooLong(limit: Int)
}
