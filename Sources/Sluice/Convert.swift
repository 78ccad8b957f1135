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
    queue = OutputQueue(conversion.writing, counters: counters)
    diagnostics = Diagnostics()
    outputs = Outputs(conversion, counters: counters, date: date, queue: queue)
  }

  /// The counts so far.
  package var statistics: Statistics {
    var statistics = Statistics(counters, date: date)
    statistics.written = outputs.written
    statistics.shares = outputs.shares
    statistics.unmatched = outputs.unmatched
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
  /// the calendars. Throws if a table or a column does not exist, or if an output cannot be opened.
  package func openOutputs(_ ledger: (any EventLedger)? = nil) throws(PipelineError) {
    try outputs.open(ledger, rejects: diagnostics.rejects)
  }

  /// Reads and checks the source to its end. Returns the counts, or throws the first error.
  ///
  /// `payload` collects the facts of an envelope's payload.
  package func read(
    _ source: consuming Source, payload: PayloadFacts? = nil
  ) throws(PipelineError) -> Statistics {
    let tables = outputs.parts.map(\.counters).filter { $0 !== counters }
    queue.allCounters += tables
    let options = NormalizerOptions(
      conditions: conversion.conditions, from: conversion.from, to: conversion.to,
      limit: conversion.rejectLimit,
      tracksAllRows: outputs.ledger != nil || conversion.mergesDatabases)
    let pass = ConversionPass(
      conversion: conversion, parts: outputs.parts, options: options, counters: counters,
      date: date)
    var failure: PipelineError?
    do throws(PipelineError) {
      outputs.shares = try pass.run(source, payload: payload)
    } catch {
      failure = error
    }
    failure = queue.end(after: failure)
    for table in tables { counters.add(table) }
    if let failure { throw failure }
    try outputs.finishDatabases()
    return statistics
  }

  /// Completes all outputs and the ledger's new state, and brings them to the disk. Nothing is in
  /// place yet. Throws if one of them cannot be written.
  package func prepare() throws(PipelineError) {
    try outputs.writeEvents()
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
  /// Throws if one of them cannot be written. Where the ledger fails, the new outputs stand.
  package func publish() throws(PipelineError) {
    try outputs.publish()
    try diagnostics.publish()
  }

  /// Leaves the old outputs unchanged. The diagnostics are still published.
  package func abandon() {
    outputs.abandon()
    // The first error is reported. Later errors are dropped.
    try? diagnostics.finish(statistics)
    try? diagnostics.publish()
  }
}

/// Keeps a feed's events from run to run. It receives every row of the feed and writes the
/// calendars. Its methods throw the errors of the ledger and of the outputs.
package protocol EventLedger: AnyObject {
  /// Makes the branch that receives all rows of the feed. It counts in `counters` the rows that it
  /// leaves out, because their address has the number of another one.
  func branch(_ counters: Counters) throws(PipelineError) -> Branch
  /// Compares the feed with the known events. `stamp` is the content's time in seconds since 1970.
  func reconcile(stamp: Int) throws(PipelineError)
  /// Writes and finishes a calendar of the selected events. Returns the column that matched no
  /// event, with its nearest values; nil if there is none.
  func writeCalendar(_ selection: RowSelection, into calendar: EventCalendar)
    throws(PipelineError) -> (column: String, nearest: [String])?
  /// Writes and finishes the list of changes.
  func writeChanges(into output: consuming QueuedOutput<OutputWriter>) throws(PipelineError)
  /// Writes the new state to the disk, so that ``commit()`` needs no more room. Called once, before
  /// the outputs are published.
  func prepare() throws(PipelineError)
  /// Makes the new state permanent, after the outputs have been published.
  func commit() throws(PipelineError)
}

/// The rows that a user selected.
package struct RowSelection {
  /// The conditions, as in ``Conversion/conditions``.
  package var conditions: [Condition] = []
  /// The first and the last of the days, both inclusive.
  package var from: Day?
  package var to: Day?

  init(conditions: [Condition] = [], from: Day? = nil, to: Day? = nil) {
    self.conditions = conditions
    self.from = from
    self.to = to
  }
}

/// The outputs of one run.
private final class Outputs {
  private let conversion: Conversion
  private let counters: Counters
  private let date: ContentDate
  private let queue: OutputQueue
  private let set = OutputSet()
  private var files: [Output] = []
  private var databases: [OpenDatabase] = []
  /// The calendars and the list of changes. The ledger writes them after the pass.
  private var calendars: [Box<QueuedOutput<OutputWriter>>] = []
  private var changes: [Box<QueuedOutput<OutputWriter>>] = []
  private(set) var ledger: (any EventLedger)?
  /// The paths of the outputs that the ledger writes.
  private var ledgerPaths: Set<String> = []
  private(set) var parts: [ConversionPart] = []
  /// The totals of shares, returned by the pass.
  var shares: [Statistics.Share] = []
  /// The column that matched no event of the ledger, with its nearest values.
  private var unmatchedEvents: (column: String, nearest: [String])?

  /// The column that matched nothing, with its nearest values.
  var unmatched: (column: String, nearest: [String])? {
    unmatchedEvents ?? parts.lazy.compactMap(\.findings.unmatched).first
  }

  init(_ conversion: Conversion, counters: Counters, date: ContentDate, queue: OutputQueue) {
    self.conversion = conversion
    self.counters = counters
    self.date = date
    self.queue = queue
  }

  /// The bytes written to each output.
  var written: [Statistics.Written] {
    files.map { Statistics.Written(path: $0.path, bytes: $0.bytesWritten) }
      + databases.compactMap(\.merged)
  }

  /// Opens all outputs. Every check that needs no input is made before the input is fetched.
  func open(
    _ ledger: (any EventLedger)?, rejects: (any RejectReceiver)?
  ) throws(PipelineError) {
    self.ledger = ledger
    let tables = try conversion.chosenTables()
    parts = tables.map { table in
      ConversionPart(
        table, counters: tables.count == 1 ? counters : Counters(), rejects: rejects)
    }
    for part in parts {
      for condition in conversion.conditions
      where !part.table.filterColumns.contains(condition.column) {
        throw PipelineError(
          .normalize(.noSuchColumn(condition.column, columns: part.table.filterColumns)))
      }
    }
    if let ledger { parts[0].branches.append(try ledger.branch(parts[0].counters)) }
    for output in conversion.outputs {
      switch output.format {
      case .sqlite: try openDatabase(output.destination)
      case .ics where ledger != nil:
        calendars.append(Box(try openLedgerFile(output.destination)))
      default:
        for index in parts.indices {
          let writer = try openFile(output.destination.named(by: parts[index].table))
          parts[index].branches.append(
            try .encoder(
              output.format, of: parts[index].table, in: conversion.feed,
              options: conversion.encoderOptions(date), into: writer,
              counters: parts[index].counters))
        }
      }
    }
    if ledger != nil, let destination = conversion.changes {
      changes = [Box(try openLedgerFile(destination))]
    }
  }

  /// Opens an output that the ledger writes.
  private func openLedgerFile(
    _ destination: Conversion.Destination
  ) throws(PipelineError) -> QueuedOutput<OutputWriter> {
    if case .file(let path) = destination { ledgerPaths.insert(path) }
    return try openFile(destination)
  }

  private func openFile(
    _ destination: Conversion.Destination
  ) throws(PipelineError) -> QueuedOutput<OutputWriter> {
    let writer = try destination.open(in: set)
    files.append(writer.output)
    return QueuedOutput(into: writer, queue)
  }

  /// Opens a database for all tables: a new file, or with `--merge` an existing one.
  private func openDatabase(_ destination: Conversion.Destination) throws(PipelineError) {
    guard case .file(let path) = destination else {
      throw PipelineError(sink: .notAFile(path: "-"))
    }
    let names = Set(parts.map(\.table.name))
    let views = conversion.feed.views.filter { names.contains($0.table) }
    let database: OpenDatabase
    if conversion.mergesDatabases, let file = try OutputTarget.existingFile(path) {
      database = OpenDatabase(
        try OutputDatabase(file, as: path, views: views, isMerge: true), file: nil)
    } else {
      let output = try set.openForeign(path: path)
      files.append(output.output)
      database = OpenDatabase(
        try OutputDatabase(output.file, as: path, views: views, isMerge: false), file: output)
    }
    databases.append(database)
    for index in parts.indices {
      guard let tables = database.tables else { continue }
      var table = parts[index].table
      // SQLite rejects every change of a row with a possible reference to a missing table.
      table.references.removeAll { !names.contains($0.table) }
      let schema = TableSchema(table)
      parts[index].branches.append(
        Branch(try TableEncoder(schema, into: tables)))
    }
  }

  /// Finishes the databases, so that their sizes are known.
  func finishDatabases() throws(PipelineError) {
    for database in databases { try database.finish() }
  }

  /// Writes the ledger's calendars and its list of changes.
  func writeEvents() throws(PipelineError) {
    guard let ledger else { return }
    try ledger.reconcile(stamp: conversion.stamp ?? date.seconds ?? 0)
    let selection = RowSelection(
      conditions: conversion.conditions, from: conversion.from, to: conversion.to)
    for calendar in calendars {
      guard let writer = calendar.takeIfPresent() else { continue }
      let (feed, table) = (conversion.feed, conversion.feed.tables[0])
      let events = try EventCalendar(
        table, of: feed, try table.eventWithKey, options: conversion.encoderOptions(date).calendar,
        into: writer, counters: counters)
      unmatchedEvents = try ledger.writeCalendar(selection, into: events) ?? unmatchedEvents
    }
    for list in changes {
      if let writer = list.takeIfPresent() { try ledger.writeChanges(into: writer) }
    }
  }

  /// Brings the files and the ledger's new state to the disk.
  func prepare() throws(PipelineError) {
    try set.prepare()
    try ledger?.prepare()
  }

  /// The outputs that show what the ledger has published.
  func evidence() throws(PipelineError) -> [(path: String, content: Fingerprint)] {
    let prepared = try set.fingerprints()
    let shown = prepared.filter { ledgerPaths.contains($0.path) }
    return ledgerPaths.isEmpty ? prepared : shown
  }

  /// Renames the files into place, then commits the merged databases, then the ledger.
  func publish() throws(PipelineError) {
    try set.publish()
    for database in databases { try database.commit() }
    try ledger?.commit()
  }

  func abandon() { set.abandon() }
}

/// The reports about a run: rejected records and counts. They are published after success and
/// failure.
private final class Diagnostics {
  private enum State { case closed, open, finished, published }

  private let set = OutputSet(endsWithItsReaders: false)
  private var state = State.closed
  private(set) var rejects: RejectEncoder<QueuedOutput<OutputWriter>>?
  private var report: Box<OutputWriter>?

  func open(_ conversion: Conversion, _ queue: OutputQueue) throws(PipelineError) {
    rejects = try conversion.rejects.map { (destination) throws(PipelineError) in
      RejectEncoder(into: QueuedOutput(into: try destination.open(in: set), queue))
    }
    report = try conversion.statistics.map { (destination) throws(PipelineError) in
      Box(try destination.open(in: set))
    }
    state = .open
  }

  /// Writes the counts and ends both files. A second call does nothing.
  func finish(_ statistics: Statistics) throws(PipelineError) {
    guard state == .open else { return }
    state = .finished
    try rejects?.finish()
    if var writer = report?.takeIfPresent() {
      try writer.write(StatisticsEncoder.encode(statistics))
      try writer.finish()
    }
  }

  /// Moves both files into place, once.
  func publish() throws(PipelineError) {
    guard state == .finished else { return }
    state = .published
    try set.commit()
  }
}

extension Conversion {
  /// The options for its encoders. `date` is that of the content.
  func encoderOptions(_ date: ContentDate) -> EncoderOptions {
    EncoderOptions(
      dialect: dialect,
      calendar: CalendarOptions(
        language: language, name: calendarName, alarms: alarms, stamp: stamp, date: date))
  }
}

extension Conversion.Destination {
  fileprivate func open(in set: OutputSet) throws(PipelineError) -> OutputWriter {
    switch self {
    case .standardOutput: set.openStandardOutput()
    case .file(let path): try set.open(path: path)
    }
  }
}

/// The outcome of a run.
public struct Outcome: Sendable {
  /// The error that prevented publication; nil after success.
  public var error: PipelineError?
  /// The counts of the run, complete or partial.
  public var statistics: Statistics
}

/// Runs a conversion of the source returned by `open`, and returns its outcome. `open` is called
/// after the diagnostics are open. Blocks until the end.
package func convert(
  _ conversion: Conversion, _ ledger: (any EventLedger)? = nil, counters: Counters,
  from open: () throws(PipelineError) -> Source
) -> Outcome {
  let run = Run(conversion, counters: counters)
  do throws(PipelineError) {
    try run.openDiagnostics()
    let source = try open()
    try run.openOutputs(ledger)
    _ = try run.read(source)
    try run.prepare()
    try run.publish()
    return Outcome(error: nil, statistics: run.statistics)
  } catch {
    run.abandon()
    return Outcome(error: error, statistics: run.statistics)
  }
}

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
      columns: parts.flatMap(\.table.keys), offload: conversion.offload, payload: payload)
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

  init(_ table: Table, counters: Counters, rejects: (any RejectReceiver)?) {
    self.table = table
    self.counters = counters
    eventCounters = counters
    self.rejects = rejects
    shares = ShareTotals(table)
  }
}
