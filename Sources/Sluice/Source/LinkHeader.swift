/// Reads the value of a `Link` header (RFC 8288, section 3).
///
///     <https://h/photos?_page=1>; rel="first", <https://h/photos?_page=3>; rel="next"
enum LinkHeader {
  /// The target of the link whose relation is `next`; nil where there is none. It is as it stands
  /// there, but what is no printable ASCII is percent-encoded byte by byte: a link that was dropped
  /// for it would pass for the end of a list.
  static func next(_ value: ArraySlice<UInt8>) -> String? {
    var rest = value
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let target = rest[(open + 1)..<close]
      let parameters = takeParameters(&rest, from: close + 1)
      if parameters.contains(where: isNext) { return text(target) }
    }
    return nil
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
  private static func takeParameters(
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
    return parameters
  }

  /// Whether a parameter is `rel` and one of the relations in it is `next`.
  private static func isNext(_ parameter: ArraySlice<UInt8>) -> Bool {
    guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { return false }
    func words(_ bytes: ArraySlice<UInt8>) -> [String] {
      bytes.split { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "\"") }
        .map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
    return words(parameter[..<equals]) == ["rel"]
      && words(parameter[(equals + 1)...]).contains("next")
  }
}
