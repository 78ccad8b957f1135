import CSluice

/// How the elements of a list follow each other in a file: what is written between two of them.
///
///     {"type":"FeatureCollection","features":[{"type":"Feature",…}},{"type":"Feature",…}},{…
///     └────────────── head ─────────────────┘                    └────────┘ mark
///                                                                  └ the separator in it
///
/// Lines of JSON have no head, and their separator is the line's end.
struct ListForm: Sendable {
  /// The number of first bytes of a file that are looked at.
  static let reach = 256 << 10
  /// The fewest separators that must be among them.
  private static let fewest = 3
  /// The most closing brackets and blanks at the end of an element that are part of the mark.
  private static let longestEnd = 32

  /// The number of bytes before the first element; 0 for lines.
  let head: Int
  /// What is written between two elements, with the end of the one and the first key of the other.
  let mark: [UInt8]
  /// The offset of the comma, or of the line's end, in the mark.
  let separator: Int

  /// Whether the elements are lines.
  var areLines: Bool { head == 0 }

  /// The comma, or the line's end.
  var separatorByte: UInt8 { mark[separator] }

  /// Finds the outermost list on the path to the rows in a file that begins with `start`. Returns
  /// nil if there is none, or if nothing tells where its elements begin.
  init?(_ start: UnsafeRawBufferPointer, rows: Path, hasEnvelope: Bool) {
    guard case .form(let format) = InputFormat.sniff(start, isWhole: false) else { return nil }
    switch format {
    case .object where hasEnvelope: return nil
    case .object where rows.steps.first == .each:
      guard TextLines.areWritten(in: start, isWhole: false) == true else { return nil }
      (head, mark, separator) = (0, Array("\n{".utf8), 0)
    case .object, .array:
      guard let places = ElementProbe.places(in: start, rows: rows) else { return nil }
      guard let mark = Self.mark(in: start, places) else { return nil }
      head = places.head
      (self.mark, separator) = mark
    case .zip, .base64, .csv: return nil
    }
  }

  /// What stands between elements, and the offset of the separator in it. Nil if that differs, or
  /// is written elsewhere too.
  private static func mark(
    in text: UnsafeRawBufferPointer, _ places: ElementProbe.Places
  ) -> (bytes: [UInt8], separator: Int)? {
    let gaps = zip(places.elements, places.elements.dropFirst()).map { ($0.end, $1.label) }
    guard gaps.count >= fewest, gaps.allSatisfy({ $0 < $1 }) else { return nil }
    // The brackets that close together tell an element from those of lists inside it.
    let closers = gaps.map { end, _ in
      Array(
        text[max(places.head, end - longestEnd)..<end].reversed().prefix { byte in
          byte | 0x20 == UInt8(ascii: "}") || InputFormat.isSpace(byte)
        })
    }
    let common = closers.dropFirst().reduce(closers[0]) { known, other in
      zip(known, other).prefix { $0 == $1 }.map(\.0)
    }.count
    let mark = Array(text[gaps[0].0 - common..<gaps[0].1])
    guard let separator = mark[common...].firstIndex(of: UInt8(ascii: ",")) else { return nil }
    var found: [Int] = []
    var place = places.head
    let end = gaps[gaps.count - 1].1
    while let next = find(mark, in: UnsafeRawBufferPointer(rebasing: text[place..<end])) {
      found.append(place + next + common)
      place += next + 1
    }
    return found == gaps.map(\.0) ? (mark, separator) : nil
  }

  /// Returns the offset of the first mark in a text; nil if there is none.
  static func find(_ mark: [UInt8], in text: UnsafeRawBufferPointer) -> Int? {
    guard let base = text.baseAddress,
      let place = cposix_find(base, text.count, mark, mark.count)
    else { return nil }
    return place - base
  }
}

/// Cuts a list in a file into sections of about the same length, at separators of its elements.
///
///     …,{"id":7},{"id":8},{"id":9}│,{"id":10},…
///                  ^ a multiple of the length
///                                 ^ the cut: the first separator after it
///
/// A cut is only a guess: a string, or another list, may have what stands between two elements.
/// Whoever reads up to a cut knows whether it is one.
final class ListCuts: @unchecked Sendable {
  /// The length of a section.
  static let standardLength = 256 << 10

  /// The number of cuts after which old ones are forgotten.
  private static let mostKnown = 1 << 10

  let form: ListForm
  private let descriptor: Int32
  private let size: Int
  private let length: Int
  private let lock = ThreadLock()
  /// The cuts that have been looked for, by their sections; -1 if there is none. Protected by the
  /// lock.
  private var known: [Int: Int] = [:]

  /// Cuts a regular file of this size, which stays open.
  init(_ form: ListForm, _ descriptor: Int32, size: Int, length: Int = standardLength) {
    self.form = form
    self.descriptor = descriptor
    self.size = size
    self.length = length
  }

  /// The number of sections, those without a cut among them.
  var count: Int { max(1, (size + length - 1) / length) }

  /// Returns the offset at which a section begins: its separator, or 0 for the first. Nil if no
  /// element begins in it.
  func start(of section: Int) -> Int? {
    if section == 0 { return 0 }
    return lock.withLock {
      let place = known[section] ?? search(section) ?? -1
      known[section] = place
      return place < 0 ? nil : place
    }
  }

  /// Returns where a section ends: the next cut; nil if it goes on to the end of the file.
  func end(of section: Int) -> Int? {
    (section + 1..<max(section + 1, count)).lazy.compactMap { self.start(of: $0) }.first
  }

  /// Forgets the cuts of the sections before, which nobody asks for any more. So memory does not
  /// grow with the file.
  func forget(before section: Int) {
    lock.withLock {
      if known.count > Self.mostKnown { known = known.filter { $0.key >= section } }
    }
  }

  private func search(_ section: Int) -> Int? {
    var window = ByteBuffer(capacity: 4 << 10)
    var place = section * length
    let end = min(place + length, size)
    while place < end {
      window.removeAll()
      // Whoever reads the section reports what cannot be read.
      guard case .bytes(let count) = FileDescriptor.read(descriptor, at: place, into: &window),
        count >= form.mark.count
      else { return nil }
      if let found = ListForm.find(form.mark, in: window.contents) {
        return place + found < end ? place + found + form.separator : nil
      }
      place += count - form.mark.count + 1
      window.reserve(64 << 10)
    }
    return nil
  }
}

/// Finds the outermost list on the path to the rows, and where its first elements are.
private struct ElementProbe: TokenStage, ~Copyable {
  /// An object or array of the list.
  struct Element {
    /// The offset of its last bracket; 0 if it is not whole.
    var end = 0
    /// The offset after its first key, or after the bracket of an array; 0 if there is no key.
    var label = 0
  }

  /// What was found.
  struct Places {
    /// The offset of the first element; 0 while there is no list.
    var head = 0
    var elements: [Element] = []
  }

  private let keys: [String]
  private let found: Box<Places>
  private var depth = 0
  /// The number of open containers on the way to the list.
  private var way = 0
  /// Whether the last key was the next on the way.
  private var isNext = true
  /// The depth of the list's elements; 0 outside of it.
  private var inside = 0

  /// Returns the places of elements that are whole in `start`; nil if there is no such list.
  static func places(in start: UnsafeRawBufferPointer, rows: Path) -> Places? {
    let keys = rows.steps.prefix { $0 != .each }.map { step in
      if case .key(let name) = step { name } else { nil as String? }
    }
    guard keys.count < rows.steps.count, !keys.contains(nil) else { return nil }
    let found = Box(Places())
    var json = Tokenizer(
      into: ElementProbe(keys: keys.compactMap(\.self), found: found), counters: Counters())
    // Whoever reads the file reports what is wrong with it.
    try? json.write(RawSpan(_unsafeBytes: start))
    var places = found.value.pointee
    if places.elements.last?.end == 0 { places.elements.removeLast() }
    return places.head == 0 ? nil : places
  }

  private init(keys: [String], found: Box<Places>) {
    self.keys = keys
    self.found = found
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int) -> TokenReply {
    switch kind {
    case .beginObject, .beginArray: begin(kind, at: offset)
    case .endObject, .endArray: end(at: offset)
    case .key:
      if inside == 0 {
        isNext = depth == way && way > 0 && way <= keys.count && equals(text, keys[way - 1])
      } else if depth == inside + 1, found.value.pointee.elements.last?.label == 0 {
        let count = found.value.pointee.elements.count
        // A key with escapes is longer. Its first bytes will do.
        found.value.pointee.elements[count - 1].label = offset + text.byteCount + 1
      }
    case .string, .stringPiece, .number, .true, .false, .null: isNext = false
    }
    return .proceed
  }

  private mutating func begin(_ kind: TokenKind, at offset: Int) {
    if inside > 0, depth == inside {
      found.value.pointee.elements.append(Element(label: kind == .beginArray ? offset + 1 : 0))
    } else if inside == 0, depth == way, isNext, found.value.pointee.head == 0 {
      if way < keys.count, kind == .beginObject {
        way += 1
      } else if way == keys.count, kind == .beginArray {
        inside = depth + 1
        found.value.pointee.head = offset + 1
      }
    }
    depth += 1
    isNext = false
  }

  private mutating func end(at offset: Int) {
    depth -= 1
    way = min(way, depth)
    if inside > 0, depth == inside {
      let count = found.value.pointee.elements.count
      found.value.pointee.elements[count - 1].end = offset
    } else if depth < inside {
      inside = 0
    }
  }

  private func equals(_ text: RawSpan, _ key: String) -> Bool {
    text.withUnsafeBytes { $0.elementsEqual(key.utf8) }
  }

  consuming func finish() {}
}
