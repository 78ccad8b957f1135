/// A header line of a request.
package struct HeaderLine: Equatable, Sendable {
  /// The line, `NAME: VALUE`.
  package let text: String

  /// Takes `NAME: VALUE`; nil where it is none (RFC 9110, section 5), has no value, or has a name
  /// that belongs to us: what these say decides how an answer is read.
  package init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon]
    let value = text[text.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    guard !name.isEmpty, name.utf8.allSatisfy(HeaderLine.isToken), !value.isEmpty,
      value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }),
      !HeaderLine.ours.contains(name.lowercased())
    else { return nil }
    self.text = "\(name): \(value)"
  }

  private static let ours = [
    "accept-encoding", "connection", "content-length", "expect", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "range", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
