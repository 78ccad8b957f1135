/// A place in a sample of a feed's data, and counts of the values there.
struct SamplePlace {
  /// The path to the place.
  let path: Path
  let parent: Int
  /// Whether the keys of its objects are data, and their values have one place.
  let hasDataKeys: Bool
  var children: [Path.Step: Int] = [:]
  /// The children in order of their first appearance.
  var childOrder: [Int] = []
  /// Siblings with a list or an object that came before this place in some object.
  var after: Set<Int> = []

  /// For the elements of a list, or the values of keys that are data: how many there are, of all
  /// kinds, in all lists and objects at this path.
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
  /// The first strings, as many as a row that is a list may have values.
  private(set) var texts: [String] = []
  /// Number of strings that are numbers.
  private(set) var quotedNumbers = 0

  private static let distinctLimit = 5000

  /// A text, and the number of its first element in the list around it, counted from 1.
  struct Misfit {
    let text: String
    let record: Int
    /// The folded text; empty if such texts are not counted.
    var key: ContiguousArray<UInt8> = []
    var count = 1
  }

  /// A value that is counted later.
  enum Held {
    case text([UInt8], isNumber: Bool)
    case flag(Bool)
  }

  /// The value of the first row, if rows are lists. It may be a heading.
  var held: Held?
  /// What the data calls the values, if rows are lists; otherwise nil.
  var heading: String?

  init(path: Path, parent: Int, hasDataKeys: Bool) {
    self.path = path
    self.parent = parent
    self.hasDataKeys = hasDataKeys
  }

  var values: Int { strings + numbers + flags }
  /// Whether no value occurred twice. False if there were too many to compare.
  var isUnique: Bool { values == distinct.count && values < Self.distinctLimit }

  /// Words in keys that suggest that numbers are points in time.
  private static let timeWords: Set<Substring> = [
    "at", "date", "datetime", "dt", "epoch", "time", "timestamp", "ts", "unixtime", "vremia",
  ]

  /// The key that says what the values are, or their heading.
  private var key: String { heading ?? path.lastKey }

  /// The unit of the values, if all are whole numbers of plausible times and the key has a word for
  /// time; otherwise nil. The first values of rows without headings need no such word.
  var unix: UnixTime? {
    let isFirst = heading == nil && path.steps.last == .element(0)
    let isTime = DraftNames.ascii(key).split(separator: "_")
      .contains { Self.timeWords.contains($0) }
    guard isTime || isFirst, values > 0 else { return nil }
    if unixSeconds == values { return .seconds }
    return unixMilliseconds == values ? .milliseconds : nil
  }

  /// How all values are read, if not in the usual forms of a kind.
  var reading: FeedDraft.Reading? {
    flags == 0 && unix == nil ? forms.reading(key: key) : nil
  }

  /// Counts a string or a number. `record` is the number of its element in the list around it.
  mutating func see(
    _ text: UnsafeRawBufferPointer, isNumber: Bool, in record: Int, isFirst: Bool = false
  ) {
    var tidy = ByteBuffer(capacity: max(1, text.count))
    WhiteSpace.appendCollapsed(text, to: &tidy)
    guard tidy.count > 0 else { return }
    let tidyText = tidy.contents
    let shown = String(decoding: tidyText.prefix(200), as: UTF8.self)
    if values == 0 || isFirst { example = shown }
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
    if texts.count < SampleTree.widest { texts.append(shown) }
    if DecimalText.isNumber(tidyText) { quotedNumbers += 1 }
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

  /// Counts the value of the first row.
  mutating func seeHeld() {
    let first = held.take()
    switch first {
    case .text(let text, let isNumber):
      text.withUnsafeBytes { see($0, isNumber: isNumber, in: 1, isFirst: true) }
    case .flag(let flag): see(flag: flag)
    case nil: break
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
