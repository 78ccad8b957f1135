/// Asks a fixed list of requests, each once: those of several URLs.
struct NamedQueue: RequestQueue {
  private let requests: [(request: PlannedRequest, place: JoinedDocument.Place)]
  private var answers: [String: KeptAnswer]
  private var following = 0
  private(set) var isOver = false

  /// Takes the requests in the order of the document, with the places of their answers, and the
  /// answers that are kept, by the names of their files.
  init(
    _ requests: [(request: PlannedRequest, place: JoinedDocument.Place)],
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
      parts: requests.compactMap { request, place in
        answers[request.file].map { JoinedDocument.Part(place: place, answer: $0) }
      })
  }
}
