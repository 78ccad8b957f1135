/// The text of a place as it is searched with SQL, in the column `search` of a database.
///
///     Непокорённых │ 15 │ 1 │ А │ Санкт-Петербург   ─▶   непокоренных 15 1 а санкт петербург
///
/// It has the words of the columns, folded like what people type in `find`, with one space between
/// any two. Whatever is neither a letter nor a digit separates words. The parts of an address begin
/// with the street, because people do.
enum SearchText {
  /// Returns the columns of a rule in the order of their texts: an address from the street to the
  /// letter, then the town; words as the document lists them.
  static func order(of rule: SearchRule) -> [String] {
    let parts: [SearchRule.Part?] = [nil, .street, .house, .building, .letter, .locality]
    return parts.flatMap { part in rule.items.filter { $0.part == part }.map(\.column) }
  }

  /// Appends the words of a column's text, in UTF-8, after those that are there.
  static func append(_ text: UnsafeRawBufferPointer, to line: inout ByteBuffer) {
    var isGap = true
    Spelling.forEachFolded(Scalars(bytes: text)) { letter in
      if Spelling.isDigit(letter) || AddressToken.isWordLetter(letter) {
        if isGap, line.count > 0 { line.append(UInt8(ascii: " ")) }
        isGap = false
        UTF8Encoding.append(letter, to: &line)
      } else if !AddressToken.isApostrophe(letter) {
        isGap = true
      }
    }
  }

  /// The scalars of well-formed UTF-8.
  private struct Scalars: Sequence, IteratorProtocol {
    let bytes: UnsafeRawBufferPointer
    var index = 0

    mutating func next() -> Unicode.Scalar? {
      guard index < bytes.count else { return nil }
      let (value, length) = UTF8Encoding.scalar(in: bytes, at: index)
      index += length
      return Unicode.Scalar(value) ?? " "
    }
  }
}
