/// Lays text out for a terminal of 80 columns. Every character counts as one column wide, which is
/// true of Latin and Cyrillic.
enum Columns {
  static let width = 80

  /// Breaks a paragraph into lines at its spaces; every line is indented.
  static func wrap(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    var isBlank = true
    for word in text.split(separator: " ") {
      if !isBlank, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
        isBlank = true
      }
      line += (isBlank ? "" : " ") + word
      isBlank = false
    }
    lines.append(line)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Lays out a list of terms and what they mean; terms wider than `termWidth` get lines of their
  /// own.
  static func list(_ items: [(term: String, meaning: String)], termWidth: Int) -> String {
    let indent = 2 + termWidth + 2
    return items.reduce(into: "") { result, item in
      let term = "  " + item.term
      if item.term.count > termWidth {
        result += term + "\n" + wrap(item.meaning, indent: indent)
      } else {
        let gap = String(repeating: " ", count: indent - term.count)
        result += wrap(term + gap, item.meaning, indent: indent)
      }
    }
  }

  /// Wraps a paragraph whose first line begins with `head`, `indent` columns wide.
  private static func wrap(_ head: String, _ text: String, indent: Int) -> String {
    head + wrap(text, indent: indent).dropFirst(indent)
  }
}
