/// The forms of days and times that all values of a place in a sample have.
///
///     05/01/2026, 19/01/2026     dd/MM/yyyy: there is no month 19
///     05/01/2026, 06/01/2026     dd/MM/yyyy or MM/dd/yyyy: nobody but the publisher knows
struct SampleForms {
  /// A way in which values may be written.
  private struct Candidate {
    let format: TimeFormat
    let rule: TimeRule
    /// The language of its names; nil if it has none.
    let language: String?
    /// Formats of one order read the same day of each text.
    let order: Order
  }

  /// The order of a day's parts.
  private enum Order { case dayFirst, monthFirst, yearFirst, named }

  /// The forms of days. Of several of one order the first is taken, which says more.
  private static let days: [Candidate] = {
    var all: [Candidate] = []
    func add(_ text: String, _ order: Order, names: TimeNames = .none) {
      let language = names.languages.first
      // "5. Jan" is not English, although its names would do.
      if language == "en", text.firstPlace(of: "d.") != nil { return }
      var rule = TimeRule()
      rule.names = names
      guard let format = try? TimeFormat(text, for: .day) else { return }
      all.append(Candidate(format: format, rule: rule, language: language, order: order))
    }
    for time in ["", " HH:mm", " HH:mm:ss"] {
      for sign in ["/", "-"] {
        add("dd\(sign)MM\(sign)yyyy\(time)", .dayFirst)
        add("d\(sign)M\(sign)yyyy\(time)", .dayFirst)
        add("MM\(sign)dd\(sign)yyyy\(time)", .monthFirst)
        add("M\(sign)d\(sign)yyyy\(time)", .monthFirst)
      }
      if !time.isEmpty { add("d.M.yyyy\(time)", .dayFirst) }
      for text in ["yyyy/MM/dd", "yyyy/M/d", "yyyy.MM.dd"] { add(text + time, .yearFirst) }
    }
    add(digits, .yearFirst)
    for language in TimeNames.languages {
      let names = TimeNames(of: [language])
      let comma = ["d MMM yyyy", "d. MMM yyyy", "MMM d, yyyy", "do MMM yyyy"]
      for text in comma { add(text, .named, names: names) }
      for text in comma + ["MMM do, yyyy"] {
        add("EEE, \(text)", .named, names: names)
        add("EEE \(text)", .named, names: names)
      }
      for text in ["d-MMM-yyyy", "MMM do, yyyy", "d 'de' MMM 'de' yyyy"] {
        add(text, .named, names: names)
      }
    }
    return all
  }()

  /// A day of digits alone.
  private static let digits = "yyyyMMdd"

  /// Words in keys that suggest that digits are a day, or a time of day.
  private static let dayWords: Set<Substring> = [
    "date", "day", "dt", "datum", "data", "dato", "fecha", "jour", "den", "dnia", "tag",
  ]
  private static let timeWords: Set<Substring> = [
    "time", "zeit", "uhrzeit", "heure", "hora", "tijd", "vremia",
  ]

  /// The indexes of the forms of days that fit all values so far; nil before the first.
  private var open: [Int]?
  /// Whether all values so far are local times, and times of day with a colon, with half days, or
  /// of three or four digits.
  private var areLocal = true
  private var areTimes = true
  private var areHalves = true
  private var areDigits = true

  /// Notes a value without white space around it.
  mutating func see(_ text: UnsafeRawBufferPointer) {
    guard open == nil || open?.isEmpty == false || areLocal || areTimes || areHalves || areDigits
    else { return }
    open = (open ?? Array(Self.days.indices)).filter { Self.fits(text, Self.days[$0]) }
    if areLocal { areLocal = Self.isLocal(text) }
    let isTime = TimeOfDay.parse(text) != nil
    let hasColon = text.contains(UInt8(ascii: ":"))
    if areTimes { areTimes = isTime && hasColon }
    if areDigits { areDigits = isTime && !hasColon }
    if areHalves, let format = Self.half {
      var rule = TimeRule()
      rule.names = Self.english
      areHalves = (try? FormatReader.read(text, [format], rule).get()) != nil
    }
  }

  private static let half = try? TimeFormat("h:mm a", for: .time)
  private static let english = TimeNames(of: ["en"])

  private static func fits(_ text: UnsafeRawBufferPointer, _ candidate: Candidate) -> Bool {
    guard let read = try? FormatReader.read(text, [candidate.format], candidate.rule).get() else {
      return false
    }
    return 1900..<2200 ~= read.day.parts.year
  }

  private static func isLocal(_ text: UnsafeRawBufferPointer) -> Bool {
    guard case .success(let written) = InstantParser.parse(text) else { return false }
    return written.offset == nil
  }

  // MARK: What they suggest

  /// Returns how a column of such values is read; nil if nothing fits. `key` is their key: digits
  /// alone are days or times only if it says so.
  func reading(key: String) -> FeedDraft.Reading? {
    guard let open else { return nil }
    let words = Set(DraftNames.ascii(key).split(separator: "_"))
    let isDay = !words.isDisjoint(with: Self.dayWords)
    let candidates = open.map { Self.days[$0] }.filter { isDay || $0.format.text != Self.digits }
    if let first = candidates.first {
      let orders = candidates.filter { $0.order == .dayFirst || $0.order == .monthFirst }
      if let other = orders.first(where: { $0.order != first.order }) {
        return .either(first.format.text, other.format.text)
      }
      return .day(format: first.format.text, names: first.language)
    }
    if areTimes { return .time(format: nil) }
    if areHalves { return .time(format: Self.half?.text) }
    if areDigits, !words.isDisjoint(with: Self.timeWords) { return .time(format: nil) }
    return areLocal ? .local : nil
  }
}

extension FeedDraft {
  /// How the values of a column are read, if not in the usual forms of its kind.
  package enum Reading: Equatable, Sendable {
    /// Days in a format, with names in a language.
    case day(format: String, names: String?)
    /// Times of day, in a format or in the usual forms.
    case time(format: String?)
    /// Local times, whose days are read.
    case local
    /// Days in one of two formats, so that the column is a text.
    case either(String, String)

    /// The kind of such a column.
    var kind: FieldKind {
      switch self {
      case .day, .local: .day
      case .time: .time
      case .either: .text
      }
    }
  }
}
