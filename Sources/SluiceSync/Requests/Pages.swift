import Sluice

/// Decides which page of a list to ask for next. It is a state machine without files, clock or
/// network.
///
///     page                1 2 3 4 5
///     resume              ● · ● · ·   pages 1 and 3 are kept from a run that broke off
///     next ─▶ ask(2)      ● ○ ● · ·
///     next ─▶ ask(4)      ● ○ ● ○ ·   nothing is asked for twice
///     take 4              ● ○ ● ● ·
///     take 2              ● ● ● ● ·
///     next ─▶ ask(5)      ● ● ● ● ○
///     take 5              ● ● ● ●│    it has no elements: the list ends before it
///     next ─▶ finished
///
///     ● answered   ○ under way   ✕ failed   · neither   │ end
///
///     fail 2              ● ✕ ● ○ ·   next ─▶ failed; pages under way may still arrive
///     take 2, the total is not that of the kept pages: rows have moved between pages, so all pages
///                         · ● · ○ ·   but this one are asked for again
///     take 2, a copy of page 1, or with a link that came before ─▶ an error
///
/// The elements of the list are counted, whether or not there are rows in them. The list ends at a
/// page without elements, or without a link to the next page if others have one. It does not end
/// there if the server says that there are more, by a link or by a total. With a total, a link may
/// be missing, and no page after the last one is asked for while others are under way.
struct PageList: Sendable {
  /// The facts of a page's answer that decide how the list goes on.
  struct Page: Sendable, Equatable {
    var elements: Int
    var records: Int
    /// How many rows the list has in all, if the server says so.
    var total: Int?
    /// The link to the next page.
    var link: Link?
    /// Equal for pages of equal bytes.
    var fingerprint: String
  }

  /// A link, and its target if each page is linked from the one before.
  struct Link: Sendable, Equatable {
    enum Target {
      case page, firstPage, otherServer
    }

    var url: String
    var target = Target.page
  }

  /// The position of a page to ask for.
  struct Request: Sendable, Equatable {
    /// The page, counted from 1.
    var number: Int
    /// The index of its first element in the list, from 0.
    var start: Int
    /// The link to it in the page before.
    var link: String?
  }

  /// The next step of a run.
  enum Step: Sendable, Equatable {
    case ask(Request)
    /// Nothing is asked until a page that is under way has arrived.
    case wait
    /// All pages have been asked for.
    case finished
    /// A page has failed. Nothing more is asked.
    case failed
  }

  private let paging: FeedRequests.Paging
  /// Whether all rows are in the elements of one list, which can be counted.
  private let countsElements: Bool

  // The states of pages. A page is in at most one of these.
  private var answered: [Int: Page] = [:]
  private var underWay: Set<Int> = []
  private var failed: Set<Int> = []

  /// The first page that does not exist, or nil until the end is known.
  private var end: Int?
  /// All pages before this one are answered.
  private var following = 1
  /// Whether some pages are from an earlier run.
  private var isResumed = false
  /// The first and the last total that the server named.
  private var total: (first: Int, last: Int)?
  /// The start of each page that follows an answered one. Used with offsets, if there is no total.
  private var starts: [Int: Int] = [:]
  /// All links to next pages.
  private var links: Set<String> = []

  init(_ paging: FeedRequests.Paging, countsElements: Bool) {
    self.paging = paging
    self.countsElements = countsElements
  }

  /// Continues from the pages that an earlier run kept. A page is used if it answers the request
  /// that would be sent for it now.
  mutating func resume(from kept: [Int: Page], isAnswered: (Request) -> Bool) {
    // The earlier run may have been interrupted after it started over. Then these are pages of two
    // lists.
    guard Set(kept.values.compactMap(\.total)).count <= 1 else { return }
    for (number, page) in kept.sorted(by: { $0.key < $1.key }) {
      // A chain continues from its last link.
      if number > 1, isLinked, answered[number - 1]?.link == nil { break }
      if number > 1, countsOffsets, answered[number - 1] == nil { break }
      if isAnswered(request(number)), flaw(of: page, number) == nil { note(page, number) }
    }
    isResumed = !answered.isEmpty
  }

  /// Returns the next step. A page that is asked for is under way from then on.
  mutating func next() -> Step {
    guard failed.isEmpty else { return .failed }
    while answered[following] != nil { following += 1 }
    var number = following
    while answered[number] != nil || underWay.contains(number) { number += 1 }
    // One page after the limit may be asked for, to see that it does not exist.
    guard number < end ?? .max, number <= paging.most + 1 else {
      return underWay.isEmpty ? .finished : .wait
    }
    // A page that may not exist waits for those that are under way.
    if !underWay.isEmpty, isChain || number > pageCount ?? .max { return .wait }
    underWay.insert(number)
    return .ask(request(number))
  }

  /// Notes the answer to a page. Throws if the list cannot be followed beyond it.
  mutating func take(_ page: Page, number: Int) throws(PagingFault) {
    underWay.remove(number)
    if isResumed, let now = page.total, let before = total?.last, now != before {
      startOver()
      // The link to this page came from a page that is gone.
      if isLinked { return }
    }
    if let flaw = flaw(of: page, number) { throw flaw }
    note(page, number)
  }

  /// Notes that a page has failed for good.
  mutating func fail(_ number: Int) {
    underWay.remove(number)
    failed.insert(number)
  }

  /// Forgets all answers.
  private mutating func startOver() {
    let (underWay, failed) = (underWay, failed)
    self = PageList(paging, countsElements: countsElements)
    self.underWay = underWay
    self.failed = failed
  }

  // MARK: The list as far as it is known

  /// The number of pages, or nil while it is unknown.
  var count: Int? { pageCount ?? end.map { $0 - 1 } }

  /// The number of answered pages before the end.
  var done: Int { end.map { end in answered.keys.count { $0 < end } } ?? answered.count }

  /// Whether the end of the list is known.
  var hasEnd: Bool { end != nil }

  /// The pages that failed.
  var missing: [Int] { failed.sorted() }

  /// The answered pages before the end, in order.
  var numbers: [Int] { answered.keys.filter { $0 < end ?? .max }.sorted() }

  /// Whether a page is answered and its answer belongs to this list.
  func uses(_ number: Int) -> Bool { answered[number] != nil }

  /// A reason to doubt a list that was read to its end, or nil if there is none.
  var doubt: ListDoubt? {
    guard hasEnd, let total else { return nil }
    if total.first != total.last { return .changed(first: total.first, last: total.last) }
    guard countsElements else { return nil }
    let pages = numbers.compactMap { answered[$0] }
    let came = pages.reduce(0) { $0 + $1.elements }
    // Some servers group the rows that they count.
    let isRight = [came, pages.reduce(0) { $0 + $1.records }].contains(total.last)
    return isRight ? nil : .count(said: total.last, came: came)
  }

  // MARK: Where pages begin

  /// Whether each page is linked from the one before.
  private var isLinked: Bool { paging.way == .link }

  /// Whether a page begins at the end of the one before, whatever size was asked for. Without a
  /// total, a short page would otherwise leave elements out unnoticed.
  private var countsOffsets: Bool {
    guard case .offset = paging.way else { return false }
    return countsElements && total == nil && !isWrapped
  }

  /// Whether all rows of a page are in its only element. Then elements do not count rows.
  private var isWrapped: Bool {
    guard paging.size > 1, let first = answered[1] else { return false }
    return first.elements == 1 && first.records > 1
  }

  /// Whether the request for a page depends on the answer before.
  private var isChain: Bool { isLinked || countsOffsets }

  private func start(of number: Int) -> Int { starts[number] ?? (number - 1) * paging.size }

  private func request(_ number: Int) -> Request {
    Request(number: number, start: start(of: number), link: answered[number - 1]?.link?.url)
  }

  /// The number of pages according to the total.
  private var pageCount: Int? { total.map { Self.pages(of: $0.last, each: paging.size) } }

  private static func pages(of rows: Int, each size: Int) -> Int { max(1, (rows - 1) / size + 1) }

  // MARK: Reading a page

  private mutating func note(_ page: Page, _ number: Int) {
    answered[number] = page
    if let rows = page.total { total = (total?.first ?? rows, rows) }
    if countsOffsets { starts[number + 1] = start(of: number) + length(of: page) }
    if isEnd(page, number) {
      let first = page.elements == 0 ? number : emptyTwin(of: page, number)
      end = min(end ?? .max, first ?? number + 1)
    }
    if let link = page.link { links.insert(link.url) }
  }

  /// The number of elements that the next offset skips for a page: its own number. An empty page
  /// that is not the end counts as the largest page.
  private func length(of page: Page) -> Int {
    if page.elements > 0 { return page.elements }
    let most = answered.values.reduce(0) { max($0, $1.elements) }
    return most > 0 ? most : paging.size
  }

  /// Whether the list ends with a page, or before it.
  private func isEnd(_ page: Page, _ number: Int) -> Bool {
    guard page.link == nil else { return false }
    if isLinked { return true }
    let isEmpty = page.elements == 0 || emptyTwin(of: page, number) != nil
    return (isEmpty || !links.isEmpty) && number >= pageCount ?? 0
  }

  /// The first of two equal neighbours that have one element without rows, or nil if there is no
  /// such pair. A list that is wrapped in one element ends there.
  private func emptyTwin(of page: Page, _ number: Int) -> Int? {
    guard paging.size > 1, page.elements == 1, page.records == 0 else { return nil }
    return twin(of: page, number).map { min($0, number) }
  }

  /// A neighbour with the same bytes.
  private func twin(of page: Page, _ number: Int) -> Int? {
    [number - 1, number + 1].first { answered[$0]?.fingerprint == page.fingerprint }
  }

  // MARK: Errors

  /// Why the list cannot be followed beyond a page, or nil if it can.
  private func flaw(of page: Page, _ number: Int) -> PagingFault? {
    if page.elements > 0, twin(of: page, number) != nil, emptyTwin(of: page, number) == nil {
      return .same
    }
    if number > paging.most, page.elements > 0 || !isEnd(page, number) {
      return .tooMany(limit: paging.most)
    }
    if let rows = misfit(of: page, number) { return .pageSize(rows: rows) }
    return isLinked ? linkFlaw(of: page, number) : nil
  }

  private func linkFlaw(of page: Page, _ number: Int) -> PagingFault? {
    guard let link = page.link else {
      guard let rows = page.total ?? total?.last, let size = linkedSize(with: page),
        number < Self.pages(of: rows, each: size)
      else { return nil }
      return .unlinked(total: rows)
    }
    switch link.target {
    case .otherServer: return .elsewhere(link.url)
    case .firstPage: return .repeated(link.url)
    case .page: return links.contains(link.url) ? .repeated(link.url) : nil
    }
  }

  /// The number of elements of a linked page, which the server chooses, or nil if it cannot be
  /// known.
  private func linkedSize(with page: Page) -> Int? {
    guard countsElements else { return paging.sizeParameter == nil ? nil : paging.size }
    // The total may count elements, or the rows in them.
    let most = answered.values.reduce(max(page.elements, page.records)) {
      max($0, $1.elements, $1.records)
    }
    return most > 0 ? most : paging.size
  }

  /// The number of elements of a page that does not fit, or nil if the page fits. With offsets and
  /// a total, a page that is not the last must have the size that the next offset assumes.
  private func misfit(of page: Page, _ number: Int) -> Int? {
    guard case .offset = paging.way, countsElements, page.elements > 0,
      let total = page.total ?? total?.last
    else { return nil }
    let (size, start) = (paging.size, start(of: number))
    // Some servers group the rows that they count.
    let fits = [page.elements, page.records].contains { count in
      count == size || count < size && total <= start + count
    }
    return fits ? nil : page.elements
  }
}

/// Asks for a list page by page. Combines a ``PageList`` with the URLs and the answers of its
/// pages.
struct PageQueue: RequestQueue {
  private let plan: PagePlan
  private var list: PageList
  /// The answers by the numbers of their pages. The list decides which of them it uses.
  private var answers: [Int: KeptAnswer] = [:]

  /// Resumes from the kept answers. Their keys are the names of their files.
  init(_ plan: PagePlan, kept: [String: KeptAnswer]) {
    self.plan = plan
    list = PageList(plan.paging, countsElements: plan.countsElements)
    for (name, answer) in kept {
      if let number = PagePlan.number(name) { answers[number] = answer }
    }
    list.resume(from: answers.mapValues(plan.page)) { [answers] request in
      answers[request.number]?.facts.asked == plan.request(request).url.shown
    }
  }

  mutating func next() -> PlannedRequest? {
    guard case .ask(let request) = list.next() else { return nil }
    return plan.request(request)
  }

  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) throws(PipelineError) {
    guard case .page(let number) = request.name else { return }
    do throws(PagingFault) {
      try list.take(plan.page(answer), number: number)
    } catch {
      throw PipelineError(.source(.paging(error)))
    }
    answers[number] = answer
  }

  mutating func fail(_ request: PlannedRequest, _ error: PipelineError) {
    if case .page(let number) = request.name { list.fail(number) }
  }

  /// Whether a file's answer is one of the list's pages.
  func uses(_ file: String) -> Bool { PagePlan.number(file).map(list.uses) ?? false }

  var count: Int? { list.count }
  var done: Int { list.done }
  var isComplete: Bool { list.hasEnd }
  var missing: [RequestName] { list.missing.map { .page($0) } }
  var doubt: ListDoubt? { list.doubt }

  var document: JoinedDocument {
    JoinedDocument(
      parts: list.numbers.compactMap { number in
        answers[number].map { answer in
          JoinedDocument.Part(role: .element(["page": .number(number)]), answer: answer)
        }
      })
  }
}

/// Makes the requests for the pages of a list.
struct PagePlan: Sendable {
  let base: String
  let paging: FeedRequests.Paging
  let maker: RequestURLMaker
  /// Further parameters of every page: the searched term.
  let more: [(name: String, value: String)]
  /// Whether all rows are in the elements of one list, which can be counted.
  var countsElements = true

  /// Whether each page is linked from the one before.
  private var isLinked: Bool { paging.way == .link }

  /// Returns the name of a page's file. The names sort like the numbers of the pages.
  static func file(_ number: Int) -> String {
    let digits = String(number)
    return "page-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
  }

  /// Returns the number of a page from the name of its file, or nil if it is another file.
  static func number(_ file: String) -> Int? {
    guard file.hasPrefix("page-"), let number = Int(file.dropFirst(5)), number > 0,
      self.file(number) == file
    else { return nil }
    return number
  }

  /// Returns the request for a page.
  func request(_ page: PageList.Request) -> PlannedRequest {
    PlannedRequest(name: .page(page.number), file: Self.file(page.number), url: url(page))
  }

  /// Returns the facts of an answer that the list depends on.
  func page(_ answer: KeptAnswer) -> PageList.Page {
    let facts = answer.facts
    return PageList.Page(
      elements: facts.elements, records: facts.records, total: facts.total,
      link: facts.next.map { PageList.Link(url: $0, target: target(of: $0)) },
      fingerprint: answer.fingerprint)
  }

  private func url(_ page: PageList.Request) -> RequestURL {
    if isLinked, let link = page.link { return linked(link) }
    var parameters: [(name: String, value: String)] = []
    switch paging.way {
    case .page(let parameter, let first):
      parameters = [(parameter, "\(first + page.number - 1)")]
    case .offset(let parameter, let first):
      parameters = [(parameter, "\(first + page.start)")]
    case .link: break
    }
    if let parameter = paging.sizeParameter { parameters.append((parameter, "\(paging.size)")) }
    return maker.url(base, more: parameters + more)
  }

  /// Returns the target of a link, with the secrets that are not kept in it.
  private func linked(_ link: String) -> RequestURL {
    var text = link
    // The link has no userinfo. The caller's is used for all pages.
    if let userinfo = URLParts(maker.atMirror(base))?.userinfo, let parts = URLParts(link) {
      text = "\(parts.prefix)\(userinfo)@\(parts.server)\(parts.rest)"
    }
    var url = RequestURL(link: text, hiding: maker.secrets)
    for parameter in maker.parameters where !parameter.value.variables.isEmpty {
      maker.add(parameter, [:], to: &url)
    }
    return url
  }

  private func target(of link: String) -> PageList.Link.Target {
    guard isLinked else { return .page }
    guard isOnOwnServer(link) else { return .otherServer }
    // Of a link the parameters are shown, of the document's URL they are not.
    return linked(link).real == url(PageList.Request(number: 1, start: 0)).real
      ? .firstPage : .page
  }

  /// Returns whether a link leads to the server of the list.
  private func isOnOwnServer(_ link: String) -> Bool {
    do throws(PipelineError) {
      return try HTTPAddress(link).origin == HTTPAddress(maker.atMirror(base)).origin
    } catch {
      return false
    }
  }
}
