import Foundation
import Testing

/// A secret is planted wherever a user can write one, and is nowhere to be read afterwards.
@Suite(.needsProgram)
struct PlantedSecretTests {
  /// The start of every secret.
  private static let seed = "pl4nted"
  private let folder: Scratch
  /// The documents and the configuration, which have the secrets.
  private let own: Scratch
  private let server: FaultServer

  init() throws {
    (folder, own) = (try Scratch(), try Scratch())
    server = try FaultServer(body: Samples.hotWater)
  }

  /// A URL of the server with secrets in its userinfo and its query.
  private func planted(_ path: String) -> String {
    let mark = path.contains("?") ? "&" : "?"
    return server.url(path).replacing("://", with: "://me:\(Self.seed)-user@")
      + "\(mark)id=\(Self.seed)-id&token=\(Self.seed)-token&\(Self.seed)-bare"
  }

  /// A document of one's own with the hot-water feed's content and a URL of the server.
  private func document(_ path: String, _ more: String = "") throws -> String {
    let text = try BuiltProgram.run(["feeds", "hot-water", "--document"]).output
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("url:") ? "url: \"\(planted(path))\"" : String(line)
    }
    return try own.write("own.yaml", lines.joined(separator: "\n") + more)
  }

  @discardableResult
  private func run(
    _ words: [String], environment: [String: String] = [:],
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Run {
    let run = try BuiltProgram.run(
      words, environment: environment.merging(["XDG_STATE_HOME": folder.path]) { $1 },
      in: folder.path)
    let found = try BuiltProgram.shell(
      "grep -rl -i -e \(Self.seed) . ; true", in: folder.path)
    #expect(
      found.output == "" && found.errors == "", "\(words): \(found.errors)",
      sourceLocation: sourceLocation)
    let all = run.errors + run.output
    #expect(!all.contains(Self.seed), "\(words): \(all)", sourceLocation: sourceLocation)
    return run
  }

  private static let outputs = [
    "-o", "a.csv", "-o", "a.ndjson", "-o", "a.ics", "-o", "a.sqlite", "--rejects", "r.ndjson",
    "--stats", "s.json", "-v", "--allow-rejects",
  ]
  /// Other files: the ledger knows none of the events of a calendar that `convert` has made.
  private static let nightly = outputs.map { $0.replacing(/^a\./, with: "n.") }
  private let header = ["--header", "X-Plain: \(seed)-header", "--header", "Cookie: a=\(seed)-c"]

  @Test(arguments: [
    ("ok", Int32(0)), ("404", 69), ("503", 69), ("short-body", 69), ("echo", 65), ("not-http", 69),
    ("two-lengths", 69), ("redirect-loop", 69), ("redirect-file", 69),
  ])
  func `what is typed is in no output, no state and no message`(path: String, code: Int32) throws {
    let url = planted(path)
    #expect(try run(["convert", url] + header + Self.outputs).code == code)
    try run(["inspect", url, "-v"] + header)
    let ping = server.url("ping").replacing("://", with: "://me:\(Self.seed)-ping@")
    let night = try run(
      ["sync", url, "--ping", ping + "?key=\(Self.seed)", "--changes", "c.ndjson"] + header
        + Self.nightly)
    #expect(night.code == code, "\(night.errors)")
    let told = try JSONDecoder().decode(
      [[String]].self, from: Data(try Nightly.get(server.url("pings")).utf8))
    #expect(told.count == 2 && !told[1][3].contains(Self.seed))
    #expect(told[1][3].isEmpty == (code == 0))
    let status = try run(["status"])
    #expect(status.output.contains("\(path)?id=***&token=***&***"), "\(status.output)")
    #expect(try run(["config", url, "--ping", ping] + header + ["-o", "a.csv"]).code == 0)
    try run(["feeds", "--check", Samples.path("Sources/Sluice/Feed/BuiltIn/hot-water.yaml"), url])
    try run(["convert", url, "--offline", "-o", "b.csv", "--allow-rejects"])
  }

  @Test func `where a redirect leads is shown without secrets`() throws {
    for target in [
      planted("404"), planted("redirect-file"), "ftp://me:\(Self.seed)@h/?a=\(Self.seed)",
      "http://me:\(Self.seed)@[::1", "http://h h/?a=\(Self.seed)",
    ] {
      let run = try run(["convert", server.url("redirect-to?\(target)"), "-o", "a.csv", "-v"])
      #expect(run.code == 69)
    }
  }

  @Test(arguments: ["ok", "404", "echo"])
  func `what a document of one's own says is in no output, no state and no message`(
    path: String
  ) throws {
    let feed = ["--feed", try document(path, "headers: {X-Key: \(Self.seed)-literal}\n")]
    let code: Int32 = ["ok": 0, "404": 69][path] ?? 65
    #expect(try run(["convert"] + feed + Self.outputs).code == code)
    #expect(try run(["sync"] + feed + Self.nightly).code == code)
    if code == 0 {
      #expect(folder.text("a.ics").contains("SUMMARY") && !folder.text("a.ics").contains("SOURCE"))
    }
    try run(["inspect", "-v"] + feed)
    #expect(try run(["status"]).output.contains("id=***&token=***&***"))
    let report = try run(["feeds", feed[1]])
    #expect(report.output.contains("URL: http://***@127.0.0.1:"), "\(report.output)")
    try run(["feeds", "--check", feed[1]])
    try run(["config", "-o", "a.csv"] + feed)
  }

  @Test func `a calendar names its source if that has no secret`() throws {
    let words = ["convert", Samples.hotWater, "--allow-rejects", "-o", "a.ics", "--feed"]
    try run(words + ["hot-water"])
    #expect(folder.text("a.ics").contains("\r\nSOURCE;VALUE=URI:https://api.gu.spb.ru/"))
    for (url, isNamed) in [
      ("https://h.example/a", true), ("https://me@h.example/a", false),
      ("https://h.example/a?b", false), ("https://h.example/a#b", false),
    ] {
      let text = try String(contentsOfFile: document("ok"), encoding: .utf8)
        .replacing(planted("ok"), with: url)
      let feed = try own.write("named.yaml", text)
      try run(words + [feed])
      #expect(folder.text("a.ics").contains("SOURCE;VALUE=URI:\(url)\r\n") == isNamed, "\(url)")
      #expect(folder.text("a.ics").contains("SOURCE") == isNamed)
    }
  }

  @Test func `a wrong command line is explained without its secrets`() throws {
    let url = "http://me:\(Self.seed)-u@h.invalid/x?a=\(Self.seed)-a&token=\(Self.seed)-t"
    let other = url.replacing("http:", with: "ftp:")
    for words in [
      [url], ["convert", "a", url], ["convert", other], ["convert", "x", "-o", url],
      ["convert", "x", "--feed", url], ["feeds", url], ["feeds", "--check", url],
      ["convert", "--header", Self.seed], ["convert", "--header", "\(Self.seed) x: y"],
      ["convert", "--heder=X: \(Self.seed)"], ["cities", "--mirror", "me:\(Self.seed)@h"],
      ["cities", "--mirror", other], ["sync", "-o", "a.csv", "--ping", other],
      ["convert", "x", "--stats=\(url)"], ["convert", "x", "--cacert", url],
      ["status", "--config", url],
    ] {
      let run = try run(words)
      #expect(run.code != 0, "\(words)")
    }
    let config = try own.write("c.yaml", "input: \"\(other)\"\noutput: [a.csv]\n")
    #expect(try run(["convert", "--config", config]).code == 64)
    #expect(try run(["config", "--config", config]).code == 64)
    #expect(try run(["convert"], environment: ["SLUICE_INPUT": other]).code == 64)
  }

  @Test(arguments: [
    "http://me:\(seed)@127.0.0.1:1", "me:\(seed)@127.0.0.1:1", "http://me:\(seed)@h:port",
    "me:\(seed)@:::x", "http://me:\(seed)/x@h", "gopher://me:\(seed)@h",
  ])
  func `a proxy's password is in no message`(proxy: String) throws {
    for name in ["http_proxy", "all_proxy"] {
      let run = try run(
        ["convert", server.url("ok"), "-o", "a.csv", "-v"], environment: [name: proxy])
      #expect(run.code == 69, "\(run.errors)")
    }
  }

  @Test func `a draft of a document leaves the URL's secrets out`() throws {
    let url = server.url("ok").replacing("://", with: "://me:\(Self.seed)@")
    let run = try run(["feeds", "--new", url + "?id=4&api_key=\(Self.seed)"])
    #expect(run.output.contains("url: ") && run.output.contains("/ok?id=4"), "\(run.output)")
  }

  @Test func `a search in a list hides what is in the mirror's URL`() throws {
    for path in ["404", "ok", "echo", "not-http"] {
      let run = try run(
        ["cities", "search", "Минск", "--mirror", planted(path)],
        environment: ["OPENWEATHERMAP_API_KEY": "\(Self.seed)-key"])
      #expect(run.code == 69 || run.code == 65 || run.code == 0, "\(run.errors)")
    }
  }
}
