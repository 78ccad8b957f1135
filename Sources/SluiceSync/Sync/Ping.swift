import Sluice

/// Reports a run to a monitor of nightly jobs: healthchecks.io, or a server with the same protocol
/// (https://healthchecks.io/docs/http_api/).
///
///     https://hc.example/ping/KEY?x=1   ─▶ GET  …/ping/KEY/start?x=1   a run begins
///                                       ─▶ GET  …/ping/KEY?x=1         it succeeded
///                                       ─▶ POST …/ping/KEY/fail?x=1    it failed, and why
///
/// The whole URL is a secret, including its path: anyone who has it can send reports. It is not
/// part of `description`, and errors name at most its origin.
public struct Ping: Equatable, Sendable {
  /// An event to report.
  public enum News: Equatable, Sendable {
    case begun
    case succeeded
    /// The run failed. `lines` are the last lines of its messages.
    case failed(lines: String)
  }

  /// The limits of a request: a monitor must not delay the run.
  static let limits = HTTPLimits(
    bodyBytes: 64 << 10, connectSeconds: 10, slowSeconds: 10, totalSeconds: 10)
  /// The largest number of bytes of lines that are sent: the last ones.
  static let mostBytes = 10_000

  private let url: String
  /// Scheme, host and port.
  private let origin: String

  /// Makes a ping from an `http` or `https` URL. Returns nil if the text is not one.
  public init?(_ text: String) {
    do throws(PipelineError) {
      let address = try HTTPAddress(text)
      origin = "\(address.scheme)://\(address.host):\(address.port)"
    } catch {
      guard case .source(.libraryMissing) = error.fault else { return nil }
      origin = Redaction.mark
    }
    url = String(text.prefix { $0 != "#" })
  }

  /// Sends the report once, without a retry. Blocks for about 10 seconds at most.
  ///
  /// Any status 2xx is success. Returns the error, or nil if the report arrived. The error is not a
  /// reason for the run to fail.
  public func tell(_ news: News, certificateFile: String? = nil) -> PipelineError? {
    tell(news, certificateFile: certificateFile, limits: Self.limits)
  }

  /// Sends the report with other limits, for tests.
  func tell(_ news: News, certificateFile: String? = nil, limits: HTTPLimits) -> PipelineError? {
    var nobody = Nobody()
    do throws(PipelineError) {
      try HTTPSource(
        url: address(for: news), certificateFile: certificateFile, body: Self.body(of: news),
        limits: limits
      ).run(into: &nobody, counters: Counters())
      return nil
    } catch {
      return withoutSecrets(error)
    }
  }

  /// The URL of a report. The end of the path says what happened.
  func address(for news: News) -> String {
    let end =
      switch news {
      case .begun: "/start"
      case .succeeded: ""
      case .failed: "/fail"
      }
    guard !end.isEmpty else { return url }
    var path = url.prefix { $0 != "?" }
    let query = url[path.endIndex...]
    while path.hasSuffix("/") { path.removeLast() }
    return path + end + query
  }

  private static func body(of news: News) -> String? {
    guard case .failed(let lines) = news else { return nil }
    let all = lines.utf8
    guard all.count > mostBytes else { return lines }
    let last = all.suffix(mostBytes)
    // Cut at a whole line.
    let start = last.firstIndex(of: UInt8(ascii: "\n")).map { last.index(after: $0) }
    return String(decoding: last[(start ?? last.startIndex)...], as: UTF8.self)
  }

  private func withoutSecrets(_ error: PipelineError) -> PipelineError? {
    guard case .source(let fault) = error.fault else { return error }
    switch fault {
    case .status(200..<300, _, _): return nil
    // The report arrived. The body of a 200 does not matter.
    case .bodyTooLarge, .contentEncoding, .contentLength, .transferCoding: return nil
    case .status(let status, _, let wait):
      return PipelineError(.source(.status(status, url: origin, retryAfter: wait)))
    case .redirect(_, let refusal):
      // The target of a redirect mostly has the same path.
      return PipelineError(.source(.redirect(to: Redaction.mark, refusal)))
    case .invalidURL: return PipelineError(.source(.invalidURL(Redaction.mark)))
    default: return error
    }
  }
}

extension Ping: CustomStringConvertible, CustomDebugStringConvertible {
  /// Hides the URL.
  public var description: String { Redaction.mark }
  /// Hides the URL.
  public var debugDescription: String { description }
}

/// Discards the body of the monitor's answer.
private struct Nobody: ByteStage, ~Copyable {
  mutating func write(_ bytes: RawSpan) throws(PipelineError) {}
  consuming func finish() throws(PipelineError) {}
}
