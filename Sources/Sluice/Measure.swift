/// A stage whose speed is measured, in a chain of its own that ends in counters.
///
/// A stage without a ``driver`` runs alone. Any other stage runs after its driver. Its own time is
/// the time of its chain less the time of the driver's chain.
package enum MeasuredStage: String, CaseIterable, Sendable {
  case base64, unzip, tokenizer, normalizer, csv, ndjson, ics

  /// The stage that feeds this one; nil if none is needed.
  package var driver: MeasuredStage? {
    switch self {
    case .base64, .unzip, .tokenizer: nil
    case .normalizer: .tokenizer
    case .csv, .ndjson, .ics: .normalizer
    }
  }

  /// Returns the layer that the chain reads.
  package func input(_ layers: FeedLayers) -> [UInt8] {
    switch self {
    case .base64: layers.text
    case .unzip: layers.archive
    case .tokenizer, .normalizer, .csv, .ndjson, .ics: layers.json
    }
  }

  /// Returns the number of bytes that the speed refers to: the output of unzip, the input of any
  /// other chain.
  package func size(_ layers: FeedLayers) -> Int {
    self == .base64 ? layers.text.count : layers.json.count
  }

  /// Pushes the layer through the chain once. Throws the errors of the chain.
  @inline(never)
  package func measuredPass(_ feed: Feed, _ layers: FeedLayers) throws(PipelineError) {
    let (bytes, table) = (input(layers), feed.tables[0])
    let counters = Counters()
    switch self {
    case .base64:
      try Self.push(bytes, into: Base64Decoder(into: ByteCounter(), counters: counters))
    case .unzip:
      try Self.push(
        bytes, into: Unzipper(into: ByteCounter(), options: UnzipOptions(), counters: counters))
    case .tokenizer:
      try Self.push(bytes, into: Tokenizer(into: TokenCounter(), counters: counters))
    case .normalizer:
      try Self.push(bytes, through: feed, counters, to: [])
    case .csv:
      let encoder = CSVEncoder(table.columns, .plain, into: ByteCounter(), counters: counters)
      try Self.push(bytes, through: feed, counters, to: [Branch(encoder)])
    case .ndjson:
      let encoder = NDJSONEncoder(table.columns, into: ByteCounter())
      try Self.push(bytes, through: feed, counters, to: [Branch(encoder)])
    case .ics:
      guard let event = table.event else { return }
      let encoder = try CalendarEncoder(
        table, of: feed, event, options: CalendarOptions(language: feed.language),
        into: ByteCounter(), counters: counters)
      try Self.push(bytes, through: feed, counters, to: [Branch(encoder)])
    }
  }

  /// Pushes JSON through the tokenizer and the normalizer.
  private static func push(
    _ bytes: [UInt8], through feed: Feed, _ counters: Counters, to branches: [Branch]
  ) throws(PipelineError) {
    let normalizer = Normalizer(
      feed.tables[0], of: feed, options: NormalizerOptions(), into: FanOut(branches),
      counters: counters)
    try push(bytes, into: Tokenizer(into: normalizer, counters: counters))
  }

  /// Pushes bytes in pieces, like a source.
  static func push<Stage: ByteStage & ~Copyable>(
    _ bytes: [UInt8], into stage: consuming Stage
  ) throws(PipelineError) {
    var stage = stage
    var start = 0
    while start < bytes.count {
      let end = min(start + DescriptorSource.pieceSize, bytes.count)
      try stage.write(bytes.span.bytes.extracting(start..<end))
      start = end
    }
    try stage.finish()
  }
}

/// The answer of a feed, layer by layer. Each measured stage reads one of them.
package struct FeedLayers: Sendable {
  /// The base64 text in the envelope; empty if the input has no envelope.
  package private(set) var text: [UInt8] = []
  /// The archive in the base64 text; empty if the input has no envelope.
  package private(set) var archive: [UInt8] = []
  /// The JSON in the archive, or the input itself.
  package private(set) var json: [UInt8]
  /// Number of records in the JSON.
  package let records: Int

  /// Unpacks `input`, an envelope or bare JSON. Throws if it is neither, or damaged.
  package init(_ feed: Feed, _ input: [UInt8]) throws(PipelineError) {
    json = input
    if let envelope = feed.envelope, input.first == UInt8(ascii: "{") {
      text = try Self.layer(input) { (keeper, counters) in
        Tokenizer(
          into: EnvelopeReader(envelope, into: keeper, counters: counters), as: .envelope,
          counters: counters)
      }
      archive = try Self.layer(text) { (keeper, counters) in
        Base64Decoder(into: keeper, counters: counters)
      }
      json = try Self.layer(archive) { (keeper, counters) in
        Unzipper(into: keeper, options: UnzipOptions(), counters: counters)
      }
    }
    let counters = Counters()
    let normalizer = Normalizer(
      feed.tables[0], of: feed, options: NormalizerOptions(), into: FanOut([]), counters: counters)
    try MeasuredStage.push(json, into: Tokenizer(into: normalizer, counters: counters))
    records = counters.read.value
  }

  private static func layer<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], _ stage: (consuming ByteKeeper, Counters) -> Stage
  ) throws(PipelineError) -> [UInt8] {
    let box = ByteKeeper.Box()
    try MeasuredStage.push(input, into: stage(ByteKeeper(box), Counters()))
    return box.bytes
  }
}

/// Counts bytes and drops them.
private struct ByteCounter: ByteStage, ~Copyable {
  private var count = 0

  mutating func write(_ bytes: RawSpan) throws(PipelineError) { count += bytes.byteCount }

  consuming func finish() throws(PipelineError) {}
}

/// Counts tokens and their bytes and drops them. Accepts the objects of the outermost list whole.
private struct TokenCounter: TokenStage, ~Copyable {
  private var tokens = 0
  private var bytes = 0
  private var depth = 0

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    tokens += 1
    bytes += text.byteCount
    switch kind {
    case .beginObject, .beginArray:
      depth += 1
      return depth == 2 && kind == .beginObject ? .record : .proceed
    case .endObject, .endArray: depth -= 1
    default: break
    }
    return .proceed
  }

  mutating func recordForm() -> RecordForm? { RecordForm(places: [.init()], valueCount: 0) }

  mutating func object(_ record: WholeRecord) throws(PipelineError) { bytes += record.raw.count }

  consuming func finish() throws(PipelineError) {}
}
