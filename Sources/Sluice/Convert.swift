/// Runs a conversion: reads the input once and writes every output in that one pass.
///
/// Outputs are published together when the input has been checked to its very end, or not at all.
/// Refused records and statistics are written either way. Prints nothing; blocks until the end.
public func convert(_ conversion: Conversion) -> Outcome {
  var steps = PlainSteps(conversion)
  let outcome = convert(conversion, &steps)
  return steps.end(outcome)
}

/// Runs a conversion with what else belongs to it.
func convert<Steps: RunSteps & ~Copyable>(
  _ conversion: Conversion, _ steps: inout Steps
) -> Outcome {
  var run = Run(conversion)
  do throws(PipelineError) {
    try run.perform(&steps)
    return Outcome(error: nil, statistics: run.statistics)
  } catch {
    return Outcome(error: error, statistics: run.statistics)
  }
}

/// The outputs of one run, and what it takes to end it well.
private struct Run: ~Copyable {
  private let conversion: Conversion
  private let tally: Tally
  private let start = MonotonicTime.now
  private let outputs = OutputSet()
  private let diagnostics = OutputSet(endsWithItsReaders: false)
  private var written: [Output] = []
  private var databases: [OpenDatabase] = []
  /// Calendars and the list of changes that wait for the ledger.
  private var calendars: [Box<QueuedOutput<OutputWriter>>] = []
  private var changes: Box<QueuedOutput<OutputWriter>>?
  private var rejects: RejectEncoder<QueuedOutput<OutputWriter>>?
  private let queue: OutputQueue
  private(set) var statistics: Statistics

  init(_ conversion: Conversion) {
    self.conversion = conversion
    tally = conversion.tally
    queue = OutputQueue(conversion.writing, tally: tally)
    statistics = Statistics(tally)
  }

  mutating func perform<Steps: RunSteps & ~Copyable>(_ steps: inout Steps) throws(PipelineError) {
    // Diagnostics first: they tell of everything that goes wrong from here on.
    rejects = try conversion.rejects.map { (destination) throws(PipelineError) in
      RejectEncoder(into: QueuedOutput(into: try open(destination, in: diagnostics), queue))
    }
    queue.rejects = rejects
    let report = try conversion.statistics.map { (destination) throws(PipelineError) in
      Box(try open(destination, in: diagnostics))
    }
    do throws(PipelineError) {
      // Whatever can be refused is refused before anything is fetched.
      try steps.begin()
      let parts = try openOutputs(steps.ledger)
      try run(try steps.source(), into: parts, steps)
      for database in databases { try database.finish() }
      statistics = Statistics(tally)
      try steps.judge(statistics)
      if let ledger = steps.ledger { try writeLedger(ledger, steps.today) }
      try endDiagnostics(report)
    } catch {
      outputs.abandon()
      // The first error is the one to hear of: what else fails now is dropped.
      try? endDiagnostics(report)
      try? diagnostics.commit()
      throw error
    }
    do throws(PipelineError) {
      try outputs.commit()
      for database in databases { try database.commit() }
      try steps.ledger?.commit()
    } catch {
      try? diagnostics.commit()
      throw error
    }
    try diagnostics.commit()
  }

  /// Runs the pipeline behind the source, until all its threads have ended.
  private func run<Steps: RunSteps & ~Copyable>(
    _ source: consuming Source, into parts: [ConversionPart], _ steps: borrowing Steps
  ) throws(PipelineError) {
    let tables = parts.map(\.tally).filter { $0 !== tally }
    queue.tallies += tables
    var failure: PipelineError?
    let options = NormalizerOptions(
      conditions: conversion.conditions, from: conversion.from, to: conversion.to,
      limit: conversion.rejectLimit, keepsBook: steps.ledger != nil || conversion.mergesDatabases)
    let pass = ConversionPass(conversion: conversion, parts: parts, options: options)
    do throws(PipelineError) {
      try pass.run(source, payload: steps.payload)
    } catch {
      failure = error
    }
    failure = queue.end(after: failure)
    for table in tables { tally.add(table) }
    if let failure { throw failure }
  }

  /// Opens the outputs and makes an encoder for each; where there is a ledger, it takes the rows
  /// for the calendars.
  private mutating func openOutputs(
    _ ledger: LedgerSession?
  ) throws(PipelineError) -> [ConversionPart] {
    let tables = try conversion.chosenTables()
    var parts = tables.map { table in
      ConversionPart(
        conversion.feed, table, tally: tables.count == 1 ? tally : Tally(), rejects: rejects)
    }
    for part in parts {
      for condition in conversion.conditions
      where !part.feed.filterColumns.contains(condition.column) {
        throw PipelineError(
          .normalize(.noSuchColumn(condition.column, columns: part.feed.filterColumns)))
      }
    }
    if let branch = try ledger?.branch() { parts[0].branches.append(branch) }
    for output in conversion.outputs {
      switch output.format {
      case .sqlite: try openDatabase(output.destination, &parts)
      case .ics where ledger != nil:
        calendars.append(Box(try openCounted(output.destination)))
      case .csv, .ndjson, .ics:
        for index in parts.indices {
          let writer = try openCounted(output.destination.named(by: parts[index].table))
          parts[index].branches.append(try branch(output.format, of: parts[index], into: writer))
        }
      }
    }
    if ledger != nil, let destination = conversion.changes {
      changes = Box(try openCounted(destination))
    }
    return parts
  }

  private mutating func openCounted(_ destination: Conversion.Destination)
    throws(PipelineError) -> QueuedOutput<OutputWriter>
  {
    let writer = try open(destination, in: outputs)
    written.append(writer.output)
    return QueuedOutput(into: writer, queue)
  }

  /// Opens a database for all tables: a new file, or the one that is there.
  private mutating func openDatabase(
    _ destination: Conversion.Destination, _ parts: inout [ConversionPart]
  ) throws(PipelineError) {
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
      let file = try outputs.openForeign(path: path)
      written.append(file.output)
      database = OpenDatabase(
        try OutputDatabase(path: file.path, as: path, views: views, isMerge: false), file: file)
    }
    databases.append(database)
    for index in parts.indices {
      guard let tables = database.tables else { continue }
      var table = parts[index].table
      // SQLite refuses every change of a row that may name one of a table which is not there.
      table.references.removeAll { !names.contains($0.table) }
      let schema = TableSchema(table, of: conversion.feed)
      parts[index].branches.append(
        Branch(try TableEncoder(schema, into: tables)))
    }
  }

  /// Writes what the ledger makes of the feed.
  private mutating func writeLedger(_ ledger: LedgerSession, _ today: Day) throws(PipelineError) {
    let modified = tally.modified.value
    try ledger.reconcile(
      today: today, stamp: conversion.stamp ?? (modified == .min ? 0 : modified))
    let wanted = LedgerQuery(
      conditions: conversion.conditions, from: conversion.from, to: conversion.to)
    for calendar in calendars {
      guard let writer = calendar.take() else { continue }
      try ledger.writeCalendar(calendarOptions, wanted: wanted, into: writer, tally: tally)
    }
    if let writer = changes?.take() { try ledger.writeChanges(into: writer) }
  }

  /// Makes an encoder: a new format is one more case.
  private func branch(
    _ format: Format, of part: ConversionPart, into writer: consuming QueuedOutput<OutputWriter>
  ) throws(PipelineError) -> Branch {
    let (feed, tally) = (part.feed, part.tally)
    switch format {
    case .csv:
      return Branch(
        CSVEncoder(feed, dialect: conversion.dialect, into: writer, tally: tally))
    case .ndjson:
      return Branch(NDJSONEncoder(feed, into: writer))
    case .ics:
      // An event without an address would have nothing to be known by.
      guard let event = feed.event, feed.address != nil else {
        throw PipelineError(.normalize(.noEvents))
      }
      return try .calendar(feed, event, options: calendarOptions, into: writer, tally: tally)
    case .sqlite: preconditionFailure("a database has no writer")
    }
  }

  private var calendarOptions: CalendarOptions {
    CalendarOptions(
      language: conversion.language, name: conversion.calendarName, alarms: conversion.alarms,
      stamp: conversion.stamp)
  }

  private func open(_ destination: Conversion.Destination, in set: OutputSet)
    throws(PipelineError) -> OutputWriter
  {
    switch destination {
    case .standardOutput: set.openStandardOutput()
    case .file(let path): try set.open(path: path)
    }
  }

  /// Counts, and writes what was counted and what was refused.
  private mutating func endDiagnostics(_ report: Box<OutputWriter>?) throws(PipelineError) {
    statistics = Statistics(tally)
    statistics.written =
      written.map { Statistics.Written(path: $0.path, bytes: $0.bytesWritten) }
      + databases.compactMap(\.merged)
    statistics.seconds = Double(MonotonicTime.now - start) * 1e-9
    try rejects?.finish()
    if var writer = report?.take() {
      try writer.write(StatisticsEncoder.encode(statistics))
      try writer.finish()
    }
  }
}

/// Holds a value that cannot be copied until it is wanted.
private final class Box<Value: ~Copyable> {
  private var value: Value?
  init(_ value: consuming Value) { self.value = consume value }
  func take() -> Value? { value.take() }
}

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

/// One table of a run: what reads it, and who takes its rows.
struct ConversionPart {
  let table: Table
  let feed: Feed
  var tally: Tally
  var branches: [Branch] = []
  /// Who hears of the records that are refused.
  var rejects: (any RejectReceiver)?
  /// What its shares are of, where it has some.
  let shares: ShareTotals?

  init(_ feed: Feed, _ table: Table, tally: Tally, rejects: (any RejectReceiver)?) {
    self.table = table
    self.feed = feed.only(table)
    self.tally = tally
    self.rejects = rejects
    shares = ShareTotals(self.feed)
  }
}

/// What surrounds the pass of a conversion.
///
///     begin ─▶ outputs are opened ─▶ source ─▶ the pass ─▶ judge ─▶ outputs are published
///
/// Each is called once, in this order; where one throws, nothing is published and the rest is not
/// called.
protocol RunSteps: ~Copyable {
  /// Hears what can be known of an envelope's payload; nil where nobody wants to know.
  var payload: PayloadFacts? { get }
  /// Refuses what can be refused before an output is opened.
  mutating func begin() throws(PipelineError)
  /// Gives the input. To fetch it takes time: what can be refused has been by then.
  mutating func source() throws(PipelineError) -> Source
  /// The ledger that keeps book of the feed; nil where calendars number their events themselves.
  var ledger: LedgerSession? { get }
  /// The day that a ledger's rules ask for.
  var today: Day { get }
  /// Judges what the pass has counted, before anything is published.
  mutating func judge(_ statistics: Statistics) throws(PipelineError)
}

/// A conversion of its own input, with nothing else to it.
struct PlainSteps: RunSteps, ~Copyable {
  private let conversion: Conversion
  private var opened: Source?
  /// What is asked, where the input is a feed's own requests.
  private var requests: RequestCollection?

  init(_ conversion: Conversion) { self.conversion = conversion }

  /// Hears how the run has ended, and says what was missing of it.
  consuming func end(_ outcome: Outcome) -> Outcome {
    var outcome = outcome
    requests?.forget(after: outcome.error)
    outcome.shortfall = requests?.shortfall
    outcome.doubt = requests?.doubt
    outcome.outdated = requests?.outdated ?? 0
    return outcome
  }

  var payload: PayloadFacts? { nil }
  var ledger: LedgerSession? { nil }
  var today: Day { Day(number: 0) }

  mutating func begin() throws(PipelineError) {
    let source = try Source(conversion)
    requests = source.requests
    opened = consume source
  }

  mutating func source() throws(PipelineError) -> Source {
    if let source = opened.take() { return source }
    return try Source(conversion)
  }

  mutating func judge(_ statistics: Statistics) {}
}
