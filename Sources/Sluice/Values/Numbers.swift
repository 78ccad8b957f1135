/// Reads a number of nothing but ASCII digits; nil where there is anything else or it does not
/// fit. (`Int.init` also takes signs.)
package func wholeNumber(_ text: Substring) -> Int? {
  guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  else { return nil }
  return Int(text)
}

/// Reads a size of at least one byte: `1000000`, `500K`, `64MiB`, `2G`. The letters K, M, G and T
/// (in any case, with or without `iB`) mean powers of 1024.
package func byteCount(_ text: String) -> Int? {
  let digits = text.prefix { $0.isASCII && $0.isNumber }
  let power: Int
  switch text.dropFirst(digits.count).lowercased() {
  case "": power = 0
  case "k", "kib": power = 1
  case "m", "mib": power = 2
  case "g", "gib": power = 3
  case "t", "tib": power = 4
  default: return nil
  }
  guard let number = wholeNumber(digits), number > 0 else { return nil }
  let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (10 * power))
  return overflow ? nil : bytes
}

extension Day {
  /// Reads an ISO day, `2020-06-22`; nil where it is written otherwise or there is no such day.
  package init?(iso text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let year = wholeNumber(parts[0]),
      let month = wholeNumber(parts[1]), let day = wholeNumber(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
