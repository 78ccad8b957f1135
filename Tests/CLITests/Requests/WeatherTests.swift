import Foundation
import Testing

/// A feed that asks once for each item of a list, each of which has an age of its own.
@Suite(.needsProgram)
struct WeatherTests {
  private static let key = "k3y-of-weather"
  private static let ten = [
    "Гродно", "Брест", "Гомель", "Витебск", "Могилёв", "Новосибирск", "Казань", "Пермь",
  ]
  private let folder: Scratch
  private let server: APIServer

  init() throws {
    folder = try Scratch()
    server = try APIServer(
      Samples.path("Samples/weather/feed.json"), "--module",
      Samples.path("Tests/Support/openweathermap.py"), "--key", Self.key)
  }

  private func run(_ words: [String], feed: String = "weather", key: String? = key) throws -> Run {
    let run = try BuiltProgram.run(
      words + ["--feed", feed, "--state", folder("state")],
      environment: (key.map { ["OPENWEATHERMAP_API_KEY": $0] } ?? [:]).merging([
        "SOURCE_DATE_EPOCH": "1593108790", "SLUICE_ALLOW_ENV": "OPENWEATHERMAP_API_KEY",
      ]) { $1 })
    // Whatever happens, the key is nowhere to be read.
    let found = try BuiltProgram.shell("grep -rl -e \(Self.key) . ; true", in: folder.path)
    #expect(found.output == "")
    #expect(!run.errors.contains(Self.key) && !run.output.contains(Self.key))
    return run
  }

  private func sync(_ words: String..., feed: String = "weather", key: String? = key) throws -> Run
  {
    try run(
      ["sync", server.url, "-o", folder("w.csv"), "-o", folder("w.ics"), "-v"] + words, feed: feed,
      key: key)
  }

  private func cities(_ words: String...) throws -> Run {
    try BuiltProgram.run(["cities"] + words + ["--state", folder("state")])
  }

  /// The cities that were asked for, in the order of time.
  private func asked() throws -> [String] {
    try server.asked("q").map { $0.removingPercentEncoding ?? "" }
  }

  /// The files of the answers.
  private func answers() throws -> [String] {
    let feed = folder("state") + "/weather"
    let names = try FileManager.default.contentsOfDirectory(atPath: feed)
    return try names.filter { $0.hasSuffix(".answers") }.flatMap { name in
      try FileManager.default.contentsOfDirectory(atPath: "\(feed)/\(name)").sorted()
        .map { "\(feed)/\(name)/\($0)" }
    }
  }

  /// The city that a file's answer is for.
  private func city(_ file: String) throws -> String {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let name = try #require(text.firstMatch(of: /"asked":"[^"]*[?&]q=([^&"]*)/))
    return String(name.1).removingPercentEncoding ?? ""
  }

  /// Makes answers older: they came so many seconds ago.
  private func age(_ files: some Sequence<String>, by seconds: Int) throws {
    let answered = Int(Date().timeIntervalSince1970) - seconds
    for file in files {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let older = text.replacing(/"answered":[0-9]+/, with: "\"answered\":\(answered)")
      #expect(older != text)
      try Data(older.utf8).write(to: URL(fileURLWithPath: file))
    }
  }

  private var rows: [String] { folder.text("w.csv").split(separator: "\n").map(String.init) }

  private func expectPublished(_ cities: [String]) {
    var found: [String] = []
    for row in rows.dropFirst() {
      let city = String(row.prefix { $0 != "," })
      if found.last != city { found.append(city) }
    }
    #expect(found == cities)
    #expect(folder.temporaries == [])
  }

  // MARK: What is asked

  @Test(arguments: ["csv", "ndjson", "ics", "en.ics"])
  func `the answers give what they gave`(format: String) throws {
    let output = folder("w.\(format)")
    let words = format == "en.ics" ? ["--lang", "en"] : []
    try run(["convert", server.url, "-o", output] + words).expectSilence()
    #expect(
      folder.bytes("w.\(format)")?.text
        == (try String(
          contentsOfFile: Samples.path("Samples/weather/served.\(format)"), encoding: .utf8)),
      "run 'make goldens', and read the difference before you commit it")
  }

  @Test func `of ten cities only the three stale ones are asked for, and then none`() throws {
    for city in Self.ten { try cities("add", city).expectSilence() }
    #expect(try sync().code == 0)
    #expect(try server.counts().requests == 10)
    let all = ["Минск", "Москва"] + Self.ten
    expectPublished(all)
    let before = folder.bytes("w.csv")
    let stale = [try answers()[1], try answers()[4], try answers()[9]]
    try age(stale, by: 3 * 3600)
    try age([answers()[0]], by: 3 * 3600 - 60)
    try server.reset()
    #expect(try sync().code == 0)
    #expect(try server.counts().requests == 3)
    #expect(try asked().sorted() == stale.map(city).sorted())
    #expect(try server.counts().paths.allSatisfy { $0.hasPrefix("/data/2.5/forecast?") })
    expectPublished(all)
    try server.reset()
    #expect(try sync().code == 0)
    #expect(try server.counts().requests == 0)
    #expect(folder.bytes("w.csv") == before)
  }

  @Test func `a city that is added is asked for, one that is removed is dropped`() throws {
    #expect(try sync().code == 0)
    try server.reset()
    try cities("add", "Гродно").expectSilence()
    try cities("remove", "МИНСК").expectSilence()
    #expect(try sync().code == 0)
    #expect(try asked() == ["Гродно"])
    expectPublished(["Москва", "Гродно"])
    #expect(try answers().count == 2)
    // What a person takes away is no loss that a guard would have to refuse.
    try cities("remove", "Москва").expectSilence()
    #expect(try sync().code == 0)
    expectPublished(["Гродно"])
  }

  @Test func `an answer is good for as long as is said`() throws {
    #expect(try sync().code == 0)
    try age(answers(), by: 4000)
    try server.reset()
    #expect(try sync("--max-age", "2h").code == 0)
    #expect(try server.counts().requests == 0)
    #expect(try sync("--max-age", "1h").code == 0)
    #expect(try server.counts().requests == 2)
  }

  @Test func `an empty list is an error that says how to fill it`() throws {
    try cities("remove", "Минск").expectSilence()
    try cities("remove", "Москва").expectSilence()
    let run = try sync()
    #expect(run.code == 66)
    #expect(
      run.errors.contains(
        "the list cities is empty, so there is nothing to request; add to it: sluice cities add NAME"
      ))
  }

  @Test func `a city with anything in its name is one parameter`() throws {
    try cities("add", "a&b=c/д #1%").expectSilence()
    #expect(try sync().code == 3)
    #expect(try asked().sorted() == ["a&b=c/д #1%", "Минск", "Москва"])
  }

  // MARK: Faults

  @Test func `one city of three that is not found leaves the others`() throws {
    try cities("add", "Нетград").expectSilence()
    let run = try sync()
    #expect(run.code == 3)
    #expect(
      run.errors.contains(
        "warning: source: Нетград: the server answers 404 for \"\(server.url)/data/2.5/forecast?q=")
    )
    #expect(
      run.errors.contains(
        "appid=***\"; check the spelling: sluice cities search Нетград "
          + "--mirror \(server.url) (published without: Нетград. run it again: only the "
          + "missing parts are requested)"))
    expectPublished(["Минск", "Москва"])
    try server.reset()
    #expect(try sync().code == 3)
    #expect(try asked() == ["Нетград"])
    // The advice can be pasted; a name too short to be searched for gets none.
    try cities("remove", "Нетград").expectSilence()
    try cities("add", "Nwe Yo'rk").expectSilence()
    #expect(try sync().errors.contains(#" sluice cities search 'Nwe Yo'\''rk' --mirror http"#))
    try cities("remove", "Nwe Yo'rk").expectSilence()
    try cities("add", "a b").expectSilence()
    #expect(try sync().errors.contains("check the spelling (published"))
  }

  @Test(arguments: [
    ("500:*:0", "the server answers 500"), ("cut:*:0", "bytes"), ("malformed:*:0", "json: byte "),
    ("html:*:0", "HTML"), ("short:*:0", "json: "), ("404:*:0", "check the spelling"),
    ("401:*:0", "is OPENWEATHERMAP_API_KEY correct?"),
  ])
  func `what cannot be refreshed keeps its last rows, with their age`(
    _ fault: String, _ message: String
  ) throws {
    // At first there is nothing to keep.
    try server.fail(fault)
    let first = try sync()
    #expect([65, 69].contains(first.code))
    #expect(first.errors.contains(message), "\(first.errors)")
    #expect(first.errors.contains("also missing: Москва. run it again: "), "\(first.errors)")
    #expect(folder.names == ["state"])
    try server.fail()
    #expect(try sync().code == 0)
    let old = rows
    try age(answers(), by: 20_000)
    try server.fail(fault)
    let later = try sync()
    #expect(later.code == 3)
    #expect(later.errors.contains(message))
    #expect(
      later.errors.contains(
        " (published with earlier rows: Минск, 5 h old; Москва, 5 h old. run it again: "))
    #expect(rows.count == old.count)
    for (row, before) in zip(rows, old).dropFirst() {
      #expect(row.hasPrefix(before))
      #expect(Int(row.dropFirst(before.count)).map { (20_000..<21_000).contains($0) } == true)
    }
    #expect(try sync("--stale-ok", "1h").code == 3)
    #expect(try sync("--stale-ok", "1d").code == 0)
  }

  @Test(arguments: [
    ("{\"dt\":\"x\",\"main\":{\"temp\":1}}", "normalize: Москва: 1 of 1 record rejected", 1),
    ("", "normalize: Москва: the answer has no records, the one before had 17; ", 0),
  ])
  func `an answer worse than the last one leaves its rows, and is asked for again`(
    _ bad: String, _ message: String, _ records: Int
  ) throws {
    let sample = try String(
      contentsOfFile: Samples.path("Samples/weather/feed.json"), encoding: .utf8)
    #expect(try sync().code == 0)
    let old = rows
    let moscow = try #require(
      answers().first { file in
        try String(contentsOfFile: file, encoding: .utf8).contains("%D0%9C%D0%BE%D1%81")
      })
    try age([moscow], by: 20_000)
    try server.offer("{\"list\":[\(bad)]}")
    let worse = try sync()
    #expect(worse.code == 3, "\(worse.errors)")
    #expect(worse.errors.contains(message), "\(worse.errors)")
    #expect(worse.errors.contains("published with earlier rows: Москва, 5 h old."))
    #expect(rows.count == old.count)
    let quiet = try sync("-q", "--stale-ok", "1d")
    #expect(quiet.code == 0 && quiet.errors == "", "\(quiet.errors)")
    let allowed = try sync("--stale-ok", "1d")
    #expect(allowed.code == 0 && allowed.errors.contains(message))
    let seen = try run(["inspect", server.url])
    #expect(seen.code == 3 && seen.errors.contains("warning: \(message)"), "\(seen.errors)")
    // Nothing of it is taken for an answer.
    try server.offer(sample)
    try server.reset()
    #expect(try sync().code == 0)
    #expect(try asked() == ["Москва"])
    #expect(rows == old)
    guard records == 0 else { return }
    try age([moscow], by: 20_000)
    try server.offer("{\"list\":[]}")
    #expect(try sync("--accept").code == 0)
    expectPublished(["Минск"])
  }

  @Test func `advice does not repeat the key of a mirror's path`() throws {
    let run = try run(["sync", "\(server.url)/\(Self.key)", "-o", folder("w.csv")])
    #expect(run.code == 69)
    #expect(
      run.errors.contains("sluice cities search Минск --mirror '\(server.url)/***'"),
      "\(run.errors)")
  }

  @Test func `offline nothing is asked, and no key needed`() throws {
    #expect(try sync().code == 0)
    let offline = try run(
      ["convert", server.url, "--offline", "-o", folder("o.csv")], key: nil)
    offline.expectSilence()
    #expect(folder.bytes("o.csv") == folder.bytes("w.csv"))
  }

  @Test func `who is not let in is asked no more`() throws {
    for city in Self.ten { try cities("add", city).expectSilence() }
    let run = try sync(key: "another key")
    #expect(run.code == 69)
    #expect(run.errors.contains("is OPENWEATHERMAP_API_KEY correct?"))
    #expect(!run.errors.contains("another key"))
    #expect(try server.counts().requests <= 2)
    let none = try sync(key: nil)
    #expect(none.code == 64)
    #expect(none.errors.contains("set it: export OPENWEATHERMAP_API_KEY=…"))
  }

  @Test func `a server that wants to be left alone for a while is`() throws {
    try server.fail("429:*:1:1")
    #expect(try sync().code == 0)
    // One of the two was asked for again.
    #expect(try asked().count == 3)
    expectPublished(["Минск", "Москва"])
  }

  @Test func `nobody there is an error once, and no long wait`() throws {
    let run = try run(["convert", "http://127.0.0.1:9", "-o", folder("w.csv")])
    #expect(run.code == 69)
    #expect(run.errors.contains("source: Минск: cannot connect to the server"))
    #expect(folder.names == ["state"])
  }

  @Test func `an answer that says 200 and means 500 is none`() throws {
    try cities("add", "Nirvana").expectSilence()
    let run = try sync()
    #expect(run.code == 3)
    #expect(
      run.errors.contains(
        "source: byte 11: Nirvana: the source sends no data, its status is \"500\""))
    expectPublished(["Минск", "Москва"])
  }

  @Test(
    .enabled(
      if: Samples.isThere(Samples.path("../shared/data/openweathermap")), "../shared is absent"))
  func `the real answers, good and bad`() throws {
    for city in ["London", "malformed", "server error"] {
      try cities("add", city).expectSilence()
    }
    let run = try sync()
    #expect(run.code == 3)
    #expect(run.errors.contains(" (published without: malformed, server error. run it again: "))
    expectPublished(["Минск", "Москва", "London"])
    #expect(
      rows.last == "London,2013-09-11T12:00:00+03:00,288.43,,1026.07,75,4.26,92,,,overcast clouds,")
  }

  @Test func `bad answers for some cities in a row leave the others`() throws {
    for city in ["Nirvana", "Nirvana,US", "Nirvana,BY", "Гродно", "Брест"] {
      try cities("add", city).expectSilence()
    }
    let run = try sync()
    #expect(run.code == 3)
    #expect(run.errors.contains(" (published without: Nirvana, Nirvana,US, Nirvana,BY. "))
    expectPublished(["Минск", "Москва", "Гродно", "Брест"])
  }

  @Test func `what is forbidden for some cities is asked for the others, and for none if for all`()
    throws
  {
    for city in Self.ten { try cities("add", city).expectSilence() }
    let forbidden = ["Гродно", "Брест", "Гомель"]
    try server.fail("403:*")
    #expect(try sync().code == 69)
    #expect(try server.counts().requests <= 3)
    let faults = forbidden.map { "403:/data/2.5/forecast?q=\($0)" }
    try server.fail(faults[0], faults[1], faults[2])
    #expect(try sync().code == 3)
    expectPublished((["Минск", "Москва"] + Self.ten).filter { !forbidden.contains($0) })
  }

  @Test func `what a killed run has left of a city goes with the next`() throws {
    #expect(try sync().code == 0)
    let folder = try URL(fileURLWithPath: answers()[0]).deletingLastPathComponent()
    try Data("{".utf8).write(to: folder.appendingPathComponent(".item-0123456789abcdef.sluice-tmp"))
    #expect(try answers().count == 3)
    #expect(try sync().code == 0)
    #expect(try answers().count == 2)
  }

  @Test func `what cannot be kept is not published without, whatever is`() throws {
    #expect(try sync().code == 0)
    let before = folder.bytes("w.csv")
    try age(answers(), by: 20_000)
    try server.reset()
    // As it is when a disk is full.
    let run = try BuiltProgram.shell(
      "ulimit -f 1; exec sluice sync '\(server.url)' --feed weather --state state -o w.csv",
      environment: ["OPENWEATHERMAP_API_KEY": Self.key], in: folder.path)
    #expect(run.code == 74)
    #expect(run.errors.contains("Минск: cannot write to "), "\(run.errors)")
    #expect(try server.counts().requests <= 2)
    #expect(folder.bytes("w.csv") == before && folder.temporaries == [])
    #expect(try answers().count == 2)
    #expect(try sync().code == 0)
  }

  @Test func `of two runs at once the second asks for nothing`() throws {
    let slow = try APIServer(
      Samples.path("Samples/weather/feed.json"), "--module",
      Samples.path("Tests/Support/openweathermap.py"), "--key", Self.key, "--hold", "1")
    let words = ["--feed", "weather", "--state", folder("state"), "-o"]
    let first = try BuiltProgram.start(
      ["env", "OPENWEATHERMAP_API_KEY=\(Self.key)", BuiltProgram.path, "sync", slow.url] + words
        + [folder("w.csv")])
    for _ in 0..<2000 where try slow.counts().requests == 0 { usleep(5000) }
    let second = try run(["convert", slow.url, "-o", folder("other.csv")])
    try slow.release()
    second.expectFailure(75, "sync: another run (process ")
    first.wait().expectSilence()
    #expect(try slow.counts().requests == 2)
    #expect(folder.names == ["state", "w.csv"])
  }

  // MARK: All or nothing

  @Test func `where all are wanted, nothing is published without one`() throws {
    let document = try BuiltProgram.run(["feeds", "weather", "--document"]).output
    let feed = try folder.write(
      "all.yaml", document.replacing("publish: stale", with: "publish: all"))
    try server.fail("500:/data/2.5/forecast?q=Москва")
    let first = try sync(feed: feed)
    #expect(first.code == 69)
    #expect(first.errors.contains("Москва: the server answers 500"))
    #expect(first.errors.contains("run it again: only the missing parts are requested)"))
    #expect(folder.names == ["all.yaml", "state"])
    try server.fail()
    try server.reset()
    #expect(try sync(feed: feed).code == 0)
    #expect(try asked() == ["Москва"])
    let before = folder.bytes("w.csv")
    try age(answers(), by: 20_000)
    try server.fail("500:*")
    #expect(try sync(feed: feed).code == 69)
    #expect(folder.bytes("w.csv") == before)
    #expect(try sync("--stale-ok", "1d", feed: feed).code == 0)
  }
}
