import Testing

@testable import Sluice
@testable import SluiceSync

/// Of a list, what is missing or too old is asked for, until nothing more is to be had.
@Suite struct ItemQueueTests {
  private static let now = 10_000

  private func queue(
    _ names: [String], kept: [String: (age: Int, records: Int)] = [:], acceptsEmpty: Bool = false
  ) -> Asking {
    let items = ItemQueue(
      names.map { name in
        ItemQueue.Item(
          request: PlannedRequest(
            name: .item(name), file: name,
            url: RequestURL("https://h/?q=\(name)", hiding: RequestSecrets())), name: name)
      }, as: "city",
      kept: Dictionary(
        uniqueKeysWithValues: kept.map { ($0, answer($0, $1.records, age: $1.age)) }),
      maxAge: 100, now: Self.now, acceptsEmpty: acceptsEmpty)
    return Asking(items)
  }

  private func answer(_ name: String, _ records: Int = 20, age: Int = 0) -> KeptAnswer {
    KeptAnswer(
      path: "/\(name)", length: 2, fingerprint: name,
      facts: KeptAnswer.Facts(answered: Self.now - age, records: records))
  }

  private static let cut = SourceFault.cut(received: 1, expected: 2, detail: "")
  private static let slow = SourceFault.tooSlow(
    bytesPerSecond: 1, seconds: 30, received: 0, expected: nil)

  private static let forbidden = SourceFault.status(403, url: "", retryAfter: nil)

  @Test func `what is good is not asked for, and what is old stands in with its age`() {
    let queue = queue(["a", "b", "c"], kept: ["a": (99, 20), "b": (100, 20)])
    #expect(queue.next()?.name == .item("b") && queue.next()?.name == .item("c"))
    #expect(queue.next() == nil)
    #expect(queue.missing == [.item("b"), .item("c")] && queue.ages == [.item("b"): 100])
    #expect(queue.document.parts.map(\.answer.path) == ["/a", "/b"])
  }

  @Test func `an answer is measured by the one that it would replace, unless that is accepted`() {
    let kept = ["a": (age: 500, records: 20), "b": (age: -1, records: 3)]
    let guarded = queue(["a", "b", "c"], kept: kept)
    #expect((1...3).map { _ in guarded.next()?.recordsBefore } == [20, 3, 0])
    let free = queue(["a", "b", "c"], kept: kept, acceptsEmpty: true)
    #expect((1...3).map { _ in free.next()?.recordsBefore } == [0, 0, 0])
  }

  @Test(arguments: [401, 407, 429, 503])
  func `who is turned away asks nothing more`(status: Int) throws {
    let queue = queue(["a", "b"])
    let first = try #require(queue.next())
    queue.fail(first, PipelineError(.source(.status(status, url: "", retryAfter: nil))))
    #expect(queue.isOver && queue.next() == nil)
  }

  @Test(arguments: [
    (cut, slow), (slow, .tooLong(seconds: 60, received: 0, expected: nil)), (cut, forbidden),
    (forbidden, forbidden),
  ])
  func `after two broken answers in a row nothing more is asked`(
    _ one: SourceFault, _ other: SourceFault
  ) throws {
    let queue = queue(["a", "b", "c"])
    queue.fail(try #require(queue.next()), PipelineError(.source(one)))
    #expect(!queue.isOver)
    queue.fail(try #require(queue.next()), PipelineError(.source(other)))
    #expect(queue.isOver && queue.next() == nil)
    #expect(queue.missing == [.item("a"), .item("b"), .item("c")])
  }

  @Test(
    arguments: [
      .refused(status: "404"), .status(404, url: "", retryAfter: nil), .empty,
      .contentEncoding("br"),
      .status(500, url: "", retryAfter: nil), .redirect(to: "", .malformed), .notJSON(.csv),
    ] as [SourceFault])
  func `bad answers are about what was asked, however many they are`(fault: SourceFault) throws {
    let queue = queue(["a", "b", "c", "d"])
    for _ in 1...3 { queue.fail(try #require(queue.next()), PipelineError(.source(fault))) }
    #expect(!queue.isOver && queue.next()?.name == .item("d"))
  }

  @Test func `where others are answered, what is forbidden is so for itself alone`() throws {
    let queue = queue(["a", "b", "c", "d"], kept: ["a": (0, 20)])
    for _ in 1...2 {
      queue.fail(try #require(queue.next()), PipelineError(.source(Self.forbidden)))
    }
    #expect(!queue.isOver && queue.next()?.name == .item("d"))
  }

  @Test func `broken answers with another between them end nothing`() throws {
    let queue = queue(["a", "b", "c", "d", "e", "f"])
    func broken() throws {
      queue.fail(try #require(queue.next()), PipelineError(.source(Self.cut)))
    }
    try broken()
    let second = try #require(queue.next())
    queue.take(answer("b"), of: second)
    try broken()
    let missing = SourceFault.status(404, url: "", retryAfter: nil)
    queue.fail(try #require(queue.next()), PipelineError(.source(missing)))
    try broken()
    #expect(!queue.isOver && queue.next() != nil)
  }
}

/// A queue that is asked within expectations.
private final class Asking {
  private var queue: ItemQueue

  init(_ queue: ItemQueue) { self.queue = queue }

  func next() -> PlannedRequest? { queue.next() }
  func take(_ answer: KeptAnswer, of request: PlannedRequest) { queue.take(answer, of: request) }
  func fail(_ request: PlannedRequest, _ error: PipelineError) { queue.fail(request, error) }

  var isOver: Bool { queue.isOver }
  var missing: [RequestName] { queue.missing }
  var ages: [RequestName: Int] { queue.ages }
  var document: JoinedDocument { queue.document }
}
