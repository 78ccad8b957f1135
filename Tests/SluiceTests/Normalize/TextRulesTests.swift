import Testing

@testable import Sluice

/// What the rules of a column make of its texts.
@Suite struct TextRulesTests {
  /// What a column with these keys makes of a JSON value; its reason where it is rejected. Alone it
  /// is read at every cut. As one of many, most are made as rows of a series.
  private func text(_ column: String, _ value: String) throws -> String {
    let feed = try OwnFeed.read(OwnFeed.document("x: {from: t, \(column)}"))
    let record = "{\"t\":\(value)}"
    let json = Array("{\"d\":[\(record)]}".utf8)
    let alone = ChunkCutter.everyCut(of: json) { Self.texts(of: json, $0, feed).joined() }
    let records = Array(repeating: record, count: 40).joined(separator: ",")
    let many = Array(#"{"d":[\#(records)]\#(String(repeating: " ", count: 100))}"#.utf8)
    #expect(Self.texts(of: many, .whole, feed) == Array(repeating: alone, count: 40))
    return alone
  }

  /// The texts of the column in all records, or the reasons and values if these are rejected.
  private static func texts(of json: [UInt8], _ cut: ChunkCutter.Cut, _ feed: Feed) -> [String] {
    let bytes = Collector.Box()
    let list = RejectList()
    do throws(PipelineError) {
      var options = NormalizerOptions(limit: .unlimited, rejects: list)
      options.zones = try Zones(of: feed)
      let counters = Counters()
      try ChunkCutter.feed(
        json, cut,
        to: Tokenizer(
          into: Normalizer(
            feed.table, of: feed, options: options,
            into: FanOut([Branch(NDJSONEncoder(feed, into: Collector(box: bytes)))]),
            counters: counters), counters: counters))
    } catch {
      return ["\(error)"]
    }
    guard list.rejects.isEmpty else {
      return list.rejects.map {
        "\($0.reason.rawValue) \(String(decoding: $0.value ?? [], as: UTF8.self))"
      }
    }
    return String(decoding: bytes.bytes, as: UTF8.self).split(separator: "\n").map {
      String($0.dropFirst("{\"x\":".count).dropLast())
    }
  }

  @Test(arguments: [
    ("1", #""paper""#), (#"" 2 ""#, #""organic""#), ("3", #""3""#), ("true", #""yes""#),
    ("null", "null"), (#"" ""#, "null"), (#""four""#, "null"),
  ])
  func `a map gives other texts, and keeps what it does not have`(
    _ value: String, _ wanted: String
  ) throws {
    let map = #"map: {1: paper, "2": organic, true: "yes", four: ""}"#
    #expect(try text(map, value) == wanted)
  }

  @Test(arguments: [
    ("else: keep", "7", #""7""#), ("else: reject", "7", "not-in-map 7"),
    ("else: rest", "7", #""rest""#), ("else: ''", "7", "null"), ("else: rest", "null", "null"),
    ("else: reject", #""""#, "null"), (#""": none, else: reject"#, "null", #""none""#),
    (#""": none"#, #"" ""#, #""none""#), ("else: reject", "[7]", "wrong-kind [7]"),
    ("else: reject", "false", "not-in-map false"),
  ])
  func `what becomes of other texts`(_ other: String, _ value: String, _ wanted: String) throws {
    #expect(try text("map: {1: paper, \(other)}", value) == wanted)
  }

  @Test(arguments: [
    ("kind: integer, map: {one: 1}", #""one""#, "1"),
    ("kind: decimal, map: {free: 0.00}", #""free""#, "0.00"),
    ("kind: flag, map: {Y: true, N: нет}", #""N""#, "false"),
    ("kind: day, map: {soon: 2026-01-05}", #""soon""#, #""2026-01-05""#),
    ("kind: instant, map: {x: '2026-01-05T10:00Z'}", #""x""#, #""2026-01-05T10:00:00Z""#),
    ("kind: day, cut: {prefix: 'on '}", #""on 5.1.2026""#, #""2026-01-05""#),
    ("kind: decimal, cut: {suffix: €}", #""4.50 €""#, "4.50"),
    ("kind: verbatim, map: {a: b}", #"" a\n""#, #""b""#),
  ])
  func `a map works on each kind`(_ column: String, _ value: String, _ wanted: String) throws {
    #expect(try text(column, value) == wanted)
  }

  @Test(arguments: ["upper", "lower"])
  func `the case of a letter is changed as Unicode maps it`(letters: String) throws {
    let scalars = (0xA1..<0x530).compactMap { Unicode.Scalar($0) }
    let mapped = scalars.map(\.properties).map {
      letters == "upper" ? $0.uppercaseMapping : $0.lowercaseMapping
    }
    let written = String(String.UnicodeScalarView(scalars))
    #expect(try text("case: \(letters)", "\"\(written)\"") == "\"\(mapped.joined())\"")
  }

  @Test(arguments: [
    (#"trim: "*-""#, #"" **-bio - ""#, #""bio""#), (#"trim: "*""#, #""* *""#, "null"),
    (#"trim: "«»""#, #""« Невский »""#, #""Невский""#),
    ("case: upper", #""Straße ёж""#, #""STRASSE ЁЖ""#), ("case: lower", #""ÉTÉ Ёж""#, #""été ёж""#),
    ("cut: {prefix: 'Bin: '}", #"" Bin:  bio""#, #""bio""#),
    ("cut: {prefix: a, suffix: a}", #""a""#, "null"),
    ("cut: {prefix: 'x'}", #""bio""#, #""bio""#),
    ("cut: {suffix: ' (weekly)'}", #""bio (weekly)""#, #""bio""#),
    (#"split: {by: ",", take: 1}"#, #""a, b ,c""#, #""a""#),
    (#"split: {by: ",", take: 2}"#, #""a,  b  b ,c""#, #""b b""#),
    (#"split: {by: ",", take: -1}"#, #""a,b,c""#, #""c""#),
    (#"split: {by: ",", take: 4}"#, #""a,b,c""#, "null"),
    (#"split: {by: ",", take: -4}"#, #""a,b,c""#, "null"),
    (#"split: {by: ", ", take: 1}"#, #""a,b""#, #""a,b""#),
    (#"split: {by: " ", take: 2}"#, #"" a \n b c""#, #""b""#),
    (#"split: {by: line, take: 2}"#, #""a\nb c\nd""#, #""b c""#),
    (#"kind: verbatim, split: {by: ":", take: 2}"#, #""a: b ""#, #"" b ""#),
    (#"kind: verbatim, trim: ".""#, #"" .a \n b.. ""#, #""a \n b""#),
  ])
  func `words of texts`(_ column: String, _ value: String, _ wanted: String) throws {
    #expect(try text(column, value) == wanted)
  }

  @Test func `the order is the same, however a document writes it`() throws {
    let rules = [
      "map: {bio: organic}", "case: lower", "trim: '*'", "cut: {prefix: 'Bin: '}",
      "split: {by: ';', take: 1}", "html: text",
    ]
    let value = #""<b>Bin: *Bio*</b>; weekly""#
    #expect(try text(rules.joined(separator: ", "), value) == #""organic""#)
    #expect(try text(rules.reversed().joined(separator: ", "), value) == #""organic""#)
  }

  @Test(arguments: [
    ("<p>Bins &amp; bags<br>at <b>7</b>&nbsp;h</p><!-- > x -->", "Bins & bags\nat 7\u{A0}h"),
    ("<h1>A</h1>\n<p>B</p><p>C<br/><br>D</p>", "A\nB\nC\n\nD"),
    ("a < b &lt; c <3 &unknown; &amp", "a < b < c <3 &unknown; &amp"),
    ("&#8211;&#x2013;&#150;&#0;&#xD800;&#x110000;&#;&#x;", "–––\u{FFFD}\u{FFFD}\u{FFFD}&#;&#x;"),
    ("&eacute;&Eacute;&hellip;&quot;&apos;&euro;&Omega;&yuml;", "éÉ…\"'€Ωÿ"),
    ("<script>if (a<b) x()</script>a<style>p{}</STYLE >b<script>c", "ab"),
    ("<a href=\"x>y\" title='>'>link</a>", "link"), ("<a href=x", "<a href=x"),
    ("<!DOCTYPE html><?xml?>a", "a"), ("<ul><li>a</li> <li>b</li></ul>c", "a\nb\nc"),
    ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"), ("  <br> a  b <br> ", "a b"),
    ("<a b=\"x>y", "y"), ("<p title='>a<br>b", "a\nb"),
    ("don't <b>it's</b>", "don't it's"), ("<", "<"), ("&", "&"), ("<!--", "<!--"),
  ])
  func `the text of HTML`(_ html: String, _ wanted: String) {
    var buffer = ByteBuffer(capacity: 16)
    Array(html.utf8).withUnsafeBytes { HTMLText.append($0, to: &buffer) }
    #expect(String(decoding: buffer.contents, as: UTF8.self) == wanted)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["<a ", "<!--", "<!a", "<a b=\"", "<script>", "</", "&#1", "<p='x' "])
  func `text full of tags that do not end is read in one go`(_ piece: String) {
    var buffer = ByteBuffer(capacity: 16)
    let html = Array(String(repeating: piece, count: 200_000).utf8)
    html.withUnsafeBytes { HTMLText.append($0, to: &buffer) }
    #expect(buffer.count <= html.count)
  }

  @Test func `HTML breaks the lines of verbatim columns only`() throws {
    let html = #""<p>a</p><p>b&nbsp;&nbsp;c</p>""#
    #expect(try text("html: text", html) == #""a b c""#)
    #expect(try text("html: text, kind: verbatim", html) == "\"a\\nb\u{A0}\u{A0}c\"")
    #expect(try text(#"html: text, split: {by: line, take: 2}"#, html) == #""b c""#)
  }

  @Test func `a rejected text does not stand in for the next one`() throws {
    let feed = try OwnFeed.read(
      OwnFeed.document("id: {kind: integer}, x: {from: t, map: {a: A, else: reject}}"))
    let json = (0..<40).map { "{\"id\":\($0),\"t\":\"\($0 % 4 == 1 ? "b" : "a")\"}" }
    let result = FeedRun(feed: feed)("{\"d\":[\(json.joined(separator: ","))]}")
    #expect(result.rows.count == 30 && result.rows.allSatisfy { $0.hasSuffix(",A") })
    #expect(result.rejects.map(\.reason) == Array(repeating: .notInMap, count: 10))
  }

  @Test func `a map gives each of many texts its own, whatever came before`() throws {
    let long = String(repeating: "long ", count: 12) + "x"
    let keys = (0..<90).map { "k\($0 * 7919)" } + [long, "", " k0 "]
    let map = keys.indices.map { "\"\(keys[$0])\": \"\($0 % 9 == 0 ? long : "")\($0)\"" }
    let feed = try OwnFeed.read(
      OwnFeed.document(
        "id: {kind: integer}, x: {from: t, map: {\(map.joined(separator: ", ")), else: reject}}"))
    var generator = SeededGenerator(seed: 3)
    var (rows, records, rejected): ([String], [String], Int) = ([], [], 0)
    for id in 0..<4000 {
      // Some come often.
      let place = Int.random(in: 0..<(id % 3 == 0 ? 91 : 5), using: &generator)
      let isKnown = id % 50 != 7
      let spaces = id % 11 == 0 ? "  " : ""
      records.append("{\"id\":\(id),\"t\":\"\(spaces)\(keys[place])\(isKnown ? "" : "?")\"}")
      rejected += isKnown ? 0 : 1
      if isKnown { rows.append("\(id),\(place % 9 == 0 ? long : "")\(place)") }
    }
    let result = FeedRun(feed: feed)("{\"d\":[\(records.joined(separator: ","))]}")
    let isSame = result.rows == rows
    #expect(isSame)
    #expect(result.rejects.count == rejected)
  }

  @Test func `a value around the rows is made anew for each`() throws {
    let feed = try OwnFeed.read(
      OwnFeed.document("c: {from: $.city, map: {a: b, b: c}, cut: {prefix: x}}, n: n"))
    let result = FeedRun(feed: feed)(#"{"city":"xa","d":[{"n":1},{"n":2,"z":[]},{"n":3}]}"#)
    #expect(result.rows == ["b,1", "b,2", "b,3"])
  }

  @Test func `conditions and keys see the text that was made`() throws {
    let columns = "t: {map: {1: paper}}, d: {kind: day, required: true}"
    var run = FeedRun(
      feed: try OwnFeed.read(
        OwnFeed.document(columns, "key: {columns: [t], as: id}\nevent: {summary: '{t}'}")))
    run.conditions = [Condition(column: "t", value: "Paper")]
    let made = run(#"{"d":[{"t":1,"d":"2026-01-05"},{"t":2,"d":"2026-01-05"}]}"#)
    let plain = run(#"{"d":[{"t":"paper","d":"2026-01-05"}]}"#)
    #expect(made.rows.count == 1 && made.rows == plain.rows && made.ics == plain.ics)
  }
}
