import Testing

@testable import Sluice
@testable import SluiceSync

/// The picture of ``PageList``, step by step, without a file or a URL.
@Suite struct PageListTests {
  private func page(_ mark: String, elements: Int = 20, total: Int? = nil) -> PageList.Page {
    PageList.Page(elements: elements, records: elements, total: total, fingerprint: mark)
  }

  private func list() -> PageList {
    PageList(FeedRequests.Paging(way: .page(parameter: "p", first: 1)), countsElements: true)
  }

  private func ask(_ number: Int) -> PageList.Step {
    .ask(PageList.Request(number: number, start: (number - 1) * 20))
  }

  @Test func `gaps are filled, and the list ends before an empty page`() throws {
    var list = list()
    list.resume(from: [1: page("a"), 3: page("c")]) { _ in true }
    #expect(list.next() == ask(2))
    #expect(list.next() == ask(4))
    try list.take(page("d"), number: 4)
    try list.take(page("b"), number: 2)
    #expect(list.next() == ask(5) && !list.hasEnd)
    try list.take(page("e", elements: 0), number: 5)
    #expect(list.next() == .finished && list.hasEnd && list.numbers == [1, 2, 3, 4])
  }

  @Test func `after a failure nothing is asked, and what is under way may arrive`() throws {
    var list = list()
    #expect(list.next() == ask(1) && list.next() == ask(2))
    list.fail(2)
    #expect(list.next() == .failed && list.missing == [2])
    try list.take(page("a"), number: 1)
    #expect(list.next() == .failed && list.numbers == [1] && list.done == 1)
  }

  @Test func `another total drops the pages that are kept`() throws {
    var list = list()
    list.resume(from: [1: page("a", total: 80), 3: page("c", total: 80)]) { _ in true }
    #expect(list.next() == ask(2) && list.next() == ask(4))
    try list.take(page("b", total: 81), number: 2)
    #expect(list.numbers == [2])
    #expect(list.next() == ask(1) && list.next() == ask(3) && list.next() == ask(5))
  }

  @Test func `a page beyond the total waits for those that are under way`() throws {
    var list = list()
    #expect(list.next() == ask(1))
    try list.take(page("a", total: 40), number: 1)
    #expect(list.next() == ask(2) && list.next() == .wait)
    try list.take(page("b", total: 40), number: 2)
    #expect(list.next() == ask(3) && list.next() == .wait)
    try list.take(page("c", elements: 0, total: 40), number: 3)
    #expect(list.next() == .finished && list.doubt == nil)
  }

  @Test func `a copy of the page before is an error, and a link that was there before`() throws {
    var list = list()
    #expect(list.next() == ask(1) && list.next() == ask(2))
    try list.take(page("a"), number: 1)
    #expect(throws: PagingFault.same) { try list.take(page("a"), number: 2) }
    var linked = PageList(FeedRequests.Paging(way: .link), countsElements: true)
    var answer = page("a")
    answer.link = PageList.Link(url: "https://h/2")
    #expect(linked.next() == ask(1) && linked.next() == .wait)
    try linked.take(answer, number: 1)
    #expect(
      linked.next() == .ask(PageList.Request(number: 2, start: 20, link: "https://h/2")))
    answer.fingerprint = "b"
    #expect(throws: PagingFault.repeated("https://h/2")) { try linked.take(answer, number: 2) }
  }
}
