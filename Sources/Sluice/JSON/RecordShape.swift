import CSluice

/// Reads a record by comparing its bytes with those of the previous records.
///
/// The records of a feed are written alike: the bytes between their values are the same, and many
/// values are too. So each member is compared with the last one of its kind in one go, label and
/// value. If the value differs, it is read. If the label differs, the member is missing.
///
///     previous  {"town":"Pushkin","house":"91","part":"2","letter":null}
///     members   └label─┘└─value─┘└─label─┘└──┘└label─┘└─┘└─label──┘└──┘└ tail
///
///     this one  {"town":"Pushkin","house":"137","letter":null}
///               └─────same──────┘└─same──┘└new┘└────same────┘└ same
///                                              part is missing here: its label differs
///
/// It finds no errors. A record that does not match is left to the tokenizer, from its first byte
/// on. A record that matches is one the tokenizer would accept: it has accepted the labels and the
/// repeated values before, and values that differ are read as strictly. The previous records are in
/// the memory of the current chunk, so all members must be forgotten at its end.
struct RecordShape: ~Copyable {
  /// A member, as written in the last record that had it.
  struct Member: BitwiseCopyable {
    /// Its first byte: the brace or comma before the key.
    var start: UnsafePointer<UInt8>
    /// The length of the label: the bytes before the value, with the colon.
    var label: Int
    var value: ShapeValue
    /// Whether some records do not have it.
    var isOptional: Bool
  }

  /// The maximum number of members of a record.
  static let maxMembers = 64
  /// The maximum length of a record with the slack after it, in bytes.
  static let maxLength = 32 << 10
  /// Readable bytes after a record, so that it can be read by whole vectors.
  static let slack = ByteBuffer.padding

  /// The depth of the records to compare with this shape, or 0 if none are to be compared.
  private(set) var depth = 0
  private var members: FixedArray<Member>
  private var count = 0
  /// The length of the bytes after the last value, and their address in the previous record.
  private var tail = 0
  private var tailStart = ObjectValue().start
  /// Whether the members are from this chunk and list.
  private var isFresh = false
  private var backoff = Backoff()
  private var store = FixedArray(repeating: ObjectValue(), count: Self.maxMembers)

  init() {
    let nothing = Member(
      start: tailStart, label: 0, value: ShapeValue(length: 0, inset: 0, kind: .null),
      isOptional: false)
    members = FixedArray(repeating: nothing, count: Self.maxMembers)
  }

  /// The values of the record that matched last. A missing member is null.
  var values: UnsafeBufferPointer<ObjectValue> { store.prefix(count) }

  /// Compares records at this depth with the learned shape from now on.
  mutating func accept(depth: Int) { self.depth = depth }

  /// Forgets the members. Called at the end of the chunk, and of the list of the records.
  @inline(__always)
  mutating func forget() {
    depth = 0
    isFresh = false
  }

  /// Compares the text from the brace at `start` on with the shape. Returns the end of the record,
  /// whose ``values`` are then known. Returns nil if the record does not match or does not end in
  /// the chunk. After nil, no record is compared until one has been learned.
  @inline(__always)
  mutating func match(_ start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>?
  {
    let limit = start + (min(end - start, Self.maxLength) - Self.slack)
    guard let recordEnd = compare(start, before: limit) else {
      depth = 0
      return nil
    }
    backoff.reward()
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
      // The byte after a number is compared too, because it may be one more digit.
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
  /// Learns the form of a record that the tokenizer has accepted. Returns the keys of all members
  /// known so far. Records are compared only after ``accept(depth:)``.
  ///
  ///     members  {"town":…,"house":…,"letter":…}
  ///     record   {"town":…,"part":…,"letter":…}
  ///     members  {"town":…,"part":…,"house":…,"letter":…}     house and part are optional
  ///
  /// Returns nil if there is nothing to gain: the record has escapes or containers, the `room`
  /// after it in the chunk is too short for another one, or the last shapes did not match.
  mutating func learn(_ raw: UnsafeRawBufferPointer, room: Int) -> [UnsafeRawBufferPointer]? {
    guard let start = raw.baseAddress?.assumingMemoryBound(to: UInt8.self),
      raw.count + Self.slack <= min(room, Self.maxLength), backoff.allowsTry(),
      merge(start, start + raw.count)
    else {
      forget()
      return nil
    }
    isFresh = true
    return (0..<count).map { index in
      var label = MemberReader(p: members[index].start)
      _ = label.separator()
      return label.key() ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  /// Merges the members of the record with the known ones. Returns false if that is not possible.
  private mutating func merge(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    var isFirst = false
    var text = MemberReader(p: start + 1)
    var memberStart = start
    var place = 0
    repeat {
      guard text.key() != nil, let value = ShapeValue(at: text.p, before: end) else { return false }
      var member = Member(
        start: memberStart, label: text.p - memberStart, value: value, isOptional: false)
      if memberStart == start {
        // The brace belongs to the first label, so this member must not match inside a record.
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

  /// Puts a member at `place` or later and sets `place` to the next. Returns false if there is no
  /// room.
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

/// A value of a record as it is written: a string without escapes, a number or null.
///
///     "Пушкин"    length 14, inset 1, count 12
///     137         length 3, inset 0, count 3
struct ShapeValue: BitwiseCopyable {
  /// The length of the whole value, and of the quote before its text.
  let length: Int
  private let inset: Int
  /// The length of the text, 0 for null.
  let count: Int
  let kind: TokenKind

  init(length: Int, inset: Int, kind: TokenKind) {
    self.length = length
    self.inset = inset
    self.kind = kind
    count = kind == .null ? 0 : length - 2 * inset
  }

  /// Reads the value at `p`, which ends before `limit`, as strictly as the tokenizer. Nil if it is
  /// anything else. The bytes after it are not checked. 16 bytes from `limit` on must be readable.
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

  /// Returns the value to hand on if it is written at `p`.
  @inline(__always)
  func object(at p: UnsafePointer<UInt8>, isRepeated: Bool) -> ObjectValue {
    ObjectValue(start: p + inset, count: count, kind: kind, isRepeated: isRepeated)
  }
}

/// Reads the members of an object. The tokenizer has accepted it, so it is well-formed.
private struct MemberReader {
  /// The next byte.
  var p: UnsafePointer<UInt8>

  /// Reads a key and moves to the first byte of its value. Returns nil if there is no key or if it
  /// has escapes.
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

  /// Reads a colon, a comma or a brace.
  mutating func separator() -> UInt8 {
    skipSpace()
    defer { p += 1 }
    return p.pointee
  }

  private mutating func skipSpace() {
    while p.pointee <= 0x20 { p += 1 }
  }
}

/// Decides when to try again after failed tries: exponential backoff, counted in records.
///
///     failed tries in a row   1  2  3  4  5   6   7 and more
///     records skipped then    0  0  4  8  16  32  64
private struct Backoff {
  private var hasSucceeded = true
  private var failures = 0
  private var pause = 0

  /// Notes that the last try succeeded.
  @inline(__always)
  mutating func reward() { hasSucceeded = true }

  /// Returns whether to try now, and counts the try.
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
  /// Hands on whole records that match the shape, from the brace at `p` on. Stops before the first
  /// one that does not match, and after the last one of a list. Returns whether there was one.
  mutating func takeRecords(_ p: inout UnsafePointer<UInt8>, _ chunk: Bounds)
    throws(PipelineError) -> Bool
  {
    let first = p
    while let end = shape.match(p, before: chunk.end) {
      let raw = UnsafeRawBufferPointer(start: p, count: end - p)
      try next.object(shape.values, raw, at: offset(of: p, in: chunk))
      p = end
      place = .separator
      // The slack after a record has room for the comma, white space and the next brace.
      guard p[0] == UInt8(ascii: ",") else { break }
      let brace = p + 1 + cscan_space(p + 1, p + RecordShape.slack - 1)
      guard brace.pointee == UInt8(ascii: "{") else { break }
      p = brace
      place = .value
    }
    return p > first
  }

  /// Learns the form of the record that ends before `p`, for the records after it.
  @inline(never)
  mutating func learnRecord(
    _ raw: UnsafeRawBufferPointer, before p: UnsafePointer<UInt8>, _ chunk: Bounds
  ) {
    guard let keys = shape.learn(raw, room: chunk.end - p) else { return }
    guard next.recognize(keys) else { return shape.forget() }
    shape.accept(depth: nesting.depth)
  }
}
