/// The members of one flat JSON object: numbers and strings by their keys.
package final class FlatFields {
  private var numbers: [String: Int] = [:]
  private var texts: [String: String] = [:]
  private var names: Set<String> = []
  /// Whether the document is an object without containers in it.
  package private(set) var isFlat = true

  /// Makes an object without members.
  package init() {}

  /// Reads the members of a text. Nil if it is not a flat JSON object.
  package convenience init?(_ text: [UInt8]) {
    self.init()
    do throws(PipelineError) {
      var tokenizer = Tokenizer(into: FlatFieldsReader(into: self), counters: Counters())
      try tokenizer.write(text.span.bytes)
      try tokenizer.finish()
    } catch {
      return nil
    }
    if !isFlat { return nil }
  }

  /// Returns the value of a member that is a whole number, or nil if there is none.
  package func number(_ key: String) -> Int? { numbers[key] }
  /// Returns the value of a member that is a whole number in a range, or nil if there is none.
  package func number(_ key: String, in range: ClosedRange<Int>) -> Int? {
    numbers[key].flatMap { range.contains($0) ? $0 : nil }
  }
  /// Whether there is a member with this name that is a number or a string.
  package func has(_ key: String) -> Bool { names.contains(key) }
  /// Returns the value of a member that is a string, or nil if there is none.
  package func text(_ key: String) -> String? { texts[key] }

  /// Returns the value of a member that is a day in ISO 8601's format, or nil if there is none.
  package func day(_ key: String) -> Day? {
    let parts = texts[key]?.split(separator: "-").compactMap { Int($0) } ?? []
    return parts.count == 3 ? Day(year: parts[0], month: parts[1], day: parts[2]) : nil
  }

  fileprivate func set(_ key: String, number: String) {
    numbers[key] = Int(number)
    names.insert(key)
  }

  fileprivate func set(_ key: String, text: String) {
    texts[key] = text
    names.insert(key)
  }

  fileprivate func noteNesting() { isFlat = false }
}

/// Collects the members of one flat object. Notes if it is not flat.
private struct FlatFieldsReader: TokenStage, ~Copyable {
  private let fields: FlatFields
  private var depth = 0
  private var key = ""

  init(into fields: FlatFields) { self.fields = fields }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    let text = text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    switch kind {
    case .beginObject:
      depth += 1
      if depth > 1 { fields.noteNesting() }
    case .endObject: depth -= 1
    case .beginArray, .endArray: fields.noteNesting()
    case .key: key = text
    case .string: fields.set(key, text: text)
    case .number: fields.set(key, number: text)
    case .stringPiece, .true, .false, .null: break
    }
    return .proceed
  }

  consuming func finish() throws(PipelineError) {}
}
/// Reads a flat JSON object in pieces and keeps its members.
package struct FlatFieldsStage: ByteStage, ~Copyable {
  private var tokenizer: Tokenizer<FlatFieldsReader>

  package init(into fields: FlatFields) {
    tokenizer = Tokenizer(into: FlatFieldsReader(into: fields), counters: Counters())
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try tokenizer.write(bytes)
  }

  package consuming func finish() throws(PipelineError) { try tokenizer.finish() }
}
