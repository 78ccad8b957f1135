import Sluice

extension Format {
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
    (".sqlite", .sqlite), (".sqlite3", .sqlite), (".db", .sqlite),
  ]
}
