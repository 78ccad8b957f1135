/// Applies the rules of a field to one text after the other.
///
/// Texts are often the same as one before, so the last ones are kept with their results.
struct TextMaker {
  private let rules: TextRules
  /// Whether blanks and line breaks stay.
  private let isVerbatim: Bool
  private let prefix: ContiguousArray<UInt8>
  private let suffix: ContiguousArray<UInt8>
  private let separator: ContiguousArray<UInt8>
  private let trimmed: Set<UInt32>
  /// The texts by their keys, and what becomes of the others; nil if they stay.
  private let map: [ContiguousArray<UInt8>: ContiguousArray<UInt8>]
  private let other: ContiguousArray<UInt8>?

  /// Why a text cannot be made.
  enum Flaw: Error { case notInMap, notANumber }

  private var kept = KeptByText<Result<ContiguousArray<UInt8>, Flaw>>()

  init(_ rules: TextRules, isVerbatim: Bool) {
    self.rules = rules
    self.isVerbatim = isVerbatim
    func bytes(_ text: String) -> ContiguousArray<UInt8> { ContiguousArray(text.utf8) }
    prefix = bytes(rules.prefix)
    suffix = bytes(rules.suffix)
    separator = bytes(rules.split.map { $0.by == TextRules.Split.line ? "\n" : $0.by } ?? "")
    trimmed = Set((rules.trim ?? "").unicodeScalars.map(\.value))
    map = Dictionary(
      uniqueKeysWithValues: (rules.map?.texts ?? [:]).map { ($0, $1) }
        .map { (bytes($0), bytes($1)) })
    other = if case .text(let text)? = rules.map?.other { bytes(text) } else { nil }
  }

  /// Appends what becomes of a text to `buffer`. Returns why nothing does: it is no key of a map that
  /// has all, or no number as the document says. The text must not be in the buffer.
  mutating func append(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) -> Flaw? {
    let result: Result<ContiguousArray<UInt8>, Flaw>
    if let known = kept.find(text) {
      result = known
    } else {
      result = self.result(of: text)
      kept.keep(result, of: text)
    }
    switch result {
    case .success(let made):
      made.withUnsafeBytes { buffer.append($0) }
      return nil
    case .failure(let flaw): return flaw
    }
  }

  private func result(
    of text: UnsafeRawBufferPointer
  ) -> Result<ContiguousArray<UInt8>, Flaw> {
    var bytes = ContiguousArray(text)
    if rules.isHTML { bytes = Self.made(of: bytes) { HTMLText.append($0, to: &$1) } }
    if let split = rules.split { bytes = part(split.take, of: bytes) }
    if !isVerbatim { bytes = tidy(bytes) }
    if !prefix.isEmpty || !suffix.isEmpty { cut(&bytes) }
    if rules.trim != nil {
      trim(&bytes)
    } else if !isVerbatim {
      bytes = tidy(bytes)
    }
    if let letters = rules.letters {
      let text = String(decoding: bytes, as: UTF8.self)
      bytes = ContiguousArray((letters == .upper ? text.uppercased() : text.lowercased()).utf8)
    }
    if rules.map != nil {
      guard let text = mapped(bytes) else { return .failure(.notInMap) }
      if text.isReplaced { return .success(text.bytes) }
    }
    guard let form = rules.number, !bytes.isEmpty else { return .success(bytes) }
    var isNumber = false
    let number = Self.made(of: bytes) { isNumber = form.append($0, to: &$1) }
    return isNumber ? .success(number) : .failure(.notANumber)
  }

  /// Returns what `append` makes of a text.
  private static func made(
    of bytes: ContiguousArray<UInt8>,
    _ append: (UnsafeRawBufferPointer, inout ByteBuffer) -> Void
  ) -> ContiguousArray<UInt8> {
    var buffer = ByteBuffer(capacity: bytes.count + 1)
    bytes.withUnsafeBytes { append($0, &buffer) }
    return ContiguousArray(buffer.contents)
  }

  private func tidy(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    Self.made(of: bytes) { WhiteSpace.appendCollapsed($0, to: &$1) }
  }

  /// Returns the part with this number; empty if there is none.
  private func part(_ number: Int, of bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    let isBySpace = separator.elementsEqual([UInt8(ascii: " ")])
    // White space of any length is one separator.
    let bytes = isBySpace ? tidy(bytes) : bytes
    var parts: [Range<Int>] = []
    var (start, index) = (0, 0)
    while index + separator.count <= bytes.count {
      if bytes[index..<index + separator.count].elementsEqual(separator) {
        parts.append(start..<index)
        index += separator.count
        start = index
      } else {
        index += 1
      }
    }
    parts.append(start..<bytes.count)
    let place = number > 0 ? number - 1 : parts.count + number
    return parts.indices.contains(place) ? ContiguousArray(bytes[parts[place]]) : []
  }

  private func cut(_ bytes: inout ContiguousArray<UInt8>) {
    if !prefix.isEmpty, bytes.starts(with: prefix) { bytes.removeFirst(prefix.count) }
    if !suffix.isEmpty, bytes.count >= suffix.count,
      bytes.suffix(suffix.count).elementsEqual(suffix)
    {
      bytes.removeLast(suffix.count)
    }
  }

  /// Takes white space and the characters to trim off both ends.
  private func trim(_ bytes: inout ContiguousArray<UInt8>) {
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    func goes(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || trimmed.contains(scalar.value)
    }
    let start = scalars.firstIndex { !goes($0) } ?? scalars.endIndex
    let end = (scalars.lastIndex { !goes($0) } ?? start - 1) + 1
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<end])
    bytes = ContiguousArray(String(text).utf8)
  }

  /// Returns the text that takes the place of another; nil if it is no key of a map that has all.
  private func mapped(
    _ bytes: ContiguousArray<UInt8>
  ) -> (bytes: ContiguousArray<UInt8>, isReplaced: Bool)? {
    let key = isVerbatim ? tidy(bytes) : bytes
    if let text = map[key] { return (text, true) }
    if key.isEmpty || rules.map?.other == .keep { return (bytes, false) }
    return other.map { ($0, true) }
  }
}
