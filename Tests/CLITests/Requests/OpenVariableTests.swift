import Foundation
import Testing

/// A document of a user gets no variable that the user has not opened to it: `--allow-env`.
@Suite(.needsProgram)
struct OpenVariableTests {
  private let folder: Scratch
  private let server: APIServer

  init() throws {
    folder = try Scratch()
    server = try APIServer(Samples.path("Samples/posts/feed.json"))
  }

  /// How a document asks for the variable.
  enum Way: String, CaseIterable {
    case parameter = "parameters: {appid: $OWN_KEY}"
    case header = "headers: {X-Key: \"a $OWN_KEY\"}"
    case pages = "parameters: {key: $OWN_KEY}\npages: {by: page, parameter: p}"
  }

  private func document(_ way: Way, at url: String? = nil) throws -> String {
    try folder.write(
      "own.yaml",
      """
      feed: own
      url: \(url ?? server.url)/posts
      \(way.rawValue)
      rows: "[]"
      columns: {id: id}
      """)
  }

  private func run(
    _ words: [String], environment: [String: String] = ["OWN_KEY": "k3y-of-mine"]
  ) throws -> Run {
    try BuiltProgram.run(words + ["--state", folder("state")], environment: environment)
  }

  private var host: String { String(server.url.dropFirst("http://".count)) }

  @Test(arguments: Way.allCases)
  func `a variable that is not open is an error before anything is asked`(way: Way) throws {
    let feed = try document(way)
    for command in [
      ["convert"], ["sync", "-o", folder("a.csv")], ["inspect"], ["convert", server.url],
      ["convert", "--allow-env", "OTHER_KEY"], ["convert", "--allow-env", "OWN"],
    ] {
      let run = try run(command + ["--feed", feed])
      // The lines of sync begin with the time.
      #expect(run.code == 64 && run.output == "")
      #expect(
        run.errors.hasSuffix(
          "sluice: error: the document of own wants to send the variable OWN_KEY to \(host); if "
            + "you trust that server with it, add: --allow-env OWN_KEY\n"), "\(run.errors)")
      #expect(try server.counts().requests == 0)
    }
    let russian = try run(["convert", "--feed", feed, "--lang", "ru"])
    #expect(russian.errors.contains("хочет отправить переменную OWN_KEY на сервер \(host)"))
  }

  @Test func `a variable that is open goes to the document's server`() throws {
    let feed = try document(.parameter)
    for grant in ["OWN_KEY", "OWN_KEY@127.0.0.1", "OWN_KEY@\(host)"] {
      try server.reset()
      let run = try run(["convert", "-o", folder("a.csv"), "--feed", feed, "--allow-env", grant])
      #expect(run.code == 0, "\(run.errors)")
      #expect(try server.counts().paths == ["/posts?appid=k3y-of-mine"])
    }
    for grant in ["OWN_KEY@h.example", "OWN_KEY@127.0.0.1:1", "OWN_KEY@127.0.0.2"] {
      try run(["convert", "--feed", feed, "--allow-env", grant])
        .expectFailure(64, "the document of own wants to send the variable OWN_KEY to \(host)")
    }
  }

  @Test func `a mirror that was typed stands for the document's server`() throws {
    let feed = try document(.parameter, at: "https://h.example")
    for grant in ["OWN_KEY", "OWN_KEY@h.example", "OWN_KEY@127.0.0.1"] {
      let run = try run(
        ["convert", server.url, "-o", folder("a.csv"), "--feed", feed, "--allow-env", grant])
      #expect(run.code == 0, "\(run.errors)")
    }
    try run(["convert", server.url, "--feed", feed, "--allow-env", "OWN_KEY@i.example"])
      .expectFailure(64, "the document of own wants to send the variable OWN_KEY to \(host)")
  }

  @Test func `settings open variables too, and a file needs none`() throws {
    let feed = try document(.parameter)
    let config = try folder.write("c.yaml", "allow-env: [A_KEY, OWN_KEY@127.0.0.1]\n")
    let file = try folder.write("data.json", "[{\"id\": 1}]")
    for words in [["--config", config], [file]] {
      #expect(try run(["convert", "--feed", feed, "-o", folder("a.csv")] + words).code == 0)
    }
    let environment = ["OWN_KEY": "k", "SLUICE_ALLOW_ENV": "A_KEY\nOWN_KEY"]
    #expect(
      try run(["convert", "--feed", feed, "-o", folder("a.csv")], environment: environment).code
        == 0)
  }

  @Test(arguments: [
    "", "own_key", "1KEY", "$OWN_KEY", "OWN_KEY@", "OWN_KEY@http://h", "OWN_KEY@h/x", "A B",
    "OWN_KEY@u@h", "OWN_KEY@h:x",
  ])
  func `a grant that is none is refused`(grant: String) throws {
    let feed = try document(.parameter)
    let run = try run(["convert", "--feed", feed, "--allow-env=\(grant)"])
    run.expectFailure(64, "--allow-env")
    #expect(run.errors.contains("NAME[@HOST]"))
  }

  @Test func `a file of credentials wins over the environment`() throws {
    let feed = try document(.parameter)
    let credentials = try folder.folder("credentials")
    try folder.write("credentials/OWN_KEY", "from-a-file\n")
    let words = ["convert", "--feed", feed, "-o", folder("a.csv"), "--allow-env", "OWN_KEY"]
    for environment in [["OWN_KEY": "other"], [:]] {
      try server.reset()
      let all = environment.merging(["CREDENTIALS_DIRECTORY": credentials]) { $1 }
      #expect(try run(words, environment: all).code == 0)
      #expect(try server.counts().paths == ["/posts?appid=from-a-file"])
    }
    // Without the grant the file is as closed as the variable.
    try run(words.dropLast(2), environment: ["CREDENTIALS_DIRECTORY": credentials])
      .expectFailure(64, "the document of own wants to send the variable OWN_KEY")
    try server.reset()
    try run(words, environment: ["CREDENTIALS_DIRECTORY": folder("none"), "OWN_KEY": "e"])
      .expectSilence()
    #expect(try server.counts().paths == ["/posts?appid=e"])
    try folder.write("credentials/OWN_KEY", "\n")
    try run(words, environment: ["CREDENTIALS_DIRECTORY": credentials, "OWN_KEY": "e"])
      .expectFailure(64, "the feed own needs OWN_KEY in the environment")
    try folder.write("credentials/OWN_KEY", [0xFF, 0x0A])
    try run(words, environment: ["CREDENTIALS_DIRECTORY": credentials])
      .expectFailure(64, "OWN_KEY is not valid UTF-8")
  }

  @Test func `a header that is typed needs no variable`() throws {
    let feed = try document(.header)
    let run = try run(
      ["convert", "--feed", feed, "-o", folder("a.csv"), "--header", "x-key: typed"],
      environment: [:])
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `a copy of a built-in document is its user's own`() throws {
    let server = try APIServer(
      Samples.path("Samples/weather/feed.json"), "--module",
      Samples.path("Tests/Support/openweathermap.py"), "--key", "k")
    let key = ["OPENWEATHERMAP_API_KEY": "k"]
    let copy = try folder.write(
      "copy.yaml", try BuiltProgram.run(["feeds", "weather", "--document"]).output)
    let output = ["-o", folder("w.csv")]
    #expect(
      try run(["convert", server.url, "--feed", "weather"] + output, environment: key).code == 0)
    for words in [
      ["convert", server.url, "--feed", copy] + output,
      ["cities", "search", "Минск", "--mirror", server.url, "--feed", copy],
    ] {
      try run(words, environment: key).expectFailure(
        64, "the document of weather wants to send the variable OPENWEATHERMAP_API_KEY to 127.")
      let open = try run(words + ["--allow-env", "OPENWEATHERMAP_API_KEY"], environment: key)
      #expect(open.code == 0, "\(open.errors)")
    }
  }
}
