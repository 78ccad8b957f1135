/// The order of the stages: this file alone knows it.
///
///     Source ─▶ form? ─▶ Envelope ─▶ Base64 ─▶ form? ─▶ Unzip ─▶ JSON ─▶ Normalizer ─▶ outputs
///                 │                    ▲         │        ▲        ▲
///                 ├──── base64 ────────┘         └─ JSON ─┼────────┤
///                 ├──── zip ─────────────────────────────-┘        │
///                 └──── JSON ──────────────────────────────────────┘
///
/// `Rows` takes the tokens of the feed's JSON.
typealias InputStage<Rows: TokenStage & ~Copyable> = FormRouter<InputRoutes<Rows>>

/// What the stages between source and records are told.
struct DecodingOptions {
  /// The JSON object around the payload, where the feed has one.
  var envelope: Envelope?
  var unzip = UnzipOptions()
  /// Hears what forms were met.
  var forms: FormsSeen?
}

/// Where an input goes, by its form.
struct InputRoutes<Rows: TokenStage & ~Copyable>: FormRoutes, ~Copyable {
  typealias Text = Base64Decoder<FormRouter<ContentRoutes<Rows>>>

  private let options: DecodingOptions
  private let tally: Tally
  private var rows: Rows?
  private var table: Tokenizer<Rows>?
  private var archive: Unzipper<Tokenizer<Rows>>?
  private var text: Text?
  private var answer: Tokenizer<EnvelopeReader<Text>>?

  init(into rows: consuming Rows, options: DecodingOptions, tally: Tally) {
    self.rows = consume rows
    self.options = options
    self.tally = tally
  }

  mutating func open(_ form: Form) throws(PipelineError) {
    guard let rows = rows.take() else { return }
    switch form {
    case .zip:
      options.forms?.note(.zip)
      archive = Unzipper(
        into: Tokenizer(into: rows, tally: tally), options: options.unzip, tally: tally)
    case .base64:
      options.forms?.note(.base64)
      text = Self.text(into: rows, options, tally)
    case .object:
      if let envelope = options.envelope {
        let text = Self.text(into: rows, options, tally)
        answer = Tokenizer(
          into: EnvelopeReader(envelope, into: text, tally: tally), as: .envelope, tally: tally)
      } else {
        options.forms?.note(.json)
        table = Tokenizer(into: rows, tally: tally)
      }
    case .array:
      options.forms?.note(.json)
      table = Tokenizer(into: rows, tally: tally)
    }
  }

  private static func text(
    into rows: consuming Rows, _ options: DecodingOptions, _ tally: Tally
  ) -> Text {
    Base64Decoder(
      into: FormRouter(ContentRoutes(into: rows, options: options, tally: tally)), tally: tally)
  }

  func refusal(_ looksLike: String?, _ start: UnsafeRawBufferPointer) -> PipelineError {
    guard !start.allSatisfy({ $0 <= 0x20 }) else { return PipelineError(.source(.empty), at: 0) }
    return PipelineError(
      .source(.unknownForm(looksLike: looksLike, start: Array(start))), at: 0)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    try table?.write(bytes)
    try archive?.write(bytes)
    try text?.write(bytes)
    try answer?.write(bytes)
  }

  consuming func finish() throws(PipelineError) {
    try table.take()?.finish()
    try archive.take()?.finish()
    try text.take()?.finish()
    try answer.take()?.finish()
  }
}

/// Where the content of base64 text goes, by its form.
struct ContentRoutes<Rows: TokenStage & ~Copyable>: FormRoutes, ~Copyable {
  private let options: DecodingOptions
  private let tally: Tally
  private var rows: Rows?
  private var table: Tokenizer<Rows>?
  private var archive: Unzipper<Tokenizer<Rows>>?

  init(into rows: consuming Rows, options: DecodingOptions, tally: Tally) {
    self.rows = consume rows
    self.options = options
    self.tally = tally
  }

  mutating func open(_ form: Form) throws(PipelineError) {
    guard let rows = rows.take() else { return }
    switch form {
    case .object, .array:
      options.forms?.note(.json)
      table = Tokenizer(into: rows, tally: tally)
    case .zip:
      options.forms?.note(.zip)
      archive = Unzipper(
        into: Tokenizer(into: rows, tally: tally), options: options.unzip, tally: tally)
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
  }

  consuming func finish() throws(PipelineError) {
    try table.take()?.finish()
    try archive.take()?.finish()
  }
}
