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
  private var isOver = false

  /// Takes the items in order and the answers that are kept, which are good for so many seconds.
  init(
    _ items: [Item], as member: String, kept answers: [String: KeptAnswer], maxAge: Int, now: Int
  ) {
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
      let request = items[following].request
      following += 1
      if answers[request.file] == nil { return request }
    }
    return nil
  }

  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) {
    answers[request.file] = answer
  }

  mutating func fail(_ request: PlannedRequest, _ error: PipelineError) {
    guard case .source(let fault) = error.fault else { return }
    if fault.concernsServer { isOver = true }
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

extension SourceFault {
  /// It is about the server or the way to it, not about what was asked.
  fileprivate var concernsServer: Bool {
    switch self {
    case .status(let status, _, _): [401, 403, 407, 429, 503].contains(status)
    case .unresolved, .unconnected, .connectTimeout, .certificate, .tls, .libraryMissing: true
    default: false
    }
  }
}
