/// Reads the value of a `Link` header (RFC 8288, section 3).
///
///     <https://h/photos?_page=1>; rel="first", <https://h/photos?_page=3>; rel="next"
struct LinkHeader {
  /// The target of the link whose relation is `next`; nil where there is none. It is as it stands
  /// there, but what is no printable ASCII is percent-encoded byte by byte: a link that was dropped
  /// for it would pass for the end of a list.
  private(set) var next: String?
  /// Whether the value is a list of links with a relation each, as far as it was read.
  private(set) var isReadable = true

  /// Reads as far as the first link whose relation is `next`.
  init(_ value: ArraySlice<UInt8>) {
    var rest = value
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      separates(rest[..<open])
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let target = rest[(open + 1)..<close]
      let relations = takeParameters(&rest, from: close + 1).compactMap(Self.relations)
      if relations.contains(where: { $0.contains("next") }) {
        next = Self.text(target)
        return
      }
      if relations.isEmpty { isReadable = false }
    }
    separates(rest)
  }

  /// Takes what stands between two links.
  private mutating func separates(_ bytes: ArraySlice<UInt8>) {
    isReadable = isReadable && bytes.allSatisfy { " \t,".utf8.contains($0) }
  }

  private static func text(_ target: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = target.flatMap { byte -> [UInt8] in
      (0x20..<0x7F).contains(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The parameters of a link, each as its text; what follows the link's comma is left in `rest`.
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

  /// The relations in a parameter, in lower case; nil where it is not `rel`.
  private static func relations(_ parameter: ArraySlice<UInt8>) -> [String]? {
    guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    func words(_ bytes: ArraySlice<UInt8>) -> [String] {
      bytes.split { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "\"") }
        .map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
    return words(parameter[..<equals]) == ["rel"] ? words(parameter[(equals + 1)...]) : nil
  }
}
