@testable import Sluice

/// A token as a test sees it. A string that came in pieces is one token with all of its text.
struct Token: Equatable, CustomStringConvertible {
  var kind: TokenKind
  var text: [UInt8] = []
  var offset: Int

  var description: String {
    "\(kind)@\(offset)" + (text.isEmpty ? "" : " «\(String(decoding: text, as: UTF8.self))»")
  }
}
