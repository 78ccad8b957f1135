/// A format that rows can be written in.
public enum Format: String, Sendable, CaseIterable {
  /// Comma-separated values (RFC 4180), a header first.
  case csv
  /// A JSON object a line.
  case ndjson
  /// iCalendar (RFC 5545), an event a row.
  case ics
  /// A SQLite database, a row a row.
  case sqlite
}
