import Foundation
import Testing

/// `sluice find`, as a resident and as a script use it.
@Suite(.needsProgram)
struct FindCommandTests {
  /// Searches the small sample, on a day, in Russian.
  private func find(_ words: String..., today: String = "2020-06-20", more: [String] = [])
    throws -> Run
  {
    try BuiltProgram.run(
      ["find"] + words + ["--input", Samples.hotWater, "--today", today, "--lang", "ru"] + more)
  }

  @Test func `one place is one line with its days`() throws {
    let run = try find("пр. Непокоренных,", "15к1", "лит", "А", today: "2020-06-30")
    #expect(run.code == 0 && run.errors == "", "\(run.errors)")
    #expect(
      run.output == """
        Санкт-Петербург, Непокорённых, дом 15 корпус 1 литер А: 22 июня – 5 июля 2020, ещё 6 дней; \
        17–18 августа 2020, через 48 дней

        """)
  }

  @Test func `English has its own words`() throws {
    let english = try BuiltProgram.run([
      "find", "Krasnoputilovskaya 65", "--input", Samples.hotWater, "--today", "2020-06-20",
    ])
    #expect(
      english.output
        == "Санкт-Петербург, Краснопутиловская, house 65: 22 June – 5 July 2020, in 2 days\n")
  }

  @Test func `several places are a list, and how to narrow it`() throws {
    let run = try find("Ветеранов 3")
    #expect(run.code == 0)
    #expect(
      run.output == """
        Санкт-Петербург, Ветеранов, дом 3 корпус 1: 22 июня – 5 июля 2020, через 2 дня
        Санкт-Петербург, Ветеранов, дом 3 корпус 2: 22 июня – 5 июля 2020, через 2 дня

        """)
    #expect(run.errors == "sluice: добавьте корпус: 15к1 или 15/1\n")
  }

  @Test func `nothing is 1, with the nearest places that are there`() throws {
    let run = try find("Ветеранов 3 корпус 1 литер А")
    #expect(run.code == 1 && run.output == "")
    #expect(
      run.errors.hasPrefix(
        """
        sluice: по запросу «Ветеранов 3 корпус 1 литер А» ничего не найдено; самое похожее:
          Санкт-Петербург, Ветеранов, дом 3 корпус 1 есть без литера: 22 июня – 5 июля 2020, через 2 дня

        """), "\(run.errors)")
    let unknown = try find("Landsberger Allee 14")
    #expect(unknown.code == 1)
    #expect(unknown.errors == "sluice: по запросу «Landsberger Allee 14» ничего не найдено\n")
  }

  @Test func `JSON has a place a line, with its events and the reasons`() throws {
    let run = try find("Непокоренных 15/1", more: ["--json"])
    #expect(run.code == 0 && run.errors == "")
    #expect(
      run.output == """
        {"place":{"locality":"Санкт-Петербург","street":"Непокорённых","house":"15","building":"1",\
        "letter":"А"},"reasons":["broader","splitHouse"],"events":[{"start_date":"2020-06-22",\
        "end_date":"2020-07-05","address_id":"c848c36e7b2fe71a"},{"start_date":"2020-08-17",\
        "end_date":"2020-08-18","address_id":"c848c36e7b2fe71a"},{"start_date":"2020-06-22",\
        "end_date":"2020-07-05","address_id":"c848c36e7b2fe71a"}]}

        """)
  }

  @Test func `another feed is searched by its own columns`() throws {
    let folder = Samples.path("Tests/Support/search")
    func find(_ text: String, _ feed: String) throws -> Run {
      try BuiltProgram.run([
        "find", text, "--feed", "\(folder)/\(feed).yaml", "--input", "\(folder)/\(feed).json",
        "--today", "2026-01-05",
      ])
    }
    #expect(
      try find("lindenweg 4", "bins").output.hasPrefix(
        "Bergheim, Lindenweg, house 4: paper: 5 January 2026, today; bio: 12 January 2026, in 7 days\n"
      ))
    #expect(try find("central south", "stations").output == "102, Central Station South: bikes 0\n")
    #expect(
      try find("Odegaard", "players").output.hasPrefix(
        "Arsenal, Martin, Ødegaard: 17 December 1998"))
  }

  @Test func `the last good copy of sync is searched, of whatever input`() throws {
    let folder = try Scratch()
    let state = folder("state")
    let none = try BuiltProgram.run(["find", "Садовая 14", "--state", state])
    none.expectFailure(66, "sync: there is no last good copy of")
    #expect(none.errors.contains("run sluice sync first"))
    #expect(none.errors.contains("--input INPUT"))
    let night = try BuiltProgram.run([
      "sync", Samples.hotWater, "-o", folder("a.csv"), "--state", state, "--allow-rejects",
    ])
    #expect(night.code == 0, "\(night.errors)")
    let run = try BuiltProgram.run([
      "find", "Краснопутиловская 65", "--state", state, "--today", "2020-07-06", "--lang", "ru",
    ])
    #expect(
      run.output == """
        Санкт-Петербург, Краснопутиловская, дом 65: 22 июня – 5 июля 2020, закончилась вчера

        """, "\(run.errors)")
  }

  @Test func `a feed without a URL of its own is searched in what sync has read`() throws {
    let folder = try Scratch()
    let (state, tables) = (folder("state"), Samples.path("Tests/Support/search"))
    func find() throws -> Run {
      try BuiltProgram.run([
        "find", "Lindenweg 14", "--feed", "\(tables)/bins.yaml", "--state", state, "--today",
        "2026-01-05",
      ])
    }
    #expect(try find().code == 66)
    let night = try BuiltProgram.run([
      "sync", "\(tables)/bins.json", "--feed", "\(tables)/bins.yaml", "-o", folder("a.csv"),
      "--state", state,
    ])
    #expect(night.code == 0, "\(night.errors)")
    let run = try find()
    #expect(
      run.output == "Bergheim, Lindenweg, house 14: paper: 5 January 2026, today\n", "\(run.errors)"
    )
  }

  @Test func `a damaged record of another input is passed over, which only -v says`() throws {
    let folder = try Scratch()
    let state = folder("state")
    let night = try BuiltProgram.run([
      "sync", Samples.hotWater, "-o", folder("a.csv"), "--state", state, "--allow-rejects",
    ])
    #expect(night.code == 0, "\(night.errors)")
    try Data("{".utf8).write(
      to: URL(filePath: state).appending(path: "hot-water/0123456789abcdef.json"))
    let search = ["find", "Краснопутиловская 65", "--state", state, "--lang", "en"]
    let quiet = try BuiltProgram.run(search)
    #expect(quiet.code == 0 && quiet.errors == "", "\(quiet.errors)")
    let told = try BuiltProgram.run(search + ["-v"])
    #expect(told.code == 0 && told.output == quiet.output)
    told.expectOneLine("sluice: looking for the newest copy, a record is passed over: ")
    #expect(told.errors.contains("0123456789abcdef.json"), "\(told.errors)")
  }

  @Test func `a table of several is searched by its name`() throws {
    let folder = try Scratch()
    let feed = try folder.write(
      "two.yaml",
      Data(
        """
        feed: two
        tables:
          towns: {rows: "towns[]", columns: {town: {required: true}}, key: [town]}
          shops: {rows: "shops[]", columns: {shop: {required: true}}, key: [shop]}
        """.utf8))
    let input = try folder.write(
      "two.json", Data(#"{"towns": [{"town": "Bergheim"}], "shops": [{"shop": "Berg & Co"}]}"#.utf8)
    )
    func run(_ more: String...) throws -> Run {
      try BuiltProgram.run(["find", "berg", "--feed", feed, "--input", input] + more)
    }
    #expect(try run().output.hasPrefix("Bergheim"))
    #expect(try run("--table", "shops").output.hasPrefix("Berg & Co"))
    try run("--table", "nothing").expectFailure(64, "there is no table")
  }

  @Test func `the entry and the size of an input are chosen as convert does it`() throws {
    let records =
      #"[{"Адрес жилого здания":"Садовая","№ дома":"14","Период отключения ГВС":"01.06.2020"}]"#
    let archive = Archive(entries: [
      Archive.Entry("one.json", Array(records.utf8)), Archive.Entry("other.json", Array("[]".utf8)),
    ]).bytes
    func run(_ more: String...) throws -> Run {
      try BuiltProgram.run(["find", "Садовая 14", "--input", "-"] + more, reading: .bytes(archive))
    }
    try run().expectFailure(65, "unzip: ")
    let found = try run("--entry", "one.json")
    #expect(found.code == 0 && found.output.hasPrefix("Садовая"), "\(found.errors)")
    try run("--entry", "one.json", "--max-size", "10").expectFailure(65, "unzip: ")
  }

  @Test func `wrong calls are told`() throws {
    func run(_ words: String...) throws -> Run { try BuiltProgram.run(["find"] + words) }
    try run().expectFailure(64, "missing operand: TEXT")
    try run("").expectFailure(64, "TEXT")
    try run("!!!", "--input", Samples.hotWater).expectFailure(64, "TEXT is empty")
    try run("Садовая", "--today", "morgen").expectFailure(64, "--today")
    try run("Садовая", "--input", "/nowhere.json").expectFailure(66, "source: ")
    try run("Садовая", "--feed", "nothing").expectFailure(64, "")
  }

  @Test(arguments: [
    String(repeating: "q", count: 100_000), String(repeating: "слово ", count: 10_000),
    "a\u{1}\u{1B}[31m\u{7F}b \u{202E}c",
  ])
  func `a hostile text finds nothing, and its message is short and safe`(text: String) throws {
    let run = try find(text)
    #expect(run.code == 1 && run.output == "")
    run.expectOneLine("sluice: ")
  }

  @Test func `broken data is no answer`() throws {
    let folder = try Scratch()
    let bytes = try Data(contentsOf: URL(filePath: Samples.hotWater))
    let path = try folder.write("cut.json", bytes.prefix(1000))
    let run = try BuiltProgram.run(["find", "Садовая 14", "--input", path])
    #expect(run.code == 65 && run.output == "")
  }
}
