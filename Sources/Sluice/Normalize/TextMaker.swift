import CSluice

/// Applies the rules of a field to one text after the other.
///
///     buffer    … <b>Bin: *Bio*</b>│Bin: *Bio*│
///                                              each rule appends its text, or takes less of the last one
///                                        └─┘   what is left moves to where the first one began
final class TextMaker {
  /// The most bytes that a byte becomes if the case of letters changes: `ΐ` is three letters in
  /// capitals.
  private static let mostGrowth = 3

  private let rules: TextRules
  /// Whether blanks and line breaks stay.
  private let isVerbatim: Bool
  private let prefix: ContiguousArray<UInt8>
  private let suffix: ContiguousArray<UInt8>
  private let separator: ContiguousArray<UInt8>
  private let trimmed: TrimmedCharacters
  private let map: TextMap
  /// What becomes of texts that are not in the map; nil if they stay.
  private let other: ContiguousArray<UInt8>?
  /// What became of the texts that came last, if there is a map: it has few of them.
  private let kept = Box(KeptByText<ShortText>())

  /// Why a text cannot be made.
  enum Flaw: Error { case notInMap, notANumber }

  init(_ rules: TextRules, isVerbatim: Bool) {
    self.rules = rules
    self.isVerbatim = isVerbatim
    func bytes(_ text: String) -> ContiguousArray<UInt8> { ContiguousArray(text.utf8) }
    prefix = bytes(rules.prefix)
    suffix = bytes(rules.suffix)
    separator = bytes(rules.split.map { $0.by == TextRules.Split.line ? "\n" : $0.by } ?? "")
    trimmed = TrimmedCharacters(rules.trim ?? "")
    map = TextMap(rules.map?.texts ?? [:])
    other = if case .text(let text)? = rules.map?.other { bytes(text) } else { nil }
  }

  /// Appends what becomes of a text to `buffer`. Returns why nothing does: it is no key of a map
  /// that has all, or no number as the document says. The text must not be in the buffer.
  func append(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) -> Flaw? {
    if rules.map != nil, let made = kept.value.pointee.find(text) {
      made.append(to: &buffer)
      return nil
    }
    let start = buffer.count
    if rules.isHTML { HTMLText.append(text, to: &buffer) } else { buffer.append(text) }
    var made = start..<buffer.count
    let flaw = make(&made, in: &buffer)
    if let flaw {
      buffer.truncate(to: start)
      return flaw
    }
    buffer.move(made, to: start)
    if rules.map != nil, let made = ShortText(buffer.contents[start...]) {
      kept.value.pointee.keep(made, of: text)
    }
    return nil
  }

  /// Makes the text of these bytes, which are the last of the buffer.
  private func make(_ text: inout Range<Int>, in buffer: inout ByteBuffer) -> Flaw? {
    if let split = rules.split { takePart(split.take, of: &text, in: &buffer) }
    if !isVerbatim { tidy(&text, in: &buffer) }
    if !prefix.isEmpty || !suffix.isEmpty { cut(&text, in: buffer.contents) }
    if rules.trim != nil {
      trimmed.trim(&text, in: buffer.contents)
    } else if !isVerbatim {
      tidy(&text, in: &buffer)
    }
    if let letters = rules.letters {
      change(&text, in: &buffer) { LetterCase.append($0, letters, to: &$1) }
    }
    if rules.map != nil {
      guard let isReplaced = mapped(&text, in: &buffer) else { return .notInMap }
      if isReplaced { return nil }
    }
    guard let form = rules.number, !text.isEmpty else { return nil }
    var isNumber = false
    change(&text, in: &buffer) { isNumber = form.append($0, to: &$1) }
    return isNumber ? nil : .notANumber
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

  private func tidy(_ text: inout Range<Int>, in buffer: inout ByteBuffer) {
    // The padding after the buffer is read by whole vectors.
    let start = (buffer.start + text.lowerBound).assumingMemoryBound(to: UInt8.self)
    if cspace_is_tidy(start, text.count) != 0 { return }
    change(&text, in: &buffer) { WhiteSpace.appendCollapsed($0, to: &$1) }
  }

  /// Takes the part with this number; nothing if there is none.
  private func takePart(_ number: Int, of text: inout Range<Int>, in buffer: inout ByteBuffer) {
    // White space of any length is one separator.
    if separator.elementsEqual([UInt8(ascii: " ")]) { tidy(&text, in: &buffer) }
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
      if bytes[index] == separator[0],
        bytes[index..<index + separator.count].elementsEqual(separator)
      {
        return index
      }
      index += 1
    }
    return nil
  }

  private func cut(_ text: inout Range<Int>, in bytes: UnsafeRawBufferPointer) {
    if !prefix.isEmpty, bytes[text].starts(with: prefix) {
      text = text.lowerBound + prefix.count..<text.upperBound
    }
    if !suffix.isEmpty, bytes[text].suffix(suffix.count).elementsEqual(suffix) {
      text = text.lowerBound..<text.upperBound - suffix.count
    }
  }

  /// Replaces a text that is a key of the map. Returns whether it was; nil if it had to be.
  private func mapped(_ text: inout Range<Int>, in buffer: inout ByteBuffer) -> Bool? {
    var key = text
    if isVerbatim { tidy(&key, in: &buffer) }
    let replaced = map.text(for: UnsafeRawBufferPointer(rebasing: buffer.contents[key]))
    if replaced == nil, key.isEmpty || rules.map?.other == .keep { return false }
    guard let replacement = replaced ?? other else { return nil }
    let start = buffer.count
    replacement.withUnsafeBytes { buffer.append($0) }
    text = start..<buffer.count
    return true
  }
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

/// The texts of a map, by their keys.
private struct TextMap {
  private let entries: [(key: ContiguousArray<UInt8>, text: ContiguousArray<UInt8>)]
  /// The entries of each bucket, by the hash of their keys.
  private var buckets: [[Int]]

  init(_ texts: [String: String]) {
    entries = texts.map { (ContiguousArray($0.utf8), ContiguousArray($1.utf8)) }
    var count = 1
    while count < 2 * entries.count { count *= 2 }
    buckets = Array(repeating: [], count: count)
    for index in entries.indices {
      let bucket = entries[index].key.withUnsafeBytes { Self.hash($0) } & (count - 1)
      buckets[bucket].append(index)
    }
  }

  /// Returns the text for a key; nil if there is none.
  func text(for key: UnsafeRawBufferPointer) -> ContiguousArray<UInt8>? {
    for index in buckets[Self.hash(key) & (buckets.count - 1)]
    where entries[index].key.count == key.count && entries[index].key.elementsEqual(key) {
      return entries[index].text
    }
    return nil
  }

  private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
    var hash = FNV1a()
    for byte in key { hash.add(byte) }
    return Int(truncatingIfNeeded: hash.value ^ hash.value &>> 32)
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
      let byte = text[index]
      if byte < 0x80 {
        buffer.append(byte &- first < 26 ? byte ^ 0x20 : byte)
        index += 1
        continue
      }
      let (value, length) = UTF8Encoding.scalar(in: text, at: index)
      index += length
      if 0x400..<0x460 ~= value {
        UTF8Encoding.append(cyrillic(value, isUpper: isUpper), to: &buffer)
      } else if let scalar = Unicode.Scalar(value) {
        let properties = scalar.properties
        buffer.append(string: isUpper ? properties.uppercaseMapping : properties.lowercaseMapping)
      }
    }
  }

  /// Returns the letter that takes the place of one of U+0400 to U+045F: Ѐ to Џ, А to Я, а to я, ѐ
  /// to џ.
  private static func cyrillic(_ value: UInt32, isUpper: Bool) -> UInt32 {
    switch value {
    case 0x400..<0x410: isUpper ? value : value + 0x50
    case 0x410..<0x430: isUpper ? value : value + 0x20
    case 0x430..<0x450: isUpper ? value - 0x20 : value
    default: isUpper ? value - 0x50 : value
    }
  }
}
