/// One run of a conversion: it reads the input once and writes every output in that one pass.
///
///     openDiagnostics ─▶ openOutputs ─▶ read ─▶ prepare ─▶ publish
///            ╰──────────────┴────────────┴────────┴──────────┴────▶ abandon: the old files stay
///
/// The caller makes these calls in this order. After a throw it calls only ``abandon()``. Outputs
/// are published together after the input has been checked to its end, or not at all. Rejects and
/// statistics are diagnostics: they are written in both cases. Nothing is printed. Every call
/// blocks until it is done.
package struct Run: ~Copyable {
  private let conversion: Conversion
  private let counters: Counters
  private let date = ContentDate()
  private let start = MonotonicTime.now
  private let queue: OutputQueue
  private let diagnostics: Diagnostics
  private let outputs: Outputs

  package init(_ conversion: Conversion, counters: Counters) {
    self.conversion = conversion
    self.counters = counters
    queue = OutputQueue(conversion.writing, limit: conversion.maxOutput, counters: counters)
    diagnostics = Diagnostics()
    outputs = Outputs(conversion, counters: counters, date: date, queue: queue)
  }

  /// The counts so far.
  package var statistics: Statistics {
    var statistics = Statistics(counters, date: date)
    statistics.written = outputs.written
    statistics.shares = outputs.shares
    statistics.unmatched = outputs.unmatched
    statistics.unread = outputs.unread
    statistics.inputs = outputs.inputs
    statistics.isSelectionEmpty = outputs.isSelectionEmpty
    statistics.emptySelections = outputs.emptySelections
    statistics.unchanged = outputs.unchanged
    statistics.emptyTables = outputs.emptyTables
    statistics.renamed = outputs.renamed
    if conversion.statistics != nil, conversion.feed.usesZones {
      statistics.zonesVersion = ZoneFile.version
    }
    statistics.largeSiteCalendars = outputs.largeSiteCalendars
    statistics.seconds = Double(MonotonicTime.now - start) * 1e-9
    return statistics
  }

  /// Opens the files for rejects and statistics. They come first because they report every later
  /// failure. Throws if a file cannot be opened.
  package func openDiagnostics() throws(PipelineError) {
    try diagnostics.open(conversion, queue)
    queue.rejects = diagnostics.rejects
  }

  /// Opens the outputs and makes an encoder for each. A ledger receives the feed's rows and writes
  /// the calendars. With a manifest, files that earlier runs made of columns and this one does not
  /// are removed. Throws if a table or a column does not exist, or if an output cannot be opened.
  package func openOutputs(
    _ ledger: (any EventLedger)? = nil, manifest: (any FileManifest)? = nil
  ) throws(PipelineError) {
    try outputs.open(ledger, rejects: diagnostics.rejects)
    try outputs.splits.read(manifest)
  }

  /// Reads and checks all inputs to their ends. Returns the counts, or throws the first error.
  package func readAll(
    telling observer: (any InputObserver)? = nil
  ) throws(PipelineError) -> Statistics {
    try read { (pass) throws(PipelineError) in
      let series = InputSeries(pass, telling: observer)
      defer { outputs.inputs = series.inputs }
      return try series.run()
    }
  }

  /// Reads and checks the source to its end. Returns the counts, or throws the first error.
  ///
  /// `payload` collects the facts of an envelope's payload.
  package func read(
    _ source: consuming Source, payload: PayloadFacts? = nil
  ) throws(PipelineError) -> Statistics {
    let source = Box(source)
    return try read { (pass) throws(PipelineError) in
      try pass.run(source.take(), payload: payload)
    }
  }

  /// Writes rows that the program makes. `make` passes them on. Returns the counts, or throws the
  /// first error.
  package func write(
    _ make: (MadeRows) throws(PipelineError) -> Void
  ) throws(PipelineError) -> Statistics {
    try read { (pass) throws(PipelineError) in
      let rows = MadeRows(into: pass.parts[0])
      try make(rows)
      try rows.finish()
      return PassFindings()
    }
  }

  private func read(
    _ reading: (ConversionPass) throws(PipelineError) -> PassFindings
  ) throws(PipelineError) -> Statistics {
    let tables = outputs.parts.map(\.counters).filter { $0 !== counters }
    queue.allCounters += tables
    var options = NormalizerOptions(
      limit: conversion.rejectLimit,
      tracksAllRows: outputs.ledger != nil || conversion.mergesDatabases)
    if !conversion.hasOwnSelections {
      options.conditions = conversion.conditions
      (options.from, options.to) = (conversion.from, conversion.to)
    }
    var failure: PipelineError?
    do throws(PipelineError) {
      options.zones = try Zones(of: conversion.feed)
      let findings = try reading(
        ConversionPass(
          conversion: conversion, parts: outputs.parts, selectors: outputs.selectors,
          options: options, counters: counters, date: date))
      (outputs.shares, outputs.places) = (findings.shares, findings.places)
      outputs.noteEmptySelections()
    } catch {
      failure = error
    }
    failure = queue.end(after: failure)
    for table in tables { counters.add(table) }
    if let failure { throw failure }
    if conversion.rejectLimit != .unlimited {
      for part in outputs.parts { try part.counters.refuseIfAllRejected() }
    }
    try outputs.finishDatabases()
    return statistics
  }

  /// The places that were chosen for addresses.
  package var places: [String: ChosenPlace] { outputs.places }

  /// The places that come nearest to conditions that no record matches.
  package var nearPlaces: [NamedPlace] { outputs.nearPlaces }

  /// Completes all outputs and the ledger's new state, and brings them to the disk. Nothing is in
  /// place yet. Throws if one of them cannot be written.
  package func prepare() throws(PipelineError) {
    try outputs.writeEvents()
    try outputs.writeFiles()
    try outputs.finishWorkbooks()
    try outputs.writeSites()
    try outputs.measureDatabases()
    try queue.measure.end()
    try diagnostics.finish(statistics)
    try outputs.prepare()
  }

  /// The outputs that show what the ledger has published, with the fingerprints of their new
  /// contents: the calendars and the list of changes. Without any, all outputs. A device or a FIFO
  /// is not among them. Called after ``prepare()``.
  package func evidence() throws(PipelineError) -> [(path: String, content: Fingerprint)] {
    try outputs.evidence()
  }

  /// Puts all outputs in place, then the ledger's new state, then the diagnostics.
  ///
  /// If `keepsFiles` is true, a selection without rows changes no file that exists. If `keepsOwn`
  /// is true, that holds for an output's own selection which should always have some: one by values
  /// alone, not by days or by a place.
  ///
  /// Throws if one of them cannot be written. Where the ledger fails, the new outputs stand.
  package func publish(keepsFiles: Bool = false, keepsOwn: Bool = false) throws(PipelineError) {
    if keepsFiles { try outputs.keepFilesIfEmpty() }
    if keepsOwn { outputs.keepOwnFilesIfEmpty() }
    try outputs.publish()
    try diagnostics.publish()
  }

  /// Leaves the old outputs unchanged. The diagnostics are still published.
  package func abandon() {
    outputs.abandon()
    queue.measure.stop()
    // The first error is reported. Later errors are dropped.
    try? diagnostics.finish(statistics)
    try? diagnostics.publish()
  }
}

/// The rows of a table that the program makes, on their way to all outputs of a run.
package final class MadeRows {
  private let rows: Box<FanOut>
  private let counters: Counters

  init(into part: ConversionPart) {
    rows = Box(FanOut(part.branches))
    counters = part.counters
  }

  /// Passes a row on. Its texts are those of the table's columns, in order.
  package func take(_ row: borrowing Record) throws(PipelineError) {
    counters.read.increase()
    counters.kept.increase()
    counters.rows.increase()
    try rows.value.pointee.take(row, .wanted)
  }

  func finish() throws(PipelineError) { try rows.take().finish() }
}

/// Runs a conversion whose rows the program makes, of the first table of its feed. Its input is not
/// read. Blocks until the end.
package func convert(
  _ conversion: Conversion, counters: Counters = Counters(),
  making make: (MadeRows) throws(PipelineError) -> Void
) -> Outcome {
  let run = Run(conversion, counters: counters)
  do throws(PipelineError) {
    try run.openDiagnostics()
    try run.openOutputs()
    _ = try run.write(make)
    try run.prepare()
    try run.publish()
    return Outcome(error: nil, statistics: run.statistics)
  } catch {
    run.abandon()
    return Outcome(error: error, statistics: run.statistics)
  }
}
