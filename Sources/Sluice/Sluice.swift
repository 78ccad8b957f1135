/// The order of the stages from an input to the tokens of its feed.
///
///     Source ─▶ form? ─ an object, if the feed has an envelope ─▶ JSON ─▶ Envelope ─┐
///                 ├──── base64 ─────────────────────────────────────────────────────┴▶ Base64 ─┐
///                 └──── zip, JSON, CSV ─┐                                                      │
///                                       ▼                                                      │
///                                     form? ◀──────────────────────────────────────────────────┘
///                                       ├─ zip ──▶ Unzip ─▶ ∥ ─▶ JSON ─┐
///                                       ├─ JSON ─────────────────────▶ ┼─▶ Rows ─▶ … ─▶ outputs
///                                       ├─ JSON ──▶ lines as a list ─▶ ┤
///                                       └─ CSV ──▶ rows as objects ───▶ ┘
///
/// Lines of JSON are read only if the feed's rows are those of a list.
///
/// `Rows` is the stage that takes the tokens of the feed's JSON: a normalizer, or what stands
/// before one. At ∥ a second thread may take over: much more comes out of an archive than goes in,
/// and the work on it is all of what follows.
package struct Decoding<Rows: TokenStage & ~Copyable> {
  private let rows: Box<Rows>
  private let options: DecodingOptions
  private let offloading: Offloading?
  private let counters: Counters

  /// Prepares to decode one input into `rows`. Without an `offloading` there is one thread.
  package init(
    into rows: consuming Rows, options: DecodingOptions, _ offloading: Offloading? = nil,
    counters: Counters
  ) {
    self.rows = Box(rows)
    self.options = options
    self.offloading = offloading
    self.counters = counters
  }

  /// The stages that read the input, whatever its form.
  package var stages: Sniffer { Sniffer { form throws(PipelineError) in try stages(of: form) } }

  /// The stages that read an input of this form, in order.
  private func stages(of form: InputFormat) throws(PipelineError) -> ByteSink {
    switch form {
    case .object:
      guard let envelope = options.envelope else { return try content(form) }
      return ByteSink(
        Tokenizer(
          into: EnvelopeReader(
            envelope,
            into: PayloadTap(
              into: Base64Decoder(into: payload(in: [.envelope, .base64]), counters: counters),
              facts: options.payload),
            facts: options.payload, counters: counters),
          as: .envelope, counters: counters))
    case .base64: return ByteSink(Base64Decoder(into: payload(in: [.base64]), counters: counters))
    case .array, .zip, .csv: return try content(form)
    }
  }

  /// The stages that read what base64 text holds, whatever its form.
  private func payload(in layers: [LayersSeen.Layer]) -> Sniffer {
    Sniffer(isPayload: true) { form throws(PipelineError) in try content(form, in: layers) }
  }

  /// The stages that read the content of a feed, in order; `layers` are around it.
  private func content(
    _ form: InputFormat, in layers: [LayersSeen.Layer] = []
  ) throws(PipelineError) -> ByteSink {
    switch form {
    case .object where options.readsLines:
      options.forms?.note(layers + [.json])
      let isAlone = !layers.contains(.envelope)
      return ByteSink(
        LineList(into: Tokenizer(into: rows.take(), counters: counters)) { [counters] in
          counters.isEndless.set(isAlone ? 1 : 0)
        })
    case .object, .array:
      options.forms?.note(layers + [.json])
      return ByteSink(Tokenizer(into: rows.take(), counters: counters))
    case .zip:
      options.forms?.note(layers + [.zip])
      return ByteSink(
        Unzipper(
          into: Offload(into: Tokenizer(into: rows.take(), counters: counters), offloading),
          options: options.unzip, counters: counters))
    case .csv:
      options.forms?.note(layers + [.csv])
      counters.isEndless.set(layers.contains(.envelope) ? 0 : 1)
      return ByteSink(
        CSVReader(
          into: rows.take(), known: options.columns, verbatim: options.verbatim, counters: counters)
      )
    case .base64:
      throw PipelineError(.unzip(.notContent(looksLike: "base64", start: [])), at: 0)
    }
  }
}

/// What the stages between source and records are told.
package struct DecodingOptions {
  /// The JSON object around the payload; nil if the feed has none.
  var envelope: Envelope?
  var unzip = UnzipOptions()
  /// The names that a table's first line may have; nil if any will do.
  var columns: [String]?
  /// Those of them whose fields keep the blanks around them.
  var verbatim: Set<String> = []
  /// Whether objects on lines are read as a list of them.
  var readsLines = true
  /// When a second thread takes over.
  var offload = OffloadRule.standard
  /// Collects the forms that the input turns out to have.
  var forms: LayersSeen?
  /// Collects the facts of an envelope's payload.
  var payload: PayloadFacts?
}

extension ByteSource where Self: ~Copyable {
  /// Reads to the end and pushes the tokens of the feed's JSON into `rows`, which it finishes.
  consuming func push<Rows: TokenStage & ~Copyable>(
    into rows: consuming Rows, options: DecodingOptions, _ watch: Watch = Watch(),
    counters: Counters, date: ContentDate
  ) throws(PipelineError) {
    let offloading = Offloading(options.offload, counters: counters)
    do throws(PipelineError) {
      let stages = Decoding(into: rows, options: options, offloading, counters: counters).stages
      if watch.isWanted {
        try push(
          into: WatchedStage(into: stages, watch, counters: counters), counters: counters,
          date: date)
      } else {
        try push(into: stages, counters: counters, date: date)
      }
    } catch {
      throw offloading.settle(error)
    }
  }
}

/// The stages of a feed without its outputs. They refuse a bad answer as it comes.
extension Sniffer {
  /// Makes the stages that check an answer as data of a feed. They count its records table by table
  /// and refuse no more of them than the limit allows. Without a feed they check that it is JSON.
  package init(
    checking feed: Feed?, _ counts: [Counters], limit: RejectLimit, status: Envelope.Test?
  ) {
    var options = NormalizerOptions(limit: limit)
    // Nobody wants the rows, so that no field of them can be too late.
    options.late = .counting
    var tables: [Box<Normalizer<FanOut>>] = []
    if let feed {
      for (table, counters) in zip(feed.tables, counts) {
        tables.append(
          Box(Normalizer(table, of: feed, options: options, into: FanOut([]), counters: counters)))
      }
    }
    let rows = Box(StatusCheck(status, into: TokenFanOut(tables)))
    self.init { form throws(PipelineError) in
      switch form {
      case .object, .array: ByteSink(Tokenizer(into: rows.take(), counters: Counters()))
      case .zip, .base64, .csv: throw PipelineError(.source(.notJSON(form)), at: 0)
      }
    }
  }
}
