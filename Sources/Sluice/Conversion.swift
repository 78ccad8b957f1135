/// The description of a run: one input, and all outputs to make from it in one pass.
public struct Conversion: Sendable {
  /// The destination of an output.
  public enum Destination: Equatable, Sendable {
    /// Standard output.
    case standardOutput
    /// A file, or anything else that a path can name.
    case file(String)
  }

  /// One output.
  public struct Output: Equatable, Sendable {
    /// Its destination.
    public var destination: Destination
    /// Its format.
    public var format: OutputFormat
    /// What counts for it alone.
    public var own = OutputOptions()

    /// Makes an output.
    public init(_ destination: Destination, _ format: OutputFormat) {
      self.destination = destination
      self.format = format
    }
  }

  /// The feed that describes the input.
  public var feed: Feed
  /// The input.
  public var input: Input
  /// Further inputs, which are read after ``input`` in this order, into the same outputs.
  public var moreInputs: [Input] = []
  /// Whether a broken input is left out if there are several. Otherwise it ends the run.
  public var skipsBrokenInputs = false
  /// Where the names of inputs have the day of their content; nil if they do not.
  package var inputDates: InputDatePattern?
  /// The number of threads that read several inputs at once, or the list in one large file, six at
  /// most; nil for what the processors are worth. With 1 the whole run is on the calling thread.
  /// The outputs are the same with any number.
  public var threads: Int?
  /// The outputs; may be empty.
  public var outputs: [Output] = []
  /// The only table to convert; nil for all.
  public var table: String?
  /// Whether existing databases are merged with the feed and keep the data added to them.
  public var mergesDatabases = false
  /// The conditions that records must match.
  public var conditions: [Condition] = []
  /// The place to convert, as people type it; nil for all. The run throws ``PlaceFault`` unless the
  /// feed has exactly one such place.
  public var address: String?
  /// The places that earlier runs found for the addresses.
  package var knownPlaces: [String: KnownPlace] = [:]
  /// The first day of the period that a row must overlap, inclusive; nil for no limit.
  public var from: Day?
  /// The last day of that period, inclusive; nil for no limit.
  public var to: Day?
  /// Whether files that exist are replaced although the selection keeps no row. Otherwise they stay
  /// as they are, and ``Statistics/isSelectionEmpty`` says so.
  public var allowsEmpty = false
  /// The columns of tables, in order; nil for all. Calendars, and a ledger, have what they need.
  public var columns: [String]?
  /// The dialect of CSV output.
  public var dialect = CSVDialect.plain
  /// The header of CSV and TSV.
  public var headerRow = HeaderRow.names
  /// The language of labels in outputs: that of their reader.
  public var readerLanguage: Language
  /// The order of the rows in tables: by the first of these columns, where that is equal by the
  /// second, and so on. Empty for the order of the feed.
  public var sort: [SortOrder] = []
  /// The number of rows of each table that its outputs get, after they were sorted; nil for all.
  /// Calendars, databases and sites get all rows.
  public var limit: Int?
  /// The destination of a description of the tables (Data Package 2.0); nil for none.
  public var schema: Destination?
  /// The language of calendar texts.
  public var language: Language
  /// The name of calendars; nil for the feed's own name.
  public var calendarName: String?
  /// Reminders: the time before an event, as RFC 5545 durations without a sign.
  public var alarms: [String] = []
  /// The time stamp of events, in seconds since 1970; nil for the content's own time.
  public var stamp: Int?
  /// The destination of rejected records; nil for none.
  public var rejects: Destination?
  /// The limit of rejected records.
  public var rejectLimit = RejectLimit.standard
  /// The destination of a ledger's changes. It has no effect without a ledger.
  public var changes: Destination?
  /// The destination of the list of files that outputs with columns in their names have; nil for
  /// none.
  public var fileIndex: Destination?
  /// The largest number of files of such outputs together.
  public var maxFiles = Conversion.standardMaxFiles
  /// The largest number of files, if no other is chosen.
  public static let standardMaxFiles = 50_000
  /// The destination of the counts; nil for none.
  public var statistics: Destination?
  /// The archive's entry to read; nil for the only one. A pattern with `*` or `?` reads every entry
  /// that fits, as an input of its own, in the archive's order.
  public var entry: String?
  /// Whether a pattern may fit only one entry.
  package var readsOneEntry = false
  /// The maximum inflated size of an entry, or of all entries that fit a pattern, and that of all
  /// answers of a feed's requests together, in bytes.
  public var maxSize = UnzipOptions.standardMaxSize
  /// The number of seconds in which all answers must have arrived; nil for no limit. The limits of
  /// one request apply in any case.
  public var maxSeconds: Int?
  /// The maximum size of all outputs together, the growth of a ledger included, in bytes. Nil for
  /// 64 MiB, or 100 times the unpacked input if that is more.
  public var maxOutput: Int?
  /// Whether the status of a site is left to the caller, who knows more about it.
  package var leavesStatus = false
  /// A file of certificates to trust in addition to the system's.
  public var certificateFile: String?
  /// Header lines for requests to a URL, as `NAME: VALUE`.
  public var headers: [String] = []
  /// The bytes of a section of a list that is read on several threads.
  var sectionLength = ListCuts.standardLength
  /// The bytes of all such files together that are kept in memory.
  var splitMemory = FileChains.standardLimit
  /// The bytes of the rows that are kept in memory to be sorted.
  var sortMemory = RowSorter.standardLimit
  /// When a second thread runs the stages after the archive, and when another writes the outputs.
  var offload: OffloadRule {
    get { threads == 1 ? .never : archives }
    set { archives = newValue }
  }
  var writing: OffloadRule {
    get { threads == 1 ? .never : files }
    set { files = newValue }
  }
  /// The same if there may be more than one thread.
  private var archives = OffloadRule.standard
  private var files = OffloadRule.outputs

  /// Called with the progress of the run on the reading thread, at most ten times per second and
  /// once at the end.
  public var progress: (@Sendable (Progress) -> Void)?
  /// Ends the run early; nil if not needed.
  public var cancellation: Cancellation?

  /// Makes a conversion without outputs. The answers to a feed's own requests are read as its
  /// document describes.
  public init(of input: Input, as feed: Feed) {
    if case .requests = input { self.feed = feed.joined } else { self.feed = feed }
    self.input = input
    language = feed.language
    readerLanguage = feed.language
  }
}

extension Feed {
  /// Reads a feed's document from a file.
  ///
  /// Throws ``FeedDocumentFault`` if the document has an error, and ``PipelineError`` if the file
  /// cannot be read.
  public init(contentsOf path: String) throws {
    let box = ByteKeeper.Box()
    var keeper = ByteKeeper(box)
    try DescriptorSource(file: path).run(into: &keeper, counters: Counters())
    self = try FeedDocument.read(box.bytes)
  }
}

extension Conversion {
  /// All inputs, in order.
  package var inputs: [Input] { [input] + moreInputs }

  /// The pattern of the entries that are inputs; nil if each input is one.
  package var entryPattern: EntryPattern? {
    if case .requests = input { return nil }
    return readsOneEntry ? nil : entry.flatMap(EntryPattern.init)
  }

  /// Whether it has, or may have, more than one input.
  var isSeries: Bool { !moreInputs.isEmpty || entryPattern != nil }

  /// Opens the input. A URL is not requested yet. Throws if the input cannot be opened.
  package func source() throws(PipelineError) -> Source { try source(of: input) }

  /// Opens one of the inputs. A URL is not requested yet. Throws if it cannot be opened.
  package func source(of input: Input) throws(PipelineError) -> Source {
    try Source(
      input, of: feed.name, certificateFile: certificateFile, headers: headers, limits: limited())
  }

  /// Returns the limits of this run's requests. The run begins now.
  package func limited(_ limits: HTTPLimits = HTTPLimits()) -> HTTPLimits {
    var limits = limits
    limits.deadline = maxSeconds.map { RunDeadline(seconds: $0) } ?? limits.deadline
    return limits
  }

  /// Whether it selects a part of what the feed has.
  var isSelective: Bool {
    if !conditions.isEmpty || address != nil || from != nil || to != nil || entry != nil
      || table != nil || hasOwnSelections
    {
      return true
    }
    guard case .requests(let asked) = input else { return false }
    return asked.search != nil || feed.items != nil
  }

  /// Returns the tables to convert, at least one. Throws ``FeedFault/noSuchTable(_:tables:)`` if
  /// ``table`` does not exist.
  package func chosenTables() throws(PipelineError) -> [Table] {
    guard let table else { return feed.tables }
    let chosen = feed.tables.filter { $0.name == table }
    guard chosen.isEmpty else { return chosen }
    throw PipelineError(.normalize(.noSuchTable(table, tables: feed.tables.map(\.name))))
  }

  /// Throws ``FeedFault/noSuchColumn(_:columns:)`` if a condition or a selection of columns names
  /// one that a table does not have.
  func checkColumns(of tables: [Table]) throws(PipelineError) {
    let wanted = (columns ?? []) + outputs.flatMap { $0.own.columns ?? [] }
    let conditions = conditions + outputs.flatMap { $0.own.conditions ?? [] }
    for table in tables {
      for condition in conditions where !table.conditionColumns.contains(condition.column) {
        throw PipelineError(
          .normalize(.noSuchColumn(condition.column, columns: table.conditionColumns)))
      }
      let columns = table.columns.map(\.name)
      for name in wanted where !columns.contains(name) {
        throw PipelineError(.normalize(.noSuchColumn(name, columns: columns)))
      }
    }
  }
}

extension Conversion {
  /// Removes the temporary files that a killed run left beside the outputs.
  package func sweepOutputs() {
    let named = outputs.filter { !$0.destination.namesColumns }
    let destinations =
      named.flatMap { output in feed.tables.map { output.destination.named(by: $0) } }
      + [changes, fileIndex, schema, rejects, statistics].compactMap(\.self)
    for case .file(let path) in destinations { OutputSet.sweep(path) }
    for output in outputs where output.destination.namesColumns {
      for table in feed.tables {
        // What cannot be an output has left nothing.
        guard
          let path = output.destination.path,
          let pattern = (try? NamePattern(path, of: output.format.named(table))).flatMap(\.self)
        else { continue }
        try? StagingFolder.sweep(pattern)
      }
    }
  }
}

extension Conversion {
  /// The paths of its sites, each with a slash at its end.
  package var sites: [String] {
    let tables = feed.tables.filter { table == nil || $0.name == table }
    return outputs.filter { $0.format == .site }.flatMap { output in
      tables.compactMap { table in
        if case .file(let path) = output.destination.named(by: table) { path } else { nil }
      }
    }
  }
}

extension Conversion.Destination {
  /// The word in a path that is replaced by a table's name.
  public static let tablePlace = NamePattern.tablePlace

  /// Whether each table has its own destination.
  public var namesTables: Bool {
    if case .file(let path) = self {
      path.firstPlace(of: Self.tablePlace) != nil
    } else {
      false
    }
  }

  /// The words in braces, without them, that name columns.
  package var columnPlaces: [String] {
    guard case .file(let path) = self else { return [] }
    return NamePattern.places(in: path).filter { path[$0.range] != Self.tablePlace }.map(\.word)
  }

  /// Whether it is a file for each value of some columns.
  public var namesColumns: Bool { !columnPlaces.isEmpty }

  /// The path; nil for standard output.
  var path: String? {
    if case .file(let path) = self { path } else { nil }
  }

  /// The folder that it is in; for standard output, that of temporary files.
  var folder: String {
    guard let path else { return Spool.standardFolder }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the destination of one table.
  package func named(by table: Table) -> Conversion.Destination {
    guard case .file(let path) = self else { return self }
    return .file(path.putting(table.name, for: Self.tablePlace))
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
