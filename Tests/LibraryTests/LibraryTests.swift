import Foundation
import Sluice
import SluiceText
import Synchronization
import Testing

/// The library as a stranger sees it: no `@testable`, no access within the package.
@Suite struct LibraryTests {
  private static let document = """
    feed: outages
    rows: list[]
    columns:
      street: street
      day: {kind: day, required: true}
    key: [street]
    event: {summary: "{street}", start: day}
    """
  private static let data = Array(
    #"""
    {"list":[{"street":"Main","day":"2026-01-05"},{"street":"Oak","day":"2026-02-30"},
    {"street":"Elm","day":"2026-01-07"}]}
    """#.utf8)

  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path() }

  private func conversion() throws -> Conversion {
    var conversion = Conversion(of: .bytes(Self.data), as: try Feed(yaml: Self.document))
    conversion.rejectLimit = .count(1)
    return conversion
  }

  @Test func `a feed of one's own becomes a table`() throws {
    try Data(Self.document.utf8).write(to: URL(filePath: path("outages.yaml")))
    try Data(Self.data).write(to: URL(filePath: path("feed.json")))
    let feed = try Feed(contentsOf: path("outages.yaml"))
    var conversion = Conversion(of: .file(path("feed.json")), as: feed)
    conversion.rejectLimit = .count(1)
    let result = try conversion.write(to: path("outages.csv"))
    #expect(result.rows == 2 && result.rejected == 1)
    let table = try String(contentsOfFile: path("outages.csv"), encoding: .utf8)
    #expect(table == "street,day\nMain,2026-01-05\nElm,2026-01-07\n")
  }

  @Test func `several outputs are written in one pass`() throws {
    var conversion = try conversion()
    conversion.outputs = [
      .init(.file(path("a.ndjson")), .ndjson), .init(.file(path("a.ics")), .ics),
    ]
    let result = try conversion.run()
    #expect(result.events == 2)
    #expect(result.written.map(\.path) == [path("a.ndjson"), path("a.ics")])
  }

  @Test func `rows come one by one`() throws {
    var streets: [String?] = []
    let result = try conversion().forEachRow { row in
      streets.append(row["street"])
      #expect(row["nothing"] == nil && row.columns == ["street", "day"])
    }
    #expect(streets == ["Main", "Elm"] && result.read == 3)
  }

  @Test func `an output can stay in memory`() throws {
    let json = try conversion().bytes(as: .ndjson)
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"street":"Main","day":"2026-01-05"}"# + "\n" + #"{"street":"Elm","day":"2026-01-07"}"#
        + "\n")
    let error = #expect(throws: PipelineError.self) { try conversion().bytes(as: .sqlite) }
    #expect(error?.code == "not-a-file")
  }

  @Test func `an error is thrown, and says its place in one line`() throws {
    let feed = try #require(Feed.named("hot-water"))
    let error = #expect(throws: PipelineError.self) {
      try Conversion(of: .bytes(Array("[{]".utf8)), as: feed).write(to: path("a.csv"))
    }
    #expect(error?.description == "json: byte 2: unexpected")
    #expect(error?.class == .badData && error?.stage == .json && error?.offset == 2)
    #expect(error?.sentence(in: .en).isEmpty == false)
    #expect(!FileManager.default.fileExists(atPath: path("a.csv")))
    let unknown = #expect(throws: PipelineError.self) { try conversion().write(to: path("a.rtf")) }
    #expect(unknown?.code == "unknown-format")
  }

  @Test func `a document's fault has its place`() throws {
    let fault = #expect(throws: FeedDocumentFault.self) { try Feed(yaml: "feed: a\nrowz: b\n") }
    #expect(fault?.description == "line 2, column 1: unknown-key")
  }

  @Test func `progress is reported, and a cancelled run publishes nothing`() throws {
    let cancellation = Cancellation()
    var conversion = try conversion()
    conversion.cancellation = cancellation
    conversion.progress = { progress in
      if progress.bytesRead > 0 { cancellation.cancel() }
    }
    let error = #expect(throws: PipelineError.self) { try conversion.write(to: path("c.csv")) }
    #expect(error?.code == "cancelled" && error?.class == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: path("c.csv")))
  }

  @Test func `a reader that goes away does not end the process`() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK)
    let isOpen = Mutex(true)
    var conversion = try conversion()
    conversion.progress = { _ in
      isOpen.withLock { isOpen in
        if isOpen { close(reader) }
        isOpen = false
      }
    }
    conversion.outputs = [.init(.file(path("pipe")), .csv)]
    // The default action of SIGPIPE would end this process.
    let handler = signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, handler) }
    let error = #expect(throws: PipelineError.self) { try conversion.run() }
    #expect(error?.code == "no-reader-left")
  }
}
