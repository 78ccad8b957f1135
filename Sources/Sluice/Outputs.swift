/// The outputs of one run.
final class Outputs {
  private let conversion: Conversion
  private let counters: Counters
  private let date: ContentDate
  private let queue: OutputQueue
  private let set = OutputSet()
  /// The files, each with the tables in it.
  private var files: [(output: Output, tables: Range<Int>)] = []
  private var databases: [OpenDatabase] = []
  /// The sites, each with the table in it.
  private var sites: [(site: SiteEncoder, table: Int)] = []
  /// The calendars and the list of changes. The ledger writes them after the pass.
  private var calendars: [Box<QueuedOutput<OutputWriter>>] = []
  private var changes: [Box<QueuedOutput<OutputWriter>>] = []
  private(set) var ledger: (any EventLedger)?
  /// The paths of the outputs that the ledger writes.
  private var ledgerPaths: Set<String> = []
  /// The outputs with columns in their names, and the list of their files.
  let splits: SplitOutputs
  private var fileIndex: [Box<OutputWriter>] = []
  private(set) var parts: [ConversionPart] = []
  /// The totals of shares, returned by the pass.
  var shares: [Statistics.Share] = []
  /// The place that was chosen, returned by the pass.
  var place: ChosenPlace?
  /// The column that matched no event of the ledger, with its nearest values.
  private var unmatchedEvents: (column: String, nearest: [String])?

  /// Whether the selection kept no row, or none of a table whose file had some.
  private(set) var isSelectionEmpty = false
  /// The paths of the files that stay as they are because of that.
  private(set) var unchanged: [String] = []
  /// The names of the tables without a row, if only some have none.
  var emptyTables: [String] {
    let empty = parts.filter(\.isEmpty).map(\.table.name)
    return empty.count < parts.count ? empty : []
  }

  /// The column that matched nothing, with its nearest values.
  var unmatched: (column: String, nearest: [String])? {
    unmatchedEvents ?? parts.lazy.compactMap(\.findings.unmatched).first
  }

  /// The places that come nearest to conditions that no record matches.
  var nearPlaces: [NamedPlace] {
    parts.first?.nearPlaces ?? []
  }

  init(_ conversion: Conversion, counters: Counters, date: ContentDate, queue: OutputQueue) {
    self.conversion = conversion
    self.counters = counters
    self.date = date
    self.queue = queue
    splits = SplitOutputs(conversion, counters: counters, measure: queue.measure)
  }

  /// The bytes written to each output.
  var written: [Statistics.Written] {
    let all =
      files.map { Statistics.Written(path: $0.output.path, bytes: $0.output.bytesWritten) }
      + sites.map {
        Statistics.Written(path: $0.site.folder.path, bytes: $0.site.folder.bytesWritten)
      }
      + splits.written + databases.compactMap(\.merged)
    return all.filter { !unchanged.contains($0.path) }
  }

  /// Opens all outputs. Every check that needs no input is made before the input is fetched.
  func open(
    _ ledger: (any EventLedger)?, rejects: (any RejectReceiver)?
  ) throws(PipelineError) {
    self.ledger = ledger
    let tables = try conversion.chosenTables()
    parts = tables.map { table in
      ConversionPart(
        table, counters: tables.count == 1 ? counters : Counters(), rejects: rejects,
        conditions: conversion.conditions)
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
      case .ics where ledger != nil && output.destination.namesColumns:
        try splits.openForLedger(output, of: parts[0].table)
      case _ where output.destination.namesColumns:
        for index in parts.indices {
          parts[index].branches.append(
            try splits.open(
              output, of: parts[index],
              options: conversion.encoderOptions(
                date,
                ofOnePlace: parts[index].table.isOnePlace(named: output.destination.columnPlaces))))
        }
      case .sqlite: try openDatabase(output.destination)
      case .site: try openSites(output.destination)
      case .ics where ledger != nil:
        calendars.append(Box(try openLedgerFile(output.destination)))
      default:
        for index in parts.indices {
          let writer = try openFile(
            output.destination.named(by: parts[index].table), of: index..<index + 1)
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
    if let destination = conversion.fileIndex {
      let writer = try destination.open(in: set)
      files.append((writer.output, parts.indices))
      fileIndex = [Box(writer)]
    }
    addMeters()
  }

  /// Has the databases and the ledger measured while rows come in.
  private func addMeters() {
    guard !databases.isEmpty || ledger != nil else { return }
    for index in parts.indices {
      parts[index].branches.append(
        Branch(
          RowMeter { [databases, ledger, measure = queue.measure] () throws(PipelineError) in
            try Self.measure(databases, ledger, measure)
          }))
    }
  }

  /// Measures the databases and the ledger. Throws if they have grown beyond the limit.
  func measureDatabases() throws(PipelineError) {
    try Self.measure(databases, ledger, queue.measure)
  }

  private static func measure(
    _ databases: [OpenDatabase], _ ledger: (any EventLedger)?, _ measure: OutputMeasure
  ) throws(PipelineError) {
    var growth = try ledger?.growth() ?? 0
    for database in databases { growth += try database.growth() }
    try measure.set(growth: growth)
  }

  /// Opens an output that the ledger writes.
  private func openLedgerFile(
    _ destination: Conversion.Destination
  ) throws(PipelineError) -> QueuedOutput<OutputWriter> {
    if case .file(let path) = destination { ledgerPaths.insert(path) }
    return try openFile(destination, of: 0..<1)
  }

  private func openFile(
    _ destination: Conversion.Destination, of tables: Range<Int>
  ) throws(PipelineError) -> QueuedOutput<OutputWriter> {
    let writer = try destination.open(in: set)
    files.append((writer.output, tables))
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
      files.append((output.output, parts.indices))
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

  /// Opens a site for each table.
  private func openSites(_ destination: Conversion.Destination) throws(PipelineError) {
    for index in parts.indices {
      guard case .file(let path) = destination.named(by: parts[index].table) else {
        throw PipelineError(sink: .notAFolder(path: "-"))
      }
      let site = try SiteEncoder(
        path: path, of: parts[index].table, in: conversion.feed,
        options: conversion.encoderOptions(date), hasLedger: ledger != nil, set, queue,
        counters: parts[index].counters)
      parts[index].branches += site.branches
      sites.append((site, index))
      if ledger != nil { ledgerPaths.insert(site.folder.evidencePath) }
    }
  }

  /// Finishes the databases, so that their sizes are known.
  func finishDatabases() throws(PipelineError) {
    for database in databases { try database.finish() }
  }

  /// Writes the files of the sites that are made after the pass.
  func writeSites() throws(PipelineError) {
    for (site, table) in sites {
      var status: SiteStatus?
      if !conversion.leavesStatus { status = SiteStatus(parts[table].counters) }
      try site.finish(status: status)
    }
  }

  /// Writes the ledger's calendars and its list of changes.
  func writeEvents() throws(PipelineError) {
    guard let ledger else { return }
    // Only now, because a source that cannot be read is the plainer error.
    for output in conversion.outputs where output.format == .ics {
      if case .file(let path) = output.destination, !output.destination.namesColumns {
        try ledger.examine(calendar: path)
      }
    }
    try splits.examine(with: ledger)
    for (site, _) in sites where ledger.examinesSites {
      for path in site.standingCalendars { try ledger.examine(calendar: path) }
    }
    try ledger.reconcile(stamp: conversion.stamp ?? date.seconds ?? 0)
    let selection = RowSelection(
      conditions: conversion.conditions, place: place?.conditions ?? [],
      from: conversion.from, to: conversion.to)
    for calendar in calendars {
      guard let writer = calendar.takeIfPresent() else { continue }
      let (feed, table) = (conversion.feed, conversion.feed.tables[0])
      let events = try EventCalendar(
        table, of: feed, try table.eventWithKey, options: conversion.encoderOptions(date).calendar,
        into: writer, counters: counters)
      unmatchedEvents = try ledger.writeCalendar(selection, into: events) ?? unmatchedEvents
    }
    for files in splits.ledgerFiles {
      let (feed, table) = (conversion.feed, conversion.feed.tables[0])
      let events = try EventCalendar(
        table, of: feed, try table.eventWithKey,
        options: conversion.encoderOptions(
          date, ofOnePlace: table.isOnePlace(named: files.pattern.names)
        ).calendar, into: files, counters: counters)
      unmatchedEvents = try ledger.writeCalendar(selection, into: events) ?? unmatchedEvents
    }
    for (site, _) in sites {
      unmatchedEvents = try ledger.writeCalendar(selection, into: site.events) ?? unmatchedEvents
      try ledger.writeHistory(selection) { (record, history) throws(PipelineError) in
        try site.add(history, of: record)
      }
    }
    for list in changes {
      if let writer = list.takeIfPresent() { try ledger.writeChanges(into: writer) }
    }
  }

  /// Writes the files that have columns in their names, and their list.
  func writeFiles() throws(PipelineError) {
    try splits.write(to: set)
    for list in fileIndex {
      if let writer = list.takeIfPresent() { try splits.writeIndex(into: writer) }
    }
  }

  /// Brings the files and the ledger's new state to the disk.
  func prepare() throws(PipelineError) {
    try set.prepare()
    try splits.prepare()
    try ledger?.prepare()
  }

  /// The outputs that show what the ledger has published.
  func evidence() throws(PipelineError) -> [(path: String, content: Fingerprint)] {
    let prepared = try set.fingerprints()
    let shown = prepared.filter { ledgerPaths.contains($0.path) }
    let isOfLedger = !ledgerPaths.isEmpty || !splits.ledgerFiles.isEmpty
    return (isOfLedger ? shown : prepared) + splits.evidence(ofLedger: isOfLedger, among: prepared)
  }

  /// Keeps the files that exist as they are if a selection keeps no row at all, or none for a file
  /// that had some. Merged databases are not committed then. New files are made.
  func keepFilesIfEmpty() throws(PipelineError) {
    guard conversion.isSelective else { return }
    let isEmpty = parts.allSatisfy(\.isEmpty)
    let emptied = files.filter { parts[$0.tables].allSatisfy(\.isEmpty) }.map(\.output)
    let emptiedSites = sites.filter { parts[$0.table].isEmpty }.map(\.site.folder)
    unchanged = set.keepFiles(always: isEmpty, ifChanged: emptied, emptiedSites)
    if !unchanged.isEmpty { unchanged += try splits.keepFiles() }
    isSelectionEmpty = isEmpty || !unchanged.isEmpty
    if isSelectionEmpty { unchanged += databases.compactMap(\.merged?.path) }
  }

  /// Renames the files into place, then commits the merged databases, then the ledger.
  func publish() throws(PipelineError) {
    try splits.commit()
    do throws(PipelineError) {
      try set.publish()
    } catch {
      splits.revoke()
      throw error
    }
    try splits.publish()
    if !isSelectionEmpty {
      for database in databases { try database.commit() }
    }
    try ledger?.commit()
  }

  func abandon() {
    set.abandon()
    splits.abandon()
  }
}

extension Conversion {
  /// The options for its encoders. `date` is that of the content. `isOfOnePlace` says that each file of
  /// the output is about one place.
  func encoderOptions(_ date: ContentDate, ofOnePlace isOfOnePlace: Bool = false) -> EncoderOptions
  {
    EncoderOptions(
      dialect: dialect, headerLanguage: headerRow == .labels ? readerLanguage : nil,
      calendar: CalendarOptions(
        language: language, name: calendarName, alarms: alarms, stamp: stamp, date: date,
        isOfOnePlace: isOfOnePlace || address != nil))
  }
}

extension Conversion.Destination {
  /// Opens the output in a set. Throws if that fails.
  func open(in set: OutputSet) throws(PipelineError) -> OutputWriter {
    switch self {
    case .standardOutput: set.openStandardOutput()
    case .file(let path): try set.open(path: path)
    }
  }
}
