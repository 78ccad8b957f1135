import Testing

@testable import Sluice

/// The first format of a rule, in which most texts are read.
@Suite struct FirstFormatTests {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let russianMonths = [
    "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября",
    "октября", "ноября", "декабря",
  ]
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// A random time, and its parts as they are written.
  private struct Sample {
    let day: Day
    let (hour, minute, second, offset): (Int, Int, Int, Int)

    init(_ generator: inout SeededGenerator) {
      day = Day(number: .random(in: 11_000...21_000, using: &generator))
      hour = .random(in: 0...23, using: &generator)
      minute = .random(in: 0...59, using: &generator)
      second = .random(in: 0...59, using: &generator)
      offset = generator.pick([0, 0, 180, -210, 345, 840, -720])
    }

    func text(_ parts: [String]) -> String {
      let (year, month, date) = day.parts
      let half = hour % 12 == 0 ? 12 : hour % 12
      let sign = offset < 0 ? "-" : "+"
      let (hours, minutes) = (two(abs(offset) / 60), two(abs(offset) % 60))
      let all = [
        "yyyy": "\(year)", "yy": two(year % 100), "MM": two(month), "M": "\(month)",
        "MMM": months[month - 1], "MMMM": russianMonths[month - 1], "dd": two(date), "d": "\(date)",
        "EEE": weekdays[(Int(day.number) + 3) % 7], "HH": two(hour), "H": "\(hour)",
        "hh": two(half), "mm": two(minute), "ss": two(second), "a": hour < 12 ? "AM" : "pm",
        "Z": "\(sign)\(hours)\(minutes)", "XXX": "\(sign)\(hours):\(minutes)", "z": "GMT",
      ]
      return parts.map { all[$0] ?? $0 }.joined()
    }

    /// The instant in UTC, of a text with an offset or without one.
    func instant(hasOffset: Bool, hasSeconds: Bool) -> String {
      let seconds =
        Int(day.number) * 86_400 + (hour * 60 + minute) * 60 + (hasSeconds ? second : 0)
        - (hasOffset ? offset * 60 : 0)
      let (number, time) = (seconds / 86_400, seconds % 86_400)
      let day = Day(number: Int32(number))
      return "\(day)T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))Z"
    }
  }

  private static func run(_ column: String, _ texts: [String]) throws
    -> (rows: [String], rejects: Int)
  {
    let feed = try OwnFeed.read(
      """
      feed: own
      clock: UTC
      rows: "[]"
      columns: {t: {\(column)}}
      """)
    let json = "[" + texts.map { #"{"t":"\#($0)"}"# }.joined(separator: ",") + "]"
    let result = FeedRun(feed: feed)(json + String(repeating: " ", count: 64))
    return (result.rows, result.rejects.count)
  }

  /// Formats by their parts.
  private static let instants: [[String]] = [
    ["EEE", " ", "MMM", " ", "dd", " ", "HH", ":", "mm", ":", "ss", " ", "Z", " ", "yyyy"],
    ["EEE", ", ", "d", " ", "MMM", " ", "yyyy", " ", "HH", ":", "mm", ":", "ss", " ", "Z"],
    ["MM", "/", "dd", "/", "yyyy", " ", "hh", ":", "mm", ":", "ss", " ", "a"],
    ["d", ".", "M", ".", "yy", " ", "H", ":", "mm"],
    ["dd", ".", "MM", ".", "yyyy", " ", "HH", ":", "mm"],
    ["dd", "-", "MM", "-", "yyyy", " ", "HH", ":", "mm", ":", "ss"],
    ["yyyy", "-", "MM", "-", "dd", " ", "HH", ":", "mm", ":", "ss", " ", "Z"],
    ["d", " ", "MMMM", " ", "yyyy", " г., ", "HH", ":", "mm"],
    ["yyyy", "MM", "dd", "HH", "mm", "ss", "XXX"],
    ["EEE", ", ", "dd", "-", "MMM", "-", "yyyy", " ", "HH", ":", "mm", ":", "ss", " ", "z"],
    // Longer than what is read in a short way.
    [
      "EEE", " ", "MMM", " ", "dd", " ", "yyyy", " ", "HH", ":", "mm", ":", "ss", " ", "(", "-",
      "-", "-", "-", "-", "-", "-", "-", ")", " ", "Z",
    ],
  ]

  @Test(arguments: instants)
  func `instants one after the other`(parts: [String]) throws {
    var generator = SeededGenerator(seed: 5)
    let samples = (0..<600).map { _ in Sample(&generator) }
    let format = parts.map { $0 == " г., " ? " 'г., '" : $0 }.joined()
    let (rows, rejects) = try Self.run(
      "kind: instant, format: \"\(format)\", names: [en, ru], years: 1999-2098",
      samples.map { $0.text(parts) })
    let expected = samples.map {
      $0.instant(
        hasOffset: parts.contains("Z") || parts.contains("XXX"),
        hasSeconds: parts.contains("ss"))
    }
    #expect(rejects == 0)
    #expect(rows == expected)
  }

  @Test func `days and times of day one after the other`() throws {
    var generator = SeededGenerator(seed: 6)
    let samples = (0..<300).map { _ in Sample(&generator) }
    let days = try Self.run(
      "kind: day, format: EEE d MMM yyyy",
      samples.map { $0.text(["EEE", " ", "d", " ", "MMM", " ", "yyyy"]) })
    #expect(days.rows == samples.map { "\($0.day)" })
    let times = try Self.run(
      "kind: time, format: \"hh:mm a\"", samples.map { $0.text(["hh", ":", "mm", " ", "a"]) })
    #expect(times.rows == samples.map { "\(two($0.hour)):\(two($0.minute))" })
  }

  @Test func `what does not fit the first format is read in another, or rejected`() throws {
    let texts = [
      "05 Jan 2026", "5.1.2026", "06 jan. 2026", "06 Juni 2026", "31 Feb 2026", " 07 Jan 2026 ",
      "07  Jan 2026", "08 JANUARY 2026", "9.1.2026", "10 Jan 2026 ",
    ]
    let (rows, rejects) = try Self.run("kind: day, format: [dd MMM yyyy, d.M.yyyy]", texts)
    #expect(
      rows == [
        "2026-01-05", "2026-01-05", "2026-01-06", "2026-01-07", "2026-01-07", "2026-01-08",
        "2026-01-09", "2026-01-10",
      ])
    #expect(rejects == 2)
  }

  private func describe(_ written: WrittenInstant) -> String {
    "\(written.day) \(written.time) \(written.isLeapSecond) \(written.hasTime) "
      + "\(String(describing: written.offset)) \(written.fraction)"
  }

  /// Texts that nearly fit: numbers too large or of other widths, other signs.
  @Test(arguments: [
    "dd.MM.yyyy", "d.M.y", "dd/MM/yy", "MM-dd-yyyy", "yyyyMMdd", "yyyy-MM-dd HH:mm:ss",
    "d. M. yyyy, H:mm", "'am 'd.M.yyyy", "MM/dd/yyyy H:m:s", "HH:mm:ssdd.MM.yyyy", "yyyy-MM-ddHH",
  ])
  func `what is read is what the steps one by one read`(format: String) throws {
    var rule = TimeRule()
    let formats = [try TimeFormat(format, for: .dayOfInstant)]
    rule.source = .formats(formats)
    rule.firstYear = 1970
    let first = FirstFormat(rule)
    try #require(first.count > 0)
    var generator = SeededGenerator(seed: 3)
    var (found, missed) = (0, 0)
    for _ in 0..<4000 {
      var text = ""
      var letters = Substring(format.replacing("'am '", with: "@"))
      while let letter = letters.first {
        let count = letters.prefix { $0 == letter }.count
        letters = letters.dropFirst(count)
        let most = letter == "y" ? 2030 : letter == "M" ? 13 : letter == "d" ? 31 : 61
        let number = Int.random(in: 0...most, using: &generator)
        let usual = Int.random(in: 0...9, using: &generator) > 0
        switch letter {
        case "@": text += "am "
        case "y", "M", "d", "H", "m", "s":
          let width = usual ? count : count + Int.random(in: 0...2, using: &generator) - 1
          let all = String(number % (count == 2 ? 100 : 10_000))
          text += String(repeating: "0", count: max(0, width - all.count)) + all
        default: text += usual ? String(letter) : generator.pick(["", "  ", ".", " "])
        }
      }
      let bytes = Array(text.utf8)
      let quick = bytes.withUnsafeBytes { first.read($0, .none) }
      let slow = bytes.withUnsafeBytes { try? FormatReader.read($0, formats, rule).get() }
      guard let quick else {
        missed += 1
        continue
      }
      found += 1
      #expect(slow.map(describe) == describe(quick), "\(text)")
    }
    #expect(found > 100, "\(format)")
    #expect(missed > 100, "\(format)")
  }

  @Test func `a rule without a format, and one of many steps, have none`() throws {
    #expect(FirstFormat(nil).count == 0)
    #expect(FirstFormat(TimeRule()).count == 0)
    var rule = TimeRule()
    rule.source = .formats([try TimeFormat("d.M.y" + String(repeating: "-", count: 20), for: .day)])
    #expect(FirstFormat(rule).count == 0)
  }
}

private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
