import Testing

@testable import Sluice

/// Texts with escapes are decoded elsewhere. Rows with such texts come as a series too.
@Suite struct EscapedTextTests {
  private static let documents = [
    "rows: d[]\ncolumns: {id: {from: id, kind: integer}, name: name, url: {from: url, kind: verbatim}}",
    "rows: d[]\ncolumns: {id: id, name: name, tags: {from: \"tags[*]\", separator: \" \"}}",
    "rows: d[]\ncolumns: {name: name, first: \"tags[0]\", url: {from: url, split: {by: /, take: 1}}}",
    "rows: d[]\nwhere: {name: {not: \"a \\\"b\\\"\"}}\ncolumns: {id: id, name: name, url: url}",
    "rows: d[].rows[]\ncolumns: {id: id, name: name, town: \"d[].town\", url: url}",
    "rows: \"d[].byKey.*\"\ncolumns: {key: $key, name: name, town: \"d[].town\", id: {from: id, kind: integer}}",
  ]

  private static let texts = [
    #"a\/b"#, #"\u041f\u0443\u0448\u043a\u0438\u043d"#, #"a \"b\""#, #"line\nline  x"#,
    #"\ud83d\ude00"#, "plain",
    "", " two  spaces ",
  ]

  /// A record, or an element with records in a list and in an object and a text after them.
  private static func element(
    _ number: Int, of document: String, long: Int, _ generator: inout SeededGenerator
  ) -> String {
    func record(_ id: Int) -> String {
      let name =
        Int.random(in: 0...long, using: &generator) == 0
        ? String(repeating: #"\u00e9 long "#, count: 3000) : generator.pick(texts)
      let tags = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        "\"\(generator.pick(texts))\""
      }
      let url = #"https:\/\/example.org\/\#(id)"#
      return
        #"{"id":\#(id),"name":"\#(name)","tags":[\#(tags.joined(separator: ","))],"url":"\#(url)"}"#
    }
    guard document.contains("town") else { return record(number) }
    let records = (0..<3).map { record(3 * number + $0) }
    let members = records.enumerated().map { #""k\#($0.offset)":\#($0.element)"# }
    return
      #"{"rows":[\#(records.joined(separator: ","))],"byKey":{\#(members.joined(separator: ","))},"#
      + #""town":"\#(generator.pick(texts))"}"#
  }

  private static func json(of document: String, count: Int, long: Int, seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed)
    let elements = (0..<count).map { element($0, of: document, long: long, &generator) }
    return #"{"d":[\#(elements.joined(separator: ","))]}"#
      + String(repeating: " ", count: RecordShape.slack)
  }

  @Test(.slow, arguments: documents.indices, 1...4 as ClosedRange<UInt64>)
  func `rows with escapes are those of tokens`(number: Int, seed: UInt64) throws {
    let document = Self.documents[number]
    // Some texts are so long that there is room for a few of them only.
    let json = Self.json(of: document, count: 300, long: seed == 4 ? 8 : 100, seed: seed)
    var run = FeedRun(feed: try OwnFeed.read("feed: own\n" + document))
    let whole = run(json)
    #expect(run(json, cut: .pieces(13)).isSame(as: whole))
    #expect(run(json, cut: .pieces(70_001)).isSame(as: whole))
    run.asksForTokensAlone = true
    #expect(run(json).isSame(as: whole))
    #expect(whole.rows.count > 150)
  }

  /// Escapes that follow one another are read in one loop, wherever blocks of 64 bytes end in them.
  @Test(
    .slow, arguments: [#"\u12g4"#, #"\udc00"#, #"\ud83d"#, #"\ud83d\u0041"#, #"\x"#, #"\u00"#],
    ["name", "other"])
  func `a wrong escape among others is an error where it is one among tokens`(
    wrong: String, key: String
  ) throws {
    var run = FeedRun(feed: try OwnFeed.read("feed: own\n" + Self.documents[0]))
    func record(_ text: String) -> String { #"{"id":1,"\#(key)":"\#(text)","url":"a"}"# }
    let usual = (0..<30).map { record(String(repeating: #"\u0416"#, count: $0)) }
    for count in 0..<24 {
      let escapes = String(repeating: #"\u0416"#, count: count) + wrong
      let json = #"{"d":[\#((usual + [record(escapes + #"\u0416"#)]).joined(separator: ","))]}"#
      run.asksForTokensAlone = false
      let whole = run(json + String(repeating: " ", count: RecordShape.slack))
      #expect(whole.error != nil)
      run.asksForTokensAlone = true
      #expect(run(json).error == whole.error, "\(count)")
    }
  }

  @Test func `rows with escapes come as a series`() throws {
    // Joined texts with more than single spaces need a closer look.
    for document in [Self.documents[0], Self.documents[2]] {
      let json = Self.json(of: document, count: 300, long: .max, seed: 1)
      let (counters, lengths) = (Counters(), SeriesLengths())
      let spy = Branch(LengthSpy(lengths: lengths))
      let feed = try OwnFeed.read("feed: own\n" + document)
      try OwnFeed.push(json, of: feed, into: [spy], counters: counters)
      #expect(lengths.all.max() == RowSeries.most, "\(document)")
      #expect(lengths.all.count < 20, "\(document)")
    }
  }
}
