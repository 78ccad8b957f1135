import Testing

@testable import Sluice

/// Bodies that are sent once more after they broke off.
@Suite struct RepeatedBodyTests {
  /// What was handed on of answers in pieces, and the failure where one was thrown.
  private struct Outcome: Equatable {
    var text = ""
    var error: PipelineError?
  }

  private static func cut(_ received: Int) -> PipelineError {
    PipelineError(.source(.cut(received: received, expected: 99, detail: "")), at: received)
  }

  /// Takes answers in pieces; all but the last break off.
  private func take(_ answers: [[String]]) -> Outcome {
    var body = RepeatedBody()
    var outcome = Outcome()
    do throws(PipelineError) {
      for (number, pieces) in answers.enumerated() {
        if number > 0 { body.begin(after: Self.cut(answers[number - 1].joined().utf8.count)) }
        for piece in pieces {
          let bytes = Array(piece.utf8)
          let skipped = try body.skip(bytes.span.bytes)
          outcome.text += String(decoding: bytes[skipped...], as: UTF8.self)
        }
      }
      try body.end()
    } catch {
      outcome.error = error
    }
    #expect(body.count == outcome.text.utf8.count)
    return outcome
  }

  private func pieces(_ text: String, of size: Int) -> [String] {
    stride(from: 0, to: text.count, by: size).map { start in
      String(text.dropFirst(start).prefix(size))
    }
  }

  @Test func `cut anywhere and in any pieces, it is whole and nothing is in it twice`() {
    let text = "123456789"
    for first in 0...text.count {
      for second in 0...text.count {
        for size in 1...text.count {
          let answers = [
            pieces(String(text.prefix(first)), of: size),
            pieces(String(text.prefix(second)), of: size + 1), pieces(text, of: size),
          ]
          #expect(take(answers) == Outcome(text: text))
        }
      }
    }
  }

  @Test(arguments: [["12X456789"], ["X"], ["1234X"], ["123", "4X6789"], ["1234"], []])
  func `another body is not appended, and the failure before is told`(again: [String]) {
    #expect(take([["12345"], again + ["", "6"]]) == Outcome(text: "12345", error: Self.cut(5)))
  }

  @Test func `what is told is the failure that came furthest`() {
    #expect(
      take([["12345"], ["12"], ["12Y45", "6"]]) == Outcome(text: "12345", error: Self.cut(5)))
    var body = RepeatedBody()
    body.begin(after: Self.cut(5))
    let unconnected = PipelineError(.source(.unconnected(detail: "")))
    let status = PipelineError(.source(.status(404, url: "http://h/", retryAfter: nil)))
    #expect(body.further(unconnected) == Self.cut(5))
    #expect(body.further(Self.cut(7)) == Self.cut(7))
    #expect(body.further(status) == status)
    #expect(body.further(PipelineError(.json(.truncated), at: 1)).offset == 1)
  }
}
