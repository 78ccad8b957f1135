import Foundation

/// The sample feeds and the tools of the repository.
enum Samples {
  static let repository: String = {
    var path = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { path.deleteLastPathComponent() }
    return path.path
  }()

  static let hotWater = path("Samples/hot-water/feed.json")
  static let full = path("Samples/hot-water/full.json")
  static let bonds = path("Samples/bonds/feed.json")
  static let posts = path("Samples/posts/feed.json")
  static let weather = path("Samples/weather/feed.json")
  static let oracle = path("Tests/Interop/oracle.py")
  static let faultServer = path("Tests/Support/fault_server.py")
  /// Makes feeds of any size; outside of the repository, not everywhere there.
  static let generator = path("../shared/tools/feedgen.py")

  static func path(_ relative: String) -> String { "\(repository)/\(relative)" }

  /// The folders of samples: each has a feed's data.
  static let folders = names(in: "Samples").filter { isThere(path("Samples/\($0)/feed.json")) }

  /// What lies in a folder, in order.
  static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
  }

  static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
