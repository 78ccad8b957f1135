import CSluice

/// Splits a JSON text into tokens, strictly by RFC 8259, whatever chunks it comes in.
///
/// It does not recurse and keeps no more than one token: a token that lies whole in a chunk is
/// handed on where it stands, one that a chunk's end cuts, or that holds escapes, is put together
/// in a buffer first. UTF-8 is validated (RFC 3629), escapes are decoded, numbers are left as
/// written. A byte order mark at the start is passed over. What this file drives, the grammar of
/// arrays and objects, looks at each byte outside of a token:
///
///     {"№":[1,"a"]}
///     ^        place firstKey:     a key or }
///      ^       place colon         (after the key)
///         ^    place value
///          ^   place firstElement: a value or ]
///           ^  place separator:    , or the end of the container
///                 ^ place end:     only white space may follow
///
/// Limits: ``Limits``. Errors carry the offset of the byte that is wrong; of a value that is wrong
/// as a whole, its first byte; of a text that ends early, its length.
package struct Tokenizer<Next: TokenStage & ~Copyable>: ByteStage, ~Copyable {
  var next: Next
  /// Which JSON this is: the feed's records, or the envelope around them.
  private let role: Role
  private let tally: Tally
  var place = Place.value
  var nesting = Nesting()
  /// What a chunk's end has cut.
  var inside = Inside.start
  /// The offset of the chunk's first byte, and where that byte lies.
  var chunkOffset = 0
  /// Where the token in hand begins.
  var tokenOffset = 0
  /// The token in hand as far as it had to be copied.
  var text = ByteBuffer(capacity: 4096)
  /// The string in hand is a key.
  var isKey = false
  /// The string in hand is wanted in pieces.
  var inPieces = false
  /// Where a string in hand is between two chunks.
  var string = StringState()
  /// Where a number in hand is between two chunks.
  var number = NumberState.start
  /// The word in hand, and how many of its letters have been seen.
  var word = Word.null
  var lettersSeen = 0
  private var capture = Capture()
  /// The value being captured is a record.
  private var isRecord = false
  /// How the records before were written.
  var shape = RecordShape()

  package init(into next: consuming Next, as role: Role = .records, tally: Tally) {
    self.next = next
    self.role = role
    self.tally = tally
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try bytes.withUnsafeBytes { (chunk) throws(PipelineError) in
      guard let base = chunk.baseAddress?.assumingMemoryBound(to: UInt8.self), chunk.count > 0
      else { return }
      let bounds = Bounds(base: base, end: base + chunk.count)
      capture.enterChunk(at: base)
      try run(bounds)
      capture.leaveChunk(at: bounds.end)
      shape.forget()
      chunkOffset += chunk.count
      switch role {
      case .records: tally.json.bytesIn.set(chunkOffset)
      case .envelope: tally.envelope.bytesIn.set(chunkOffset)
      }
    }
  }

  package consuming func finish() throws(PipelineError) {
    if inside == .number, number.mayEnd { try endNumber() }
    guard inside == .none, place == .end else {
      let isEmpty = inside == .start || (inside == .none && place == .value && nesting.depth == 0)
      throw error(isEmpty ? .empty : .truncated, at: chunkOffset)
    }
    try next.finish()
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Which JSON a tokenizer reads; it decides which stage its errors name.
  package enum Role: Sendable {
    case records, envelope
  }
}

extension Tokenizer where Next: ~Copyable {
  /// The offset of a byte of the chunk.
  @inline(__always)
  func offset(of p: UnsafePointer<UInt8>, in chunk: Bounds) -> Int {
    chunkOffset + (p - chunk.base)
  }

  /// Drives the grammar over one chunk.
  private mutating func run(_ chunk: Bounds) throws(PipelineError) {
    var p = chunk.base
    let end = chunk.end
    if inside != .none { try resume(&p, chunk) }
    while p < end {
      let byte = p.pointee
      if byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
        p += 1
        p += cscan_space(p, end)
        continue
      }
      switch place {
      case .separator:
        if byte == UInt8(ascii: ",") {
          place = nesting.inObject ? .key : .value
          p += 1
        } else if byte == UInt8(ascii: "}"), nesting.inObject {
          try close(.endObject, &p, chunk)
        } else if byte == UInt8(ascii: "]"), !nesting.inObject {
          try close(.endArray, &p, chunk)
        } else {
          throw unexpected(p, chunk)
        }
      case .key, .firstKey:
        if byte == UInt8(ascii: "\"") {
          isKey = true
          try beginString(&p, chunk)
          // Nearly always the colon is next: it costs no round of its own.
          if p < end, p.pointee == UInt8(ascii: ":"), place == .colon {
            place = .value
            p += 1
          }
        } else if byte == UInt8(ascii: "}"), place == .firstKey {
          try close(.endObject, &p, chunk)
        } else {
          throw unexpected(p, chunk)
        }
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw unexpected(p, chunk) }
        place = .value
        p += 1
      case .value, .firstElement:
        if byte == UInt8(ascii: "\"") {
          isKey = false
          try beginString(&p, chunk)
          if p < end, p.pointee == UInt8(ascii: ","), place == .separator {
            place = nesting.inObject ? .key : .value
            p += 1
          }
        } else {
          try beginOther(byte, &p, chunk)
        }
      case .end:
        throw error(.trailing(byte), at: offset(of: p, in: chunk))
      }
    }
  }

  /// Begins a value that is no string.
  private mutating func beginOther(
    _ byte: UInt8, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) {
    switch byte {
    case UInt8(ascii: "{"):
      if shape.depth == nesting.depth + 1, try takeRecords(&p, chunk) { return }
      try open(.beginObject, &p, chunk)
    case UInt8(ascii: "["): try open(.beginArray, &p, chunk)
    case UInt8(ascii: "]") where place == .firstElement: try close(.endArray, &p, chunk)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      tokenOffset = offset(of: p, in: chunk)
      text.removeAll()
      number = .start
      try scanNumber(&p, chunk)
    case UInt8(ascii: "t"): try beginWord(.true, &p, chunk)
    case UInt8(ascii: "f"): try beginWord(.false, &p, chunk)
    case UInt8(ascii: "n"): try beginWord(.null, &p, chunk)
    default: throw unexpected(p, chunk)
    }
  }

  private mutating func open(
    _ kind: TokenKind, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) {
    let at = offset(of: p, in: chunk)
    guard nesting.depth < Limits.depth else {
      throw error(.tooDeep(limit: Limits.depth), at: at)
    }
    let isObject = kind == .beginObject
    nesting.push(isObject: isObject)
    place = isObject ? .firstKey : .firstElement
    let reply = try next.token(kind, RawSpan(), at: at)
    if reply != .proceed {
      capture.begin(p, depth: nesting.depth)
      isRecord = reply == .record
    }
    inPieces = false
    p += 1
  }

  private mutating func close(
    _ kind: TokenKind, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) {
    let at = offset(of: p, in: chunk)
    p += 1
    if capture.isAt(depth: nesting.depth) {
      let raw = capture.take(upTo: p)
      _ = try next.token(kind, RawSpan(_unsafeBytes: raw), at: at)
      if isRecord { learnRecord(raw, before: p, chunk) }
    } else {
      _ = try next.token(kind, RawSpan(), at: at)
      // The list of the records ends.
      if nesting.depth < shape.depth { shape.forget() }
    }
    nesting.pop()
    place = nesting.depth == 0 ? .end : .separator
  }

  /// Hands on a finished value and says what may follow it.
  @inline(__always)
  mutating func emitValue(_ kind: TokenKind, _ bytes: RawSpan) throws(PipelineError) {
    inside = .none
    place = nesting.depth == 0 ? .end : .separator
    _ = try next.token(kind, bytes, at: tokenOffset)
    inPieces = false
  }

  /// Hands on a finished key.
  @inline(__always)
  mutating func emitKey(_ bytes: RawSpan) throws(PipelineError) {
    inside = .none
    place = .colon
    inPieces = try next.token(.key, bytes, at: tokenOffset) == .pieces
  }

  private func unexpected(_ p: UnsafePointer<UInt8>, _ chunk: Bounds) -> PipelineError {
    error(.unexpected(p.pointee), at: offset(of: p, in: chunk))
  }

  /// An error of this stage.
  func error(_ fault: JSONFault, at offset: Int) -> PipelineError {
    switch role {
    case .records: PipelineError(.json(fault), at: offset)
    case .envelope: PipelineError(.envelope(.json(fault)), at: offset)
    }
  }
}

/// The memory of one chunk.
struct Bounds {
  let base: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
}

/// What the grammar allows next.
enum Place: UInt8 {
  case value, firstElement, firstKey, key, colon, separator, end
}

/// The token that a chunk's end has cut.
enum Inside: UInt8 {
  case none, start, mark, string, number, word
}

extension Tokenizer where Next: ~Copyable {
  /// Goes on with what the last chunk's end has cut.
  mutating func resume(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    if inside == .start {
      inside = p.pointee == 0xEF ? .mark : .none
    }
    switch inside {
    case .none, .start: break
    case .mark: try passMark(&p, chunk)
    case .string: try scanString(&p, chunk)
    case .number: try scanNumber(&p, chunk)
    case .word: try scanWord(&p, chunk)
    }
  }

  /// Passes over a byte order mark, EF BB BF.
  private mutating func passMark(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    let mark: InlineArray<3, UInt8> = [0xEF, 0xBB, 0xBF]
    while p < chunk.end {
      guard p.pointee == mark[lettersSeen] else {
        throw error(.unexpected(0xEF), at: 0)
      }
      p += 1
      lettersSeen += 1
      if lettersSeen == 3 {
        inside = .none
        return
      }
    }
  }
}

/// The three words of JSON.
enum Word: UInt8 {
  case `true`, `false`, null

  var letters: StaticString {
    switch self {
    case .true: "true"
    case .false: "false"
    case .null: "null"
    }
  }

  var kind: TokenKind {
    switch self {
    case .true: .true
    case .false: .false
    case .null: .null
    }
  }
}

extension Tokenizer where Next: ~Copyable {
  mutating func beginWord(_ word: Word, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    tokenOffset = offset(of: p, in: chunk)
    self.word = word
    lettersSeen = 0
    inside = .word
    try scanWord(&p, chunk)
  }

  /// Goes on with a word, from its start or from where the last chunk ended.
  mutating func scanWord(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds) throws(PipelineError) {
    let letters = word.letters
    while p < chunk.end {
      guard p.pointee == letters.utf8Start[lettersSeen] else {
        throw error(.literal, at: tokenOffset)
      }
      p += 1
      lettersSeen += 1
      if lettersSeen == letters.utf8CodeUnitCount {
        try emitValue(word.kind, RawSpan())
        return
      }
    }
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Goes on with a number, from its start or from where the last chunk ended.
  mutating func scanNumber(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    let run = p
    inside = .number
    while p < chunk.end {
      guard let state = number.after(p.pointee) else { break }
      number = state
      p += 1
      if offset(of: p, in: chunk) - tokenOffset > Limits.number {
        throw error(.numberTooLong(limit: Limits.number), at: tokenOffset)
      }
    }
    let rest = UnsafeRawBufferPointer(start: run, count: p - run)
    let isCopied = text.count > 0 || p == chunk.end
    if isCopied { text.append(rest) }
    guard p < chunk.end else { return }
    guard number.mayEnd else { throw error(.number, at: offset(of: p, in: chunk)) }
    try emitValue(.number, RawSpan(_unsafeBytes: isCopied ? text.contents : rest))
  }

  /// Hands on the number that the end of the text ends.
  mutating func endNumber() throws(PipelineError) {
    try emitValue(.number, RawSpan(_unsafeStart: text.start, byteCount: text.count))
  }
}

/// The containers that are open around the byte in hand: a bit each, set for an object.
struct Nesting {
  private(set) var depth = 0
  /// The innermost container is an object.
  private(set) var inObject = false
  private var bits = InlineArray<8, UInt64>(repeating: 0)

  /// Enters a container; the caller keeps `depth` below ``Limits/depth``.
  @inline(__always)
  mutating func push(isObject: Bool) {
    let word = depth >> 6
    let bit = UInt64(1) << UInt64(depth & 63)
    bits[word] = isObject ? bits[word] | bit : bits[word] & ~bit
    depth += 1
    inObject = isObject
  }

  /// Leaves the innermost container.
  @inline(__always)
  mutating func pop() {
    depth -= 1
    guard depth > 0 else {
      inObject = false
      return
    }
    let top = depth - 1
    inObject = bits[top >> 6] >> UInt64(top & 63) & 1 == 1
  }
}

/// Keeps the raw text of one value while it passes, its first 64 KiB.
///
/// Nothing is copied while the value lies in one chunk.
struct Capture: ~Copyable {
  /// How deep the value lies; 0 where none is being kept.
  private var depth = 0
  /// Where the part begins that is not copied.
  private var from: UnsafePointer<UInt8>
  private var kept = ByteBuffer(capacity: 1024)

  init() { from = UnsafePointer(kept.start.assumingMemoryBound(to: UInt8.self)) }

  /// Starts with the value whose bracket is at `p`.
  @inline(__always)
  mutating func begin(_ p: UnsafePointer<UInt8>, depth: Int) {
    self.depth = depth
    from = p
    kept.removeAll()
  }

  /// The value being kept is the one at this depth.
  @inline(__always)
  func isAt(depth: Int) -> Bool { self.depth == depth }

  /// Says where the next chunk begins.
  mutating func enterChunk(at base: UnsafePointer<UInt8>) { from = base }

  /// Says where the chunk ends; what was not copied yet is copied now.
  mutating func leaveChunk(at end: UnsafePointer<UInt8>) {
    if depth > 0 { copy(upTo: end) }
  }

  /// Ends with the value whose text ends before `end`. The answer is valid until the chunk's end.
  @inline(__always)
  mutating func take(upTo end: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
    depth = 0
    if kept.count == 0 {
      return UnsafeRawBufferPointer(start: from, count: min(end - from, Limits.captured))
    }
    copy(upTo: end)
    kept.reserve(RecordShape.slack)
    return kept.contents
  }

  private mutating func copy(upTo end: UnsafePointer<UInt8>) {
    let count = min(end - from, Limits.captured - kept.count)
    kept.append(UnsafeRawBufferPointer(start: from, count: count))
  }
}
