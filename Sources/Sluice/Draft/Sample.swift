/// Reads a sample of a feed's data, and notes which values are where and what kinds they could be.
struct SampleReader: TokenStage, ~Copyable {
  private let tree: SampleTree
  /// An open list or object.
  private struct Around {
    let place: Int
    let isArray: Bool
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
      let name = text.withUnsafeBytes { Self.name($0) }
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
    // A null is an element of a list too.
    case .null: _ = valuePlace
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

  private var valuePlace: Int {
    guard let innermost = open.last else { return 0 }
    return innermost.isArray ? tree.child(.each, of: innermost.place) : pending
  }
}

/// The places of a sample. Place 0 is the document's value, and -1 is a place that is not kept.
final class SampleTree {
  /// The most places that are kept: a document that uses values as keys would have no end of them.
  private static let limit = 500
  private(set) var places = [SamplePlace(path: Path([]), parent: -1)]
  /// The first long text that may be base64 of an archive or of JSON.
  private(set) var payload: Int?
  /// The values beside the payload, by their places.
  var payloadSiblings: [Int: String] = [:]

  /// Returns the place after a step from `place`, adding it if it is new; -1 if it is not kept.
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
      UTF8Encoding.prefix(text, 64 << 10), isNumber: isNumber,
      in: element(around: place))
  }

  /// Returns the number, from 1, of the current element of the list around a place; 0 if there is
  /// no list.
  private func element(around place: Int) -> Int {
    var place = place
    while place >= 0, places[place].path.steps.last != .each { place = places[place].parent }
    return place < 0 ? 0 : places[place].elements
  }

  func see(flag: Bool, at place: Int) {
    if place >= 0 { places[place].see(flag: flag) }
  }

  /// Returns whether the text begins like base64 of a zip, of `[{` or of `{"`.
  private static func isPayload(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count >= 40 && ["UEsDB", "W3si", "eyJ"].contains { text.starts(with: $0.utf8) }
  }
}

/// A place in a sample of a feed's data, and counts of the values there.
struct SamplePlace {
  /// The path to the place.
  let path: Path
  let parent: Int
  var children: [Path.Step: Int] = [:]
  /// The children in order of their first appearance.
  var childOrder: [Int] = []
  /// Siblings with a list or an object that came before this place in some object.
  var after: Set<Int> = []

  /// For the elements of a list: how many there are, of all kinds, in all lists at this path.
  var elements = 0
  /// Number of objects, and of lists.
  var objects = 0
  var lists = 0
  /// Number of values that are not null or blank, by kind.
  var strings = 0
  var numbers = 0
  var flags = 0
  /// Number of these values that could be read as each kind.
  var integers = 0
  var days = 0
  var instants = 0
  var periods = 0
  var flagWords = 0
  private var unixSeconds = 0
  private var unixMilliseconds = 0
  /// The first value, and the length of the longest one in bytes.
  var example = ""
  var longest = 0
  /// The first value that is not a day, the first that is not an instant, and the texts that are
  /// not periods.
  var noDay: Misfit?
  var noInstant: Misfit?
  var noPeriods: [Misfit] = []
  /// The forms of days and times that all values have.
  private var forms = SampleForms()
  /// The different values, up to ``distinctLimit``.
  var distinct: Set<String> = []

  private static let distinctLimit = 5000

  /// A text, and the number of its first element in the list around it, counted from 1.
  struct Misfit {
    let text: String
    let record: Int
    /// The folded text; empty if such texts are not counted.
    var key: ContiguousArray<UInt8> = []
    var count = 1
  }

  init(path: Path, parent: Int) {
    self.path = path
    self.parent = parent
  }

  var values: Int { strings + numbers + flags }
  /// Whether no value occurred twice. False if there were too many to compare.
  var isUnique: Bool { values == distinct.count && values < Self.distinctLimit }

  /// Words in keys that suggest that numbers are points in time.
  private static let timeWords: Set<Substring> = [
    "at", "date", "datetime", "dt", "epoch", "time", "timestamp", "ts", "unixtime", "vremia",
  ]

  /// The unit of the values, if all are whole numbers of plausible times and the key has a word for
  /// time; otherwise nil.
  var unix: UnixTime? {
    let isTime = DraftNames.ascii(path.lastKey).split(separator: "_")
      .contains { Self.timeWords.contains($0) }
    guard isTime, values > 0 else { return nil }
    if unixSeconds == values { return .seconds }
    return unixMilliseconds == values ? .milliseconds : nil
  }

  /// How all values are read, if not in the usual forms of a kind.
  var reading: FeedDraft.Reading? {
    flags == 0 && unix == nil ? forms.reading(key: path.lastKey) : nil
  }

  /// Counts a string or a number. `record` is the number of its element in the list around it.
  mutating func see(_ text: UnsafeRawBufferPointer, isNumber: Bool, in record: Int) {
    var tidy = ByteBuffer(capacity: max(1, text.count))
    WhiteSpace.appendCollapsed(text, to: &tidy)
    guard tidy.count > 0 else { return }
    let tidyText = tidy.contents
    let shown = String(decoding: tidyText.prefix(200), as: UTF8.self)
    if values == 0 { example = shown }
    longest = max(longest, tidy.count)
    forms.see(tidyText)
    if distinct.count < Self.distinctLimit { distinct.insert(shown) }
    let misfit = Misfit(text: shown, record: record)
    if isNumber {
      numbers += 1
      noteNoPeriod(misfit)
      if noDay == nil { noDay = misfit }
      if noInstant == nil { noInstant = misfit }
      if DecimalText.isInteger(tidyText) {
        integers += 1
        if let number = Int(shown) {
          if UnixTime.seconds.isPlausible(number) { unixSeconds += 1 }
          if UnixTime.milliseconds.isPlausible(number) { unixMilliseconds += 1 }
        }
      }
      return
    }
    strings += 1
    if case .success = PeriodParser.day(tidyText) {
      days += 1
    } else if noDay == nil {
      noDay = misfit
    }
    var written = ByteBuffer(capacity: 64)
    if case .success = InstantParser.parse(tidyText, into: &written) {
      instants += 1
    } else if noInstant == nil {
      noInstant = misfit
    }
    var read: ContiguousArray<Period> = []
    if PeriodParser.parse(tidyText, into: &read) == nil {
      periods += 1
    } else {
      noteNoPeriod(misfit)
    }
    var word = ByteBuffer(capacity: 32)
    word.append(tidyText)
    FlagText.tidy(&word, from: 0)
    if FlagText.isFlag(word.contents) { flagWords += 1 }
  }

  private mutating func noteNoPeriod(_ misfit: Misfit) {
    var misfit = misfit
    misfit.key = Fold.key(misfit.text)
    if let index = noPeriods.firstIndex(where: { $0.key == misfit.key }) {
      noPeriods[index].count += 1
    } else if noPeriods.count < 8 {
      noPeriods.append(misfit)
    }
  }

  /// Counts `true` or `false`.
  mutating func see(flag: Bool) {
    if values == 0 { example = flag ? "true" : "false" }
    flags += 1
    distinct.insert(flag ? "true" : "false")
  }
}

extension Path {
  /// The longest key and the longest path in bytes that a draft has. Nobody reads longer ones.
  static let longestDraft = 200

  /// Whether a document can have this path, and a reader finds the same place by it.
  var isWritable: Bool {
    // As the first key it leads to the data of a request, and `[2]` to an element.
    guard steps.count <= Limits.depth, steps.first != .key(Joined.requestRoot) else { return false }
    var length = 0
    for case .key(let key) in steps {
      length += key.utf8.count
      guard length <= Self.longestDraft, key != "$", DocumentPath.bracketed(key) == nil,
        Self.isWritable(key)
      else { return false }
    }
    return true
  }

  /// Whether a document can have this text: it has no character that YAML does not allow.
  static func isWritable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case ..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
      case 0x10000...:
        ![.format, .privateUse, .unassigned].contains(scalar.properties.generalCategory)
      default: true
      }
    }
  }
}
