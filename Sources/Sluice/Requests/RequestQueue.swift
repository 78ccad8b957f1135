/// Says what is to be asked next: the plan of one run.
///
/// It is made with what is kept from before. Workers take requests out of it and tell it what became
/// of them, in any order; never two at once.
protocol RequestQueue: Sendable {
  /// How many requests the document consists of; nil while nobody knows.
  var count: Int? { get }
  /// How many of them have been answered, those from before included.
  var done: Int { get }
  /// Takes the next request; nil where there is none now. Whoever is told so asks no more, and
  /// whoever tells an answer asks again.
  mutating func next() -> PlannedRequest?
  /// Hears of an answer, which has been checked and is kept. Throws where the plan cannot go on.
  mutating func take(_ answer: KeptAnswer, of request: PlannedRequest) throws(PipelineError)
  /// Hears that a request has failed for good.
  mutating func fail(_ request: PlannedRequest, _ error: PipelineError)
  /// Whether nothing more is to be asked in this run, also not for another try.
  var isOver: Bool { get }
  /// Whether the document is whole.
  var isComplete: Bool { get }
  /// What is known to be missing of it, in order.
  var missing: [RequestName] { get }
  /// What is doubtful about a list that was read to its end; nil where nothing is known to be.
  var doubt: ListDoubt? { get }
  /// How old the rows are that stand in for what is missing, in seconds; nothing where there are
  /// none.
  var ages: [RequestName: Int] { get }
  /// The document, once nothing is missing, or as far as it goes.
  var document: JoinedDocument { get }
}

extension RequestQueue {
  var isOver: Bool { false }
  var isComplete: Bool { missing.isEmpty }
  var doubt: ListDoubt? { nil }
  var ages: [RequestName: Int] { [:] }
}
