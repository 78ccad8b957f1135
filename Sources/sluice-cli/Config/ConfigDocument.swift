/// A configuration as it is written: one mapping from keys to texts and lists of texts.
///
///     # nightly                      key "output", items "a.csv" (2:10) and "a.ics" (2:17)
///     output: [a.csv, a.ics]    →    key "max-age", text "3h" (3:10)
///     max-age: 3h
///
/// Knows nothing of options. Whatever else YAML has is refused: anchors, tags, nesting, several
/// documents, keys that stand there twice.
struct ConfigDocument: Equatable {
  /// A text and where it stands.
  struct Scalar: Equatable {
    let text: String
    let place: Place
    /// Nothing is written: no text, or YAML's word for none.
    let isMissing: Bool
  }

  enum Value: Equatable {
    case text(Scalar)
    case list([Scalar])
  }

  struct Entry: Equatable {
    let key: Scalar
    let value: Value
    /// Where the value begins.
    let place: Place
  }

  private(set) var entries: [Entry] = []

  /// Reads the text of a file, whose name stands in errors.
  init(_ bytes: [UInt8], named file: String) throws(ConfigFault) {
    do throws(YAMLFault) {
      try read(bytes)
    } catch {
      throw ConfigFault(file: file, place: error.place, problem: error.problem)
    }
  }

  private mutating func read(_ bytes: [UInt8]) throws(YAMLFault) {
    guard var parser = YAMLParser(bytes) else {
      throw YAMLFault(problem: .syntax("out of memory"), place: Place(line: 1, column: 1))
    }
    _ = try parser.next()
    // Nothing, or nothing but comments.
    if try parser.next().kind == .streamEnd { return }
    let root = try ConfigDocument.node(&parser)
    switch root.kind {
    case .mappingStart: while let entry = try entry(&parser) { entries.append(entry) }
    case .scalar("", isPlain: true): break
    default: throw YAMLFault(problem: .notAMapping, place: root.place)
    }
    _ = try parser.next()
    let end = try parser.next()
    if end.kind != .streamEnd { throw YAMLFault(problem: .severalDocuments, place: end.place) }
  }

  /// Reads the next key and its value; nil at the end of the mapping.
  private func entry(_ parser: inout YAMLParser) throws(YAMLFault) -> Entry? {
    let first = try ConfigDocument.node(&parser)
    if first.kind == .mappingEnd { return nil }
    guard let key = try ConfigDocument.scalar(first) else {
      throw YAMLFault(problem: .keyNotText, place: first.place)
    }
    if let other = entries.first(where: { $0.key.text == key.text }) {
      throw YAMLFault(
        problem: .duplicateKey(key.text, line: other.key.place.line), place: key.place)
    }
    let node = try ConfigDocument.node(&parser)
    if let text = try ConfigDocument.scalar(node) {
      return Entry(key: key, value: .text(text), place: node.place)
    }
    guard node.kind == .sequenceStart else {
      throw YAMLFault(problem: .nested(key.text), place: node.place)
    }
    var items: [Scalar] = []
    while true {
      let item = try ConfigDocument.node(&parser)
      if item.kind == .sequenceEnd { break }
      guard let text = try ConfigDocument.scalar(item) else {
        throw YAMLFault(problem: .nestedItem(key.text), place: item.place)
      }
      items.append(text)
    }
    return Entry(key: key, value: .list(items), place: node.place)
  }

  /// Reads an event that is no reference and bears nothing special.
  private static func node(_ parser: inout YAMLParser) throws(YAMLFault) -> YAMLEvent {
    let event = try parser.next()
    if event.kind == .alias || event.hasAnchor {
      throw YAMLFault(problem: .alias, place: event.place)
    }
    if event.hasTag { throw YAMLFault(problem: .tag, place: event.place) }
    return event
  }

  /// The text of a scalar; nil for anything else. Escapes and blocks can put control characters
  /// into a text, which no option has a use for: a NUL would cut a path short.
  private static func scalar(_ event: YAMLEvent) throws(YAMLFault) -> Scalar? {
    guard case .scalar(let text, let isPlain) = event.kind else { return nil }
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw YAMLFault(problem: .controlCharacter, place: event.place)
    }
    let isMissing = text.isEmpty || isPlain && ["~", "null", "Null", "NULL"].contains(text)
    return Scalar(text: text, place: event.place, isMissing: isMissing)
  }
}
