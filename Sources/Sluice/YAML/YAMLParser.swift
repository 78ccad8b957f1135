import CYAML

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
