import Foundation
import Testing

@testable import Sluice

extension EndToEnd {
  /// What is kept beside the samples is what the program makes of them.
  @Suite struct GoldenTests {
    /// Every file `expected…` of every folder.
    private static let goldens = Samples.folders.flatMap { folder in
      Samples.names(in: "Samples/\(folder)").filter { $0.hasPrefix("expected") }
        .map { "\(folder)/\($0)" }
    }

    @Test func `every sample has what it must give, and every built-in feed a sample`() {
      #expect(Self.goldens.contains("hot-water/expected.ics"))
      for folder in Samples.folders + Feed.names {
        #expect(
          Self.goldens.contains { $0.hasPrefix("\(folder)/") },
          "Samples/\(folder): run 'make goldens'")
      }
    }

    @Test(arguments: goldens)
    func `a sample gives what it gave`(path: String) throws {
      let folder = try Scratch()
      let parts = path.split(separator: "/").map(String.init)
      let input = Samples.path("Samples/\(parts[0])/feed.json")
      // A feed that is not built in has its document beside it.
      let document = Samples.path("Samples/\(parts[0])/feed.yaml")
      let feed = Samples.isThere(document) ? document : parts[0]
      var words = [
        "convert", input, "--feed", feed, "--allow-rejects", "--max-rejects", "100%",
      ]
      switch parts[1] {
      case "expected.rejects.ndjson": words += ["-o", "/dev/null", "--format", "csv", "--rejects"]
      case "expected.excel.csv": words += ["--csv-dialect", "excel", "-o"]
      case "expected.en.ics": words += ["--lang", "en", "--alarm", "1d", "-o"]
      default: words += ["-o"]
      }
      // Of several tables, each has files of its own.
      if parts[1].hasPrefix("expected-") {
        words.insert(
          contentsOf: ["--table", String(parts[1].split { "-.".contains($0) }[1])], at: 2)
      }
      let run = try BuiltProgram.run(
        words + [folder(parts[1])], environment: ["SOURCE_DATE_EPOCH": "1593108790"])
      run.expectSilence()
      let expected = FileManager.default.contents(atPath: Samples.path("Samples/\(path)"))
      #expect(
        folder.bytes(parts[1]) == expected.map { Bytes($0) },
        "\(path) has changed: run 'make goldens', and read the difference before you commit it")
    }
  }
}
