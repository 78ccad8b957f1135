import Testing

@testable import Sluice

/// The kinds of columns that only feeds of one's own have: integer, day and flag.
@Suite struct ColumnRuleTests {
  /// The NDJSON rows that values of one kind give, and the reasons of those refused.
  private func run(_ kind: String, _ values: [String], _ change: (inout FeedRun) -> Void = { _ in })
    throws -> (rows: [String], reasons: [String])
  {
    var run = FeedRun(feed: try OwnFeed.read(OwnFeed.document("v: {kind: \(kind)}")))
    change(&run)
    let records = values.map { "{\"v\":\($0)}" }.joined(separator: ",")
    let result = run("{\"d\":[\(records)]}")
    let rows = String(decoding: result.ndjson, as: UTF8.self).split(separator: "\n").map {
      String($0.dropFirst(#"{"v":"#.count).dropLast())
    }
    return (
      rows,
      result.rejects.map {
        "\($0.reason.rawValue) \(String(decoding: $0.value ?? [], as: UTF8.self))"
      }
    )
  }

  @Test func `integers stand bare, as they are written`() throws {
    let good = ["0", "-5", #"" 42 ""#, "123456789012345678901234567890", "null", #""""#]
    #expect(
      try run("integer", good).rows
        == ["0", "-5", "42", "123456789012345678901234567890", "null", "null"])
    #expect(
      try run("integer", ["1.0", "1e3", #""007""#, #""+1""#, #""x""#, "true", "[1]"]).reasons == [
        "not-an-integer 1.0", "not-an-integer 1e3", "not-an-integer 007", "not-an-integer +1",
        "not-an-integer x", "wrong-kind true", "wrong-kind [1]",
      ])
  }

  @Test func `flags stand bare, whatever word they came as`() throws {
    let good = ["true", "false", "1", #""0""#, #"" Yes""#, #""NO""#, #""да""#, #""Нет""#, "null"]
    #expect(
      try run("flag", good).rows
        == ["true", "false", "true", "false", "true", "false", "true", "false", "null"])
    #expect(
      try run("flag", ["2", #""maybe""#, "{}"]).reasons
        == ["not-a-flag 2", "not-a-flag maybe", "wrong-kind {}"])
  }

  @Test func `days are ISO days, whatever way they came`() throws {
    let good = [
      #""2026-01-05""#, #"" 05.01.2026 ""#, #""5.1.2026 г.""#, #""2026-01-05T00:00:00""#,
      #""2026-01-05 00:00""#, #""2026-01-05T00:00:00.000""#, "null",
    ]
    #expect(
      try run("day", good).rows
        == Array(repeating: #""2026-01-05""#, count: 6) + ["null"])
    #expect(
      try run(
        "day",
        [
          #""2026-02-30""#, #""05.01""#, #""05.01.26""#, #""31.12.99 г.""#, #""05.01.027""#,
          #""2026-01-05T00:00:00.""#, #""2026-01-05 00:01""#, #""2026-01-05T10:00:00""#,
          #""2026-01-05T00:00:00Z""#,
          "20260105", #""soon""#, #""01.01.2026-02.01.2026""#, "false",
        ]
      ).reasons == [
        "no-such-day 2026-02-30", "not-a-day 05.01", "not-a-day 05.01.26",
        "not-a-day 31.12.99 г.", "not-a-day 05.01.027", "not-a-day 2026-01-05T00:00:00.",
        "not-a-day 2026-01-05 00:01", "not-a-day 2026-01-05T10:00:00",
        "not-a-day 2026-01-05T00:00:00Z", "not-a-day 20260105", "not-a-day soon",
        "not-a-day 01.01.2026-02.01.2026", "wrong-kind false",
      ])
  }

  /// What texts begin and end with, and values that are no texts.
  private static let pools: [(kind: String, begins: [String], ends: [String], others: [String])] = [
    (
      "day",
      [
        "2026-01-05", "2026-01-06", "2026-02-29", "2026-1-05", "05.01.2026", "29.02.2026",
        "5.1.2026", "05.01.26", "05.01.20266", "05-01-2026", "",
      ],
      [
        "", "", "", "T00:00:00", "T00:00:00.000", " 00:00:00", " 00:00", "T00:00:00.0000",
        "T00:00:00.100", "T00:00:01", "T00:00:00Z", "t00:00:00", " г.", " ", "x",
      ], ["20260105", "true"]
    ),
    (
      "flag",
      [
        "true", "True", "FALSE", "1", "0", "yes", "NO", "да", "Да", "ДА", "нет", "нЕт", "ye", "10",
        "tru\\u0065", "tRUE ", "",
      ], ["", "", "", "", " ", "s"], ["true", "false", "1", "0", "1.0", "2", "[]"]
    ),
    (
      "integer", ["0", "-5", "12", "007", "1.0", ""], ["", "", " ", "x"],
      ["3", "4.5", "1e3", "true"]
    ),
    (
      "decimal", ["0", "-5.25", "12", "007", "1e3", ""], ["", "", " ", "x"],
      ["3", "4.5", "1e3", "[]"]
    ),
  ]

  @Test(arguments: 0..<pools.count)
  func `values one after the other are read like each of them alone`(number: Int) throws {
    let pool = Self.pools[number]
    var generator = SeededGenerator(seed: 26)
    let values = (0..<1000).map { _ in
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: "null"
      case 1, 2: generator.pick(pool.others)
      default: "\"\(generator.pick(pool.begins))\(generator.pick(pool.ends))\""
      }
    }
    for kind in [pool.kind, "\(pool.kind), required: true"] {
      let all = try run(kind, values)
      let alone = try values.map { try run(kind, [$0]) }
      let isSame =
        all.rows == alone.flatMap(\.rows) && all.reasons == alone.flatMap(\.reasons)
      #expect(isSame, "\(kind)")
      #expect(all.rows.count > 100)
      #expect(all.reasons.count > 100)
    }
  }

  @Test func `days choose rows as instants do`() throws {
    let days = ["2026-01-05", "2026-01-06", "2026-01-07"].map { "\"\($0)\"" } + ["null"]
    let day = Day(year: 2026, month: 1, day: 6)
    let wanted = try run("day", days) {
      $0.from = day
      $0.to = day
    }
    #expect(wanted.rows == [#""2026-01-06""#])
  }

  @Test func `integers and flags choose records, as they are written out`() throws {
    for (kind, value, values, count) in [
      ("integer", "4", ["4", #"" 4""#, "44", "null"], 2),
      ("flag", "TRUE", ["true", "1", #""yes""#, "false"], 3),
      ("flag", "", ["true", "null"], 1),
    ] {
      let rows = try run(kind, values) {
        $0.conditions = [Condition(column: "v", value: value)]
      }.rows
      #expect(rows.count == count)
    }
  }

  @Test func `required values of every kind`() throws {
    for kind in ["text", "integer", "decimal", "day", "instant", "flag"] {
      let feed = try OwnFeed.read(OwnFeed.document("v: {kind: \(kind), required: true}, w: w"))
      let result = FeedRun(feed: feed)(#"{"d":[{"v":null,"w":"1"},{"w":"1"},{"v":"  "}]}"#)
      #expect(result.rejects.map(\.reason) == [.missingValue, .missingValue, .missingValue])
    }
  }

  @Test func `CSV writes them as they are, without a guard`() throws {
    let feed = try OwnFeed.read(
      OwnFeed.document("n: {kind: integer}, f: {kind: flag}, a: {kind: day}, x: {kind: decimal}"))
    let json = #"{"d":[{"n":-5,"f":true,"a":"2026-01-05","x":-1.5}]}"#
    #expect(FeedRun(feed: feed)(json).rows == ["-5,true,2026-01-05,-1.5"])
    var run = FeedRun(feed: feed)
    run.dialect = .excel
    #expect(
      String(decoding: run(json).csv, as: UTF8.self).hasSuffix("-5;true;2026-01-05;\"-1,5\"\r\n"))
  }

  @Test func `the same at every cut`() throws {
    let feed = try OwnFeed.read(
      "feed: a\nrows: d[]\ncolumns: {c: $.c.n, n: {from: o.n, kind: integer}, f: {kind: flag}, a: {kind: day}}"
    )
    let json =
      #"{"c":{"n":"к"},"d":[{"o":{"n":1},"f":"да","a":"1.2.2026"},{"o":null,"f":0},{"f":"x","o":{}}]}"#
    let whole = FeedRun(feed: feed)(json)
    #expect(whole.rows == ["к,1,true,2026-02-01", "к,,false,"])
    #expect(whole.rejects.map(\.reason) == [.notAFlag])
    for split in 0...json.utf8.count {
      #expect(FeedRun(feed: feed)(json, cut: .split(split)).isSame(as: whole))
    }
  }
}
