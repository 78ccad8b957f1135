import CScan

/// Knows how the record before was written, to read the next one by comparing the two.
///
/// A feed's records are written alike: what stands between their values is the same to the byte,
/// and many a value too. So a label and the value behind it are compared at once; only a value that
/// differs is read.
///
///     {"town":"Pushkin","house":"91","letter":null}      the record before
///     └label─┘└─value──┘└─label─┘└──┘└──label─┘└──┘└ tail
///     {"town":"Pushkin","house":"137","letter":null}     this one
///     └──── the same ──┘└ same ─┘└read┘└─── same ──┘
///
/// It finds no errors: what is not plainly such a record is left to the tokenizer, from its first
/// byte on. What it takes, the tokenizer would take: labels and repeated values have passed it, and
/// values that differ are read as strictly. The record before lies in memory that the chunk in hand
/// lends, so the shape must be forgotten where the chunk ends.
struct RecordShape: ~Copyable {
  /// A member of the record before.
  struct Member: BitwiseCopyable {
    /// The length of what stands before its value.
    var label = 0
    /// The length of the value as written.
    var length = 0
    /// Where the value's text begins in it: behind a quote.
    var inset = 0
  }

  /// The most members of a record.
  static let most = 64
  /// The longest record, with the slack behind it.
  private static let longest = 32 << 10
  /// Readable bytes behind a record, so that it can be read by whole vectors.
  static let slack = 64

  /// How deep records of this shape lie; 0 where none is known.
  private(set) var depth = 0
  private var members = FixedArray(repeating: Member(), count: Self.most)
  private var store = FixedArray(repeating: ObjectValue(), count: Self.most)
  private var count = 0
  private var tail = 0
  private var last = ObjectValue().start
  private var patience = Patience()

  /// The values of the record that was compared last.
  var values: UnsafeBufferPointer<ObjectValue> { store.prefix(count) }

  /// Forgets the shape.
  @inline(__always)
  mutating func forget() { depth = 0 }

  // MARK: Comparing

  /// Compares the text from `start` on, a brace, with the record before; gives the end of the
  /// record, whose ``values`` are then known. Nil where it is none of this shape that lies in the
  /// chunk: then the shape is forgotten.
  @inline(__always)
  mutating func match(_ start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>?
  {
    let limit = start + (min(end - start, Self.longest) - Self.slack)
    guard let recordEnd = compare(start, before: limit) else {
      forget()
      return nil
    }
    last = start
    patience.reward()
    return recordEnd
  }

  @inline(__always)
  private mutating func compare(_ start: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>?
  {
    var p = start
    var before = last
    for index in 0..<count {
      let member = members[index]
      let length = member.label + member.length
      guard limit - p > length else { return nil }
      // And the byte behind, with which a number could go on.
      let same = cscan_common(p, before, length + 1)
      before += length
      if same > length {
        store[index].start = p + (member.label + member.inset)
        store[index].isRepeated = true
        p += length
      } else {
        p += member.label
        guard same >= member.label, read(p, before: limit, index) else { return nil }
        p += members[index].length
      }
    }
    guard limit - p >= tail, cscan_common(p, before, tail) == tail else { return nil }
    return p + tail
  }

  /// Reads a value; what stands behind it is yet to be seen.
  @inline(__always)
  private mutating func read(
    _ p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, _ index: Int
  ) -> Bool {
    guard p.pointee == UInt8(ascii: "\"") else { return readScalar(p, before: limit, index) }
    let count = cscan_text(p + 1, limit + 16)
    guard limit - p > count + 1, p[count + 1] == UInt8(ascii: "\"") else { return false }
    members[index].length = count + 2
    members[index].inset = 1
    store[index] = ObjectValue(start: p + 1, count: count, kind: .string)
    return true
  }

  @inline(never)
  private mutating func readScalar(
    _ p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, _ index: Int
  ) -> Bool {
    var count = 0
    var kind = TokenKind.number
    if p.pointee == UInt8(ascii: "n") {
      guard p[1] == UInt8(ascii: "u"), p[2] == UInt8(ascii: "l"), p[3] == UInt8(ascii: "l") else {
        return false
      }
      count = 4
      kind = .null
    } else {
      var number = NumberState.start
      while p + count < limit, let state = number.after(p[count]) {
        number = state
        count += 1
      }
      guard number.mayEnd, count <= Limits.number else { return false }
    }
    members[index].length = count
    members[index].inset = 0
    store[index] = ObjectValue(start: p, count: kind == .null ? 0 : count, kind: kind)
    return true
  }

  // MARK: Learning

  /// Learns how a record is written that the tokenizer has passed, and gives its keys; the shape is
  /// known once it is accepted.
  ///
  /// Gives nil where there is nothing to be gained: the record holds escapes or containers, the
  /// `room` behind it in the chunk is too short for another, or what was learned before was of no
  /// use.
  mutating func learn(_ raw: UnsafeRawBufferPointer, room: Int) -> [UnsafeRawBufferPointer]? {
    forget()
    guard let start = raw.baseAddress, raw.count + Self.slack <= min(room, Self.longest),
      patience.allowsTry()
    else { return nil }
    last = start.assumingMemoryBound(to: UInt8.self)
    let end = last + raw.count
    var keys: [UnsafeRawBufferPointer] = []
    var text = PassedText(p: last + 1)
    var valueEnd = last
    count = 0
    repeat {
      guard count < Self.most, let key = text.key(), read(text.p, before: end, count) else {
        return nil
      }
      keys.append(key)
      members[count].label = text.p - valueEnd
      text.p += members[count].length
      valueEnd = text.p
      count += 1
    } while text.separator() == UInt8(ascii: ",")
    tail = end - valueEnd
    return keys
  }

  /// Takes records of the shape that was learned from now on; they lie this deep.
  mutating func accept(depth: Int) { self.depth = depth }
}
