/// The names of ``TimeNames`` that are one word, found by their bytes at once.
///
///     12 Января 2026        Января       month 1
///     Mon, 5 Jan. 2026      Mon          Monday     Jan     month 1, a dot may follow
///     31 De Janeiro         De           none: the slower search knows names of several words
///
/// A word is looked up as it is written, but for ASCII letters, which are all small. So a name with
/// other letters is there in small letters, in capitals, and with a capital at its beginning.
struct TimeNameWords: Sendable {
  /// A word that was found.
  struct Match: Sendable {
    /// What ``TimeNames`` says that it is.
    var value: UInt8
    /// Whether a dot may follow.
    var isShort: Bool
    /// The index after it.
    var end: Int
  }

  /// The longest word, in bytes.
  private static let longest = 32

  private var table = KeyTable()

  /// Adds a name of a kind in small letters. One that is there already stays. Those with anything
  /// but letters are not added.
  mutating func add(
    _ name: ArraySlice<UInt32>, of kind: TimeNames.Kind, value: UInt8, isShort: Bool
  ) {
    let scalars = name.compactMap(Unicode.Scalar.init)
    let capitals = scalars.map { scalar in
      let capital = scalar.properties.uppercaseMapping.unicodeScalars
      // Only what becomes the same letter again.
      guard let first = capital.first, capital.count == 1,
        Fold.lowercased(first.value) == scalar.value
      else { return scalar }
      return first
    }
    for form in [scalars, Array(capitals.prefix(1) + scalars.dropFirst()), capitals] {
      let bytes = form.flatMap { Array(String($0).utf8) }.map(Self.folded)
      guard bytes.count <= Self.longest, bytes.allSatisfy(Self.isOfWord) else { continue }
      table.add(bytes, in: kind.rawValue, number: Int(value) | (isShort ? 1 << 8 : 0))
    }
  }

  /// Returns the word of a kind that is all letters at an index of a text. Nil if they are none;
  /// they may still begin with a name.
  @inline(__always)
  func find(
    _ kind: TimeNames.Kind, in text: UnsafeRawBufferPointer, at index: Int
  ) -> Match? {
    var word = InlineArray<32, UInt8>(repeating: 0)
    var count = 0
    while index + count < text.count, Self.isOfWord(text[index + count]) {
      guard count < Self.longest else { return nil }
      word[count] = Self.folded(text[index + count])
      count += 1
    }
    let number = word.span.withUnsafeBytes { bytes in
      table.number(of: UnsafeRawBufferPointer(rebasing: bytes[..<count]), in: kind.rawValue)
    }
    guard let number else { return nil }
    return Match(
      value: UInt8(truncatingIfNeeded: number), isShort: number >> 8 > 0, end: index + count)
  }

  /// Whether a byte may be of a word: of an ASCII letter, or of any scalar beyond ASCII.
  @inline(__always)
  private static func isOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// Returns a byte of a word with a small ASCII letter in place of a capital one.
  @inline(__always)
  private static func folded(_ byte: UInt8) -> UInt8 { byte < 0x80 ? byte | 0x20 : byte }
}
