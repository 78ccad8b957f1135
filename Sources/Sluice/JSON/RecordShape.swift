import CSluice

/// Reads a record by comparing its bytes with those of the previous records.
///
/// The records of a feed are written alike: the bytes between their scalar values are the same, and
/// many values are too. So a record is seen as a way from value to value. A step of it is a label,
/// which is all that is written between two values: commas, keys, brackets, white space.
///
///     {"id":7,"geometry":{"type":"Point","at":[30.1,59.9]},"tz":null}
///     └────┘ └──────────────────┘       └─────┘    │    └──────┘    │  labels
///
///     start ─{"id":─▶ id ─,"geometry":{"type":─▶ geometry.type ─,"at":[─▶ geometry.at[0] ─,─▶ …
///                     └─,"geometry":─▶ geometry ─,"tz":─▶ tz ─}─▶ end
///
/// The second line is learned when a record without a geometry comes. So whatever comes now and
/// then is a step of its own: members that are missing, an object or null, lists that are longer.
///
/// After each step, the one that mostly follows it is tried first, and compared in one go with the
/// value after it. If only the value differs, it is read. If the label differs, or if now this and
/// now that step follows, the step is found by its key.
///
/// Where the members of an object may be any, as with keys that are data, a label ends at the
/// bracket before them. Those that nobody wants are passed as they come (``PassedMembers``), and
/// plain values that are wanted are taken, if they come in any order:
///
///     {"id":7,"tags":{"k17":1,"name":"x","k3":[2]}}     name is wanted
///     └────┘ └───────┘└─────┘└──────┘   └───────┘└┘
///     label   label    passed label      passed   labels
///
/// In a gap between lists of rows, the keys of elements may be data. They are values then.
///
/// It finds no errors. A record that does not match is left to the tokenizer, from its first byte
/// on. A record that matches is one the tokenizer would accept: it has accepted each label after a
/// value in the same containers. What differs, is passed or is taken is read as strictly.
struct RecordShape: ~Copyable {
  /// The maximum length of a record with the slack after it, in bytes. The raw texts of longer ones
  /// are cut off.
  static let maxLength = Limits.captured
  /// The bytes of the longest value or label at which the end of a chunk is taken for the reason.
  private static let farthestCut = 4 << 10
  /// The deepest records that are compared. What is passed in them as a whole is not too deep then.
  private static var deepest: Int { Limits.depth - RecordLearner.depth - PassedValue.depth }
  /// Readable bytes after a record, so that it can be read by whole vectors.
  static let slack = ByteBuffer.padding

  // What becomes of a shape, and whether records are compared with it:
  //
  //     learned ─ accept ─▶ yes ─ pause, at the end of a list ────────────▶ no ─ resume, at the next list ─▶ yes
  //                          ├─ a record does not match: giveUp ──────────▶ no, until one has been learned
  //                          └─ it ends near the end of the chunk ────────▶ yes: it may only be cut

  /// The depth of the records to compare with this shape, or 0 if none are to be compared.
  private(set) var depth = 0
  /// Whether the last record that was compared did match.
  private var hasMatched = false
  /// Whether the last record that did not match left the known ways so near to the end of the chunk
  /// that the end may be the reason.
  private(set) var mayBeCut = false
  /// Where the last record left the known ways, or how far something in it was passed that did not
  /// end.
  private var leftAt: UnsafePointer<UInt8>?
  /// What the next stage wants of a record; nil until it is known.
  var form: RecordForm? {
    didSet { wantedKeys = WantedKeys(form) }
  }
  private var wantedKeys = WantedKeys(nil)
  /// The steps and values that are known.
  var graph = RecordGraph()
  private var backoff = Backoff()
  private var learning = Backoff()
  /// The wanted values of the record that is compared, or was last.
  private var values = WantedValues()
  /// The wanted tokens of the record that matched last.
  private var tokens = FixedArray<ObjectToken>([])
  private var tokenCount = 0

  /// The record that matched last. It begins at `start`, at this offset, and ends before `end`. It
  /// changes nothing, but otherwise the compiler would copy the shape.
  @inline(__always)
  mutating func record(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, at offset: Int
  ) -> WholeRecord {
    WholeRecord(
      values: values.all, met: values.present,
      tokens: tokens.prefix(tokenCount),
      raw: UnsafeRawBufferPointer(start: start, count: end - start), offset: offset)
  }

  /// Whether the texts of the next record that are decoded may not fit. Those of the records before
  /// must be forgotten then.
  @inline(__always)
  var areManyDecoded: Bool { values.areManyDecoded }

  /// Forgets the decoded texts of all records, which have been handed on for good.
  @inline(__always)
  mutating func forgetDecoded() { values.forgetDecoded() }

  /// Compares records at this depth from now on, if some are known.
  mutating func accept(depth: Int) {
    self.depth = graph.isEmpty || depth > Self.deepest ? 0 : depth
  }

  /// Compares records at this depth, in a list that begins, if those before it matched.
  mutating func resume(depth: Int) { if hasMatched { accept(depth: depth) } }

  /// Compares no records for now: their list ends, or one could not be learned.
  @inline(__always)
  mutating func pause() { depth = 0 }

  /// Ends a chunk, whose memory is gone. The labels are known from their copies.
  mutating func leaveChunk() { graph.leaveChunk() }

  /// Compares the text from the brace or bracket at `start` on with the shape. Returns the end of
  /// the record, which ``record(_:_:at:)`` then makes. Returns nil if the record does not match or
  /// does not end in the chunk. After nil, no record is compared until one has been learned, unless
  /// it ``mayBeCut``.
  @inline(__always)
  mutating func match(_ start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>?
  {
    let limit = start + (min(end - start, Self.maxLength) - Self.slack)
    leftAt = nil
    guard !graph.unwanted.haveChanged, let last = follow(start, before: limit) else {
      values.forget()
      mayBeCut = leftAt.map { end - $0 < Self.farthestCut } ?? false
      if !mayBeCut { giveUp() }
      return nil
    }
    hasMatched = true
    graph.unwanted.noteRecord()
    backoff.reward()
    return last
  }

  /// Compares no records until one has been learned, not even in the next list.
  mutating func giveUp() {
    depth = 0
    hasMatched = false
  }

  /// Follows the steps of a record to its end, which it returns; nil where it leaves the known ways.
  @inline(__always)
  private mutating func follow(
    _ start: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    // What changes from step to step stays in registers: no call gets the address of it.
    var p = start
    values.begin()
    // The bits of the first values, whether they were met.
    var first: UInt64 = 0
    tokenCount = 0
    var previous = graph.unknown
    while true {
      var step = previous.pointee.next
      let expected = Int(step.pointee.compared)
      guard limit - p > expected else { return leave(at: p) }
      var same = cscan_common(p, step.pointee.text, expected)
      var label = Int(step.pointee.label)
      if same < label {
        let members = previous.pointee.members
        if members == .expected {
          values.first = first
          let passed = passMembers(after: previous, at: p, before: limit)
          (p, previous, first) = (passed.end, passed.step, values.first)
          if passed.mayExpectNext { continue }
        }
        let found = graph.seek(after: previous, at: p, before: limit)
        guard let other = found.step else {
          guard members == .possible else { return leave(at: p) }
          values.first = first
          let passed = passMembers(after: previous, at: p, before: limit)
          guard p != passed.end else { return leave(at: p) }
          (p, previous, first) = (passed.end, passed.step, values.first)
          continue
        }
        (step, label) = (other, found.label)
        same = label
      }
      var (role, value) = (step.pointee.role, step.pointee.value)
      var firstDecoded = 0
      if same == Int(step.pointee.compared), same > label {
        step.pointee.meetAgain(at: p)
      } else if !role.hasValue {
        // No value follows.
      } else if let read = readValue(of: step, same, at: p + label, before: limit, &firstDecoded) {
        value = read
        step.pointee.meet(value, at: p)
      } else {
        firstDecoded = values.decoded.count
        guard let other = readOther(step, after: previous, at: p, before: limit) else {
          return leave(at: p)
        }
        (step, label) = (other, Int(other.pointee.label))
        (role, value) = (other.pointee.role, other.pointee.value)
      }
      let q = p + label
      if role == .value {
        // The form has a place for each slot.
        let slot = step.pointee.slot
        let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: slot)
        if first & bit == 0 {
          first |= bit
          values.set(slot, value, at: q, from: firstDecoded)
        } else {
          values.countAgain(slot)
          guard step.pointee.wish.isCounted else { return leave(at: p) }
        }
      } else if role.hasTokens || step.pointee.brackets > 0 {
        values.first = first
        if role == .end {
          if step.pointee.brackets > 0 { keepBrackets(step.pointee, at: p - start) }
          values.end()
          return q
        }
        guard
          let next = keepTokens(step, value, at: q, from: start, firstDecoded, before: limit)
        else { return leave(at: p) }
        (p, first, previous) = (next, values.first, step)
        continue
      }
      p = q + Int(value.length)
      previous = step
    }
  }

  /// Notes that the record leaves the known ways at `p`, unless it is known already. Returns nil.
  @inline(never)
  private mutating func leave(at p: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    if leftAt == nil { leftAt = p }
    return nil
  }

  /// Reads the value at `q` after the label of a step, if it is of a usual form. `same` is how much
  /// of the label and the value is known to be like where the step was met last. Sets where the
  /// text begins if it is decoded.
  @inline(__always)
  private mutating func readValue(
    of step: StepAddress, _ same: Int, at q: UnsafePointer<UInt8>,
    before limit: UnsafePointer<UInt8>, _ firstDecoded: inout Int
  ) -> ShapeValue? {
    guard q.pointee == UInt8(ascii: "\"") else {
      return ShapeValue(numberAt: q) ?? ShapeValue(nameAt: q)
    }
    let (wish, value) = (step.pointee.wish, step.pointee.value)
    if !value.isLong, let short = ShapeValue(shortTextAt: q, isTidied: wish.isTidied) {
      return short
    }
    firstDecoded = values.decoded.count
    return ShapeValue(
      stringAt: q, before: limit, known: step.pointee.known(same), isWanted: wish.slot != -1,
      isTidied: wish.isTidied, decoded: &values.decoded)
  }

  /// Reads the value after a step whose label is written at `p`, where it is of an unusual form. If
  /// the label goes on, it is that of another step, and so is the value. Returns the step; nil if
  /// it is not known or the value is wrong.
  @inline(never)
  private mutating func readOther(
    _ expected: StepAddress, after previous: StepAddress,
    at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> StepAddress? {
    var step = expected
    if !step.pointee.mayBegin(p[Int(step.pointee.label)]) {
      guard let other = graph.seek(after: previous, at: p, before: limit).step else { return nil }
      step = other
      if !step.pointee.role.hasValue { return step }
    }
    let q = p + Int(step.pointee.label)
    let value =
      ShapeValue.isContainer(q.pointee)
      ? container(at: q, before: limit)
      : ShapeValue(
        at: q, before: limit, isWanted: step.pointee.slot != -1,
        isTidied: step.pointee.wish.isTidied, decoded: &values.decoded)
    guard let value else { return nil }
    step.pointee.meet(value, at: p)
    return step
  }

  /// Passes the members that follow a step at `p`, up to one that somebody wants, that does not end
  /// before `limit` or is not surely right. If now this and now that member is wanted there, their
  /// plain values are taken as they come, and so are those of objects in which it is known to be so.
  ///
  /// Returns where that is, the step that stands for the members if there were some, and whether
  /// the one expected after it is worth a try: at the end of the object, if it is mostly the same.
  @inline(never)
  private mutating func passMembers(
    after previous: StepAddress, at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> (end: UnsafePointer<UInt8>, step: StepAddress, mayExpectNext: Bool) {
    guard let object = previous.pointee.container.object else { return (p, previous, false) }
    let isFirst = previous.pointee.role == .opened
    var members = PassedMembers(at: p, before: limit, in: object, isFirst: isFirst)
    // How many objects were entered and not left, whether members are taken, whether the object ends.
    var (entered, isTaking, isAtEnd) = (0, false, false)
    loop: while true {
      switch members.moveToWanted(wantedKeys, &values, takes: isTaking) {
      case .wanted(let number):
        let key = wantedKeys[number]
        if !isTaking {
          let last = isFirst && !members.isFirst ? previous + 1 : previous
          isTaking = last.pointee.takes(key.place)
          guard isTaking else { break loop }
          if members.take(key, &values) { continue }
        }
        let place = Int(key.place)
        guard key.isObject, graph.opened(place) != nil, members.enter(place) else { break loop }
        entered += 1
      case .end:
        isAtEnd = members.isAtEnd
        guard isAtEnd, entered > 0, let outer = wantedKeys.outer(of: members.object) else {
          break loop
        }
        members.leave(for: outer)
        (entered, isAtEnd) = (entered - 1, false)
      case .unsure:
        leftAt = members.p
        break loop
      }
    }
    let end = members.end
    previous.pointee.noteMembers(end != p)
    guard end != p else { return (p, previous, false) }
    var step = previous
    if entered > 0 || isFirst,
      let opened = entered > 0 ? graph.opened(members.object) : previous
    {
      step = members.isFirst ? opened : isAtEnd ? opened + 2 : opened + 1
    }
    return (end, step, isAtEnd && !step.pointee.hasManyFollowers)
  }

  /// Passes the object or array at `q`. Nil if it does not end before `limit` or is not surely
  /// right.
  private mutating func container(at q: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>)
    -> ShapeValue?
  {
    var end = q
    guard PassedValue.passContainer(&end, before: limit) else {
      leftAt = end
      return nil
    }
    return ShapeValue(containerAt: q, before: end)
  }

  /// Keeps what is wanted of a step that is more than one value, and of the numbers after an
  /// element of a list. Returns where the next label begins; nil if the record has the value twice,
  /// or if a key is none.
  @inline(never)
  private mutating func keepTokens(
    _ step: StepAddress, _ value: ShapeValue, at q: UnsafePointer<UInt8>,
    from start: UnsafePointer<UInt8>, _ firstDecoded: Int, before limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    let slot = step.pointee.slot
    let end = q + Int(value.length)
    if step.pointee.wish.isKey, value.kind != .string { return nil }
    if step.pointee.brackets > 0 {
      keepBrackets(step.pointee, at: q - start - Int(step.pointee.label))
    }
    if slot < 0 {
      if slot < -1 {
        let object = value.object(at: q, decoded: values.decoded, from: firstDecoded)
        keep(Step.token(slot), object.kind, at: q - start, object.text, object.traits)
      }
      let mayGoOn = step.pointee.role == .element && value.kind == .number
      return mayGoOn ? takeNumbers(slot, after: end, from: start, before: limit) : end
    }
    let isNew = values.insert(slot, value, at: q, from: firstDecoded)
    return isNew || step.pointee.wish.isCounted ? end : nil
  }

  /// Goes past the numbers after an element that ends at `p`, as long as there are several of them
  /// in 64 bytes, and keeps them if they are wanted. Returns where the last of them ends.
  @inline(__always)
  private mutating func takeNumbers(
    _ slot: Int, after p: UnsafePointer<UInt8>, from start: UnsafePointer<UInt8>,
    before limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var (p, found) = (p, 2)
    while found > 1, p < limit, p.pointee == UInt8(ascii: ",") {
      let q = p + 1 + cscan_space(p + 1, limit)
      var numbers = cnumbers_at(q)
      found = numbers.ends.nonzeroBitCount
      guard slot != -1 else {
        if found > 0 { p = q + (63 &- numbers.ends.leadingZeroBitCount) }
        continue
      }
      while let (first, end, traits) = numbers.next() {
        p = q + end
        keep(
          Step.token(slot), .number, at: q + first - start,
          UnsafeRawBufferPointer(start: q + first, count: end &- first), traits)
      }
    }
    return p
  }

  /// Keeps the wanted tokens of the brackets in a label, which begins at this offset in the record,
  /// and counts the elements that they begin.
  @inline(never)
  private mutating func keepBrackets(_ step: Step, at offset: Int) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    for index in 0..<Int(step.brackets) {
      let bracket = graph.brackets[Int(step.firstBracket) + index]
      if bracket.isCounted {
        values.count(bracket.number)
      } else {
        keep(bracket.number, bracket.kind, at: offset + bracket.offset, nothing, [])
      }
    }
  }

  /// Keeps a wanted token.
  private mutating func keep(
    _ number: Int, _ kind: TokenKind, at offset: Int, _ text: UnsafeRawBufferPointer,
    _ traits: ValueTraits
  ) {
    let token = ObjectToken(
      number: number, kind: kind, offset: offset, text: text, traits: traits)
    if tokenCount == tokens.count { tokens.grow(to: max(16, 2 * tokenCount), filling: token) }
    tokens[tokenCount] = token
    tokenCount += 1
  }
}

extension RecordShape {
  /// Learns the form of a record that the tokenizer has accepted. Does nothing if the `room` after
  /// it in the chunk is too short for another one, or if the last tries to match were in vain.
  ///
  /// Records are compared only after ``accept(depth:)``. Returns whether to do so.
  mutating func learn(_ raw: UnsafeRawBufferPointer, room: Int) -> Bool {
    guard let start = raw.baseAddress?.assumingMemoryBound(to: UInt8.self), let form,
      raw.count + Self.slack <= min(room, Self.maxLength), backoff.allowsTry()
    else { return false }
    values.reserve(for: form, length: Self.maxLength)
    if graph.forgetIfStale() { (backoff, learning) = (Backoff(), Backoff()) }
    // Where nothing new was found in the last ones, what cannot be followed will come again.
    guard learning.allowsTry() else { return true }
    let known = graph.count
    var learner = RecordLearner(start, count: raw.count)
    learner.learn(form, wantedKeys, into: &graph, decoded: &values.decoded)
    if graph.count > known { learning.reward() }
    return true
  }
}
