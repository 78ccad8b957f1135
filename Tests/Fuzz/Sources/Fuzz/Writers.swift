@testable import Sluice

/// Holds what came out of the last stage.
final class Output {
  var bytes: [UInt8] = []
}

/// Keeps bytes.
struct Writer: ByteStage, ~Copyable {
  private let output: Output

  init(to output: Output) { self.output = output }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    bytes.withUnsafeBytes { output.bytes.append(contentsOf: $0) }
  }

  consuming func finish() throws(PipelineError) { output.bytes.append(0) }
}

/// Keeps tokens as bytes; the pieces of a string as one token.
struct TokenWriter: TokenStage, ~Copyable {
  private let output: Output
  private let isAsking: Bool
  private var asked = 0

  init(to output: Output, isAsking: Bool) {
    self.output = output
    self.isAsking = isAsking
  }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    text.withUnsafeBytes { output.bytes.append(contentsOf: $0) }
    if kind == .stringPiece { return .proceed }
    output.bytes += [kind.rawValue, UInt8(truncatingIfNeeded: offset)]
    guard isAsking else { return .proceed }
    asked += 1
    switch kind {
    case .key: return asked % 2 == 0 ? .pieces : .proceed
    case .beginObject, .beginArray: return asked % 3 == 0 ? .capture : .proceed
    default: return .proceed
    }
  }

  consuming func finish() throws(PipelineError) { output.bytes.append(0) }
}

/// Makes base64 text, with a line break here and there.
enum Base64Text {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0...3 {
        text.append(place > group.count ? 0x3D : alphabet[bits >> (18 - 6 * place) & 0x3F])
      }
      if start % 57 == 0, start > 0 { text += [0x0D, 0x0A] }
    }
    return text
  }
}
