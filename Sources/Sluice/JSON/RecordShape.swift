import CScan

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
  static let most = 64
  /// The longest record, with the slack behind it.
  static let longest = 32 << 10
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
  private var store = FixedArray(repeating: ObjectValue(), count: Self.most)

  init() {
    let nothing = Member(
      start: tailStart, label: 0, value: ShapeValue(length: 0, inset: 0, kind: .null),
      isOptional: false)
    members = FixedArray(repeating: nothing, count: Self.most)
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
    let limit = start + (min(end - start, Self.longest) - Self.slack)
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
