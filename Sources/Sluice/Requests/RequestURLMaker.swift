/// Makes the URLs of a feed's requests.
///
///     https://h/v1/list?x=1 and {q: "{city}", key: $KEY}  ─▶  https://h/v1/list?x=1&q=Minsk&key=…
///     the same of the mirror http://127.0.0.1:80/api      ─▶  http://127.0.0.1:80/api/v1/list?x=1…
struct RequestURLMaker: Sendable {
  var parameters: [FeedRequests.Parameter]
  /// What takes the place of scheme, host and port, and stands before the path.
  var mirror: String?
  var secrets: RequestSecrets

  /// Makes a URL of one in the feed's document; `values` are those of the request, and `more` are
  /// parameters of its own, which are no secrets.
  func url(
    _ base: String, values: [String: String] = [:], more: [(name: String, value: String)] = []
  ) -> RequestURL {
    var url = RequestURL(placed(base), hiding: secrets)
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

  /// The URL at the mirror, where there is one.
  func placed(_ base: String) -> String {
    guard let mirror else { return base }
    var root = mirror.prefix { $0 != "?" && $0 != "#" }
    while root.hasSuffix("/") { root.removeLast() }
    guard let host = base.firstPlace(of: "://")?.upperBound else { return String(root) }
    let path = base[host...].drop { $0 != "/" && $0 != "?" && $0 != "#" }
    return String(root) + path
  }
}
