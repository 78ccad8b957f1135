/// A feed's answer, layer by layer: what each stage that is measured reads.
package struct FeedLayers: Sendable {
  /// The base64 text in the envelope; empty where the input is no envelope.
  package private(set) var text: [UInt8] = []
  /// The archive that it holds.
  package private(set) var archive: [UInt8] = []
  /// The JSON inside.
  package private(set) var json: [UInt8]
  /// How many records that has.
  package let records: Int

  /// Unpacks `input`, an envelope or bare JSON. Throws where it is neither, or broken.
  package init(_ feed: Feed, _ input: [UInt8]) throws(PipelineError) {
    json = input
    if let envelope = feed.envelope, input.first == UInt8(ascii: "{") {
      text = try Self.layer(input) { (keeper, tally) in
        Tokenizer(
          into: EnvelopeReader(envelope, into: keeper, tally: tally), as: .envelope, tally: tally)
      }
      archive = try Self.layer(text) { (keeper, tally) in Base64Decoder(into: keeper, tally: tally)
      }
      json = try Self.layer(archive) { (keeper, tally) in
        Unzipper(into: keeper, options: UnzipOptions(), tally: tally)
      }
    }
    let tally = Tally()
    let normalizer = Normalizer(
      feed, options: NormalizerOptions(), into: FanOut([]), tally: tally)
    try MeasuredStage.push(json, into: Tokenizer(into: normalizer, tally: tally))
    records = tally.read.value
  }

  private static func layer<Stage: ByteStage & ~Copyable>(
    _ input: [UInt8], _ stage: (consuming ByteKeeper, Tally) -> Stage
  ) throws(PipelineError) -> [UInt8] {
    let box = ByteKeeper.Box()
    try MeasuredStage.push(input, into: stage(ByteKeeper(box), Tally()))
    return box.bytes
  }
}
