import CSluice

/// Plain values that stand one after the other.
///
///     "temperature":[12.5,12.1,null,11.9]     "rates":{"EUR":1.08,"SEK":11.2}
///                    └──────────────┘                  └───────────────────┘
///
/// Where the next stage wants each of them, they are read without an index, from value to separator. It
/// finds no errors: whatever is not surely right is left to the tokenizer.
extension Tokenizer where Next: ~Copyable {
  /// Whether a plain value here may be handed on as a whole.
  @inline(__always)
  var mayBeValue: Bool { valuesDepth == nesting.depth && (isMember || !nesting.inObject) }

  /// Hands on plain values, from `p` on. Stops before the first one that is none, after the last one of
  /// the container, and near the end of the chunk. Returns whether it moved on.
  @inline(never)
  mutating func takeValues(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let hasMoved = try readValues(&p, chunk)
    try next.endValues()
    return hasMoved
  }

  @inline(__always)
  private mutating func readValues(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let first = p
    let last = chunk.end - RecordShape.slack
    while p < last {
      guard let (value, end) = plainValue(at: p, before: last) else { break }
      try next.value(value, at: offset(of: p, in: chunk))
      if text.count > 0 { try next.endValues() }
      p = end
      place = .separator
      if nesting.inObject { try takeMembers(&p, chunk) }
      guard p.pointee == UInt8(ascii: ",") else { return true }
      if nesting.inObject {
        try next.endValues()
        guard try takeKey(&p, chunk) else { return true }
      }
      p += 1
      if p.pointee <= UInt8(ascii: " ") { p += cscan_space(p, last) }
      place = .value
    }
    return p > first
  }

  /// Hands on members with plain values, from the comma at `p` on, as long as the next stage takes them
  /// with their keys. Stops at the comma before a member that is left, and at the end of the object.
  @inline(__always)
  private mutating func takeMembers(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    let last = chunk.end - RecordShape.slack
    while next.takesMembers, p < last, p.pointee == UInt8(ascii: ",") {
      guard let key = plainKey(after: p, before: last), key.value < last,
        let (value, end) = plainValue(at: key.value, before: last),
        try next.member(key.text, value, at: offset(of: key.value, in: chunk))
      else { return }
      if text.count > 0 { try next.endValues() }
      p = end
    }
  }

  /// Reads the plain value at `p`. Returns it with the place of the separator after it; nil if it is
  /// anything else.
  @inline(__always)
  private mutating func plainValue(at p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>)
    -> (value: ObjectValue, end: UnsafePointer<UInt8>)?
  {
    text.removeAll()
    let limit = min(last, p + RecordShape.maxLength)
    guard
      let value = ShapeValue(
        at: p, before: limit, isWanted: true, isTidied: true, decoded: &text)
    else { return nil }
    var end = p + Int(value.length)
    if end.pointee <= UInt8(ascii: " ") { end += cscan_space(end, last) }
    let closing = nesting.inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard end < last, end.pointee == UInt8(ascii: ",") || end.pointee == closing else { return nil }
    return (value.object(at: p, decoded: text, from: 0), end)
  }

  /// Reads the key after the comma at `p`, which has no escapes, and its colon. Returns it with the place of
  /// its value; nil if it is anything else.
  @inline(__always)
  private func plainKey(after p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>)
    -> (text: UnsafeRawBufferPointer, value: UnsafePointer<UInt8>)?
  {
    var key = p + 1
    if key.pointee <= UInt8(ascii: " ") { key += cscan_space(key, last) }
    guard key < last, key.pointee == UInt8(ascii: "\"") else { return nil }
    let limit = min(last, key + Limits.key)
    let length = ShapeValue.plain(at: key, before: limit, known: 1)
    guard length < limit - key, key[length] == UInt8(ascii: "\""),
      key[length &+ 1] == UInt8(ascii: ":")
    else { return nil }
    var value = key + (length &+ 2)
    if value.pointee <= UInt8(ascii: " ") { value += cscan_space(value, last) }
    return (UnsafeRawBufferPointer(start: key + 1, count: length &- 1), value)
  }
}
