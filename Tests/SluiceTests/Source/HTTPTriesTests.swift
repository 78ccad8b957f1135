import Foundation
import Testing

@testable import Sluice

/// Answers that break off, asked for again while their bytes flow on.
@Suite(.enabled(if: FaultServer.isPossible, "the fault server needs python3 and openssl"))
struct HTTPTriesTests {
  private let server = FaultServer.shared
  private let clock = TestClock()

  /// A target that nobody has asked for.
  private func url(_ fault: String) -> String { server.url("\(fault)?\(UUID().uuidString)") }

  private func body(_ url: String, rule: RetryRule = .attended) throws(PipelineError) -> [UInt8] {
    var collector = BodyCollector()
    try HTTPSource(url: url, certificateFile: nil)
      .run(into: &collector, tally: Tally(), tries: rule, clock: clock.clock)
    return collector.bytes
  }

  @Test(
    arguments: [
      "flapping-503", "flapping-short", "flapping-reset", "flapping-no-answer",
      "shorter-and-shorter", "longer-and-longer", "other-after",
    ])
  func `two failures are followed by the rest`(fault: String) throws {
    #expect(try body(url(fault)) == FaultServer.body)
    #expect(clock.waited == [1, 2])
  }

  @Test func `a server that says when is asked then`() throws {
    #expect(try body(url("flapping-429")) == FaultServer.body)
    #expect(clock.waited == [2])
  }

  @Test(arguments: ["other-before", "shrunken", "short-body", "503", "cut-chunk"])
  func `another content is not appended, and a server is given up after three tries`(
    fault: String
  ) throws {
    let error = try #require(throws: PipelineError.self) { try body(url(fault)) }
    #expect(clock.waited == [1, 2])
    guard case .source(.cut(let received, _, _)) = error.fault else {
      #expect(fault == "503")
      return
    }
    #expect(received == 1000)
  }

  @Test(arguments: ["404", "500", "503-much-later", "gzip", "redirect-loop"])
  func `what would be the same again is an error at once`(fault: String) throws {
    #expect(throws: PipelineError.self) { try body(url(fault)) }
    #expect(clock.waited == [])
  }

  @Test func `nobody there is told at once, and asked again where nobody waits`() throws {
    #expect(throws: PipelineError.self) { try body("http://127.0.0.1:9/") }
    #expect(clock.waited == [])
    #expect(throws: PipelineError.self) { try body("http://127.0.0.1:9/", rule: RetryRule()) }
    #expect(clock.waited == [1, 2])
  }

  @Test func `what the stage throws is not tried again`() throws {
    var collector = BodyCollector(refusesAt: 0)
    let error = #expect(throws: PipelineError.self) {
      try HTTPSource(url: url("ok"), certificateFile: nil)
        .run(into: &collector, tally: Tally(), tries: .attended, clock: clock.clock)
    }
    #expect(error == BodyCollector.refusal)
    #expect(clock.waited == [])
  }
}
