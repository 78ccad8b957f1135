import Testing

@testable import Sluice

/// Records that are the members of an object: nothing else comes of them as wholes than of their
/// tokens, which come where the text is cut into pieces.
@Suite(.slow) struct MemberRecordsTests {
  private static let document = """
    feed: own
    clock: "+00:00"
    rows: rates.*
    columns:
      key: {from: $key, required: true}
      base: rates.meta.base
      usd: {from: usd, kind: decimal}
      at: {from: at, kind: instant}
      note: note
    """

  /// All members are rows, so they may come with their keys.
  private static let all = """
    feed: own
    clock: Europe/London
    rows: rates.*
    columns:
      key: {from: $key, required: true}
      usd: {from: usd, kind: decimal}
      at: {from: at, kind: instant}
      note: note
    """
  private static let chosen = """
    feed: own
    rows: rates.*
    where: {key: {not: [k1, k6, a]}}
    columns: {usd: {kind: decimal}, key: $key, notes: {from: "x.usd[*]", separator: ","}, at: at}
    """
  private static let unnamed = """
    feed: own
    rows: rates.*
    columns: {usd: {kind: decimal}, note: note}
    """
  private static let days = """
    feed: own
    rows: rates.*
    columns: {day: {from: $key, kind: day}, usd: {kind: decimal}}
    """
  private static let documents = [document, all, chosen, unnamed, days]

  private func run(_ document: String = document) throws -> FeedRun {
    FeedRun(feed: try OwnFeed.read(document))
  }

  private let plain = #"{"usd":1.5,"at":"2026-01-05T10:00:00Z","note":"a"}"#

  private func check(
    _ members: String, isError: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = (0..<4).map { #""k\#($0)":\#(plain)"# }
    let after = (4..<8).map { #""k\#($0)":\#(plain)"# }
    let json =
      #"{"rates":{"meta":{"base":"EUR","usd":7},"#
      + (before + [members] + after + [members]).joined(separator: ",") + "}}"
      + String(repeating: " ", count: 2 * RecordShape.slack)
    for document in Self.documents {
      let run = try run(document)
      let pieces = run(json, cut: .pieces(7))
      #expect((pieces.error != nil) == isError, "\(members)", sourceLocation: sourceLocation)
      for split in stride(from: 0, through: json.utf8.count, by: 23)
      where !run(json, cut: .split(split)).isSame(as: pieces) {
        Issue.record("\(members), \(document), at \(split)", sourceLocation: sourceLocation)
        return
      }
    }
  }

  @Test(arguments: [
    #""a":{}"#, #""a":null"#, #""a":7"#, #""a":[]"#, #""a":[{"usd":1}]"#, #""":{"usd":1}"#,
    #""k1":{"usd":2}"#, #"" a  b ":{"usd":2}"#, #""a\n\u0041":{"usd":2}"#, #""№ 5":{"usd":2}"#,
    #""a" : {"usd":2}"#, #" "a":{"usd":2} "#, #""meta":{"usd":2}"#, #""meta":{"base":"USD"}"#,
    #""a":{"usd":"x"}"#, #""a":{"usd":{}}"#, #""a":{"usd":1,"usd":2}"#, #""a":{"at":"never"}"#,
    #""a":{"note":"a\"b","x":{"usd":[1,{}]}}"#, #""a":{"usd":1},"meta":{"base":"x"},"b":{}"#,
    #""a-rather-long-key-of-many-words-that-does-not-fit-into-the-slack-after-a-record":{}"#,
  ])
  func `members of all kinds`(_ members: String) throws {
    try check(members)
  }

  @Test(arguments: [
    #""a":{"usd":01}"#, #""a""#, #""a":{},"#, #""a"{}"#, #"a:{}"#, #""a":{}}"#, #""\x":{}"#,
    "\"a\u{1}\":{}", #""a":{"usd":1]"#, #""a":{"usd":1} "b":{}"#, #""\ud800":{}"#, #""a":"#, "]",
  ])
  func `errors have their place`(_ members: String) throws { try check(members, isError: true) }

  @Test func `bytes that are no UTF-8 in a key`() throws {
    var json = Array(#"{"rates":{"#.utf8)
    for key in ["a", "b", "c", "d"] { json += Array(#""\#(key)":\#(plain),"#.utf8) }
    for key: [UInt8] in [[0xC3], [0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] {
      let text =
        json + [0x22] + key + Array(#"":\#(plain)}}"#.utf8) + [UInt8](repeating: 32, count: 200)
      let result = try run()(text)
      #expect(result.error != nil)
      #expect(result.isSame(as: try run()(text, cut: .pieces(5))))
    }
  }

  @Test(arguments: [1, 0, -1, -60, -200])
  func `the longest keys`(_ beyond: Int) throws {
    let long = String(repeating: "k", count: Limits.key + beyond)
    let members = ["a", "b", long, "c", "d"].map { #""\#($0)":\#(plain)"# }
    let json =
      #"{"rates":{\#(members.joined(separator: ","))}}"# + String(repeating: " ", count: 99)
    let result = try run()(json)
    #expect(result.isSame(as: try run()(json, cut: .pieces(1000))))
    #expect((result.error?.fault == .json(.keyTooLong(limit: Limits.key))) == (beyond > 0))
    let all = try run(Self.all)
    #expect(all(json).isSame(as: all(json, cut: .pieces(1000))))
  }

  @Test(arguments: [all, chosen, unnamed, days])
  func `keys come with their records, and rows as series`(_ document: String) throws {
    let members = (0..<300).map { number in
      let key =
        document == Self.days ? Day(number: Int32(20_000 + number)).description : "key \(number)"
      return
        #""\#(key)":{"usd":\#(number).5,"at":"2026-01-05T10:00:00Z","note":"n","x":{"usd":[1]}}"#
    }
    let json =
      #"{"rates":{\#(members.joined(separator: ","))}}"# + String(repeating: " ", count: 99)
    let feed = try OwnFeed.read(document)
    let (counters, counts) = (Counters(), ValueCounts())
    try OwnFeed.push(json, of: feed, into: [Branch(SeriesSpy(counts: counts))], counters: counters)
    {
      KeySpy(next: $0, counts: counts)
    }
    #expect(counters.rows.value == 300)
    #expect(counts.keyed > 290)
    #expect(counts.rows > 290)
    #expect(FeedRun(feed: feed)(json).isSame(as: FeedRun(feed: feed)(json, cut: .pieces(7))))
  }

  @Test func `many of them, in maps of maps`() throws {
    let document = """
      feed: own
      rows: days.*.rooms.*
      columns: {day: "$key[1]", room: $key, free: {from: free, kind: integer}}
      """
    let feed = try? OwnFeed.read(document)
    let run = FeedRun(feed: try #require(feed))
    let days = (0..<30).map { day in
      let rooms = (0..<day % 7).map { #""r\#($0)":{"free":\#(day * $0)}"# }
      return #""d\#(day)":{"rooms":{\#(rooms.joined(separator: ","))},"x":1}"#
    }
    let json = #"{"days":{\#(days.joined(separator: ","))}}"# + String(repeating: " ", count: 99)
    let result = run(json)
    #expect(result.error == nil)
    #expect(result.isSame(as: run(json, cut: .pieces(7))))
    #expect(result.rows.count == (0..<30).reduce(0) { $0 + $1 % 7 })
    #expect(result.rows.last == "d29,r0,0")
  }
}

/// Hands on everything, and counts the records that come with their keys.
private struct KeySpy<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  var next: Next
  let counts: ValueCounts

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  { try next.token(kind, text, at: offset) }

  mutating func recordForm() -> RecordForm? { next.recordForm() }

  mutating func object(_ record: WholeRecord) throws(PipelineError) { try next.object(record) }

  var takesKeys: Bool { next.takesKeys }

  mutating func object(_ record: WholeRecord, key: ObjectValue) throws(PipelineError) {
    counts.keyed += 1
    try next.object(record, key: key)
  }

  mutating func endWholes() throws(PipelineError) { try next.endWholes() }

  consuming func finish() throws(PipelineError) { try next.finish() }
}
