import Glibc

/// Applies the rules of a field to one text after the other.
///
///     buffer    … <b>Bin: *Bio*</b>│Bin: *Bio*│
///                                              each rule appends its text, or takes less of the last one
///                                        └─┘   what is left moves to where the first one began
final class TextMaker {
  /// The most bytes that a byte becomes if the case of letters changes: `ΐ` is three letters in
  /// capitals.
  private static let mostGrowth = 3

  private let isHTML: Bool
  /// Whether blanks and line breaks stay.
  private let isVerbatim: Bool
  /// The part of a text that is taken; nil for all.
  private let part: Int?
  private let separator: RuleText
  /// Whether white space of any length is one separator.
  private let splitsAtSpace: Bool
  private let prefix: RuleText
  private let suffix: RuleText
  private let trimmed: TrimmedCharacters?
  private let letters: TextRules.Letters?
  /// The keys of the map, if there is one, and the texts for them.
  private let map: KeyTable?
  private let mapped: [RuleText]
  /// What is known of a text for which there may be another in the map.
  private let knownOfMapped: Made
  /// What becomes of texts that are not in the map; nil if they stay or are wrong.
  private let other: RuleText?
  private let keepsOthers: Bool
  /// How its number is written; nil for JSON's way.
  private let number: NumberReader?
  /// What became of the texts that came last, if there is a map: it has few of them.
  private let kept = Box(KeptByText<ShortText>())

  /// Why a text cannot be made.
  enum Flaw: Error { case notInMap, notANumber }

  /// What is known of a text that was made.
  enum Made {
    /// It is a number in JSON's way.
    case number
    /// Its white space is single spaces inside.
    case tidy
    case anything
  }

  init(_ rules: TextRules, isVerbatim: Bool) {
    self.isVerbatim = isVerbatim
    isHTML = rules.isHTML
    part = rules.split?.take
    separator = RuleText(rules.split.map { $0.by == TextRules.Split.line ? "\n" : $0.by } ?? "")
    splitsAtSpace = rules.split?.by == " "
    prefix = RuleText(rules.prefix)
    suffix = RuleText(rules.suffix)
    trimmed = rules.trim.map { TrimmedCharacters($0) }
    letters = rules.letters
    let texts = (rules.map?.texts ?? [:]).map { (key: $0, text: RuleText($1)) }
    map = rules.map.map { _ in
      var keys = KeyTable()
      for (number, key) in texts.map(\.key).enumerated() {
        keys.add(Array(key.utf8), in: 0, number: number)
      }
      return keys
    }
    mapped = texts.map(\.text)
    let otherText: String? = if case .text(let text)? = rules.map?.other { text } else { nil }
    other = otherText.map { RuleText($0) }
    let replacements = (rules.map.map { Array($0.texts.values) } ?? []) + [otherText ?? ""]
    let areTidy = !isVerbatim && replacements.allSatisfy { WhiteSpace.isTidy($0) }
    knownOfMapped = areTidy ? .tidy : .anything
    keepsOthers = rules.map?.other == .keep
    number = rules.number.map { NumberReader($0) }
  }

  /// Appends what becomes of a text to `buffer`. Returns what is known of what was made. The text
  /// must not be in the buffer; `isTidy` tells if it is known to be tidy. Throws if nothing becomes
  /// of it: it is no key of a map that has all, or no number as the document says.
  func append(
    _ text: UnsafeRawBufferPointer, isTidy: Bool, to buffer: inout ByteBuffer
  ) throws(Flaw) -> Made {
    if map != nil, let made = kept.value.pointee.find(text) {
      made.append(to: &buffer)
      return knownOfMapped
    }
    let start = buffer.count
    if isHTML { HTMLText.append(text, to: &buffer) } else { buffer.append(text) }
    var bytes = start..<buffer.count
    let made: Made
    do {
      made = try make(&bytes, isTidy: isTidy && !isHTML, in: &buffer)
    } catch {
      buffer.truncate(to: start)
      throw error
    }
    buffer.move(bytes, to: start)
    if map != nil, let made = ShortText(buffer.contents[start...]) {
      kept.value.pointee.keep(made, of: text)
    }
    return made
  }

  /// Makes the text of these bytes, which are the last of the buffer.
  private func make(
    _ text: inout Range<Int>, isTidy: Bool, in buffer: inout ByteBuffer
  ) throws(Flaw) -> Made {
    var isTidy = isTidy
    if let part { takePart(part, of: &text, isTidy: &isTidy, in: &buffer) }
    if !isVerbatim { tidy(&text, isTidy: &isTidy, in: &buffer) }
    if prefix.count + suffix.count > 0 { cut(&text, in: buffer.contents) }
    if let trimmed {
      trimmed.trim(&text, in: buffer.contents)
    } else if !isVerbatim {
      tidy(&text, isTidy: &isTidy, in: &buffer)
    }
    if let letters {
      change(&text, in: &buffer) { LetterCase.append($0, letters, to: &$1) }
    }
    if let map, try replace(&text, by: map, in: &buffer) { return knownOfMapped }
    guard let number, !text.isEmpty else { return isVerbatim ? .anything : .tidy }
    var isNumber = false
    change(&text, in: &buffer) { isNumber = number.append($0, to: &$1) }
    guard isNumber else { throw .notANumber }
    return .number
  }

  /// Appends what `append` makes of a text, which becomes the text.
  @inline(__always)
  private func change(
    _ text: inout Range<Int>, in buffer: inout ByteBuffer,
    _ append: (UnsafeRawBufferPointer, inout ByteBuffer) -> Void
  ) {
    // The bytes must not move while they are read.
    buffer.reserve(Self.mostGrowth * text.count + 1)
    let start = buffer.count
    append(UnsafeRawBufferPointer(rebasing: buffer.contents[text]), &buffer)
    text = start..<buffer.count
  }

  /// Tidies a text. One that is part of a tidy text may only have a space at each end.
  @inline(__always)
  private func tidy(_ text: inout Range<Int>, isTidy: inout Bool, in buffer: inout ByteBuffer) {
    if isTidy {
      let bytes = buffer.contents
      if !text.isEmpty, bytes[text.lowerBound] == UInt8(ascii: " ") { text.removeFirst() }
      if !text.isEmpty, bytes[text.upperBound - 1] == UInt8(ascii: " ") { text.removeLast() }
      return
    }
    isTidy = true
    collapse(&text, in: &buffer)
  }

  @inline(never)
  private func collapse(_ text: inout Range<Int>, in buffer: inout ByteBuffer) {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer.contents[text])
    if WhiteSpace.isTidy(bytes) { return }
    change(&text, in: &buffer) { WhiteSpace.appendCollapsed($0, to: &$1) }
  }

  /// Takes the part with this number; nothing if there is none.
  private func takePart(
    _ number: Int, of text: inout Range<Int>, isTidy: inout Bool, in buffer: inout ByteBuffer
  ) {
    if splitsAtSpace { tidy(&text, isTidy: &isTidy, in: &buffer) }
    let bytes = buffer.contents
    // From the end, they are counted first.
    let place = number > 0 ? number - 1 : number + countParts(of: text, in: bytes)
    var (rest, index) = (text, 0)
    while index < place, let end = endOfPart(rest, in: bytes) {
      rest = end + separator.count..<rest.upperBound
      index += 1
    }
    let end = index == place ? endOfPart(rest, in: bytes) ?? rest.upperBound : rest.lowerBound
    text = rest.lowerBound..<end
  }

  private func countParts(of text: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Int {
    var (rest, count) = (text, 1)
    while let end = endOfPart(rest, in: bytes) {
      rest = end + separator.count..<rest.upperBound
      count += 1
    }
    return count
  }

  /// Returns where the first separator begins; nil if there is none.
  private func endOfPart(_ text: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Int? {
    var index = text.lowerBound
    while index + separator.count <= text.upperBound {
      if separator.isAt(index, in: bytes) { return index }
      index += 1
    }
    return nil
  }

  private func cut(_ text: inout Range<Int>, in bytes: UnsafeRawBufferPointer) {
    if prefix.count > 0, prefix.count <= text.count, prefix.isAt(text.lowerBound, in: bytes) {
      text = text.lowerBound + prefix.count..<text.upperBound
    }
    let end = text.upperBound - suffix.count
    if suffix.count > 0, end >= text.lowerBound, suffix.isAt(end, in: bytes) {
      text = text.lowerBound..<end
    }
  }

  /// Replaces a text that is a key of the map. Returns whether it was. Throws ``Flaw/notInMap`` if
  /// it had to be.
  private func replace(
    _ text: inout Range<Int>, by map: KeyTable, in buffer: inout ByteBuffer
  ) throws(Flaw) -> Bool {
    var (key, isTidy) = (text, !isVerbatim)
    tidy(&key, isTidy: &isTidy, in: &buffer)
    let place = map.number(of: UnsafeRawBufferPointer(rebasing: buffer.contents[key]), in: 0)
    if place == nil, key.isEmpty || keepsOthers { return false }
    guard let replacement = place.map({ mapped[$0] }) ?? other else { throw .notInMap }
    let start = buffer.count
    replacement.append(to: &buffer)
    text = start..<buffer.count
    return true
  }
}

/// A text in a rule, as bytes.
private struct RuleText {
  private let bytes: ContiguousArray<UInt8>

  init(_ text: String) { bytes = ContiguousArray(text.utf8) }

  var count: Int { bytes.count }

  /// Returns whether these bytes are at an index of others, where they have room.
  @inline(__always)
  func isAt(_ index: Int, in others: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count > 0, let start = bytes.baseAddress, let other = others.baseAddress else {
        return true
      }
      return bytes[0] == others[index] && memcmp(start, other + index, bytes.count) == 0
    }
  }

  func append(to buffer: inout ByteBuffer) { bytes.withUnsafeBytes { buffer.append($0) } }
}

/// A text of a few bytes, in no memory of its own. Not private: the compiler (6.3) fails on a
/// private type in a `FixedArray` of another file.
struct ShortText: BitwiseCopyable {
  /// The most bytes of a text. So many are readable after it.
  private static let most = 32

  private var bytes = InlineArray<64, UInt8>(repeating: 0)
  private let count: Int

  /// Copies a text; nil if it is too long.
  fileprivate init?(_ text: Slice<UnsafeRawBufferPointer>) {
    guard text.count <= Self.most else { return nil }
    count = text.count
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: text) }
  }

  @inline(__always)
  fileprivate func append(to buffer: inout ByteBuffer) {
    withUnsafeBytes(of: bytes) { bytes in
      buffer.append(short: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }
}

/// Characters that are taken off the ends of a text, beside white space.
private struct TrimmedCharacters {
  /// A bit for each of ASCII.
  private var ascii: (UInt64, UInt64) = (0, 0)
  private var others: Set<UInt32> = []

  init(_ text: String) {
    for value in text.unicodeScalars.map(\.value) {
      switch value {
      case ..<64: ascii.0 |= 1 << UInt64(value)
      case ..<128: ascii.1 |= 1 << UInt64(value - 64)
      default: others.insert(value)
      }
    }
  }

  /// Takes them off both ends of a text, which is part of these bytes.
  func trim(_ text: inout Range<Int>, in bytes: UnsafeRawBufferPointer) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<text.upperBound])
    var (start, end) = (text.lowerBound, text.upperBound)
    while start < end, case let length = length(of: bytes, at: start), length > 0 {
      start += length
    }
    while start < end {
      var last = end - 1
      while last > start, bytes[last] & 0xC0 == 0x80 { last -= 1 }
      guard length(of: bytes, at: last) > 0 else { break }
      end = last
    }
    text = start..<end
  }

  /// Returns the length of the character at `index` if it is taken off; otherwise 0.
  @inline(__always)
  private func length(of bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let byte = bytes[index]
    let space = WhiteSpace.length(in: bytes, at: index)
    if space > 0 { return space }
    if byte < 0x80 {
      return (byte < 64 ? ascii.0 : ascii.1) &>> UInt64(byte & 63) & 1 == 1 ? 1 : 0
    }
    guard !others.isEmpty else { return 0 }
    let (value, length) = UTF8Encoding.scalar(in: bytes, at: index)
    return others.contains(value) ? length : 0
  }
}

/// Changes the case of letters, as Unicode maps each of them by itself.
private enum LetterCase {
  /// Appends a text of well-formed UTF-8 in this case. There is room for it.
  static func append(
    _ text: UnsafeRawBufferPointer, _ letters: TextRules.Letters, to buffer: inout ByteBuffer
  ) {
    let isUpper = letters == .upper
    let first = UInt8(ascii: isUpper ? "a" : "A")
    var index = 0
    while index < text.count {
      var end = buffer.end(withRoom: text.count - index)
      while index < text.count, text[index] < 0x80 {
        end.pointee = text[index] &- first < 26 ? text[index] ^ 0x20 : text[index]
        end += 1
        index += 1
      }
      buffer.commit(upTo: end)
      guard index < text.count else { return }
      let (value, length) = UTF8Encoding.scalar(in: text, at: index)
      index += length
      if let letter = letter(value, isUpper: isUpper) {
        UTF8Encoding.append(letter, to: &buffer)
      } else if let scalar = Unicode.Scalar(value) {
        let properties = scalar.properties
        buffer.append(string: isUpper ? properties.uppercaseMapping : properties.lowercaseMapping)
      }
    }
  }

  /// Returns what takes the place of a letter of Latin-1 (À to Þ, à to þ) or of U+0400 to U+045F (Ѐ
  /// to Џ, А to Я, а to я, ѐ to џ). Nil for others.
  private static func letter(_ value: UInt32, isUpper: Bool) -> UInt32? {
    switch value {
    case 0xD7, 0xDF, 0xF7: nil
    case 0xC0..<0xDF: isUpper ? value : value + 0x20
    case 0xE0..<0xFF: isUpper ? value - 0x20 : value
    case 0x400..<0x410: isUpper ? value : value + 0x50
    case 0x410..<0x430: isUpper ? value : value + 0x20
    case 0x430..<0x450: isUpper ? value - 0x20 : value
    case 0x450..<0x460: isUpper ? value - 0x50 : value
    default: nil
    }
  }
}
