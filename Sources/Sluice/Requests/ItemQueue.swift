/// Asks for each item of a list whose answer is missing or too old, in the list's order.
struct ItemQueue: RequestQueue {
  /// An item and its request.
  struct Item: Sendable {
    var request: PlannedRequest
    var name: String
  }

  private let items: [Item]
  /// What an item is called in what is known of its request.
  private let member: String
  private let now: Int
  /// The answers that are good, and those that are too old, by the names of their files.
  private var answers: [String: KeptAnswer]
  private let old: [String: KeptAnswer]
  private var following = 0
  /// The server cannot be asked, or does not want to be: the next one would fare no better.
  private(set) var isOver = false
  /// How many requests in a row have met a server that listens and does not answer, or have been
  /// forbidden while no other was answered. All else that is bad is about what was asked.
  private var broken = 0
  /// So many are enough: each may take minutes, with all its tries.
  private static let mostBroken = 2
  private let acceptsEmpty: Bool

  /// Takes the items in order and the answers that are kept, which are good for so many seconds.
  ///
  /// An answer without records takes the place of one that has some only where that is accepted.
  init(
    _ items: [Item], as member: String, kept answers: [String: KeptAnswer], maxAge: Int, now: Int,
    acceptsEmpty: Bool = false
  ) {
    self.acceptsEmpty = acceptsEmpty
    self.items = items
    self.member = member
    self.now = now
    // A clock that went back counts as late.
    let isGood = { (answer: KeptAnswer) in
      (0..<max(0, maxAge)).contains(now - answer.facts.answered)
    }
    self.answers = answers.filter { isGood($0.value) }
    old = answers.filter { !isGood($0.value) }
  }

  var count: Int? { items.count }
  var done: Int { answers.count }

  mutating func next() -> PlannedRequest? {
    while following < items.count, !isOver {
      var request = items[following].request
      following += 1
      guard answers[request.file] == nil else { continue }
      if !acceptsEmpty { request.recordsBefore = old[request.file]?.facts.records ?? 0 }
      return request
    }
    return nil
  }

  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) {
    answers[request.file] = answer
    broken = 0
  }

  mutating func fail(_ request: PlannedRequest, _ error: PipelineError) {
    let isBroken = error.isBrokenServer || error.isForbidden && answers.isEmpty
    broken = isBroken ? broken + 1 : 0
    if error.concernsServer || broken >= Self.mostBroken { isOver = true }
  }

  var missing: [RequestName] {
    items.filter { answers[$0.request.file] == nil }.map(\.request.name)
  }

  /// How old the rows are that stand in for what is missing, in seconds.
  var ages: [RequestName: Int] {
    var ages: [RequestName: Int] = [:]
    for item in items where answers[item.request.file] == nil {
      if let age = age(item) { ages[item.request.name] = age }
    }
    return ages
  }

  private func age(_ item: Item) -> Int? {
    old[item.request.file].map { max(0, now - $0.facts.answered) }
  }

  /// What there is, old answers with their age.
  var document: JoinedDocument {
    JoinedDocument(
      parts: items.compactMap { item in
        var known: [String: JoinedDocument.Known] = [member: .text(item.name)]
        if let answer = answers[item.request.file] {
          return JoinedDocument.Part(place: .element(known), answer: answer)
        }
        guard let answer = old[item.request.file], let age = age(item) else { return nil }
        known[Joined.age] = .number(age)
        return JoinedDocument.Part(place: .element(known), answer: answer)
      })
  }
}
