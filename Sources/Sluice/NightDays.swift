import Glibc

extension Conversion {
  /// The form of a date in the names of files: `hot-water-2026-01-05.json`.
  private static let usualDates = InputDatePattern("*{yyyy-MM-dd}*")

  /// The day of an input, as a night of a feed: that in its name, or else that of an archive's entry.
  /// With a pattern it is in the name, or it is not known. The file's own time is when somebody wrote
  /// it, so it does not count.
  package func nightDay(of input: Input) -> Day? {
    if let inputDates { return inputDates.day(in: input.name) }
    return Self.usualDates?.day(in: input.name) ?? entryDay(of: input)
  }

  /// The day of an input that is being read.
  package func nightDay(of facts: InputFacts) -> Day? {
    if let inputDates { return inputDates.day(in: facts.path) }
    if let day = Self.usualDates?.day(in: facts.path) { return day }
    guard let input = inputs.first(where: { $0.name == facts.path }) else { return facts.day }
    return entryDay(of: input)
  }
}

extension Input {
  /// Whether it is a file that begins as a zip archive does. Its entries may be nights of their own.
  package var isArchive: Bool {
    guard case .file(let path) = self else { return false }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = ByteBuffer(capacity: 4)
    guard case .bytes = FileDescriptor.read(descriptor, into: &start) else { return false }
    return start.contents.starts(with: [0x50, 0x4B])
  }
}
