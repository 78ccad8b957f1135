/// Removes secrets from texts that are shown.
package enum Redaction {
  /// The text that replaces a secret.
  package static let mark = "***"

  /// Returns a URL without its userinfo, and without the userinfo of every other URL in its path
  /// and query. Returns a text without `://` unchanged.
  package static func url(_ text: String) -> String {
    guard let parts = URLParts(text) else { return text }
    let userinfo = parts.userinfo == nil ? "" : mark + "@"
    return parts.prefix + userinfo + parts.server + message(String(parts.rest))
  }

  /// Returns a text of another program, such as an error message, without the userinfo of every URL
  /// in it.
  static func message(_ text: String) -> String {
    var shown = ""
    var rest = text[...]
    while let start = rest.firstPlace(of: "://")?.upperBound {
      shown += rest[..<start]
      rest = rest[start...]
      // libcurl ignores a third slash.
      let slashes = rest.utf8.prefix { $0 == UInt8(ascii: "/") }.count
      let authority = rest.utf8.dropFirst(slashes).prefix { !"/?# '\"".utf8.contains($0) }
      guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { continue }
      shown += rest[..<authority.startIndex] + mark
      rest = rest[at...]
    }
    return shown + rest
  }

  /// Returns an invalid URL without everything before the last `@`, because any of it could be a
  /// password.
  static func malformed(_ text: String) -> String {
    let text = String(decoding: text.utf8.prefix(2048), as: UTF8.self)
    guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
    return mark + text[at...]
  }
}

/// The environment's values for the variables of a feed. They are never shown and never stored.
package struct RequestSecrets: Sendable, Equatable {
  /// The shortest value in bytes that is removed from messages. A shorter one is often part of
  /// ordinary words.
  private static let least = 4
  /// The end of a shortened excerpt.
  private static let ellipsis = Array("…".utf8)
  private let values: [String: String]

  /// Makes secrets of the values of variables, by their names.
  package init(_ values: [String: String] = [:]) { self.values = values }

  /// The value of a variable, or nil if it is not set or empty.
  package subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the text without the values, plain or percent-encoded, and without the start of a
  /// value at the end of an excerpt.
  package func hide(in text: String) -> String {
    // The longest first: a value may be a part of another.
    let secrets = values.values.map { Array($0.utf8) }.filter { $0.count >= Self.least }
      .sorted { $0.count > $1.count }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first {
      if let end = secrets.lazy.compactMap({ Self.end(of: $0, at: rest) }).first {
        shown += Redaction.mark.utf8
        rest = rest[end...]
      } else {
        shown.append(first)
        rest.removeFirst()
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns the index after a value at the start of a text, or nil if the text does not begin with
  /// it. Each byte may be plain, percent-encoded in either case, or after a backslash. A space may
  /// also be `+`.
  private static func end(of secret: [UInt8], at text: ArraySlice<UInt8>) -> Int? {
    var rest = text
    for (count, byte) in secret.enumerated() {
      guard let first = rest.first else { return nil }
      if first == byte || byte == UInt8(ascii: " ") && first == UInt8(ascii: "+") {
        rest.removeFirst()
      } else if PercentEncoding.byte(at: rest) == byte {
        rest.removeFirst(3)
      } else if first == UInt8(ascii: "\\"), rest.dropFirst().first == byte {
        rest.removeFirst(2)
      } else {
        return count >= least && rest.starts(with: ellipsis) ? rest.startIndex : nil
      }
    }
    return rest.startIndex
  }
}

extension RequestSecrets: CustomStringConvertible, CustomDebugStringConvertible {
  /// The names of the variables.
  package var description: String { values.keys.sorted().map { "$\($0)" }.joined(separator: ", ") }
  /// The names of the variables.
  package var debugDescription: String { description }
}

extension RequestSecrets {
  /// Returns the error without the values in its texts.
  package func hide(in error: PipelineError) -> PipelineError {
    var error = error
    if case .source(let fault) = error.fault { error.fault = .source(hide(in: fault)) }
    return error
  }

  private func hide(in fault: SourceFault) -> SourceFault {
    switch fault {
    case .unknownForm(let looksLike, let start):
      .unknownForm(
        looksLike: looksLike,
        // It is an excerpt.
        start: hide(in: String(decoding: start, as: UTF8.self) + "…").utf8
          .dropLast(Self.ellipsis.count))
    case .paging(.secret(let url)): .paging(.secret(hide(in: url)))
    case .paging(.unreadable(let link)): .paging(.unreadable(hide(in: link)))
    case .paging(.elsewhere(let url)): .paging(.elsewhere(hide(in: url)))
    case .paging(.repeated(let url)): .paging(.repeated(hide(in: url)))
    case .invalidURL(let url): .invalidURL(hide(in: url))
    case .refused(let status): .refused(status: hide(in: status))
    case .unresolved(let detail): .unresolved(detail: hide(in: detail))
    case .unconnected(let detail): .unconnected(detail: hide(in: detail))
    case .connectTimeout(let seconds, let detail):
      .connectTimeout(seconds: seconds, detail: hide(in: detail))
    case .certificate(let detail): .certificate(detail: hide(in: detail))
    case .tls(let detail): .tls(detail: hide(in: detail))
    case .status(let status, let url, let wait):
      .status(status, url: hide(in: url), retryAfter: wait)
    case .contentEncoding(let coding): .contentEncoding(hide(in: coding))
    case .cut(let received, let expected, let detail):
      .cut(received: received, expected: expected, detail: hide(in: detail))
    case .redirect(let url, let refusal): .redirect(to: hide(in: url), refusal)
    case .transfer(let code, let detail): .transfer(code: code, detail: hide(in: detail))
    case .empty, .notJSON, .paging, .nothingToAsk, .noFile, .folder, .unreadable,
      .certificateFile, .read, .changed, .tooLargeToKeep, .spool, .cancelled, .libraryMissing,
      .headersTooLarge, .bodyTooLarge, .tooSlow, .tooLong:
      fault
    }
  }
}
