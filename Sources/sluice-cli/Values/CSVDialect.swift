/// A way to write CSV; the raw value is its name on the command line.
enum CSVDialect: String, CaseIterable, Sendable {
  /// UTF-8, commas, LF; no value is changed.
  case plain
  /// What Excel opens by a double click: BOM, semicolons, CRLF, decimal commas, formula guard.
  case excel
}
