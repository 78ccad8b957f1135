/// The list of a feed's items, which a person keeps: a text file in the state folder, one name a
/// line, in order of adding.
///
///     /var/lib/sluice/weather/cities.txt      Минск ⏎ Москва ⏎ Гродно ⏎
///
/// Until something is added or removed there is no file, and the list is the feed's own. Names are
/// compared as conditions are: case, `ё` and `е`, white space. A file that was written by hand may
/// have empty lines and names twice, which do not count.
public struct ItemNames: Sendable {
  /// The most bytes of a name, and of the file.
  static let longestName = 200
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
      guard let name = Self.tidy(String(line)) else {
        if line.allSatisfy(\.isWhitespace) { continue }
        throw PipelineError(sync: .badNames(path: path))
      }
      if keys.insert(Fold.key(name)).inserted { names.append(name) }
    }
    return names
  }

  /// Adds a name.
  public func add(_ text: String) throws(PipelineError) -> Addition {
    guard let name = Self.tidy(text) else { return .isNoName }
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

  /// The text as a name, white space collapsed; nil where it is none.
  static func tidy(_ text: String) -> String? {
    var bytes = ByteBuffer(capacity: max(16, text.utf8.count))
    var text = text
    text.withUTF8 { WhiteSpace.appendCollapsed(UnsafeRawBufferPointer($0), to: &bytes) }
    guard (1...longestName).contains(bytes.count),
      bytes.contents.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return String(decoding: bytes.contents, as: UTF8.self)
  }
}
