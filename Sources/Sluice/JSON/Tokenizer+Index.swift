import CSluice

/// Reading by the index: the same grammar as byte by byte, from entry to entry.
///
///     piece    {"city": "Ж\"", "no": -1.5}
///     entries  ^^    ^^ ^  ^ ^^^  ^^ ^   ^
///     read     ││    ││ │    │ │  ││ │   └ separator: the end of the object
///              ││    ││ │    │ │  ││ └ value: a number, checked up to the next entry
///              ││    ││ │    │ └──┴┴ key, colon
///              ││    ││ └────┴ value: a string with an escape, decoded
///              │└────┴┴ key, colon
///              └ value: an object begins
///
/// Whatever is not surely right is left to ``run(_:)``, which reads that token byte by byte and
/// finds the error, if it is one. So the index decides about no error and no offset.
extension Tokenizer where Next: ~Copyable {
  /// Reads tokens from `p` on, as far as the index is sure of them. Stops at the first token that
  /// is left.
  @inline(__always)
  mutating func readByIndex(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    repeat {
      guard index.reach(p, before: chunk.end) else { return }
      let first = p
      if passing.isOn {
        try passTokens(&p, chunk)
      } else {
        try readTokens(&p, chunk)
      }
      // A long token, or a wrong one.
      if p == first { return index.shorten() }
    } while chunk.end - p >= StructuralIndex.block
  }

  /// Reads tokens and hands them on.
  @inline(never)
  private mutating func readTokens(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    try walk(&p, chunk, isPassing: false)
  }

  /// Reads the tokens of a value that nobody asked for, to its end.
  @inline(never)
  private mutating func passTokens(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError)
  {
    guard offset(of: chunk.end, in: chunk) <= passing.limit else { return }
    try walk(&p, chunk, isPassing: true)
  }

  /// The grammar. It is written once and compiled twice: with tokens, and for values that are
  /// passed.
  @inline(__always)
  private mutating func walk(
    _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds, isPassing: Bool
  ) throws(PipelineError) {
    // Copies, which the compiler keeps in registers.
    var (cursor, place, q) = (index.cursor, self.place, p)
    defer { (index.cursor, self.place, p) = (cursor, place, q) }
    while let mark = cursor.byte {
      switch place {
      case .firstKey, .key:
        guard mark.pointee == UInt8(ascii: "\"") else {
          guard mark.pointee == UInt8(ascii: "}"), place == .firstKey else { return }
          cursor.advance(1)
          place = try leave(.endObject, mark, &q, chunk, isPassing: isPassing)
          break
        }
        guard let key = takeString(&cursor, &q, chunk, isPassing: isPassing) else { return }
        place = .colon
        if !isPassing, try hand(key: RawSpan(_unsafeBytes: key), at: offset(of: mark, in: chunk)) {
          guard takeColon(&cursor, &q) else { return }
          place = .value
          if passSimple(&cursor, &q, chunk) {
            place = .separator
            break
          }
          (index.cursor, self.place) = (cursor, place)
          try passTokens(&q, chunk)
          (cursor, place) = (index.cursor, self.place)
          if passing.isOn { return }
          break
        }
        fallthrough
      case .colon:
        guard takeColon(&cursor, &q) else { return }
        place = .value
        fallthrough
      case .value, .firstElement:
        guard let first = cursor.byte else { return }
        let byte = first.pointee
        if !isPassing, mayBeValue {
          q = first
          if try takeValues(&q, chunk) {
            place = self.place
            return index.shorten()
          }
        }
        if byte == UInt8(ascii: "\"") {
          guard let text = takeString(&cursor, &q, chunk, isPassing: isPassing) else { return }
          if !isPassing { try hand(.string, text, at: offset(of: first, in: chunk)) }
        } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          guard nesting.depth < Limits.depth else { return }
          let isObject = byte == UInt8(ascii: "{")
          cursor.advance(1)
          q = first
          if isPassing {
            q += 1
            nesting.push(isObject: isObject)
          } else if mayBeRecord, try takeRecords(&q, chunk) {
            // They end where one begins that is left, or after the last one.
            place = self.place
            return index.shorten()
          } else {
            try open(isObject ? .beginObject : .beginArray, &q, chunk)
          }
          place = isObject ? .firstKey : .firstElement
          continue
        } else if byte == UInt8(ascii: "]"), place == .firstElement {
          if !isPassing, try takeGap(from: first, &q, chunk) {
            place = self.place
            return index.shorten()
          }
          cursor.advance(1)
          place = try leave(.endArray, first, &q, chunk, isPassing: isPassing)
          break
        } else {
          guard let (kind, count) = takeScalar(&cursor, &q, chunk) else { return }
          if !isPassing {
            let text = UnsafeRawBufferPointer(start: first, count: kind == .number ? count : 0)
            try hand(kind, text, at: offset(of: first, in: chunk))
          }
        }
        place = nesting.depth == 0 ? .end : .separator
        if isPassing { passing.endValue(depth: nesting.depth) }
      case .separator:
        if mark.pointee == UInt8(ascii: ",") {
          cursor.advance(1)
          q = mark + 1
          place = nesting.inObject ? .key : .value
          continue
        }
        let isObject = nesting.inObject
        guard mark.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return }
        if !isPassing, !isObject, try takeGap(from: mark, &q, chunk) {
          place = self.place
          return index.shorten()
        }
        cursor.advance(1)
        place = try leave(
          isObject ? .endObject : .endArray, mark, &q, chunk, isPassing: isPassing)
      case .end:
        // Between the last value and the next entry there is white space only.
        lines.note(q, before: mark)
        guard lines.begin() else { return }
        place = .value
        continue
      }
      if isPassing, !passing.isOn { return }
    }
  }

  /// Hands on a whole value.
  @inline(__always)
  private mutating func hand(_ kind: TokenKind, _ text: UnsafeRawBufferPointer, at offset: Int)
    throws(PipelineError)
  {
    _ = try next.token(kind, RawSpan(_unsafeBytes: text), at: offset)
    inPieces = false
  }

  /// Ends an object or array at its bracket. Returns the place after it.
  @inline(__always)
  private mutating func leave(
    _ kind: TokenKind, _ bracket: UnsafePointer<UInt8>, _ p: inout UnsafePointer<UInt8>,
    _ chunk: Bounds, isPassing: Bool
  ) throws(PipelineError) -> Place {
    p = bracket
    if isPassing {
      p += 1
      nesting.pop()
      passing.endValue(depth: nesting.depth)
    } else {
      try close(kind, &p, chunk)
    }
    return nesting.depth == 0 ? .end : .separator
  }

  /// Passes a value that is a string without escapes, a number or a literal name. Returns whether
  /// it is one.
  @inline(__always)
  private mutating func passSimple(
    _ cursor: inout IndexCursor, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) -> Bool {
    guard let first = cursor.byte, let second = cursor.secondByte,
      offset(of: first, in: chunk) <= passing.limit
    else { return false }
    if first.pointee == UInt8(ascii: "\"") {
      guard second.pointee == UInt8(ascii: "\"") else { return false }
      cursor.advance(2)
      p = second + 1
    } else {
      guard first.pointee < UInt8(ascii: "["), takeScalar(&cursor, &p, chunk) != nil else {
        return false
      }
    }
    passing.endValue(depth: nesting.depth)
    return true
  }

  // MARK: One token

  /// Takes the colon after a key.
  @inline(__always)
  private func takeColon(_ cursor: inout IndexCursor, _ p: inout UnsafePointer<UInt8>) -> Bool {
    guard let colon = cursor.byte, colon.pointee == UInt8(ascii: ":") else { return false }
    cursor.advance(1)
    p = colon + 1
    return true
  }

  /// Takes the string whose opening quote is at the next entry. Returns its text, which is left out
  /// if the string is passed and has escapes. Returns nil if it is not surely right, or if it does
  /// not end in the piece.
  @inline(__always)
  private mutating func takeString(
    _ cursor: inout IndexCursor, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds, isPassing: Bool
  ) -> UnsafeRawBufferPointer? {
    guard let open = cursor.byte, let close = cursor.secondByte else { return nil }
    guard close.pointee == UInt8(ascii: "\"") else {
      return takeEscaped(&cursor, &p, chunk, isPassing: isPassing)
    }
    cursor.advance(2)
    p = close + 1
    return UnsafeRawBufferPointer(start: open + 1, count: close - open - 1)
  }

  /// The same for a string with escapes.
  @inline(never)
  private mutating func takeEscaped(
    _ cursor: inout IndexCursor, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds, isPassing: Bool
  ) -> UnsafeRawBufferPointer? {
    // Escapes and whole vectors are read without a look at the end.
    guard !inPieces, let open = cursor.byte, let (escapes, close) = cursor.escapes,
      chunk.end - close > 32
    else { return nil }
    text.removeAll()
    if isPassing {
      guard cursor.areRight(escapes: escapes) else { return nil }
    } else {
      guard EscapedText.append(stringAt: open, before: close + 1, to: &text) != nil else {
        return nil
      }
    }
    cursor.advance(escapes + 2)
    p = close + 1
    return text.contents
  }

  /// Takes a number or a literal name. Returns nil if it is not surely right.
  @inline(__always)
  private func takeScalar(
    _ cursor: inout IndexCursor, _ p: inout UnsafePointer<UInt8>, _ chunk: Bounds
  ) -> (kind: TokenKind, count: Int)? {
    // 32 bytes are compared at once.
    guard let first = cursor.byte, let after = cursor.secondByte, chunk.end - first > 32 else {
      return nil
    }
    var kind = TokenKind.number
    var count = Int(cvalue_number(first).length)
    if count == 0 {
      (kind, count) = otherScalar(first, before: after)
      guard count > 0 else { return nil }
    }
    // Between the end of a scalar and the next entry there is white space only.
    guard first + count == after || InputFormat.isSpace(first[count]) else { return nil }
    cursor.advance(1)
    p = first + count
    return (kind, count)
  }

  /// Returns the kind and length of a literal name or of a long number. The length is 0 if it is
  /// neither.
  @inline(never)
  private func otherScalar(_ first: UnsafePointer<UInt8>, before after: UnsafePointer<UInt8>)
    -> (TokenKind, Int)
  {
    switch cindex_four(first) {
    case Self.four("true"): return (.true, 4)
    case Self.four("null"): return (.null, 4)
    case Self.four("fals"): return (.false, first[4] == UInt8(ascii: "e") ? 5 : 0)
    default: break
    }
    var number = NumberState.start
    var p = first
    while p < after, let state = number.after(p.pointee) {
      number = state
      p += 1
    }
    return (.number, number.mayEnd && p - first <= Limits.number ? p - first : 0)
  }

  private static func four(_ letters: StaticString) -> UInt32 { cindex_four(letters.utf8Start) }
}
