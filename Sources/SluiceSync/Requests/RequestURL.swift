import Sluice

/// The URL of a request, and a form of it without secrets.
struct RequestURL: Sendable, Equatable {
  /// The URL with its secrets.
  private(set) var real: String
  /// The URL without secrets: for messages, logs and state.
  private(set) var shown: String

  /// Makes a URL that a user wrote, without its fragment. Hides userinfo, the values of its query
  /// and the given secrets.
  init(_ text: String, hiding secrets: RequestSecrets) {
    real = String(text.prefix { $0 != "#" })
    shown = secrets.hide(in: Redaction.url(real))
  }

  /// Makes a URL that a server linked, without its fragment. Hides userinfo and the given secrets.
  init(link text: String, hiding secrets: RequestSecrets) {
    real = String(text.prefix { $0 != "#" })
    shown = secrets.hide(in: Redaction.link(real))
  }

  /// Adds a parameter to the query. `value` is sent, `shownValue` is shown. Both are
  /// percent-encoded already.
  mutating func add(_ name: String, _ value: String, shown shownValue: String) {
    let separator = real.contains("?") ? "&" : "?"
    let start = separator + PercentEncoding.encode(name) + "="
    real += start + value
    shown += start + shownValue
  }
}

extension RequestURL: CustomStringConvertible, CustomDebugStringConvertible {
  var description: String { shown }
  var debugDescription: String { shown }
}

/// Makes the URLs of a feed's requests.
///
///     https://h/v1/list?x=1 and {q: "{city}", key: $KEY}  ─▶  https://h/v1/list?x=1&q=Minsk&key=…
///     the same of the mirror http://127.0.0.1:80/api      ─▶  http://127.0.0.1:80/api/v1/list?x=1…
struct RequestURLMaker: Sendable {
  var parameters: [FeedRequests.Parameter]
  /// Replaces the scheme, host and port of a URL, and precedes its path. Nil to ask the feed's own
  /// server.
  var mirror: String?
  var secrets: RequestSecrets

  /// Makes the URL of a request from a URL in the feed's document. `values` fill the parameters.
  /// `more` are further parameters without secrets.
  func url(
    _ base: String, values: [String: String] = [:], more: [(name: String, value: String)] = []
  ) -> RequestURL {
    var url = RequestURL(atMirror(base), hiding: secrets)
    for parameter in parameters { add(parameter, values, to: &url) }
    for (name, value) in more {
      let value = PercentEncoding.encode(value)
      url.add(name, value, shown: value)
    }
    return url
  }

  /// Adds a parameter to a URL.
  func add(
    _ parameter: FeedRequests.Parameter, _ values: [String: String], to url: inout RequestURL
  ) {
    var (real, shown) = ("", "")
    for piece in parameter.value.pieces {
      switch piece {
      case .text(let text):
        real += PercentEncoding.encode(text)
        shown += PercentEncoding.encode(text)
      case .value(let name):
        real += PercentEncoding.encode(values[name] ?? "")
        shown += PercentEncoding.encode(values[name] ?? "")
      case .variable(let name):
        real += PercentEncoding.encode(secrets[name] ?? "")
        shown += Redaction.mark
      }
    }
    url.add(parameter.name, real, shown: shown)
  }

  /// Returns the URL at the mirror, or `base` if there is no mirror.
  func atMirror(_ base: String) -> String {
    guard let mirror else { return base }
    var root = mirror.prefix { $0 != "?" && $0 != "#" }
    while root.hasSuffix("/") { root.removeLast() }
    return String(root + (URLParts(base)?.rest ?? ""))
  }
}

extension RequestSecrets {
  /// Returns the error of a request with no secrets in its texts.
  func hide(in error: PipelineError, of url: RequestURL) -> PipelineError {
    var error = error
    // The request itself failed, or a redirect to the same path.
    let real = (try? HTTPAddress(url.real))?.url ?? url.real
    if case .source(.status(let status, let asked, let wait)) = error.fault,
      asked == Redaction.url(real)
    {
      error.fault = .source(.status(status, url: url.shown, retryAfter: wait))
    }
    return hide(in: error)
  }
}
