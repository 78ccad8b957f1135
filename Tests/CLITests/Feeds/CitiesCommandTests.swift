import Foundation
import Testing

/// `sluice cities`: the list of what a feed asks for one by one.
@Suite(.needsProgram)
struct CitiesCommandTests {
  private let folder: Scratch

  init() throws { folder = try Scratch() }

  private func run(_ words: String..., environment: [String: String] = [:]) throws -> Run {
    try BuiltProgram.run(
      ["cities"] + words + ["--state", folder("state")], environment: environment)
  }

  private func names() throws -> [String] {
    try run().output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test func `the list is the feed's own at first, then what is made of it`() throws {
    #expect(
      try run("list").output == "Минск   not requested yet\nМосква  not requested yet\n")
    #expect(folder.names == [])
    try run("add", "Гродно").expectSilence()
    try run("remove", "минск").expectSilence()
    #expect(try names() == ["Москва", "Гродно"])
    #expect(folder.text("state/weather/cities.txt") == "Москва\nГродно\n")
  }

  @Test func `what is there already is said, and no error`() throws {
    let run = try run("add", "МИНСК")
    #expect(run.code == 0 && run.output == "")
    #expect(run.errors == "sluice: \"Минск\" is already in the list cities\n")
  }

  @Test func `what is not there is an error with the nearest names`() throws {
    try run("remove", "Минсек").expectFailure(
      64, "there is no \"Минсек\" in the list cities; the nearest: \"Минск\", \"Москва\"")
    try run("remove", "Минсек", "--lang", "ru").expectFailure(
      64, "нет «Минсек» в списке cities; похоже на: «Минск», «Москва»")
  }

  @Test func `what is said wrongly is told`() throws {
    try run("ad", "Минск").expectFailure(
      64, "cities: \"ad\" is not one of the choices; did you mean add?")
    try run("add").expectFailure(64, "missing operand: TEXT")
    try run("add", "Нижний", "Новгород").expectFailure(
      64, "one operand too many: \"Новгород\"; quote names")
    try run("list", "x").expectFailure(64, "one operand too many")
    try run("add", "\u{1B}[2J").expectFailure(64, "\"\\u001b[2J\" is not a name; ")
    try run("list", "--feed", "bonds").expectFailure(64, "bonds has no list")
    try run("list", "--alarm", "1d").expectFailure(64, "--alarm is not an option of cities")
    #expect(folder.names == [])
  }

  @Test func `the list of a feed of one's own goes by its own name`() throws {
    let feed = try folder.write(
      "stations.yaml",
      """
      feed: air
      url: https://example.org/air
      parameters: {id: "{station}"}
      items: {list: stations, as: station, start: [A1]}
      rows: "[]"
      columns: {station: $request.station, value: {kind: decimal}}
      """)
    try run("add", "B 2", "--feed", feed).expectSilence()
    #expect(folder.text("state/air/stations.txt") == "A1\nB 2\n")
    try run("remove", "C", "--feed", feed).expectFailure(
      64, "there is no \"C\" in the list stations")
    try run("search", "abc", "--feed", feed).expectFailure(
      64, "the feed does not say how to search for stations")
  }

  @Test func `a list that another process writes is left alone`() throws {
    try run("add", "Гродно").expectSilence()
    let script = """
      exec 9<>state/weather/.cities.txt.sluice-tmp; flock 9
      sluice cities add Брест --state state; echo $?
      """
    let run = try BuiltProgram.shell(script, in: folder.path)
    #expect(run.output == "75\n")
    #expect(folder.text("state/weather/cities.txt") == "Минск\nМосква\nГродно\n")
  }

  // MARK: Searching

  /// A feed whose names are searched for at a server of tests.
  private func searched(_ server: APIServer) throws -> String {
    let document = try BuiltProgram.run(["feeds", "weather", "--document"]).output
    return try folder.write(
      "weather.yaml",
      document.replacing("https://api.openweathermap.org", with: server.url))
  }

  private func server(_ words: String...) throws -> APIServer {
    try APIServer(
      Samples.path("Samples/weather/feed.json"), "--module",
      Samples.path("Tests/Support/openweathermap.py"), "--key", "k3y-of-search")
  }

  /// The documents below are copies of the built-in one, so their variable has to be opened.
  private let open = ["SLUICE_ALLOW_ENV": "OPENWEATHERMAP_API_KEY"]
  private var environment: [String: String] {
    open.merging(["OPENWEATHERMAP_API_KEY": "k3y-of-search"]) { $1 }
  }

  @Test func `a search gives names that can be added as they are`() throws {
    let server = try server()
    let feed = try searched(server)
    let found = try run("search", " грод ", "--feed", feed, environment: environment)
    #expect(found.code == 0, "\(found.errors)")
    #expect(
      found.output == "Grodno,BY\tГродно, Grodno Region, BY\n"
        + "Grodziec,PL\tГродзец, Silesian Voivodeship, PL\n")
    let line = String(found.output.prefix { $0 != "\n" })
    try run("add", line, "--feed", feed).expectSilence()
    #expect(folder.text("state/weather/cities.txt") == "Минск\nМосква\nGrodno,BY\n")
    #expect(try server.asked("limit") == ["5"])
  }

  @Test func `a search begins with the fourth character`() throws {
    let server = try server()
    try run("search", " Гр ", "--feed", searched(server), environment: environment)
      .expectFailure(64, "\" Гр \" has fewer than 4 characters; write more of it")
    #expect(try server.counts().requests == 0)
  }

  @Test func `nothing found is said, and no error`() throws {
    let server = try server()
    let run = try run("search", "Атлантида", "--feed", searched(server), environment: environment)
    #expect(run.code == 0 && run.output == "")
    #expect(run.errors == "sluice: nothing found for \"Атлантида\"\n")
  }

  @Test(arguments: ["401:*", "500:*:9", "html:*", "malformed:*", "cut:*:9"])
  func `a search that fails says so, without the key`(fault: String) throws {
    let server = try server()
    let feed = try searched(server)
    try server.fail(fault)
    let run = try run("search", "Гродно", "--feed", feed, environment: environment)
    #expect(run.code == 69 || run.code == 65)
    #expect(run.output == "" && !run.errors.contains("k3y-of"))
    #expect(run.errors.hasPrefix("sluice: error: "))
    if fault.hasPrefix("401") { #expect(run.errors.contains("is OPENWEATHERMAP_API_KEY correct?")) }
    #expect(folder.names == ["weather.yaml"])
    try self.run("search", "Гродно", "--feed", feed, environment: open).expectFailure(
      64, "the feed weather needs OPENWEATHERMAP_API_KEY in the environment")
  }

  @Test func `a mirror is searched, and the list says what it has answered`() throws {
    let server = try server()
    let found = try run("search", "Гродн", "--mirror", server.url, environment: environment)
    #expect(found.output == "Grodno,BY\tГродно, Grodno Region, BY\n", "\(found.errors)")
    let sync = try BuiltProgram.run(
      ["sync", server.url, "--feed", "weather", "--state", folder("state"), "-o", folder("w.csv")],
      environment: environment)
    #expect(sync.code == 0, "\(sync.errors)")
    #expect(
      try run().output == "Минск   not requested yet\nМосква  not requested yet\n")
    let output = try run("list", "--mirror", server.url).output
    #expect(
      output.wholeMatch(of: /Минск   20[0-9T:-]+Z\nМосква  20[0-9T:-]+Z\n/) != nil, "\(output)")
    try run("--mirror", "weather.json").expectFailure(
      64, "--mirror: \"weather.json\" is not an http or https URL; write http://HOST:PORT")
  }

  @Test func `the list says when each was answered, and whether that is too long ago`() throws {
    let server = try server()
    let feed = try searched(server)
    let sync = try BuiltProgram.run(
      ["sync", "--feed", feed, "--state", folder("state"), "-o", folder("w.csv")],
      environment: environment)
    #expect(sync.code == 0, "\(sync.errors)")
    let output = try run("list", "--feed", feed).output
    #expect(
      try run("list", "--feed", feed, "--max-age", "0").output
        == output.replacing("Z\n", with: "Z, stale\n"))
    #expect(
      output.wholeMatch(of: /Минск   20[0-9T:-]+Z\nМосква  20[0-9T:-]+Z\n/) != nil, "\(output)")
    try BuiltProgram.shell(
      "sed -i -E 's/\"answered\":[0-9]+/\"answered\":1700000000/' state/weather/*.answers/*",
      in: folder.path
    ).expectSilence()
    #expect(
      try run("list", "--feed", feed).output
        == "Минск   2023-11-14T22:13:20Z, stale\nМосква  2023-11-14T22:13:20Z, stale\n")
  }
}
