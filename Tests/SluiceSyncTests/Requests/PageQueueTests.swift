import Testing

@testable import Sluice
@testable import SluiceSync

/// A list is asked for to its end, from what is kept on, and nothing is asked for twice.
@Suite struct PageQueueTests {
  typealias Way = FeedRequests.Paging.Way

  private func plan(
    _ way: Way = .page(parameter: "p", first: 1), most: Int = 1000,
    countsElements: Bool = true
  ) -> PagePlan {
    var paging = FeedRequests.Paging(way: way)
    paging.most = most
    return PagePlan(
      base: "https://h/l", paging: paging,
      maker: RequestURLMaker(parameters: [], mirror: nil, secrets: RequestSecrets()), more: [],
      countsElements: countsElements)
  }

  private func answer(
    _ number: Int, records: Int = 20, parents: Int? = nil, total: Int? = nil,
    next: String? = nil, asked: String? = nil, fingerprint: String? = nil
  ) -> KeptAnswer {
    KeptAnswer(
      path: "/\(number)", length: 2, fingerprint: fingerprint ?? "\(number)-\(records)",
      facts: KeptAnswer.Facts(
        asked: asked ?? "https://h/l?p=\(number)", records: records, parents: parents,
        total: total, next: next))
  }

  private func kept(_ answers: (Int, KeptAnswer)...) -> [String: KeptAnswer] {
    Dictionary(uniqueKeysWithValues: answers.map { (PagePlan.file($0.0), $0.1) })
  }

  private func number(_ request: PlannedRequest?) -> Int? {
    if case .page(let number)? = request?.name { number } else { nil }
  }

  @Test func `pages are asked for in order until one has no rows`() throws {
    let queue = Asking(plan(), kept: [:])
    for page in 1...3 {
      let request = try #require(queue.next())
      #expect(request.url.real == "https://h/l?p=\(page)")
      try queue.take(answer(page, records: page == 3 ? 0 : 20), of: request)
    }
    #expect(queue.next() == nil && queue.isComplete && queue.count == 2)
    #expect(queue.document.parts.map(\.answer.path) == ["/1", "/2"])
  }

  @Test func `what is kept is not asked for, wherever it is missing`() throws {
    let queue = Asking(
      plan(), kept: kept((1, answer(1)), (3, answer(3)), (5, answer(5, records: 0))))
    let second = try #require(queue.next())
    let fourth = try #require(queue.next())
    #expect(number(second) == 2 && number(fourth) == 4)
    #expect(queue.next() == nil)
    try queue.take(answer(4), of: fourth)
    try queue.take(answer(2), of: second)
    #expect(queue.next() == nil && queue.isComplete)
    #expect(queue.document.parts.map(\.answer.path) == ["/1", "/2", "/3", "/4"])
  }

  @Test func `where the server says how many rows there are, no page beyond is asked for`() throws {
    let queue = Asking(plan(), kept: [:])
    try queue.take(answer(1, total: 45), of: try #require(queue.next()))
    let (second, third) = (try #require(queue.next()), try #require(queue.next()))
    #expect(queue.next() == nil && queue.count == 3)
    try queue.take(answer(2, total: 45), of: second)
    try queue.take(answer(3, records: 5, total: 45), of: third)
    // Whether it is right shows a page without rows.
    let last = try #require(queue.next())
    #expect(number(last) == 4 && queue.next() == nil)
    try queue.take(answer(4, records: 0, total: 45), of: last)
    #expect(queue.isComplete && queue.next() == nil)
  }

  @Test func `a page without rows is not the end where the server says that there are more`() throws
  {
    let queue = Asking(plan(), kept: [:])
    try queue.take(answer(1, records: 0, total: 45), of: try #require(queue.next()))
    #expect(!queue.isComplete && number(queue.next()) == 2)
  }

  @Test func `a page without a link is the last where others have one`() throws {
    let queue = Asking(plan(), kept: [:])
    try queue.take(answer(1, next: "https://h/l?p=2"), of: try #require(queue.next()))
    try queue.take(answer(2), of: try #require(queue.next()))
    #expect(queue.isComplete && queue.next() == nil && queue.count == 2)
  }

  @Test func `a page without a link is not the last where the server says that there are more`()
    throws
  {
    let queue = Asking(plan(), kept: [:])
    try queue.take(answer(1, total: 60, next: "https://h/l?p=2"), of: try #require(queue.next()))
    try queue.take(answer(2, total: 60), of: try #require(queue.next()))
    #expect(!queue.isComplete)
    try queue.take(answer(3, total: 60), of: try #require(queue.next()))
    #expect(queue.isComplete && queue.count == 3)
  }

  @Test(arguments: [20, 0])
  func `a list by links that lacks one before its rows are there is a fault`(records: Int) throws {
    let queue = Asking(plan(.link), kept: [:])
    let first = answer(1, total: 60, next: "https://h/2")
    try queue.take(first, of: try #require(queue.next()))
    let second = try #require(queue.next())
    #expect(throws: PipelineError(.source(.paging(.unlinked(total: 60))))) {
      try queue.take(answer(2, records: records, total: 60), of: second)
    }
    #expect(!queue.isComplete)
  }

  @Test func `a list by links may have more rows a page than were asked for`() throws {
    let queue = Asking(plan(.link), kept: [:])
    let first = answer(1, records: 40, total: 70, next: "https://h/2")
    try queue.take(first, of: try #require(queue.next()))
    try queue.take(answer(2, records: 30, total: 70), of: try #require(queue.next()))
    #expect(queue.isComplete && queue.next() == nil)
  }

  @Test func `a number of rows beyond all measure is no reason to end`() throws {
    let queue = Asking(plan(), kept: kept((1, answer(1, total: .max)), (2, answer(2, total: .max))))
    #expect(number(queue.next()) == 3 && queue.count == (.max - 1) / 20 + 1)
    #expect(Asking(plan(), kept: kept((1, answer(1, total: .min + 1)))).count == 1)
  }

  @Test func `kept pages of two lists are not mixed`() throws {
    let pages = kept((1, answer(1, total: 60)), (2, answer(2)), (3, answer(3, total: 61)))
    let queue = Asking(plan(), kept: pages)
    #expect(number(queue.next()) == 1 && number(queue.next()) == 2 && queue.done == 0)
    #expect(!pages.keys.contains { queue.uses($0) })
  }

  @Test func `by offset without a total, a page begins where the one before has ended`() throws {
    let queue = Asking(plan(.offset(parameter: "o", first: 5)), kept: [:])
    for (page, (start, rows)) in [(5, 10), (15, 20), (35, 30), (65, 3), (68, 0)].enumerated() {
      let request = try #require(queue.next())
      #expect(request.url.real == "https://h/l?o=\(start)")
      // Whoever comes in between waits.
      #expect(queue.next() == nil)
      try queue.take(answer(page + 1, records: rows, asked: request.url.shown), of: request)
    }
    #expect(queue.next() == nil && queue.isComplete && queue.count == 4 && queue.doubt == nil)
  }

  @Test func `by offset without a total, kept pages are gone on with where they have ended`() throws
  {
    let pages = kept(
      (1, answer(1, records: 10, asked: "https://h/l?o=0")),
      (2, answer(2, asked: "https://h/l?o=10")), (4, answer(4, asked: "https://h/l?o=50")))
    let queue = Asking(plan(.offset(parameter: "o", first: 0)), kept: pages)
    #expect(queue.next()?.url.real == "https://h/l?o=30")
    #expect([1, 2, 4].map { queue.uses(PagePlan.file($0)) } == [true, true, false])
  }

  @Test(arguments: [(10, 15), (30, 90)])
  func `by offset, a page of another size is a fault where the server says that there are more`(
    rows: Int, total: Int
  ) throws {
    let queue = Asking(plan(.offset(parameter: "o", first: 0)), kept: [:])
    let first = try #require(queue.next())
    #expect(throws: PipelineError(.source(.paging(.pageSize(rows: rows))))) {
      try queue.take(answer(1, records: rows, total: total), of: first)
    }
  }

  @Test(arguments: [(24, 24, true), (25, 24, true), (23, 24, true), (25, 24, false)])
  func `where other rows came than the server says, that is told`(
    said: Int, came: Int, countsElements: Bool
  ) throws {
    let queue = Asking(plan(countsElements: countsElements), kept: [:])
    for (page, rows) in [20, came - 20, 0].enumerated() {
      let request = try #require(queue.next())
      try queue.take(answer(page + 1, records: rows, total: said), of: request)
    }
    #expect(queue.isComplete)
    let isToldOf = said != came && countsElements
    #expect(queue.doubt == (isToldOf ? .count(said: said, came: came) : nil))
  }

  @Test func `a short page is legal where pages are counted, or rows cannot be`() throws {
    for plan in [plan(), plan(.offset(parameter: "o", first: 0), countsElements: false)] {
      let queue = Asking(plan, kept: [:])
      try queue.take(answer(1, records: 10), of: try #require(queue.next()))
      try queue.take(answer(2), of: try #require(queue.next()))
      #expect(number(queue.next()) == 3)
    }
  }

  @Test func `links are followed one after the other, from the last that is kept`() throws {
    let queue = Asking(
      plan(.link),
      kept: kept(
        (1, answer(1, next: "https://h/2?a", asked: "https://h/l")),
        (3, answer(3, next: "https://h/4", asked: "https://h/3"))))
    let second = try #require(queue.next())
    #expect(second.url.real == "https://h/2?a" && queue.next() == nil)
    try queue.take(answer(2), of: second)
    #expect(queue.isComplete && queue.next() == nil)
    #expect(queue.document.parts.count == 2)
  }

  @Test func `an answer to another question is not used`() throws {
    let other = answer(2, asked: "https://h/l?p=2&size=50")
    let queue = Asking(plan(), kept: kept((1, answer(1)), (2, other), (3, answer(3))))
    #expect(number(queue.next()) == 2 && number(queue.next()) == 4)
  }

  @Test(arguments: [Way.page(parameter: "p", first: 1), .offset(parameter: "o", first: 0)])
  func `a page whose elements have no rows is not the end`(way: Way) throws {
    let queue = Asking(plan(way), kept: [:])
    for (page, counts) in [(40, 20), (0, 20), (25, 20), (0, 0)].enumerated() {
      let request = try #require(queue.next())
      #expect(!queue.isComplete)
      try queue.take(
        answer(page + 1, records: counts.0, parents: counts.1, asked: request.url.shown),
        of: request)
    }
    #expect(queue.isComplete && queue.next() == nil && queue.count == 3)
    #expect(queue.document.parts.map(\.answer.path) == ["/1", "/2", "/3"])
  }

  @Test func `a page of elements without rows that is kept is not the end`() throws {
    let pages = kept((1, answer(1)), (2, answer(2, records: 0, parents: 20)))
    let queue = Asking(plan(), kept: pages)
    #expect(number(queue.next()) == 3 && !queue.isComplete)
  }

  @Test(arguments: [Way.page(parameter: "p", first: 1), .link])
  func `an empty page that links to the next is not the end`(way: Way) throws {
    let queue = Asking(plan(way), kept: [:])
    for page in 1...3 {
      let request = try #require(queue.next())
      #expect(!queue.isComplete)
      try queue.take(
        answer(
          page, records: page == 2 ? 0 : 20, next: page < 3 ? "https://h/l?p=\(page + 1)" : nil),
        of: request)
    }
    #expect(queue.isComplete && queue.next() == nil && queue.count == 3)
  }

  @Test func `by offset, an empty page that links to the next is passed over`() throws {
    let queue = Asking(plan(.offset(parameter: "o", first: 0)), kept: [:])
    for (page, start) in [0, 10, 20].enumerated() {
      let request = try #require(queue.next())
      #expect(request.url.real == "https://h/l?o=\(start)")
      try queue.take(
        answer(
          page + 1, records: page == 1 ? 0 : 10, next: page < 2 ? "https://h/more\(page)" : nil,
          asked: request.url.shown),
        of: request)
    }
    #expect(queue.isComplete && queue.next() == nil)
  }

  @Test func `a server that links from empty page to empty page is left after so many`() throws {
    let queue = Asking(plan(most: 2), kept: [:])
    for page in 1...2 {
      try queue.take(
        answer(page, records: 0, next: "https://h/\(page + 1)"), of: try #require(queue.next()))
    }
    let third = try #require(queue.next())
    #expect(throws: PipelineError(.source(.paging(.tooMany(limit: 2))))) {
      try queue.take(answer(3, records: 0, next: "https://h/4"), of: third)
    }
  }

  @Test func `by offset without a total, elements are counted and not the rows in them`() throws {
    let queue = Asking(plan(.offset(parameter: "o", first: 0)), kept: [:])
    for (page, (start, rows, parents)) in [(0, 20, 10), (10, 0, 10), (20, 31, 4), (24, 0, 0)]
      .enumerated()
    {
      let request = try #require(queue.next())
      #expect(request.url.real == "https://h/l?o=\(start)")
      try queue.take(
        answer(page + 1, records: rows, parents: parents, asked: request.url.shown), of: request)
    }
    #expect(queue.isComplete && queue.doubt == nil)
  }

  @Test func `by offset, a page of fewer elements is a fault where the server tells of more`()
    throws
  {
    let queue = Asking(plan(.offset(parameter: "o", first: 0)), kept: [:])
    let first = try #require(queue.next())
    #expect(throws: PipelineError(.source(.paging(.pageSize(rows: 10))))) {
      try queue.take(answer(1, records: 25, parents: 10, total: 60), of: first)
    }
  }

  @Test(arguments: [(22, ListDoubt?.none), (45, nil), (23, ListDoubt.count(said: 23, came: 22))])
  func `a total may count elements, or the rows in them`(total: Int, doubt: ListDoubt?) throws {
    let queue = Asking(plan(), kept: [:])
    for (page, (rows, parents)) in [(40, 20), (5, 2), (0, 0)].enumerated() {
      try queue.take(
        answer(page + 1, records: rows, parents: parents, total: total),
        of: try #require(queue.next()))
    }
    #expect(queue.isComplete && queue.doubt == doubt)
  }

  @Test(arguments: [Way.page(parameter: "p", first: 1), .offset(parameter: "o", first: 0)])
  func `a list that is wrapped in another of one element ends where that stays empty`(
    way: Way
  ) throws {
    let queue = Asking(plan(way), kept: [:])
    for (page, rows) in [20, 3, 0, 0].enumerated() {
      let request = try #require(queue.next())
      let mark = rows == 0 ? "empty" : nil
      let start = way == .offset(parameter: "o", first: 0) ? "?o=\(page * 20)" : "?p=\(page + 1)"
      #expect(request.url.real == "https://h/l" + start)
      try queue.take(
        answer(page + 1, records: rows, parents: 1, asked: request.url.shown, fingerprint: mark),
        of: request)
    }
    #expect(queue.isComplete && queue.count == 2 && queue.next() == nil)
  }

  @Test func `offsets count rows`() throws {
    let queue = Asking(plan(.offset(parameter: "o", first: 1)), kept: [:])
    let first = try #require(queue.next())
    #expect(first.url.real == "https://h/l?o=1")
    try queue.take(answer(1, total: 60), of: first)
    #expect(queue.next()?.url.real == "https://h/l?o=21")
    #expect(queue.next()?.url.real == "https://h/l?o=41")
  }

  @Test func `a list of another length than before is read anew`() throws {
    let queue = Asking(plan(), kept: kept((1, answer(1, total: 60)), (2, answer(2, total: 60))))
    try queue.take(answer(3, total: 61), of: try #require(queue.next()))
    #expect(number(queue.next()) == 1 && number(queue.next()) == 2 && queue.doubt == nil)
  }

  @Test func `a list that is read anew forgets no failure, and has no use for old pages`() throws {
    let queue = Asking(plan(), kept: kept((1, answer(1, total: 80)), (2, answer(2))))
    let (third, fourth) = (try #require(queue.next()), try #require(queue.next()))
    queue.fail(third, PipelineError(.source(.empty)))
    try queue.take(answer(4, total: 81), of: fourth)
    #expect(queue.missing == [.page(3)] && queue.next() == nil)
    #expect([1, 2, 3, 4].map { queue.uses(PagePlan.file($0)) } == [false, false, false, true])
  }

  @Test func `a list that changes while it is read is told`() throws {
    let queue = Asking(plan(), kept: [:])
    for (page, rows) in [20, 20, 20, 1, 0].enumerated() {
      #expect(queue.doubt == nil)
      let request = try #require(queue.next())
      let total = page == 0 ? 60 : 61
      try queue.take(answer(page + 1, records: rows, total: total), of: request)
    }
    #expect(queue.doubt == .changed(first: 60, last: 61))
  }

  @Test func `after a failure nothing more is asked`() throws {
    let queue = Asking(plan(), kept: [:])
    let (first, second) = (try #require(queue.next()), try #require(queue.next()))
    queue.fail(second, PipelineError(.source(.empty)))
    try queue.take(answer(1), of: first)
    #expect(queue.next() == nil && queue.missing == [.page(2)] && !queue.isComplete)
  }

  @Test func `a list without end is left after so many pages`() throws {
    let queue = Asking(plan(most: 2), kept: [:])
    try queue.take(answer(1), of: try #require(queue.next()))
    try queue.take(answer(2), of: try #require(queue.next()))
    let third = try #require(queue.next())
    #expect(throws: PipelineError(.source(.paging(.tooMany(limit: 2))))) {
      try queue.take(answer(3), of: third)
    }
  }

  @Test func `a server that promises rows and sends none is left after so many pages, too`() throws
  {
    let queue = Asking(plan(most: 1), kept: [:])
    try queue.take(answer(1, records: 0, total: 999), of: try #require(queue.next()))
    let second = try #require(queue.next())
    #expect(throws: PipelineError(.source(.paging(.tooMany(limit: 1))))) {
      try queue.take(answer(2, records: 0, total: 999), of: second)
    }
  }
}

/// Holds a queue, so that what is asked of it may stand inside of an expectation.
private final class Asking {
  private var queue: PageQueue

  init(_ plan: PagePlan, kept: [String: KeptAnswer]) { queue = PageQueue(plan, kept: kept) }

  func next() -> PlannedRequest? { queue.next() }

  func take(_ answer: KeptAnswer, of request: PlannedRequest) throws(PipelineError) {
    try queue.take(answer, of: request)
  }

  func fail(_ request: PlannedRequest, _ error: PipelineError) { queue.fail(request, error) }

  var count: Int? { queue.count }
  var done: Int { queue.done }
  func uses(_ file: String) -> Bool { queue.uses(file) }
  var isComplete: Bool { queue.isComplete }
  var missing: [RequestName] { queue.missing }
  var document: JoinedDocument { queue.document }
  var doubt: ListDoubt? { queue.doubt }
}
