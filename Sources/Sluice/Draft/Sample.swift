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

/// A place in a sample of a feed's data, and what was seen there.
struct SamplePlace {
  /// The way to it.
  let path: Path
  let parent: Int
  var children: [Path.Step: Int] = [:]
  /// In the order in which they were first met.
  var childOrder: [Int] = []
  /// Siblings with a list or an object that came before it in some object.
  var after: Set<Int> = []

  /// Of a list: its elements of all kinds, in all lists here.
  var elements = 0
  /// Objects, and lists.
  var objects = 0
  var lists = 0
  /// Values that are there and not blank, by kind.
  var strings = 0
  var numbers = 0
  var flags = 0
  /// Of these, the ones that could be read as something.
  var integers = 0
  var days = 0
  var instants = 0
  var periods = 0
  var flagWords = 0
  var unixSeconds = 0
  var unixMilliseconds = 0
  /// The first value, and the longest one's length in bytes.
  var example = ""
  var longest = 0
  /// The first value that is no day, the first that is no instant, and texts that are no period.
  var noDay: Misfit?
  var noInstant: Misfit?
  var noPeriods: [Misfit] = []
  /// Different values, as far as they are counted.
  var distinct: Set<String> = []

  static let distinctLimit = 5000

  /// A text, and the element of the list around it that it was first met in, counted from 1.
  struct Misfit {
    let text: String
    let record: Int
    /// Folded, where such texts are counted.
    var key: ContiguousArray<UInt8> = []
    var count = 1
  }

  init(path: Path, parent: Int) {
    self.path = path
    self.parent = parent
  }

  var values: Int { strings + numbers + flags }
  /// No value was there twice, and all were counted.
  var isUnique: Bool { values == distinct.count && values < Self.distinctLimit }

  /// Words of keys under which numbers may be points in time.
  private static let timeWords: Set<Substring> = [
    "at", "date", "datetime", "dt", "epoch", "time", "timestamp", "ts", "unixtime", "vremia",
  ]

  /// What the values count, where all are whole numbers of plausible times under a key that speaks
  /// of time.
  var unix: UnixTime? {
    let isTime = SketchNames.ascii(path.lastKey).split(separator: "_")
      .contains { Self.timeWords.contains($0) }
    guard isTime, values > 0 else { return nil }
    if unixSeconds == values { return .seconds }
    return unixMilliseconds == values ? .milliseconds : nil
  }

  /// Takes a string or a number of an element of the list around it.
  mutating func see(_ text: UnsafeRawBufferPointer, isNumber: Bool, in record: Int) {
    var tidy = ByteBuffer(capacity: max(1, text.count))
    WhiteSpace.appendCollapsed(text, to: &tidy)
    guard tidy.count > 0 else { return }
    let tidyText = tidy.contents
    let shown = String(decoding: tidyText.prefix(200), as: UTF8.self)
    if values == 0 { example = shown }
    longest = max(longest, tidy.count)
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

  /// Takes `true` or `false`.
  mutating func see(flag: Bool) {
    if values == 0 { example = flag ? "true" : "false" }
    flags += 1
    distinct.insert(flag ? "true" : "false")
  }
}
