/// Reads the relevant header lines of a response.
///
/// libcurl passes one line per call, with its line end. A status line starts over, because interim
/// responses (RFC 9110, section 15.2) come before the final one.
package struct ResponseHead: Equatable, Sendable {
  /// The status code, or 0 before the status line.
  private(set) var status = 0
  /// Whether the empty line after the final response's headers has arrived.
  private(set) var isComplete = false
  /// The target of a redirect, unchanged.
  private(set) var location: [UInt8]?
  /// A content coding other than identity.
  private(set) var contentEncoding: String?
  /// The fault of the lines that say where the body ends, or nil if there is none.
  private(set) var framingFault: SourceFault?
  /// Whether the head says where the body ends. Otherwise the end of the connection does.
  var hasLength: Bool { length != nil || isChunked }
  private var length: Int?
  private var isChunked = false
  /// The validators of the content.
  private(set) var validators = HTTPValidators()
  /// The link to the next page of a list (RFC 8288), unchanged.
  package private(set) var next: String?
  /// A `Link` header that cannot be read.
  package private(set) var unreadableLink: String?
  /// The number of elements in the whole list (`X-Total-Count`), if the server says so.
  package private(set) var total: Int?

  /// Reads the next line.
  mutating func take(_ line: RawSpan) {
    let line = line.withUnsafeBytes { [UInt8]($0) }
    if line.starts(with: "HTTP/".utf8) {
      self = ResponseHead()
      let code = line.drop { $0 != Self.space }.dropFirst().prefix { (48...57).contains($0) }
      status = Int(String(decoding: code.prefix(3), as: UTF8.self)) ?? 0
      return
    }
    if line.allSatisfy({ $0 == 13 || $0 == 10 }) {
      // 101 is not an interim response: another protocol follows it.
      isComplete = status >= 200 || status == 101
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = Self.trimmed(line[(colon + 1)...])
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    takeFraming(name, value)
    if value.isEmpty { return }
    switch name {
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

  /// Reads a line that says where the body ends (RFC 9112, section 6.3). libcurl takes the last of
  /// several lengths, ignores one that is too large, and undoes transfer codings that it cannot
  /// check. So a body that was cut would pass as whole.
  private mutating func takeFraming(_ name: String, _ value: ArraySlice<UInt8>) {
    switch Self.trimmed(Array(name.utf8)[...]) {
    case Array("content-length".utf8)[...]:
      let text = String(decoding: value, as: UTF8.self)
      let before = length.map { "\($0), " } ?? ""
      // A list of equal lengths counts as one (RFC 9110, section 8.6).
      for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        guard let number = Self.length(Self.trimmed(part)), number == length ?? number,
          name == "content-length"
        else {
          return framingFault = framingFault ?? .contentLength(before + text)
        }
        length = number
      }
    case Array("transfer-encoding".utf8)[...]:
      let text = String(decoding: value, as: UTF8.self)
      let codings = text.lowercased().split(separator: ",").map {
        $0.filter { $0 != " " && $0 != "\t" }
      }
      for coding in codings where coding != "identity" {
        guard coding == "chunked", !isChunked, name == "transfer-encoding" else {
          return framingFault = framingFault ?? .transferCoding(text)
        }
        isChunked = true
      }
    default: break
    }
  }

  /// Reads digits. Returns nil for any other text, and for a number that is too large.
  private static func length(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Returns a value that can be sent back unchanged, or nil if it is not printable ASCII or is too
  /// long.
  private static func plainText(_ value: ArraySlice<UInt8>) -> String? {
    guard value.allSatisfy({ (0x20..<0x7F).contains($0) }), value.count <= 1024 else { return nil }
    return String(decoding: value, as: UTF8.self)
  }

  /// The largest number of rows in a list. A greater total is ignored.
  private static let mostRows = 1_000_000_000_000

  private static let space = UInt8(ascii: " ")

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first <= space { bytes.removeFirst() }
    while let last = bytes.last, last <= space { bytes.removeLast() }
    return bytes
  }
}

/// Reads the value of a `Link` header (RFC 8288, section 3).
///
///     <https://h/photos?_page=1>; rel="first", <https://h/photos?_page=3>; rel="next"
struct LinkHeader {
  /// The target of the link whose relation is `next`, or nil if there is none. Everything except
  /// printable ASCII is percent-encoded. If such a link were dropped, the list would seem to end.
  private(set) var next: String?
  /// Whether the part of the value that was read is a list of links with relations.
  private(set) var isReadable = true

  /// Reads the value up to the first link whose relation is `next`.
  init(_ value: ArraySlice<UInt8>) {
    var rest = value
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      separates(rest[..<open])
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let target = rest[(open + 1)..<close]
      let relations = takeParameters(&rest, from: close + 1).compactMap(Self.relations)
      if relations.contains(where: { $0.contains("next") }) {
        next = PercentEncoding.encode(target) { (0x20..<0x7F).contains($0) }
        return
      }
      if relations.isEmpty { isReadable = false }
    }
    separates(rest)
  }

  /// Checks the text between two links.
  private mutating func separates(_ bytes: ArraySlice<UInt8>) {
    isReadable = isReadable && bytes.allSatisfy { " \t,".utf8.contains($0) }
  }

  /// Reads the parameters of a link, each as its text. Leaves the text from the comma on in `rest`.
  private mutating func takeParameters(
    _ rest: inout ArraySlice<UInt8>, from start: Int
  ) -> [ArraySlice<UInt8>] {
    var parameters: [ArraySlice<UInt8>] = []
    var (begin, index, isQuoted) = (start, start, false)
    scan: while index < rest.endIndex {
      switch rest[index] {
      case UInt8(ascii: "\\") where isQuoted: index += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ";") where !isQuoted:
        parameters.append(rest[begin..<index])
        begin = index + 1
      case UInt8(ascii: ",") where !isQuoted: break scan
      default: break
      }
      index += 1
    }
    index = min(index, rest.endIndex)
    parameters.append(rest[begin..<index])
    rest = rest[index...]
    if isQuoted { isReadable = false }
    return parameters
  }

  /// Returns the relations in a parameter, in lower case, or nil if the parameter is not `rel`.
  private static func relations(_ parameter: ArraySlice<UInt8>) -> [String]? {
    guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    func words(_ bytes: ArraySlice<UInt8>) -> [String] {
      bytes.split { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "\"") }
        .map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
    return words(parameter[..<equals]) == ["rel"] ? words(parameter[(equals + 1)...]) : nil
  }
}
