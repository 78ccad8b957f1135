@testable import Sluice

/// Tokens that are read by an index, in every way that this processor knows.
enum IndexedTokens {
  /// Returns the tokens and the error of a text that is read byte by byte, inside of a list and as
  /// lines. Every index must come to the same, whole and in pieces that it covers in part.
  static func read(_ input: [UInt8], inPiecesOf length: Int) -> [UInt8] {
    // An index covers whole blocks: a text of the fuzzer is put behind others, so that some are
    // full.
    let filler = Array(
      #"["a text that fills more than one block of an index: ждать до утра",[1,{"a":-2.5}],"#.utf8)
    let end = Array(#", {"b":"\n","c" : [ true,false , null,12]}]"#.utf8)
    let listed = compare(filler + input + end + filler, inPiecesOf: length, asLines: false)
    let line = Array(
      #"{"a":"a line that fills more than one block of an index","b":[1,-2.5]}"#.utf8)
    let newline: [UInt8] = [10]
    let lines = line + newline + line + newline + input + newline + line
    return listed + compare(lines, inPiecesOf: length, asLines: true)
  }

  private static func compare(
    _ text: [UInt8], inPiecesOf length: Int, asLines: Bool
  ) -> [UInt8] {
    let expected = tokens(text, text.count, .none, asLines: asLines)
    for way in StructuralIndex.Way.allCases where way != .none && way.isKnown {
      for length in [text.count, 64 + length, 64 * (1 + length % 8)] {
        let found = tokens(text, length, way, asLines: asLines)
        guard found == expected else {
          fatalError("\(way), in pieces of \(length): \(found), not \(expected)")
        }
      }
    }
    return expected
  }

  private static func tokens(
    _ text: [UInt8], _ length: Int, _ way: StructuralIndex.Way, asLines: Bool
  ) -> [UInt8] {
    let output = Output()
    do throws(PipelineError) {
      let json = Tokenizer(into: PassingWriter(to: output), indexed: way, counters: Counters())
      if asLines {
        try Subject.feed(text, length, to: LineList(into: json))
      } else {
        try Subject.feed(text, length, to: json)
      }
    } catch {
      output.bytes += Array("\(error)".utf8)
    }
    return output.bytes
  }
}

/// Keeps tokens as bytes. What it asks for depends on the token alone.
struct PassingWriter: TokenStage, ~Copyable {
  private let output: Output

  init(to output: Output) { self.output = output }

  /// Low, so that some values are passed in part only.
  var passLimit: Int { 700 }

  // Whole objects are not asked for.
  mutating func recordForm() -> RecordForm? { nil }
  mutating func object(_ record: WholeRecord) throws(PipelineError) {}

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    // The texts of passed tokens are left out or not, as the limit is met.
    if offset <= passLimit { text.withUnsafeBytes { output.bytes.append(contentsOf: $0) } }
    if kind == .stringPiece { return .proceed }
    output.bytes += [kind.rawValue, UInt8(truncatingIfNeeded: offset)]
    switch kind {
    case .key: return [.proceed, .pass, .pieces, .pass][offset % 4]
    case .beginObject, .beginArray: return offset % 3 == 0 ? .capture : .proceed
    default: return .proceed
    }
  }

  consuming func finish() throws(PipelineError) { output.bytes.append(0) }
}
