/// The reason that a record cannot become rows.
struct Flaw {
  var reason: RejectReason
  /// The field; nil if the record itself is wrong.
  var field: Int?
  /// The field's name in the feed, or the key of a value that should have led to rows.
  var key: String?
  /// The text of the value.
  var value: [UInt8]?
  /// The offset of the value in the document, if its text is not known but as part of the record: it
  /// is an object or array, or is in the place of one.
  var valueOffset: Int?

  /// Returns the text of the value; nil if there is none, or if it is not in `raw`. `raw` is the
  /// text of the record from `offset` on, as far as it was kept.
  func value(in raw: UnsafeRawBufferPointer, at offset: Int) -> [UInt8]? {
    guard let valueOffset, field != nil else { return value }
    let start = valueOffset - offset
    guard start >= 0, start < raw.count else { return nil }
    return JSONText.excerpt(at: start, in: raw)
  }
}

extension Flaw {
  /// Makes the flaw of a value that should have led to rows. The value is that of `key`, or an
  /// element of a list if `key` is nil. The token is the whole value, or its end with the raw text.
  init(mismatch kind: TokenKind, _ text: RawSpan, key: String?) {
    self.init(reason: key == nil ? .notAnObject : .wrongKind, key: key)
    guard key != nil else { return }
    value = text.withUnsafeBytes {
      $0.isEmpty ? JSONText.scalar(kind, $0) : Array(UTF8Encoding.prefix($0, Limits.captured))
    }
  }
}

/// The first flaw of a record, and the first one of each element around it.
///
///     {"city": ["Pushkin"], "items": [{"price": 4, "price": 5}, {"price": 6}]}
///              └ level 1: wrong kind               └ own: duplicate key
///
/// Both records are rejected for the flaw of level 1, which comes first.
struct Flaws: ~Copyable {
  private var own: Flaw?
  /// The flaws of the elements around the record, outermost first; level 0 is the document.
  private var levels: ContiguousArray<Flaw?>

  init(levels count: Int) { levels = ContiguousArray(repeating: nil, count: count) }

  /// The flaw to reject the record for; nil if there is none.
  @inline(__always)
  var first: Flaw? {
    for level in levels.indices where levels[level] != nil { return levels[level] }
    return own
  }

  /// Whether there is none.
  @inline(__always)
  var areNone: Bool {
    for level in levels.indices where levels[level] != nil { return false }
    return own == nil
  }

  /// The record's own flaw.
  var ownFlaw: Flaw? { own }

  /// The flaw of an element around the record, by its level.
  subscript(level: Int) -> Flaw? {
    get { levels[level] }
    set { levels[level] = newValue }
  }

  /// Whether none of the record's own fields was read, because it is not an object.
  var isRecordUnread: Bool { own.map { $0.field == nil } ?? false }

  /// Begins a record, with a flaw if its first token shows one.
  @inline(__always)
  mutating func begin(_ flaw: Flaw? = nil) { own = flaw }

  /// Ends an element around records.
  mutating func end(level: Int) { levels[level] = nil }

  /// Keeps the flaw of a value that begins at `offset`, unless there was one before. `level` is the
  /// level of its field, nil for the record's own. The text of an object or array is not known yet.
  mutating func note(
    _ flaw: Flaw, _ kind: TokenKind, _ text: RawSpan, level: Int?, at offset: Int
  ) {
    var flaw = flaw
    switch kind {
    case .beginObject, .beginArray: flaw.valueOffset = offset
    case .string, .number:
      flaw.value = text.withUnsafeBytes { Array(UTF8Encoding.prefix($0, Limits.captured)) }
    case .null: break
    default: flaw.value = JSONText.literal(kind).map { Array("\($0)".utf8) }
    }
    if let level {
      if levels[level] == nil { levels[level] = flaw }
    } else if own == nil {
      own = flaw
    }
  }

  /// Completes the flaw of an object or array around records with its raw text.
  mutating func close(_ text: RawSpan, level: Int?) {
    guard let level, levels[level]?.valueOffset != nil else { return }
    levels[level]?.valueOffset = nil
    levels[level]?.value = text.withUnsafeBytes {
      Array(UTF8Encoding.prefix($0, Limits.captured))
    }
  }
}
