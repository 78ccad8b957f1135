/// How a text writes a day, a time of day or both: in the letters of Unicode TR35 (UTS #35, part 4,
/// "Date Field Symbols"), read once into steps.
///
///     d. MMMM yyyy     day ─ "." ─ blank ─ month's name ─ blank ─ year of four digits
///     Hmm              hour ─ minute: 850 is 8:50, since the minute has two digits
///
/// One letter is a number without a fixed width; two and more are that many digits. A blank stands
/// for any white space. Whatever is no letter stands for itself, and so do words in `'quotes'`.
package struct TimeFormat: Sendable, Equatable {
  /// A number in a text.
  enum Number: UInt8, Sendable, BitwiseCopyable {
    case year, month, day
    /// Hours of 0 to 24, of 1 to 24, of 1 to 12 and of 0 to 11: the letters H, k, h and K.
    case hour, hourFromOne, halfHour, halfHourFromZero
    case minute, second
  }

  /// A step of reading.
  enum Step: Sendable, Equatable, BitwiseCopyable {
    /// This byte.
    case byte(UInt8)
    /// White space.
    case blank
    /// A number of `least` to `most` digits. The `after` digits that follow belong to other
    /// numbers.
    case number(Number, least: Int8, most: Int8, after: Int8)
    /// A year of two digits.
    case shortYear
    /// A name, with its dot if it is short and the format has none after it.
    case name(TimeNames.Kind, takesDot: Bool)
    /// A day of the month with the ending of an ordinal number.
    case ordinal
    /// Digits after the seconds' decimal sign: this many, or any number if 0.
    case fraction(Int8)
    /// An offset from UTC.
    case offset(Offset)
    /// The name of UTC: GMT, UTC, UT or Z.
    case utc
    // What a FirstFormat reads at once.
    /// `HH:mm:ss`.
    case timeOfDay
    /// `yyyy-MM-dd`.
    case date
    /// `dd.MM.yyyy` or `MM.dd.yyyy`, with this sign for the dots.
    case dateOfSign(UInt8, isMonthFirst: Bool)
  }

  /// The form of an offset from UTC.
  struct Offset: Sendable, Equatable, BitwiseCopyable {
    /// Whether `Z` stands for UTC.
    var takesZ: Bool
    /// Whether minutes must follow, or need not.
    var minutes: Presence
    /// Whether a colon is before the minutes.
    var hasColon: Bool
    enum Presence: UInt8, BitwiseCopyable { case must, may }
  }

  /// What is read in a format.
  package enum Use: Sendable {
    case day, instant, time
    /// The day of an instant. The time may be missing.
    case dayOfInstant
  }

  /// The text in the document.
  package let text: String
  let steps: ContiguousArray<Step>
  /// Whether it has a year of two digits.
  let hasShortYear: Bool
  /// Whether it has names or ordinal numbers.
  let hasWords: Bool

  /// The longest format in bytes.
  static let longest = 200

  /// Reads a format. Throws ``FeedDocumentFault/FormatFlaw`` in a ``Fault``.
  init(_ text: String, for use: Use) throws(Fault) {
    self.text = text
    guard text.utf8.count <= Self.longest else { throw Fault(.tooLong(limit: Self.longest)) }
    var compiler = FormatCompiler(use)
    try compiler.read(Array(text.utf8))
    steps = ContiguousArray(compiler.steps)
    hasShortYear = compiler.steps.contains(.shortYear)
    hasWords = compiler.steps.contains { step in
      switch step {
      case .name, .ordinal: true
      default: false
      }
    }
  }

  /// The reason why a text is not a format.
  struct Fault: Error {
    let flaw: FeedDocumentFault.FormatFlaw
    init(_ flaw: FeedDocumentFault.FormatFlaw) { self.flaw = flaw }
  }
}

/// The first format of a rule, in which each row is read. It needs no memory of its own.
struct FirstFormat: BitwiseCopyable {
  /// Its steps, and room for more.
  private(set) var steps = InlineArray<20, TimeFormat.Step>(repeating: .blank)
  /// The number of its steps. If it is 0 there is no format, or one that has more.
  private(set) var count = 0
  /// The first of the hundred years that two digits may mean; nil if there are none.
  private(set) var firstYear: Int?

  /// Steps that are read at once, and the one that stands for them.
  private static let together: [(steps: [TimeFormat.Step], whole: TimeFormat.Step)] = {
    func number(_ number: TimeFormat.Number, _ width: Int8 = 2) -> TimeFormat.Step {
      .number(number, least: width, most: width, after: 0)
    }
    func steps(_ numbers: [TimeFormat.Step], _ sign: UInt8) -> [TimeFormat.Step] {
      [numbers[0], .byte(sign), numbers[1], .byte(sign), numbers[2]]
    }
    let (colon, minus) = (UInt8(ascii: ":"), UInt8(ascii: "-"))
    let (year, month, day) = (number(.year, 4), number(.month), number(.day))
    var together: [(steps: [TimeFormat.Step], whole: TimeFormat.Step)] = [
      (steps([number(.hour), number(.minute), number(.second)], colon), .timeOfDay),
      (steps([year, month, day], minus), .date),
    ]
    for sign in "./-".utf8 {
      together += [
        (steps([day, month, year], sign), .dateOfSign(sign, isMonthFirst: false)),
        (steps([month, day, year], sign), .dateOfSign(sign, isMonthFirst: true)),
      ]
    }
    return together
  }()

  init(_ rule: TimeRule?) {
    guard let rule, case .formats(let formats) = rule.source, let format = formats.first else {
      return
    }
    firstYear = rule.firstYear
    var rest = format.steps[...]
    while let step = rest.first {
      guard count < steps.count else {
        count = 0
        return
      }
      let known = Self.together.first { rest.starts(with: $0.steps) }
      steps[count] = known?.whole ?? step
      rest = rest.dropFirst(known?.steps.count ?? 1)
      count += 1
    }
  }
}

/// Reads the letters of one format.
private struct FormatCompiler {
  private typealias Flaw = FeedDocumentFault.FormatFlaw
  private typealias Step = TimeFormat.Step

  /// A part of a time. Each may be in a format once.
  private enum Part: String {
    case year, month, day, weekday, hour, half, minute, second, fraction, offset
  }

  private let use: TimeFormat.Use
  private(set) var steps: [TimeFormat.Step] = []
  private var parts: Set<Part> = []
  private var isHalfHour = false

  init(_ use: TimeFormat.Use) { self.use = use }

  private static let ofDays = ["y", "M", "L", "d", "do", "E"]
  private static let ofTimes = ["H", "h", "k", "K", "m", "s", "S", "a"]
  private static let ofOffsets = ["X", "x", "Z", "z"]

  private var letters: [String] {
    use == .time ? Self.ofTimes : Self.ofDays + Self.ofTimes + Self.ofOffsets
  }

  mutating func read(_ text: [UInt8]) throws(TimeFormat.Fault) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "'") {
        index = try readQuoted(text, index)
      } else if (byte | 0x20) &- UInt8(ascii: "a") < 26 {
        var end = index
        while end < text.count, text[end] == byte { end += 1 }
        if byte == UInt8(ascii: "d"), end < text.count, text[end] == UInt8(ascii: "o") { end += 1 }
        try readLetters(String(decoding: text[index..<end], as: UTF8.self))
        index = end
      } else {
        index += readLiteral(text, index)
      }
    }
    if steps.last == .blank { steps.removeLast() }
    guard !steps.isEmpty else { throw TimeFormat.Fault(.empty) }
    try checkParts()
    try setWidths(String(decoding: text, as: UTF8.self))
    setDots()
  }

  /// Reads the words in quotes at an index. Two quotes are one. Returns the index after them.
  private mutating func readQuoted(_ text: [UInt8], _ start: Int) throws(TimeFormat.Fault) -> Int {
    let quote = UInt8(ascii: "'")
    var index = start + 1
    if index < text.count, text[index] == quote {
      steps.append(.byte(quote))
      return index + 1
    }
    while index < text.count {
      if text[index] == quote {
        guard index + 1 < text.count, text[index + 1] == quote else { return index + 1 }
        steps.append(.byte(quote))
        index += 2
      } else {
        index += readLiteral(text, index)
      }
    }
    throw TimeFormat.Fault(.openQuote)
  }

  /// Adds a byte, or white space. Returns its length.
  private mutating func readLiteral(_ text: [UInt8], _ index: Int) -> Int {
    let space = text.withUnsafeBytes { WhiteSpace.length(in: $0, at: index) }
    guard space > 0 else {
      steps.append(.byte(text[index]))
      return 1
    }
    if let last = steps.last, last != .blank { steps.append(.blank) }
    return space
  }

  /// Adds the step of some equal letters.
  private mutating func readLetters(_ word: String) throws(TimeFormat.Fault) {
    let count = word.utf8.count
    let letter = word.hasSuffix("o") ? word : String(word.prefix(1))
    // The letters that mean nearly the same as one of the list.
    let listed = letter == "e" || letter == "c" ? "E" : letter
    guard letters.contains(listed) else {
      throw TimeFormat.Fault(.letter(letter, allowed: letters))
    }
    func width(_ allowed: [Int]) throws(TimeFormat.Fault) {
      guard allowed.contains(count) else {
        throw TimeFormat.Fault(
          .width(word, allowed: allowed.map { String(repeating: letter, count: $0) }))
      }
    }
    func number(_ number: TimeFormat.Number, widths: [Int] = [1, 2]) throws(TimeFormat.Fault)
      -> Step
    {
      try width(widths)
      let most = widths.last ?? 2
      return .number(
        number, least: Int8(count), most: Int8(count == 1 ? most : count), after: 0)
    }
    let step: Step
    let part: Part
    switch letter {
    case "y":
      step = count == 2 ? .shortYear : try number(.year, widths: [1, 2, 4])
      part = .year
    case "M", "L":
      try width([1, 2, 3, 4])
      step = count > 2 ? .name(.month, takesDot: true) : try number(.month)
      part = .month
    case "d": (step, part) = (try number(.day), .day)
    case "do": (step, part) = (.ordinal, .day)
    case "E":
      try width([1, 2, 3, 4, 6])
      (step, part) = (.name(.weekday, takesDot: true), .weekday)
    case "e", "c":
      try width([3, 4, 6])
      (step, part) = (.name(.weekday, takesDot: true), .weekday)
    case "H": (step, part) = (try number(.hour), .hour)
    case "k": (step, part) = (try number(.hourFromOne), .hour)
    case "h": (step, part) = (try number(.halfHour), .hour)
    case "K": (step, part) = (try number(.halfHourFromZero), .hour)
    case "m": (step, part) = (try number(.minute), .minute)
    case "s": (step, part) = (try number(.second), .second)
    case "S":
      try width(Array(1...9))
      (step, part) = (.fraction(count == 1 ? 0 : Int8(count)), .fraction)
    case "a":
      try width([1, 2, 3])
      (step, part) = (.name(.half, takesDot: true), .half)
    case "z":
      try width([1, 2, 3])
      (step, part) = (.utc, .offset)
    default:
      try width(letter == "Z" ? [1, 2, 3, 5] : [1, 2, 3])
      let isLong = count == (letter == "Z" ? 5 : 3)
      step = .offset(
        TimeFormat.Offset(
          takesZ: letter == "X" || letter == "Z" && isLong,
          minutes: count == 1 && letter != "Z" ? .may : .must, hasColon: isLong))
      part = .offset
    }
    guard parts.insert(part).inserted else { throw TimeFormat.Fault(.twice(word)) }
    if letter == "h" || letter == "K" { isHalfHour = true }
    steps.append(step)
  }

  /// Checks that all parts are there that a time of this use needs.
  private func checkParts() throws(TimeFormat.Fault) {
    func need(_ part: Part, _ letter: String) throws(TimeFormat.Fault) {
      if !parts.contains(part) { throw TimeFormat.Fault(.without(letter)) }
    }
    if use != .time {
      try need(.year, "y")
      try need(.month, "M")
      try need(.day, "d")
    }
    let hasTime = !parts.isDisjoint(with: [.half, .minute, .second, .fraction])
    if use == .time || use == .instant || hasTime { try need(.hour, "H") }
    if isHalfHour { try need(.half, "a") }
    if parts.contains(.second) { try need(.minute, "m") }
    if parts.contains(.fraction) { try need(.second, "s") }
  }

  /// Tells each number how many digits of those after it belong to other numbers.
  private mutating func setWidths(_ text: String) throws(TimeFormat.Fault) {
    var after = 0
    var isOpen = false
    for index in steps.indices.reversed() {
      switch steps[index] {
      case .byte(let byte) where byte &- UInt8(ascii: "0") < 10: after += 1
      case .shortYear: after += 2
      case .number(_, let least, let most, _) where least == most: after += Int(most)
      case .number(let number, let least, let most, _):
        if isOpen { throw TimeFormat.Fault(.openWidths) }
        steps[index] = .number(number, least: least, most: most, after: Int8(clamping: after))
        isOpen = true
      case .ordinal where after > 0, .fraction(0) where after > 0:
        throw TimeFormat.Fault(.openWidths)
      case .fraction(let count) where count > 0: after += Int(count)
      case .fraction: isOpen = true
      case .byte, .blank, .name, .ordinal, .offset, .utc, .timeOfDay, .date, .dateOfSign:
        (after, isOpen) = (0, false)
      }
    }
  }

  /// A dot that the format has itself does not belong to the name before it.
  private mutating func setDots() {
    for index in steps.indices.dropLast() where steps[index + 1] == .byte(UInt8(ascii: ".")) {
      if case .name(let kind, _) = steps[index] {
        steps[index] = .name(kind, takesDot: false)
      }
    }
  }
}
