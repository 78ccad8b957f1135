/// Copies of the texts of what waits (``HeldWholes``), made when these go.
///
///     chunks    …"hours":[{"t":1},{"t":2},{"t":│3},{"t":4}],"city":"Пушкин"}
///                         └───────────────┘ copied at the end of the chunk
///
/// What stands between two records is copied too: so it is one block, in which all keep their
/// distances. Texts with escapes, which were decoded elsewhere, follow it.
struct HeldTexts: ~Copyable {
  /// The most bytes.
  private static let most = 512 << 10

  private var bytes = ByteBuffer(capacity: 1)
  /// The text that was copied last, and its copy.
  private var (start, end) = (ObjectValue().start, ObjectValue().start)
  private var copy = ObjectValue().start

  /// Forgets all copies.
  mutating func removeAll() { bytes.removeAll() }

  /// Returns the byte after the text of a plain value.
  static func end(of value: ObjectValue) -> UnsafePointer<UInt8> {
    // That of a string which was not decoded follows its quotation mark.
    let isInPlace = value.start == value.written || value.start == value.written + 1
    return isInPlace ? value.start + value.count + 1 : value.written + 1
  }

  /// Copies a text. Returns false if there is no room for it.
  mutating func add(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Bool {
    guard let copy = append(UnsafeRawBufferPointer(start: start, count: end - start)) else {
      return false
    }
    (self.start, self.end, self.copy) = (start, end, copy)
    return true
  }

  /// Copies a text that is kept nowhere. Returns nil if there is no room for it.
  mutating func append(_ text: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
    if bytes.count == 0 { bytes.reserve(Self.most) }
    guard text.count <= bytes.room else { return nil }
    let place = bytes.start + bytes.count
    bytes.append(text)
    return UnsafePointer(place.assumingMemoryBound(to: UInt8.self))
  }

  /// Lets a value have its text in the copy. Returns false if it was decoded and there is no room.
  mutating func move(_ value: inout ObjectValue) -> Bool {
    if let place = moved(value.written) { value.written = place }
    guard let place = moved(value.start) ?? copied(value.text) else { return false }
    value.start = place
    return true
  }

  /// Lets a token have its text in the copy. Returns false as for a value.
  mutating func move(_ token: inout ObjectToken) -> Bool {
    guard let text = token.text.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return true
    }
    guard let place = moved(text) ?? copied(token.text) else { return false }
    token.text = UnsafeRawBufferPointer(start: place, count: token.text.count)
    return true
  }

  /// Returns a record that has its text in the copy. It has the same values and tokens.
  func moved(_ record: WholeRecord) -> WholeRecord {
    let text = record.raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let text, let place = moved(text) else { return record }
    return WholeRecord(
      values: record.values, met: record.met, tokens: record.tokens,
      raw: UnsafeRawBufferPointer(start: place, count: record.raw.count), offset: record.offset)
  }

  /// Returns where a place of the text is in the copy; nil if it is not in the text.
  @inline(__always)
  private func moved(_ place: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    place >= start && place < end ? copy + (place - start) : nil
  }

  /// Copies a text that is not in the other, unless it is a copy. Returns nil if there is no room.
  private mutating func copied(_ text: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
    guard let start = text.baseAddress, text.count > 0 else { return ObjectValue().start }
    let isCopy = start >= UnsafeRawPointer(bytes.start) && start < bytes.start + bytes.count
    return isCopy ? start.assumingMemoryBound(to: UInt8.self) : append(text)
  }
}
