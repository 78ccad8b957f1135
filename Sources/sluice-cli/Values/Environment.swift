import Glibc

/// What the environment says.
enum Environment {
  /// The value of a variable; nil where it is not set, or empty.
  static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The values of variables that a feed needs, by their names.
  static func values(_ names: [String], feed: String) throws(UsageError) -> [String: String] {
    var values: [String: String] = [:]
    for name in names {
      guard let value = value(name) else { throw .noVariable(name, feed: feed) }
      values[name] = value
    }
    return values
  }
}
