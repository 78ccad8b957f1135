/// A URL to ask, and what of it may be shown.
struct RequestURL: Sendable, Equatable {
  /// What is asked, secrets and all.
  private(set) var real: String
  /// The same with every secret cut out: for messages, logs and state.
  private(set) var shown: String

  /// Takes a URL. Of its secrets, userinfo is known, and what else is handed in: a user may have
  /// written it into a mirror's URL.
  init(_ text: String, hiding secrets: RequestSecrets) {
    real = String(text.prefix { $0 != "#" })
    shown = secrets.hide(in: Redaction.message(real))
  }

  /// Adds a parameter to the query: its name, and its value as it is sent and as it is shown.
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
