import Sluice

extension Input {
  /// Takes the operand INPUT; where none is given, the feed's own URL.
  init(_ operand: String?, of feed: Feed) throws(UsageError) {
    guard operand == nil else {
      self = try Input(operand ?? "")
      return
    }
    guard let url = feed.url else { throw .noInput(feed: feed.name) }
    self = .url(url)
  }

  /// Takes the operand INPUT of a feed that asks requests of its own; a URL is a mirror of them.
  init(_ operand: String?, _ requests: (_ mirror: String?) throws(UsageError) -> RequestInput)
    throws(UsageError)
  {
    guard let operand else {
      self = .requests(try requests(nil))
      return
    }
    let input = try Input(operand)
    if case .url(let mirror) = input {
      self = .requests(try requests(mirror))
    } else {
      self = input
    }
  }

  /// Takes what names an input.
  init(_ text: String) throws(UsageError) {
    guard text != "-" else {
      self = .standardInput
      return
    }
    switch Input.scheme(of: text) {
    case nil: self = .file(text)
    case "http"?, "https"?: self = .url(text)
    case _?: throw .unknownScheme(text)
    }
  }

  /// The lower-cased scheme of what has the form `scheme://…` (RFC 3986, section 3.1).
  private static func scheme(of text: String) -> String? {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon != bytes.startIndex,
      bytes[colon...].starts(with: "://".utf8)
    else { return nil }
    let scheme = text[..<colon]
    let isScheme = scheme.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    return isScheme ? scheme.lowercased() : nil
  }
}
