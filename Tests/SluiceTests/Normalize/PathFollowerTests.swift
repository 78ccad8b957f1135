import Testing

@testable import Sluice

/// The role of each token on the path to the rows.
@Suite struct PathFollowerTests {
  private func feed() throws -> Feed {
    try OwnFeed.read(
      """
      feed: own
      rows: list[].items[]
      columns:
        city: "list[].city"
        price: {kind: decimal}
      """)
  }

  /// Writes down the events that change what follows: no passed keys, and no beginnings of lists.
  private struct Follower: TokenStage, ~Copyable {
    final class Box { var events: [String] = [] }
    private var paths: PathFollower
    private let box: Box

    init(_ feed: Feed, _ box: Box) {
      paths = PathFollower(feed.table)
      self.box = box
    }

    mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
      throws(PipelineError) -> TokenReply
    {
      switch try paths.follow(kind, text, at: offset) {
      case .nothing, .pass, .rowsBegin: break
      case .mismatch(let mismatch):
        box.events.append("mismatch(\(paths.key(of: mismatch) ?? "element"))")
      case let event: box.events.append("\(event)")
      }
      return .proceed
    }

    consuming func finish() throws(PipelineError) {
      try paths.checkEnd(records: 1)
      box.events.append("elements \(paths.elements ?? -1)")
    }
  }

  private func events(_ json: String) throws -> [String] {
    let box = Follower.Box()
    var tokenizer = Tokenizer(into: Follower(try feed(), box), counters: Counters())
    try tokenizer.write(Array(json.utf8).span.bytes)
    try tokenizer.finish()
    return box.events
  }

  @Test func `a document of nested lists`() throws {
    let json = """
      {"list": [
        {"city": "Pushkin", "items": [{"price": 4}, 5]},
        {"items": 7}
      ]}
      """
    #expect(
      try events(json) == [
        "parentBegins(level: 1)", "fieldAround(0)", "rowBegins", "field(1)", "rowEnds",
        "rowIsScalar",
        "parentEnds(level: 1)", "parentBegins(level: 1)", "mismatch(items)",
        "parentEnds(level: 1)", "elements 2",
      ])
  }

  @Test func `values that the path cannot continue through`() throws {
    let row = #"{"items":[{"price":1}]}"#
    let first = [
      "parentBegins(level: 1)", "rowBegins", "field(1)", "rowEnds", "parentEnds(level: 1)",
    ]
    #expect(
      try events(#"{"list":[\#(row),null,[1]]}"#) == first + [
        "mismatch(element)", "capture", "mismatch(element)", "elements 3",
      ])
    #expect(
      try events(#"{"list":[\#(row),{"items":null}]}"#) == first + [
        "parentBegins(level: 1)", "parentEnds(level: 1)", "elements 2",
      ])
  }
}
