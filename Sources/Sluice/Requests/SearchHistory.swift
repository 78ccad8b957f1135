import Glibc

/// The terms that a feed was searched for, newest first: a file in its folder.
///
///     {"at":1600000000,"term":"officia"}
///     {"at":1599999000,"term":"accusamus"}
///
/// Whoever writes holds the lock of the feed's folder.
struct SearchHistory: Sendable {
  /// More are forgotten, the oldest first.
  static let most = 100
  private static let name = "searches"

  private let path: String

  init(_ folder: FeedFolder) { path = "\(folder.path)/\(Self.name)" }

  /// The searches, newest first; a line that is not as it was written is left out.
  func read() throws(PipelineError) -> [PastSearch] {
    let box = ByteKeeper.Box()
    var file = ByteKeeper(box, limit: 1 << 20)
    do throws(PipelineError) {
      try DescriptorSource(file: path).run(into: &file, tally: Tally())
    } catch {
      if case .source(.noFile) = error.fault { return [] }
      throw error
    }
    return box.bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let fields = FlatFields(Array(line)), let at = fields.number("at"),
        let term = fields.text("term")
      else { return nil }
      return PastSearch(term: term, at: at)
    }
  }

  /// Puts a search before all others, and takes it out of its old place.
  func note(_ search: PastSearch) throws(PipelineError) {
    let others = try read().filter { $0.term != search.term }
    let set = OutputSet(endsWithItsReaders: false)
    var writer = try set.open(path: path)
    for search in [search] + others.prefix(Self.most - 1) {
      var json = JSONObject()
      json.add("at", search.at)
      json.add("term", search.term)
      let line = json.finish()
      try writer.write(line)
    }
    try writer.finish()
    try set.commit()
  }

  /// Whether something was searched for.
  var isThere: Bool { FileStatus(path: Array(path.utf8CString))?.isRegular == true }

  /// Forgets all.
  func clear() throws(PipelineError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw PipelineError(sync: .folder(path: path, errno: errno))
    }
  }
}
