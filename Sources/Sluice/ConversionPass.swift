/// What a pass finds out beside the rows.
struct PassFindings {
  /// The totals of shares.
  var shares: [Statistics.Share] = []
  /// The places that were chosen, by their addresses.
  var places: [String: ChosenPlace] = [:]
}

/// Pushes the input of a conversion through the stages: once, or twice for shares of a total or for
/// a field of the document after too many rows, and once before for a place that is not known yet.
struct ConversionPass {
  let conversion: Conversion
  let parts: [ConversionPart]
  /// The selections of single outputs. They begin when the places are known.
  var selectors: [RowSelector] = []
  let options: NormalizerOptions
  let counters: Counters
  let date: ContentDate
  /// Whether the outputs end with the input. They do not if it is one of several.
  var endsOutputs = true
  /// Is told the bytes of the input; nil if nobody wants their checksum.
  var content: ContentBox?
  /// The counters of all inputs, if it is one of several. They tell the progress.
  var runCounters: Counters?

  /// Reads the source to its end, or throws the first error. `payload` collects the facts of an
  /// envelope's payload.
  func run(
    _ source: consuming Source, payload: PayloadFacts?
  ) throws(PipelineError) -> PassFindings {
    let (places, unknown) = conversion.knownChoices
    let isReadTwice = hasShares || !unknown.isEmpty
    let late = parts.compactMap(\.late)
    guard isReadTwice || !late.isEmpty else {
      if let lanes = try ListLanes(self, source) {
        try lanes.run()
        if !options.conditions.isEmpty, counters.kept.value == 0 {
          // Values that nearly match are told in the order of the whole list.
          try push(
            source, over: parts.map(\.silent.uncounted), options.again, payload: nil,
            counters: Counters())
        }
        return PassFindings(places: places)
      }
      try push(source, over: parts, selecting(places), payload: payload, counters: counters)
      return PassFindings(places: places)
    }
    // A field of the document after its rows is rarely too far away. Then nothing is read again.
    return try run(
      RepeatedInput(source, isNeeded: isReadTwice ? nil : { !late.allSatisfy(\.isSettled) }),
      payload: payload)
  }

  /// Reads an input that can be read more than once to its end, or throws the first error.
  func run(
    _ input: RepeatedInput, payload: PayloadFacts? = nil
  ) throws(PipelineError) -> PassFindings {
    let (known, unknown) = conversion.knownChoices
    var findings = PassFindings(places: known)
    /// The stages before the rows are counted in the first reading.
    var (first, counters, payload): (Self, Counters, PayloadFacts?) = (self, counters, payload)
    func read(_ parts: [ConversionPart], _ options: NormalizerOptions) throws(PipelineError) {
      try first.push(input, over: parts, options, payload: payload, counters: counters)
      (first.content, counters, payload) = (nil, Counters(), nil)
      let again = parts.filter { $0.late?.isWanted ?? false }
      guard !again.isEmpty else { return }
      try push(input, over: again, options, payload: nil, counters: counters)
      for part in again { part.late?.isDone = true }
    }
    if !unknown.isEmpty, let part = parts.first {
      let choices = PlaceChoices(unknown, conversion.knownPlaces, in: part.table)
      try read([ConversionPart(part.table, counters: Counters())], options.observing(choices))
      findings.places.merge(try choices.chosen()) { $1 }
    }
    let options = selecting(findings.places)
    guard hasShares else {
      try read(parts, options)
      return findings
    }
    // A share needs the sum of all rows, so the input is read twice for it. The first pass counts
    // and rejects, the second pass writes.
    var summing = options
    summing.tracksAllRows = false
    try read(parts.map(\.silent), summing)
    try read(parts.map(\.uncounted), options.again)
    findings.shares = parts.flatMap { part in
      part.shares?.statistics(of: parts.count > 1 ? part.table.name : nil) ?? []
    }
    return findings
  }

  /// Whether the input may have to be read twice, for totals or for fields after too many rows.
  var isRepeated: Bool { hasShares || parts.contains { $0.late != nil } }

  /// Whether the input is read twice for totals.
  private var hasShares: Bool { parts.contains { $0.shares != nil } }

  /// Begins the selections, now that the places are known. Returns the options of the rows.
  private func selecting(_ places: [String: ChosenPlace]) -> NormalizerOptions {
    beginSelections(places)
    var options = options
    if !conversion.hasOwnSelections, let address = conversion.address {
      options.place = places[address]?.conditions ?? []
    }
    return options
  }

  /// Begins the selections of single outputs. Their rows come next.
  func beginSelections(_ places: [String: ChosenPlace]) {
    for selector in selectors { selector.begin(places) }
  }

  /// Builds the pipeline after the input and runs it.
  func push<Input: ByteSource & ~Copyable>(
    _ input: consuming Input, over parts: [ConversionPart], _ options: NormalizerOptions,
    payload: PayloadFacts?, counters: Counters
  ) throws(PipelineError) {
    let decoding = decoding(parts, options, payload: payload)
    if let part = parts.first, parts.count == 1 {
      try input.push(
        into: rows(of: part, options), options: decoding, watch, counters: counters, date: date)
    } else {
      let branches = parts.map { Box(rows(of: $0, options)) }
      try input.push(
        into: TokenFanOut(branches), options: decoding, watch, counters: counters, date: date)
    }
  }

  /// The stages that read an entry of an archive, in any form of a feed's input. What is packed in
  /// it may have `left` bytes.
  func stages(_ offloading: Offloading, left: Int) -> ByteSink {
    var decoding = decoding(parts, options, payload: nil)
    (decoding.unzip.entry, decoding.unzip.maxSize) = (nil, left)
    let stages: Sniffer
    if let part = parts.first, parts.count == 1 {
      stages =
        Decoding(into: rows(of: part, options), options: decoding, counters: counters).stages
    } else {
      let branches = parts.map { Box(rows(of: $0, options)) }
      stages =
        Decoding(into: TokenFanOut(branches), options: decoding, counters: counters).stages
    }
    guard watch.isWanted else { return ByteSink(Offload(into: stages, offloading)) }
    return ByteSink(
      Offload(into: WatchedStage(into: stages, watch, counters: counters), offloading))
  }

  /// The stage that makes the rows of some sections of a list. Its outputs do not end with them.
  func rows(ofSections part: ConversionPart) -> Normalizer<FanOut> {
    var (pass, options) = (self, options)
    pass.endsOutputs = false
    options.isSection = true
    return pass.rows(of: part, options)
  }

  private func rows(of part: ConversionPart, _ options: NormalizerOptions) -> Normalizer<FanOut> {
    var options = options
    (options.shares, options.rejects, options.findings) = (part.shares, part.rejects, part.findings)
    options.late = part.late
    options.eventCounters = part.eventCounters
    options.observer = options.observer ?? part.near
    return Normalizer(
      part.table, of: conversion.feed, options: options,
      into: FanOut(part.branches, endsThem: endsOutputs), counters: part.counters)
  }

  private func decoding(
    _ parts: [ConversionPart], _ options: NormalizerOptions, payload: PayloadFacts?
  ) -> DecodingOptions {
    DecodingOptions(
      envelope: conversion.feed.envelope,
      unzip: UnzipOptions(
        entry: conversion.entry, maxSize: conversion.maxSize, zone: options.zones.local,
        date: date),
      columns: parts.flatMap(\.table.keys),
      verbatim: parts.reduce(into: []) { $0.formUnion($1.table.verbatimKeys) },
      readsLines: parts.allSatisfy(\.table.isListOfRows), offload: conversion.offload,
      payload: payload)
  }

  private var watch: Watch {
    Watch(
      progress: conversion.progress, cancellation: conversion.cancellation, content: content,
      counters: runCounters)
  }
}

/// One table of a run, with the branches that receive its rows.
struct ConversionPart {
  let table: Table
  var counters: Counters
  /// The counters of its encoders.
  private(set) var eventCounters: Counters
  var branches: [Branch] = []
  /// Receives the rejected records.
  var rejects: (any RejectReceiver)?
  /// The totals of its shares; nil if it has no shares.
  let shares: ShareTotals?
  /// Its fields of the whole document; nil if it has none.
  private(set) var late: LateFields?
  let findings = RowFindings()
  /// Looks for the places that come nearest to the conditions; nil if they do not name a place.
  let near: NearPlaces?

  /// The places that come nearest to the conditions, if no record matched them.
  var nearPlaces: [NamedPlace] { findings.unmatched == nil ? [] : near?.places ?? [] }

  /// The same table without its branches.
  var silent: ConversionPart {
    var part = self
    part.branches = []
    return part
  }

  /// The same table, counted apart.
  var uncounted: ConversionPart {
    var part = self
    part.counters = Counters()
    return part
  }

  /// The same table, without anybody who wants its rows.
  var checking: ConversionPart {
    var part = ConversionPart(table, counters: Counters(), near: nil)
    part.late = .counting
    return part
  }

  /// The same table and outputs for one of several inputs, counted apart.
  func part(of facts: InputFacts) -> ConversionPart {
    var part = ConversionPart(table.reading(facts), counters: Counters(), near: near)
    part.eventCounters = eventCounters
    part.branches = branches
    part.rejects = rejects.map { InputRejects(of: facts.path, into: $0) }
    return part
  }

  /// The same table for one of several inputs, whose rows go to this branch first. Nobody counts
  /// events there.
  func part(
    of facts: InputFacts, _ counters: Counters, into branch: Branch,
    rejects: (any RejectReceiver)?
  ) -> ConversionPart {
    var part = part(of: facts)
    (part.counters, part.eventCounters) = (counters, counters)
    part.branches = [branch]
    part.rejects = rejects.map { InputRejects(of: facts.path, into: $0) }
    return part
  }

  /// Whether no row was written.
  var isEmpty: Bool { counters.rows.value == 0 }

  init(
    _ table: Table, counters: Counters, rejects: (any RejectReceiver)? = nil,
    conditions: [Condition] = []
  ) {
    self.init(table, counters: counters, near: NearPlaces(conditions, in: table))
    self.rejects = rejects
  }

  private init(_ table: Table, counters: Counters, near: NearPlaces?) {
    self.near = near
    self.table = table
    self.counters = counters
    eventCounters = counters
    shares = ShareTotals(table)
    late = LateFields(table)
  }
}

/// Hands on the rejected records of one of several inputs, with its name.
private final class InputRejects: RejectReceiver {
  private let input: String
  private let next: any RejectReceiver

  init(of input: String, into next: any RejectReceiver) {
    self.input = input
    self.next = next
  }

  func receive(_ reject: Reject) throws(PipelineError) {
    var reject = reject
    reject.input = input
    try next.receive(reject)
  }
}

extension ConversionPart {
  /// Gives the rejected records to a workbook too.
  mutating func giveRejects(to workbook: Workbook) {
    let receiver = rejects as? WorkbookRejects ?? WorkbookRejects(before: rejects)
    receiver.workbooks.append(workbook)
    rejects = receiver
  }
}
