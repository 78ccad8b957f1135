import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

/// Requests are tried again as the rule says, and one that is asked to wait waits for all.
@Suite(.enabled(if: FaultServer.isPossible, "the fault server needs python3 and openssl"))
struct CollectorTests {
  private let server = FaultServer.shared
  private let clock = TestClock()
  private let folder: ScratchFolder
  /// A query that makes a target nobody has asked for.
  private let fresh = "?\(UUID().uuidString)"

  init() throws { folder = try ScratchFolder() }

  private func run(
    _ paths: [String], atOnce: Int = 1, perSecond: Int = 1000
  ) throws -> SluiceSync.Collector.Outcome {
    var requests = FeedRequests(.one("https://h/"))
    requests.atOnce = atOnce
    let collector = SluiceSync.Collector(
      store: AnswerStore(path: folder.path), reading: { _ in nil }, requests: requests,
      certificateFile: nil, headers: [], secrets: RequestSecrets(),
      pace: Pace(perSecond: perSecond, clock: clock.clock), rule: RetryRule(),
      limits: HTTPLimits(), clock: clock.clock, counters: Counters(),
      budget: AnswerBudget(0, of: .max))
    let queue = NamedQueue(
      paths.enumerated().map { index, path in
        (
          request: PlannedRequest(
            name: .named(path), file: "\(index)",
            url: RequestURL(server.url(path + fresh), hiding: RequestSecrets())),
          role: .member(path)
        )
      }, kept: [:])
    return try collector.run(queue)
  }

  @Test func `what may pass is tried three times, and each failure is told once`() throws {
    let outcome = try run(["404", "503"])
    #expect(outcome.failures.map(\.name) == [.named("404"), .named("503")])
    #expect(outcome.queue.missing == [.named("404"), .named("503")])
    #expect(clock.waited.filter { $0 >= 1 } == [1, 2])
    #expect(outcome.queue.done == 0)
  }

  @Test func `a wait that a server asks for is kept by the whole run`() throws {
    // The answer is no JSON: what matters is how long was waited before it came.
    let outcome = try run(["flapping-429"], atOnce: 2)
    #expect(outcome.failures.count == 1)
    #expect(clock.waited.reduce(0, +) >= 2)
  }

  @Test(arguments: [1, 2])
  func `who is told for good to stay away asks nothing more`(atOnce: Int) throws {
    let outcome = try run(["503", "404", "ok"], atOnce: atOnce)
    #expect(outcome.failures.map(\.name) == [.named("503")])
    #expect(outcome.queue.missing == [.named("503"), .named("404"), .named("ok")])
  }

  @Test func `an answer that is no JSON leaves no file`() throws {
    let outcome = try run(["ok", "short-body"])
    #expect(outcome.failures.count == 2)
    #expect(try FeedFolder.names(in: folder.path) == [])
  }
}
