extension Conversion {
  /// The form of a date in the names of files: `hot-water-2026-01-05.json`.
  private static let usualDates = InputDatePattern("*{yyyy-MM-dd}*")

  /// The day of an input, as a night of a feed: that in its name, or else that of an archive's entry.
  /// With a pattern it is in the name, or it is not known. The file's own time is when somebody wrote
  /// it, so it does not count.
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
  /// Whether it is a file that begins as a zip archive does. Its entries may be nights of their own.
  package var isArchive: Bool {
    guard case .file(let path) = self else { return false }
    return InputStart.form(of: path) == .zip
  }
}
