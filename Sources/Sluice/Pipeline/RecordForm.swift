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
/// The form of a gap between two lists of records has the place of the outermost list first. See
/// ``TokenStage/gap(_:)``.
package struct RecordForm {
  /// The most values of a record: one bit each in a word.
  static let maxValues = UInt64.bitWidth

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
    /// The number under which the tokens of what is here are handed on, in their order; -1 if they are
    /// not wanted.
    var token = -1
    /// The number of the value that counts all other elements of an array; -1 if nobody asks.
    var others = -1
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
    /// Its key; nil if it is an element, or the outermost.
    let key: [UInt8]?
  }

  /// The places. Place 0 is the record.
  var places: [Place]
  /// The number of values.
  var valueCount: Int
  /// The values of which it is asked whether they are ``ValueTraits/tidy``, one bit each.
  var tidied = UInt64.max
  /// The same of all tokens.
  var tokensAreTidied = false
  /// The containers around a gap, outermost first. It ends where the last of them begins again. Empty for
  /// records.
  var around: [Around] = []

  /// Returns the place of a member of an object; -1 if nothing inside is wanted.
  func place(ofKey key: UnsafeRawBufferPointer, in place: Int) -> Int {
    guard place >= 0 else { return -1 }
    return places[place].keys.first { $0.name.elementsEqual(key) }?.place ?? -1
  }

  /// Returns the place of an element of an array; -1 if nothing inside is wanted.
  func place(ofElement index: Int, in place: Int) -> Int {
    guard place >= 0 else { return -1 }
    if places[place].each >= 0 { return places[place].each }
    return places[place].elements.first { $0.index == index }?.place ?? -1
  }
}

/// A record that is handed on as a whole. It is valid only during the call, and the texts of its values until
/// ``TokenStage/endWholes()``.
package struct WholeRecord {
  /// The wanted values, in the order of their form.
  let values: UnsafeBufferPointer<ObjectValue>
  /// The wanted tokens, in the order in which they are written.
  let tokens: UnsafeBufferPointer<ObjectToken>
  /// The raw text.
  let raw: UnsafeRawBufferPointer
  /// The offset of its first byte.
  let offset: Int

  init(
    values: UnsafeBufferPointer<ObjectValue>, tokens: UnsafeBufferPointer<ObjectToken>,
    raw: UnsafeRawBufferPointer, offset: Int
  ) {
    (self.values, self.tokens, self.raw, self.offset) = (values, tokens, raw, offset)
  }

  /// Makes a record of plain values that stand alone: it has no text of its own.
  init(of values: UnsafeBufferPointer<ObjectValue>, at offset: Int) {
    self.init(
      values: values, tokens: UnsafeBufferPointer(start: nil, count: 0),
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
