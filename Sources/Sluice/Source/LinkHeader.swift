/// Reads the value of a `Link` header (RFC 8288, section 3).
///
///     <https://h/photos?_page=1>; rel="first", <https://h/photos?_page=3>; rel="next"
enum LinkHeader {
  /// The target of the link whose relation is `next`, as it stands there; nil where there is none.
  static func next(_ value: String) -> String? {
    var rest = Array(value.utf8)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let target = rest[(open + 1)..<close]
      let parameters = takeParameters(&rest, from: close + 1)
      if parameters.contains(where: isNext) { return String(decoding: target, as: UTF8.self) }
    }
    return nil
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
