import Sluice

/// Tells a watcher of nightly jobs how a run goes: healthchecks.io, or a server that speaks as it
/// does (https://healthchecks.io/docs/http_api/).
///
///     https://hc.example/ping/KEY?x=1   ─▶ GET  …/ping/KEY/start?x=1   a run begins
///                                       ─▶ GET  …/ping/KEY?x=1         it went well
///                                       ─▶ POST …/ping/KEY/fail?x=1    it failed, and why
///
/// The whole URL is a secret, its path too: whoever has it can tell the watcher anything. It is not
/// in `description`, and errors name its origin at most.
public struct Ping: Equatable, Sendable {
  /// What there is to tell.
  public enum News: Equatable, Sendable {
    case begun
    case succeeded
    /// With the last lines of what the run had to say.
    case failed(lines: String)
  }

  /// How long a watcher is waited for: it must not hold the run up.
  static let limits = HTTPLimits(
    bodyBytes: 64 << 10, connectSeconds: 10, slowSeconds: 10, totalSeconds: 10)
  /// The most bytes of lines that are told, the last ones.
  static let mostBytes = 10_000

  private let url: String
  /// Scheme, host and port.
  private let origin: String

  /// Takes an `http` or `https` URL; nil where it is none.
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

  /// Tells it, without a second try; blocks for some seconds at most.
  ///
  /// Any 2xx will do. Returns why it was not heard: no reason for anybody to fail.
  public func tell(_ news: News, certificateFile: String? = nil) -> PipelineError? {
    tell(news, certificateFile: certificateFile, limits: Self.limits)
  }

  /// Tells it with other limits, for tests.
  func tell(_ news: News, certificateFile: String? = nil, limits: HTTPLimits) -> PipelineError? {
    var nobody = Nobody()
    do throws(PipelineError) {
      try HTTPSource(
        url: address(for: news), certificateFile: certificateFile, body: Self.body(of: news),
        limits: limits
      ).run(into: &nobody, tally: Tally())
      return nil
    } catch {
      return withoutSecrets(error)
    }
  }

  /// Where the news goes: the path's end says what it is.
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
    // Half a line says nothing, half a character less.
    let start = last.firstIndex(of: UInt8(ascii: "\n")).map { last.index(after: $0) }
    return String(decoding: last[(start ?? last.startIndex)...], as: UTF8.self)
  }

  private func withoutSecrets(_ error: PipelineError) -> PipelineError? {
    guard case .source(let fault) = error.fault else { return error }
    switch fault {
    case .status(200..<300, _, _): return nil
    // It was heard; what else a 200 brings is of no consequence.
    case .bodyTooLarge, .contentEncoding: return nil
    case .status(let status, _, let wait):
      return PipelineError(.source(.status(status, url: origin, retryAfter: wait)))
    case .redirect(_, let refusal):
      // Where a server points to is mostly the same path.
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

/// Takes what a watcher answers and forgets it.
private struct Nobody: ByteStage, ~Copyable {
  mutating func write(_ bytes: RawSpan) throws(PipelineError) {}
  consuming func finish() throws(PipelineError) {}
}
