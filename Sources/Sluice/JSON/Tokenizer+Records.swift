import CSluice

/// Whole records, by a ``RecordShape``.
extension Tokenizer where Next: ~Copyable {
  /// Whether an object or array that begins here may be a record that matches the shape.
  @inline(__always)
  var mayBeRecord: Bool {
    shape.depth == nesting.depth + 1 && (isMember || !nesting.inObject)
  }

  /// Hands on whole records that match the shape, from the brace or bracket at `p` on. Stops before
  /// the first one that does not match, after the last one of a list, and at the end of the chunk
  /// if it keeps one that the chunk cuts. Returns whether it moved on.
  @inline(never)
  mutating func takeRecords(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let hasMoved = try readRecords(&p, chunk)
    try next.endWholes()
    return hasMoved
  }

  @inline(__always)
  private mutating func readRecords(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let first = p
    shape.forgetDecoded()
    // Whether the record at `p` is handed on with its key, and that with the comma before, or the
    // bracket of the object.
    var (hasKey, key, separator) = (false, ObjectValue(), p)
    while let end = shape.match(p, before: chunk.end) {
      let record = shape.record(p, end, at: offset(of: p, in: chunk))
      if hasKey {
        try next.object(record, key: key)
        hasKey = false
      } else {
        try next.object(record)
      }
      if shape.areManyDecoded {
        try next.endWholes()
        shape.forgetDecoded()
      }
      p = end
      place = nesting.depth == 0 ? .end : .separator
      // The slack after a record or a gap has room for the separator, white space and what the next
      // record begins with.
      var begin = p + 1
      let isIndented = nesting.depth > 0 && p[0] <= UInt8(ascii: " ")
      let bracket = isIndented ? p + cscan_space(p, p + RecordShape.slack - 1) : p
      if bracket[0] == (nesting.inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        guard try takeGap(from: bracket, &p, chunk) else { return true }
        begin = p
      } else if p[0] != (nesting.depth == 0 ? UInt8(ascii: "\n") : UInt8(ascii: ",")) {
        return true
      }
      if nesting.inObject {
        separator = begin - 1
        let last = chunk.end - RecordShape.slack
        if next.takesKeys, let (text, value) = plainKey(after: separator, before: last),
          value < last
        {
          (hasKey, key, begin) = (true, text, value)
        } else {
          guard try takeKey(after: separator, &p, chunk) else { return true }
          begin = p + 1
        }
      }
      if begin.pointee != first.pointee {
        begin += cscan_space(begin, begin + RecordShape.slack - 2)
      }
      guard begin.pointee == first.pointee else {
        if hasKey { _ = try takeKey(after: separator, &p, chunk) }
        return true
      }
      p = begin
      place = .value
    }
    if hasKey {
      // It is the token of its key now.
      let value = p
      guard try takeKey(after: separator, &p, chunk) else { return true }
      p = value
      place = .value
    }
    if shape.mayBeCut, !cut.isPast(p) {
      if cut.keep(p, in: chunk) {
        p = chunk.end
        place = .value
      } else {
        shape.giveUp()
      }
    }
    return p > first
  }

  /// The same as ``takeKey(_:_:)`` after a comma, or after the bracket of an object.
  private mutating func takeKey(
    after separator: UnsafePointer<UInt8>, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) -> Bool {
    let isComma = separator.pointee == UInt8(ascii: ",")
    p = separator
    place = isComma ? .separator : .firstKey
    if try takeKey(&p, chunk) { return true }
    if p == separator, !isComma { p += 1 }
    return false
  }

  /// Ends the whole records, hands on the key of the next one, from the comma at `p` on, and moves
  /// to its colon. Returns whether a record may follow. Keys with escapes, very long ones, and
  /// those at the end of the chunk are left.
  @inline(never)
  mutating func takeKey(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    try next.endWholes()
    let limit = chunk.end - RecordShape.slack
    let key = p + 1 + cscan_space(p + 1, p + RecordShape.slack - 1)
    guard key < limit, key.pointee == UInt8(ascii: "\""),
      let text = ShapeValue(passing: key, before: limit, known: 1), text.isQuoted,
      text.length <= Limits.key
    else { return false }
    let end = key + Int(text.length)
    tokenOffset = offset(of: key, in: chunk)
    try emitKey(
      RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: key + 1, count: end - key - 2)))
    p = end
    return isMember && end.pointee == UInt8(ascii: ":")
  }

  /// Ends a part of the text that ends where an element of a list does, before this separator.
  /// Another part of the same list may follow.
  mutating func endPart(before separator: UInt8) throws(PipelineError) {
    guard cut.count > 0 else { return }
    // A record is compared only if enough follows it: its last value is compared with the one
    // before, which may be longer. It ends before that.
    let room = 4 * RecordShape.slack
    var rest = ByteBuffer(capacity: 1 + room)
    rest.append(separator)
    for _ in 0..<room { rest.append(UInt8(ascii: " ")) }
    _ = try takeCut(rest.contents, atMost: rest.count)
  }

  /// Reads the record that the last chunk cut, with the first bytes of this one: a record is seldom
  /// longer than an eighth of it. Returns how many of them were read.
  mutating func takeCut(_ rest: UnsafeRawBufferPointer) throws(PipelineError) -> Int {
    try takeCut(rest, atMost: rest.count / 8)
  }

  @inline(never)
  private mutating func takeCut(
    _ rest: UnsafeRawBufferPointer, atMost count: Int
  ) throws(PipelineError) -> Int {
    let joined = cut.join(UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
    var p = joined.base
    if try !takeRecords(&p, joined) { shape.giveUp() }
    // What is left of the last chunk is read as if nothing followed.
    let part = Bounds(base: joined.base, end: max(p, cut.end))
    try read(part, from: p)
    return part.end - cut.forget()
  }

  /// Learns the form of the record that ends before `p`, for the records after it.
  @inline(never)
  mutating func learnRecord(
    _ raw: UnsafeRawBufferPointer, before p: UnsafePointer<UInt8>, _ chunk: Bounds
  ) {
    if shape.form == nil { shape.form = next.recordForm() }
    if shape.learn(raw, room: chunk.end - p) {
      shape.accept(depth: nesting.depth)
    } else {
      shape.pause()
    }
  }
}

/// The first bytes of a record that a chunk cuts.
///
///     chunks    …,{"id":6,"at":"c"},{"id":7,"a│t":"d"},{"id":8,…
///     kept                          └─────────┘
///     joined                        └──────────────────────────…     compared with the shape
///
/// Token by token such a record would take much longer, and there is one in each chunk.
struct CutRecord: ~Copyable {
  private var bytes = ByteBuffer(capacity: 1)
  /// How many of the bytes are of the last chunk, while they are read; 0 before.
  private var joined = 0

  /// The number of bytes that are kept for the next chunk.
  @inline(__always)
  var count: Int { joined > 0 ? 0 : bytes.count }

  /// The end of the bytes of the last chunk, while they are read.
  var end: UnsafePointer<UInt8> {
    UnsafePointer(bytes.start.assumingMemoryBound(to: UInt8.self)) + joined
  }

  /// Returns whether the bytes are being read, and all before `p` are of the next chunk.
  func isPast(_ p: UnsafePointer<UInt8>) -> Bool { joined > 0 && p >= end }

  /// Keeps the bytes from `p` on, unless they are many: copying would cost more than it saves.
  /// Returns whether it did.
  mutating func keep(_ p: UnsafePointer<UInt8>, in chunk: Bounds) -> Bool {
    let count = chunk.end - p
    guard joined == 0, count <= (chunk.end - chunk.base) / 8 else { return false }
    bytes.append(UnsafeRawBufferPointer(start: p, count: count))
    return true
  }

  /// Adds the bytes that follow. Returns all as a chunk of their own.
  mutating func join(_ rest: UnsafeRawBufferPointer) -> Bounds {
    joined = bytes.count
    bytes.append(rest)
    let base = UnsafePointer(bytes.start.assumingMemoryBound(to: UInt8.self))
    return Bounds(base: base, end: base + bytes.count)
  }

  /// Forgets the bytes, which have been read. Returns the end of those of the last chunk.
  mutating func forget() -> UnsafePointer<UInt8> {
    let end = end
    bytes.removeAll()
    joined = 0
    return end
  }
}
