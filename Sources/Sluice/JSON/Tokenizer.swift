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
///
/// Text is read in five ways, all as strict. The first three are tried where such a thing may
/// begin:
///
/// - Whole records that are written like those before: ``RecordShape``, in `Tokenizer+Records.swift`.
/// - Gaps between two lists of records, in the same way, in `Tokenizer+Gaps.swift`.
/// - Plain values one after the other, in `Tokenizer+Values.swift`.
/// - Tokens by the places of a ``StructuralIndex``, in `Tokenizer+Index.swift`.
/// - Byte by byte, here: tokens that a chunk cuts, and whatever the index is not sure of. Only this way
///   finds errors.
///
///     run ─▶ readByIndex ─▶ walk ─┬─ { or [         takeRecords ─▶ between two of them: takeGap, takeKey
///      │                          ├─ plain value    takeValues ─▶ between two lists: takeGap
///      │                          ├─ ] of a list    takeGap
///      │                          └─ other tokens, from entry to entry
///      └─▶ one token, byte by byte
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
  /// Whether the value of the last key is a record, if it is an object.
  var isMember = false
  /// The depth of the plain values that may come as wholes; -1 if none may, because the depth of
  /// values on lines is 0.
  var valuesDepth = -1
  /// The plain values that are handed on together, and how many members among them at most.
  var valueRun = ValueRun()
  var memberLimit = 1
  /// The record that the last chunk cut.
  var cut = CutRecord()
  /// The form of the previous gaps between lists of records.
  var gaps = RecordGaps()
  /// The value that is not handed on.
  var passing = Passing()
  /// The texts, if there may be more than one.
  var lines = TextLines()
  /// The places to look at in the next bytes of the chunk.
  var index: StructuralIndex

  /// Makes a tokenizer. It comes to the same whatever the `way` of its index.
  init(
    into next: consuming Next, as role: Role = .records, indexed way: StructuralIndex.Way = .best,
    counters: Counters
  ) {
    self.next = next
    self.role = role
    self.counters = counters
    index = StructuralIndex(way)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try bytes.withUnsafeBytes { (bytes) throws(PipelineError) in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count > 0
      else { return }
      let first = base + (cut.count > 0 ? try takeCut(bytes) : 0)
      if first < base + bytes.count {
        try read(Bounds(base: first, end: base + bytes.count), from: first)
      }
      let bytesIn = chunkOffset + cut.count
      switch role {
      case .records: counters.json.bytesIn.set(bytesIn)
      case .envelope: counters.envelope.bytesIn.set(bytesIn)
      }
    }
  }

  consuming func finish() throws(PipelineError) {
    if cut.count > 0 { _ = try takeCut(UnsafeRawBufferPointer(start: nil, count: 0)) }
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

  /// Reads a chunk from `p` on. All before has been read.
  mutating func read(_ chunk: Bounds, from p: UnsafePointer<UInt8>) throws(PipelineError) {
    capture.enterChunk(at: chunk.base)
    try run(chunk, from: p)
    capture.leaveChunk(at: chunk.end - cut.count)
    shape.leaveChunk()
    gaps.leaveChunk()
    index.forget()
    chunkOffset += chunk.end - chunk.base - cut.count
  }

  /// Runs the grammar over a chunk: by the index as far as it goes, else byte by byte.
  private mutating func run(_ chunk: Bounds, from first: UnsafePointer<UInt8>)
    throws(PipelineError)
  {
    var p = first
    let end = chunk.end
    if inside != .none { try resume(&p, chunk) }
    while p < end {
      if end - p >= StructuralIndex.block {
        try readByIndex(&p, chunk)
        guard p < end else { return }
      }
      let byte = p.pointee
      if byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
        let first = p
        p += 1
        p += cscan_space(p, end)
        if place == .end { lines.note(first, before: p) }
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
      case .end where lines.begin(): place = .value
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
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if mayBeRecord, try takeRecords(&p, chunk) { return index.shorten() }
      try open(byte == UInt8(ascii: "{") ? .beginObject : .beginArray, &p, chunk)
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

  mutating func open(
    _ kind: TokenKind, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) {
    let at = offset(of: p, in: chunk)
    guard nesting.depth < Limits.depth else {
      throw error(.tooDeep(limit: Limits.depth), at: at)
    }
    let isObject = kind == .beginObject
    nesting.push(isObject: isObject)
    place = isObject ? .firstKey : .firstElement
    p += 1
    if passing.isOn { return try pass(kind, at: at) }
    let reply = try next.token(kind, RawSpan(), at: at)
    if valuesDepth == nesting.depth { valuesDepth = -1 }
    if reply == .records || reply == .values {
      shape.resume(depth: nesting.depth + 1)
      beginList(before: p, chunk)
      if reply == .values { valuesDepth = nesting.depth }
    } else if reply == .capture || reply == .record {
      capture.begin(p - 1, depth: nesting.depth)
      isRecord = reply == .record
    }
    inPieces = false
  }

  mutating func close(
    _ kind: TokenKind, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) throws(PipelineError) {
    let at = offset(of: p, in: chunk)
    p += 1
    if passing.isOn {
      try pass(kind, at: at)
    } else if capture.isAt(depth: nesting.depth) {
      let raw = capture.take(upTo: p)
      _ = try next.token(kind, RawSpan(_unsafeBytes: raw), at: at)
      if isRecord { learnRecord(raw, before: p, chunk) }
    } else {
      _ = try next.token(kind, RawSpan(), at: at)
      // The list of the records ends.
      if nesting.depth < shape.depth { shape.pause() }
      if nesting.depth == gaps.listDepth { gaps.endList(at: p - 1) }
    }
    nesting.pop()
    place = nesting.depth == 0 ? .end : .separator
    passing.endValue(depth: nesting.depth)
  }

  /// Hands on a complete value and sets the place after it.
  @inline(__always)
  mutating func emitValue(_ kind: TokenKind, _ bytes: RawSpan) throws(PipelineError) {
    inside = .none
    place = nesting.depth == 0 ? .end : .separator
    if passing.isOn {
      try pass(kind, at: tokenOffset)
      return passing.endValue(depth: nesting.depth)
    }
    _ = try next.token(kind, bytes, at: tokenOffset)
    inPieces = false
  }

  /// Hands on a complete key.
  @inline(__always)
  mutating func emitKey(_ bytes: RawSpan) throws(PipelineError) {
    inside = .none
    place = .colon
    if passing.isOn { return try pass(.key, at: tokenOffset) }
    _ = try hand(key: bytes, at: tokenOffset)
  }

  /// Hands on a key. Returns whether its value is to be passed.
  @inline(__always)
  mutating func hand(key: RawSpan, at offset: Int) throws(PipelineError) -> Bool {
    let reply = try next.token(.key, key, at: offset)
    inPieces = reply == .pieces
    isMember = reply == .record
    if reply == .pass { passing.begin(depth: nesting.depth, limit: next.passLimit) }
    return reply == .pass
  }

  /// Passes a token of a value that nobody asked for. The next stage has to see that the limit is
  /// reached.
  private mutating func pass(_ kind: TokenKind, at offset: Int) throws(PipelineError) {
    if offset > passing.limit { _ = try next.token(kind, RawSpan(), at: offset) }
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
