import Glibc

/// The keys that somebody wants in the objects of a form.
///
/// They are in a hash table with open addressing for each object. It is so large that most other
/// keys meet a free slot at once.
struct WantedKeys: ~Copyable {
  /// A key that is wanted.
  struct Key: BitwiseCopyable {
    let ends: KeyEnds
    /// Where its bytes are in ``WantedKeys/names``.
    let name: Int32
    /// The place of its member in the form.
    let place: Int32
    /// The number of the member's value if that may be taken as it comes: it is a scalar of which
    /// no token is wanted. Else -1.
    let slot: Int16
    /// Whether it is asked if the text of the value is tidy.
    let isTidied: Bool
    /// Whether the member is an object of which only members are wanted.
    let isObject: Bool
  }

  /// An object of the form.
  struct Object: BitwiseCopyable {
    /// Its first slot, and by how much a hash is shifted.
    let first: Int32
    let shift: UInt8
    /// The place of the object around it; -1 if there is none.
    var outer: Int32 = -1
  }

  /// All keys, object by object, and one that is like no other.
  private let keys: FixedArray<Key>
  /// The bytes of their names.
  private let names: FixedArray<UInt8>
  /// The objects by their places in the form.
  private let objects: FixedArray<Object>
  /// The numbers of the keys; in free slots that of the last one.
  private let slots: FixedArray<Int32>

  /// Makes it of the keys of a form.
  init(_ form: RecordForm?) {
    let places = form?.places ?? []
    var (keys, names): ([Key], [UInt8]) = ([], [])
    var (objects, slots): ([Object], [Int32]) = ([], [])
    for place in places {
      // One of four slots is taken at most. An object with no keys has free ones too.
      var bits = 1
      while 1 << bits < 4 * place.keys.count { bits += 1 }
      let object = Object(first: Int32(slots.count), shift: UInt8(64 - bits))
      objects.append(object)
      slots += repeatElement(-1, count: 1 << bits)
      for (name, member) in place.keys {
        let (ends, hash) = name.withUnsafeBytes { name in
          let ends = KeyEnds(name)
          return (ends, ends.hash(of: name, in: 0))
        }
        var slot = Int(hash >> UInt64(object.shift))
        while slots[Int(object.first) + slot] >= 0 { slot = (slot + 1) & ((1 << bits) - 1) }
        slots[Int(object.first) + slot] = Int32(keys.count)
        let value = form.flatMap { $0.plainValue(of: member) }
        keys.append(
          Key(
            ends: ends, name: Int32(names.count), place: Int32(member), slot: Int16(value ?? -1),
            isTidied: value.map { form?.untidied.contains($0) == false } ?? false,
            isObject: form?.isPlainObject(member) == true))
        names += name
      }
    }
    for (place, object) in places.enumerated() {
      for key in object.keys where objects.indices ~= key.place {
        objects[key.place].outer = Int32(place)
      }
    }
    for slot in slots.indices where slots[slot] < 0 { slots[slot] = Int32(keys.count) }
    keys.append(
      Key(ends: .ofNoKey, name: 0, place: 0, slot: -1, isTidied: false, isObject: false))
    self.keys = FixedArray(keys)
    self.names = FixedArray(names)
    self.objects = FixedArray(objects)
    self.slots = FixedArray(slots)
  }

  /// Returns the key with this number.
  @inline(__always)
  subscript(number: Int) -> Key { keys[number] }

  /// Returns the number of a key that is wanted in the object at a place of the form; nil if the one
  /// at `start` is not. Eight bytes must be readable there.
  @inline(__always)
  func number(at start: UnsafePointer<UInt8>, count: Int, in place: Int) -> Int? {
    let ends = KeyEnds(start, count: count)
    let hash = ends.hash(of: UnsafeRawBufferPointer(start: start, count: count), in: 0)
    let object = objects[place]
    var slot = Int(truncatingIfNeeded: hash &>> UInt64(object.shift))
    while true {
      let number = Int(slots[Int(object.first) &+ slot])
      let key = keys[number]
      if key.ends.isSame(as: ends), isSame(key, start) { return number }
      guard number < keys.count &- 1 else { return nil }
      slot = (slot &+ 1) & ((1 &<< (64 &- Int(object.shift))) &- 1)
    }
  }

  /// Returns whether a key with the same ends is the one at `start`.
  @inline(__always)
  private func isSame(_ key: Key, _ start: UnsafePointer<UInt8>) -> Bool {
    guard key.ends.count > KeyEnds.whole else { return true }
    return memcmp(names.address + Int(key.name), start, key.ends.count) == 0
  }

  /// Returns the same for the key with escapes whose opening quote is at `start`. It is decoded
  /// after the bytes of `decoded`, for the time being.
  @inline(never)
  func number(
    withEscapesAt start: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>, in place: Int,
    _ decoded: inout ByteBuffer
  ) -> Found {
    let count = decoded.count
    defer { decoded.truncate(to: count) }
    guard EscapedText.append(stringAt: start, before: limit, to: &decoded) != nil else {
      return .unreadable
    }
    let name = (decoded.start + count).assumingMemoryBound(to: UInt8.self)
    let number = number(at: name, count: decoded.count - count, in: place)
    return number.map { .wanted($0) } ?? .unwanted
  }

  /// Returns the place of the object around the one at a place of the form; nil if there is none.
  @inline(__always)
  func outer(of place: Int) -> Int? {
    let outer = objects[place].outer
    return outer < 0 ? nil : Int(outer)
  }

  /// What is found of a key with escapes.
  enum Found {
    /// It is wanted, and has this number.
    case wanted(Int)
    case unwanted, unreadable
  }
}
