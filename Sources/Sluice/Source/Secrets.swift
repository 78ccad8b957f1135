/// Removes secrets from texts that are shown or stored. This is the one rule for all of them.
///
///     https://me:pass@h/list?id=4&key=abc#top   ─▶   https://***@h/list?id=***&key=***#***
///
/// A URL that somebody wrote has no userinfo, and the names of its parameters without their values.
/// The program cannot tell which value is a secret.
package enum Redaction {
  /// The text that replaces a secret.
  package static let mark = "***"

  /// Returns a URL without its userinfo and without the values of its query and its fragment.
  /// Returns a text without `://` unchanged.
  package static func url(_ text: String) -> String {
    guard let parts = URLParts(text) else { return text }
    return server(parts) + rest(parts.rest)
  }

  /// Returns the URL of a request that a server linked, without userinfo. Its parameters stay,
  /// because they tell one page from another.
  package static func link(_ text: String) -> String {
    guard let parts = URLParts(text) else { return text }
    return server(parts) + message(String(parts.rest), hidesQueries: false)
  }

  /// Returns a text that may have URLs in it, such as an error message of another program, without
  /// the userinfo and the query values of every URL.
  package static func message(_ text: String) -> String { message(text, hidesQueries: true) }

  /// Returns an invalid URL without everything before the last `@`, because any of it could be a
  /// password, and without the values of its query.
  package static func malformed(_ text: String) -> String {
    let text = String(decoding: text.utf8.prefix(2048), as: UTF8.self)
    guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return rest(text[...]) }
    // After a query has begun, the text after `@` may belong to a value.
    guard !text.utf8[..<at].contains(where: "?#".utf8.contains) else { return mark }
    return mark + rest(text[at...])
  }

  /// Returns a header line without its value, unless the header never has a secret or the value is
  /// too short to be one.
  package static func header(_ line: String) -> String {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")),
      !line[..<colon].utf8.contains(where: { $0 <= 0x20 })
    else { return mark }
    let name = line[..<colon]
    let value = line[line.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    let isPlain = value.utf8.count < RequestSecrets.least && !isTelling(name)
    return isPlain || plainHeaders.contains(name.lowercased()) ? line : "\(name): \(mark)"
  }

  /// The headers that say how an answer should be written, or who asks.
  private static let plainHeaders = [
    "accept", "accept-language", "accept-charset", "cache-control", "user-agent",
  ]

  /// Whether a name is a usual one of a secret.
  package static func isTelling(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "token", "key", "secret", "pass", "session", "sign", "credential"]
      .contains { name.firstPlace(of: $0) != nil }
  }

  /// Whether a parameter's name says that its value is a secret and nothing else.
  ///
  /// Whole words count, or the end of one: `api_key`, `accessToken` and `jsessionid`, but not
  /// `keyword`, `author` or `design`. Two inputs that differ only in such a parameter are the same,
  /// so this is stricter than ``isTelling(_:)``.
  package static func namesSecret(_ name: some StringProtocol) -> Bool {
    words(of: name).contains { word in
      ["auth", "authorization", "cookie", "key", "pass", "passwd", "pwd", "sig"].contains(word)
        || [
          "token", "secret", "password", "apikey", "accesskey", "authkey", "sessionid",
          "signature", "credential", "credentials",
        ].contains { word.hasSuffix($0) }
    }
  }

  /// The words of a name in lower case: `apiKey`, `api-key` and `API_KEY` have two.
  private static func words(of name: some StringProtocol) -> [String] {
    var words = [""]
    var follows = false
    for character in name {
      let isInWord = character.isLetter || character.isNumber
      if !isInWord || follows && character.isUppercase { words.append("") }
      if isInWord { words[words.endIndex - 1] += character.lowercased() }
      follows = character.isLowercase || character.isNumber
    }
    return words
  }

  /// Returns the texts in a URL that no message may repeat: the URL itself if it has a secret, the
  /// password, and the values of parameters with the usual names of secrets or without a word. A
  /// server may send them back in an answer, which messages quote.
  package static func secrets(in text: String) -> [String] {
    guard let parts = URLParts(text), url(text) != text else { return [] }
    var found = [text]
    if let password = parts.userinfo?.split(separator: ":", maxSplits: 1).last {
      found.append(plain(password))
    }
    guard let query = parts.rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return found }
    let whole = parts.rest[parts.rest.utf8.index(after: query)...].prefix { $0 != "#" }
    for piece in whole.split(separator: "&") {
      let equals = piece.utf8.firstIndex(of: UInt8(ascii: "="))
      let value = plain(equals.map { piece[piece.utf8.index(after: $0)...] } ?? piece)
      let isNamed = equals.map { isTelling(piece[..<$0]) } ?? false
      if isNamed || looksRandom(value) { found.append(value) }
    }
    return found
  }

  /// Whether a value is no word and no number, as keys are.
  private static func looksRandom(_ value: String) -> Bool {
    value.utf8.count >= 8 && value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
  }

  /// Scheme, host and port, with a mark for the userinfo.
  private static func server(_ parts: URLParts) -> String {
    String(parts.prefix) + (parts.userinfo == nil ? "" : mark + "@") + parts.server
  }

  /// Returns a path, query and fragment without secrets.
  private static func rest(_ text: Substring) -> String {
    let query = text.utf8.firstIndex { "?#".utf8.contains($0) } ?? text.endIndex
    return message(String(text[..<query]), hidesQueries: true) + hidden(text[query...])
  }

  /// Returns a query and a fragment, `?a=1&b#c`, with marks for the values. A parameter without `=`
  /// may be a value.
  private static func hidden(_ text: Substring) -> String {
    let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
    var shown = ""
    if text[..<fragment].utf8.first == UInt8(ascii: "?") {
      let pieces = text[..<fragment].dropFirst().split(
        separator: "&", omittingEmptySubsequences: false)
      shown = "?" + pieces.map { hidden(parameter: $0) }.joined(separator: "&")
    }
    return fragment == text.endIndex ? shown : shown + "#" + mark
  }

  private static func hidden(parameter text: Substring) -> String {
    guard !text.isEmpty else { return "" }
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return mark }
    let name = text[..<equals]
    // A URL in the place of a name may have userinfo.
    let isName = !name.utf8.contains { ":@".utf8.contains($0) }
    return "\(isName ? String(name) : mark)=\(mark)"
  }

  private static func message(_ text: String, hidesQueries: Bool) -> String {
    var shown = ""
    var rest = text[...]
    while let start = rest.firstPlace(of: "://")?.upperBound {
      shown += rest[..<start]
      rest = rest[start...]
      // libcurl ignores a third slash.
      let slashes = rest.utf8.prefix { $0 == UInt8(ascii: "/") }.count
      let authority = rest.utf8.dropFirst(slashes).prefix { !"/?# '\"".utf8.contains($0) }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
        shown += rest[..<authority.startIndex] + mark
        rest = rest[at...]
      }
      guard hidesQueries else { continue }
      let end = rest.utf8.firstIndex { $0 <= 0x20 || "'\"<>".utf8.contains($0) } ?? rest.endIndex
      guard let query = rest[..<end].utf8.firstIndex(where: { "?#".utf8.contains($0) }) else {
        continue
      }
      shown += message(String(rest[..<query]), hidesQueries: true) + hidden(rest[query..<end])
      rest = rest[end...]
    }
    return shown + rest
  }

  /// Returns a part of a URL without its percent encoding. ``RequestSecrets`` finds it in both
  /// forms.
  private static func plain(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      let byte = PercentEncoding.byte(at: rest)
      bytes.append(byte ?? first)
      rest.removeFirst(byte == nil ? 1 : 3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The environment's values for the variables of a feed. They are never shown and never stored.
package struct RequestSecrets: Sendable, Equatable {
  /// The shortest value in bytes that is removed from messages. A shorter one is often part of
  /// ordinary words.
  fileprivate static let least = 4
  /// The end of a shortened excerpt.
  private static let ellipsis = Array("…".utf8)
  private let values: [String: String]
  /// Further texts that are hidden.
  private let typed: [String]

  /// Makes secrets of the values of variables, by their names, and of texts that the user typed.
  package init(_ values: [String: String] = [:], typed: [String] = []) {
    self.values = values
    self.typed = typed
  }

  /// The value of a variable, or nil if it is not set or empty.
  package subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the text without the values, plain or percent-encoded, and without the start of a
  /// value at the end of an excerpt.
  package func hide(in text: String) -> String {
    // The longest first: a value may be a part of another.
    let secrets = (values.values + typed).map { Array($0.utf8) }.filter { $0.count >= Self.least }
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
    case .contentLength(let text): .contentLength(hide(in: text))
    case .transferCoding(let coding): .transferCoding(hide(in: coding))
    case .cut(let received, let expected, let detail):
      .cut(received: received, expected: expected, detail: hide(in: detail))
    case .redirect(let url, let refusal): .redirect(to: hide(in: url), refusal)
    case .transfer(let code, let detail): .transfer(code: code, detail: hide(in: detail))
    case .empty, .notJSON, .paging, .nothingToAsk, .noFile, .folder, .unreadable,
      .certificateFile, .read, .changed, .tooLargeToKeep, .noDayInName, .spool, .cancelled,
      .libraryMissing,
      .headersTooLarge, .bodyTooLarge, .answersTooLarge, .tooSlow, .tooLong, .outOfTime:
      fault
    }
  }
}
