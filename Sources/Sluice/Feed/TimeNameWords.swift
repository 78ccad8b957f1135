/// The names of ``TimeNames`` that are one word, found by their bytes at once.
///
///     12 Января 2026        Января       month 1
///     Mon, 5 Jan. 2026      Mon          Monday     Jan     month 1, a dot may follow
///     9:05 da manhã         da           none: the slower search knows names of several words
///
/// A word is looked up as it is written, but for ASCII letters, which are all small. So a name with
/// other letters is there in small letters, in capitals, and with a capital at its beginning.
struct TimeNameWords: ~Copyable, Sendable {
  /// A word that was found.
  struct Match: Sendable {
    /// What ``TimeNames`` says that it is.
    var value: UInt8
    /// Whether a dot may follow.
    var isShort: Bool
    /// The index after it.
    var end: Int
  }

  /// A name. No name has the ends of an empty slot. Not private: the debug compiler needs it.
  struct Word: Sendable, BitwiseCopyable {
    fileprivate var ends = KeyEnds.ofNoKey
    fileprivate var kind: UInt8 = 0
    fileprivate var value: UInt8 = 0
    fileprivate var isShort = false
  }

  /// A hash table with open addressing.
  private var words: FixedArray<Word>
  private var count = 0

  /// Makes a table for at most so many names.
  init(atMost most: Int) {
    // A power of two, twice as many at least.
    let bits = Int.bitWidth - (2 * max(1, most)).leadingZeroBitCount
    words = FixedArray(repeating: Word(), count: 1 << bits)
  }

  /// Adds a name of a kind in small letters. Those with anything but letters are not added, nor
  /// very long ones.
  mutating func add(
    _ name: ArraySlice<UInt32>, of kind: TimeNames.Kind, value: UInt8, isShort: Bool
  ) {
    let scalars = name.compactMap(Unicode.Scalar.init)
    add(scalars, of: kind, value, isShort)
    if scalars.allSatisfy(\.isASCII) { return }
    let capitals = scalars.map { scalar in
      let capital = scalar.properties.uppercaseMapping.unicodeScalars
      // Only what becomes the same letter again.
      guard let first = capital.first, capital.count == 1,
        Fold.lowercased(first.value) == scalar.value
      else { return scalar }
      return first
    }
    add(Array(capitals.prefix(1) + scalars.dropFirst()), of: kind, value, isShort)
    add(capitals, of: kind, value, isShort)
  }

  /// Adds one way to write a name.
  private mutating func add(
    _ form: [Unicode.Scalar], of kind: TimeNames.Kind, _ value: UInt8, _ isShort: Bool
  ) {
    let bytes = form.flatMap { Array(String($0).utf8) }.map(Self.folded)
    guard bytes.count <= KeyEnds.whole, bytes.allSatisfy(Self.isOfWord), 2 * count < words.count
    else { return }
    let ends = bytes.withUnsafeBytes { KeyEnds($0) }
    let place = place(of: ends, kind)
    if words[place].ends.count < 0 { count += 1 }
    words[place] = Word(ends: ends, kind: UInt8(kind.rawValue), value: value, isShort: isShort)
  }

  /// Returns the word of a kind that is all letters at an index of a text. Nil if they are none;
  /// they may still begin with a name.
  @inline(__always)
  func find(
    _ kind: TimeNames.Kind, in text: UnsafeRawBufferPointer, at index: Int
  ) -> Match? {
    var word = InlineArray<24, UInt8>(repeating: 0)
    var end = index
    while end < text.count, Self.isOfWord(text[end]) {
      guard end &- index < KeyEnds.whole else { return nil }
      word[end &- index] = Self.folded(text[end])
      end &+= 1
    }
    let ends = word.span.withUnsafeBufferPointer { word in
      word.baseAddress.map { KeyEnds($0, count: end &- index) }
    }
    guard let ends else { return nil }
    let found = words[place(of: ends, kind)]
    return found.ends.count < 0
      ? nil : Match(value: found.value, isShort: found.isShort, end: end)
  }

  /// Returns the place of a word in the table, or the empty one where it would be.
  @inline(__always)
  private func place(of ends: KeyEnds, _ kind: TimeNames.Kind) -> Int {
    // The upper bits, as many as number the places.
    let unused = UInt64(truncatingIfNeeded: words.count.leadingZeroBitCount &+ 1)
    var place = Int(truncatingIfNeeded: ends.hash(in: kind.rawValue) &>> unused)
    while words[place].ends.count >= 0,
      !words[place].ends.isSame(as: ends) || words[place].kind != kind.rawValue
    {
      place = (place &+ 1) & (words.count &- 1)
    }
    return place
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
