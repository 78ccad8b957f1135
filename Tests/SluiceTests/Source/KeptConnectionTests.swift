import Testing

@testable import Sluice

/// A connection that is kept serves one request after the other, and tells none of the last.
@Suite(.enabled(if: FaultServer.isPossible, "the fault server needs python3 and openssl"))
struct KeptConnectionTests {
  private let server = FaultServer.shared
  private let connection: KeptConnection

  init() throws { connection = try KeptConnection() }

  /// Asks over the connection; the body, or what went wrong.
  private func ask(
    _ path: String, _ listener: String = "http", headers: [String] = [],
    certificateFile: String? = nil
  ) -> Result<[UInt8], PipelineError> {
    let source = HTTPSource(
      url: server.url(path, listener), certificateFile: certificateFile, headers: headers)
    var body = BodyCollector()
    do throws(PipelineError) {
      _ = try source.ask(into: &body, over: connection, counters: Counters(), date: ContentDate())
      return .success(body.bytes)
    } catch {
      return .failure(error)
    }
  }

  private func text(_ path: String, headers: [String] = []) throws -> String {
    String(decoding: try ask(path, headers: headers).get(), as: UTF8.self)
  }

  @Test func `answers are whole, whatever came before`() throws {
    for path in ["ok", "chunked", "404", "ok", "short-body", "redirects?2", "503", "reset", "ok"] {
      switch ask(path) {
      case .success(let body): #expect(body == FaultServer.body, "\(path)")
      case .failure: #expect(["404", "short-body", "503", "reset"].contains(path), "\(path)")
      }
    }
    #expect(try ask("ok", "https", certificateFile: server.authority).get() == FaultServer.body)
  }

  @Test func `a name that is not found may be asked for again`() throws {
    for _ in 0..<2 {
      var body = BodyCollector()
      do throws(PipelineError) {
        _ = try HTTPSource(url: "http://nowhere.invalid/", certificateFile: nil)
          .ask(into: &body, over: connection, counters: Counters(), date: ContentDate())
        Issue.record("found")
      } catch {
        guard case .source(.unresolved) = error.fault else {
          Issue.record("\(error)")
          return
        }
      }
    }
    #expect(try ask("ok").get() == FaultServer.body)
  }

  @Test func `header lines of one request are not sent with the next`() throws {
    #expect(try text("echo", headers: ["X-Key: abc"]).contains("X-Key: abc"))
    let next = try text("echo")
    #expect(!next.contains("X-Key") && next.contains("Accept-Encoding: identity"))
  }

  @Test func `redirects are judged as ever`() {
    guard case .failure(let error) = ask("redirect-file") else {
      Issue.record("followed")
      return
    }
    guard case .source(.redirect(_, .scheme)) = error.fault else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a certificate that was trusted for one request is not for the next`() throws {
    #expect(try ask("ok", "https", certificateFile: server.authority).get() == FaultServer.body)
    guard case .failure(let error) = ask("ok", "https"), case .source(.certificate) = error.fault
    else {
      Issue.record("trusted")
      return
    }
  }
}
