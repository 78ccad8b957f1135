import Sluice

/// Decides which request is sent next, in one run.
///
/// It is made with the answers that earlier runs kept. Workers take requests from it and report
/// their results, in any order, but never two at once.
protocol RequestQueue: Sendable {
  /// The number of requests that make up the document, or nil while it is unknown.
  var count: Int? { get }
  /// The number of them that are answered, in this run or an earlier one.
  var done: Int { get }
  /// Returns the next request, or nil if there is none now. A worker that gets nil ends. A worker
  /// that reports an answer calls again.
  mutating func next() -> PlannedRequest?
  /// Notes an answer that was checked and is kept. Throws if the run cannot continue from it.
  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) throws(PipelineError)
  /// Notes that a request has failed for good.
  mutating func fail(_ request: PlannedRequest, _ error: PipelineError)
  /// Whether nothing more is asked in this run, not even as a retry.
  var isOver: Bool { get }
  /// Whether the document is complete.
  var isComplete: Bool { get }
  /// The known requests without an answer, in order.
  var missing: [RequestName] { get }
  /// A reason to doubt a list that was read to its end, or nil if there is none.
  var doubt: ListDoubt? { get }
  /// The ages of the old rows that replace missing ones, in seconds.
  var ages: [RequestName: Int] { get }
  /// The document of the answers so far.
  var document: JoinedDocument { get }
}

extension RequestQueue {
  var isOver: Bool { false }
  var isComplete: Bool { missing.isEmpty }
  var doubt: ListDoubt? { nil }
  var ages: [RequestName: Int] { [:] }
}

/// One request of a queue.
struct PlannedRequest: Sendable, Equatable {
  /// Its name in messages.
  var name: RequestName
  /// The name of its answer's file.
  var file: String
  var url: RequestURL
  /// The number of records in its kept answer. If there are any, an answer without records does not
  /// replace it.
  var recordsBefore = 0
}

/// Asks each request of a fixed list once: several URLs, or only one.
struct NamedQueue: RequestQueue {
  private let requests: [(request: PlannedRequest, role: JoinedDocument.Role)]
  private var answers: [String: KeptAnswer]
  private var following = 0
  private(set) var isOver = false

  /// Makes a queue of requests in the order of the document, with the roles of their answers. The
  /// keys of the kept answers are the names of their files.
  init(
    _ requests: [(request: PlannedRequest, role: JoinedDocument.Role)],
    kept answers: [String: KeptAnswer]
  ) {
    self.requests = requests
    self.answers = [:]
    for request in requests.map(\.request) {
      if let answer = answers[request.file], answer.facts.asked == request.url.shown {
        self.answers[request.file] = answer
      }
    }
  }

  var count: Int? { requests.count }
  var done: Int { answers.count }

  mutating func next() -> PlannedRequest? {
    while following < requests.count, !isOver {
      let request = requests[following].request
      following += 1
      if answers[request.file] == nil { return request }
    }
    return nil
  }

  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) {
    answers[request.file] = answer
  }

  mutating func fail(_ request: PlannedRequest, _ error: PipelineError) {
    if error.concernsServer { isOver = true }
  }

  var missing: [RequestName] {
    requests.filter { answers[$0.request.file] == nil }.map(\.request.name)
  }

  var document: JoinedDocument {
    JoinedDocument(
      parts: requests.compactMap { request, role in
        answers[request.file].map { JoinedDocument.Part(role: role, answer: $0) }
      })
  }
}

/// Asks for the items of a list whose answers are missing or too old, in the list's order.
struct ItemQueue: RequestQueue {
  /// An item and its request.
  struct Item: Sendable {
    var request: PlannedRequest
    var name: String
  }

  private let items: [Item]
  /// The key of an item's name in its request's data.
  private let member: String
  private let now: Int
  /// The good answers, and below those that are too old, by the names of their files.
  private var answers: [String: KeptAnswer]
  private let old: [String: KeptAnswer]
  private var following = 0
  /// Whether the server is unreachable or refuses, so that the next request would fail too.
  private(set) var isOver = false
  /// The number of requests in a row that got no whole answer from a server that accepts
  /// connections, or that were forbidden while no other was answered. Every other failure concerns
  /// one item.
  private var broken = 0
  /// The value of `broken` that ends a run. Each request may take minutes, with all its retries.
  private static let mostBroken = 2
  private let acceptsEmpty: Bool

  /// Makes a queue of items, in order. The kept answers are good for `maxAge` seconds.
  ///
  /// An answer without records replaces one that has some only if `acceptsEmpty` is true.
  init(
    _ items: [Item], as member: String, kept answers: [String: KeptAnswer], maxAge: Int, now: Int,
    acceptsEmpty: Bool = false
  ) {
    self.acceptsEmpty = acceptsEmpty
    self.items = items
    self.member = member
    self.now = now
    // An answer from the future counts as too old: the clock was set back.
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

  /// The good answers, and old ones with their age.
  var document: JoinedDocument {
    JoinedDocument(
      parts: items.compactMap { item in
        var known: [String: JoinedDocument.Known] = [member: .text(item.name)]
        if let answer = answers[item.request.file] {
          return JoinedDocument.Part(role: .element(known), answer: answer)
        }
        guard let answer = old[item.request.file], let age = age(item) else { return nil }
        known[Joined.age] = .number(age)
        return JoinedDocument.Part(role: .element(known), answer: answer)
      })
  }
}
