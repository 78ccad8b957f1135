import Sluice

/// Asks for a list page by page, to its end.
///
///     1 2 3 … 136 138    kept from a run that broke off at page 137
///                        asked: 137, 139, 140 …
///
/// What is counted are the elements of the list, be there rows in them or not. The end is a page
/// without any, or without a link to the next where others have one, unless the server says that
/// there are more: by a link, or by a number, and then a link may be missing. So far as the server
/// says how many there are, no page is asked for that cannot be there. Where it says another number
/// than when the kept pages came, rows have moved from page to page, and all is asked anew; so it is
/// where kept pages name several numbers.
struct PageQueue: RequestQueue {
  private let plan: PagePlan
  private var answers: [Int: KeptAnswer] = [:]
  /// The pages that are from a run before.
  private var old: Set<Int> = []
  /// The pages that are under way.
  private var asked: Set<Int> = []
  private var failed: Set<Int> = []
  /// The first page that there is not.
  private var end: Int?
  /// No page before this one is left to be asked.
  private var following = 1
  /// How many rows there are, as the server said first and last.
  private var total: (first: Int, last: Int)?
  /// By offset, where a page begins that follows one without a total, in elements from the first:
  /// behind those that came.
  private var starts: [Int: Int] = [:]
  /// The links to next pages so far.
  private var links: Set<String> = []

  /// Takes the answers that are kept, by the names of their files, and the pages that are under way.
  init(_ plan: PagePlan, kept: [String: KeptAnswer], asked: Set<Int> = []) {
    self.plan = plan
    self.asked = asked
    let pages = kept.compactMap { name, answer in PagePlan.number(name).map { ($0, answer) } }
      .sorted { $0.0 < $1.0 }
    // A run may have broken off after it began anew: what it left are pages of two lists.
    guard Set(pages.compactMap { $0.1.facts.total }).count <= 1 else { return }
    for (number, answer) in pages {
      // A chain is gone on with from where it leads on.
      if plan.isLinked, number > 1, answers[number - 1]?.facts.next == nil { break }
      if countsOffsets, number > 1, answers[number - 1] == nil { break }
      let request = request(number)
      if answer.facts.asked != request.url.shown || flaw(of: answer, number) != nil { continue }
      note(answer, number)
    }
    old = Set(answers.keys)
  }

  var count: Int? { pages ?? end.map { $0 - 1 } }

  var done: Int {
    end.map { end in answers.keys.count { $0 < end } } ?? answers.count
  }

  mutating func next() -> PlannedRequest? {
    guard failed.isEmpty else { return nil }
    while answers[following] != nil { following += 1 }
    var number = following
    while answers[number] != nil || asked.contains(number) { number += 1 }
    guard number < end ?? .max else { return nil }
    // Where pages are under way, one that may not be there waits until they tell.
    if !asked.isEmpty, isChain || number > pages ?? .max { return nil }
    // One more may be asked, to see that it is not there.
    guard number <= plan.paging.most + 1 else { return nil }
    asked.insert(number)
    return request(number)
  }

  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) throws(PipelineError) {
    guard case .page(let number) = request.name else { return }
    asked.remove(number)
    if let now = answer.facts.total, let before = total?.last, now != before, !old.isEmpty {
      let failed = failed
      self = PageQueue(plan, kept: [:], asked: asked)
      self.failed = failed
      // The link came from a page that is not there any more.
      if plan.isLinked { return }
    }
    if let fault = flaw(of: answer, number) { throw PipelineError(.source(.paging(fault))) }
    note(answer, number)
  }

  mutating func fail(_ request: PlannedRequest, _ error: PipelineError) {
    guard case .page(let number) = request.name else { return }
    asked.remove(number)
    failed.insert(number)
  }

  /// Whether a file's answer is one of the list's pages.
  func uses(_ file: String) -> Bool {
    PagePlan.number(file).map { answers[$0] != nil } ?? false
  }

  var isComplete: Bool { end != nil }

  var missing: [RequestName] { failed.sorted().map { .page($0) } }

  var document: JoinedDocument {
    JoinedDocument(
      parts: answers.filter { $0.key < end ?? .max }.sorted { $0.key < $1.key }.map { page in
        JoinedDocument.Part(place: .element(["page": .number(page.key)]), answer: page.value)
      })
  }

  var doubt: ListDoubt? {
    guard isComplete, let total else { return nil }
    if total.first != total.last { return .changed(first: total.first, last: total.last) }
    let pages = answers.filter { $0.key < end ?? .max }.values
    let came = pages.reduce(0) { $0 + $1.facts.elements }
    // Some servers group the rows that they count.
    let isRight = [came, pages.reduce(0) { $0 + $1.facts.records }].contains(total.last)
    return plan.countsElements && !isRight ? .count(said: total.last, came: came) : nil
  }

  // MARK: What pages tell

  /// Where a page begins, in elements from the first.
  private func start(of number: Int) -> Int { starts[number] ?? (number - 1) * plan.paging.size }

  /// A page begins where the one before has ended, whatever was asked for: no total shows what a page
  /// with fewer elements than that would leave out.
  private var countsOffsets: Bool {
    guard case .offset = plan.paging.way else { return false }
    return plan.countsElements && total == nil && !isWrapped
  }

  /// A list of one element with all rows in it is nothing that pages are counted by.
  private var isWrapped: Bool {
    guard plan.paging.size > 1, let first = answers[1]?.facts else { return false }
    return first.elements == 1 && first.records > 1
  }

  /// A page is asked for when the one before is there.
  private var isChain: Bool { plan.isLinked || countsOffsets }

  private func request(_ number: Int) -> PlannedRequest {
    plan.request(number, from: start(of: number), link: answers[number - 1]?.facts.next)
  }

  /// How many pages there are, as far as the server says so.
  private var pages: Int? {
    total.map { Self.pages(of: $0.last, each: plan.paging.size) }
  }

  private static func pages(of rows: Int, each size: Int) -> Int { max(1, (rows - 1) / size + 1) }

  /// Takes what a page tells of the list.
  private mutating func note(_ answer: KeptAnswer, _ number: Int) {
    answers[number] = answer
    if let rows = answer.facts.total {
      total = (total?.first ?? rows, rows)
    }
    if countsOffsets {
      starts[number + 1] = start(of: number) + length(of: answer)
    }
    if isEnd(answer, number) {
      let first = answer.facts.elements == 0 ? number : emptyTwin(of: answer, number)
      end = min(end ?? .max, first ?? number + 1)
    }
    if let link = answer.facts.next { links.insert(link) }
  }

  /// How many elements a page passes over: its own. An empty one that is not the end stands for as
  /// many as the largest has.
  private func length(of answer: KeptAnswer) -> Int {
    if answer.facts.elements > 0 { return answer.facts.elements }
    let most = answers.values.reduce(0) { max($0, $1.facts.elements) }
    return most > 0 ? most : plan.paging.size
  }

  /// Whether the list ends with a page, or before it.
  private func isEnd(_ answer: KeptAnswer, _ number: Int) -> Bool {
    guard answer.facts.next == nil else { return false }
    if plan.isLinked { return true }
    let isEmpty = answer.facts.elements == 0 || emptyTwin(of: answer, number) != nil
    return (isEmpty || !links.isEmpty) && number >= pages ?? 0
  }

  /// The first of two pages side by side that are the same, and have nothing but a list without rows
  /// in their one element: there the list ends that is wrapped so. Nil where there are none.
  private func emptyTwin(of answer: KeptAnswer, _ number: Int) -> Int? {
    guard plan.paging.size > 1, answer.facts.elements == 1, answer.facts.records == 0 else {
      return nil
    }
    return twin(of: answer, number).map { min($0, number) }
  }

  /// A page beside this one that is the same.
  private func twin(of answer: KeptAnswer, _ number: Int) -> Int? {
    [number - 1, number + 1].first { answers[$0]?.fingerprint == answer.fingerprint }
  }

  /// What keeps the list from being followed beyond a page.
  private func flaw(of answer: KeptAnswer, _ number: Int) -> PagingFault? {
    if answer.facts.elements > 0, twin(of: answer, number) != nil,
      emptyTwin(of: answer, number) == nil
    {
      return .same
    }
    if number > plan.paging.most, answer.facts.elements > 0 || !isEnd(answer, number) {
      return .tooMany(limit: plan.paging.most)
    }
    if let rows = misfit(of: answer, number) { return .pageSize(rows: rows) }
    guard plan.isLinked else { return nil }
    guard let link = answer.facts.next else {
      guard let rows = answer.facts.total ?? total?.last, let size = linkedSize(with: answer),
        number < Self.pages(of: rows, each: size)
      else { return nil }
      return .unlinked(total: rows)
    }
    guard plan.isOwn(link) else { return .elsewhere(link) }
    return links.contains(link) || plan.isFirst(link) ? .repeated(link) : nil
  }

  /// How many elements a linked page has: the server's own number, which no offset depends on; nil
  /// where it cannot be known.
  private func linkedSize(with answer: KeptAnswer) -> Int? {
    guard plan.countsElements else {
      return plan.paging.sizeParameter == nil ? nil : plan.paging.size
    }
    // Whether the total is one of elements or of the rows in them is not known.
    let most = answers.values.reduce(max(answer.facts.elements, answer.facts.records)) {
      max($0, $1.facts.elements, $1.facts.records)
    }
    return most > 0 ? most : plan.paging.size
  }

  /// By offset, how many elements a page has that has others than are passed over, and is not the
  /// last, as far as the server says so; nil where there is no such page.
  private func misfit(of answer: KeptAnswer, _ number: Int) -> Int? {
    guard case .offset = plan.paging.way, plan.countsElements, answer.facts.elements > 0,
      let total = answer.facts.total ?? total?.last
    else { return nil }
    let (size, start) = (plan.paging.size, start(of: number))
    // Some servers group the rows that they count.
    let fits = [answer.facts.elements, answer.facts.records].contains { count in
      count == size || count < size && total <= start + count
    }
    return fits ? nil : answer.facts.elements
  }
}

/// Makes the requests for the pages of a list.
struct PagePlan: Sendable {
  let base: String
  let paging: FeedRequests.Paging
  let maker: RequestURLMaker
  /// The parameters of every page besides: the term that is searched for.
  let more: [(name: String, value: String)]
  /// All rows are in the elements of one list: these can be counted.
  var countsElements = true

  /// Every page is linked to by the one before.
  var isLinked: Bool { paging.way == .link }

  /// The file of a page: their names sort as they do.
  static func file(_ number: Int) -> String {
    let digits = String(number)
    return "page-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
  }

  /// The number of a page by its file's name; nil where it is another's.
  static func number(_ file: String) -> Int? {
    guard file.hasPrefix("page-"), let number = Int(file.dropFirst(5)), number > 0,
      self.file(number) == file
    else { return nil }
    return number
  }

  /// The request for a page, counted from 1, that begins behind so many rows; `link` is what the page
  /// before says of it, which counts where pages are linked.
  func request(_ number: Int, from start: Int, link: String?) -> PlannedRequest {
    PlannedRequest(name: .page(number), file: Self.file(number), url: url(number, start, link))
  }

  private func url(_ number: Int, _ start: Int, _ link: String?) -> RequestURL {
    if isLinked, let link { return linked(link) }
    var parameters: [(name: String, value: String)] = []
    switch paging.way {
    case .page(let parameter, let first): parameters = [(parameter, "\(first + number - 1)")]
    case .offset(let parameter, let first):
      parameters = [(parameter, "\(first + start)")]
    case .link: break
    }
    if let parameter = paging.sizeParameter { parameters.append((parameter, "\(paging.size)")) }
    return maker.url(base, more: parameters + more)
  }

  /// The URL that a link leads to, with the secrets that are not kept in it.
  private func linked(_ link: String) -> RequestURL {
    var text = link
    // A server has no userinfo to give; what the caller gave is for all of its pages.
    let own = maker.placed(base)
    if let start = own.firstPlace(of: "://")?.upperBound,
      let at = own[start...].prefix(while: { $0 != "/" && $0 != "?" }).lastIndex(of: "@"),
      let host = text.firstPlace(of: "://")?.upperBound
    {
      text.insert(contentsOf: own[start...at], at: host)
    }
    var url = RequestURL(text, hiding: maker.secrets)
    for parameter in maker.parameters where !parameter.value.variables.isEmpty {
      maker.add(parameter, [:], to: &url)
    }
    return url
  }

  /// Whether a link leads to the first page.
  func isFirst(_ link: String) -> Bool { linked(link) == url(1, 0, nil) }

  /// Whether a link leads to the server that the list is on.
  func isOwn(_ link: String) -> Bool {
    do throws(PipelineError) {
      return try HTTPAddress(link).hasSameOrigin(as: HTTPAddress(maker.placed(base)))
    } catch {
      return false
    }
  }
}
