import CSluice

/// Knows how the records before were written, to read the next one by comparing it with them.
///
/// A feed's records are written alike: what stands between their values is the same to the byte,
/// and many a value too. So a label and the value behind it are compared at once; only a value that
/// differs is read, and only a label that is not there is passed over.
///
///     {"town":"Pushkin","house":"91","part":"2","letter":null}   what is known
///     └label─┘└─value──┘└─label─┘└──┘└─label─┘└┘└──label─┘└──┘└ tail
///     {"town":"Pushkin","house":"137","letter":null}             this one
///     └──── the same ──┘└ same ─┘└read┘└─── same ──┘
///
/// It finds no errors: what is not plainly such a record is left to the tokenizer, from its first
/// byte on. What it takes, the tokenizer would take: labels and repeated values have passed it, and
/// values that differ are read as strictly. The records before lie in memory that the chunk in hand
/// lends, so all must be forgotten where the chunk ends.
struct RecordShape: ~Copyable {
  /// A member that records have, as the last record that had it wrote it.
  struct Member: BitwiseCopyable {
    /// Where it begins: the bracket or comma, the key and the colon, then the value.
    var start: UnsafePointer<UInt8>
    /// The length of what stands before the value.
    var label: Int
    var value: ShapeValue
    /// There are records without it.
    var isOptional: Bool
  }

  /// The most members of a record.
  static let maxMembers = 64
  /// The longest record, with the slack behind it.
  static let maxLength = 32 << 10
  /// Readable bytes behind a record, so that it can be read by whole vectors.
  static let slack = 64

  /// How deep records of this shape lie; 0 where none are to be compared.
  private(set) var depth = 0
  var members: FixedArray<Member>
  var count = 0
  /// The length of what stands behind the last value, and where it stood last.
  var tail = 0
  var tailStart = ObjectValue().start
  /// The members are those of records of this chunk and list.
  var isFresh = false
  var patience = Patience()
  private var store = FixedArray(repeating: ObjectValue(), count: Self.maxMembers)

  init() {
    let nothing = Member(
      start: tailStart, label: 0, value: ShapeValue(length: 0, inset: 0, kind: .null),
      isOptional: false)
    members = FixedArray(repeating: nothing, count: Self.maxMembers)
  }

  /// The values of the record that was compared last: null where it lacks a member.
  var values: UnsafeBufferPointer<ObjectValue> { store.prefix(count) }

  /// Takes records of the shape that was learned from now on; they lie this deep.
  mutating func accept(depth: Int) { self.depth = depth }

  /// Forgets all: the chunk ends, or the list of the records does.
  @inline(__always)
  mutating func forget() {
    depth = 0
    isFresh = false
  }

  /// Compares the text from `start` on, a brace, with what is known; gives the end of the record,
  /// whose ``values`` are then known. Nil where it is none of this shape that lies in the chunk: the
  /// next record is compared only when this one has been learned.
  @inline(__always)
  mutating func match(_ start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>?
  {
    let limit = start + (min(end - start, Self.maxLength) - Self.slack)
    guard let recordEnd = compare(start, before: limit) else {
      depth = 0
      return nil
    }
    patience.reward()
    return recordEnd
  }

  @inline(__always)
  private mutating func compare(_ start: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>?
  {
    var p = start
    for index in 0..<count {
      let member = members[index]
      let length = member.label + member.value.length
      guard limit - p > length else { return nil }
      // And the byte behind a number, with which it could go on.
      let compared = length + (member.value.kind == .number ? 1 : 0)
      let same = cscan_common(p, member.start, compared)
      if same == compared {
        store[index] = member.value.object(at: p + member.label, isRepeated: true)
        members[index].start = p
        p += length
      } else if same >= member.label {
        guard let value = ShapeValue(at: p + member.label, before: limit) else { return nil }
        store[index] = value.object(at: p + member.label, isRepeated: false)
        members[index].start = p
        members[index].value = value
        p += member.label + value.length
      } else {
        guard member.isOptional else { return nil }
        store[index] = ObjectValue()
      }
    }
    guard limit - p >= tail, cscan_common(p, tailStart, tail) == tail else { return nil }
    tailStart = p
    return p + tail
  }
}

extension RecordShape {
  /// Learns how a record is written that the tokenizer has passed, and gives the keys of all members
  /// that are known now; records are compared once the shape is accepted.
  ///
  ///     known:  {"town":…,"house":…,"letter":…}
  ///     record: {"town":…,"part":…,"letter":…}
  ///     now:    {"town":…,"part":…,"house":…,"letter":…}     house and part may be missing
  ///
  /// Gives nil where there is nothing to be gained: the record holds escapes or containers, the
  /// `room` behind it in the chunk is too short for another, or what was learned before was of no
  /// use.
  mutating func learn(_ raw: UnsafeRawBufferPointer, room: Int) -> [UnsafeRawBufferPointer]? {
    guard let start = raw.baseAddress?.assumingMemoryBound(to: UInt8.self),
      raw.count + Self.slack <= min(room, Self.maxLength), patience.allowsTry(),
      merge(start, start + raw.count)
    else {
      forget()
      return nil
    }
    isFresh = true
    return (0..<count).map { index in
      var label = PassedText(p: members[index].start)
      _ = label.separator()
      return label.key() ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  /// Puts the members of the record into those that are known.
  private mutating func merge(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    var isFirst = false
    var text = PassedText(p: start + 1)
    var memberStart = start
    var place = 0
    repeat {
      guard text.key() != nil, let value = ShapeValue(at: text.p, before: end) else { return false }
      var member = Member(
        start: memberStart, label: text.p - memberStart, value: value, isOptional: false)
      if memberStart == start {
        // What begins one record must not pass for what goes on in another.
        if !isFresh || count > 0 && !isSameLabel(members[0], member) { count = 0 }
        isFirst = count == 0
      }
      member.isOptional = !isFirst
      guard put(member, at: &place) else { return false }
      text.p += value.length
      memberStart = text.p
    } while text.separator() == UInt8(ascii: ",")
    for index in place..<count { members[index].isOptional = true }
    tail = end - memberStart
    tailStart = memberStart
    return true
  }

  /// Puts a member in its place, which is at `place` or behind it, and moves `place` on.
  private mutating func put(_ member: Member, at place: inout Int) -> Bool {
    if let known = (place..<count).first(where: { isSameLabel(members[$0], member) }) {
      for index in place..<known { members[index].isOptional = true }
      let isOptional = members[known].isOptional
      members[known] = member
      members[known].isOptional = isOptional
      place = known + 1
      return true
    }
    guard count < Self.maxMembers else { return false }
    for index in (place..<count).reversed() { members[index + 1] = members[index] }
    members[place] = member
    count += 1
    place += 1
    return true
  }

  private func isSameLabel(_ a: Member, _ b: Member) -> Bool {
    a.label == b.label
      && UnsafeRawBufferPointer(start: a.start, count: a.label)
        .elementsEqual(UnsafeRawBufferPointer(start: b.start, count: b.label))
  }
}

/// How a value of a record is written: a plain string, a number or null.
struct ShapeValue: BitwiseCopyable {
  /// The length of the whole, and where its text begins in it: behind a quote.
  let length: Int
  let inset: Int
  /// The length of the text; null has none.
  let count: Int
  let kind: TokenKind

  init(length: Int, inset: Int, kind: TokenKind) {
    self.length = length
    self.inset = inset
    self.kind = kind
    count = kind == .null ? 0 : length - 2 * inset
  }

  /// Reads the value at `p`, which ends before `limit`, as strictly as the tokenizer; nil where it
  /// is anything else. What stands behind it is yet to be seen. From `limit` on 16 bytes are
  /// readable.
  @inline(__always)
  init?(at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    guard p.pointee == UInt8(ascii: "\"") else {
      self.init(scalarAt: p, before: limit)
      return
    }
    let count = cscan_text(p + 1, limit + 16)
    guard limit - p > count + 1, p[count + 1] == UInt8(ascii: "\"") else { return nil }
    self.init(length: count + 2, inset: 1, kind: .string)
  }

  @inline(never)
  private init?(scalarAt p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    if p.pointee == UInt8(ascii: "n") {
      guard p[1] == UInt8(ascii: "u"), p[2] == UInt8(ascii: "l"), p[3] == UInt8(ascii: "l") else {
        return nil
      }
      self.init(length: 4, inset: 0, kind: .null)
    } else {
      var number = NumberState.start
      var count = 0
      while p + count < limit, let state = number.after(p[count]) {
        number = state
        count += 1
      }
      guard number.mayEnd, count <= Limits.number else { return nil }
      self.init(length: count, inset: 0, kind: .number)
    }
  }

  /// The value as it is handed on, where it is written at `p`.
  @inline(__always)
  func object(at p: UnsafePointer<UInt8>, isRepeated: Bool) -> ObjectValue {
    ObjectValue(start: p + inset, count: count, kind: kind, isRepeated: isRepeated)
  }
}

/// Reads an object that the tokenizer has passed, and is well-formed.
struct PassedText {
  /// The next byte.
  var p: UnsafePointer<UInt8>

  /// Passes over a key, up to the first byte of its value; gives nil where there is none or where it
  /// holds escapes.
  mutating func key() -> UnsafeRawBufferPointer? {
    skipSpace()
    guard p.pointee == UInt8(ascii: "\"") else { return nil }
    p += 1
    let start = p
    while p.pointee != UInt8(ascii: "\"") {
      if p.pointee == UInt8(ascii: "\\") { return nil }
      p += 1
    }
    let key = UnsafeRawBufferPointer(start: start, count: p - start)
    p += 1
    _ = separator()
    skipSpace()
    return key
  }

  /// Passes over a colon, a comma or a bracket, and gives it.
  mutating func separator() -> UInt8 {
    skipSpace()
    defer { p += 1 }
    return p.pointee
  }

  private mutating func skipSpace() {
    while p.pointee <= 0x20 { p += 1 }
  }
}

/// Says when to try again what may be of no use: after failures ever more rarely.
struct Patience {
  private var hasSucceeded = true
  private var failures = 0
  private var pause = 0

  /// Takes note that the last try was of use.
  @inline(__always)
  mutating func reward() { hasSucceeded = true }

  /// Says whether to try now.
  mutating func allowsTry() -> Bool {
    if !hasSucceeded, pause > 0 {
      pause -= 1
      return false
    }
    failures = hasSucceeded ? 0 : min(failures + 1, 6)
    pause = failures < 2 ? 0 : 1 << failures
    hasSucceeded = false
    return true
  }
}

extension Tokenizer where Next: ~Copyable {
  /// Hands on as wholes the records that are written like those before, from the brace at `p` on;
  /// stops before the first that is not, and behind one that no other follows. Says whether there was
  /// one.
  mutating func takeRecords(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let first = p
    while let end = shape.match(p, before: chunk.end) {
      let raw = UnsafeRawBufferPointer(start: p, count: end - p)
      try next.object(shape.values, raw, at: offset(of: p, in: chunk))
      p = end
      place = .separator
      // The shape leaves room behind a record for the comma, white space and the next brace.
      guard p[0] == UInt8(ascii: ",") else { break }
      let brace = p + 1 + cscan_space(p + 1, p + RecordShape.slack - 1)
      guard brace.pointee == UInt8(ascii: "{") else { break }
      p = brace
      place = .value
    }
    return p > first
  }

  /// Learns how the record is written that has just ended before `p`, for those behind it.
  @inline(never)
  mutating func learnRecord(
    _ raw: UnsafeRawBufferPointer, before p: UnsafePointer<UInt8>, _ chunk: Bounds
  ) {
    guard let keys = shape.learn(raw, room: chunk.end - p) else { return }
    guard next.recognize(keys) else { return shape.forget() }
    shape.accept(depth: nesting.depth)
  }
}
