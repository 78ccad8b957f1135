import Testing

@testable import Sluice

/// Records that are the members of an object: nothing else comes of them as wholes than of their tokens,
/// which come where the text is cut into pieces.
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
    let run = try run()
    let pieces = run(json, cut: .pieces(7))
    #expect((pieces.error != nil) == isError, "\(members)", sourceLocation: sourceLocation)
    for split in stride(from: 0, through: json.utf8.count, by: 23)
    where !run(json, cut: .split(split)).isSame(as: pieces) {
      Issue.record("\(members), split at \(split)", sourceLocation: sourceLocation)
      return
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
