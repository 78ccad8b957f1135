import Foundation
import Testing

/// One job that is run again and again: a feed, its outputs and its state, in a folder of its own.
final class Nightly {
  let folder: Scratch
  /// The server that gives the feed, where the job asks one.
  let server: FaultServer?
  private let input: String

  static let names = ["a.csv", "b.ndjson", "c.ics"]

  /// A job whose input is a file.
  init(in place: String = "/tmp") throws {
    folder = try Scratch(in: place)
    input = folder("feed.json")
    server = nil
  }

  /// A job that asks a server; `path` is the answer's kind.
  init(asking path: String, isSecure: Bool = false) throws {
    folder = try Scratch()
    let server = try FaultServer(body: folder("feed.json"), isSecure: isSecure)
    input = server.url(path)
    self.server = server
  }

  /// Puts a feed of so many houses at the source; their outages end on this day.
  func offer(_ count: Int, until day: String = "05.07.2020", version: String = "26") throws {
    let records = (0..<count).map { number in
      SmallFeed.record(house: "\"\(number + 1)\"", period: "\"22.06.2020-\(day)\"")
    }
    let envelope = SmallFeed.envelope(Archive(SmallFeed.list(records)).bytes)
      .replacing("}]}}", with: ",\"version\":\"\(version)\"}]}}")
    try folder.write("feed.json", envelope)
  }

  var state: String { folder("state") }

  /// The words of one run; the day is one within the feed's.
  func words(_ more: [String] = [], input: String? = nil) -> [String] {
    ["sync", input ?? self.input, "--state", state, "--today", "2020-07-01"] + more
      + Self.names.flatMap { ["-o", folder($0)] }
  }

  /// Runs the job once; every run asks the server unless `more` says otherwise.
  func run(
    _ more: String..., input: String? = nil, environment: [String: String] = [:]
  ) throws -> Run {
    let age = more.contains("--max-age") ? [] : ["--max-age", "0"]
    return try BuiltProgram.run(words(age + more, input: input), environment: environment)
  }

  func status() throws -> String {
    try BuiltProgram.run(["status", "--state", state]).output
  }

  /// The bytes of the outputs.
  var outputs: [Bytes?] { Self.names.map { folder.bytes($0) } }

  /// Inode and time of every output: equal where none was touched.
  var stamps: [String] {
    Self.names.map { name in
      guard let status = folder.status(name) else { return "none" }
      return "\(status.st_ino) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
    }
  }

  /// How many houses the published table has.
  var houses: Int? { folder.bytes("a.csv").map { $0.lines - 1 } }

  /// The names of what is kept of the job, `KEY` for those of its input.
  var kept: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(state)/hot-water")) ?? []
    // The ledger's folder is tested with the ledger.
    return names.filter { !$0.hasSuffix(".events") }.map { name in
      name.first == "." || name == "lock" ? name : "KEY" + name.drop { $0 != "." }
    }.sorted()
  }

  /// The bytes of all that is kept, but for the lock.
  var keptBytes: [String: Data] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(state)/hot-water")) ?? []
    return names.filter { $0 != "lock" && !$0.hasSuffix(".events") }.reduce(into: [:]) {
      kept, name in
      kept[name] = FileManager.default.contents(atPath: "\(state)/hot-water/\(name)")
    }
  }

  /// The copies of sources that are kept.
  var copies: [String: Data] { keptBytes.filter { !$0.key.hasSuffix(".json") } }

  /// The heads of all requests so far.
  func requests() throws -> [String] {
    try log("log").components(separatedBy: "\r\n\r\n").dropLast()
  }

  /// What the server answers of its past.
  func log(_ name: String) throws -> String { try Self.get(#require(server).url(name)) }

  /// What a URL answers.
  static func get(_ url: String) throws -> String {
    try BuiltProgram.tool(["python3", "-c", script, url]).output
  }

  private static let script = """
    import sys, urllib.request
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    sys.stdout.buffer.write(opener.open(sys.argv[1]).read())
    """
}

extension Run {
  /// The run of an unwatched job said one line, with the time before it, and what begins so.
  func expectLogLine(
    _ code: Int32, _ start: String, says: [String] = [], output: String = "",
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.code == code, "\(errors)", sourceLocation: sourceLocation)
    #expect(self.output == output, sourceLocation: sourceLocation)
    let stamp = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /#
    #expect(errors.prefixMatch(of: stamp) != nil, "\(errors)", sourceLocation: sourceLocation)
    let rest = errors.dropFirst(21)
    #expect(
      rest.hasPrefix("sluice: \(start)"), "\(errors) is not \(start)",
      sourceLocation: sourceLocation)
    #expect(errors.filter { $0 == "\n" }.count == 1, "\(errors)", sourceLocation: sourceLocation)
    for text in says {
      #expect(errors.contains(text), "\(errors) lacks \(text)", sourceLocation: sourceLocation)
    }
  }
}
