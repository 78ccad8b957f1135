/// A value of a YAML document, and where it begins.
///
///     columns:               mapping (2:3) with the key "date" (2:3)
///       date: {kind: day}  ─▶  mapping (2:9) with the key "kind" (2:10) ─▶ scalar "day" (2:16)
///
/// Types are the reader's matter: a scalar is its text.
package struct YAMLNode: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// `isPlain` is a text without quotes.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([Entry])
  }

  /// A key with its value.
  package struct Entry: Equatable, Sendable {
    package let key: String
    /// Where the key begins.
    package let place: TextPlace
    package let value: YAMLNode
  }

  package let content: Content
  package let place: TextPlace

  /// Nothing is written: no text, or YAML's word for none.
  package var isMissing: Bool {
    guard case .scalar(let text, let isPlain) = content else { return false }
    return text.isEmpty || isPlain && ["~", "null", "Null", "NULL"].contains(text)
  }
}

extension YAMLNode {
  /// More than any document of ours needs, in bytes.
  package static let limit = 256 << 10

  /// Reads the one document of a text; nil where there is nothing, or nothing but comments.
  ///
  /// What could hide something is refused: anchors, aliases, tags, keys that stand there twice,
  /// several documents, control characters (a NUL would cut a path short), and mappings and lists
  /// inside one another beyond `depth`.
  package static func read(_ bytes: [UInt8], depth: Int) throws(YAMLFault) -> YAMLNode? {
    guard bytes.count <= limit else {
      throw YAMLFault(problem: .tooLarge(limit: limit), place: .start)
    }
    guard let parser = YAMLParser(bytes) else {
      throw YAMLFault(problem: .syntax("out of memory"), place: .start)
    }
    var reader = YAMLReader(parser, depth: depth)
    return try reader.document()
  }
}

/// Makes a document's nodes of its events.
private struct YAMLReader: ~Copyable {
  private var parser: YAMLParser
  private let limit: Int
  private var depth = 0
  /// The key of the outermost mapping that is being read.
  private var outermost: String?

  init(_ parser: consuming YAMLParser, depth: Int) {
    self.parser = parser
    limit = depth
  }

  mutating func document() throws(YAMLFault) -> YAMLNode? {
    _ = try parser.next()
    if try parser.next().kind == .streamEnd { return nil }
    let root = try node(try event())
    _ = try parser.next()
    let end = try parser.next()
    if end.kind != .streamEnd { throw YAMLFault(problem: .severalDocuments, place: end.place) }
    if case .scalar("", isPlain: true) = root.content { return nil }
    return root
  }

  /// Reads an event that is no reference and bears nothing special.
  private mutating func event() throws(YAMLFault) -> YAMLEvent {
    let event = try parser.next()
    if event.kind == .alias || event.hasAnchor {
      throw YAMLFault(problem: .alias, place: event.place)
    }
    if event.hasTag { throw YAMLFault(problem: .tag, place: event.place) }
    return event
  }

  /// Reads the node that begins with an event.
  private mutating func node(_ first: YAMLEvent) throws(YAMLFault) -> YAMLNode {
    if case .scalar(let text, let isPlain) = first.kind {
      return YAMLNode(
        content: .scalar(try shown(text, first.place), isPlain: isPlain), place: first.place)
    }
    guard depth < limit else {
      throw YAMLFault(problem: .tooDeep(limit: limit, under: outermost), place: first.place)
    }
    depth += 1
    defer { depth -= 1 }
    if first.kind == .mappingStart {
      return YAMLNode(content: .mapping(try entries()), place: first.place)
    }
    var items: [YAMLNode] = []
    while true {
      let item = try event()
      if item.kind == .sequenceEnd { break }
      items.append(try node(item))
    }
    return YAMLNode(content: .sequence(items), place: first.place)
  }

  private mutating func entries() throws(YAMLFault) -> [YAMLNode.Entry] {
    var entries: [YAMLNode.Entry] = []
    var lines: [String: Int] = [:]
    while true {
      let first = try event()
      if first.kind == .mappingEnd { return entries }
      guard case .scalar(let text, _) = first.kind else {
        throw YAMLFault(problem: .keyNotText, place: first.place)
      }
      let key = try shown(text, first.place)
      if let line = lines.updateValue(first.place.line, forKey: key) {
        throw YAMLFault(problem: .duplicateKey(key, line: line), place: first.place)
      }
      if depth == 1 { outermost = key }
      let value = try node(try event())
      entries.append(YAMLNode.Entry(key: key, place: first.place, value: value))
    }
  }

  /// The text, if it can be shown.
  private func shown(_ text: String, _ place: TextPlace) throws(YAMLFault) -> String {
    if text.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value }) {
      throw YAMLFault(problem: .controlCharacter, place: place)
    }
    return text
  }
}
