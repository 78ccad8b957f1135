import Glibc

/// Reads values that are true or false.
package enum FlagText {
  /// The words for both, folded.
  private static let words: [(StaticString, isTrue: Bool)] = [
    ("true", true), ("false", false), ("1", true), ("0", false), ("yes", true), ("no", false),
    ("да", true), ("нет", false),
  ]

  /// Replaces a word from `start` to the end of `bytes` with `true` or `false`. Any other text
  /// stays.
  static func tidy(_ bytes: inout ByteBuffer, from start: Int) {
    let text = UnsafeRawBufferPointer(rebasing: bytes.contents[start...])
    guard text.count <= 16, let isTrue = plainValue(text) ?? foldedValue(text) else { return }
    bytes.truncate(to: start)
    bytes.append(isTrue ? "true" : "false")
  }

  /// Returns what a text means after it is folded; nil if it is none of the words.
  private static func foldedValue(_ text: UnsafeRawBufferPointer) -> Bool? {
    let key = Fold.key(ofTidy: text)
    return words.first { word, _ in
      key.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }?.isTrue
  }

  /// Returns what a word means; nil if it is none of these.
  package static func value(of word: String) -> Bool? {
    var bytes = ByteBuffer(capacity: 32)
    bytes.append(string: word)
    tidy(&bytes, from: 0)
    return isFlag(bytes.contents) ? bytes.count == 4 : nil
  }

  /// Returns what a text means that is one of the words, with ASCII letters of any case; nil for
  /// another, which may be one after it is folded.
  static func plainValue(_ text: UnsafeRawBufferPointer) -> Bool? {
    words.first { word, _ in
      text.count == word.utf8CodeUnitCount
        && text.indices.allSatisfy { index in
          let letter = word.utf8Start[index]
          return text[index] == letter
            || text[index] | 0x20 == letter && UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
        }
    }?.isTrue
  }

  private static func isWord(_ word: StaticString, _ text: UnsafeRawBufferPointer) -> Bool {
    guard let start = text.baseAddress else { return false }
    return text.count == word.utf8CodeUnitCount && memcmp(start, word.utf8Start, text.count) == 0
  }

  /// Returns whether the text is `true` or `false`.
  static func isFlag(_ text: UnsafeRawBufferPointer) -> Bool {
    isWord("true", text) || isWord("false", text)
  }
}
