import CSluice

/// Splits a JSON text into tokens, strictly by RFC 8259. The text may be cut anywhere.
///
/// It does not recurse and keeps at most one token. A token that is whole in its chunk is handed on
/// from there. A token that is cut by the end of a chunk, or that has escapes, is first put
/// together in a buffer. UTF-8 is validated (RFC 3629), escapes are decoded, numbers are left as
/// written. A byte order mark at the start is skipped. This file contains the grammar of arrays and
/// objects. After the marked byte it is at this place:
///
///     {"№":[1,"a"]}
///     ^              firstKey       a key or }
///        ^           colon
///         ^          value
///          ^         firstElement   a value or ]
///           ^        separator      , or the end of the container
///                 ^  end            only white space may follow
///
/// Limits: ``Limits``. The offset of an error is that of the wrong byte or of the first byte of a
/// wrong value. If the text ends too early, it is the length of the text.
struct Tokenizer<Next: TokenStage & ~Copyable>: ByteStage, ~Copyable {
  var next: Next
  /// Whether the text is the feed's records or the envelope around them.
  private let role: Role
  private let counters: Counters
  var place = Place.value
  var nesting = Nesting()
  /// The token that was cut by the end of a chunk.
  var inside = Inside.start
  /// The offset of the chunk's first byte.
  var chunkOffset = 0
  /// The offset of the current token.
  var tokenOffset = 0
  /// The copied part of the current token.
  var text = ByteBuffer(capacity: 4096)
  /// Whether the current string is a key.
  var isKey = false
  /// Whether the current string is handed on in pieces.
  var inPieces = false
  /// The state of a string between two chunks.
  var string = StringState()
  /// The state of a number between two chunks.
  var number = NumberState.start
  /// The current literal name, and how many of its letters have been seen.
  var literal = Literal.null
  private var lettersSeen = 0
  private var capture = Capture()
  /// Whether the captured value is a record.
  private var isRecord = false
  /// The form of the previous records.
  var shape = RecordShape()

  init(into next: consuming Next, as role: Role = .records, counters: Counters) {
    self.next = next
    self.role = role
    self.counters = counters
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
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
      case .records: counters.json.bytesIn.set(chunkOffset)
      case .envelope: counters.envelope.bytesIn.set(chunkOffset)
      }
    }
  }

  consuming func finish() throws(PipelineError) {
    if inside == .number, number.mayEnd { try endNumber() }
    guard inside == .none, place == .end else {
      let isEmpty = inside == .start || (inside == .none && place == .value && nesting.depth == 0)
      throw error(isEmpty ? .empty : .truncated, at: chunkOffset)
    }
    try next.finish()
  }
}

extension Tokenizer where Next: ~Copyable {
  /// The JSON that a tokenizer reads. Its errors name this stage.
  enum Role: Sendable {
    case records, envelope
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Returns the offset of a byte of the chunk.
  @inline(__always)
  func offset(of p: UnsafePointer<UInt8>, in chunk: Bounds) -> Int {
    chunkOffset + (p - chunk.base)
  }

  /// Runs the grammar over one chunk.
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
          // Nearly always the colon is next. Read here, it costs no round of its own.
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

  /// Begins a value that is not a string.
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
    case UInt8(ascii: "t"): try beginLiteral(.true, &p, chunk)
    case UInt8(ascii: "f"): try beginLiteral(.false, &p, chunk)
    case UInt8(ascii: "n"): try beginLiteral(.null, &p, chunk)
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

  /// Hands on a complete value and sets the place after it.
  @inline(__always)
  mutating func emitValue(_ kind: TokenKind, _ bytes: RawSpan) throws(PipelineError) {
    inside = .none
    place = nesting.depth == 0 ? .end : .separator
    _ = try next.token(kind, bytes, at: tokenOffset)
    inPieces = false
  }

  /// Hands on a complete key.
  @inline(__always)
  mutating func emitKey(_ bytes: RawSpan) throws(PipelineError) {
    inside = .none
    place = .colon
    inPieces = try next.token(.key, bytes, at: tokenOffset) == .pieces
  }

  private func unexpected(_ p: UnsafePointer<UInt8>, _ chunk: Bounds) -> PipelineError {
    error(.unexpected(p.pointee), at: offset(of: p, in: chunk))
  }

  /// Returns an error of this stage.
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

/// The place in the grammar, named after the next token.
enum Place: UInt8 {
  case value, firstElement, firstKey, key, colon, separator, end
}

/// The token that was cut by the end of a chunk.
enum Inside: UInt8 {
  case none, start, mark, string, number, literal
}

extension Tokenizer where Next: ~Copyable {
  /// Continues with the token that was cut by the end of the last chunk.
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
    case .literal: try scanLiteral(&p, chunk)
    }
  }

  /// Skips a byte order mark.
  private mutating func passMark(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    while p < chunk.end {
      guard p.pointee == ByteOrderMark.byte(lettersSeen) else {
        throw error(.unexpected(0xEF), at: 0)
      }
      p += 1
      lettersSeen += 1
      if lettersSeen == ByteOrderMark.count {
        inside = .none
        return
      }
    }
  }
}

/// The three literal names (RFC 8259, section 3).
enum Literal: UInt8 {
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
  private mutating func beginLiteral(
    _ literal: Literal, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  )
    throws(PipelineError)
  {
    tokenOffset = offset(of: p, in: chunk)
    self.literal = literal
    lettersSeen = 0
    inside = .literal
    try scanLiteral(&p, chunk)
  }

  /// Continues with a literal, from its start or from the start of a chunk.
  private mutating func scanLiteral(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    let letters = literal.letters
    while p < chunk.end {
      guard p.pointee == letters.utf8Start[lettersSeen] else {
        throw error(.literal, at: tokenOffset)
      }
      p += 1
      lettersSeen += 1
      if lettersSeen == letters.utf8CodeUnitCount {
        try emitValue(literal.kind, RawSpan())
        return
      }
    }
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Continues with a number, from its start or from the start of a chunk.
  private mutating func scanNumber(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
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

  /// Hands on a number at the end of the text.
  private mutating func endNumber() throws(PipelineError) {
    try emitValue(.number, RawSpan(_unsafeStart: text.start, byteCount: text.count))
  }
}

/// The open containers around the current byte, one bit each, set for an object.
struct Nesting {
  private(set) var depth = 0
  /// Whether the innermost container is an object.
  private(set) var inObject = false
  private var bits = InlineArray<8, UInt64>(repeating: 0)

  /// Enters a container. The caller keeps `depth` below ``Limits/depth``.
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

/// Keeps the raw text of one value while it is read, up to 64 KiB.
///
/// A value that is whole in its chunk is not copied.
private struct Capture: ~Copyable {
  /// The depth of the value, or 0 if none is being kept.
  private var depth = 0
  /// The first byte that is not yet copied.
  private var from: UnsafePointer<UInt8>
  private var kept = ByteBuffer(capacity: 1024)

  init() { from = UnsafePointer(kept.start.assumingMemoryBound(to: UInt8.self)) }

  /// Begins to keep the value whose bracket is at `p`.
  @inline(__always)
  mutating func begin(_ p: UnsafePointer<UInt8>, depth: Int) {
    self.depth = depth
    from = p
    kept.removeAll()
  }

  /// Returns whether the value that is being kept is at this depth.
  @inline(__always)
  func isAt(depth: Int) -> Bool { self.depth == depth }

  /// Begins a chunk.
  mutating func enterChunk(at base: UnsafePointer<UInt8>) { from = base }

  /// Ends a chunk and copies the part of it that must be kept.
  mutating func leaveChunk(at end: UnsafePointer<UInt8>) {
    if depth > 0 { copy(upTo: end) }
  }

  /// Returns the raw text of the value that ends before `end`. It is valid until the end of the
  /// chunk.
  @inline(__always)
  mutating func take(upTo end: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
    depth = 0
    if kept.count == 0 {
      return UnsafeRawBufferPointer(start: from, count: min(end - from, Limits.captured))
    }
    copy(upTo: end)
    return kept.contents
  }

  private mutating func copy(upTo end: UnsafePointer<UInt8>) {
    let count = min(end - from, Limits.captured - kept.count)
    kept.append(UnsafeRawBufferPointer(start: from, count: count))
  }
}
