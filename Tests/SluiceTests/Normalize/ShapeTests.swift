import Testing

@testable import Sluice

/// Rows in objects, rows that are plain values, and rows that are lists.
@Suite struct ShapeTests {
  /// Runs at every cut and demands the same.
  private func run(
    _ document: String, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> FeedResult {
    try FeedRun(feed: OwnFeed.read(document)).everyCut(json, sourceLocation: sourceLocation)
  }

  @Test func `lists in an object by keys`() throws {
    let result = try run(
      """
      feed: holidays
      rows: divisions.*.events[]
      columns: {division: $key, title: title, name: "$.divisions.*.name", year: $.year}
      """,
      #"""
      {"year":2026,"divisions":{"eng\u006cand":{"name":"England","events":[{"title":"A"},{"title":"B"}]},
      "x":{"name":"none","events":[]},"y":null,"z":{},
      "scot, land":{"events":[{"title":"C"}]}}}
      """#)
    #expect(result.error == nil)
    #expect(
      result.rows == [
        "england,A,England,2026", "england,B,England,2026", #""scot, land",C,,2026"#,
      ])
  }

  @Test func `rows that are read by their places`() throws {
    let result = try run(
      "feed: own\nrows: '[]'\ncolumns: {day: {from: '[0]', kind: day}, name: '[1]'}",
      #"[["2026-01-01","A"],{"0":"2026-01-02"},[ ],["2026-01-03"],{},7,[]]"#)
    #expect(result.rows == ["2026-01-01,A", "2026-01-03,"])
    #expect(
      result.rejects.map(\.reason)
        == [.wrongKind, .wrongFieldCount, .wrongKind, .notAnObject, .wrongFieldCount])
    #expect(result.rejects.map(\.record) == [2, 3, 5, 6, 7])
    // Rows may be objects and lists if columns name both.
    let both = try run(
      "feed: own\nrows: '[]'\ncolumns: {a: '[0]', b: b}", #"[["x"],{"b":"y"},[]]"#)
    #expect(both.rows == ["x,", ",y", ","])
  }

  @Test func `many rows that are lists come out as if each were read alone`() throws {
    let document = """
      feed: own
      rows: '[]'
      columns: {day: {from: '[0]', kind: day}, name: '[1]', deep: '[2].at[1]', n: {from: '[3]', kind: integer}}
      """
    let kinds = [
      #"["2026-01-0D","name N",{"at":[1,N]},N]"#, #"["2026-01-0D","a\tb N"]"#,
      #"["2026-01-0D",null,{"at":[]},"7",[N],{}]"#, "[]", "[ ]", #"{"0":"2026-01-01"}"#, "N",
      #"[["2026-01-0D"],"x"]"#, #"["2026-01-0D",{"x":N}]"#, #"["never","N"]"#, "null",
      #"["2026-01-0D","и ж",{"at":7},N]"#,
    ]
    let records = (0..<600).map { number in
      // Most are alike, so that they are compared.
      let kind = number % 7 == 6 ? kinds[number / 7 % kinds.count] : kinds[0]
      return kind.replacing("D", with: "\(number % 9 + 1)").replacing("N", with: "\(number)")
    }
    let run = FeedRun(feed: try OwnFeed.read(document))
    let all = run("[\(records.joined(separator: ", "))]")
    #expect(all.error == nil)
    var rows: [String] = []
    var reasons: [RejectReason] = []
    for record in records {
      let alone = run("[\(record)]")
      rows += alone.rows
      reasons += alone.rejects.map(\.reason)
    }
    #expect(all.rows == rows)
    #expect(all.rejects.map(\.reason) == reasons)
    #expect(rows.count > 500 && Set(reasons).count > 3)
  }

  @Test func `a wildcard in a list of keys`() throws {
    let document = """
      feed: own
      rows: ["by.day", {any: true}, "*", "[]"]
      columns: {day: $key, n: n, note: {from: ["by.day", {any: true}, note]}}
      """
    let result = try run(
      document, #"{"by.day":{"mo":{"note":"x","*":[{"n":1}]},"tu":{"*":[{"n":2},{"n":3}]}}}"#)
    #expect(result.rows == ["mo,1,x", "tu,2,", "tu,3,"])
    func fault(_ rows: String) -> String {
      OwnFeed.fault("feed: own\nrows: \(rows)\ncolumns: {n: n}")
    }
    #expect(fault("[a, {all: true}]").hasPrefix("2:12 unknownKey(\"all\""))
    #expect(fault("[a, {any: false}]").hasPrefix("2:11 notAChoice(\"false\", key: \"any\""))
    #expect(fault("[a, [any]]") == #"2:11 badPath("", PathFlaw.syntax)"#)
  }

  @Test func `rows that are the members of an object`() throws {
    let result = try run(
      """
      feed: rates
      rows: Valute.*
      columns: {id: $key, value: {from: Value, kind: decimal, required: true}}
      """,
      #"""
      {"Date":"x","Valute":{"AUD":{"ID":"R1","Value":57.2},"AZN":{"ID":"R2","Value":45},
      "bad":7,"worse":null,"none":{"ID":"R4"},"DKK":{"ID":"R5","Value":11.9}}}
      """#)
    #expect(result.rows == ["AUD,57.2", "AZN,45", "DKK,11.9"])
    #expect(result.rejects.map(\.reason) == [.notAnObject, .notAnObject, .missingValue])
    #expect(result.rejects.map(\.record) == [3, 4, 5])
    #expect(result.counts.read == 6)
  }

  @Test func `the whole document is an object by keys`() throws {
    let result = try run(
      """
      feed: own
      rows: "*.events[]"
      columns: {group: "$key[0]", title: title}
      """, #"{"a":{"events":[{"title":"A"}]},"b":{"events":[{"title":"B"},{"title":"C"}]}}"#)
    #expect(result.rows == ["a,A", "b,B", "b,C"])
  }

  @Test func `a key that a column names is no row`() throws {
    let result = try run(
      """
      feed: own
      rows: "*"
      columns: {id: $key, updated: $.updated, n: n}
      """, #"{"updated":"today","a":{"n":1},"b":{"n":2}}"#)
    #expect(result.error == nil)
    #expect(result.rejects.isEmpty)
    #expect(result.rows == ["a,today,1", "b,today,2"])
  }

  @Test func `keys within keys`() throws {
    let result = try run(
      """
      feed: own
      rows: "years.*.months.*.days[]"
      columns: {year: "$key[1]", month: $key, day: $value}
      """,
      #"{"years":{"2026":{"months":{"1":{"days":[4,5]},"2":{"days":[6]}}},"2027":{"months":{"3":{"days":["7"]}}}}}"#
    )
    #expect(result.rows == ["2026,1,4", "2026,1,5", "2026,2,6", "2027,3,7"])
  }

  @Test func `lists of elements with objects by keys`() throws {
    let result = try run(
      """
      feed: own
      rows: "list[].days.*"
      columns: {name: "list[].name", day: {from: $key, kind: day}, what: $value}
      """,
      #"[]"#)
    #expect(result.error != nil)
    let good = try run(
      """
      feed: own
      rows: "list[].*"
      columns: {name: "list[].name", day: {from: $key, kind: day}, what: $value}
      """,
      #"{"list":[{"name":"A","2026-01-01":"New Year","1.5.2026":"May"},{"2026-13-01":"x","2026-02-02":"y"}]}"#
    )
    #expect(good.rows == ["A,2026-01-01,New Year", "A,2026-05-01,May", ",2026-02-02,y"])
    #expect(good.rejects.map(\.reason) == [.noSuchDay])
    #expect(good.rejects.map(\.field) == ["$key"])
  }

  @Test func `plain lists`() throws {
    let result = try run(
      """
      feed: own
      rows: "list[].dates[]"
      columns: {type: "list[].type", day: {from: $value, kind: day, required: true}}
      """,
      #"""
      {"list":[{"type":1,"dates":["2026-01-01"," 2.1.2026 ",null,{"a":[1]},[2],true,"x"]},
      {"type":2,"dates":[]},{"type":3,"dates":["2026-01-03"]}]}
      """#)
    #expect(result.rows == ["1,2026-01-01", "1,2026-01-02", "3,2026-01-03"])
    #expect(
      result.rejects.map(\.reason) == [
        .missingValue, .wrongKind, .wrongKind, .wrongKind, .notADay,
      ])
    #expect(Set(result.rejects.map(\.field)) == ["$value"])
    #expect(result.rejects.map { String(decoding: $0.raw, as: UTF8.self) }[1] == #"{"a":[1]}"#)
  }

  @Test func `rows that are lists`() throws {
    let result = try run(
      """
      feed: own
      rows: "[]"
      columns: {day: {from: "[0]", kind: day}, title: "[1]", deep: "[2].a"}
      """, #"[["2026-01-01","New Year",{"a":5}],["2026-01-02"],{"x":1},7]"#)
    #expect(result.rows == ["2026-01-01,New Year,5", "2026-01-02,,"])
    #expect(result.rejects.map(\.reason) == [.wrongKind, .notAnObject])
  }

  @Test func `a star in a list of keys is a key`() throws {
    let result = try run(
      """
      feed: own
      rows: [a, "*", "[]"]
      columns: {x: x}
      """, #"{"a":{"b":[{"x":1}],"*":[{"x":2}]}}"#)
    #expect(result.rows == ["2"])
  }

  @Test func `an object is wanted`() throws {
    let document = """
      feed: own
      rows: rates.*
      columns: {id: $key, rate: $value}
      """
    let list = try run(document, #"{"rates":[1]}"#)
    #expect(
      list.fault
        == .wrongKind(path: "rates", found: .beginArray, wanted: .beginObject, keys: []))
    #expect(try run(document, #"{"raten":{}}"#).fault == .missing(path: "rates", keys: ["raten"]))
    #expect(try run(document, #"{"rates":{}}"#).error == nil)
  }

  @Test func `wrong documents`() {
    func fault(_ rows: String, _ from: String) -> String {
      OwnFeed.fault("feed: a\nrows: \(rows)\ncolumns: {a: \(from)}")
    }
    #expect(fault("d[]", "$key") == "3:14 badPath(\"$key\", PathFlaw.noElementKey(wildcards: 0))")
    #expect(
      fault("d.*", "'$key[1]'") == "3:14 badPath(\"$key[1]\", PathFlaw.noElementKey(wildcards: 1))")
    #expect(fault("d.*", "'$key[0]'") == "")
    #expect(fault("d.*", "$value") == "")
    #expect(fault("d.*", "x.*").hasSuffix("PathFlaw.onTheWay)"))
    #expect(fault("d[]", "x.*.y").hasSuffix("PathFlaw.otherList(rows: \"d[]\"))"))
    #expect(fault("d.*.x", "y").hasSuffix("PathFlaw.noList)"))
    #expect(
      OwnFeed.fault("feed: a\nenvelope: {payload: a.*.b}\nrows: d[]\ncolumns: {a: a}")
        == "2:21 badPath(\"a.*.b\", PathFlaw.wildcard)")
  }
}
