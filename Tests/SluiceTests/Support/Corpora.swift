import Foundation

/// Finds the third-party cases beside the repository, where they are.
enum Corpora {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/corpora").standardizedFileURL

  /// Whether a set is there.
  static func has(_ set: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: set).path)
  }

  /// The bytes of a file, by its path in the corpora.
  static func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: root.appending(path: path)))
  }
}
