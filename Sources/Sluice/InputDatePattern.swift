/// Where the names of inputs have a day.
///
///     *-{yyyy-MM-dd}.json     hot-water-2026-01-05.json     2026-01-05
///     {yyyyMMdd}/*            20260105/feed.zip             2026-01-05
///
/// A star is any text without a slash. The letters in braces are those of a document's `format`.
/// The pattern is compared with as many parts of the path as it has itself, from the end.
package struct InputDatePattern: Sendable, Equatable {
  private let before: [UInt8]
  private let after: [UInt8]
  private let format: TimeFormat
  /// The most bytes that a day in this format has: a number may be longer than its letters.
  private let longest: Int
  /// The number of slashes in it.
  private let slashes: Int

  /// Reads a pattern. Returns nil if it has not exactly one format in braces, or if that is none of
  /// a day with a year of four digits.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let open = bytes.firstIndex(of: UInt8(ascii: "{")),
      let close = bytes.firstIndex(of: UInt8(ascii: "}")), open < close,
      !bytes[(close + 1)...].contains(UInt8(ascii: "{"))
    else { return nil }
    before = Array(bytes[..<open])
    after = Array(bytes[(close + 1)...])
    let letters = String(decoding: bytes[(open + 1)..<close], as: UTF8.self)
    guard let format = try? TimeFormat(letters, for: .day), !format.hasShortYear, !format.hasWords
    else { return nil }
    self.format = format
    longest = letters.utf8.count + 16
    slashes = (before + after).count { $0 == UInt8(ascii: "/") }
  }

  /// Returns the day in the name of an input; nil if the name does not fit.
  package func day(in path: String) -> Day? {
    let all = Array(path.utf8)
    var start = all.endIndex
    var left = slashes
    while start > 0, all[start - 1] != UInt8(ascii: "/") || left > 0 {
      if all[start - 1] == UInt8(ascii: "/") { left -= 1 }
      start -= 1
    }
    let name = all[start...]
    for begin in name.indices where Self.fits(name[..<begin], before[...]) {
      let last = min(name.endIndex, begin + longest)
      for end in (begin...last).reversed() {
        let read = Array(name[begin..<end]).withUnsafeBytes {
          FormatReader.read($0, [format], TimeRule())
        }
        if case .success(let written) = read, Self.fits(name[end...], after[...]) {
          return written.day
        }
      }
    }
    return nil
  }

  /// Whether a text fits a pattern with stars.
  private static func fits(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    guard first == UInt8(ascii: "*") else {
      return text.first == first && fits(text.dropFirst(), pattern.dropFirst())
    }
    var rest = text
    while true {
      if fits(rest, pattern.dropFirst()) { return true }
      guard let byte = rest.popFirst(), byte != UInt8(ascii: "/") else { return false }
    }
  }
}

extension Conversion {
  /// The form of a date in the names of files: `hot-water-2026-01-05.json`.
  private static let usualDates = InputDatePattern("*{yyyy-MM-dd}*")

  /// The day of an input, as a night of a feed: that in its name, or else that of an archive's
  /// entry. With a pattern it is in the name, or it is not known. The file's own time is when
  /// somebody wrote it, so it does not count.
  package func nightDay(of input: Input) -> Day? {
    if let inputDates { return inputDates.day(in: input.name) }
    if let day = Self.usualDates?.day(in: input.name) { return day }
    guard let zones = try? Zones(of: feed) else { return nil }
    return dates(of: input, zones).entry.map { zones.local.day(at: $0) }
  }

  /// The day of an input that is being read.
  package func nightDay(of facts: InputFacts) -> Day? {
    if let inputDates { return inputDates.day(in: facts.path) }
    if let day = Self.usualDates?.day(in: facts.path) { return day }
    return facts.entryDay
  }
}

extension Input {
  /// Whether it is a file that begins as a zip archive does. Its entries may be nights of their
  /// own.
  package var isArchive: Bool {
    guard case .file(let path) = self else { return false }
    return InputStart.form(of: path) == .zip
  }
}
