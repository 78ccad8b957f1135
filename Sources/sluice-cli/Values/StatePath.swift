import Glibc

/// Where the state folder is.
enum StatePath {
  /// The folder asked for, or else the usual one.
  static func chosen(_ path: String?) throws(UsageError) -> String {
    if let path { return path }
    guard let path = usual({ name in getenv(name).map { String(cString: $0) } }) else {
      throw .noStateFolder
    }
    return path
  }

  /// `$XDG_STATE_HOME/sluice`, or else `~/.local/state/sluice`; nil where neither is known. A
  /// relative XDG_STATE_HOME counts as none (XDG Base Directory Specification).
  static func usual(_ environment: (String) -> String?) -> String? {
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return "\(folder)/\(Program.name)"
    }
    guard let home = environment("HOME"), !home.isEmpty else { return nil }
    return "\(home)/.local/state/\(Program.name)"
  }
}
