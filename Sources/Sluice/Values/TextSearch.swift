extension StringProtocol {
  /// Where a text first stands in this one, byte by byte; nil where it does not.
  ///
  /// The standard library's own search would bring its regular expressions into the program, and
  /// every start would pay for them.
  package func firstPlace(of text: String) -> Range<Index>? {
    let (bytes, wanted) = (utf8, text.utf8)
    var start = bytes.startIndex
    while !bytes[start...].starts(with: wanted) {
      guard start < bytes.endIndex else { return nil }
      bytes.formIndex(after: &start)
    }
    return start..<bytes.index(start, offsetBy: wanted.count)
  }

  /// The text with another one wherever `text` stood.
  package func putting(_ other: String, for text: String) -> String {
    var (result, rest) = ("", self[...])
    while let place = rest.firstPlace(of: text) {
      result += rest[..<place.lowerBound] + other
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}
