/// Hides the secrets that a setting may hold.
enum Secrets {
  private static let mark = "***"

  /// The value of a setting as it may be shown: header lines without what lets somebody in, URLs
  /// without userinfo and without the values of parameters that are called like secrets.
  static func hidden(_ text: String, of key: String) -> String {
    switch OptionName(rawValue: key) {
    case .header: header(text)
    // Whoever knows a watcher's URL may speak for the run.
    case .ping: mark
    default: url(text)
    }
  }

  private static func header(_ line: String) -> String {
    guard let colon = line.firstIndex(of: ":") else { return mark }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }.lowercased()
    let schemes = ["bearer ", "basic ", "digest "]
    let isSecret = isTelling(line[..<colon]) || schemes.contains(where: value.hasPrefix)
    return isSecret ? "\(line[..<colon]): \(mark)" : line
  }

  private static func url(_ text: String) -> String {
    guard let start = text.firstPlace(of: "://")?.upperBound else { return text }
    var rest = text[start...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    var result = String(text[..<start])
    if let at = authority.lastIndex(of: "@") {
      result += mark
      rest = rest[at...]
    }
    guard let query = rest.firstIndex(of: "?") else { return result + rest }
    result += rest[...query]
    let parameters = rest[rest.index(after: query)...]
      .split(separator: "&", omittingEmptySubsequences: false)
    return result
      + parameters.map { parameter in
        guard let equals = parameter.firstIndex(of: "="), isTelling(parameter[..<equals])
        else { return String(parameter) }
        return "\(parameter[...equals])\(mark)"
      }.joined(separator: "&")
  }

  /// A name that secrets go by.
  private static func isTelling(_ name: Substring) -> Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "token", "key", "secret", "pass", "session", "sign", "credential"]
      .contains { name.firstPlace(of: $0) != nil }
  }
}
