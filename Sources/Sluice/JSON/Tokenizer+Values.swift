import CSluice

/// Plain values that stand one after the other.
///
///     "temperature":[12.5,12.1,null,11.9]     "rates":{"EUR":1.08,"SEK":11.2}
///                    └──────────────┘                  └───────────────────┘
///
/// Where the next stage wants each of them, they are read without an index, from value to
/// separator, and handed on in runs (``ValueRun``), from one container to the next. It finds no
/// errors: whatever is not surely right is left to the tokenizer.
extension Tokenizer where Next: ~Copyable {
  /// Whether a plain value here may be handed on as a whole.
  @inline(__always)
  var mayBeValue: Bool { valuesDepth == nesting.depth && (isMember || !nesting.inObject) }

  /// Hands on plain values, from `p` on. Stops before the first one that is none, after the last
  /// one of the container, and near the end of the chunk. Returns whether it moved on.
  @inline(never)
  mutating func takeValues(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let first = p
    place = .value
    repeat {
      if nesting.inObject {
        try takeMembers(&p, chunk)
      } else {
        while try takeElements(&p, chunk) {}
      }
    } while try takeContainer(&p, chunk)
    try next.endWholes()
    return p > first
  }

  /// Moves from the end of a container at `p` into the next one that is written likewise: after a
  /// comma, a key in an object, or a known gap. Returns whether it did.
  ///
  ///     {"2026-11-24":{"EUR":1.08,"SEK":11.2},"2026-11-25":{"EUR":1.09,…
  ///                                         └──────────────┘
  @inline(__always)
  private mutating func takeContainer(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let last = chunk.end - RecordShape.slack
    let closing = nesting.inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard p < last, place == .separator, valuesDepth == nesting.depth, p.pointee == closing else {
      return false
    }
    if let (key, bracket) = container(after: p, before: last),
      try next.nextContainer(key, at: offset(of: bracket, in: chunk))
    {
      shape.pause()
      shape.resume(depth: nesting.depth + 1)
      place = nesting.inObject ? .firstKey : .firstElement
      p = bracket + 1
      return true
    }
    return try takeGap(from: p, &p, chunk)
  }

  /// Reads what stands between the end of a container at `p` and the next one. Returns its key, if
  /// it has one, and its bracket; nil if it is anything else than a container that is not empty, or
  /// the key has escapes.
  @inline(__always)
  private func container(after p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>)
    -> (key: ObjectValue?, bracket: UnsafePointer<UInt8>)?
  {
    guard let hasKey = nesting.isOuterObject else { return nil }
    var q = skipSpace(p + 1, before: last)
    guard q < last, q.pointee == UInt8(ascii: ",") else { return nil }
    var key: ObjectValue?
    if hasKey {
      guard let (text, value) = plainKey(after: q, before: last) else { return nil }
      (key, q) = (text, value)
    } else {
      q = skipSpace(q + 1, before: last)
    }
    guard q < last, q.pointee == (nesting.inObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    else { return nil }
    let first = skipSpace(q + 1, before: last)
    let isEmpty =
      nesting.inObject
      ? first.pointee != UInt8(ascii: "\"") : first.pointee == UInt8(ascii: "]")
    return first < last && !isEmpty ? (key, q) : nil
  }

  /// Returns the place after white space.
  @inline(__always)
  func skipSpace(_ p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>
  {
    p < last && p.pointee <= UInt8(ascii: " ") ? p + cscan_space(p, last) : p
  }

  /// Hands on a run of elements. Returns whether it ended at an element only because it was
  /// complete.
  @inline(__always)
  private mutating func takeElements(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let last = chunk.end - RecordShape.slack
    let values = beginRun(at: p, chunk)
    var (q, count) = (p, 0)
    var (isAtElement, isComplete, mayBeNumbers) = (true, false, true)
    while isAtElement, !isComplete, q < last {
      if mayBeNumbers, q.pointee &- UInt8(ascii: "-") <= UInt8(ascii: "9") - UInt8(ascii: "-") {
        (q, count, isAtElement) = Self.addNumbers(at: q, before: last, to: values, after: count)
        mayBeNumbers = false
      } else if let short = ShapeValue(shortAt: q), q[Int(short.length)] == UInt8(ascii: ",") {
        values[count] = short.shortObject(at: q)
        q += Int(short.length) &+ 1
        count &+= 1
      } else {
        guard let (value, end) = plainValue(at: q, before: last, in: UInt8(ascii: "]")) else {
          break
        }
        values[count] = value
        isComplete = text.count > 0
        isAtElement = end.pointee == UInt8(ascii: ",")
        q = isAtElement ? end + 1 : end
        count &+= 1
        mayBeNumbers = true
      }
      if count == ValueRun.most { isComplete = true }
      if q < last, q.pointee <= UInt8(ascii: " ") { q += cscan_space(q, last) }
    }
    guard count > 0 else { return false }
    p = q
    place = isAtElement ? .value : .separator
    valueRun.end(count: count)
    try next.values(valueRun)
    if text.count > 0 { try next.endWholes() }
    return isAtElement && isComplete
  }

  /// Adds the numbers from `p` on to the `count` values of a run, as long as there are several of
  /// them in 64 bytes and there is room. Returns where the next element begins, or the bracket
  /// after the last, and which of them.
  @inline(never)
  private static func addNumbers(
    at p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>,
    to values: UnsafeMutablePointer<ObjectValue>, after count: Int
  ) -> (next: UnsafePointer<UInt8>, count: Int, isElement: Bool) {
    var (q, count, found) = (p, count, 2)
    while found > 1, count < ValueRun.most, q < last {
      let before = count
      var numbers = cnumbers_at(q)
      var end = q
      while count < ValueRun.most, let (first, last, traits) = numbers.next() {
        end = q + last
        values[count] = ObjectValue(
          start: q + first, count: last &- first, written: q + first, kind: .number,
          traits: traits)
        count &+= 1
      }
      found = count &- before
      guard found > 0 else { break }
      guard end.pointee == UInt8(ascii: ",") else { return (end, count, false) }
      q = end + 1
      if q < last, q.pointee <= UInt8(ascii: " ") { q += cscan_space(q, last) }
    }
    return (q, count, true)
  }

  /// Hands on members of an object, from the first one on, or from the value of one on.
  @inline(__always)
  private mutating func takeMembers(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    let last = chunk.end - RecordShape.slack
    if place == .firstKey {
      var bracket = p - 1
      while next.takesMembers, try takeRunOfMembers(&bracket, chunk) {}
      guard bracket >= p else { return }
      p = bracket
      place = .separator
      guard try takeNextKey(&p, chunk) else { return }
    }
    while p < last {
      let values = beginRun(at: p, chunk)
      guard let (value, end) = plainValue(at: p, before: last, in: UInt8(ascii: "}")) else {
        return
      }
      values[0] = value
      valueRun.end(count: 1)
      try next.values(valueRun)
      if text.count > 0 { try next.endWholes() }
      p = end
      place = .separator
      while next.takesMembers, try takeRunOfMembers(&p, chunk) {}
      guard try takeNextKey(&p, chunk) else { return }
    }
  }

  /// Hands on the key after the comma at `p`, and moves to its value. Returns false if there is no
  /// comma, or if something else must read the key or the value.
  @inline(__always)
  private mutating func takeNextKey(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    guard p.pointee == UInt8(ascii: ","), try takeKey(&p, chunk) else { return false }
    p = skipSpace(p + 1, before: chunk.end - RecordShape.slack)
    place = .value
    return true
  }

  /// Hands on a run of members with their keys, from the comma or the bracket at `p` on. Returns
  /// whether all were taken, and there were some. Else it stops before the first that was not.
  @inline(__always)
  private mutating func takeRunOfMembers(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let last = chunk.end - RecordShape.slack
    let values = beginRun(at: p, chunk)
    var (q, count) = (p, 0)
    while count < memberLimit, text.count == 0, q < last, q.pointee != UInt8(ascii: "}"),
      let (key, first) = plainKey(
        after: q, before: last, expected: valueRun.key(count).count), first < last,
      let (value, end) = plainValue(at: first, before: last, in: UInt8(ascii: "}"))
    {
      values[count] = value
      valueRun.set(count, key: key, separator: end)
      count &+= 1
      q = end
    }
    guard count > 0 else { return false }
    valueRun.end(count: count)
    let taken = try next.members(valueRun)
    if text.count > 0 { try next.endWholes() }
    if taken > 0 { p = valueRun.separator(after: taken - 1) }
    // Members that are not taken are read again, so there should be few of them.
    memberLimit = taken == valueRun.count ? min(2 * memberLimit, ValueRun.most) : max(1, taken)
    return taken == valueRun.count
  }

  /// Begins a run at `p`, and returns the memory of its values. A value that is decoded, into
  /// ``text``, ends it.
  @inline(__always)
  private mutating func beginRun(at p: UnsafePointer<UInt8>, _ chunk: Bounds)
    -> UnsafeMutablePointer<ObjectValue>
  {
    text.removeAll()
    return valueRun.begin(at: p, offset: offset(of: p, in: chunk))
  }

  /// Reads the plain value at `p`. Returns it with the place of the separator after it: a comma, or
  /// the `closing` bracket. Nil if it is anything else.
  @inline(__always)
  private mutating func plainValue(
    at p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>, in closing: UInt8
  ) -> (value: ObjectValue, end: UnsafePointer<UInt8>)? {
    if let short = ShapeValue(shortAt: p) {
      let end = p + Int(short.length)
      if end.pointee == UInt8(ascii: ",") || end.pointee == closing, end < last {
        return (short.shortObject(at: p), end)
      }
    }
    return anyPlainValue(at: p, before: last, in: closing)
  }

  /// The same for any value.
  @inline(never)
  private mutating func anyPlainValue(
    at p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>, in closing: UInt8
  ) -> (value: ObjectValue, end: UnsafePointer<UInt8>)? {
    let limit = min(last, p + RecordShape.maxLength)
    guard
      let value = ShapeValue(
        at: p, before: limit, isWanted: true, isTidied: true, decoded: &text)
    else { return nil }
    var end = p + Int(value.length)
    if end.pointee <= UInt8(ascii: " ") { end += cscan_space(end, last) }
    guard end < last, end.pointee == UInt8(ascii: ",") || end.pointee == closing else { return nil }
    return (value.object(at: p, decoded: text, from: 0), end)
  }

  /// Reads the key after the comma at `p`, which has no escapes, and its colon. Returns it with the
  /// place of its value; nil if it is anything else. If the key has as many bytes as `expected`,
  /// the processor need not wait for its length.
  @inline(__always)
  func plainKey(
    after p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>, expected: Int = -1
  ) -> (key: ObjectValue, value: UnsafePointer<UInt8>)? {
    let key = skipSpace(p + 1, before: last)
    guard key < last, key.pointee == UInt8(ascii: "\""),
      let (text, found) = plainText(at: key, before: last)
    else { return nil }
    var end = found
    if text.count == expected { end = key + Int(cvalue_apart(expected + 2)) }
    guard end.pointee == UInt8(ascii: ":") else { return nil }
    return (text, skipSpace(end + 1, before: last))
  }

  /// Reads the string at `p`, which has no escapes and is not too long for a key. Returns it with
  /// its end; nil if it is anything else.
  @inline(__always)
  private func plainText(at p: UnsafePointer<UInt8>, before last: UnsafePointer<UInt8>)
    -> (text: ObjectValue, end: UnsafePointer<UInt8>)?
  {
    if let short = ShapeValue(shortTextAt: p) {
      return (short.shortObject(at: p), p + Int(short.length))
    }
    let limit = min(last, p + Limits.key)
    let length = ShapeValue.plain(at: p, before: limit, known: 1)
    guard length < limit - p, p[length] == UInt8(ascii: "\"") else { return nil }
    let isTidy = cspace_is_tidy(p + 1, length &- 1) != 0
    return (
      ObjectValue(
        start: p + 1, count: length &- 1, written: p, kind: .string,
        traits: isTidy ? .tidy : []), p + (length &+ 1)
    )
  }
}

extension cnumbers {
  /// Takes the first number off. Returns where it begins and ends, and what is known of it; nil if
  /// there is none.
  @inline(__always)
  mutating func next() -> (first: Int, end: Int, traits: ValueTraits)? {
    guard ends != 0 else { return nil }
    let isWhole = fractions & ends & (0 &- ends) == 0
    defer {
      starts &= starts &- 1
      ends &= ends &- 1
    }
    return (
      starts.trailingZeroBitCount, ends.trailingZeroBitCount,
      isWhole ? [.tidy, .whole] : .tidy
    )
  }
}
