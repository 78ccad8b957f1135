/// Pushes the input of a conversion through the stages: once, or twice for shares of a total.
struct ConversionPass {
  let conversion: Conversion
  let parts: [ConversionPart]
  let options: NormalizerOptions
  let counters: Counters
  let date: ContentDate

  /// Reads the source to its end and returns the totals of its shares, or throws the first error.
  /// `payload` collects the facts of an envelope's payload.
  func run(
    _ source: consuming Source, payload: PayloadFacts?
  ) throws(PipelineError) -> [Statistics.Share] {
    guard parts.contains(where: { $0.shares != nil }) else {
      try push(source, over: parts, options, payload: payload, counters: counters)
      return []
    }
    // A share needs the sum of all rows, so the input is read twice. The first pass counts and
    // rejects, the second pass writes.
    let input = RepeatedInput(source)
    var summing = options
    summing.tracksAllRows = false
    let silent = parts.map { part in
      var part = part
      part.branches = []
      return part
    }
    try push(input, over: silent, summing, payload: payload, counters: counters)
    let uncounted = parts.map { part in
      var part = part
      part.counters = Counters()
      return part
    }
    try push(input, over: uncounted, options.again, payload: nil, counters: Counters())
    return parts.flatMap { part in
      part.shares?.statistics(of: parts.count > 1 ? part.table.name : nil) ?? []
    }
  }

  /// Builds the pipeline after the input and runs it.
  private func push<Input: ByteSource & ~Copyable>(
    _ input: consuming Input, over parts: [ConversionPart], _ options: NormalizerOptions,
    payload: PayloadFacts?, counters: Counters
  ) throws(PipelineError) {
    func rows(_ part: ConversionPart) -> Normalizer<FanOut> {
      var options = options
      (options.shares, options.rejects, options.findings) =
        (part.shares, part.rejects, part.findings)
      options.eventCounters = part.eventCounters
      return Normalizer(
        part.table, of: conversion.feed, options: options, into: FanOut(part.branches),
        counters: part.counters)
    }
    let feed = conversion.feed
    let decoding = DecodingOptions(
      envelope: feed.envelope,
      unzip: UnzipOptions(
        entry: conversion.entry, maxSize: conversion.maxSize, clockOffset: feed.clockOffset,
        date: date),
      columns: parts.flatMap(\.table.keys),
      verbatim: parts.reduce(into: []) { $0.formUnion($1.table.verbatimKeys) },
      offload: conversion.offload, payload: payload)
    let watch = Watch(progress: conversion.progress, cancellation: conversion.cancellation)
    if let part = parts.first, parts.count == 1 {
      try input.push(into: rows(part), options: decoding, watch, counters: counters, date: date)
    } else {
      let branches = parts.map { Box(rows($0)) }
      try input.push(
        into: TokenFanOut(branches), options: decoding, watch, counters: counters, date: date)
    }
  }
}

/// One table of a run, with the branches that receive its rows.
struct ConversionPart {
  let table: Table
  var counters: Counters
  /// The counters of its encoders.
  let eventCounters: Counters
  var branches: [Branch] = []
  /// Receives the rejected records.
  var rejects: (any RejectReceiver)?
  /// The totals of its shares; nil if it has no shares.
  let shares: ShareTotals?
  let findings = RowFindings()

  /// Whether no row was written.
  var isEmpty: Bool { counters.rows.value == 0 }

  init(_ table: Table, counters: Counters, rejects: (any RejectReceiver)?) {
    self.table = table
    self.counters = counters
    eventCounters = counters
    self.rejects = rejects
    shares = ShareTotals(table)
  }
}
