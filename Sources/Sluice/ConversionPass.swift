/// Pushes the input of a conversion through the stages: once, or twice where shares of a total are
/// wanted.
struct ConversionPass {
  let conversion: Conversion
  let parts: [ConversionPart]
  let options: NormalizerOptions

  /// Reads the source to its end; `payload` hears what can be known of an envelope's.
  func run(_ source: consuming Source, payload: PayloadFacts?) throws(PipelineError) {
    let tally = conversion.tally
    guard parts.contains(where: { $0.shares != nil }) else {
      return try push(source, over: parts, options, payload: payload, tally: tally)
    }
    // Before a share can be written all rows have been added up: the input is read twice. The
    // first reading counts and refuses, the second one writes.
    let input = RepeatedInput(source)
    var summing = options
    summing.keepsBook = false
    let silent = parts.map { part in
      var part = part
      part.branches = []
      return part
    }
    try push(input, over: silent, summing, payload: payload, tally: tally)
    let uncounted = parts.map { part in
      var part = part
      part.tally = Tally()
      part.rejects = nil
      return part
    }
    try push(input, over: uncounted, options.again, payload: nil, tally: Tally())
    for part in parts {
      let table = parts.count > 1 ? part.table.name : nil
      tally.shares.withLock { $0 += part.shares?.statistics(of: table) ?? [] }
    }
  }

  /// Builds the pipeline behind the input and runs it.
  private func push<Input: ByteSource & ~Copyable>(
    _ input: consuming Input, over parts: [ConversionPart], _ options: NormalizerOptions,
    payload: PayloadFacts?, tally: Tally
  ) throws(PipelineError) {
    func rows(_ part: ConversionPart) -> Normalizer<FanOut> {
      var options = options
      (options.shares, options.rejects) = (part.shares, part.rejects)
      return Normalizer(part.feed, options: options, into: FanOut(part.branches), tally: part.tally)
    }
    let feed = conversion.feed
    let decoding = DecodingOptions(
      envelope: feed.envelope,
      unzip: UnzipOptions(
        entry: conversion.entry, maxSize: conversion.maxSize, clockOffset: feed.clockOffset),
      columns: parts.flatMap(\.feed.keys), offload: conversion.offload, payload: payload)
    if let part = parts.first, parts.count == 1 {
      try input.push(into: rows(part), options: decoding, tally: tally)
    } else {
      let branches = parts.map { TokenBranch(rows($0)) }
      try input.push(into: TokenFanOut(branches), options: decoding, tally: tally)
    }
  }
}
