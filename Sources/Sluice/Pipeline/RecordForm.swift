/// The values that a stage wants of each record, as a tree of the places inside a record.
///
///     id, geometry.type, geometry.coordinates[0]
///
///     0 ─┬─ id ─────── 1  value 0
///        └─ geometry ─ 2 ─┬─ type ──────── 3  value 1
///                         └─ coordinates ─ 4 ─┬─ [0] ──── 5  value 2
///                                             └─ others      counted as value 3
///
/// With such a form the tokenizer may hand on whole records. See ``TokenStage/object(_:)``.
///
/// The form of a gap between two lists or objects of rows has the place of the outermost list first.
/// See ``TokenStage/gap(_:)``.
package struct RecordForm {
  /// The most values of a record, so that they take little memory.
  static let maxValues = 1024

  /// A value inside a record that is wanted, or on the way to such a value.
  struct Place {
    /// The places of an object's members, by their keys.
    var keys: [(name: [UInt8], place: Int)] = []
    /// The places of an array's elements.
    var elements: [(index: Int, place: Int)] = []
    /// The number of the value; -1 if it is not wanted. An object or array in its place makes the
    /// record one that must come as tokens.
    var value = -1
    /// Whether an array here may come in whole records all the same.
    var isList = false
    /// The place of all elements of an array; -1 if nobody asks. Then there are no single ones.
    var each = -1
    /// The place of all members of an object, whatever their keys; -1 if nobody asks. Then it has
    /// no keys of its own. Only in gaps.
    var any = -1
    /// The number of the tokens of these keys.
    var keyToken = -1
    /// The number under which the tokens of what is here are handed on, in their order; -1 if they
    /// are not wanted.
    var token = -1
    /// The number of the value that counts all other elements of an array; -1 if nobody asks.
    var others = -1
    /// Whether an array may have no other elements.
    var hasNoOthers = false
    /// The only kind of value that may be here; nil if any may.
    var demand: Demand?
  }

  /// A kind of value.
  enum Demand {
    case object, array, scalar
  }

  /// A container that is open where a gap begins.
  struct Around {
    let place: Int
    let way: Way

    /// What it is of the container around it.
    enum Way {
      case outermost
      /// The value of this key, or of any.
      case key([UInt8]), member
      case element
    }
  }

  /// The places. Place 0 is the record.
  let places: [Place]
  /// The number of values.
  let valueCount: Int
  /// The values of which nobody asks whether they are ``ValueTraits/tidy``.
  var untidied: Set<Int> = []
  /// The same of all tokens.
  var tokensAreTidied = false
  /// The containers around a gap, outermost first. It ends where the last of them begins again.
  /// Empty for records.
  var around: [Around] = []

  init(places: [Place], valueCount: Int) {
    (self.places, self.valueCount) = (places, valueCount)
  }

  /// Returns the number of the value at a place if it is all that is wanted there of a scalar; nil
  /// if there is none.
  func plainValue(of place: Int) -> Int? {
    let place = places[place]
    let mayBeScalar = place.demand == nil || place.demand == .scalar
    return place.value >= 0 && place.token < 0 && mayBeScalar ? place.value : nil
  }

  /// Returns whether only members are wanted of an object at a place.
  func isPlainObject(_ place: Int) -> Bool {
    let place = places[place]
    let mayBeObject = place.demand == nil || place.demand == .object
    return !place.keys.isEmpty && place.value < 0 && place.token < 0 && place.any < 0 && mayBeObject
  }

  /// Returns the place of an element of an array; -1 if nothing inside is wanted.
  func place(ofElement index: Int, in place: Int) -> Int {
    guard place >= 0 else { return -1 }
    if places[place].each >= 0 { return places[place].each }
    return places[place].elements.first { $0.index == index }?.place ?? -1
  }
}

/// Some of the values of a record, by their numbers: a bit each.
///
///     values    id  type  name  note      id and name are in the set
///     bits      1   0     1     0
struct ValueSet: ~Copyable {
  /// The bits, the first value in the lowest bit of the first word. There is a word at least.
  let words: FixedArray<UInt64>
  /// The number of values for which there is room.
  private let count: Int

  /// Makes an empty set that has room for this number of values.
  init(count: Int) {
    words = FixedArray(repeating: 0, count: max(1, (count + 63) / 64))
    self.count = count
  }

  /// The first word.
  var first: UInt64 {
    @inline(__always) get { words.address.pointee }
    @inline(__always) nonmutating set { words.address.pointee = newValue }
  }

  /// Returns whether a value is in the set. There must be room for it.
  @inline(__always)
  func contains(_ value: Int) -> Bool {
    words.address[value &>> 6] & (1 as UInt64 &<< UInt64(truncatingIfNeeded: value)) != 0
  }

  /// Adds a value, for which there must be room. Returns whether it was not in the set.
  @inline(__always)
  mutating func insert(_ value: Int) -> Bool {
    let word = words.address + value &>> 6
    let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: value)
    let isNew = word.pointee & bit == 0
    word.pointee |= bit
    return isNew
  }

  /// Adds all values for which there is room.
  mutating func insertAll() {
    for value in 0..<count { _ = insert(value) }
  }

  /// Removes all values but those in the first word.
  @inline(never)
  mutating func removeAllButFirst() {
    for word in 1..<words.count { words.address[word] = 0 }
  }

  /// Sets the values of a word. Returns those that were in it before.
  @inline(__always)
  mutating func exchange(_ word: Int, for bits: UInt64) -> UInt64 {
    let old = words.address[word]
    words.address[word] = bits
    return old
  }

  /// Takes one of the values off a word, which must not be 0. Returns its number.
  @inline(__always)
  static func next(_ word: Int, _ bits: inout UInt64) -> Int {
    let value = word &<< 6 &+ bits.trailingZeroBitCount
    bits &= bits &- 1
    return value
  }
}

/// A record that is handed on as a whole. It is valid only during the call, and the texts of its
/// values until ``TokenStage/endWholes()``.
package struct WholeRecord: BitwiseCopyable {
  /// The wanted values, in the order of their form.
  let values: UnsafeBufferPointer<ObjectValue>
  /// The words of the ``ValueSet`` of those that the record has; nil if it has all.
  let met: UnsafePointer<UInt64>?
  /// The wanted tokens, in the order in which they are written.
  let tokens: UnsafeBufferPointer<ObjectToken>
  /// The raw text.
  let raw: UnsafeRawBufferPointer
  /// The offset of its first byte.
  let offset: Int

  init(
    values: UnsafeBufferPointer<ObjectValue>, met: UnsafePointer<UInt64>?,
    tokens: UnsafeBufferPointer<ObjectToken>, raw: UnsafeRawBufferPointer, offset: Int
  ) {
    (self.values, self.met, self.tokens, self.raw) = (values, met, tokens, raw)
    self.offset = offset
  }

  /// Makes a record of plain values that stand alone: it has no text of its own.
  init(of values: UnsafeBufferPointer<ObjectValue>, at offset: Int) {
    self.init(
      values: values, met: nil, tokens: UnsafeBufferPointer(start: nil, count: 0),
      raw: UnsafeRawBufferPointer(start: nil, count: 0), offset: offset)
  }

  /// Returns the offset of a value that it has.
  func offset(of value: ObjectValue) -> Int {
    offset + (raw.baseAddress.map { UnsafeRawPointer(value.written) - $0 } ?? 0)
  }
}

/// A token of a place whose tokens are wanted.
package struct ObjectToken: BitwiseCopyable {
  /// The number of the place's tokens.
  var number: Int
  var kind: TokenKind
  /// The offset of the token in its record.
  var offset: Int
  /// The text of a scalar value, with escapes decoded. Like that of an ``ObjectValue``.
  var text: UnsafeRawBufferPointer
  /// What is known of the value.
  var traits: ValueTraits = []
}

extension ObjectToken {
  /// Makes it of a key.
  init(key: ObjectValue) {
    self.init(number: 0, kind: .string, offset: 0, text: key.text, traits: key.traits)
  }
}

/// Decides when to take records as wholes again after failed tries: exponential backoff, counted in
/// what might be tried.
///
///     failed tries in a row   1  2  3  4  5   6   7 and more
///     skipped then            0  0  4  8  16  32  64
///
/// The first tries are not counted: so it soon turns out what the input is like.
struct Backoff {
  private var firstTries = 64
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
    if firstTries > 0 {
      firstTries -= 1
      hasSucceeded = true
      return true
    }
    failures = hasSucceeded ? 0 : min(failures + 1, 6)
    pause = failures < 2 ? 0 : 1 << failures
    hasSucceeded = false
    return true
  }
}
