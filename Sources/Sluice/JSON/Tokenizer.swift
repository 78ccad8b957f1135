import CScan

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
struct Tokenizer<Next: TokenStage & ~Copyable>: ByteStage, ~Copyable {
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

  init(into next: consuming Next, as role: Role = .records, tally: Tally) {
    self.next = next
    self.role = role
    self.tally = tally
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
      case .records: tally.json.bytesIn.set(chunkOffset)
      case .envelope: tally.envelope.bytesIn.set(chunkOffset)
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
  /// Which JSON a tokenizer reads; it decides which stage its errors name.
  enum Role: Sendable {
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
