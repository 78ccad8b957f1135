import Glibc
import Sluice
import Synchronization

/// The folder of the answers to one feed's requests, one file each.
///
///     ANSWER ⏎ {"format":1,"length":…,"fingerprint":…,"answered":…,"records":…} ⏎
///
/// A file is complete or does not exist. The notes on an answer follow it in the file, because most
/// of them are known only at its end. The owner holds the lock of the feed's folder.
struct AnswerStore: Sendable {
  private static let format = 1
  /// The size of the notes in bytes, in nearly all files and at most. A URL may be as long as a
  /// server's header lines, and as a command line.
  private static let mostNotes = [4 << 10, 2 << 20]

  let path: String

  /// The path of the answer with this name.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of the answers.
  func names() throws(PipelineError) -> [String] {
    try FeedFolder.names(in: path).filter { !$0.hasPrefix(".") }
  }

  /// The paths of all files in the folder.
  func files() throws(PipelineError) -> [String] {
    try FeedFolder.names(in: path).map { file($0) }
  }

  /// Returns the answer with this name, or nil if there is none or its file was changed.
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

  /// Removes all answers, and the temporary files of a run that was killed.
  func removeAll() throws(PipelineError) {
    for name in try FeedFolder.names(in: path) { unlink(file(name)) }
  }

  /// Removes the temporary files of a run that was killed.
  func removeTemporaries() throws(PipelineError) {
    for name in try FeedFolder.names(in: path) where name.hasPrefix(".") { unlink(file(name)) }
  }

  /// Removes the answers with these names.
  func remove(where isUnused: (String) -> Bool) throws(PipelineError) {
    for name in try names() where isUnused(name) { unlink(file(name)) }
  }

  /// Removes the answers that only a resumed run needs, if no run will resume: the outputs are
  /// published, or their last reader has gone.
  func forget(_ requests: FeedRequests, after error: PipelineError?) {
    guard !requests.hasOwnAges else { return }
    switch error?.fault {
    case nil, .sink(.noReaderLeft):
      try? removeAll()
      removeFolder()
    default: break
    }
  }

  /// Removes the folder if it is empty.
  func removeFolder() { rmdir(path) }

  // MARK: Notes on answers

  /// The notes that follow an answer in its file.
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
      let answered = fields.number("answered", in: SyncRecord.times),
      let records = fields.number("records", in: SyncRecord.counts),
      // A number that no run writes is damage: the answer is asked for again.
      ["parents", "total"].allSatisfy({
        !fields.has($0) || fields.number($0, in: SyncRecord.counts) != nil
      })
    else { return nil }
    let facts = KeptAnswer.Facts(
      asked: asked, answered: answered, records: records, parents: fields.number("parents"),
      modified: fields.number("modified"), total: fields.number("total"),
      next: fields.text("next"))
    return KeptAnswer(path: path, length: length, fingerprint: fingerprint, facts: facts)
  }

  /// Returns the last bytes of a file, at most `most`, and the size of the file.
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

/// Reads the bytes of a kept answer, without the notes that follow them.
struct AnswerReader: ~Copyable {
  private let path: String
  private let descriptor: InputDescriptor
  private var left: Int
  /// The piece that was read last.
  private(set) var buffer: ByteBuffer

  init(_ answer: KeptAnswer) throws(PipelineError) {
    path = answer.path
    left = answer.length
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      throw PipelineError(.source(.unreadable(path: path, errno: errno)))
    }
    descriptor = InputDescriptor(owning: number)
    buffer = ByteBuffer(capacity: max(1, min(left, DescriptorSource.pieceSize)))
  }

  /// Reads the next piece into ``buffer``. Returns false at the end.
  mutating func read() throws(PipelineError) -> Bool {
    buffer.removeAll()
    guard left > 0 else { return false }
    switch descriptor.read(into: &buffer) {
    case .bytes(let count):
      buffer.truncate(to: min(count, left))
      left -= buffer.count
      return true
    case .end: throw PipelineError(.source(.read(path: path, errno: EIO)))
    case .failed(let error): throw PipelineError(.source(.read(path: path, errno: error)))
    }
  }
}

/// Counts the bytes of all answers of a run, those that an earlier run kept included.
final class AnswerBudget: Sendable {
  private let limit: Int
  private let used: Atomic<Int>

  /// Makes a budget of `limit` bytes, of which `used` are used already.
  init(_ used: Int, of limit: Int) {
    self.limit = limit
    self.used = Atomic(used)
  }

  /// Uses some bytes. Throws ``SourceFault/answersTooLarge(limit:)`` if there are not as many left.
  func take(_ bytes: Int) throws(PipelineError) {
    guard used.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit else {
      throw PipelineError(.source(.answersTooLarge(limit: limit)))
    }
  }
}

/// Checks an answer as it arrives, and writes it to its file.
///
/// The file gets its name only after the whole answer was checked. A writer that is destroyed
/// earlier leaves no file.
struct AnswerWriter: ByteStage, ~Copyable {
  private let path: String
  private let set = OutputSet(endsWithItsReaders: false)
  private var file: OutputWriter
  private var check: Sniffer
  private let counts: [Counters]
  private let before: Int
  private let budget: AnswerBudget?
  private var fingerprint = Fingerprint()

  /// Opens the file. The answer is checked as one of this feed, or only as JSON if `feed` is nil.
  ///
  /// At most `limit` of its records may be rejected. `before` is the number of records of the kept
  /// answer: if it has any, an answer without records does not replace it. The bytes are taken from
  /// the budget, if there is one.
  init(
    _ path: String, _ feed: Feed?, limit: RejectLimit = .standard, before: Int = 0,
    status: Envelope.Test?, budget: AnswerBudget? = nil
  ) throws(PipelineError) {
    self.path = path
    self.before = before
    self.budget = budget
    file = try set.open(path: path)
    let tables = feed?.tables ?? []
    counts = tables.map { _ in Counters() }
    check = Sniffer(checking: feed, counts, limit: limit, status: status)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try budget?.take(bytes.byteCount)
    try check.write(bytes)
    fingerprint.add(bytes)
    try file.write(bytes)
  }

  consuming func finish() throws(PipelineError) {}

  /// Completes the answer, and adds its counts to `facts`. Throws if the answer fails a check or
  /// cannot be written.
  consuming func end(_ facts: KeptAnswer.Facts) throws(PipelineError) -> KeptAnswer {
    try check.finish()
    var facts = facts
    facts.records = counts.reduce(0) { $0 + $1.read.value }
    // Tables of one list share its elements.
    let elements = counts.reduce(0) { max($0, $1.elements.value) }
    if elements != facts.records { facts.parents = elements }
    if facts.records == 0, before > 0 {
      throw PipelineError(.normalize(.emptied(before: before)))
    }
    let length = fingerprint.length
    let notes = AnswerStore.notes(facts, length: length, fingerprint)
    try file.write(notes)
    try file.finish()
    try set.commit()
    return KeptAnswer(
      path: path, length: length, fingerprint: "\(fingerprint)", facts: facts)
  }
}

/// An answer that was checked and is kept in a file of the state folder.
struct KeptAnswer: Sendable, Equatable {
  /// The facts about an answer.
  struct Facts: Sendable, Equatable {
    /// The URL of its request, without secrets. An answer to another URL cannot be used.
    var asked = ""
    /// When it arrived, in seconds since 1970.
    var answered = 0
    /// The number of its records.
    var records = 0
    /// The number of elements in the outermost list around the records, or nil if it is the number
    /// of records.
    var parents: Int?
    /// When it was last changed according to the server, in seconds since 1970.
    var modified: Int?
    /// The number of rows in the whole list according to the server.
    var total: Int?
    /// The link to the next page, without secrets.
    var next: String?

    /// The number of elements in the answer's list, with rows or without.
    var elements: Int { parents ?? records }
  }

  /// The path of the file.
  var path: String
  /// The length of the answer in bytes. The notes follow it in the file.
  var length: Int
  /// The checksum of the answer's bytes.
  var fingerprint: String
  var facts: Facts
}
