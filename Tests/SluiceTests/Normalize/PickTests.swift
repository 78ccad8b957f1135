import Testing

@testable import Sluice

/// Elements of lists inside rows: joined, picked by a member, and left out.
@Suite struct PickTests {
  private func run(
    _ document: String, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> FeedResult {
    try FeedRun(feed: OwnFeed.read(document)).everyCut(json, sourceLocation: sourceLocation)
  }

  @Test func `joined texts`() throws {
    let result = try run(
      """
      feed: own
      rows: "[]"
      columns:
        id: id
        all: {from: "kl[*].id", separator: " "}
        plain: "tags[*]"
        deep: {from: "a[*].b[*]", separator: "/"}
      """,
      #"""
      [{"id":1,"kl":[{"id":129},{"x":1},{"id":null},{"id":"1\u0033 0"}],"tags":["a","","b",null,true]},
      {"id":2,"kl":[],"tags":null,"a":[{"b":[1,2]},{"b":[]},{"b":[3]}]},{"id":3},{"id":4,"kl":[{"id":5}]}]
      """#)
    #expect(result.error == nil)
    #expect(result.rejects.isEmpty)
    #expect(result.rows == [#"1,129 13 0,"a, b, true","#, "2,,,1/2/3", "3,,,", "4,5,,"])
  }

  @Test func `a value in the place of a list is wrong`() throws {
    let result = try run(
      """
      feed: own
      rows: "[]"
      columns:
        id: {from: id, required: true}
        all: "a[*]"
        one: "b[k=v].n"
        deep: "c[*].d[*]"
      """,
      #"""
      [{"id":1,"a":"x"},{"id":2,"a":{"n":"y"}},{"id":3,"b":{"k":"v","n":1}},{"id":4,"b":true},
      {"id":5,"c":[{"d":["x"]},{"d":"y"}]},{"id":6,"a":["x"],"b":[{"k":"v","n":1}],"c":[{"d":null}]}]
      """#)
    #expect(result.rejects.map(\.reason) == Array(repeating: .wrongKind, count: 5))
    #expect(result.rejects.map(\.field) == ["a", "a", "n", "n", "d"])
    #expect(Self.values(of: result) == ["x", #"{"n":"y"}"#, #"{"k":"v","n":1}"#, "true", "y"])
    #expect(result.rows == ["6,x,1,"])
  }

  /// The values that are wrong, as they are shown.
  private static func values(of result: FeedResult) -> [String] {
    result.rejects.map { String(decoding: $0.value ?? [], as: UTF8.self) }
  }

  @Test(arguments: [
    (#""a":["x",["b\"]"],"c"]"#, #"["b\"]"]"#), (#""a":["x",{"b":"}"},"c"]"#, #"{"b":"}"}"#),
    (#""a":["x",[] ,"c"]"#, "[]"), (#""a":["x",[[1],{}]]"#, "[[1],{}]"), (#""a":-1.5e3"#, "-1.5e3"),
    (#""a":"\u0041\/b""#, "A/b"), (#""a":false,"d":1"#, "false"), (#""a": "" "#, ""),
    (#""b":[{"k":"v","n":[1]},{"k":"v","n":2}]"#, "[1]"), (#""b":7"#, "7"),
    (#""a":["x"],"a":"twice""#, "twice"), (#""a":["x"],"a":[{"n":1}]"#, #"{"n":1}"#),
  ])
  func `what is wrong in a list is shown as it is written`(_ members: String, _ shown: String)
    throws
  {
    // Records after this one are compared with those before.
    let usual = #"{"id":1,"a":["x"],"b":[{"k":"v","n":1}]}"#
    let records = [usual, usual, "{\"id\":2,\(members)}", usual]
    let result = try run(
      "feed: own\nrows: \"[]\"\ncolumns: {id: id, all: \"a[*]\", one: \"b[k=v].n\"}",
      "[\(records.joined(separator: ","))]")
    #expect(Self.values(of: result) == [shown])
    #expect(result.rows.count == 3)
  }

  @Test func `a value in the place of a list of which one element is read is wrong`() throws {
    let result = try run(
      """
      feed: own
      rows: "top[].rows[]"
      columns:
        id: id
        around: "top[].names[0].en"
        one: "a[0]"
        deep: "b.c[1].n"
      """,
      #"""
      {"top":[{"names":[{"en":"A"}],"rows":[{"id":1,"a":"x"},{"id":2,"a":"y"},{"id":3,"a":"z"},
      {"id":4,"a":{"n":[1]},"b":{"c":[0,{"n":5}]}},{"id":5,"b":{"c":true}},{"id":6,"a":null},
      {"id":7,"a":["x"],"b":{"c":[0,{"n":5}]}}]},{"names":{"en":"B"},"rows":[{"id":8}]},
      {"names":"C","rows":[{"id":9}]},{"names":[],"rows":[{"id":10}]}]}
      """#)
    #expect(result.rejects.map(\.record) == [1, 2, 3, 4, 5, 8, 9])
    #expect(result.rejects.allSatisfy { $0.reason == .wrongKind })
    #expect(result.rejects.map(\.field) == ["a", "a", "a", "a", "n", "en", "en"])
    #expect(
      result.rejects.map { String(decoding: $0.value ?? [], as: UTF8.self) }
        == ["x", "y", "z", #"{"n":[1]}"#, "true", #"{"en":"B"}"#, "C"])
    #expect(result.rows == ["6,A,,", "7,A,x,5", "10,,,"])
  }

  @Test func `values in the place of lists that are joined, one record like the other`() throws {
    let result = try run(
      "feed: own\nrows: \"[]\"\ncolumns: {id: id, a: 'a[*]'}",
      #"[{"id":1,"a":"x"},{"id":2,"a":"y"},{"id":3,"a":"z"},{"id":4}]"#)
    #expect(result.rejects.map(\.record) == [1, 2, 3])
    #expect(result.rows == ["4,"])
  }

  @Test func `a joined text is no longer than any other`() throws {
    let long = String(repeating: "-", count: 60_000)
    func run(_ elements: [String], _ separator: String) throws -> FeedResult {
      try FeedRun(
        feed: OwnFeed.read(
          "feed: own\nrows: '[]'\ncolumns: {a: {from: 'a[*]', separator: '\(separator)'}}"))(
          #"[{"a":[\#(elements.joined(separator: ","))]},{"a":["x","y"]}]"#)
    }
    let many = try run(Array(repeating: "1", count: 30), long)
    #expect(many.rejects.map(\.reason) == [.tooLong])
    #expect(many.rows == ["x\(long)y"])
    let texts = try run(Array(repeating: "\"\(long)\"", count: 20), "|")
    #expect(texts.rejects.map(\.reason) == [.tooLong])
    let fits = try run(Array(repeating: "\"\(long)\"", count: 17), "|")
    #expect(fits.rejects.isEmpty)
    #expect(fits.rows.first?.utf8.count == 17 * 60_000 + 16)
  }

  @Test(arguments: ["a[*].t", "a[0].t", "a[k=x].t", "t"])
  func `a text that is too long is not made short by its white space`(path: String) throws {
    let feed = try OwnFeed.read("feed: own\nrows: '[]'\ncolumns: {a: {from: '\(path)'}}")
    // Cut at the limit, and whole: both would be short enough without their white space.
    for count in [400_000, 349_450] {
      let long = String(repeating: "a \u{2003}", count: 100) + String(repeating: "—", count: count)
      let result = FeedRun(feed: feed)(
        #"[{"a":[{"k":"x","t":"\#(long)"}],"t":"\#(long)"},{"a":[{"k":"x","t":"y"}],"t":"y"}]"#)
      #expect(result.rows == ["y"])
      #expect(result.rejects.map(\.reason) == [.tooLong])
    }
  }

  @Test func `joined texts of records alike, and of one that is not`() throws {
    let strange = [
      #""a":[{"n":"x  y"}]"#, #""a":[{"n":" x"},{"n":1.50}]"#, #""a":[{"n":true}]"#, #""a":null"#,
      #""a":[{"n":["x"]}]"#, #""a":["x"]"#, #""a":"x""#, #""a":[{"n":"x"}],"a":[{"n":"y"}]"#,
      #""a":[{"n":"x","n":"y"},null]"#, #""a":[{"n":""},{"n":null}]"#, #""t":{"u":5}"#,
      #""t":{"u":[["x"],null,["\u0041\n","b"]]}"#, #""a":[{"n":"x"}],"t":{"u":[{"v":1}]}"#,
      #""a":[{"n":"\ud83d\ude00"},{"n":"№ 5"}],"t":{"u":[["x"]]},"a":null"#,
    ]
    for strange in strange {
      let usual = (1...6).map { number in
        let texts = (0..<number % 4).map { #"{"n":"n\#($0)","m":1}"# }.joined(separator: ",")
        return #"{"id":\#(number),"a":[\#(texts)],"t":{"u":[["p","q"],["\#(number)"]]}}"#
      }
      let records = usual + [#"{"id":7,\#(strange)}"#] + usual + [#"{"id":7,\#(strange)}"#] + usual
      let json = "[\(records.joined(separator: ","))]" + String(repeating: " ", count: 64)
      for separator in [", ", "  ", "-"] {
        let feed = try OwnFeed.read(
          """
          feed: own
          rows: "[]"
          columns:
            id: {from: id, required: true}
            names: {from: "a[*].n", separator: "\(separator)"}
            texts: {from: "t.u[*][*]", separator: "\(separator)", kind: verbatim}
          """)
        let run = FeedRun(feed: feed)
        let pieces = run(json, cut: .pieces(5))
        #expect(pieces.counts.read == 20, "\(strange)")
        #expect(run(json).isSame(as: pieces), "\(strange), \(separator)")
      }
    }
  }

  @Test func `picked elements of records alike, and of one that is not`() throws {
    let strange = [
      #""a":null"#, #""a":"x""#, #""a":{"k":"v","n":1}"#, #""a":[]"#, #""a":[null]"#, #""a":["x"]"#,
      #""a":[{"n":1}]"#, #""a":[{"k":"v"}]"#, #""a":[{"k":null,"n":1},{"n":2,"k":"v"}]"#,
      #""a":[{"k":"v","n":null},{"k":"v","n":3}]"#, #""a":[{"k":"v","n":1,"n":2}]"#,
      #""a":[{"k":"w","k":"v","n":1}]"#, #""a":[{"k":"v","n":{"m":1}}]"#,
      #""a":[{"k":"v","n":[1]}]"#,
      #""a":[{"k":true,"n":1},{"k":"v","n":true}]"#,
      #""a":[{"k":"v","n":1}],"a":[{"k":"v","n":2}]"#,
      #""a":[[{"k":"v","n":1}]]"#, #""a":[{"k":"\u0076","n":"\u0031","t":" a  b\n"}]"#,
      #""a":[{"k":["v"],"n":1}]"#, #""a":[{"k":"v","n":"one"},{"k":"v","n":1}]"#,
      #""a":null,"a":[{"k":"v","n":7}]"#, #""b":["x","y"],"a":[{"k":"v","n":"bad","t":"t"}]"#,
      #""b":[{"x":1}],"a":[{"k":"v","n":4}]"#,
    ]
    for strange in strange {
      let usual = (1...6).map { number in
        let elements = (0..<number % 4).map {
          #"{"k":"\#($0 == 1 ? "v" : "w")","n":\#($0),"m":1,"t":"t\#($0)"}"#
        }
        return #"{"id":\#(number),"a":[\#(elements.joined(separator: ","))],"b":["p"]}"#
      }
      let records = usual + [#"{"id":7,\#(strange)}"#] + usual + [#"{"id":7,\#(strange)}"#] + usual
      let json = "[\(records.joined(separator: ","))]" + String(repeating: " ", count: 64)
      let feed = try OwnFeed.read(
        """
        feed: own
        rows: "[]"
        columns:
          id: {from: id, required: true}
          number: {from: "a[k=v].n", kind: integer}
          text: "a[k=v].t"
          one: {from: "a[k=true].n", kind: decimal}
          all: {from: "b[*]", separator: ", "}
        """)
      let run = FeedRun(feed: feed)
      let pieces = run(json, cut: .pieces(5))
      #expect(pieces.counts.read == 20, "\(strange)")
      #expect(run(json).isSame(as: pieces), "\(strange)")
    }
  }

  @Test func `picked elements`() throws {
    let result = try run(
      """
      feed: own
      rows: "list[]"
      columns:
        en: "title.translation[language=en].text"
        de: "title.translation[language=de].text"
        n: {from: "dates[type=pickup].n", kind: integer}
        day: {from: "dates[type=pickup].day", kind: day}
      """,
      #"""
      {"list":[{"title":{"translation":[{"text":"Hallo","language":"de"},{"language":"en","text":"Hello"}]},
      "dates":[{"day":"x","n":[1],"type":"other"},{"day":"5.1.2026","type":"pickup","n":3},{"type":"pickup","n":"bad"}]},
      {"title":{"translation":[]},"dates":[{"type":"pickup","n":"bad"}]},
      {"dates":[{"type":"pickup","day":{"a":1}}]},{"title":{}}]}
      """#)
    #expect(result.rows == ["Hello,Hallo,3,2026-01-05", ",,,"])
    #expect(result.rejects.map(\.reason) == [.notAnInteger, .wrongKind])
    #expect(result.rejects.map(\.record) == [2, 3])
  }

  @Test func `lists around rows, after them`() throws {
    let result = try run(
      """
      feed: own
      rows: "list[].items[]"
      columns:
        title: "list[].title[lang=en].text"
        zones: {from: "list[].zones[*]", separator: " "}
        n: n
      """,
      #"""
      {"list":[{"items":[{"n":1},{"n":2}],"title":[{"lang":"en","text":"A"}],"zones":["x","y"]},
      {"zones":["z"],"items":[{"n":3}]},{"items":[{"n":4}],"title":[]}]}
      """#)
    #expect(result.rows == ["A,x y,1", "A,x y,2", ",z,3", ",,4"])
  }

  @Test func `what single elements leave out`() throws {
    let feed = try OwnFeed.read(
      """
      feed: own
      rows: "[]"
      columns: {a: "labels[0].name", b: "p[0]", c: "p[1]"}
      """)
    let findings = RowFindings()
    var options = NormalizerOptions()
    options.findings = findings
    let normalizer = Normalizer(
      feed, options: options, into: FanOut([]), counters: Counters())
    var tokenizer = Tokenizer(into: normalizer, counters: Counters())
    let json =
      #"[{"labels":[{"name":1},{"name":2},{"name":3}],"p":[1,2]},{"labels":[]},{"labels":[{},{}],"p":[1,2,3]}]"#
    try tokenizer.write(Array(json.utf8).span.bytes)
    try tokenizer.finish()
    #expect(
      findings.unread == [
        UnreadElements(path: "labels", read: [0], elements: 3, lists: 2),
        UnreadElements(path: "p", read: [0, 1], elements: 1, lists: 1),
      ])
  }

  @Test func `wrong documents`() {
    func fault(_ columns: String) -> String {
      OwnFeed.fault("feed: a\nrows: d[]\ncolumns: {\(columns)}")
    }
    #expect(fault(#"a: "x[*]""#) == "")
    #expect(fault(#"a: "x[k=v].y", b: "x[k=w].y", c: "x[*].z""#) == "")
    #expect(fault(#"a: "x[0]", b: "x[*]""#).hasSuffix("PathFlaw.taken(column: \"a\"))"))
    #expect(fault(#"a: "$.d[*].x""#).hasSuffix("PathFlaw.otherList(rows: \"d[]\"))"))
    #expect(fault("a: {from: x, separator: y}").contains("keyWants(\"separator\""))
    #expect(fault(#"a: "x[=v]""#).hasSuffix("PathFlaw.syntax)"))
  }
}
