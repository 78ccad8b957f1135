/// The stages of a feed without its outputs: what is wrong with an answer is told when it comes.
typealias AnswerCheck = FormRouter<AnswerRoutes>

extension AnswerCheck {
  /// Checks an answer as one of a feed, whose records are counted table by table, and of which no more
  /// than the limit says may be refused; without a feed, as JSON.
  init(_ feed: Feed?, _ counts: [Tally], limit: RejectLimit, status: Envelope.Test?) {
    var branches: [TokenBranch<Normalizer<FanOut>>] = []
    if let feed {
      let options = NormalizerOptions(limit: limit)
      for (table, tally) in zip(feed.allTables, counts) {
        branches.append(
          TokenBranch(
            Normalizer(feed.only(table), options: options, into: FanOut([]), tally: tally)))
      }
    }
    self.init(AnswerRoutes(into: StatusCheck(status, into: TokenFanOut(branches))))
  }
}

/// Where an answer goes, by its form: it has to be a JSON object or array.
struct AnswerRoutes: FormRoutes, ~Copyable {
  private var tokenizer: Tokenizer<StatusCheck<TokenFanOut<Normalizer<FanOut>>>>

  init(into rows: consuming StatusCheck<TokenFanOut<Normalizer<FanOut>>>) {
    tokenizer = Tokenizer(into: rows, tally: Tally())
  }

  mutating func open(_ form: Form) throws(PipelineError) {
    switch form {
    case .object, .array: break
    case .zip, .base64, .csv: throw PipelineError(.source(.notJSON(form)), at: 0)
    }
  }

  func refusal(_ looksLike: String?, _ start: UnsafeRawBufferPointer) -> PipelineError {
    if looksLike == nil, start.allSatisfy(Form.isSpace) {
      return PipelineError(.source(.empty), at: 0)
    }
    return PipelineError(
      .source(.unknownForm(looksLike: looksLike, start: Array(start))), at: 0)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) { try tokenizer.write(bytes) }

  consuming func finish() throws(PipelineError) { try tokenizer.finish() }
}
