import Foundation
import Testing

extension EndToEnd {
  /// What is kept beside the samples is what the program makes of them.
  @Suite struct GoldenTests {
    @Test(arguments: [
      "hot-water/expected.csv", "hot-water/expected.ndjson", "hot-water/expected.ics",
      "hot-water/expected.excel.csv", "hot-water/expected.en.ics",
      "hot-water/expected.rejects.ndjson",
      "bonds/expected.csv", "bonds/expected.ndjson", "bonds/expected.excel.csv",
      "bonds/expected.rejects.ndjson",
      "waste/expected.csv", "waste/expected.ndjson", "waste/expected.ics",
      "waste/expected.excel.csv", "waste/expected.rejects.ndjson",
      "posts/expected-users.csv", "posts/expected-addresses.csv", "posts/expected-geos.ndjson",
      "posts/expected-companies.ndjson", "posts/expected-posts.csv",
      "posts/expected-comments.ndjson",
    ])
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
      if parts[0] == "posts" {
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
