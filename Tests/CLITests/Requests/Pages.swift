import Foundation

/// A list in pages, its server, outputs and state, in a folder of its own.
final class Pages {
  static let sample = Samples.path("Samples/photos/server.json")
  /// The real list of 5,000; not everywhere there.
  static let real = Samples.path("../shared/data/jsonplaceholder.json")
  private static let module = Samples.path("Tests/Support/paging_api.py")

  let folder: Scratch
  let server: APIServer
  /// The feed's document.
  var feed: String

  /// Starts a server on data, with a feed that is not slowed down: the built-in one of photos, or
  /// one with these lines in place of its own of the same keys.
  init(_ lines: String..., data: String = sample, words: [String] = []) throws {
    folder = try Scratch()
    server = try APIServer(data, ["--module", Self.module] + words)
    let document = try String(
      contentsOfFile: Samples.path("Sources/Sluice/Feed/BuiltIn/photos.yaml"), encoding: .utf8)
    var kept = document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for line in ["requests: {at-once: 2, per-second: 1000}"] + lines {
      let key = line.prefix { $0 != ":" } + ":"
      if let index = kept.firstIndex(where: { $0.hasPrefix(key) }) {
        kept[index] = line
      } else {
        kept.insert(line, at: 2)
      }
    }
    feed = try folder.write("photos.yaml", kept.joined(separator: "\n"))
  }

  /// Puts another feed in place, of rows with a number: one of a path of the server's, with these
  /// lines besides.
  func use(_ path: String, rows: String = "[]", _ lines: String...) throws {
    try folder.write(
      "photos.yaml",
      """
      feed: photos
      url: http://h.invalid\(path)
      \(lines.joined(separator: "\n"))
      requests: {per-second: 1000}
      rows: "\(rows)"
      columns: {id: {kind: integer, required: true}, name: name}
      """)
  }

  /// The numbers of the rows that were written.
  var numbers: [Int] {
    folder.text("a.csv").split(separator: "\n").dropFirst()
      .compactMap { Int($0.prefix { $0 != "," }) }
  }

  /// The words of a run that asks the server.
  func words(_ more: [String], command: String = "convert", path: String = "") -> [String] {
    [command, server.url + path, "--feed", feed, "--state", folder("state")]
      + ["--allow-env", "LIST_KEY"] + more
  }

  func run(_ more: String..., path: String = "", environment: [String: String] = [:]) throws -> Run
  {
    try BuiltProgram.run(words(more, path: path), environment: environment)
  }

  /// The answers that wait in the state folder, by their names.
  var kept: [String] {
    let feed = folder("state") + "/photos"
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: feed)) ?? []
    return folders.filter { $0.hasSuffix(".answers") }.flatMap { name in
      (try? FileManager.default.contentsOfDirectory(atPath: "\(feed)/\(name)")) ?? []
    }.sorted()
  }

  /// Waits until so many pages have come, or for ten seconds.
  func wait(for count: Int) {
    for _ in 0..<5000 where kept.count(where: { $0.hasPrefix("page-") }) < count { usleep(2000) }
  }

  /// The numbers of the pages that were asked for, in the order of time.
  func asked() throws -> [Int] { try server.asked("_page").compactMap { Int($0) } }
}
