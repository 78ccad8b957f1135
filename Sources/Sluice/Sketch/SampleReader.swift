/// Looks at a sample of a feed's data: what is where, and what could it be?
struct SampleReader: TokenStage, ~Copyable {
  private let tree: SampleTree
  /// A list or an object that is open.
  private struct Around {
    let place: Int
    let isArray: Bool
    /// Lists and objects in it, and values, so far.
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
      let name = text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      pending = tree.child(.key(name), of: open.last?.place ?? 0)
      if let around = open.last { tree.note(pending, after: around.containers) }
    case .beginObject, .beginArray:
      let place = valuePlace
      tree.seeContainer(at: place, isList: kind == .beginArray)
      if let last = open.indices.last { open[last].containers.insert(place) }
      open.append(Around(place: place, isArray: kind == .beginArray))
    case .endObject, .endArray:
      let ended = open.removeLast()
      if ended.hasPayload { tree.payloadSiblings = ended.values }
    case .string, .number:
      let place = valuePlace
      let hadPayload = tree.payload != nil
      text.withUnsafeBytes { tree.see($0, isNumber: kind == .number, at: place) }
      guard let last = open.indices.last, !open[last].isArray, !hadPayload || open[last].hasPayload
      else { break }
      if tree.payload != nil { open[last].hasPayload = true }
      open[last].values[place] = text.withUnsafeBytes {
        String(decoding: $0.prefix(200), as: UTF8.self)
      }
    case .true, .false: tree.see(flag: kind == .true, at: valuePlace)
    // An element of a list all the same.
    case .null: _ = valuePlace
    case .stringPiece: break
    }
    return .proceed
  }

  consuming func finish() {}

  private var valuePlace: Int {
    guard let innermost = open.last else { return 0 }
    return innermost.isArray ? tree.child(.each, of: innermost.place) : pending
  }
}

/// The places of a sample; the document's value is place 0, and -1 is one that is not kept.
final class SampleTree {
  /// A document that uses values as keys has no end of places.
  private static let limit = 500
  private(set) var places = [SamplePlace(path: Path([]), parent: -1)]
  /// The first long text that may be base64 of an archive or of JSON.
  private(set) var payload: Int?
  /// The values beside it, by their places.
  var payloadSiblings: [Int: String] = [:]

  /// The place that a step leads to.
  func child(_ step: Path.Step, of place: Int) -> Int {
    guard place >= 0 else { return -1 }
    if let child = places[place].children[step] {
      if step == .each { places[child].elements += 1 }
      return child
    }
    guard places.count < Self.limit else { return -1 }
    places.append(SamplePlace(path: Path(places[place].path.steps + [step]), parent: place))
    let child = places.count - 1
    if step == .each { places[child].elements = 1 }
    places[place].children[step] = child
    places[place].childOrder.append(child)
    return child
  }

  func note(_ place: Int, after containers: Set<Int>) {
    if place >= 0, !containers.isEmpty { places[place].after.formUnion(containers) }
  }

  func seeContainer(at place: Int, isList: Bool) {
    guard place >= 0 else { return }
    if isList { places[place].lists += 1 } else { places[place].objects += 1 }
  }

  func see(_ text: UnsafeRawBufferPointer, isNumber: Bool, at place: Int) {
    guard place >= 0 else { return }
    if payload == nil, !isNumber, Self.isPayload(text) { payload = place }
    places[place].see(
      UnsafeRawBufferPointer(rebasing: text.prefix(64 << 10)), isNumber: isNumber,
      in: element(around: place))
  }

  /// Which element of the list around a place is being read, counted from 1; 0 where there is none.
  private func element(around place: Int) -> Int {
    var place = place
    while place >= 0, places[place].path.steps.last != .each { place = places[place].parent }
    return place < 0 ? 0 : places[place].elements
  }

  func see(flag: Bool, at place: Int) {
    if place >= 0 { places[place].see(flag: flag) }
  }

  /// Base64 of a zip, of `[{` or of `{"` begins so.
  private static func isPayload(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count >= 40 && ["UEsDB", "W3si", "eyJ"].contains { text.starts(with: $0.utf8) }
  }
}
