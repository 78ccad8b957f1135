/// The wanted values of the record that is compared.
///
///     {"id":7,"name":"a\nb","geo":{"at":[30.1,59.9]}}     id, name and geo.at[1] are wanted
///           0        1                        2           their numbers
///
/// A value stays where it is written. Texts with escapes are decoded.
struct WantedValues: ~Copyable {
  /// All values by their numbers. Of those that the record does not have, the text is empty, once
  /// it has ended.
  private var store = FixedArray<ObjectValue>([])
  /// Those that were met in the record that is compared, or was last, and those in the ``store``.
  private var met = ValueSet(count: 0)
  private var kept = ValueSet(count: 0)
  /// The texts that have escapes, of several records: their rows may be a series.
  var decoded = ByteBuffer(capacity: 1)
  /// The bytes of the records before after which there may be no room for the texts of another one.
  private static let mostDecoded = 32 << 10

  /// Makes room for the values of a form, and for texts of a record that has this length.
  mutating func reserve(for form: RecordForm, length: Int) {
    if store.count < form.valueCount {
      store = FixedArray(repeating: ObjectValue(), count: form.valueCount)
      met = ValueSet(count: form.valueCount)
      kept = ValueSet(count: form.valueCount)
    }
    // They fit, so they do not move.
    decoded.removeAll()
    decoded.reserve(Self.mostDecoded + length)
  }

  /// Whether the texts of another record might not fit.
  @inline(__always)
  var areManyDecoded: Bool { decoded.count > Self.mostDecoded }

  /// Forgets the texts that have escapes. Nobody may want them any more.
  @inline(__always)
  mutating func forgetDecoded() { decoded.removeAll() }

  /// The values by their numbers.
  @inline(__always)
  var all: UnsafeBufferPointer<ObjectValue> { store.prefix(store.count) }

  /// A bit for each of them: whether the record has it.
  @inline(__always)
  var present: UnsafePointer<UInt64> { UnsafePointer(met.words.address) }

  /// The bits of the first 64 values. Who compares has them in a register, and sets them before
  /// anything else is asked.
  var first: UInt64 {
    @inline(__always) get { met.first }
    @inline(__always) nonmutating set { met.first = newValue }
  }

  /// Begins a record. The ``first`` bits are those of the record before.
  @inline(__always)
  mutating func begin() {
    if met.words.count > 1 { met.removeAllButFirst() }
  }

  /// Sets a value that is written at `p`. Its text is decoded from `firstDecoded` on, if it is.
  @inline(__always)
  mutating func set(
    _ slot: Int, _ value: ShapeValue, at p: UnsafePointer<UInt8>, from firstDecoded: Int
  ) {
    store.address[slot] = value.object(at: p, decoded: decoded, from: firstDecoded)
  }

  /// Sets a value that is met. Returns whether the record did not have it yet: otherwise it is only
  /// counted.
  @inline(__always)
  mutating func insert(
    _ slot: Int, _ value: ShapeValue, at p: UnsafePointer<UInt8>, from firstDecoded: Int
  ) -> Bool {
    guard met.insert(slot) else {
      countAgain(slot)
      return false
    }
    store[slot] = value.object(at: p, decoded: decoded, from: firstDecoded)
    return true
  }

  /// Takes the value of a member at `p` if it is a plain one that the record does not have yet.
  /// Returns its length; nil if it does not end before `limit`, or is anything else. Then nothing of
  /// it stays in ``decoded``.
  @inline(__always)
  mutating func take(
    _ key: WantedKeys.Key, at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> Int? {
    let (slot, firstDecoded) = (Int(key.slot), decoded.count)
    guard slot >= 0, !met.contains(slot) else { return nil }
    let value = ShapeValue(
      at: p, before: limit, isWanted: true, isTidied: key.isTidied, decoded: &decoded)
    guard let value else {
      decoded.truncate(to: firstDecoded)
      return nil
    }
    _ = insert(slot, value, at: p, from: firstDecoded)
    return Int(value.length)
  }

  /// Notes that the record has a value once more.
  mutating func countAgain(_ slot: Int) { store[slot].times += 1 }

  /// Counts an object or array with the value of this number.
  mutating func count(_ slot: Int) {
    if met.insert(slot) { store[slot] = ObjectValue() }
    store[slot].times += 1
  }

  /// Notes that a record did not match: any of the values may have been set.
  mutating func forget() { kept.insertAll() }

  /// Removes the values of a record before this one that it does not have.
  @inline(__always)
  mutating func end() {
    end(word: 0)
    if met.words.count > 1 { endOthers() }
  }

  @inline(never)
  private mutating func endOthers() {
    for word in 1..<met.words.count { end(word: word) }
  }

  @inline(__always)
  private mutating func end(word: Int) {
    let present = met.words.address[word]
    var missing = kept.exchange(word, for: present) & ~present
    while missing != 0 { store[ValueSet.next(word, &missing)] = ObjectValue() }
  }
}
