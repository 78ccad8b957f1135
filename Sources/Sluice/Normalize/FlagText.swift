/// Reads what is true or false.
enum FlagText {
  /// The words for both, folded.
  private static let words: [(StaticString, isTrue: Bool)] = [
    ("true", true), ("false", false), ("1", true), ("0", false), ("yes", true), ("no", false),
    ("да", true), ("нет", false),
  ]

  /// Puts `true` or `false` in the place of a word that ends `bytes`; leaves any other.
  static func tidy(_ bytes: inout ByteBuffer, from start: Int) {
    let text = UnsafeRawBufferPointer(rebasing: bytes.contents[start...])
    guard text.count <= 16 else { return }
    let key = Fold.key(ofTidy: text)
    let word = words.first { word, _ in
      key.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
    guard let word else { return }
    bytes.truncate(to: start)
    bytes.append(word.isTrue ? "true" : "false")
  }

  /// The text is `true` or `false`.
  static func isFlag(_ text: UnsafeRawBufferPointer) -> Bool {
    text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
  }
}
