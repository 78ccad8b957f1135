/// What an input holds.
public struct Inspection: Sendable {
  /// A file inside an archive.
  public struct Entry: Sendable, Equatable {
    /// Its name, made safe to show.
    public var name: String
    /// Its size inflated.
    public var size: Int
    /// Its size in the archive.
    public var compressedSize: Int
    /// When it was last changed, in seconds since 1970; nil where the archive has no such time.
    public var modified: Int?
  }

  /// The forms of the input, from the outside in.
  public var layers: [FormsSeen.Layer]
  /// The entries of its archive, where it has one.
  public var entries: [Entry]
  /// The keys of its JSON.
  public var keys: [KeyCounts.Count]
  /// The first records that were refused.
  public var rejects: [Reject]
  /// What was counted.
  public var statistics: Statistics
  /// Why reading ended early; nil where it did not.
  public var error: PipelineError?
  /// What could not be had of what the feed asks for.
  public var shortfall: PipelineError?
}

/// Reads the input of a conversion to its end and says what is in it; writes nothing.
///
/// Answers that a conversion has left are read, and stay, as do those that are asked for now.
public func inspect(_ conversion: Conversion) -> Inspection {
  var conversion = conversion
  if case .requests(var asked) = conversion.input {
    asked.resumes = true
    conversion.input = .requests(asked)
  }
  let forms = FormsSeen()
  let listing = ZIPListing()
  let keys = KeyCounts()
  let rejects = FirstRejects()
  let tally = conversion.tally
  var failure: PipelineError?
  var shortfall: PipelineError?
  do throws(PipelineError) {
    let source = try Source(conversion)
    let requests = source.requests
    let feed = conversion.feed
    let options = NormalizerOptions(limit: .count(.max), rejects: rejects)
    let unzip = UnzipOptions(
      entry: conversion.entry, maxSize: conversion.maxSize, clockOffset: feed.clockOffset,
      listing: listing)
    let normalizer = Normalizer(feed, options: options, into: FanOut([]), tally: tally)
    let decoding = DecodingOptions(
      envelope: feed.envelope, unzip: unzip, columns: feed.keys, offload: conversion.offload,
      forms: forms)
    try source.push(
      into: KeyCensus(into: normalizer, counts: keys), options: decoding, tally: tally)
    shortfall = requests?.shortfall
  } catch {
    failure = error
  }
  return Inspection(
    // That an archive holds JSON is known once it has been read as such.
    layers: forms.layers + (forms.layers.last == .zip && !keys.counts.isEmpty ? [.json] : []),
    entries: listing.items.map {
      Inspection.Entry(
        name: $0.name.shown, size: $0.size, compressedSize: $0.compressedSize,
        modified: $0.modified)
    },
    keys: keys.counts, rejects: rejects.kept, statistics: Statistics(tally), error: failure,
    shortfall: shortfall)
}

/// Keeps the first refused records.
final class FirstRejects: RejectReceiver {
  private let limit = 5
  private(set) var kept: [Reject] = []

  func receive(_ reject: Reject) {
    if kept.count < limit { kept.append(reject) }
  }
}
