/// One run of a conversion: it reads the input once and writes every output in that one pass.
///
///     openDiagnostics ─▶ openOutputs ─▶ read ─▶ publish
///            ╰──────────────┴────────────┴────────┴────▶ abandon: the old files stay
///
/// The caller makes these calls in this order; after a throw it calls ``abandon()`` and nothing
/// else. Outputs are published together when the input has been checked to its very end, or not at
/// all. Rejects and statistics are diagnostics: they are written either way. Prints nothing; every
/// call blocks until it is done.
package struct Run: ~Copyable {
  private let conversion: Conversion
  private let counters: Counters
  private let start = MonotonicTime.now
  private let queue: OutputQueue
  private let diagnostics: Diagnostics
  private let outputs: Outputs

  package init(_ conversion: Conversion, counters: Counters) {
    self.conversion = conversion
    self.counters = counters
    queue = OutputQueue(conversion.writing, counters: counters)
    diagnostics = Diagnostics()
    outputs = Outputs(conversion, counters: counters, queue: queue)
  }

  /// Counts so far.
  package var statistics: Statistics {
    var statistics = Statistics(counters)
    statistics.written = outputs.written
    statistics.shares = outputs.shares
    statistics.unmatched = outputs.unmatched
    statistics.seconds = Double(MonotonicTime.now - start) * 1e-9
    return statistics
  }

  /// Opens the files for rejects and statistics. They come first: they report every failure from
  /// here on.
  package func openDiagnostics() throws(PipelineError) {
    try diagnostics.open(conversion, queue)
    queue.rejects = diagnostics.rejects
  }

  /// Opens the outputs and makes an encoder for each. With a ledger, it takes the feed's rows, and
  /// the calendars are its to write.
  package func openOutputs(_ ledger: (any EventLedger)? = nil) throws(PipelineError) {
    try outputs.open(ledger, rejects: diagnostics.rejects)
  }

  /// Reads the source to its end and checks it; returns the counts.
  ///
  /// `payload` takes the facts of an envelope's payload.
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
      conversion: conversion, parts: outputs.parts, options: options, counters: counters)
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

  /// Puts all outputs in place, then the ledger's new state, then the diagnostics.
  package func publish() throws(PipelineError) {
    try outputs.writeEvents()
    try diagnostics.finish(statistics)
    try outputs.publish()
    try diagnostics.publish()
  }

  /// Leaves the old outputs as they were; the diagnostics are published all the same.
  package func abandon() {
    outputs.abandon()
    // The first error is the one to report: later ones are dropped.
    try? diagnostics.finish(statistics)
    try? diagnostics.publish()
  }
}

/// Keeps a feed's events from run to run. A run gives it every row of the feed, and it gives the
/// calendars.
package protocol EventLedger: AnyObject {
  /// Makes the branch that takes all rows of the feed.
  func branch() throws(PipelineError) -> Branch
  /// Compares the feed with the events known so far; `stamp` is the content's time in seconds since
  /// 1970.
  func reconcile(stamp: Int) throws(PipelineError)
  /// Writes and finishes a calendar of the selected events. Returns the column that matched none.
  func writeCalendar(_ selection: RowSelection, into calendar: EventCalendar)
    throws(PipelineError) -> (column: String, nearest: [String])?
  /// Writes and finishes the list of changes.
  func writeChanges(into output: consuming QueuedOutput<OutputWriter>) throws(PipelineError)
  /// Makes the new state permanent, after the outputs have been published.
  func commit() throws(PipelineError)
}

/// The rows that a user asked for.
package struct RowSelection {
  /// As in ``Conversion/conditions``.
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
  private let queue: OutputQueue
  private let set = OutputSet()
  private var files: [Output] = []
  private var databases: [OpenDatabase] = []
  /// The calendars and the list of changes, which the ledger writes after the pass.
  private var calendars: [Box<QueuedOutput<OutputWriter>>] = []
  private var changes: [Box<QueuedOutput<OutputWriter>>] = []
  private(set) var ledger: (any EventLedger)?
  private(set) var parts: [ConversionPart] = []
  /// The totals of shares, as the pass has returned them.
  var shares: [Statistics.Share] = []
  /// The column that matched no event of the ledger.
  private var unmatchedEvents: (column: String, nearest: [String])?

  /// The column that matched nothing.
  var unmatched: (column: String, nearest: [String])? {
    unmatchedEvents ?? parts.lazy.compactMap(\.findings.unmatched).first
  }

  init(_ conversion: Conversion, counters: Counters, queue: OutputQueue) {
    self.conversion = conversion
    self.counters = counters
    self.queue = queue
  }

  /// Bytes by output.
  var written: [Statistics.Written] {
    files.map { Statistics.Written(path: $0.path, bytes: $0.bytesWritten) }
      + databases.compactMap(\.merged)
  }

  /// Opens all of them: whatever can be refused is refused before anything is fetched.
  func open(
    _ ledger: (any EventLedger)?, rejects: (any RejectReceiver)?
  ) throws(PipelineError) {
    self.ledger = ledger
    let tables = try conversion.chosenTables()
    parts = tables.map { table in
      ConversionPart(
        conversion.feed, table, counters: tables.count == 1 ? counters : Counters(),
        rejects: rejects)
    }
    for part in parts {
      for condition in conversion.conditions
      where !part.table.filterColumns.contains(condition.column) {
        throw PipelineError(
          .normalize(.noSuchColumn(condition.column, columns: part.table.filterColumns)))
      }
    }
    if let ledger { parts[0].branches.append(try ledger.branch()) }
    for output in conversion.outputs {
      switch output.format {
      case .sqlite: try openDatabase(output.destination)
      case .ics where ledger != nil: calendars.append(Box(try openFile(output.destination)))
      default:
        for index in parts.indices {
          let writer = try openFile(output.destination.named(by: parts[index].table))
          parts[index].branches.append(
            try .encoder(
              output.format, of: parts[index].table, in: conversion.feed,
              options: conversion.encoderOptions, into: writer, counters: parts[index].counters))
        }
      }
    }
    if ledger != nil, let destination = conversion.changes {
      changes = [Box(try openFile(destination))]
    }
  }

  private func openFile(
    _ destination: Conversion.Destination
  ) throws(PipelineError) -> QueuedOutput<OutputWriter> {
    let writer = try destination.open(in: set)
    files.append(writer.output)
    return QueuedOutput(into: writer, queue)
  }

  /// Opens a database for all tables: a new file, or with `--merge` the one that is there.
  private func openDatabase(_ destination: Conversion.Destination) throws(PipelineError) {
    guard case .file(let path) = destination else {
      throw PipelineError(sink: .notAFile(path: "-"))
    }
    let names = Set(parts.map(\.table.name))
    let views = conversion.feed.views.filter { names.contains($0.table) }
    let database: OpenDatabase
    if conversion.mergesDatabases, FileStatus(path: Array(path.utf8CString)) != nil {
      database = OpenDatabase(
        try OutputDatabase(path: path, as: path, views: views, isMerge: true), file: nil)
    } else {
      let file = try set.openForeign(path: path)
      files.append(file.output)
      database = OpenDatabase(
        try OutputDatabase(path: file.path, as: path, views: views, isMerge: false), file: file)
    }
    databases.append(database)
    for index in parts.indices {
      guard let tables = database.tables else { continue }
      var table = parts[index].table
      // SQLite refuses every change of a row that may name one of a table which is not there.
      table.references.removeAll { !names.contains($0.table) }
      let schema = TableSchema(table)
      parts[index].branches.append(
        Branch(try TableEncoder(schema, into: tables)))
    }
  }

  /// Completes the databases, so that their sizes are known.
  func finishDatabases() throws(PipelineError) {
    for database in databases { try database.finish() }
  }

  /// Writes the ledger's calendars and its list of changes.
  func writeEvents() throws(PipelineError) {
    guard let ledger else { return }
    let modified = counters.modified.value
    try ledger.reconcile(stamp: conversion.stamp ?? (modified == .min ? 0 : modified))
    let selection = RowSelection(
      conditions: conversion.conditions, from: conversion.from, to: conversion.to)
    for calendar in calendars {
      guard let writer = calendar.takeIfPresent() else { continue }
      let (feed, table) = (conversion.feed, conversion.feed.tables[0])
      let events = try EventCalendar(
        table, of: feed, try table.eventWithKey, options: conversion.encoderOptions.calendar,
        into: writer,
        counters: counters)
      unmatchedEvents = try ledger.writeCalendar(selection, into: events) ?? unmatchedEvents
    }
    for list in changes {
      if let writer = list.takeIfPresent() { try ledger.writeChanges(into: writer) }
    }
  }

  /// Renames the files into place, commits merged databases, then the ledger.
  func publish() throws(PipelineError) {
    try set.commit()
    for database in databases { try database.commit() }
    try ledger?.commit()
  }

  func abandon() { set.abandon() }
}

/// The reports of a run on itself: rejected records and counts. They are published however it ends.
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

  /// Puts both files in place, once.
  func publish() throws(PipelineError) {
    guard state == .finished else { return }
    state = .published
    try set.commit()
  }
}

extension Conversion {
  /// The options of its encoders.
  var encoderOptions: EncoderOptions {
    EncoderOptions(
      dialect: dialect,
      calendar: CalendarOptions(
        language: language, name: calendarName, alarms: alarms, stamp: stamp))
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

/// How a run ended.
public struct Outcome: Sendable {
  /// Why nothing was published; nil if all went well.
  public var error: PipelineError?
  /// Counts of the run, complete or not.
  public var statistics: Statistics
}

/// Runs a conversion of the source that `open` returns; `open` is called once the diagnostics are
/// open. Blocks until the end.
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
    try run.publish()
    return Outcome(error: nil, statistics: run.statistics)
  } catch {
    run.abandon()
    return Outcome(error: error, statistics: run.statistics)
  }
}

/// Pushes the input of a conversion through the stages: once, or twice where shares of a total are
/// wanted.
struct ConversionPass {
  let conversion: Conversion
  let parts: [ConversionPart]
  let options: NormalizerOptions
  let counters: Counters

  /// Reads the source to its end and returns the totals of its shares. `payload` collects the facts
  /// of an envelope's payload.
  func run(
    _ source: consuming Source, payload: PayloadFacts?
  ) throws(PipelineError) -> [Statistics.Share] {
    guard parts.contains(where: { $0.shares != nil }) else {
      try push(source, over: parts, options, payload: payload, counters: counters)
      return []
    }
    // Before a share can be written all rows have been added up: the input is read twice. The
    // first reading counts and refuses, the second one writes.
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
      part.rejects = nil
      return part
    }
    try push(input, over: uncounted, options.again, payload: nil, counters: Counters())
    return parts.flatMap { part in
      part.shares?.statistics(of: parts.count > 1 ? part.table.name : nil) ?? []
    }
  }

  /// Builds the pipeline behind the input and runs it.
  private func push<Input: ByteSource & ~Copyable>(
    _ input: consuming Input, over parts: [ConversionPart], _ options: NormalizerOptions,
    payload: PayloadFacts?, counters: Counters
  ) throws(PipelineError) {
    func rows(_ part: ConversionPart) -> Normalizer<FanOut> {
      var options = options
      (options.shares, options.rejects, options.findings) =
        (part.shares, part.rejects, part.findings)
      return Normalizer(
        part.table, of: part.feed, options: options, into: FanOut(part.branches),
        counters: part.counters)
    }
    let feed = conversion.feed
    let decoding = DecodingOptions(
      envelope: feed.envelope,
      unzip: UnzipOptions(
        entry: conversion.entry, maxSize: conversion.maxSize, clockOffset: feed.clockOffset),
      columns: parts.flatMap(\.table.keys), offload: conversion.offload, payload: payload)
    let watch = Watch(progress: conversion.progress, cancellation: conversion.cancellation)
    if let part = parts.first, parts.count == 1 {
      try input.push(into: rows(part), options: decoding, watch, counters: counters)
    } else {
      let branches = parts.map { TokenBranch(rows($0)) }
      try input.push(into: TokenFanOut(branches), options: decoding, watch, counters: counters)
    }
  }
}

/// One table of a run: what reads it, and who takes its rows.
struct ConversionPart {
  let table: Table
  let feed: Feed
  var counters: Counters
  var branches: [Branch] = []
  /// Who hears of the records that are refused.
  var rejects: (any RejectReceiver)?
  /// The totals of its shares; nil if it has none.
  let shares: ShareTotals?
  let findings = RowFindings()

  init(_ feed: Feed, _ table: Table, counters: Counters, rejects: (any RejectReceiver)?) {
    self.table = table
    self.feed = feed
    self.counters = counters
    self.rejects = rejects
    shares = ShareTotals(table)
  }
}
