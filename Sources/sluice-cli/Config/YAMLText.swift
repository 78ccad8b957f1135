/// Writes texts as YAML.
enum YAMLText {
  /// A text, in quotes where it could be taken for something else or holds what cannot be shown.
  static func scalar(_ text: String) -> String {
    let safe = escaped(text, limit: .max)
    if safe != text { return quoted(text) }
    let isPlain =
      text.first.map { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "." } == true
      && text.last != ":" && !["null", "Null", "NULL"].contains(text)
      && text.allSatisfy { $0.isLetter || $0.isNumber || "/._-=%+:?&*".contains($0) }
    return isPlain ? text : "'" + text.escaping("'", as: "''") + "'"
  }

  /// A text in quotation marks in which escapes can stand.
  static func quoted(_ text: String) -> String {
    "\"" + escaped(text.escaping("\\\"", as: "\\$"), limit: .max) + "\""
  }
}
