/// The order of the stages from an input to the tokens of its feed.
///
///     Source ─▶ form? ─▶ Envelope ─▶ Base64 ─▶ form? ─▶ Unzip ─▶ ∥ ─▶ JSON ─▶ Normalizer ─▶ outputs
///                 │                    ▲         │        ▲             ▲           ▲
///                 ├──── base64 ────────┘         └─ JSON ─┼─────────────┤           │
///                 ├──── zip ──────────────────────────────┘             │           │
///                 ├──── JSON ───────────────────────────────────────────┘           │
///                 └──── CSV ──▶ rows as objects ────────────────────────────────────┘
///
/// `Rows` takes the tokens of the feed's JSON. At ∥ a second thread may take over: what comes out
/// of an archive is much more than what goes in, and all the work is behind it.
package typealias InputStage<Rows: TokenStage & ~Copyable> = FormRouter<InputRoutes<Rows>>

/// What the stages between source and records are told.
package struct DecodingOptions {
  /// The JSON object around the payload, where the feed has one.
  var envelope: Envelope?
  var unzip = UnzipOptions()
  /// The names that a table's first line may have; nil where any will do.
  var columns: [String]?
  /// When a second thread takes over.
  var offload = OffloadRule.standard
  /// Hears what forms were met.
  var forms: FormsSeen?
  /// Hears what can be known of an envelope's payload.
  var payload: PayloadFacts?
}

extension ByteSource where Self: ~Copyable {
  /// Reads to the end and pushes the tokens of the feed's JSON into `rows`, which it finishes.
  consuming func push<Rows: TokenStage & ~Copyable>(
    into rows: consuming Rows, options: DecodingOptions, _ watch: Watch = Watch(), tally: Tally
  ) throws(PipelineError) {
    let offloading = Offloading(options.offload, tally: tally)
    do throws(PipelineError) {
      let routes = InputRoutes(into: rows, options: options, offloading, tally: tally)
      if watch.isWanted {
        try push(into: WatchedStage(into: InputStage(routes), watch, tally: tally), tally: tally)
      } else {
        try push(into: InputStage(routes), tally: tally)
      }
    } catch {
      throw offloading.settle(error)
    }
  }
}

/// Where an input goes, by its form.
package struct InputRoutes<Rows: TokenStage & ~Copyable>: FormRoutes, ~Copyable {
  typealias Text = Base64Decoder<FormRouter<ContentRoutes<Rows>>>

  private let options: DecodingOptions
  private let tally: Tally
  private var content: ContentRoutes<Rows>?
  private var text: Text?
  private var answer: Tokenizer<EnvelopeReader<PayloadTap<Text>>>?

  /// Makes the routes; without an `offloading` there is one thread.
  package init(
    into rows: consuming Rows, options: DecodingOptions, _ offloading: Offloading? = nil,
    tally: Tally
  ) {
    content = ContentRoutes(into: rows, options: options, offloading, tally: tally)
    self.options = options
    self.tally = tally
  }

  package mutating func open(_ form: Form) throws(PipelineError) {
    switch form {
    case .zip, .array, .csv: try content?.open(form)
    case .base64:
      guard var content = content.take() else { return }
      content.around = [.base64]
      text = Base64Decoder(into: FormRouter(content), tally: tally)
    case .object:
      guard let envelope = options.envelope, var content = content.take() else {
        try content?.open(form)
        return
      }
      content.around = [.envelope, .base64]
      let text = Base64Decoder(into: FormRouter(content), tally: tally)
      let tap = PayloadTap(into: text, facts: options.payload)
      answer = Tokenizer(
        into: EnvelopeReader(envelope, into: tap, facts: options.payload, tally: tally),
        as: .envelope, tally: tally)
    }
  }

  package func refusal(_ looksLike: String?, _ start: UnsafeRawBufferPointer) -> PipelineError {
    if looksLike == nil, start.allSatisfy(Form.isSpace) {
      return PipelineError(.source(.empty), at: 0)
    }
    return PipelineError(
      .source(.unknownForm(looksLike: looksLike, start: Array(start))), at: 0)
  }

  package mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try content?.write(bytes)
    try text?.write(bytes)
    try answer?.write(bytes)
  }

  package consuming func finish() throws(PipelineError) {
    try content.take()?.finish()
    try text.take()?.finish()
    try answer.take()?.finish()
  }
}

/// Where JSON and archives go, which may come as they are or out of base64 text.
struct ContentRoutes<Rows: TokenStage & ~Copyable>: FormRoutes, ~Copyable {
  private let options: DecodingOptions
  private let offloading: Offloading?
  private let tally: Tally
  /// The layers around this content, known to be there once it is.
  var around: [FormsSeen.Layer] = []
  private var rows: Rows?
  private var table: Tokenizer<Rows>?
  private var archive: Unzipper<Offload<Tokenizer<Rows>>>?
  private var sheet: CSVReader<Rows>?

  init(
    into rows: consuming Rows, options: DecodingOptions, _ offloading: Offloading?, tally: Tally
  ) {
    self.rows = consume rows
    self.options = options
    self.offloading = offloading
    self.tally = tally
  }

  mutating func open(_ form: Form) throws(PipelineError) {
    guard let rows = rows.take() else { return }
    switch form {
    case .object, .array:
      options.forms?.note(around + [.json])
      table = Tokenizer(into: rows, tally: tally)
    case .zip:
      options.forms?.note(around + [.zip])
      archive = Unzipper(
        into: Offload(into: Tokenizer(into: rows, tally: tally), offloading),
        options: options.unzip, tally: tally)
    case .csv:
      options.forms?.note(around + [.csv])
      sheet = CSVReader(into: rows, known: options.columns, tally: tally)
    case .base64:
      throw PipelineError(.unzip(.notContent(looksLike: "base64", start: [])), at: 0)
    }
  }

  func refusal(_ looksLike: String?, _ start: UnsafeRawBufferPointer) -> PipelineError {
    PipelineError(.unzip(.notContent(looksLike: looksLike, start: Array(start))), at: 0)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try table?.write(bytes)
    try archive?.write(bytes)
    try sheet?.write(bytes)
  }

  consuming func finish() throws(PipelineError) {
    try table.take()?.finish()
    try archive.take()?.finish()
    try sheet.take()?.finish()
  }
}
