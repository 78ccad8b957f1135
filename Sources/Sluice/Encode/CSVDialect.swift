/// A way of writing CSV.
public enum CSVDialect: String, Sendable, CaseIterable {
  /// UTF-8, a comma, LF: for programs (RFC 4180, but for the line ends).
  case plain
  /// A byte order mark, a semicolon, CRLF, decimals with a comma, and a guard on formulas: for
  /// spreadsheets in a Russian locale.
  case excel

  var separator: UInt8 { self == .plain ? UInt8(ascii: ",") : UInt8(ascii: ";") }
  var lineEnd: StaticString { self == .plain ? "\n" : "\r\n" }
  var mark: StaticString { self == .plain ? "" : "\u{FEFF}" }
}
