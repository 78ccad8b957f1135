import Foundation
import Testing

extension EndToEnd {
  /// Conditions beyond equality, and days as people name them.
  @Suite struct ConditionsTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func writeHouses() throws {
      func record(_ street: String, _ house: String, _ days: String) -> String {
        SmallFeed.record(
          street: "\"\(street)\"", house: "\"\(house)\"", period: "\"\(days)\"")
      }
      try folder.write(
        "feed.json",
        SmallFeed.list([
          record("Краснопутиловская", "1", "1.7.2020-5.7.2020"),
          record("Красная улица", "2", "8.7.2020-9.7.2020"),
          record("Садовая", "3", "1.8.2020-5.8.2020, 1.9.2020-5.9.2020"),
          record("Пре*красная", "", "1.7.2020-5.7.2020"),
        ]))
    }

    /// The houses that conditions keep.
    private func houses(_ conditions: String...) throws -> [String] {
      let run = try BuiltProgram.run(
        ["convert", "feed.json", "--columns", "house"] + conditions.flatMap { ["--where", $0] },
        in: folder.path)
      #expect(run.errors == "" || run.code == 1)
      return run.output.split(separator: "\n", omittingEmptySubsequences: false)
        .dropFirst().dropLast().map(String.init)
    }

    /// The prices of the sample that conditions and other words keep.
    private func prices(_ words: String...) throws -> [String] {
      let run = try BuiltProgram.run(
        ["convert", Samples.path("Samples/bonds/feed.json"), "--feed", "bonds"]
          + ["--columns", "price"] + words)
      #expect(run.code == 0, "\(run.errors)")
      return run.output.split(separator: "\n").dropFirst().map(String.init)
    }

    @Test func `a star is any text, and a star behind a backslash is a star`() throws {
      try writeHouses()
      #expect(try houses("street=Красн*") == ["1", "2"])
      #expect(try houses("street=КРАСН*СКАЯ") == ["1"])
      #expect(try houses("street=*красная*") == ["2", ""])
      #expect(try houses("street=*") == ["1", "2", "3", "3", ""])
      #expect(try houses("street=Пре\\*красная") == [""])
      #expect(try houses("street=Пре\\**") == [""])
      #expect(try houses("street=С*я", "street=Красная улица") == ["2", "3", "3"])
      #expect(try houses("street!=Красн*") == ["3", "3", ""])
      #expect(try houses("start_date=2020-07*") == ["1", "2", ""])
    }

    @Test func `what a value must not be holds beside all others`() throws {
      try writeHouses()
      #expect(try houses("house!=3") == ["1", "2", ""])
      #expect(try houses("house!=3", "house!=1") == ["2", ""])
      #expect(try houses("house!=") == ["1", "2", "3", "3"])
      #expect(try houses("street=Кра*", "house!=1") == ["2"])
      #expect(try houses("house>1") == ["2", "3", "3"])
      #expect(try houses("house>=1", "house<3") == ["1", "2"])
    }

    @Test func `texts are compared in the order in which they are sorted`() throws {
      try folder.write(
        "feed.json",
        SmallFeed.list(["9", "10а", "10", "100", ""].map { SmallFeed.record(house: "\"\($0)\"") }))
      #expect(try houses("house<10") == ["9"])
      #expect(try houses("house<=10") == ["9", "10"])
      #expect(try houses("house>10") == ["10а", "100"])
      #expect(try houses("house>=9", "house<=10А") == ["9", "10а", "10"])
    }

    @Test func `true and false are meant by the words of their kind`() throws {
      try folder.write("own.yaml", "feed: own\nrows: d[]\ncolumns: {f: {kind: flag}, n: n}\n")
      try folder.write(
        "own.json", #"{"d":[{"f":"да","n":1},{"f":false,"n":2},{"f":1,"n":3},{"n":4}]}"#)
      func numbers(_ condition: String) throws -> String {
        try BuiltProgram.run(
          ["convert", "own.json", "--feed", "./own.yaml", "--columns", "n", "--where", condition],
          in: folder.path
        ).output.split(separator: "\n").dropFirst().joined(separator: " ")
      }
      for word in ["f=да", "f=yes", "f=1", "f=true"] { #expect(try numbers(word) == "1 3") }
      #expect(try numbers("f!=да") == "2 4")
      #expect(try numbers("f=") == "4")
    }

    @Test func `an event without an end is where it begins`() throws {
      try folder.write(
        "own.yaml",
        """
        feed: own
        clock: Europe/London
        rows: d[]
        columns: {n: n, start: {kind: instant}, end: {kind: instant, zone: Europe/London}}
        key: [n]
        event: {summary: "{n}", start: start, end: end}
        """)
      try folder.write(
        "own.json",
        """
        {"d":[{"n":"a","start":"2026-07-01 10:00","end":"2026-07-01 11:00"},
        {"n":"b","start":"2026-07-01 20:00"},{"n":"c","start":"2026-07-01 10:00"}]}
        """)
      func names(_ words: String...) throws -> String {
        try BuiltProgram.run(
          ["convert", "own.json", "--feed", "./own.yaml", "--columns", "n"] + words,
          in: folder.path
        ).output.split(separator: "\n").dropFirst().joined(separator: " ")
      }
      #expect(try names("--from", "2026-07-01") == "a b c")
      #expect(try names("--from", "2026-07-01T10:30") == "a b")
      #expect(try names("--from", "2026-07-01T19:00:00Z", "--to", "2026-07-01T20:00") == "b")
    }

    @Test func `days are compared by value, each row of a record by its own`() throws {
      try writeHouses()
      #expect(try houses("start_date>=2020-07-08") == ["2", "3", "3"])
      #expect(try houses("start_date>8.7.2020") == ["3", "3"])
      #expect(try houses("start_date=2020-09-01") == ["3"])
      #expect(try houses("end_date<=2020-07-05", "street=Кра*") == ["1"])
      #expect(try houses("start_date!=2020-08-01") == ["1", "2", "3", ""])
    }

    @Test func `numbers and times are compared by value`() throws {
      #expect(try prices("--where", "price>=117.3") == ["1.5E+2", "117.3", "118"])
      #expect(try prices("--where", "price=100.00") == ["100"])
      #expect(try prices("--where", "price>=0", "--where", "price<59,304") == ["56.177", "0.10"])
      #expect(try prices("--where", "price<0") == ["-0.5"])
      #expect(try prices("--where", "price=0.1", "--where", "price=118") == ["0.10", "118"])
      #expect(
        try prices("--where", "date>2018-09-02", "--where", "date<2019-01-01")
          == ["98.765432109876543210", "1.5E+2"])
      // The clock of this feed is UTC; 13:00+05:30 is 7:30.
      #expect(
        try prices("--where", "date>=2018-09-02T13:00+03:00", "--where", "date<=2018-09-03")
          == ["0.10", "98.765432109876543210"])
      #expect(
        try prices("--from", "2018-09-02T07:30", "--to", "2018-09-02 10:30+03:00") == ["-0.5"])
      #expect(try prices("--from", "2018-12-31T20:59:59Z", "--to", "01.01.2019").count == 2)
    }

    @Test func `an empty selection shows values that are near`() throws {
      try writeHouses()
      let run = try BuiltProgram.run(
        ["convert", "feed.json", "--where", "start_date=2020-07-02"], in: folder.path)
      #expect(run.code == 1)
      #expect(
        run.errors.hasPrefix(
          "sluice: warning: none of 4 records matches --where; nearest values of start_date: "))
      let pattern = try BuiltProgram.run(
        ["convert", "feed.json", "--where", "street=Сад", "--where", "street=Кросн*"],
        in: folder.path)
      #expect(pattern.code == 1 && pattern.errors.contains("nearest values of street: Садовая"))
    }

    @Test(arguments: [
      ("today", "2020-07-05", ["1", "2", "3", "3", ""]), ("+1d", "2020-07-05", ["2", "3", "3"]),
      ("tomorrow", "2020-07-05", ["2", "3", "3"]), ("завтра", "2020-07-05", ["2", "3", "3"]),
      ("-4w", "2020-08-06", ["2", "3", "3"]),
      ("yesterday", "2020-07-06", ["1", "2", "3", "3", ""]),
      ("06.07.2020", "2000-01-01", ["2", "3", "3"]),
    ])
    func `a day may be named from today`(from: String, today: String, houses: [String]) throws {
      try writeHouses()
      // Noon in UTC: the same day by the feed's clock.
      let seconds = try #require(ISO8601DateFormatter().date(from: "\(today)T12:00:00Z"))
      let run = try BuiltProgram.run(
        ["convert", "feed.json", "--columns", "house", "--from", from],
        environment: ["SOURCE_DATE_EPOCH": "\(Int(seconds.timeIntervalSince1970))"],
        in: folder.path)
      #expect(run.errors == "")
      #expect(
        run.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
          .map(String.init) == houses)
    }

    @Test func `a night of each day publishes from that day on, with one state`() throws {
      try writeHouses()
      func night(_ today: String) throws -> Int {
        try BuiltProgram.run(
          ["sync", "feed.json", "-o", "a.csv", "-o", "a.ics", "--state", folder("state")]
            + ["--from", "today", "--to", "+30d", "--today", today], in: folder.path
        ).expectSilence()
        let events = folder.text("a.ics").components(separatedBy: "BEGIN:VEVENT").count - 1
        #expect(folder.text("a.csv").split(separator: "\n").count - 1 == events)
        return events
      }
      #expect(try night("2020-07-01") == 3)
      #expect(try night("2020-07-06") == 2)
      #expect(try night("2020-08-04") == 2)
      #expect(folder.entries("state/hot-water").count { $0.hasSuffix(".json") } == 1)
      // In autumn there is nothing left. That is no change of the feed.
      let last = try BuiltProgram.run(
        ["sync", "feed.json", "-o", "a.csv", "-o", "a.ics", "--state", folder("state")]
          + ["--from", "today", "--today", "2020-10-01"], in: folder.path)
      #expect(last.code == 0 && last.errors.contains("none of 4 records has a day on 2020-10-01"))
      #expect(folder.text("a.csv").split(separator: "\n").count == 1)
    }

    @Test(arguments: [
      (
        ["--from", "julember"],
        "--from: \"julember\" is not a day of the calendar; write 2020-07-27"
      ),
      (["--from", "31.6.2020"], "--from: \"31.6.2020\" is not a day"),
      (["--to", "+7x"], "--to: \"+7x\" is not a day"),
      (
        ["--from", "2020-07-01T10:00"],
        "--from: \"2020-07-01T10:00\" is a time, but the feed has only"
      ),
      (["--where", "start_date>x"], "--where: start_date holds days; \"x\" is none"),
      (["--where", "house"], "--where: \"house\" is not FIELD=VALUE"),
      (["--where", ">=3"], "--where: \">=3\" is not FIELD=VALUE"),
      (["--where", "house<>3"], "--where: there is no sign \"<>\"; write =, !=, <"),
      (["--where", "house==3"], "--where: there is no sign \"==\""),
      (["--where", "house=>3"], "--where: there is no sign \"=>\""),
      (["--where", "house>="], "--where: nothing stands after house>="),
      (["--where", "hause>=3"], "--where: hot-water has no field \"hause\"; did you mean house?"),
      (
        ["--where", "Период отключения ГВС=1"],
        "--where: cannot filter by \"Период отключения ГВС\""
      ),
    ])
    func `what cannot be compared is refused`(words: [String], message: String) throws {
      try writeHouses()
      let run = try BuiltProgram.run(["convert", "feed.json"] + words, in: folder.path)
      #expect(run.code == 64)
      #expect(run.errors.contains(message), "\(run.errors)")
      let number = try BuiltProgram.run(
        ["convert", Samples.path("Samples/bonds/feed.json"), "--feed", "bonds"]
          + ["--where", "price>much"])
      #expect(number.code == 64)
      #expect(number.errors.contains("--where: price holds numbers; \"much\" is none"))
    }
  }
}
