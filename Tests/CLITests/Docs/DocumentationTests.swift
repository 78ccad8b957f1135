import Foundation
import Testing

/// The documentation is true: its commands print what it shows, and its links lead somewhere.
@Suite struct DocumentationTests {
  @Test func `the pages are found`() {
    #expect(DocumentationPage.all.contains("README.md"))
  }

  @Test(
    .needsProgram,
    .enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing: documentation is not run"),
    .enabled(if: BuiltProgram.has("python3"), "python3 is missing: documentation is not run"),
    arguments: DocumentationPage.all)
  func `a page shows what its commands print`(name: String) throws {
    for failure in try DocumentationPage(name).failures() { Issue.record("\(failure)") }
  }

  @Test(
    .needsProgram,
    arguments: ["docs/feeds.md", "docs/requests.md"].filter { DocumentationPage.all.contains($0) })
  func `a feed's document that a page shows is one`(name: String) throws {
    for (line, text) in try DocumentationPage(name).documents {
      let folder = try Scratch()
      let run = try BuiltProgram.run(["feeds", "--check", try folder.write("feed.yaml", text)])
      #expect(run.code == 0, "\(name):\(line): \(run.errors)")
    }
  }

  @Test(arguments: DocumentationPage.all)
  func `a page's links lead to files and headings that are there`(name: String) throws {
    let broken = try DocumentationLinks(of: name).broken
    #expect(broken == [], "\(name)")
  }
}

/// The judge of the documentation is judged on pages of its own.
@Suite(.needsProgram)
struct DocumentationPageTests {
  private func failures(_ lines: String...) throws -> [DocumentationPage.Failure] {
    try DocumentationPage("page.md", lines.joined(separator: "\n")).failures()
  }

  @Test func `a command that prints something else fails, and the others do not`() throws {
    let failures = try failures(
      "# Title", "```console", "$ echo a; echo b >&2", "a", "b", "$ echo c", "d", "$ false",
      "$ echo $?", "1", "```")
    #expect(failures.map(\.command.line) == [6])
    #expect(
      failures.map(\.description) == ["page.md:6: $ echo c\nexpected:\n  d\ngot:\n  c\n"])
  }

  @Test(arguments: [
    ("echo a", ["a", "b"]), ("echo a; echo b", ["a"]), ("true", ["a"]), ("echo a", []),
    ("echo a; echo b", ["…", "a"]), ("echo a; echo b", ["b", "…"]), ("echo a; exit", ["a"]),
    ("echo 'a", ["a"]),
  ])
  func `a wrong block fails`(command: String, expected: [String]) throws {
    let lines = ["```console", "$ \(command)"] + expected + ["```"]
    #expect(
      try DocumentationPage("page.md", lines.joined(separator: "\n")).failures().count == 1)
  }

  @Test(arguments: [
    ("echo a; echo b", ["…"]), ("true", ["…"]), ("echo a; echo b; echo c", ["a", "…", "c"]),
    ("echo a; echo c", ["a", "…", "c"]), ("echo 2026-11-21T22:00:00Z", ["2020-01-01T00:00:00Z"]),
    ("echo it took 1.25 s, pid 17", ["it took 3 s, pid 4"]), ("pwd", [""]),
    ("printf 'a\\n\\nb'", ["a", "", "b"]), ("printf 'a\\r\\nb\\r\\n'", ["a", "b"]),
    ("ls Samples/posts/feed.json", ["Samples/posts/feed.json"]),
    ("echo \"$LANG $TZ\"", ["C.UTF-8 UTC"]),
    ("sluice convert none", ["sluice: error: source: there is no file \"none\"; check the path"]),
  ])
  func `what differs from run to run, and what is left out, is not compared`(
    command: String, expected: [String]
  ) throws {
    let lines = ["```console", "$ \(command)"] + expected + ["```"]
    let page = DocumentationPage("page.md", lines.joined(separator: "\n"))
    #expect(try page.failures().map(\.description) == [])
  }

  @Test func `blocks of a page share one session, and other blocks are not run`() throws {
    let failures = try failures(
      "```console", "$ word=one", "$ echo two \\", "  three > file", "```", "```sh", "$ exit 1",
      "```", "- in a list", "  ```console", "  $ echo $word; cat file", "  one", "  two three",
      "  ```")
    #expect(failures.map(\.description) == [])
  }

  @Test(.enabled(if: BuiltProgram.has("python3"), "python3 is missing: no server can be asked"))
  func `a page may have a server`() throws {
    let failures = try failures(
      "<!-- server: Samples/photos/server.json --module Tests/Support/paging_api.py -->",
      "```console", "$ echo $SERVER", "http://127.0.0.1:8080",
      "$ sluice convert \"$SERVER\" --feed photos -o photos.csv",
      "$ cmp photos.csv Samples/photos/served.csv", "```")
    #expect(failures.map(\.description) == [])
  }

  @Test func `a link to nowhere is found`() {
    let links = DocumentationLinks(
      of: "README.md",
      """
      # One & two: `three`
      [a](README.md) [b](#one--two-three) [c](https://h/none) ![d](Samples/none.png)
      [e](Tests) [f](none.md#x) [g](#none) `[h](none)` [i](README.md#no-such-heading)
      ## Две строки
      [j](#две-строки) <img src="none.svg">
      ## Две строки
      [k](#две-строки-1) [l](#две-строки-2)
      ```
      [m](none)
      # no heading
      ```
      [n](#no-heading)
      """)
    #expect(
      links.broken == [
        "Samples/none.png", "none.md#x", "#none", "README.md#no-such-heading", "none.svg",
        "#две-строки-2", "#no-heading",
      ])
  }
}
