import Testing

@testable import Sluice

/// Records with objects and lists inside that come as wholes: nothing else comes of them than of
/// their tokens, which come where the text is cut into pieces.
@Suite(.slow) struct NestedRecordTests {
  /// A feed of all kinds of columns from all depths of a record.
  private static let document = """
    feed: own
    clock: "+00:00"
    rows: d[]
    columns:
      title: $.title
      id: {from: id, required: true}
      mag: {from: p.mag, kind: decimal}
      time: {from: p.time, kind: instant, unix: milliseconds}
      felt: {from: p.felt, kind: integer}
      place: p.place
      note: {from: p.note, kind: verbatim}
      open: {from: p.open, kind: flag}
      kind: {first: [p.kind, kind]}
      type: g.type
      x: {from: "g.at[0]", kind: decimal}
      z: {from: "g.at[2]", kind: decimal}
    """

  private func run() throws -> FeedRun { FeedRun(feed: try OwnFeed.read(Self.document)) }

  private let plain =
    #"{"id":"a","p":{"mag":2.5,"time":1600000000000,"place":"Ridgecrest","open":true},"#
    + #""g":{"type":"Point","at":[1.5,2,3]}}"#

  /// Puts a record among others and demands the same of every way to read it.
  private func check(
    _ strange: String, isError: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let records = [plain, plain, strange, plain, strange, plain, strange, strange, plain]
    let json =
      #"{"title":"t","d":["# + records.joined(separator: ",") + "]}"
      + String(repeating: " ", count: RecordShape.slack)
    let run = try run()
    let pieces = run(json, cut: .pieces(7))
    #expect((pieces.error != nil) == isError, "\(strange)", sourceLocation: sourceLocation)
    for split in stride(from: 0, through: json.utf8.count, by: 31)
    where !run(json, cut: .split(split)).isSame(as: pieces) {
      Issue.record("\(strange), split at \(split)", sourceLocation: sourceLocation)
      return
    }
  }

  @Test(arguments: [
    #"{"\u0069d":"a","p":{"m\u0061g":1,"place":"x"}}"#, #"{"id":"a","\u0069d":"b"}"#,
    #"{"i\"d":1,"id":"a","\\":{"\"":2}}"#, #"{"id":"a","p\u0000":{"mag":2},"p":{"\u006Dag":7}}"#,
    #"{"\u0001id":"b","id":"a","\u0001\u0001":1,"\ud83d\ude00":2}"#,
    #"{"id":"a"}"#, #"{"id":"a","p":{}}"#, #"{"id":"a","p":null,"g":null}"#, #"{}"#,
    #"{"id":"a","p":{"mag":null},"g":{"type":"Point","at":[]}}"#,
    #"{"id":"a","p":{"mag":-0},"g":{"at":[1]}}"#, #"{"id":"a","p":[],"g":{"at":[1,2,3,4,5]}}"#,
    #"{"id":"a","p":{"place":{}},"g":{"at":[1,[2],3]}}"#, #"{"id":"a","g":{"at":[1,{"y":1},3]}}"#,
    #"{"id":"a","g":{"at":[[],null,{}]}}"#, #"{"id":"a","g":{"at":7}}"#,
    #"{"id":"a","p":5,"g":{"type":true}}"#, #"{"id":{},"p":{"mag":1}}"#, #"{"id":["a"]}"#,
    #"{"p":{"mag":1},"id":"b"}"#, #"{"id":"a","id":"b"}"#, #"{"id":"a","p":{"mag":1,"mag":2}}"#,
    #"{"id":"a","p":{"mag":1},"p":{"mag":2}}"#, #"{"id":"a","p":{"mag":1},"p":{"felt":2}}"#,
    #"{"id":"a","x":{"y":[{"z":1},{"z":2},{"z":[3,{}]}],"w":"\n"},"p":{"mag":1}}"#,
    #"{"id":"a","x":[[1,2],[3]],"x":[],"p":{"mag":1}}"#,
    #"{ "id" : "a" , "p" : { "mag" : 1 } }"#, #"{"\u0069d":"a"}"#, #"{"id":"a","p":{"\n":1}}"#,
    #"{"id":"a","p":{"a[":1,"a":[1]}}"#, #"{"id":"a","p":{"mag":[1]}}"#,
    #"{"id":"a","g":{"at":[1,{"y":[1,{}]},3,[[]],{},[{"at":[1]}],7]}}"#,
    #"{"id":"a","g":{"at":[1,2,3,[4],[5,[6]],[],"x",[],{"at":[[1]]}],"x":[[]]}}"#,
    #"{"id":"a","g":{"at":[1,2,3, [ 4 ] , { } , [] ]}}"#, #"{"id":"a","g":{"at":[[[1]],2,{}]}}"#,
  ])
  func `containers of all kinds`(_ strange: String) throws { try check(strange) }

  @Test(arguments: [
    #""mag":1e5"#, #""mag":-1.25E-3"#, #""mag":0.1"#, #""mag":"2.50""#, #""mag":"x""#,
    #""mag":true"#, #""mag":123456789012345"#, #""mag":1234567890123456"#,
    #""mag":12345678901234.5"#, #""mag":0.12345678901234567"#, #""felt":12"#, #""felt":1.0"#,
    #""felt":1e1"#, #""felt":"12""#, #""felt":-0"#, #""felt":"x""#, #""felt":false"#,
    #""felt":123456789012345678901234567890"#, #""open":false"#, #""open":"yes""#, #""open":1"#,
    #""open":null"#, #""open":"x""#, #""open":{}"#, #""note":"a\nb  c""#, #""note":" ""#,
    #""note":true"#, #""time":1"#, #""time":-1"#, #""time":1.5"#, #""time":"2020-01-01T00:00Z""#,
    #""time":null"#, #""kind":true"#, #""kind":"a""#, #""kind":1"#, #""kind":null"#,
    #""place":"Krak\u00f3w, \"Old\"""#, #""place":"\ud83d\ude00 \/ \\""#, #""place":" \t ""#,
    #""place":"a\u00a0b""#, #""place":"\u0000""#, #""place":"№ \b\f\n\r\t""#, #""place":true"#,
    #""place":"Ридж-\u041a\u0430\u043c\u0447\u0430\u0442\u043a\u0430, a long way off""#,
    #""other":"\ud83d\ude00\n""#, #""other":true"#, #""other":-1.5e10"#, #""other":"№""#,
  ])
  func `values of all kinds`(_ member: String) throws {
    try check(#"{"id":"a","p":{\#(member)},"g":{"type":"Point","at":[1.5,2,3]}}"#)
    try check(#"{"id":"a","p":{"mag":7,\#(member),"x":false}}"#)
  }

  @Test(arguments: [
    "01", "1.", "-", "+1", ".5", "1e", "1e+", "0x1", "nul", "nulll", "tru", "truee", "fals",
    "falsee", #""\x""#, #""\u12g4""#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, #""\""#,
    "\"\u{1}\"", "\"a\nb\"", #""a" "b""#, "", "}", "]", "{]", "[}", "1 2", "1}", "-01", "00",
    "1.5.2",
    String(repeating: "1", count: Limits.number + 1),
  ])
  func `errors have their place`(_ value: String) throws {
    for key in ["mag", "place", "other", "felt"] {
      try check(#"{"id":"a","p":{"\#(key)":\#(value)},"g":{}}"#, isError: true)
      try check(#"{"id":"a","g":{"at":[\#(value),2,3]}}"#, isError: true)
    }
  }

  @Test func `a label is not taken for the beginning of a longer one`() throws {
    let records = [
      #"{"id":"a","g":{"at":[1]}}"#, #"{"id":"a","g":{"at":[],"x":7}}"#,
      #"{"id":"a","g":{"at":[[],8]}}"#, #"{"id":"a","g":{"at":{"x":1}}}"#,
      #"{"id":"a","g":{"at":null}}"#, #"{"id":"a","g":{"at": null}}"#,
    ]
    var json: [String] = []
    for first in records {
      for second in records { json += [first, second, first, second] }
    }
    let list = #"{"d":["# + json.joined(separator: ",") + "]}" + String(repeating: " ", count: 64)
    let run = try run()
    #expect(run(list).isSame(as: run(list, cut: .pieces(5))))
  }

  @Test func `elements that no column reads are counted`() throws {
    let at = ["1.5,2,3", "1,2,3,4", "1", "", "1,2,3,4,5"].map { #"{"id":"a","g":{"at":[\#($0)]}}"# }
    let json =
      #"{"d":["# + (at + at).joined(separator: ",") + "]}" + String(repeating: " ", count: 64)
    let run = try run()
    let result = run(json)
    #expect(result.unread == run(json, cut: .pieces(3)).unread)
    #expect(
      result.unread == [UnreadElements(path: "g.at", read: [0, 2], elements: 12, lists: 6)])
  }

  @Test func `lists and objects that no column reads are counted`() throws {
    let at = [
      "1,[2],3,[4,5],{}", "1,{\"y\":[1,2]},3", "1,[[]],3,{\"z\":{}}", "[1],[2]", "1,[2],3,[4]",
    ]
    let records = at.map { #"{"id":"a","g":{"at":[\#($0)]}}"# }
    let json =
      #"{"d":["# + (records + records + records).joined(separator: ",") + "]}"
      + String(repeating: " ", count: 64)
    let run = try run()
    let result = run(json)
    #expect(result.isSame(as: run(json, cut: .pieces(3))))
    #expect(
      result.unread == [UnreadElements(path: "g.at", read: [0, 2], elements: 27, lists: 15)])
  }

  @Test func `every list is counted when a record has several`() throws {
    let run = FeedRun(
      feed: try OwnFeed.read(
        "feed: own\nrows: \"[]\"\ncolumns: {id: id, tag: \"labels[*].tags[0]\"}"))
    let record =
      #"{"id":1,"labels":[{"tags":["a","b","c"]},{"tags":["d","e"]},{"tags":["f"]},{}]}"#
    let json =
      "[" + [String](repeating: record, count: 9).joined(separator: ",") + "]"
      + String(repeating: " ", count: 64)
    let result = run.everyCut(json)
    #expect(result.rows.last == #"1,"a, d, f""#)
    #expect(
      result.unread == [
        UnreadElements(path: "labels[].tags", read: [0], elements: 27, lists: 18)
      ])
  }

  @Test(arguments: ["7", "[7]", #"{"y":[7]}"#, #"[[{"y":[]}],[]]"#])
  func `elements that nobody reads keep no record from coming as a whole`(_ other: String) throws {
    let lists = (0..<40).map { count in
      let others = [String](repeating: ",\(other)", count: count % 4)
      return #"{"id":"a","p":{},"g":{"at":[1,2,3\#(others.joined())]}}"#
    }
    let feed = try OwnFeed.read(Self.document)
    var options = NormalizerOptions()
    options.zones = try Zones(of: feed)
    let counters = Counters()
    let counts = RecordCounts()
    let rows = Normalizer(feed, options: options, into: FanOut([]), counters: counters)
    let json =
      #"{"title":"t","d":["# + lists.joined(separator: ",") + "]}"
      + String(repeating: " ", count: RecordShape.slack)
    try ChunkCutter.feed(
      Array(json.utf8), splitAt: 0,
      to: Tokenizer(into: RecordSpy(next: rows, counts: counts), counters: counters))
    #expect(counters.rows.value == 40)
    #expect(counts.wholes > 30, "\(counts.wholes)")
  }

  @Test(arguments: 0..<60)
  func `records of a generator`(seed: UInt64) throws {
    var records = RecordGenerator(generator: SeededGenerator(seed: seed))
    let list = (0..<60).map { _ in records.record() }
    let json = #"{"title":"t","d":["# + list.joined(separator: ",") + "]}"
    let run = try run()
    let pieces = run(json, cut: .pieces(9))
    #expect(pieces.error == nil)
    #expect(run(json).isSame(as: pieces))
    for length in [200, 1000, 3000] {
      #expect(run(json, cut: .pieces(length)).isSame(as: pieces), "pieces of \(length)")
    }
  }

  @Test(arguments: 0..<60)
  func `errors in records of a generator`(seed: UInt64) throws {
    var records = RecordGenerator(generator: SeededGenerator(seed: 1000 + seed))
    let list = (0..<20).map { _ in records.record() }
    var json = Array((#"{"d":["# + list.joined(separator: ",") + "]}").utf8)
    let run = try run()
    for _ in 0..<40 {
      let place = Int.random(in: 40..<json.count, using: &records.generator)
      let byte = json[place]
      json[place] = records.generator.pick(Array(#"{}[],:"\0-.e tn"#.utf8) + [0, 0x1F, 0x80, 0xC3])
      let pieces = run(json, cut: .pieces(9))
      if !run(json).isSame(as: pieces) { Issue.record("byte \(place)") }
      json[place] = byte
    }
  }

  @Test func `lists of different records, one after the other`() throws {
    let run = FeedRun(
      feed: try OwnFeed.read(
        "feed: own\nrows: l[].d[]\ncolumns: {city: \"l[].city.name\", a: a.b, c: c}"))
    func list(_ city: String, _ records: String...) -> String {
      #"{"d":[\#(records.joined(separator: ","))],"city":{"name":"\#(city)","a":{"b":1}}}"#
    }
    let record = #"{"a":{"b":1},"c":"x"}"#
    let other = #"{"c":"y","a":{"b":2}}"#
    let lists = [
      list("A", record, record, other, record), list("B", other), list("C"),
      #"{"city":{"name":"D"},"other":[\#(record),\#(record)],"d":[\#(record),7,\#(record)]}"#,
      list("E", record, record), list("F", record, #"{"a":{}}"#, record),
    ]
    let json = #"{"l":[\#(lists.joined(separator: ","))]}"# + String(repeating: " ", count: 64)
    let result = run.everyCut(json)
    #expect(result.error == nil)
    #expect(result.rows.count == 12)
  }
}

/// Hands on everything, and counts the records that come as wholes.
private struct RecordSpy<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  var next: Next
  let counts: RecordCounts

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  { try next.token(kind, text, at: offset) }

  mutating func recordForm() -> RecordForm? { next.recordForm() }

  mutating func object(_ record: WholeRecord) throws(PipelineError) {
    counts.wholes += 1
    try next.object(record)
  }

  mutating func endWholes() throws(PipelineError) { try next.endWholes() }

  consuming func finish() throws(PipelineError) { try next.finish() }
}

private final class RecordCounts {
  var wholes = 0
}

/// Makes records whose members, kinds and order vary, some more than others.
private struct RecordGenerator {
  var generator: SeededGenerator
  private let texts = [
    #""a""#, #""a""#, #""  b ""#, #""Krak\u00f3w""#, #""\"x\" \\ ""#,
    #""a rather long text, more""#,
    #""№ 5 — 🏠""#, "null", "1", "-2.5", "true", "[]", "{}", #"{"q":[1,{"r":"\n"}]}"#, "1e3",
    "12345678901234567", "1600000000000", "0",
  ]

  private mutating func value() -> String {
    Int.random(in: 0...2, using: &generator) > 0
      ? texts[Int.random(in: 0...3, using: &generator)] : generator.pick(texts)
  }

  private mutating func object(_ keys: [String], _ fixed: [String] = []) -> String {
    var members = fixed
    for key in keys where Int.random(in: 0...4, using: &generator) > 0 {
      members.append("\"\(key)\":\(value())")
    }
    if Int.random(in: 0...9, using: &generator) == 0 { members.shuffle(using: &generator) }
    if Int.random(in: 0...19, using: &generator) == 0, let member = members.first {
      members.append(member)
    }
    let separator = Int.random(in: 0...5, using: &generator) == 0 ? " , " : ","
    return "{" + members.joined(separator: separator) + "}"
  }

  mutating func record() -> String {
    let at = (0..<Int.random(in: 0...5, using: &generator))
      .map { _ in Int.random(in: 0...9, using: &generator) == 0 ? value() : "1.25" }
    let members = [
      #""p":\#(object(["mag", "time", "place", "felt", "note", "open", "kind", "other"]))"#,
      #""g":\#(object(["type", "x"], ["\"at\":[\(at.joined(separator: ","))]"]))"#,
    ]
    return object(["kind", "x", "y"], [#""id":"\#(at.count)""#] + members)
  }
}
