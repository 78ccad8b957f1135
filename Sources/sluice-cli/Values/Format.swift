/// A format that outputs are written in; the raw value is its name on the command line.
enum Format: String, CaseIterable, Sendable {
  case csv, ndjson, ics

  /// Takes the format that the extension of a path names, in any case; nil where it names none.
  init?(extensionOf path: String) {
    let path = path.lowercased()
    for (ending, format) in Format.endings where path.hasSuffix(ending) {
      self = format
      return
    }
    return nil
  }

  /// Every extension that names a format.
  static let endings: [(String, Format)] = [
    (".csv", .csv), (".ndjson", .ndjson), (".jsonl", .ndjson), (".ics", .ics),
  ]
}
