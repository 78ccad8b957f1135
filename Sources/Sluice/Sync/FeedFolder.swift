import Glibc

/// The folder of one feed inside the state folder.
///
///     /var/lib/sluice/                       the state folder, 0700
///       hot-water/                           one feed, 0700
///         lock                               held by the run that is on; its process's number
///         searches                           what it was searched for: ``SearchHistory``
///         9a52bf95f4e4a500.json              what is known of one input: ``SyncRecord``
///         9a52bf95f4e4a500.a, ….b            its last good copy, and room for the next
///         9a52bf95f4e4a500.events/           its ledger: ``Ledger``
///         9a52bf95f4e4a500.answers/          answers to its requests: ``AnswerStore``
///
/// An input is known by its URL or absolute path, of which the names are made.
struct FeedFolder: Sendable {
  let path: String

  /// Names the folder, which need not be there.
  init(of feed: String, in state: String) { path = "\(state)/\(feed)" }

  /// Makes the folder, and what is missing of the way to it, for its owner alone.
  func make() throws(PipelineError) { try Self.make(path) }

  /// Makes the folder of an input's ledger, and gives its path.
  func makeLedger(of input: InputIdentity) throws(PipelineError) -> String {
    let folder = "\(path)/\(input.key).events"
    try Self.make(folder)
    return folder
  }

  /// Makes the folder of the answers to an input's requests.
  func makeAnswers(of input: InputIdentity) throws(PipelineError) -> AnswerStore {
    let store = answers(of: input)
    try Self.make(store.path)
    return store
  }

  /// The folder of the answers to an input's requests, which need not be there.
  func answers(of input: InputIdentity) -> AnswerStore {
    AnswerStore(path: "\(path)/\(input.key).answers")
  }

  /// The names in a folder, those that are hidden too; none where it is not there.
  static func names(in folder: String) throws(PipelineError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw PipelineError(sync: .folder(path: folder, errno: errno))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func make(_ path: String) throws(PipelineError) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      if FileStatus(path: Array(part.utf8CString))?.isFolder == true { continue }
      guard mkdir(part, 0o700) == 0 || errno == EEXIST else {
        throw PipelineError(sync: .folder(path: part, errno: errno))
      }
    }
    guard FileStatus(path: Array(path.utf8CString))?.isFolder == true else {
      throw PipelineError(sync: .folder(path: path, errno: ENOTDIR))
    }
  }

  /// The file of the lock.
  var lock: String { "\(path)/lock" }

  /// The file of what is known of an input.
  func record(of input: InputIdentity) -> String { "\(path)/\(input.key).json" }

  /// The file of an input's copy.
  func copy(of input: InputIdentity, _ slot: SyncRecord.Slot) -> String {
    "\(path)/\(input.key).\(slot.rawValue)"
  }

  /// Reads what is known of an input; nil where nothing is.
  func read(_ input: InputIdentity) throws(PipelineError) -> SyncRecord? {
    try Self.read(record(of: input))
  }

  /// Reads a record; nil where there is no such file.
  static func read(_ path: String) throws(PipelineError) -> SyncRecord? {
    let source: DescriptorSource
    do throws(PipelineError) {
      source = try DescriptorSource(file: path)
    } catch {
      if case .source(.noFile) = error.fault { return nil }
      throw error
    }
    let fields = FlatFields()
    let tally = Tally()
    do throws(PipelineError) {
      var tokenizer = Tokenizer(into: FlatFieldsReader(into: fields), tally: tally)
      try source.run(into: &tokenizer, tally: tally)
      try tokenizer.finish()
    } catch {
      if case .source = error.fault { throw error }
      throw PipelineError(sync: .badRecord(path: path))
    }
    guard fields.isFlat, let record = SyncRecord(fields) else {
      throw PipelineError(sync: .badRecord(path: path))
    }
    return record
  }

  /// Writes what is known of an input: wholly, or not at all.
  func write(_ record: SyncRecord, of input: InputIdentity) throws(PipelineError) {
    let set = OutputSet(endsWithItsReaders: false)
    var writer = try set.open(path: self.record(of: input))
    try writer.write(record.encoded)
    try writer.finish()
    try set.commit()
  }
}
