import Foundation
import Synchronization
import Testing

@testable import Sluice
@testable import SluiceSync

/// Time that passes only where somebody waits.
final class TestClock: Sendable {
  private let waits = Mutex<[Double]>([])
  /// How long was waited, each time.
  var waited: [Double] { waits.withLock { $0 } }

  /// The clock; every wait is as long as it may be.
  var clock: SyncClock {
    SyncClock(
      now: { 1_600_000_000 }, elapsed: { self.waited.reduce(0, +) },
      wait: { seconds in self.waits.withLock { $0.append(seconds) } }, random: { $0 })
  }
}

@Suite(.enabled(if: FaultServer.isPossible, "the fault server needs python3 and openssl"))
struct FetcherTests {
  private let server = FaultServer.shared
  private let clock = TestClock()

  private func fetch(
    _ path: String, into folder: ScratchFolder, validators: HTTPValidators = HTTPValidators(),
    total: Double = 300
  ) throws(PipelineError) -> Fetcher.Result {
    var fetcher = Fetcher(
      conversion: Conversion(of: .url(server.url(path)), as: .hotWater), validators: validators)
    fetcher.clock = clock.clock
    fetcher.rule.total = total
    return try fetcher.fetch(into: folder("copy"))
  }

  /// A query that makes a target nobody has asked for.
  private let fresh = "?\(UUID().uuidString)"

  @Test(arguments: ["503", "short", "no-answer"])
  func `a server that fails twice is asked a third time`(fault: String) throws {
    let folder = try ScratchFolder()
    guard case .content(let fingerprint, _) = try fetch("flapping-\(fault)\(fresh)", into: folder)
    else {
      Issue.record("no content")
      return
    }
    #expect(clock.waited == [1, 2])
    #expect(fingerprint.length == 65_536)
    #expect(folder.text("copy")?.utf8.count == 65_536)
    #expect(folder.names == ["copy"])
    #expect(folder.status("copy").st_mtim.tv_sec == 0)
  }

  @Test func `a server that says when is asked then, garbage is not listened to`() throws {
    let folder = try ScratchFolder()
    _ = try fetch("flapping-429\(fresh)", into: folder)
    #expect(clock.waited == [2])
    _ = try fetch("flapping-garbage\(fresh)", into: folder)
    #expect(clock.waited == [2, 1])
  }

  @Test(arguments: ["503", "short-body", "reset"])
  func `a server that goes on failing is given up, and nothing stays`(fault: String) throws {
    let folder = try ScratchFolder()
    #expect(throws: PipelineError.self) { _ = try fetch(fault, into: folder) }
    #expect(clock.waited == [1, 2])
    #expect(folder.names == [])
  }

  @Test(arguments: ["404", "500", "503-much-later", "gzip", "redirect-loop", "flapping-404"])
  func `what would be the same again is an error at once`(fault: String) throws {
    let folder = try ScratchFolder()
    #expect(throws: PipelineError.self) { _ = try fetch(fault + fresh, into: folder) }
    #expect(clock.waited == [])
  }

  @Test func `the time for all tries together has an end`() throws {
    let folder = try ScratchFolder()
    #expect(throws: PipelineError.self) { _ = try fetch("503", into: folder, total: 2.5) }
    #expect(clock.waited == [1])
  }

  @Test func `what is known already is not sent again, and a 304 unasked is an error`() throws {
    let folder = try ScratchFolder()
    guard case .content(_, let validators) = try fetch("etag", into: folder) else {
      Issue.record("no content")
      return
    }
    #expect(validators.entityTag?.first == "\"")
    #expect(try fetch("etag", into: folder, validators: validators) == .notModified(validators))
    #expect(
      try fetch("redirect-to-etag", into: folder, validators: validators)
        == .notModified(validators))
    // The old validators stay where the answer brings none.
    #expect(
      try fetch("always-304", into: folder, validators: validators) == .notModified(validators))
    #expect(throws: PipelineError.self) { _ = try fetch("always-304", into: folder) }
  }

  @Test func `the file has the time of the content`() throws {
    let folder = try ScratchFolder()
    _ = try fetch("modified", into: folder)
    #expect(folder.status("copy").st_mtim.tv_sec == 1_593_108_790)
  }

  @Test func `header lines go to the first origin only`() throws {
    var source = Conversion(of: .url(server.url("redirect-other-host")), as: .hotWater)
    source.headers = ["X-Secret: abc"]
    let folder = try ScratchFolder()
    _ = try Fetcher(conversion: source).fetch(into: folder("copy"))
    #expect(folder.text("copy")?.contains("abc") == false)
    source.input = .url(server.url("echo"))
    _ = try Fetcher(conversion: source).fetch(into: folder("copy"))
    #expect(folder.text("copy")?.contains("\r\nX-Secret: abc\r\n") == true)
  }
}
