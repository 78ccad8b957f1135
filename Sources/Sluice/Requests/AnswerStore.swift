import Glibc

/// The folder of the answers to one feed's requests, one file each.
///
///     ANSWER ⏎ {"format":1,"length":…,"fingerprint":…,"answered":…,"records":…} ⏎
///
/// A file is there as a whole or not at all. What is known of an answer stands behind it, because
/// most of that is known only when it has come. The owner holds the lock of the feed's folder.
struct AnswerStore: Sendable {
  private static let format = 1
  /// The most bytes of what stands behind an answer, first as it nearly always is: URLs may be as
  /// long as a server's header lines, and a command line.
  private static let mostNotes = [4 << 10, 2 << 20]

  let path: String

  /// The file of an answer's name.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of the files that are there.
  func names() throws(PipelineError) -> [String] {
    try FeedFolder.names(in: path).filter { !$0.hasPrefix(".") }
  }

  /// The paths of all files that are there.
  func files() throws(PipelineError) -> [String] {
    try FeedFolder.names(in: path).map { file($0) }
  }

  /// The answer of this name; nil where there is none, or none that is as it was written.
  func answer(_ name: String) -> KeptAnswer? {
    guard let answer = notes(of: file(name)) else { return nil }
    do throws(PipelineError) {
      var fingerprint = Fingerprint()
      var reader = try AnswerReader(answer)
      while try reader.read() { fingerprint.add(RawSpan(_unsafeBytes: reader.buffer.contents)) }
      return "\(fingerprint)" == answer.fingerprint ? answer : nil
    } catch {
      return nil
    }
  }

  /// Removes all answers, and what a run that was killed has left.
  func removeAll() throws(PipelineError) {
    for name in try FeedFolder.names(in: path) { unlink(file(name)) }
  }

  /// Removes what a run that was killed has left of answers that were under way.
  func removeTemporaries() throws(PipelineError) {
    for name in try FeedFolder.names(in: path) where name.hasPrefix(".") { unlink(file(name)) }
  }

  /// Removes one answer.
  func remove(_ name: String) { unlink(file(name)) }

  /// Removes the folder too, as far as it is empty.
  func removeFolder() { rmdir(path) }

  // MARK: What stands behind an answer

  /// What is written behind an answer.
  static func notes(
    _ facts: KeptAnswer.Facts, length: Int, _ fingerprint: Fingerprint
  ) -> ByteBuffer {
    var json = JSONObject()
    json.add("format", format)
    json.add("length", length)
    json.add("fingerprint", "\(fingerprint)")
    json.add("asked", facts.asked)
    json.add("answered", facts.answered)
    json.add("records", facts.records)
    if let parents = facts.parents { json.add("parents", parents) }
    if let modified = facts.modified { json.add("modified", modified) }
    if let total = facts.total { json.add("total", total) }
    if let next = facts.next { json.add("next", next) }
    var notes = ByteBuffer(capacity: 512)
    notes.append("\n")
    let text = json.finish()
    notes.append(text.contents)
    return notes
  }

  private func notes(of path: String) -> KeptAnswer? {
    for most in Self.mostNotes {
      guard let end = Self.end(of: path, most), end.bytes.last == UInt8(ascii: "\n") else {
        return nil
      }
      let lines = end.bytes.dropLast()
      if let start = lines.lastIndex(of: UInt8(ascii: "\n")) {
        return notes(
          lines[(start + 1)...], behind: end.size - (end.bytes.count - start), of: path)
      }
    }
    return nil
  }

  private func notes(_ line: ArraySlice<UInt8>, behind size: Int, of path: String) -> KeptAnswer? {
    guard let fields = FlatFields(Array(line)),
      fields.number("format") == Self.format,
      let length = fields.number("length"), length == size,
      let fingerprint = fields.text("fingerprint"), let asked = fields.text("asked"),
      let answered = fields.number("answered"),
      let records = fields.number("records")
    else { return nil }
    let facts = KeptAnswer.Facts(
      asked: asked, answered: answered, records: records, parents: fields.number("parents"),
      modified: fields.number("modified"), total: fields.number("total"),
      next: fields.text("next"))
    return KeptAnswer(path: path, length: length, fingerprint: fingerprint, facts: facts)
  }

  /// The last bytes of a file, at most so many, and its size.
  private static func end(of path: String, _ most: Int) -> (bytes: [UInt8], size: Int)? {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { return nil }
    let descriptor = InputDescriptor(owning: number)
    guard let status = FileStatus(descriptor: descriptor.number), status.isRegular else {
      return nil
    }
    let start = max(0, status.size - most)
    var bytes = [UInt8](repeating: 0, count: status.size - start)
    let count = pread(descriptor.number, &bytes, bytes.count, off_t(start))
    return count == bytes.count ? (bytes, status.size) : nil
  }
}
