import Testing

/// A table in CSV, and lines of JSON, have no end of their own: what the server says about its
/// length decides.
@Suite(.needsProgram)
struct UncheckedEndTests {
  private static let note = "the data came without a length: if the server cut them off"

  private func run(_ words: [String], csv: String = "a,d\nx,2027-01-01\n") throws -> Run {
    let folder = try Scratch()
    let feed = try folder.write(
      "own.yaml", "feed: own\nrows: \"[]\"\ncolumns: {a: a, d: {kind: day}}\n")
    let server = try FaultServer(body: folder.write("own.csv", csv))
    let words = words.map { $0.hasPrefix("/") ? server.url(String($0.dropFirst())) : $0 }
    return try BuiltProgram.run(
      words + ["--feed", feed, "--state", folder("state")], in: folder.path)
  }

  @Test(arguments: [["convert", "-o", "a.csv"], ["sync", "-o", "a.csv"], ["inspect"]])
  func `with -v a CSV without a length is mentioned`(words: [String]) throws {
    let loud = try run(words + ["-v", "/no-length"])
    #expect(loud.code == 0 && loud.errors.contains(Self.note), "\(loud.errors)")
    let quiet = try run(words + ["/no-length"])
    #expect(quiet.code == 0 && !quiet.errors.contains(Self.note), "\(quiet.errors)")
    for path in ["/ok", "/chunked", "/interim"] {
      let run = try run(words + ["-v", path])
      #expect(run.code == 0 && !run.errors.contains(Self.note), "\(path): \(run.errors)")
    }
  }

  @Test func `JSON ends by its own grammar`() throws {
    let run = try run(
      ["convert", "-v", "-o", "a.csv", "/no-length"], csv: #"[{"a":"x","d":"2027-01-01"}]"#)
    #expect(run.code == 0 && !run.errors.contains(Self.note), "\(run.errors)")
  }

  @Test func `lines of JSON have no end`() throws {
    let lines = "{\"a\":\"x\",\"d\":\"2027-01-01\"}\n"
    let run = try run(["convert", "-v", "-o", "a.csv", "/no-length"], csv: lines + lines)
    #expect(run.code == 0 && run.errors.contains(Self.note), "\(run.errors)")
  }

  @Test(arguments: ["/two-lengths", "/bad-length", "/gzip-transfer"])
  func `a table whose end is in doubt is not published`(path: String) throws {
    let run = try run(["convert", path])
    run.expectFailure(69, "source: ")
    #expect(
      ["Content-Length \"10, ", "Invalid Content-Length", "Transfer-Encoding \"gzip, chunked\""]
        .contains { run.errors.contains($0) })
  }
}
