import Foundation
import Testing

/// Outputs of an earlier run, and what must be left of them when a run fails.
struct OldOutputs {
  static let names = ["a.csv", "b.ndjson", "c.ics", "d.xlsx"]
  /// 2001-09-09, so that any change of a time shows.
  private static let time = 1_000_000_000

  let folder: Scratch
  private let inodes: [ino_t]

  init(in folder: Scratch) throws {
    self.folder = folder
    for name in Self.names {
      try folder.write(name, Self.content(name).array)
      folder.setTime(name, Self.time)
    }
    inodes = Self.names.map { folder.status($0)?.st_ino ?? 0 }
  }

  /// What an earlier run wrote.
  static func content(_ name: String) -> Bytes { Bytes("old bytes of \(name)\n".utf8) }

  /// `-o` for each of the outputs.
  var options: [String] { Self.names.flatMap { ["-o", folder($0)] } }

  /// The run has left the outputs and the folder as they were.
  func expectUntouched(_ sourceLocation: SourceLocation = #_sourceLocation) {
    for (name, inode) in zip(Self.names, inodes) {
      let status = folder.status(name)
      #expect(folder.bytes(name) == Self.content(name), sourceLocation: sourceLocation)
      #expect(status?.st_mtim.tv_sec == Self.time, sourceLocation: sourceLocation)
      #expect(status?.st_ino == inode, sourceLocation: sourceLocation)
    }
    #expect(folder.temporaries == [], sourceLocation: sourceLocation)
  }
}
