import Testing

@testable import Sluice

/// Rows that conditions choose, elements that are picked, and days in formats: whole records give
/// what tokens give.
@Suite struct ChosenRowsTests {
  private static let columns = """
    columns:
      id: {kind: integer}
      type: type
      note: note
      day: {kind: day, format: dd.MM.yyyy}
      at: {kind: instant, format: "d.M.yyyy H:mm"}
      ok: {kind: flag}
      tags: {from: "tags[*]", separator: "; "}
      names: {from: "people[*].name", kind: verbatim, separator: ","}
      size: {from: "sizes[unit=cm].value", kind: decimal}
      rank: {from: "sizes[unit=rank].value", kind: integer, required: RANK}
      label: "sizes[unit=text].value"
    """

  /// Columns whose texts are made.
  private static let made = """

      word: {first: [a, b, note]}
      number: {first: [n, id], kind: decimal}
      shown: {from: a, map: {x: glass, "a b": paper, else: keep}}
      strict: {from: b, map: {one: 1, two: 2, else: reject}}
      part: {from: note, split: {by: " ", take: 2}, case: upper}
      source: {value: members}
      plain: {from: a, kind: verbatim, trim: "-"}
      amount: {from: m, kind: decimal, decimal: ",", thousands: " "}
      count: {from: m, kind: integer, split: {by: ",", take: 1}, trim: "x"}
      yes: {from: b, kind: flag, map: {one: true, two: "нет", three: "no"}}
      small: {from: note, case: lower, cut: {prefix: "a "}}
    """

  /// Those that are read by their kinds.
  private static let fixed = """

      fixed: {value: "2026-07-01T23:30:00Z", kind: instant}
      weight: {value: "1.50", kind: decimal}
    """

  private static let values: [String: [String]] = [
    "a": [#""x""#, #""a b""#, #""-é  x ""#, #"" ""#, "null", "7", "true", "{}"],
    "b": [#""one""#, #""two""#, #"" two""#, "null", #""three""#, "1"],
    "m": [
      #""1,5""#, #""2""#, "null", #""1 200,25""#, #""x 7,""#, "7", "true", #"" ""#, #""1  200,5""#,
    ],
    "n": ["1.50", "null", "\"2\"", "\"x\"", "false"],
    "id": ["7", "12", "\"3\"", "null", "1.5", "\"x\""],
    "type": [#""pickup""#, #""notice""#, #""ПИКАП""#, #"" pickup ""#, "null", "5", "[1]", "true"],
    "note": [
      #""a b""#, #""a  b""#, #""é\n""#, "null",
      #""a b c d e f g h i j k l m n o p q r s t u v w x y""#,
    ],
    "day": [#""05.01.2026""#, #""5.1.2026""#, #""31.02.2026""#, #"" 06.01.2026 ""#, "null", "7"],
    "at": [
      #""5.1.2026 9:05""#, #""05.01.2026 24:00""#, #""5.1.2026  9:05""#, #""5.13.2026 9:05""#,
      "null",
    ],
    "ok": ["true", "false", "\"да\"", "\"x\"", "null", "1"],
    "tags": [
      #"["a","b"]"#, "[]", #"["x"]"#, #"["a"," b  c ",null,"",3]"#, #"[["a"]]"#, "null", "7",
      #"["t\u0301\"",true]"#,
    ],
    "people": [
      #"[{"name":"Ann"},{"name":"Bo","age":3}]"#, #"[{"age":1}]"#, "[]", #"[{"name":"  C "},{}]"#,
      #"[{"name":{"x":1}}]"#, "[5]",
    ],
    "sizes": [
      #"[{"unit":"cm","value":1.50},{"unit":"rank","value":3}]"#,
      #"[{"value":2,"unit":"rank"},{"unit":"text","value":" a  b "}]"#,
      #"[{"unit":"rank","value":"4"},{"unit":"rank","value":5},{"unit":"text","value":"v"}]"#,
      #"[{"unit":"rank"}]"#, #"[{"unit":"cm","value":"x"}]"#, "[]", "null", "[{}]",
      #"[{"unit":"rank","value":true}]"#,
    ],
  ]
  private static let keys = values.keys.sorted()

  /// A list of records. Most members have their first values.
  private func json(_ generator: inout SeededGenerator) -> String {
    let records = (0..<40).map { _ in
      var members: [String] = []
      for key in Self.keys {
        let all = Self.values[key] ?? []
        let usual = Int.random(in: 0...29, using: &generator)
        let value = usual > 1 ? all[usual % min(3, all.count)] : generator.pick(all)
        let times = Int.random(in: 0...40, using: &generator)
        for _ in 0..<(times == 0 ? 0 : times == 1 ? 2 : 1) { members.append("\"\(key)\":\(value)") }
      }
      if Int.random(in: 0...9, using: &generator) == 0 { members.shuffle(using: &generator) }
      return "{\(members.joined(separator: ","))}"
    }
    return #"{"rows":[\#(records.joined(separator: ","))]}"# + String(repeating: " ", count: 64)
  }

  @Test(
    .slow,
    arguments: [
      "", "where: {type: pickup}", "where: {type: {not: notice}, id: {greater: 5}}",
      "where: {tags: [x, 'a; b']}", "where: {any: [{type: pickup}, {ok: true}]}",
      "where: {note: 'a*'}", "where: {note: {not: 'a b'}}", "where: {size: {less: 2}}",
      "where: {rank: 3}", "where: {day: {greater: 2026-01-04}}",
      "where: {at: {less: 2026-01-05T09:00:00Z}, type: pickup}",
      "where: {any: [{day: 2026-01-05}, {note: 'a b'}], id: {not: 12}}",
    ], 0..<12 as Range<UInt64>)
  func `whole records give what tokens give`(conditions: String, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let columns = Self.columns.replacing("RANK", with: seed % 2 == 0 ? "true" : "false")
    let made = ["", Self.made, Self.made + Self.fixed, Self.fixed][Int(seed / 3)]
    let document =
      "feed: own\nclock: Europe/Moscow\nrows: rows[]\n\(conditions)\n\(columns)\(made)"
    var run = FeedRun(feed: try OwnFeed.read(document))
    switch seed % 4 {
    case 1: run.conditions = [Condition(column: "type", value: "PICKUP")]
    case 2: run.conditions = [Condition(column: "note", .notEqual, value: "a b")]
    case 3:
      run.conditions = [
        Condition(column: "type", value: "notice"), Condition(column: "type", value: "пикап"),
        Condition(column: "ok", value: "да"),
      ]
    default: break
    }
    let json = json(&generator)
    let pieces = run(json, cut: .pieces(9))
    let whole = run(json)
    #expect(whole.isSame(as: pieces), "\(json)")
    #expect(whole.statistics.skipped == pieces.statistics.skipped)
    for length in [700, 3000] {
      #expect(run(json, cut: .pieces(length)).isSame(as: pieces), "\(length)")
    }
  }
}
