extension Normalizer where Next: ~Copyable {
  /// Follows the way to the rows. Of a value inside of a list that the way cannot go through, the
  /// raw text is asked for: it is refused as a record is.
  mutating func walk(_ kind: TokenKind, _ text: RawSpan, _ node: Int, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    guard let index = plan.way.firstIndex(of: node) else { return .proceed }
    if kind == .endObject || kind == .endArray {
      if let wrong = wrongWay {
        wrongWay = nil
        try text.withUnsafeBytes { (raw) throws(PipelineError) in
          try block(wrong, keys: keys.at(depth: wrong.depth), value: raw, raw)
        }
      } else if case .parent(let level) = plan.roles[node] {
        endParent(level, index, at: offset)
      }
      return .proceed
    }
    // One that holds no rows is one of the list's all the same.
    if index == plan.elementPlace, kind != .stringPiece { elements += 1 }
    let wanted: TokenKind = plan.steps[index] == .each ? .beginArray : .beginObject
    guard kind == wanted else {
      let wrong = WrongWay(index: index, found: kind, offset: offset, depth: cursor.depth)
      return try leave(wrong, text)
    }
    if index > gone {
      gone = index
      lack = nil
    }
    passLevels()
    switch plan.roles[node] {
    case .rows:
      gone = index + 1
      for level in levels.indices { levels[level].hasRows = true }
    case .parent(let level):
      for inner in level..<levels.count { levels[inner].hasRows = false }
      levels[level].start = record.bytes.count
      levels[level].isPassed = false
      keys.forget(from: cursor.depth)
    case .way, .row, .field: break
    }
    return .proceed
  }

  private mutating func passLevels() {
    for level in levels.indices { levels[level].isPassed = true }
  }

  /// Leaves the way at a value of another kind: null is as good as an empty list, but for the whole
  /// document or an element of a list.
  private mutating func leave(_ wrong: WrongWay, _ text: RawSpan) throws(PipelineError)
    -> TokenReply
  {
    let isInside = plan.steps.prefix(wrong.index).contains(.each)
    if isInside {
      passLevels()
      if wrong.found == .null, plan.steps[wrong.index - 1] != .each {
        nothing = max(nothing, wrong.index)
        return .proceed
      }
    }
    let isContainer = wrong.found == .beginObject || wrong.found == .beginArray
    if wrong.found == .beginObject || isInside && isContainer {
      // The keys of an object make a better message: they are read first.
      wrongWay = wrong
      return isInside ? .capture : .proceed
    }
    try text.withUnsafeBytes { (value) throws(PipelineError) in
      let raw = JSONText.scalar(wrong.found, value)
      try raw.span.bytes.withUnsafeBytes { (raw) throws(PipelineError) in
        try block(wrong, keys: [], value: value.isEmpty ? raw : value, raw)
      }
    }
    return .proceed
  }

  /// Refuses a value that should have led to rows as one record, with what stands around it; throws
  /// where all rows should have been in it.
  private mutating func block(
    _ wrong: WrongWay, keys: [String], value: UnsafeRawBufferPointer,
    _ raw: UnsafeRawBufferPointer
  ) throws(PipelineError) {
    let path = Path(Array(plan.steps.prefix(wrong.index)))
    let error = fault(
      .wrongKind(
        path: path.description, found: wrong.found,
        wanted: plan.steps[wrong.index] == .each ? .beginArray : .beginObject, keys: keys),
      at: wrong.offset)
    guard path.arrays > 0 else { throw error }
    if gone < wrong.index, !lacksByKind { lack = error }
    blocked += 1
    // A field around it that comes later would come too late for it.
    for level in levels.indices { levels[level].hasRows = true }
    clearSlots(arrays: plan.rowArrays)
    recordOffset = wrong.offset
    record.hasDays = false
    endDay = nil
    followsObject = false
    let isElement = path.steps.last == .each
    blockedKey = path.lastKey
    flaw = Flaw(
      reason: isElement ? .notAnObject : .wrongKind,
      value: isElement ? nil : Array(UTF8Encoding.prefix(value, Limits.captured)))
    let start = record.bytes.count
    try judge(raw)
    record.bytes.truncate(to: start)
  }

  /// The way is known to break off at a value of another kind, which says more than a missing key.
  private var lacksByKind: Bool {
    if case .normalize(.wrongKind)? = lack?.fault { true } else { false }
  }

  /// Ends a list's element, and forgets its fields. One that the way to the rows did not go on
  /// through has none.
  private mutating func endParent(_ level: Int, _ index: Int, at offset: Int) {
    if plan.steps[index] != .each, !levels[level].isPassed, gone <= index, lack == nil {
      let path = Path(Array(plan.steps.prefix(index + 1))).description
      lack = fault(.missing(path: path, keys: keys.at(depth: cursor.depth + 1)), at: offset)
    }
    levels[level].flaw = nil
    record.bytes.truncate(to: levels[level].start)
    clearSlots(arrays: level)
  }
}
