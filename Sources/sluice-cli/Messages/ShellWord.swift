/// A text as one word of a shell's command line (POSIX, Shell Command Language, 2.2.2): in single
/// quotes where it holds more than letters, digits and what no shell minds.
func shellWord(_ text: String) -> String {
  let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.,:/@%+".contains($0) }
  guard !isPlain || text.isEmpty else { return escaped(text) }
  let parts = text.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.map { escaped(String($0)) }.joined(separator: #"'\''"#) + "'"
}
