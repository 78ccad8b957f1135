import CLibraries

/// A value of a YAML document, and the place where it begins.
///
///     columns:               mapping (2:3) with the key "date" (2:3)
///       date: {kind: day}  ─▶  mapping (2:9) with the key "kind" (2:10) ─▶ scalar "day" (2:16)
///
/// A scalar is only its text. The code that reads it decides on the type.
package struct YAMLNode: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// A text. `isPlain` is true if it has no quotes.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([Entry])
  }

  /// A key with its value.
  package struct Entry: Equatable, Sendable {
    package let key: String
    /// The place where the key begins.
    package let place: TextPlace
    package let value: YAMLNode
  }

  package let content: Content
  package let place: TextPlace

  /// Whether nothing is written: the text is empty or one of YAML's words for null.
  package var isMissing: Bool {
    guard case .scalar(let text, let isPlain) = content else { return false }
    return text.isEmpty || isPlain && ["~", "null", "Null", "NULL"].contains(text)
  }
}

extension YAMLNode {
  /// The maximum size of a document in bytes, more than any of ours needs.
  package static let limit = 256 << 10

  /// Reads the only document of a text. Returns nil if there is nothing, or nothing but comments.
  ///
  /// Rejects everything that could hide something: anchors, aliases, tags, duplicate keys, several
  /// documents, control characters (a NUL would cut a path short), and mappings and lists nested
  /// deeper than `depth`. Throws ``YAMLFault`` for these, and if the text is not YAML or is too
  /// large.
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

/// Builds a document's nodes from its events.
private struct YAMLReader: ~Copyable {
  private var parser: YAMLParser
  private let limit: Int
  private var depth = 0
  /// The current key of the outermost mapping.
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

  /// Reads an event. Throws ``YAMLFault`` if it is an alias or has an anchor or a tag.
  private mutating func event() throws(YAMLFault) -> YAMLEvent {
    let event = try parser.next()
    if event.kind == .alias || event.hasAnchor {
      throw YAMLFault(problem: .alias, place: event.place)
    }
    if event.hasTag { throw YAMLFault(problem: .tag, place: event.place) }
    return event
  }

  /// Reads the node that begins with `first`.
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

  /// Returns the text. Throws ``YAMLFault`` if it contains a control character.
  private func shown(_ text: String, _ place: TextPlace) throws(YAMLFault) -> String {
    if text.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value }) {
      throw YAMLFault(problem: .controlCharacter, place: place)
    }
    return text
  }
}

/// An event of a YAML stream, reduced to the parts that are needed.
struct YAMLEvent: Equatable {
  enum Kind: Equatable {
    case streamStart, streamEnd
    case documentStart, documentEnd
    case mappingStart, mappingEnd
    case sequenceStart, sequenceEnd
    case alias
    /// A scalar. `isPlain` is true if it has no quotes.
    case scalar(String, isPlain: Bool)
  }

  let kind: Kind
  /// The place where the event begins.
  let place: TextPlace
  /// Whether it has an anchor, `&name`.
  var hasAnchor = false
  /// Whether it has a tag, `!name`.
  var hasTag = false
}

/// Why and where a text is not YAML, or not in the accepted part of YAML.
package struct YAMLFault: Error, Equatable, Sendable {
  package enum Problem: Equatable, Sendable {
    /// The text is larger than a document may be. The limit is in bytes.
    case tooLarge(limit: Int)
    case notUTF8
    /// The text contains a control character, as itself or as an escape in a value.
    case controlCharacter
    /// A quotation mark is not closed.
    case unclosedQuote
    /// The text is not YAML. The message is libyaml's.
    case syntax(String)
    /// A second document begins.
    case severalDocuments
    /// An anchor or an alias.
    case alias
    case tag
    /// A key is not a text.
    case keyNotText
    /// A key occurs twice. `line` is the line of the first.
    case duplicateKey(String, line: Int)
    /// Mappings and lists are nested deeper than allowed. `under` is the outermost key around them.
    case tooDeep(limit: Int, under: String?)
  }

  package let problem: Problem
  package let place: TextPlace
}

/// Owns libyaml's parser and the bytes that it reads, and returns the events one by one.
///
/// The text must be UTF-8. A byte order mark is skipped. After a throw, ``next()`` must not be
/// called again.
private struct YAMLParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeMutableBufferPointer<UInt8>

  /// Copies the text. Nil if there is no memory for a parser.
  init?(_ bytes: [UInt8]) {
    let bytes = ByteOrderMark.dropped(from: bytes)
    parser = .allocate(capacity: 1)
    // libyaml needs an address even for no bytes.
    text = .allocate(capacity: max(1, bytes.count))
    guard yaml_parser_initialize(parser) == 1 else { return nil }
    _ = text.update(fromContentsOf: bytes)
    // Without this, a file could choose UTF-16.
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    text.deallocate()
  }

  /// Reads the next event. Throws ``YAMLFault`` if the text is not YAML.
  mutating func next() throws(YAMLFault) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw fault }
    defer { yaml_event_delete(&event) }
    let place = TextPlace(event.start_mark)
    let data = event.data
    switch event.type {
    case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, place: place)
    case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, place: place)
    case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, place: place)
    case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, place: place)
    case YAML_SCALAR_EVENT:
      let scalar = data.scalar
      let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return YAMLEvent(
        kind: .scalar(
          String(decoding: value, as: UTF8.self),
          isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE),
        place: place, hasAnchor: scalar.anchor != nil, hasTag: scalar.tag != nil)
    case YAML_SEQUENCE_START_EVENT:
      let node = data.sequence_start
      return YAMLEvent(
        kind: .sequenceStart, place: place, hasAnchor: node.anchor != nil, hasTag: node.tag != nil)
    case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, place: place)
    case YAML_MAPPING_START_EVENT:
      let node = data.mapping_start
      return YAMLEvent(
        kind: .mappingStart, place: place, hasAnchor: node.anchor != nil, hasTag: node.tag != nil)
    case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, place: place)
    default: return YAMLEvent(kind: .streamEnd, place: place)
    }
  }

  /// The fault that stopped the parser.
  private var fault: YAMLFault {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? ""
    switch parser.pointee.error {
    case YAML_READER_ERROR:
      let bytes = text.prefix(Int(parser.pointee.problem_offset))
      let isControl = problem == "control characters are not allowed"
      return YAMLFault(
        problem: isControl ? .controlCharacter : .notUTF8, place: TextPlace(after: bytes))
    case YAML_MEMORY_ERROR:
      return YAMLFault(problem: .syntax("out of memory"), place: TextPlace(parser.pointee.mark))
    default:
      let context = parser.pointee.context.map { String(cString: $0) } ?? ""
      // libyaml notices the next two faults after their place, so the place of the context is used.
      let start = TextPlace(parser.pointee.context_mark)
      if problem == "could not find expected ':'" {
        return YAMLFault(problem: .syntax(problem), place: start)
      }
      if context == "while scanning a quoted scalar", problem == "found unexpected end of stream" {
        return YAMLFault(problem: .unclosedQuote, place: start)
      }
      return YAMLFault(problem: .syntax(problem), place: TextPlace(parser.pointee.problem_mark))
    }
  }
}

extension TextPlace {
  /// Converts a place of libyaml's, which counts from 0.
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  /// The place after a text.
  fileprivate init(after text: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    let line = text.count { $0 == UInt8(ascii: "\n") }
    let rest = text.reversed().prefix { $0 != UInt8(ascii: "\n") }
    // Every scalar has exactly one byte that is not a continuation byte.
    self.init(line: line + 1, column: rest.count { $0 & 0xC0 != 0x80 } + 1)
  }
}

/// A place in a text file. Lines and columns count from 1, columns in Unicode scalars.
package struct TextPlace: Equatable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place where a text begins.
  package static let start = TextPlace(line: 1, column: 1)
}
