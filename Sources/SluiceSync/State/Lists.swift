import Glibc
import Sluice

/// The list of a feed's items, which a person keeps: a text file in the state folder, one name a
/// line, in order of adding.
///
///     /var/lib/sluice/weather/cities.txt      Минск ⏎ Москва ⏎ Гродно ⏎
///
/// Until something is added or removed there is no file, and the list is the feed's own. Names are
/// compared as conditions are: case, `ё` and `е`, white space. A file that was written by hand may
/// have empty lines and names twice, which do not count.
public struct ItemNames: Sendable {
  /// The most bytes of the file.
  private static let largestFile = 1 << 20
  private let list: ItemList
  private let folder: FeedFolder
  /// The file.
  public let path: String

  /// Names the file, which need not be there.
  public init(_ list: ItemList, of feed: Feed, in state: String) {
    self.list = list
    folder = FeedFolder(of: feed.name, in: state)
    path = "\(folder.path)/\(list.name).txt"
  }

  /// What became of a name that was to be added.
  public enum Addition: Equatable, Sendable {
    case added
    /// It was there, written so.
    case isThere(String)
    /// It is empty, too long or has characters that are no text.
    case isNoName
  }

  /// What became of a name that was to be removed.
  public enum Removal: Equatable, Sendable {
    case removed
    /// There is no such name; these are near.
    case isMissing(nearest: [String])
  }

  /// What the file of an item's answer is called, however its name is written.
  static func file(of name: String) -> String {
    "item-\(Fingerprint(of: String(decoding: Fold.key(name), as: UTF8.self)).name)"
  }

  /// The names, in order of adding.
  public func read() throws(PipelineError) -> [String] {
    guard let status = FileStatus(path: Array(path.utf8CString)) else { return list.start }
    guard status.size <= Self.largestFile else { throw PipelineError(sync: .badNames(path: path)) }
    let box = ByteKeeper.Box()
    var keeper = ByteKeeper(box)
    try DescriptorSource(file: path).run(into: &keeper, tally: Tally())
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

  /// Adds a name.
  public func add(_ text: String) throws(PipelineError) -> Addition {
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

  /// Removes a name.
  public func remove(_ text: String) throws(PipelineError) -> Removal {
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

  /// Reads, changes and writes the list while no other process does.
  private func change(_ body: (inout [String]) -> Bool) throws(PipelineError) {
    try folder.make()
    // Open from before the reading: who holds the temporary file is alone.
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

/// An item of a list, and what is known of its last answer.
public struct ItemState: Sendable, Equatable {
  /// The item.
  public var name: String
  /// When it was answered last, in seconds since 1970; nil where it never was.
  public var answered: Int?
  /// The next run asks for it again.
  public var isStale: Bool
}

/// The items of a feed's list, as the feed's own server, or its mirror, has answered for them; an
/// answer is good for so many seconds, nil for as many as the feed says. Takes no lock and changes
/// nothing.
public func itemStates(
  of feed: Feed, in state: String, mirror: String? = nil, maxAge: Int? = nil
) throws(PipelineError) -> [ItemState] {
  guard let list = feed.items else { return [] }
  let store = FeedFolder(of: feed.name, in: state)
    .answers(
      of: InputIdentity(.requests(RequestInput(state: state, mirror: mirror)), of: feed))
  let now = SyncClock.system.now()
  return try ItemNames(list, of: feed, in: state).read().map { name in
    let answered = store.answer(ItemNames.file(of: name))?.facts.answered
    let isGood = answered.map { (0..<max(0, maxAge ?? feed.maxAge)).contains(now - $0) } ?? false
    return ItemState(name: name, answered: answered, isStale: !isGood)
  }
}

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

/// A term that was searched for.
public struct PastSearch: Equatable, Sendable {
  /// The term.
  public var term: String
  /// When, in seconds since 1970.
  public var at: Int
}

/// What a feed was searched for, newest first; nothing where there is no such folder.
public func pastSearches(of feed: String, state: String) throws(PipelineError) -> [PastSearch] {
  try SearchHistory(FeedFolder(of: feed, in: state)).read()
}

/// The feeds that have been searched, by their names, sorted.
public func searchedFeeds(state: String) throws(PipelineError) -> [String] {
  try FeedFolder.names(in: state).filter { name in
    !name.hasPrefix(".") && SearchHistory(FeedFolder(of: name, in: state)).isThere
  }.sorted()
}

/// Forgets what a feed was searched for; throws where another run is at work.
public func clearSearches(of feed: String, state: String) throws(PipelineError) {
  let folder = FeedFolder(of: feed, in: state)
  try folder.make()
  let lock = try RunLock(folder)
  defer { withExtendedLifetime(lock) {} }
  try SearchHistory(folder).clear()
}
