import Glibc
import Sluice

extension ReadingOptions {
  /// The header lines to ask with: those that were typed or set, and those of the feed where its own
  /// server is asked. What the environment says goes nowhere else.
  var headerLines: [String] {
    get throws(UsageError) {
      guard case .url(let url) = input, let own = feed.url,
        ReadingOptions.origin(of: url) == ReadingOptions.origin(of: own)
      else { return headers }
      var lines = headers
      for header in feed.headers {
        let prefix = header.name.lowercased() + ":"
        if headers.contains(where: { $0.lowercased().hasPrefix(prefix) }) { continue }
        var missing: String?
        let line = header.line(
          { name in getenv(name).map { String(cString: $0) } }, missing: &missing)
        guard let line else { throw .noVariable(missing ?? "", feed: feed.name) }
        guard let checked = HeaderLine(line) else {
          throw .badFeedHeader(header.name, feed: feed.name)
        }
        lines.append(checked.text)
      }
      return lines
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
