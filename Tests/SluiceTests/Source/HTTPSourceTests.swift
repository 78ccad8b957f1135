import Foundation
import Testing

@testable import Sluice

@Suite(.enabled(if: FaultServer.isPossible, "the fault server needs python3 and openssl"))
struct HTTPSourceTests {
  private let server = FaultServer.shared

  @Test(arguments: ["ok", "chunked", "no-length", "identity", "interim", "modified"])
  func `a good answer comes whole`(fault: String) {
    let fetch = Fetch(server.url(fault))
    #expect(fetch.error == nil)
    #expect(fetch.body == FaultServer.body)
    #expect(fetch.flow == [65_536, 65_536])
    #expect(fetch.expected == (["chunked", "no-length"].contains(fault) ? -1 : 65_536))
    #expect(fetch.modified == (fault == "modified" ? 1_593_108_790 : nil))
  }

  @Test func `an empty body is none of the source's business`() {
    let fetch = Fetch(server.url("empty"))
    #expect(fetch.error == nil)
    #expect(fetch.body == [])
    #expect(fetch.expected == 0)
  }

  @Test func `the request names the program and asks for no encoding`() {
    let lines = Fetch(server.url("echo")).text.split(separator: "\r\n")
    #expect(lines.first == "GET /echo HTTP/1.1")
    #expect(lines.contains("User-Agent: \(HTTPSource.userAgent)"))
    #expect(lines.contains("Accept-Encoding: identity"))
    #expect(lines.filter { $0.lowercased().hasPrefix("accept-encoding") }.count == 1)
    #expect(lines.contains { $0.hasPrefix("Authorization") } == false)
  }

  @Test func `what the stage throws is thrown unchanged`() {
    let fetch = Fetch(server.url("endless-body"), refusesAt: 30_000)
    #expect(fetch.error == BodyCollector.refusal)
    #expect(fetch.flow[1] < fetch.flow[0])
  }

  @Test func `a slow stage is not a slow server`() {
    let fetch = Fetch(
      server.url("ok"), onWrite: { usleep(700_000) },
      limits: {
        $0.slowSeconds = 1
        $0.slowBytesPerSecond = 100_000_000
        $0.totalSeconds = 2
      })
    #expect(fetch.error == nil)
    #expect(fetch.body.count == 65_536)
  }

  // MARK: Bodies that end early

  @Test(arguments: [("short-body", 65_536), ("reset", 65_536), ("cut-chunk", nil)])
  func `a body that ends early says what came and what was to come`(
    fault: String, expected: Int?
  ) {
    let fetch = Fetch(server.url(fault))
    guard case .cut(1000, expected, let detail)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
    #expect(fetch.error?.offset == 1000)
    #expect(detail.isEmpty == false)
    #expect(fetch.body.count == 1000)
  }

  @Test func `chunks without a last one are cut`() {
    guard case .cut(1000, nil, _)? = Fetch(server.url("no-last-chunk")).fault else {
      Issue.record("not cut")
      return
    }
  }

  @Test(arguments: ["no-answer", "cut-head", "cut-redirect"])
  func `an answer without a whole head is cut at nothing`(fault: String) {
    let fetch = Fetch(server.url(fault))
    guard case .cut(0, nil, _)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
    #expect(fetch.error?.offset == nil)
  }

  @Test func `a cut that only the content can show is no error here`() {
    let fetch = Fetch(server.url("no-length-cut"))
    #expect(fetch.error == nil)
    #expect(fetch.body.count == 32_768)
    #expect(fetch.expected == -1)
  }

  // MARK: Encodings and limits

  @Test(arguments: ["gzip", "gzip-in-name-only"])
  func `an encoded body is refused and none of it handed on`(fault: String) {
    let fetch = Fetch(server.url(fault))
    #expect(fetch.error == PipelineError(.source(.contentEncoding("gzip"))))
    #expect(fetch.body == [])
  }

  @Test(arguments: ["big-headers", "big-header-line", "endless-headers", "endless-interim"])
  func `headers above the limit are refused`(fault: String) {
    let fetch = Fetch(server.url(fault))
    #expect(fetch.error == PipelineError(.source(.headersTooLarge(limit: 65_536))))
  }

  @Test func `trailers count as headers`() {
    let fetch = Fetch(server.url("endless-trailers"))
    #expect(fetch.fault == .headersTooLarge(limit: 65_536))
  }

  @Test func `a body above the limit is refused, before it comes where it says so`() {
    let endless = Fetch(server.url("endless-body"), limits: { $0.bodyBytes = 100_000 })
    #expect(
      endless.error
        == PipelineError(.source(.bodyTooLarge(limit: 100_000, expected: nil)), at: 100_000))
    #expect(endless.body.count <= 100_000)
    let huge = Fetch(server.url("huge-length"))
    #expect(
      huge.error
        == PipelineError(.source(.bodyTooLarge(limit: 256 << 20, expected: 1 << 40))))
    #expect(huge.body == [])
    #expect(Fetch(server.url("ok"), limits: { $0.bodyBytes = 65_536 }).error == nil)
    #expect(Fetch(server.url("ok"), limits: { $0.bodyBytes = 65_535 }).error != nil)
  }

  @Test(arguments: ["drip", "slow-headers", "silent", "stall"])
  func `a slow server is given up`(fault: String) {
    let fetch = Fetch(server.url(fault), limits: { $0.slowSeconds = 1 })
    guard case .tooSlow(1024, 1, fetch.body.count, let expected)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
    #expect(expected == (["drip", "stall"].contains(fault) ? 65_536 : nil))
  }

  @Test func `a transfer without end is given up`() {
    let fetch = Fetch(
      server.url("steady"),
      limits: {
        $0.slowSeconds = 1
        $0.totalSeconds = 2
      })
    #expect(
      fetch.error
        == PipelineError(
          .source(.tooLong(seconds: 2, received: fetch.body.count, expected: nil)),
          at: fetch.body.count))
    #expect(fetch.body.count > 0)
  }

  // MARK: Statuses

  @Test(arguments: [
    ("101", 101, nil), ("201", 201, nil), ("204", 204, nil), ("206", 206, nil), ("300", 300, nil),
    ("304", 304, nil),
    ("401", 401, nil), ("404", 404, nil), ("404-short-body", 404, nil), ("429-seconds", 429, 17),
    ("429-garbage", 429, nil), ("429-past", 429, nil), ("429-negative", 429, nil),
    ("500", 500, nil), ("502", 502, 3), ("503", 503, nil), ("504", 504, nil),
    ("redirect-nowhere", 302, nil),
  ])
  func `a status other than 200 is an error`(fault: String, status: Int, wait: Int?) {
    let fetch = Fetch(server.url(fault))
    #expect(
      fetch.error
        == PipelineError(.source(.status(status, url: server.url(fault), retryAfter: wait))))
    #expect(fetch.body == [])
    #expect(fetch.expected == -1)
  }

  @Test func `Retry-After as a date is seconds from now`() {
    let fetch = Fetch(server.url("429-date"))
    guard case .status(429, _, let wait?)? = fetch.fault else {
      Issue.record("\(String(describing: fetch.error))")
      return
    }
    #expect((3000...3600).contains(wait))
  }

  @Test(arguments: [
    ("two-lengths", SourceFault.contentLength("10, 65536")),
    ("gzip-transfer", .transferCoding("gzip, chunked")),
  ])
  func `a body whose end is in doubt is refused whole`(fault: String, says: SourceFault) {
    let fetch = Fetch(server.url(fault))
    #expect(fetch.fault == says && fetch.body == [])
  }

  @Test(arguments: ["not-http", "bad-length", "bad-chunk"])
  func `what is no HTTP is an error`(fault: String) {
    let fetch = Fetch(server.url(fault))
    #expect(fetch.fault != nil)
    #expect(fetch.body == [])
  }
}
