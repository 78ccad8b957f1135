import Testing

@testable import Sluice

/// Bodies that are sent once more after they broke off.
@Suite struct RepeatedBodyTests {
  private static let cut = PipelineError(
    .source(.cut(received: 5, expected: 9, detail: "")), at: 5)
  private static let second = PipelineError(
    .source(.cut(received: 2, expected: 9, detail: "")), at: 2)

  /// What is handed on of answers in pieces, a failure after each but the last.
  private func handedOn(_ answers: [[String]]) throws(PipelineError) -> String {
    var body = RepeatedBody()
    var text = ""
    for (number, pieces) in answers.enumerated() {
      if number > 0 { body.begin(after: number == 1 ? Self.cut : Self.second) }
      for piece in pieces {
        let bytes = Array(piece.utf8)
        let skipped = try body.skip(bytes.span.bytes)
        text += String(decoding: bytes[skipped...], as: UTF8.self)
      }
    }
    try body.end()
    return text
  }

  private func pieces(_ text: String, of size: Int) -> [String] {
    stride(from: 0, to: text.count, by: size).map { start in
      String(text.dropFirst(start).prefix(size))
    }
  }

  @Test func `cut anywhere and in any pieces, it is whole and nothing is in it twice`() throws {
    let text = "123456789"
    for first in 0...text.count {
      for second in 0...text.count {
        for size in 1...text.count {
          let answers = [
            pieces(String(text.prefix(first)), of: size),
            pieces(String(text.prefix(second)), of: size + 1), pieces(text, of: size),
          ]
          #expect(try handedOn(answers) == text)
        }
      }
    }
  }

  @Test(arguments: [["12X456789"], ["X"], ["1234X"], ["123", "4X6789"], ["1234"], []])
  func `another body is not appended, and the failure before is told`(again: [String]) {
    #expect(throws: Self.cut) { try handedOn([["12345"], again + ["", "6"]]) }
  }

  @Test func `a body that breaks off before it differs is told with its last failure`() {
    #expect(throws: Self.second) { try handedOn([["12345"], ["12"], ["12Y45"]]) }
  }
}
