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

  /// What was handed on, what went wrong, and what was counted.
  private struct Outcome {
    var body: [UInt8]
    var error: PipelineError?
    let counters = Counters()
    let date = ContentDate()

    var fault: SourceFault? {
      guard case .source(let fault)? = error?.fault else { return nil }
      return fault
    }
  }

  private func ask(
    _ url: String, rule: RetryRule = .attended, refusesAt: Int = .max
  ) -> Outcome {
    var collector = BodyCollector(refusesAt: refusesAt)
    var outcome = Outcome(body: [])
    do throws(PipelineError) {
      try HTTPSource(url: url, certificateFile: nil)
        .run(
          into: &collector, counters: outcome.counters, date: outcome.date, tries: rule,
          clock: clock.clock)
    } catch {
      outcome.error = error
    }
    outcome.body = collector.bytes
    return outcome
  }

  @Test(
    arguments: [
      "flapping-503", "flapping-short", "flapping-reset", "flapping-no-answer",
      "shorter-and-shorter", "longer-and-longer", "other-after",
    ])
  func `two failures are followed by the rest`(fault: String) {
    let outcome = ask(url(fault))
    #expect(outcome.error == nil && outcome.body == FaultServer.body)
    #expect(clock.waited == [1, 2])
    #expect(outcome.counters.source.bytesIn.value == FaultServer.body.count)
    #expect(outcome.counters.source.bytesOut.value == FaultServer.body.count)
    #expect(outcome.counters.expectedBytes.value == FaultServer.body.count)
    #expect(outcome.counters.secondsToWait.value == 0)
  }

  @Test func `a server that says when is asked then`() {
    #expect(ask(url("flapping-429")).body == FaultServer.body)
    #expect(clock.waited == [2])
  }

  @Test(arguments: ["other-before", "shrunken", "short-body", "cut-chunk"])
  func `another content is not appended, and a server is given up after three tries`(
    fault: String
  ) throws {
    let outcome = ask(url(fault))
    #expect(clock.waited == [1, 2])
    let first = fault == "other-before" ? Array("[".utf8) + FaultServer.body : FaultServer.body
    #expect(outcome.body == Array(first.prefix(1000)))
    guard case .cut(let received, _, _) = outcome.fault else {
      Issue.record("\(outcome)")
      return
    }
    #expect(received == 1000 && outcome.error?.offset == 1000)
    #expect(outcome.counters.source.bytesIn.value == 1000)
  }

  @Test func `what came furthest is told, and counted`() {
    let outcome = ask(url("shorter-in-the-end"))
    #expect(outcome.error?.offset == 1000)
    #expect(outcome.counters.source.bytesIn.value == 1000)
    #expect(outcome.counters.source.bytesOut.value == 1000)
  }

  @Test func `the time of the content is that of the answer that was handed on first`() {
    let outcome = ask(url("later-and-later"))
    #expect(outcome.body == FaultServer.body)
    #expect(outcome.date.seconds == 1_593_108_790)
  }

  @Test(arguments: ["404", "500", "503-much-later", "gzip", "redirect-loop"])
  func `what would be the same again is an error at once`(fault: String) {
    let outcome = ask(url(fault))
    #expect(outcome.fault != nil && outcome.body == [])
    #expect(clock.waited == [])
  }

  @Test func `nobody there is told at once, and asked again where nobody waits`() {
    let nobody = "http://127.0.0.1:9/"
    guard case .unconnected = ask(nobody).fault else {
      Issue.record("connected")
      return
    }
    #expect(clock.waited == [])
    #expect(ask(nobody, rule: RetryRule()).fault != nil)
    #expect(clock.waited == [1, 2])
  }

  @Test func `a server that goes in the middle is asked again, and the middle is told`() throws {
    let fault = SourceFault.cut(received: 5, expected: 9, detail: "")
    let rule = RetryRule.attended
    let gone = PipelineError(.source(.unconnected(detail: "")))
    #expect(rule.pause(after: PipelineError(.source(fault)), try: 1) { $0 } == 1)
    #expect(rule.pause(after: gone, try: 1) { $0 } == nil)
    #expect(rule.pause(after: gone, try: 2) { $0 } == 2)
  }

  @Test func `what the stage throws is not tried again`() {
    #expect(ask(url("ok"), refusesAt: 0).error == BodyCollector.refusal)
    #expect(clock.waited == [])
  }
}
