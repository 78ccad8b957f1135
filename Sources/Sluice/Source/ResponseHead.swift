/// Collects what matters of a response's header lines.
///
/// One line a call, as libcurl hands them out, each with its line end; a status line begins anew,
/// because interim responses (RFC 9110, section 15.2) come before the one that counts.
struct ResponseHead: Equatable, Sendable {
  /// The status code; 0 before the status line.
  private(set) var status = 0
  /// Whether the empty line of the final response has come.
  private(set) var isComplete = false
  /// The target of a redirect, as it came.
  private(set) var location: [UInt8]?
  /// A content coding other than identity.
  private(set) var contentEncoding: String?
  /// What says later whether the content is still the same.
  private(set) var validators = HTTPValidators()
  /// Where a list goes on (RFC 8288), as it came.
  private(set) var next: String?
  /// What should say so and is no list of links.
  private(set) var unreadableLink: String?
  /// How many elements a list has in all, where the server says so.
  private(set) var total: Int?

  /// Takes the next line.
  mutating func take(_ line: RawSpan) {
    let line = line.withUnsafeBytes { [UInt8]($0) }
    if line.starts(with: "HTTP/".utf8) {
      self = ResponseHead()
      let code = line.drop { $0 != Self.space }.dropFirst().prefix { (48...57).contains($0) }
      status = Int(String(decoding: code.prefix(3), as: UTF8.self)) ?? 0
      return
    }
    if line.allSatisfy({ $0 == 13 || $0 == 10 }) {
      // 101 is no interim response: what follows it is another protocol.
      isComplete = status >= 200 || status == 101
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = Self.trimmed(line[(colon + 1)...])
    if value.isEmpty { return }
    switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
    case "location":
      location = Array(value)
    case "content-encoding":
      let coding = String(decoding: value, as: UTF8.self)
      if coding.lowercased() != "identity" { contentEncoding = coding }
    case "etag":
      validators.entityTag = Self.plainText(value)
    case "last-modified":
      validators.lastModified = Self.plainText(value)
    case "link":
      let link = LinkHeader(value)
      next = next ?? link.next
      if !link.isReadable { unreadableLink = String(decoding: value, as: UTF8.self) }
    case "x-total-count":
      total = Int(String(decoding: value, as: UTF8.self))
        .flatMap { (0...Self.mostRows).contains($0) ? $0 : nil }
    default:
      break
    }
  }

  /// A value that can be sent back as it is; nil where it holds more than printable ASCII.
  private static func plainText(_ value: ArraySlice<UInt8>) -> String? {
    guard value.allSatisfy({ (0x20..<0x7F).contains($0) }), value.count <= 1024 else { return nil }
    return String(decoding: value, as: UTF8.self)
  }

  /// No list has more rows: a greater number counts nothing.
  private static let mostRows = 1_000_000_000_000

  private static let space = UInt8(ascii: " ")

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first <= space { bytes.removeFirst() }
    while let last = bytes.last, last <= space { bytes.removeLast() }
    return bytes
  }
}
