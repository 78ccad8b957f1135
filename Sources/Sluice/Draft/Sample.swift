/// Reads a sample of a feed's data, and notes which values are where and what kinds they could be.
struct SampleReader: TokenStage, ~Copyable {
  private let tree: SampleTree
  /// An open list or object.
  private struct Around {
    let place: Int
    let isArray: Bool
    /// The number of its elements so far, if it is a list that is an element of a list or the value
    /// of a key that is data: it may be a row.
    var elements: Int?
    /// The places of lists and objects in it so far, and its values so far by their places.
    var containers: Set<Int> = []
    var values: [Int: String] = [:]
    /// One of its values may be a payload.
    var hasPayload = false
  }
  private var open: [Around] = []
  private var pending = 0

  init(_ tree: SampleTree) { self.tree = tree }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int) -> TokenReply {
    switch kind {
    case .key:
      let around = open.last?.place ?? 0
      if tree.hasDataKeys(around) {
        pending = tree.child(.any, of: around)
        let key = tree.child(.keyName, of: pending)
        text.withUnsafeBytes { tree.see($0, isNumber: false, at: key) }
      } else {
        let name = text.withUnsafeBytes { Self.name($0) }
        pending = tree.child(.key(name), of: around)
      }
      if let around = open.last { tree.note(pending, after: around.containers) }
    case .beginObject, .beginArray:
      let place = valuePlace
      tree.seeContainer(at: place, isList: kind == .beginArray)
      if let last = open.last, let count = last.elements {
        tree.seeContainer(at: tree.column(count - 1, of: last.place), isList: kind == .beginArray)
      }
      if let last = open.indices.last { open[last].containers.insert(place) }
      open.append(
        Around(
          place: place, isArray: kind == .beginArray,
          elements: kind == .beginArray && tree.isOfMany(place) ? 0 : nil))
    case .endObject, .endArray:
      let ended = open.removeLast()
      if ended.hasPayload { tree.payloadSiblings = ended.values }
    case .string, .number:
      let places = plainPlaces()
      let hadPayload = tree.payload != nil
      text.withUnsafeBytes { text in
        tree.see(text, isNumber: kind == .number, at: places.shared)
        if let own = places.own {
          tree.see(text, isNumber: kind == .number, at: own, isHeld: isInFirstRow)
        }
      }
      guard let last = open.indices.last, !open[last].isArray, !hadPayload || open[last].hasPayload
      else { break }
      if tree.payload != nil { open[last].hasPayload = true }
      open[last].values[places.shared] = text.withUnsafeBytes {
        String(decoding: $0.prefix(200), as: UTF8.self)
      }
    case .true, .false:
      let places = plainPlaces()
      tree.see(flag: kind == .true, at: places.shared)
      if let own = places.own { tree.see(flag: kind == .true, at: own, isHeld: isInFirstRow) }
    // A null is an element of a list too.
    case .null: _ = plainPlaces()
    case .stringPiece: break
    }
    return .proceed
  }

  consuming func finish() {}

  /// Returns a key, or the start of one that is too long for a draft. Keys with an equal start are
  /// then taken for one: none of them becomes a column.
  private static func name(_ key: UnsafeRawBufferPointer) -> String {
    // One scalar more, so that the start is too long as well.
    String(decoding: UTF8Encoding.prefix(key, Path.longestDraft + 4), as: UTF8.self)
  }

  /// Moves on to the place of the next value, and returns it.
  private var valuePlace: Int {
    mutating get {
      guard let last = open.indices.last else { return 0 }
      guard open[last].isArray else { return pending }
      if let position = open[last].elements { open[last].elements = position + 1 }
      return tree.child(.each, of: open[last].place)
    }
  }

  /// The places of the next plain value: one that it shares with other elements of its list, and in
  /// a row that is a list one for its position there, as columns have. Moves on to it.
  private mutating func plainPlaces() -> (shared: Int, own: Int?) {
    let shared = valuePlace
    guard let last = open.last, let count = last.elements, count <= SampleTree.widest else {
      return (shared, nil)
    }
    return (shared, tree.child(.element(count - 1), of: last.place))
  }

  /// Whether the current value is in the first of the rows that are lists.
  private var isInFirstRow: Bool {
    guard let last = open.last, last.elements != nil else { return false }
    return tree.isFirstList(at: last.place)
  }
}

/// The places of a sample. Place 0 is the document's value, and -1 is a place that is not kept.
final class SampleTree {
  /// The most places that are kept: a document that uses values as keys would have no end of them.
  static let limit = 500
  /// The most values of a row that is a list. Longer ones are no rows, such as vectors.
  static let widest = 128
  /// The paths of objects whose keys are data. The values of all their keys have one place.
  private let dataKeys: Set<Path>
  private(set) var places: [SamplePlace]
  /// The first long text that may be base64 of an archive or of JSON.
  private(set) var payload: Int?
  /// The values beside the payload, by their places.
  var payloadSiblings: [Int: String] = [:]

  init(dataKeys: Set<Path>) {
    self.dataKeys = dataKeys
    let path = Path([])
    places = [SamplePlace(path: path, parent: -1, hasDataKeys: dataKeys.contains(path))]
  }

  /// Whether the keys of the objects at a place are data.
  func hasDataKeys(_ place: Int) -> Bool { place >= 0 && places[place].hasDataKeys }

  /// Whether the values at a place are those of a list, or of keys that are data.
  func isOfMany(_ place: Int) -> Bool {
    place >= 0 && places[place].path.steps.last?.isWild == true
  }

  /// Whether the list at a place is the first one there.
  func isFirstList(at place: Int) -> Bool { place >= 0 && places[place].lists == 1 }

  /// Returns the place after a step from `place`, adding it if it is new; -1 if it is not kept.
  func child(_ step: Path.Step, of place: Int) -> Int {
    guard place >= 0 else { return -1 }
    if let child = places[place].children[step] {
      if step.isWild { places[child].elements += 1 }
      return child
    }
    guard places.count < Self.limit else { return -1 }
    let path = Path(places[place].path.steps + [step])
    places.append(SamplePlace(path: path, parent: place, hasDataKeys: dataKeys.contains(path)))
    let child = places.count - 1
    if step.isWild { places[child].elements = 1 }
    places[place].children[step] = child
    places[place].childOrder.append(child)
    return child
  }

  func note(_ place: Int, after containers: Set<Int>) {
    if place >= 0, !containers.isEmpty { places[place].after.formUnion(containers) }
  }

  /// Returns the place that a list or an object has as a column of rows that are lists; -1 if they
  /// do not begin with a plain value. Lists of lists may be anything, and large.
  func column(_ position: Int, of rows: Int) -> Int {
    guard rows >= 0, position < Self.widest, places[rows].children[.element(0)] != nil else {
      return -1
    }
    return child(.element(position), of: rows)
  }

  func seeContainer(at place: Int, isList: Bool) {
    guard place >= 0 else { return }
    if isList { places[place].lists += 1 } else { places[place].objects += 1 }
  }

  /// Counts a string or a number; if `isHeld`, only when it is known whether it is a heading.
  func see(_ text: UnsafeRawBufferPointer, isNumber: Bool, at place: Int, isHeld: Bool = false) {
    guard place >= 0 else { return }
    if payload == nil, !isNumber, Self.isPayload(text) { payload = place }
    let shown = UTF8Encoding.prefix(text, 64 << 10)
    if isHeld {
      places[place].held = .text([UInt8](shown), isNumber: isNumber)
    } else {
      places[place].see(shown, isNumber: isNumber, in: element(around: place))
    }
  }

  /// Returns the number, from 1, of the current element of the list around a place; 0 if there is
  /// no list.
  private func element(around place: Int) -> Int {
    var place = place
    while place >= 0, !isOfMany(place) { place = places[place].parent }
    return place < 0 ? 0 : places[place].elements
  }

  /// Counts `true` or `false`; if `isHeld`, only when it is known whether it is in a row.
  func see(flag: Bool, at place: Int, isHeld: Bool = false) {
    guard place >= 0 else { return }
    if isHeld { places[place].held = .flag(flag) } else { places[place].see(flag: flag) }
  }

  /// Returns whether the text begins like base64 of a zip, of `[{` or of `{"`.
  private static func isPayload(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count >= 40 && ["UEsDB", "W3si", "eyJ"].contains { text.starts(with: $0.utf8) }
  }
}
