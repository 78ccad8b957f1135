/// Cuts secrets out of texts that are shown.
enum Redaction {
  /// What stands in place of what was cut out.
  static let mark = "***"

  /// Cuts the userinfo out of every URL in a text of somebody else's, such as an error message.
  static func message(_ text: String) -> String {
    rewrite(text) { $0 == "/" || $0 == "?" || $0 == "#" || $0 == " " || $0 == "'" || $0 == "\"" }
  }

  /// Cuts out everything before the last `@`, where a password could be: for a text that should be
  /// a URL and is none, so that nobody knows where its userinfo ends.
  static func malformed(_ text: String) -> String {
    let text = String(decoding: text.utf8.prefix(2048), as: UTF8.self)
    guard let at = text.lastIndex(of: "@") else { return text }
    return mark + text[at...]
  }

  private static func rewrite(_ text: String, endsAuthority: (Character) -> Bool) -> String {
    var result = ""
    var rest = text[...]
    while let colon = rest.firstIndex(of: ":") {
      let after = rest.index(after: colon)
      result += rest[..<after]
      rest = rest[after...]
      guard rest.hasPrefix("//") else { continue }
      result += "//"
      rest = rest.dropFirst(2)
      let authority = rest.prefix { !endsAuthority($0) }
      guard let at = authority.lastIndex(of: "@") else { continue }
      result += mark
      rest = rest[at...]
    }
    return result + rest
  }
}
