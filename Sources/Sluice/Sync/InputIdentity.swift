import Glibc

/// What an input is known by from run to run.
struct InputIdentity: Equatable, Sendable {
  /// What the names of its files are made of, 16 hexadecimal digits.
  let key: String
  /// The input as it may be shown: a URL without userinfo, an absolute path, or `-`.
  let shown: String

  /// Identifies an input. Links are not followed: what a path leads to may change.
  init(_ input: Input) {
    let name: String
    switch input {
    case .url(let url): name = url
    case .standardInput: name = "-"
    case .file(let path): name = path.hasPrefix("/") ? path : "\(Self.workingFolder)/\(path)"
    }
    key = Fingerprint(of: name).name
    if case .url = input { shown = Redaction.message(name) } else { shown = name }
  }

  private static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }
}
