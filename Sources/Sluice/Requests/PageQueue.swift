/// Asks for a list page by page, to its end.
///
///     1 2 3 … 136 138    kept from a run that broke off at page 137
///                        asked: 137, 139, 140 …
///
/// The end is a page without rows, unless the server says that there are more; also a page without
/// a link to the next where others have one. So far as the server says how many rows there are, no
/// page is asked for that cannot be there. Where it says another number than when the kept pages
/// came, rows have moved from page to page, and all is asked anew.
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
  private var total: ListChange?
  /// The links to next pages so far.
  private var links: Set<String> = []

  /// Takes the answers that are kept, by the names of their files, and the pages that are under way.
  init(_ plan: PagePlan, kept: [String: KeptAnswer], asked: Set<Int> = []) {
    self.plan = plan
    self.asked = asked
    let pages = kept.compactMap { name, answer in PagePlan.number(name).map { ($0, answer) } }
      .sorted { $0.0 < $1.0 }
    for (number, answer) in pages {
      // A chain is gone on with from where it leads on.
      if plan.isLinked, number > 1, answers[number - 1]?.facts.next == nil { break }
      let request = plan.request(number, link: answers[number - 1]?.facts.next)
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
    if !asked.isEmpty, plan.isLinked || number > pages ?? .max { return nil }
    // One more may be asked, to see that it is not there.
    guard number <= plan.paging.most + 1 else { return nil }
    asked.insert(number)
    return plan.request(number, link: answers[number - 1]?.facts.next)
  }

  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) throws(PipelineError) {
    guard case .page(let number) = request.name else { return }
    asked.remove(number)
    if let now = answer.facts.total, let before = total?.last, now != before, !old.isEmpty {
      self = PageQueue(plan, kept: [:], asked: asked)
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

  var isComplete: Bool { end != nil }

  var missing: [RequestName] { failed.sorted().map { .page($0) } }

  var document: JoinedDocument {
    JoinedDocument(
      parts: answers.filter { $0.key < end ?? .max }.sorted { $0.key < $1.key }.map { page in
        JoinedDocument.Part(place: .element(["page": .number(page.key)]), answer: page.value)
      })
  }

  var change: ListChange? { total.flatMap { $0.first == $0.last ? nil : $0 } }

  // MARK: What pages tell

  /// How many pages there are, as far as the server says so.
  private var pages: Int? {
    total.map { max(1, ($0.last + plan.paging.size - 1) / plan.paging.size) }
  }

  /// Takes what a page tells of the list.
  private mutating func note(_ answer: KeptAnswer, _ number: Int) {
    answers[number] = answer
    if let rows = answer.facts.total {
      total = ListChange(first: total?.first ?? rows, last: rows)
    }
    if isEnd(answer, number) {
      end = min(end ?? .max, answer.facts.records == 0 ? number : number + 1)
    }
    if let link = answer.facts.next { links.insert(link) }
  }

  /// Whether the list ends with a page, or before it.
  private func isEnd(_ answer: KeptAnswer, _ number: Int) -> Bool {
    answer.facts.records == 0
      ? plan.isLinked || number >= pages ?? 0
      : answer.facts.next == nil && (plan.isLinked || !links.isEmpty)
  }

  /// What keeps the list from being followed beyond a page.
  private func flaw(of answer: KeptAnswer, _ number: Int) -> PagingFault? {
    for other in [number - 1, number + 1] {
      if answer.facts.records > 0, answers[other]?.fingerprint == answer.fingerprint {
        return .same
      }
    }
    if number > plan.paging.most, answer.facts.records > 0 || !isEnd(answer, number) {
      return .tooMany(limit: plan.paging.most)
    }
    guard plan.isLinked, let link = answer.facts.next else { return nil }
    guard plan.isOwn(link) else { return .elsewhere(link) }
    return links.contains(link) || plan.isFirst(link) ? .repeated(link) : nil
  }
}
