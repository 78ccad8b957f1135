import Glibc
import Sluice

/// The list of a feed's items, kept by the user: a text file in the state folder, one name a line,
/// in the order of adding.
///
///     /var/lib/sluice/weather/cities.txt      Минск ⏎ Москва ⏎ Гродно ⏎
///
/// Until a name is added or removed there is no file, and the list is the feed's own. Names are
/// compared like conditions: without case, `ё` or `е`, and white space. Empty lines and
/// duplicates in a file that was written by hand are ignored.
package struct ItemNames: Sendable {
  /// The largest size of the file, in bytes.
  private static let largestFile = 1 << 20
  private let list: ItemList
  private let folder: FeedFolder
  /// The path of the file.
  package let path: String

  /// Makes the list of a feed. Its file need not exist.
  package init(_ list: ItemList, of feed: Feed, in state: String) {
    self.list = list
    folder = FeedFolder(of: feed.name, in: state)
    path = "\(folder.path)/\(list.name).txt"
  }

  /// The result of adding a name.
  package enum Addition: Equatable, Sendable {
    case added
    /// The list has the name already, in this spelling.
    case isThere(String)
    /// The name is empty, is too long or has control characters.
    case isNoName
  }

  /// The result of removing a name.
  package enum Removal: Equatable, Sendable {
    case removed
    /// The name is not on the list. These names are similar.
    case isMissing(nearest: [String])
  }

  /// The name of the file with an item's answer. It is the same for every spelling of the item.
  static func file(of name: String) -> String {
    "item-\(Fingerprint(of: String(decoding: Fold.key(name), as: UTF8.self)).name)"
  }

  /// Reads the names, in the order of adding. Throws ``SyncFault/badNames(path:)`` if the file is
  /// too large, is not UTF-8 or has a line that is not a name.
  package func read() throws(PipelineError) -> [String] {
    guard let status = FileStatus(path: Array(path.utf8CString)) else { return list.start }
    guard status.size <= Self.largestFile else { throw PipelineError(sync: .badNames(path: path)) }
    let box = ByteKeeper.Box()
    var keeper = ByteKeeper(box)
    try DescriptorSource(file: path).run(into: &keeper, counters: Counters())
    guard let text = String(validating: box.bytes, as: UTF8.self) else {
      throw PipelineError(sync: .badNames(path: path))
    }
    var names: [String] = []
    var keys: Set<ContiguousArray<UInt8>> = []
    for line in text.split(whereSeparator: \.isNewline) {
      guard let name = ItemList.tidy(String(line)) else {
        if line.allSatisfy(\.isWhitespace) { continue }
        throw PipelineError(sync: .badNames(path: path))
      }
      if keys.insert(Fold.key(name)).inserted { names.append(name) }
    }
    return names
  }

  /// Adds a name. Throws if the list cannot be read or written.
  package func add(_ text: String) throws(PipelineError) -> Addition {
    guard let name = ItemList.tidy(text) else { return .isNoName }
    var addition = Addition.added
    try change { names in
      let key = Fold.key(name)
      if let other = names.first(where: { Fold.key($0) == key }) {
        addition = .isThere(other)
        return false
      }
      names.append(name)
      return true
    }
    return addition
  }

  /// Removes a name. Throws if the list cannot be read or written.
  package func remove(_ text: String) throws(PipelineError) -> Removal {
    let key = Fold.key(text)
    var removal = Removal.removed
    try change { names in
      if let index = names.firstIndex(where: { Fold.key($0) == key }) {
        names.remove(at: index)
        return true
      }
      var nearest = NearestValues(to: key)
      for name in names {
        var name = name
        name.withUTF8 { nearest.consider(UnsafeRawBufferPointer($0)) }
      }
      removal = .isMissing(nearest: nearest.texts)
      return false
    }
    return removal
  }

  /// Reads, changes and writes the list. No other process can do so meanwhile.
  private func change(_ body: (inout [String]) -> Bool) throws(PipelineError) {
    try folder.make()
    // Opened before the list is read: only one process can hold the temporary file.
    let set = OutputSet(endsWithItsReaders: false)
    var writer = try set.open(path: path)
    var names = try read()
    guard body(&names) else {
      set.abandon()
      return
    }
    var text = ByteBuffer(capacity: 1024)
    for name in names { text.append(string: name + "\n") }
    try writer.write(text)
    try writer.finish()
    try set.commit()
  }
}

/// An item of a list, and the age of its last answer.
package struct ItemState: Sendable, Equatable {
  /// The item.
  package var name: String
  /// When it was answered last, in seconds since 1970, or nil if it never was.
  package var answered: Int?
  /// Whether the next run asks for it again.
  package var isStale: Bool
}

/// Returns the items of a feed's list, with the ages of their answers from the feed's own server or
/// from its mirror.
///
/// An answer is good for `maxAge` seconds, or if that is nil, for the feed's own value. Takes no
/// lock and changes nothing. Throws if the list cannot be read.
package func itemStates(
  of feed: Feed, in state: String, mirror: String? = nil, maxAge: Int? = nil
) throws(PipelineError) -> [ItemState] {
  guard let list = feed.items else { return [] }
  let folder = FeedFolder(of: feed.name, in: state)
  let input = InputIdentity(.requests(RequestInput(state: state, mirror: mirror)), of: feed)
  let store = folder.answers(of: try folder.found(input))
  let now = SyncClock.system.now()
  return try ItemNames(list, of: feed, in: state).read().map { name in
    let answered = store.answer(ItemNames.file(of: name))?.facts.answered
    let isGood = answered.map { (0..<max(0, maxAge ?? feed.maxAge)).contains(now - $0) } ?? false
    return ItemState(name: name, answered: answered, isStale: !isGood)
  }
}

/// The terms that a feed was searched for, newest first. They are a file in the feed's folder.
///
///     {"at":1600000000,"term":"officia"}
///     {"at":1599999000,"term":"accusamus"}
///
/// A writer holds the lock of the feed's folder.
struct SearchHistory: Sendable {
  /// The number of searches that are kept. The oldest are dropped first.
  static let most = 100
  private static let name = "searches"

  private let path: String

  init(_ folder: FeedFolder) { path = "\(folder.path)/\(Self.name)" }

  /// Reads the searches, newest first. Skips a line that cannot be read.
  func read() throws(PipelineError) -> [PastSearch] {
    let box = ByteKeeper.Box()
    var file = ByteKeeper(box, limit: 1 << 20)
    do throws(PipelineError) {
      try DescriptorSource(file: path).run(into: &file, counters: Counters())
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

  /// Moves a search to the front, or adds it there if it is new.
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

  /// Whether there are any searches.
  var isThere: Bool { FileStatus(path: Array(path.utf8CString))?.isRegular == true }

  /// Removes all searches.
  func clear() throws(PipelineError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw PipelineError(sync: .folder(path: path, errno: errno))
    }
  }
}

/// A term that was searched for.
package struct PastSearch: Equatable, Sendable {
  /// The term.
  package var term: String
  /// When it was searched for last, in seconds since 1970.
  package var at: Int
}

/// Returns the searches of a feed, newest first. There are none if the feed has no folder.
///
/// Throws if the file cannot be read.
package func pastSearches(of feed: String, state: String) throws(PipelineError) -> [PastSearch] {
  try SearchHistory(FeedFolder(of: feed, in: state)).read()
}

/// Returns the names of the feeds that were searched, sorted. Throws if the state folder cannot be
/// read.
package func searchedFeeds(state: String) throws(PipelineError) -> [String] {
  try FeedFolder.names(in: state).filter { name in
    !name.hasPrefix(".") && SearchHistory(FeedFolder(of: name, in: state)).isThere
  }.sorted()
}

/// Removes the searches of a feed.
///
/// Throws ``SyncFault/busy(pid:folder:)`` if another run holds the lock of the feed's folder, and
/// ``SyncFault/folder(path:errno:)`` if the file cannot be removed.
package func clearSearches(of feed: String, state: String) throws(PipelineError) {
  let folder = FeedFolder(of: feed, in: state)
  try folder.make()
  let lock = try RunLock(folder)
  defer { withExtendedLifetime(lock) {} }
  try SearchHistory(folder).clear()
}
