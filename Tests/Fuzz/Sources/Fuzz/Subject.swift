@testable import Sluice

/// What is tested, and how it is told: what came out of an input, and why it ended.
enum Subject: UInt8 {
  /// The whole way from an input to CSV, with refused records.
  case hotWater, hotWaterExcel
  /// The same for an input wrapped in base64.
  case hotWaterInBase64
  /// The whole way to NDJSON.
  case bonds
  /// The whole way to a calendar.
  case calendar
  /// The tokenizer alone, and values that nobody asked for; the second asks for raw texts and
  /// pieces.
  case tokens, rawTokens
  /// The unzipper alone.
  case archive
  /// A feed's document, and then a feed by it.
  case document
  /// A record of the state folder.
  case record
  /// A night of a damaged ledger.
  case ledger
  /// Days and times in formats and of parts, to CSV.
  case formats
  /// The document of a seed, changed, over the seed's input; and the seed's document over a changed
  /// input. The first byte names the seed.
  case shapeDocument, shapeInput
  /// The file of a time zone, and times on its clocks.
  case zone
  /// The tokenizer by its index.
  case index

  /// The outcome of a reading.
  struct Reading: Equatable {
    var output: [UInt8] = []
    var rejects: [UInt8] = []
    var counts: [Int] = []
    var error: PipelineError?
  }

  /// What the stages are given for an input.
  func wrap(_ input: [UInt8]) -> [UInt8] {
    self == .hotWaterInBase64 ? Base64Text.encoded(input) : input
  }

  /// Whether an input can be read as tokens alone.
  var hasWholes: Bool { self == .shapeDocument || self == .shapeInput }

  /// Reads an input in pieces of `length` bytes; if it is of any document, perhaps as tokens alone.
  func read(_ input: [UInt8], inPiecesOf length: Int, asTokensAlone: Bool = false) -> Reading {
    let output = Output()
    let rejects = Output()
    let (counters, date) = (Counters(), ContentDate())
    var reading = Reading()
    do throws(PipelineError) {
      switch self {
      case .hotWater, .hotWaterInBase64, .hotWaterExcel:
        let form = self == .hotWaterExcel ? DelimitedForm.excel : .plain
        try feed(
          input, length, .hotWater, rejects, counters,
          to: CSVEncoder(
            Feed.hotWater.tables[0].columns, form, into: Writer(to: output), counters: counters))
      case .bonds:
        try feed(
          input, length, .bonds, rejects, counters,
          to: NDJSONEncoder(Feed.bonds.tables[0].columns, into: Writer(to: output)))
      case .calendar:
        guard let event = Feed.hotWater.event else { return reading }
        try feed(
          input, length, .hotWater, rejects, counters,
          to: CalendarEncoder(
            Feed.hotWater.tables[0], of: .hotWater, event,
            options: CalendarOptions(language: .ru, alarms: ["P1D"]),
            into: Writer(to: output), counters: counters))
      case .tokens, .rawTokens:
        let tokens = TokenWriter(to: output, isAsking: self == .rawTokens)
        if self == .tokens { PassedJSON.check(input) }
        try Self.feed(input, length, to: Tokenizer(into: tokens, counters: counters))
      case .archive:
        let options = UnzipOptions(maxSize: 1 << 20, date: date)
        try Self.feed(
          input, length,
          to: Unzipper(into: Writer(to: output), options: options, counters: counters))
      case .document:
        switch Result(catching: { () throws(FeedDocumentFault) in
          try Feed(yaml: String(decoding: input, as: UTF8.self))
        }) {
        case .success(let feed):
          let encoder = CSVEncoder(
            feed.tables[0].columns, .plain, into: Writer(to: output), counters: counters)
          try self.feed(Self.activities, length, feed, rejects, counters, to: encoder)
        case .failure(let fault): output.bytes += Array("\(fault)".utf8)
        }
      case .record: output.bytes = StateRecord.rewritten(input)
      case .formats:
        try feed(
          input, length, .formats, rejects, counters,
          to: CSVEncoder(
            Feed.formats.tables[0].columns, .plain, into: Writer(to: output), counters: counters))
      case .shapeDocument, .shapeInput:
        guard let first = input.first else { return reading }
        let shape = Shape.all[Int(first & 0x7F) % Shape.all.count]
        let rest = Array(input.dropFirst())
        let isDocument = self == .shapeDocument
        switch Result(catching: { () throws(FeedDocumentFault) in
          try Feed(
            yaml: String(decoding: isDocument ? rest : shape.document, as: UTF8.self))
        }) {
        case .success(let feed):
          var run = DocumentRun(
            feed: feed, isOfSomeDays: first >= 0x80, asksForTokensAlone: asTokensAlone)
          if !isDocument, shape.name == PassedJSON.shape { run.before = PassedJSON.records }
          output.bytes = try run.read(
            isDocument ? shape.input : rest, inPiecesOf: length, rejects: rejects, counters)
        case .failure(let fault):
          guard isDocument else { fatalError("no feed of \(shape.name): \(fault)") }
          output.bytes += Array("\(fault)".utf8)
        }
      case .zone: output.bytes = try DamagedZone.read(input, inPiecesOf: length)
      case .index: output.bytes = IndexedTokens.read(input, inPiecesOf: length)
      case .ledger: output.bytes = try DamagedLedger.night(input, inPiecesOf: length)
      }
    } catch {
      reading.error = error
    }
    reading.output = output.bytes
    reading.rejects = rejects.bytes
    reading.counts = [
      counters.read.value, counters.kept.value, counters.skipped.value, counters.rejected.value,
      counters.rows.value, counters.firstDay.value, counters.lastDay.value, counters.events.value,
      date.seconds ?? .min,
    ]
    return reading
  }

  /// What a document that fits reads: objects in lists, numbers, days, texts.
  private static let activities = Array(
    #"{"activities":[{"title":"a","day":"5 Jan 2026","items":[{"date":"2026-06-02","price":1.5,"at":905}]}]}"#
      .utf8)

  /// The whole way to an encoder.
  private func feed<Encoder: RecordStage & ~Copyable>(
    _ input: [UInt8], _ length: Int, _ feed: Feed, _ rejects: Output, _ counters: Counters,
    to encoder: consuming Encoder
  ) throws(PipelineError) {
    let refused = RejectEncoder(into: Writer(to: rejects))
    let normalizer = Normalizer(
      feed.tables[0], of: feed, options: NormalizerOptions(limit: .count(5), rejects: refused),
      into: encoder, counters: counters)
    let decoding = Decoding(
      into: normalizer,
      options: DecodingOptions(envelope: feed.envelope, unzip: UnzipOptions(maxSize: 1 << 20)),
      counters: counters)
    try Self.feed(input, length, to: decoding.stages)
    try refused.finish()
  }

  /// Gives an input to a stage in pieces, after another one in one piece, and finishes the stage.
  static func feed<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], _ length: Int, after before: [UInt8] = [], to stage: consuming Stage
  ) throws(PipelineError) {
    var stage = stage
    if !before.isEmpty { try stage.write(before.span.bytes) }
    var at = 0
    while at < input.count {
      let end = min(at + length, input.count)
      try stage.write(input.span.bytes.extracting(at..<end))
      at = end
    }
    try stage.finish()
  }
}
