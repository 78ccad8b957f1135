import Sluice
import SluiceText

/// The variables of the environment that the user has opened to a feed's document: `--allow-env`.
///
///     --allow-env WASTE_KEY                 to the server of the document, or to a typed mirror
///     --allow-env WASTE_KEY@waste.example   only if that is the server
///
/// Anybody may write a document, and it names the server. So the document of a user gets no
/// variable that the user has not named. Built-in documents get theirs.
struct OpenVariables: Equatable, Sendable {
  /// The server that a variable would be sent to.
  struct Server: Equatable, Sendable {
    /// The URL in the document.
    var own: String
    /// The URL that was typed to replace it, or nil.
    var mirror: String?

    /// Host and port as they are written.
    var shown: String { URLParts(mirror ?? own).map { String($0.server) } ?? (mirror ?? own) }
  }

  private struct Grant: Equatable, Sendable {
    let name: String
    /// The host, or nil for that of the document.
    let host: HTTPOrigin?
    let namesPort: Bool

    /// Reads `NAME` or `NAME@HOST`. Returns nil for any other text.
    init?(_ text: String) {
      let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      name = String(parts.first ?? "")
      let isName = name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
      guard isName, let first = name.first, !first.isNumber else { return nil }
      guard parts.count == 2 else {
        (host, namesPort) = (nil, false)
        return
      }
      // A host and a port, and nothing else of a URL.
      guard let url = URLParts("http://\(parts[1])"), url.rest.isEmpty, url.userinfo == nil,
        !url.server.isEmpty, let origin = HTTPOrigin("http://\(parts[1])")
      else { return nil }
      host = origin
      // An IPv6 address is in brackets.
      namesPort =
        url.server.split(separator: "]").last?.utf8.contains(UInt8(ascii: ":")) == true
        && url.server.last != "]"
    }

    /// Returns whether this names the server of a URL.
    func names(_ url: String) -> Bool {
      guard let host else { return true }
      guard let origin = HTTPOrigin(url) else { return false }
      return origin.host == host.host && (!namesPort || origin.port == host.port)
    }
  }

  private let grants: [Grant]

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    var grants: [Grant] = []
    for text in arguments.all(.allowEnv) {
      guard let grant = Grant(text) else { throw .badValue(.allowEnv, value: text) }
      grants.append(grant)
    }
    self.grants = grants
  }

  /// Returns the values of variables that a feed sends to a server, by their names. Throws if one
  /// is not open, or not set.
  func values(
    _ names: [String], of feed: Feed, to server: Server
  ) throws(UsageError) -> [String: String] {
    var values: [String: String] = [:]
    for name in names {
      guard isOpen(name, to: feed, server) else {
        let isElsewhere = grants.contains { $0.name == name }
        throw .closedVariable(
          name, feed: feed.name, server: server.shown,
          grant: isElsewhere ? "\(name)@\(server.shown)" : name)
      }
      guard let value = try Self.value(name) else { throw .noVariable(name, feed: feed.name) }
      values[name] = value
    }
    return values
  }

  /// Returns the values of a feed's variables that messages must not show: of those that may have
  /// been sent.
  func hidden(of feed: Feed) -> [String: String] {
    let names =
      (feed.requests?.variables ?? []) + (feed.items?.search?.variables ?? [])
      + feed.headers.flatMap(\.variables)
    var values: [String: String] = [:]
    for name in names where feed.isBuiltIn || grants.contains(where: { $0.name == name }) {
      // The run reports a file that cannot be read.
      values[name] = try? Self.value(name)
    }
    return values
  }

  private func isOpen(_ name: String, to feed: Feed, _ server: Server) -> Bool {
    feed.isBuiltIn
      || grants.contains { grant in
        guard grant.name == name else { return false }
        // A typed mirror stands for the document's server.
        return grant.names(server.own) || server.mirror.map(grant.names) == true
      }
  }

  /// The largest credential in bytes: a header line has to hold it.
  private static let limit = 64 << 10

  /// Returns the value of a variable, or nil if it is not set or empty. A file of this name in
  /// `$CREDENTIALS_DIRECTORY` wins over the environment (systemd.exec(5), `LoadCredential=`).
  /// Throws if that file cannot be read.
  static func value(_ name: String) throws(UsageError) -> String? {
    guard let folder = Environment.value("CREDENTIALS_DIRECTORY") else {
      return Environment.value(name)
    }
    let bytes: [UInt8]
    do throws(SourceFault) {
      bytes = try SmallFile.read("\(folder)/\(name)", limit: limit)
    } catch {
      if case .noFile = error { return Environment.value(name) }
      throw .credential(error)
    }
    guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self) else {
      throw .variableNotUTF8(name)
    }
    // An editor ends the last line.
    let value = text.utf8.last == UInt8(ascii: "\n") ? String(text.dropLast()) : text
    return value.isEmpty ? nil : value
  }
}

/// Hides the secrets in a setting.
enum Secrets {
  /// Returns the value of a setting without secrets: header lines without their values, URLs
  /// without userinfo and values (``Redaction``).
  static func hidden(_ text: String, of key: String) -> String {
    switch OptionName(rawValue: key) {
    case .header: Redaction.header(text)
    // With a monitor's URL, anyone can report a run.
    case .ping: Redaction.mark
    case .mirror where URLParts(text) == nil: Redaction.malformed(text)
    default: Redaction.url(text)
    }
  }

  /// Returns the secrets in words that were typed or set. No message repeats them.
  static func typed(_ words: [String], _ headers: [String]) -> [String] {
    let inURLs = words.flatMap { word in
      // `--option=VALUE`.
      let sign = word.hasPrefix("-") ? word.utf8.firstIndex(of: UInt8(ascii: "=")) : nil
      return Redaction.secrets(in: sign.map { String(word[word.utf8.index(after: $0)...]) } ?? word)
    }
    let inHeaders = headers.compactMap { line -> String? in
      guard Redaction.header(line) != line else { return nil }
      return line.split(separator: ":", maxSplits: 1).last?.split(separator: " ").last
        .map(String.init)
    }
    return inURLs + inHeaders
  }
}

extension UsageError {
  /// Says that a document wants a variable that is not open to it, and the option that opens it.
  static func closed(_ name: String, _ feed: String, _ server: String, _ grant: String) -> Text {
    Text(
      en: """
        the document of \(feed) wants to send the variable \(name) to \(excerpt: server, limit: 240); \
        if you trust that server with it, add: --allow-env \(excerpt: grant, limit: 240)
        """,
      ru: """
        документ набора \(feed) хочет отправить переменную \(name) на сервер \
        \(excerpt: server, limit: 240); если этому серверу её можно доверить, добавьте: \
        --allow-env \(excerpt: grant, limit: 240)
        """)
  }

  /// Says that the file of a credential cannot be read.
  static func credential(_ fault: SourceFault) -> Text {
    Text(en: "a credential: \(fault.text)", ru: "учётные данные: \(fault.text)")
  }
}
