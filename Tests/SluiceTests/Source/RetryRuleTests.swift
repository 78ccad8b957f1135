import Testing

@testable import Sluice

@Suite struct RetryRuleTests {
  private let rule = RetryRule()

  /// The longest wait after a fault.
  private func pause(_ fault: SourceFault, try number: Int = 1) -> Double? {
    rule.pause(after: PipelineError(.source(fault)), try: number) { $0 }
  }

  private func status(_ code: Int, after: Int? = nil) -> SourceFault {
    .status(code, url: "http://h/", retryAfter: after)
  }

  @Test func `what may pass is tried again, three times in all`() {
    let passing: [SourceFault] = [
      .unresolved(detail: ""), .unconnected(detail: ""), .connectTimeout(seconds: 30, detail: ""),
      .cut(received: 0, expected: nil, detail: ""),
      .tooSlow(bytesPerSecond: 1, seconds: 1, received: 0, expected: nil),
      status(429), status(502), status(503), status(504),
    ]
    for fault in passing {
      #expect(pause(fault) == 1)
      #expect(pause(fault, try: 2) == 2)
      #expect(pause(fault, try: 3) == nil)
    }
  }

  @Test func `what would be the same again is not`() {
    let lasting: [SourceFault] = [
      status(400), status(401), status(404), status(408), status(500), status(501),
      .certificate(detail: ""), .tls(detail: ""), .contentEncoding("gzip"),
      .headersTooLarge(limit: 1), .bodyTooLarge(limit: 1, expected: nil),
      .redirect(to: "", .downgrade), .invalidURL(""), .noFile(path: ""),
      .tooLong(seconds: 300, received: 0, expected: nil),
    ]
    for fault in lasting { #expect(pause(fault) == nil, "\(fault)") }
    #expect(rule.pause(after: PipelineError(.json(.truncated)), try: 1) { $0 } == nil)
  }

  @Test func `the wait is anything from nothing to the longest, which has a cap`() {
    var slow = rule
    slow.tries = 20
    let error = PipelineError(.source(status(503)))
    #expect(slow.pause(after: error, try: 5) { _ in 0 } == 0)
    #expect(slow.pause(after: error, try: 5) { $0 } == 16)
    #expect(slow.pause(after: error, try: 6) { $0 } == 30)
    #expect(slow.pause(after: error, try: 19) { $0 } == 30)
  }

  @Test func `nobody comes earlier than told`() {
    #expect(
      rule.pause(after: PipelineError(.source(status(429, after: 17))), try: 1) { _ in 0 } == 17)
    #expect(pause(status(503, after: 120)) == 121)
    #expect(pause(status(503, after: 121)) == nil)
    #expect(pause(status(404, after: 1)) == nil)
  }
}
