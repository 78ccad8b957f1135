import CLibraries

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

/// An event of a YAML stream, with what is needed to know of it.
struct YAMLEvent: Equatable {
  enum Kind: Equatable {
    case streamStart, streamEnd
    case documentStart, documentEnd
    case mappingStart, mappingEnd
    case sequenceStart, sequenceEnd
    case alias
    /// `isPlain` is a scalar without quotes.
    case scalar(String, isPlain: Bool)
  }

  let kind: Kind
  /// Where it begins.
  let place: TextPlace
  /// Whether it bears an anchor, `&name`.
  var hasAnchor = false
  /// Whether it bears a tag, `!name`.
  var hasTag = false
}

/// Why a text is not YAML, or not of the part of YAML that is read, and where.
package struct YAMLFault: Error, Equatable, Sendable {
  package enum Problem: Equatable, Sendable {
    /// The text is larger than a document may be; in bytes.
    case tooLarge(limit: Int)
    case notUTF8
    /// A control character stands in the text, or a value stands for one.
    case controlCharacter
    /// A quotation mark is not closed.
    case unclosedQuote
    /// The text is not YAML, in libyaml's words.
    case syntax(String)
    /// A second document begins.
    case severalDocuments
    /// An anchor or an alias.
    case alias
    case tag
    /// A key is no text.
    case keyNotText
    /// A key stands there again; the line of the first.
    case duplicateKey(String, line: Int)
    /// Mappings and lists lie deeper inside one another than is allowed; the outermost key around.
    case tooDeep(limit: Int, under: String?)
  }

  package let problem: Problem
  package let place: TextPlace
}

/// Owns libyaml's parser and the bytes that it reads, and hands out events one by one.
///
/// The text has to be UTF-8; a byte order mark is skipped. After a throw it must not be asked again.
struct YAMLParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeMutableBufferPointer<UInt8>

  /// Copies the text; nil where there is no memory for a parser.
  init?(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    parser = .allocate(capacity: 1)
    // libyaml wants an address even for no bytes.
    text = .allocate(capacity: max(1, bytes.count))
    guard yaml_parser_initialize(parser) == 1 else { return nil }
    _ = text.update(fromContentsOf: bytes)
    // Otherwise a file could choose UTF-16.
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    text.deallocate()
  }

  /// Reads the next event.
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

  /// What made the parser stop.
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
      // Both are noticed later than where they are.
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
  /// Takes over a place of libyaml's, which counts from 0.
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  /// The place after a text.
  fileprivate init(after text: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    let line = text.count { $0 == UInt8(ascii: "\n") }
    let rest = text.reversed().prefix { $0 != UInt8(ascii: "\n") }
    // Every scalar has one byte that is no continuation.
    self.init(line: line + 1, column: rest.count { $0 & 0xC0 != 0x80 } + 1)
  }
}

/// A place in a text file; lines and columns count from 1, columns in Unicode scalars.
package struct TextPlace: Equatable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Where a text begins.
  package static let start = TextPlace(line: 1, column: 1)
}
