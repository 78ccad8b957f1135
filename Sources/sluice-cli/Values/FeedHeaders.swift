import Sluice

extension Feed {
  /// The variables that the environment has to have when the feed's server is asked.
  private var variables: [String] {
    headers.flatMap(\.variables) + (requests?.variables ?? [])
  }

  /// Those of them that are not set.
  var unsetVariables: [String] {
    var names: [String] = []
    for name in variables where !names.contains(name) && Environment.value(name) == nil {
      names.append(name)
    }
    return names
  }
}

extension ReadingOptions {
  /// The header lines to ask with: those that were typed or set, and those of the feed where its own
  /// server is asked. What the environment says goes nowhere else.
  var headerLines: [String] {
    get throws(UsageError) {
      guard isOwnServer else { return headers }
      var lines = headers
      for header in feed.headers {
        let prefix = header.name.lowercased() + ":"
        if headers.contains(where: { $0.lowercased().hasPrefix(prefix) }) { continue }
        var missing: String?
        let line = header.line(Environment.value, missing: &missing)
        guard let line else { throw .noVariable(missing ?? "", feed: feed.name) }
        guard let checked = HeaderLine(line) else {
          throw .badFeedHeader(header.name, feed: feed.name)
        }
        lines.append(checked.text)
      }
      return lines
    }
  }

  /// The feed's own server is asked, or a mirror that stands in for it.
  private var isOwnServer: Bool {
    switch input {
    case .requests: true
    case .url(let url):
      feed.url.map { ReadingOptions.origin(of: url) == ReadingOptions.origin(of: $0) } ?? false
    case .file, .standardInput: false
    }
  }

  /// The input, with what the environment says for the feed's variables.
  var inputWithSecrets: Input {
    get throws(UsageError) {
      guard case .requests(var asked) = input, let requests = feed.requests else { return input }
      var values = try Environment.values(requests.variables, feed: feed.name)
      // A header line that was typed needs no variable of the feed's.
      for name in feed.headers.flatMap(\.variables) { values[name] = Environment.value(name) }
      asked.secrets = RequestSecrets(values)
      return .requests(asked)
    }
  }

  /// Scheme, host and port as they are written.
  private static func origin(of url: String) -> Substring {
    let lower = url.lowercased()
    guard let start = lower.firstPlace(of: "://")?.upperBound else { return lower[...] }
    let end = lower[start...].firstIndex { "/?#\\".contains($0) } ?? lower.endIndex
    return lower[..<end]
  }
}
