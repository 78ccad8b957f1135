/// The outputs of one run.
final class Outputs {
  private let conversion: Conversion
  private let counters: Counters
  private let date: ContentDate
  private let queue: OutputQueue
  private let set = OutputSet()
  /// The files, each with the tables in it.
  private var files: [OpenFile] = []
  private var databases: [OpenDatabase] = []
  private var workbooks: [Workbook] = []
  /// The databases that are merged, with their selections.
  private var merged: [(database: OpenDatabase, selectors: [RowSelector])] = []
  /// The sites, each with the table in it.
  private var sites: [OpenSite] = []
  /// The merged databases that stay as they are.
  private var kept: [OpenDatabase] = []
  /// The selections of single outputs.
  private(set) var selectors: [RowSelector] = []
  /// The calendars and the list of changes. The ledger writes them after the pass.
  private var calendars: [(writer: Box<QueuedOutput<OutputWriter>>, output: Conversion.Output)] = []
  private var changes: [Box<QueuedOutput<OutputWriter>>] = []
  private(set) var ledger: (any EventLedger)?
  /// The paths of the outputs that the ledger writes.
  private var ledgerPaths: Set<String> = []
  /// The outputs with columns in their names, and the list of their files.
  let splits: SplitOutputs
  private var fileIndex: [Box<OutputWriter>] = []
  /// The description of the tables.
  private var schema: Box<OutputWriter>?
  /// The branches of each table that want its rows in an order.
  private var sorted: [Int: [Branch]] = [:]
  private(set) var parts: [ConversionPart] = []
  /// The totals of shares, returned by the pass.
  var shares: [Statistics.Share] = []
  /// The counts of each of several inputs.
  var inputs: [Statistics.Input] = []
  /// The places that were chosen, returned by the pass.
  var places: [String: ChosenPlace] = [:]
  /// The column that matched no event of the ledger, with its nearest values.
  private var unmatchedEvents: (column: String, nearest: [String])?

  /// Whether the selection kept no row, or none of a table whose file had some.
  private(set) var isSelectionEmpty = false
  /// The outputs whose own selection kept no row.
  private(set) var emptySelections: [EmptySelection] = []
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

  /// What single elements of lists left out.
  var unread: [UnreadElements] { parts.flatMap(\.findings.unread) }

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

  /// The names that are others in a database.
  var renamed: [Statistics.Renamed] {
    databases.flatMap { $0.tables?.renamed ?? $0.renamed }
  }

  /// The calendars of the sites that are larger than Google takes.
  var largeSiteCalendars: Int { sites.reduce(0) { $0 + $1.site.largeCalendars } }

  /// The bytes written to each output.
  var written: [Statistics.Written] {
    let all =
      files.map { Statistics.Written(path: $0.output.path, bytes: $0.output.bytesWritten) }
      + sites.map {
        Statistics.Written(
          path: $0.site.folder.path, bytes: $0.site.folder.bytesWritten,
          files: $0.site.folder.fileCount)
      }
      + splits.written + databases.compactMap(\.merged)
    return all.filter { !unchanged.contains($0.path) }
  }

  /// Opens all outputs. Every check that needs no input is made before the input is fetched.
  func open(
    _ ledger: (any EventLedger)?, rejects: (any RejectReceiver)?
  ) throws(PipelineError) {
    self.ledger = ledger
    var tables = try conversion.chosenTables()
    if !conversion.isSeries {
      let facts = try conversion.facts(of: conversion.input, for: tables)
      tables = tables.map { $0.reading(facts) }
    }
    let isJudged = !conversion.hasOwnSelections
    parts = tables.map { table in
      ConversionPart(
        table, counters: tables.count == 1 ? counters : Counters(), rejects: rejects,
        conditions: isJudged ? conversion.conditions : [])
    }
    try conversion.checkColumns(of: tables)
    if let ledger { parts[0].branches.append(try ledger.branch(parts[0].counters)) }
    for output in conversion.outputs { try open(output) }
    if ledger != nil, let destination = conversion.changes {
      changes = [Box(try openLedgerFile(destination))]
    }
    if let destination = conversion.fileIndex {
      let writer = try destination.open(in: set)
      files.append(OpenFile(output: writer.output, tables: parts.indices))
      fileIndex = [Box(writer)]
    }
    if let destination = conversion.schema {
      let writer = try destination.open(in: set)
      files.append(OpenFile(output: writer.output, tables: parts.indices))
      schema = Box(writer)
    }
    try addSorters()
    addMeters()
  }

  /// Opens one output, with a branch for each table whose rows come to it.
  private func open(_ output: Conversion.Output) throws(PipelineError) {
    switch output.format {
    case .ics where ledger != nil && output.destination.namesColumns:
      try splits.openForLedger(output, of: parts[0].table)
      _ = add([], to: 0, for: output)
    case _ where output.destination.namesColumns:
      for index in output.indices(of: parts) {
        let branch = try splits.open(
          output, of: parts[index],
          options: conversion.encoderOptions(
            date, of: output,
            ofOnePlace: parts[index].table.isOnePlace(named: output.destination.columnPlaces)))
        _ = add([branch], to: index, for: output)
      }
    case .sqlite: try openDatabase(output)
    case .xlsx: try openWorkbooks(output)
    case .site: try openSites(output)
    case .ics where ledger != nil:
      let selector = add([], to: 0, for: output)
      calendars.append((Box(try openLedgerFile(output.destination, selector)), output))
    default:
      for index in output.indices(of: parts) {
        let writer = try openFile(
          output.destination.named(by: parts[index].table), of: index..<index + 1)
        let branch = try Branch.encoder(
          output.format, of: parts[index].table, in: conversion.feed,
          options: conversion.encoderOptions(date, of: output), into: writer,
          counters: parts[index].counters)
        let selector = add([branch], to: index, for: output)
        files[files.count - 1].selectors = [selector].compactMap(\.self)
      }
    }
  }

  /// Adds branches for the rows of one table that an output wants. Returns the selection that
  /// chooses them; nil if the output gets all rows that come.
  private func add(
    _ branches: [Branch], to index: Int, for output: Conversion.Output
  ) -> RowSelector? {
    var branches = branches
    if let limit = conversion.limit, output.format.isTable {
      branches = [Branch(LimitStage(limit, into: branches))]
    }
    var selector: RowSelector?
    if conversion.hasOwnSelections, conversion.selects(for: output) {
      let own = RowSelector(conversion, of: output, from: parts[index].table)
      selectors.append(own)
      branches = [Branch(SelectingStage(own, into: branches))]
      selector = own
    }
    if !conversion.sort.isEmpty, output.format.isTable {
      sorted[index, default: []] += branches
    } else {
      parts[index].branches += branches
    }
    return selector
  }

  /// Has the rows of each table sorted once, for all outputs that want them in that order.
  private func addSorters() throws(PipelineError) {
    for (index, branches) in sorted {
      let sorter = try RowSorter(
        conversion.sort, of: parts[index].table, limit: conversion.sortMemory / sorted.count,
        wanted: conversion.hasOwnSelections ? nil : conversion.limit, into: branches)
      parts[index].branches.append(Branch(sorter))
    }
    sorted = [:]
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
    _ destination: Conversion.Destination, _ selector: RowSelector? = nil
  ) throws(PipelineError) -> QueuedOutput<OutputWriter> {
    if case .file(let path) = destination { ledgerPaths.insert(path) }
    let writer = try openFile(destination, of: 0..<1)
    files[files.count - 1].selectors = [selector].compactMap(\.self)
    return writer
  }

  private func openFile(
    _ destination: Conversion.Destination, of tables: Range<Int>
  ) throws(PipelineError) -> QueuedOutput<OutputWriter> {
    let writer = try destination.open(in: set)
    files.append(OpenFile(output: writer.output, tables: tables))
    return QueuedOutput(into: writer, queue)
  }

  /// Opens a database for all tables: a new file, or with `--merge` an existing one.
  private func openDatabase(_ wanted: Conversion.Output) throws(PipelineError) {
    guard case .file(let path) = wanted.destination else {
      throw PipelineError(sink: .notAFile(path: "-"))
    }
    let names = Set(parts.map(\.table.name))
    let columns = wanted.own.columns ?? conversion.columns
    // A view needs the columns that it is made of.
    let views = conversion.feed.views.filter { view in
      parts.contains { view.isPossible(in: $0.table.narrowed(to: columns)) }
    }
    let database: OpenDatabase
    if conversion.mergesDatabases, let file = try OutputTarget.existingFile(path) {
      database = OpenDatabase(
        try OutputDatabase(file, as: path, views: views, isMerge: true), file: nil)
    } else {
      let output = try set.openForeign(path: path)
      files.append(OpenFile(output: output.output, tables: parts.indices))
      database = OpenDatabase(
        try OutputDatabase(output.file, as: path, views: views, isMerge: false), file: output)
    }
    databases.append(database)
    var selectors: [RowSelector] = []
    guard let tables = database.tables else { return }
    let schemas = try tables.add(
      parts.map { part in
        var table = part.table.narrowed(to: columns)
        // SQLite rejects every change of a row with a possible reference to a missing table.
        table.references.removeAll { !names.contains($0.table) }
        return table
      }, of: conversion.feed.tables.count == 1 ? conversion.feed.name : nil)
    for (index, schema) in zip(parts.indices, schemas) {
      let chosen = (columns ?? parts[index].table.shownColumns).map { _ in
        ChosenColumns(schema.columns.map(\.name), of: parts[index].table)
      }
      let branch = Branch.table(try TableEncoder(schema, into: tables), chosen)
      if let selector = add([branch], to: index, for: wanted) {
        selectors.append(selector)
      }
    }
    if database.isMerge {
      merged.append((database, selectors))
    } else {
      files[files.count - 1].selectors = selectors
    }
  }

  /// Opens a workbook for all tables, or one for each if its name has their names.
  private func openWorkbooks(_ output: Conversion.Output) throws(PipelineError) {
    let ranges =
      output.destination.namesTables ? parts.indices.map { $0..<$0 + 1 } : [parts.indices]
    for tables in ranges {
      let destination = output.destination.named(by: parts[tables.lowerBound].table)
      let writer = try destination.open(in: set)
      var file = OpenFile(output: writer.output, tables: tables)
      if file.output.isTerminal {
        throw PipelineError(sink: .workbookOnTerminal(path: file.output.path))
      }
      let options = conversion.encoderOptions(date, of: output)
      let workbook = Workbook(
        WorkbookFacts(of: conversion.feed, options),
        into: ByteSink(writer), queue: queue, spoolingTo: destination.folder)
      workbooks.append(workbook)
      for index in tables {
        let branch = Branch.sheets(of: parts[index].table, options, in: workbook)
        if let selector = add([branch], to: index, for: output) { file.selectors.append(selector) }
        parts[index].giveRejects(to: workbook)
      }
      files.append(file)
    }
  }

  /// Opens a site for each table.
  private func openSites(_ output: Conversion.Output) throws(PipelineError) {
    for index in parts.indices {
      guard case .file(let path) = output.destination.named(by: parts[index].table) else {
        throw PipelineError(sink: .notAFolder(path: "-"))
      }
      let site = try SiteEncoder(
        path: path, of: parts[index].table, in: conversion.feed,
        options: conversion.encoderOptions(date, of: output), hasLedger: ledger != nil, set, queue,
        counters: parts[index].counters)
      let selector = add(site.branches, to: index, for: output)
      sites.append(OpenSite(site: site, table: index, output: output, selector: selector))
      if ledger != nil { ledgerPaths.insert(site.folder.evidencePath) }
    }
  }

  /// Finishes the databases, so that their sizes are known.
  func finishDatabases() throws(PipelineError) {
    for database in databases { try database.finish() }
  }

  /// Writes the ends of the workbooks: all rows and all rejected records are in them.
  func finishWorkbooks() throws(PipelineError) {
    for workbook in workbooks { try workbook.finish() }
  }

  /// Writes the files of the sites that are made after the pass.
  func writeSites() throws(PipelineError) {
    for open in sites {
      var status: SiteStatus?
      if !conversion.leavesStatus {
        status = SiteStatus(parts[open.table].counters)
        if let selector = open.selector { status?.rows = selector.rows }
      }
      try open.site.finish(status: status)
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
    for open in sites where ledger.examinesSites {
      for path in open.site.standingCalendars { try ledger.examine(calendar: path) }
    }
    try ledger.reconcile(stamp: conversion.stamp ?? date.seconds ?? 0)
    for (calendar, output) in calendars {
      guard let writer = calendar.takeIfPresent() else { continue }
      let (feed, table) = (conversion.feed, conversion.feed.tables[0])
      let events = try EventCalendar(
        table, of: feed, try table.eventWithKey,
        options: conversion.encoderOptions(date, of: output).calendar, into: writer,
        counters: counters)
      try write(events, of: output, with: ledger)
    }
    for (files, output) in splits.ledgerFiles {
      let (feed, table) = (conversion.feed, conversion.feed.tables[0])
      let events = try EventCalendar(
        table, of: feed, try table.eventWithKey,
        options: conversion.encoderOptions(
          date, of: output, ofOnePlace: table.isOnePlace(named: files.pattern.names)
        ).calendar, into: files, counters: counters)
      try write(events, of: output, with: ledger)
    }
    for open in sites {
      try write(open.site.events, of: open.output, with: ledger)
      let selection = conversion.selection(of: open.output, among: places)
      try ledger.writeHistory(selection) { (record, history) throws(PipelineError) in
        try open.site.add(history, of: record)
      }
    }
    for list in changes {
      if let writer = list.takeIfPresent() { try ledger.writeChanges(into: writer) }
    }
  }

  /// Has the ledger write a calendar of the events that an output wants.
  private func write(
    _ calendar: EventCalendar, of output: Conversion.Output, with ledger: any EventLedger
  ) throws(PipelineError) {
    let selection = conversion.selection(of: output, among: places)
    unmatchedEvents = try ledger.writeCalendar(selection, into: calendar) ?? unmatchedEvents
  }

  /// Notes which outputs got no row by their own selections. Called after the pass.
  func noteEmptySelections() { emptySelections = selectors.compactMap(\.emptiness) }

  /// Writes the files that have columns in their names, and their list.
  func writeFiles() throws(PipelineError) {
    try splits.write(to: set)
    for list in fileIndex {
      if let writer = list.takeIfPresent() { try splits.writeIndex(into: writer) }
    }
    if let writer = schema?.takeIfPresent() {
      try DataPackage(conversion, parts.map(\.table)).write(into: writer)
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
    guard !conversion.hasOwnSelections else { return keepChosenFilesIfEmpty() }
    let isEmpty = parts.allSatisfy(\.isEmpty)
    let emptied = files.filter { parts[$0.tables].allSatisfy(\.isEmpty) }.map(\.output)
    let emptiedSites = sites.filter { parts[$0.table].isEmpty }.map(\.site.folder)
    unchanged = set.keepFiles(always: isEmpty, ifChanged: emptied, emptiedSites)
    if !unchanged.isEmpty { unchanged += try splits.keepFiles() }
    isSelectionEmpty = isEmpty || !unchanged.isEmpty
    if isSelectionEmpty { keep(databases) }
  }

  /// Keeps the files of those outputs whose own selection should have a row, and has none.
  func keepOwnFilesIfEmpty() {
    guard conversion.hasOwnSelections else { return }
    keepChosenFilesIfEmpty(unless: \.mayBeEmpty)
    unchanged += splits.keepFiles(
      of: selectors.filter { $0.rows == 0 && !$0.mayBeEmpty }.map(\.output))
  }

  /// Keeps the files of those outputs whose own selection keeps no row. The others change.
  private func keepChosenFilesIfEmpty(unless mayBeEmpty: (RowSelector) -> Bool = { _ in false }) {
    func isEmpty(_ selectors: [RowSelector]) -> Bool {
      !selectors.isEmpty && selectors.allSatisfy { $0.rows == 0 && !mayBeEmpty($0) }
    }
    unchanged = set.keepFiles(
      of: files.filter { isEmpty($0.selectors) }.map(\.output),
      sites.filter { isEmpty([$0.selector].compactMap(\.self)) }.map(\.site.folder))
    isSelectionEmpty = !emptySelections.isEmpty
    keep(merged.filter { isEmpty($0.selectors) }.map(\.database))
  }

  private func keep(_ databases: [OpenDatabase]) {
    unchanged += databases.compactMap(\.merged?.path)
    kept = databases
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
    for database in databases where !kept.contains(where: { $0 === database }) {
      try database.commit()
    }
    try ledger?.commit()
  }

  func abandon() {
    set.abandon()
    splits.abandon()
  }
}
