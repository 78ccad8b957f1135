import Glibc

/// The name of an output with columns in braces, which makes a file for each of their values.
///
///     out/{locality}/all/{street}-{house}.csv
///     ╰┬╯ ╰───┬────╯ ╰┬╯ ╰────────┬─────────╯
///    folder  part    part        part
struct NamePattern {
  /// A name in a folder: words, and the values of columns between them.
  struct Part: Equatable {
    enum Piece: Equatable {
      case words(String)
      /// The index of a column in ``NamePattern/columns``.
      case value(Int)
    }

    var pieces: [Piece]

    /// Returns whether some values could make this name.
    func mayBe(_ name: String) -> Bool {
      if values.isEmpty { return pieces == [.words(name)] }
      // A hidden name is no value's.
      guard case .words(let start)? = pieces.first else {
        return !name.hasPrefix(".") && ends(name[...])
      }
      return name.hasPrefix(start) && ends(name.dropFirst(start.count))
    }

    private func ends(_ name: Substring) -> Bool {
      guard case .words(let end)? = pieces.last else { return true }
      return name.hasSuffix(end)
    }

    /// The columns in it, in order.
    var values: [Int] {
      pieces.compactMap { piece in
        if case .value(let index) = piece { index } else { nil }
      }
    }
  }

  /// The word that is replaced by the table's name.
  static let tablePlace = "{table}"

  /// A word in braces.
  struct Place {
    /// Its range in the path, the braces included.
    var range: Range<String.Index>
    /// The word.
    var word: String
  }

  /// Returns the words in braces of a path. A word ends in the name in which it begins.
  static func places(in path: String) -> [Place] {
    var places: [Place] = []
    var start: String.Index?
    for index in path.indices {
      switch path[index] {
      case "{": start = index
      case "/": start = nil
      case "}":
        guard let first = start else { continue }
        start = nil
        let word = String(path[path.index(after: first)..<index])
        places.append(Place(range: first..<path.index(after: index), word: word))
      default: break
      }
    }
    return places
  }

  /// The path of the output, with the table's name in it.
  let path: String
  /// The folder of all files. It may be missing.
  let folder: String
  /// The names from the first one with a column on. The last one is the file's.
  let parts: [Part]
  /// The columns, as indexes of the table's, each once.
  let columns: [Int]
  /// The names of these columns.
  let names: [String]

  /// Reads the path of a table's output. Nil if it has no column.
  ///
  /// Throws ``FeedFault/noSuchColumn(_:columns:)`` if a word in braces names no column of the
  /// table, and ``SinkFault/create(path:errno:)`` if the files could be outside of their folder.
  init?(_ path: String, of table: Table) throws(PipelineError) {
    let places = Self.places(in: path)
    guard places.contains(where: { path[$0.range] != Self.tablePlace }) else { return nil }
    let known = table.columns.map(\.name)
    var columns: [Int] = []
    // The names in the path, each as its pieces. A slash in braces ends the word.
    var parts = [Part(pieces: [])]
    func add(_ words: Substring) {
      let names = words.split(separator: "/", omittingEmptySubsequences: false)
      for (index, name) in names.enumerated() {
        if index > 0 { parts.append(Part(pieces: [])) }
        guard !name.isEmpty else { continue }
        if case .words(let before)? = parts[parts.count - 1].pieces.last {
          parts[parts.count - 1].pieces.removeLast()
          parts[parts.count - 1].pieces.append(.words(before + name))
        } else {
          parts[parts.count - 1].pieces.append(.words(String(name)))
        }
      }
    }
    var end = path.startIndex
    for place in places {
      add(path[end..<place.range.lowerBound])
      end = place.range.upperBound
      if path[place.range] == Self.tablePlace {
        add(table.name[...])
        continue
      }
      guard let column = known.firstIndex(of: place.word) else {
        throw PipelineError(.normalize(.noSuchColumn(place.word, columns: known)))
      }
      let index = columns.firstIndex(of: column) ?? columns.count
      if index == columns.count { columns.append(column) }
      parts[parts.count - 1].pieces.append(.value(index))
    }
    add(path[end...])
    let first = parts.firstIndex { !$0.values.isEmpty } ?? 0
    let folder = parts[..<first].map { part in
      if case .words(let words)? = part.pieces.first { words } else { "" }
    }
    self.path = path.putting(table.name, for: Self.tablePlace)
    self.folder = folder.isEmpty ? "." : folder == [""] ? "/" : folder.joined(separator: "/")
    self.parts = parts[first...].filter { !$0.pieces.isEmpty }
    self.columns = columns
    names = columns.map { known[$0] }
    if self.parts.contains(where: { $0.pieces == [.words("..")] || $0.pieces == [.words(".")] }) {
      throw PipelineError(sink: .create(path: path, errno: EINVAL))
    }
  }

  /// Returns the path of a file, as messages show it.
  func path(of name: String) -> String {
    switch folder {
    case ".": name
    case "/": "/" + name
    default: "\(folder)/\(name)"
    }
  }
}

/// A name in a folder that every file system takes, made of values of the data.
///
///     дом 5/2  ─▶  дом 5_2~1c2d3e4f.ics     a character that no name may have
///     ..       ─▶  __~8e1f0a3b.ics          dots at the start
///     (none)   ─▶  _.ics                    an empty value
///
/// A name that is not what the values say gets a hash of them, so that it stays theirs alone.
struct SafeName {
  /// The most bytes of a name. Most file systems take 255, and a temporary name is longer.
  static let mostBytes = 200

  /// The name up to the end of its last value, and the words after it.
  private var head: [UInt8]
  private let tail: [UInt8]
  /// The hash of the values.
  private let hash: UInt64
  /// Whether it is not what the values say.
  private(set) var isChanged: Bool

  /// Makes the name of a part. `values` are the texts of all columns of the pattern, in UTF-8.
  init(_ part: NamePattern.Part, _ values: [UnsafeRawBufferPointer]) {
    var hash = FNV1a()
    var head: [UInt8] = []
    var isChanged = false
    var lastValue = 0
    var beginsWithValue = false
    for (index, piece) in part.pieces.enumerated() {
      switch piece {
      case .words(let words): head += words.utf8
      case .value(let value):
        hash.add(values[value])
        hash.add(0x1F)
        if index == 0 { beginsWithValue = true }
        let isSame = Self.append(values[value], to: &head)
        isChanged = isChanged || !isSame
        lastValue = head.count
      }
    }
    self.hash = hash.value
    self.head = Array(head[..<lastValue])
    tail = Array(head[lastValue...])
    self.isChanged = isChanged
    if beginsWithValue { replaceDots() }
    replaceEnd()
    replaceDevice()
    if self.head.count + tail.count > Self.mostBytes { self.isChanged = true }
  }

  /// The name without a hash.
  var plain: String { String(decoding: head + tail, as: UTF8.self) }

  /// The name with a hash of eight digits, and with a number from 2 on if that is needed too.
  func hashed(_ number: Int = 1) -> String {
    var digits = ByteBuffer(capacity: 16)
    digits.append(hexadecimal: hash ^ hash >> 32)
    var mark = [UInt8(ascii: "~")] + digits.contents.suffix(8)
    if number > 1 { mark += "-\(number)".utf8 }
    let room = max(0, Self.mostBytes - tail.count - mark.count)
    let kept = head.withUnsafeBytes { UTF8Encoding.prefix($0, room).count }
    return String(decoding: head[..<kept] + mark + tail, as: UTF8.self)
  }

  // MARK: The rules

  /// Appends a value. Returns whether it is as it came.
  private static func append(_ value: UnsafeRawBufferPointer, to name: inout [UInt8]) -> Bool {
    guard value.count > 0 else {
      name.append(UInt8(ascii: "_"))
      return true
    }
    if value.allSatisfy(isPlain) {
      name += value
      return true
    }
    let start = name.count
    for scalar in String(decoding: value, as: UTF8.self).inComposedForm.unicodeScalars {
      let isSafe = !scalar.isHidden && !isReserved(scalar)
      UTF8Encoding.forEachByte(of: isSafe ? scalar.value : 0x5F) { name.append($0) }
    }
    return name[start...].elementsEqual(value)
  }

  private mutating func replaceDots() {
    for index in head.indices where head[index] != UInt8(ascii: ".") {
      return replace(head[..<index].indices)
    }
    replace(head.indices)
  }

  private mutating func replaceEnd() {
    let end = head.lastIndex { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: " ") }
    replace(head[(end.map { $0 + 1 } ?? 0)...].indices)
  }

  private mutating func replace(_ places: Range<Int>) {
    guard !places.isEmpty else { return }
    for place in places { head[place] = UInt8(ascii: "_") }
    isChanged = true
  }

  /// Replaces the name of a device of Windows. It is one with any extension too.
  private mutating func replaceDevice() {
    let dot = (head + tail).firstIndex(of: UInt8(ascii: ".")) ?? head.count + tail.count
    guard dot <= 8, dot >= 3 else { return }
    let stem = String(decoding: (head + tail)[..<dot], as: UTF8.self).uppercased()
    guard Self.isDevice(stem.split(separator: " ").first ?? "") else { return }
    head.replaceSubrange(..<min(dot, head.count), with: [UInt8(ascii: "_")])
    isChanged = true
  }

  /// Whether a byte is a character that may be anywhere in a name.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: " "):
      true
    default: false
    }
  }

  /// Whether some file system takes no name with this character.
  private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": true
    default: false
    }
  }

  /// Whether Windows has a device of this name, in capitals.
  private static func isDevice(_ stem: Substring) -> Bool {
    switch stem {
    case "CON", "PRN", "AUX", "NUL": return true
    default:
      guard stem.hasPrefix("COM") || stem.hasPrefix("LPT"), stem.unicodeScalars.count == 4,
        let digit = stem.unicodeScalars.last
      else { return false }
      return ("1"..."9").contains(digit) || ["¹", "²", "³"].contains(digit)
    }
  }
}
