import Foundation
import Testing

@testable import Sluice
@testable import SluiceText

/// Feeds by HTTP from a server that speaks their APIs' own paths, on the samples and on real data.
@Suite(.needsProgram)
struct ServedFeedTests {
  private static let module = Samples.path("Tests/Support/whole_documents.py")
  private static let realBonds = Samples.path("../shared/data/bonds.json")
  private static let realPosts = Samples.path("../shared/data/jsonplaceholder.json")
  private let folder: Scratch

  init() throws { folder = try Scratch() }

  private func server(_ data: String) throws -> APIServer {
    try APIServer(data, "--module", Self.module)
  }

  private func convert(_ words: [String]) throws -> Run {
    try BuiltProgram.run(
      ["convert"] + words + [
        "--allow-rejects", "--max-rejects", "100%", "--state", folder("state"),
      ],
      environment: ["SOURCE_DATE_EPOCH": "1593108790"])
  }

  /// Compares an output with what is kept beside the samples.
  private func expectGolden(_ name: String, of sample: String) {
    let golden = FileManager.default.contents(
      atPath: Samples.path("Samples/\(sample)/\(name)"))
    #expect(golden != nil && folder.bytes(name) == golden.map { Bytes($0) }, "\(sample)/\(name)")
  }

  @Test func `bonds that are served are the golden ones`() throws {
    let server = try server(Samples.bonds)
    try convert([
      server.url + "/bonds.json", "--feed", "bonds", "-o", folder("expected.csv"), "-o",
      folder("expected.ndjson"), "--rejects", folder("expected.rejects.ndjson"),
    ]).expectSilence()
    for name in ["expected.csv", "expected.ndjson", "expected.rejects.ndjson"] {
      expectGolden(name, of: "bonds")
    }
    #expect(try server.counts().paths == ["/bonds.json"])
  }

  @Test func `hot water that is served at its own path is the golden one`() throws {
    let server = try server(Samples.hotWater)
    let url = try #require(URLComponents(string: Feed.named("hot-water")?.url ?? ""))
    let path = "\(url.path)?\(url.query ?? "")"
    try convert([
      server.url + path, "-o", folder("expected.csv"), "-o", folder("expected.ndjson"), "-o",
      folder("expected.ics"),
    ]).expectSilence()
    for name in ["expected.csv", "expected.ndjson", "expected.ics"] {
      expectGolden(name, of: "hot-water")
    }
    #expect(try server.counts().paths == [path])
    try convert([server.url + path.dropLast() + "5", "-o", folder("other.csv")])
      .expectFailure(69, "source: ")
    #expect(folder.bytes("other.csv") == nil)
  }

  @Test func `posts that are served are the golden ones, in every table`() throws {
    let server = try server(Samples.path("Samples/posts/feed.json"))
    try convert([
      server.url, "--feed", "posts", "-o", folder("expected-{table}.csv"), "-o",
      folder("expected-{table}.ndjson"),
    ]).expectSilence()
    let names = Samples.names(in: "Samples/posts").filter { $0.hasPrefix("expected") }
    #expect(names.count == 12)
    for name in names { expectGolden(name, of: "posts") }
    #expect(try server.counts().paths.sorted() == ["/comments", "/posts", "/users"])
  }

  @Test(.enabled(if: Samples.isThere(realBonds), "../shared/data is not there: no real bonds"))
  func `the real bonds are 9,000 rows, from a file and from a server`() throws {
    let server = try server(Self.realBonds)
    let inputs = [Self.realBonds, server.url + "/bonds.json"]
    let query = ["--where", "isin=RU000A0JW126", "--from", "2018-10-01", "--to", "2018-12-31"]
    for (words, rows) in [([], 9000), (query, 1104)] {
      let outputs = try inputs.map { input in
        let run = try convert([input, "--feed", "bonds"] + words)
        #expect(run.code == 0 && run.errors == "", "\(run.errors)")
        return run.bytes
      }
      #expect(outputs[0] == outputs[1])
      #expect(outputs[0].lines == rows + 1)
    }
  }

  @Test(.enabled(if: Samples.isThere(realPosts), "../shared/data is not there: no real posts"))
  func `the real posts are as many rows in every table, from a file and from a server`() throws {
    let server = try server(Self.realPosts)
    for (name, input) in [("file", Self.realPosts), ("served", server.url)] {
      try convert([
        input, "--feed", "posts", "-o", folder("\(name)-{table}.csv"), "--stats",
        folder("\(name).json"),
      ]).expectSilence()
    }
    let counts = [
      ("posts", 100), ("users", 10), ("addresses", 10), ("geos", 10), ("companies", 10),
      ("comments", 500),
    ]
    for (table, _) in counts {
      #expect(folder.bytes("file-\(table).csv") == folder.bytes("served-\(table).csv"))
      #expect(folder.bytes("file-\(table).csv") != nil)
    }
    let rows = counts.reduce(0) { $0 + $1.1 }
    #expect(folder.text("served.json").contains(#""rows":\#(rows),"#))
  }
}
