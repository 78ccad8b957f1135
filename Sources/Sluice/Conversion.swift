/// What a run is asked to do: one input, and everything that is to be made of it in one pass.
public struct Conversion: Sendable {
  /// Where something is written.
  public enum Destination: Equatable, Sendable {
    /// Standard output.
    case standardOutput
    /// A file, or what else a path names.
    case file(String)
  }

  /// One output.
  public struct Output: Equatable, Sendable {
    /// Where it goes.
    public var destination: Destination
    /// What it is.
    public var format: OutputFormat

    /// Makes an output.
    public init(_ destination: Destination, _ format: OutputFormat) {
      self.destination = destination
      self.format = format
    }
  }

  /// What the input is read as.
  public var feed: Feed
  /// Where it comes from.
  public var input: Input
  /// What is made of it; may be empty.
  public var outputs: [Output] = []
  /// The only table that is wanted; nil for all.
  public var table: String?
  /// Whether databases that are there keep what was added to them.
  public var mergesDatabases = false
  /// What records must match.
  public var conditions: [Condition] = []
  /// The first of the days that a row must overlap.
  public var from: Day?
  /// The last of these days.
  public var to: Day?
  /// How CSV is written.
  public var dialect = CSVDialect.plain
  /// The language of calendar texts.
  public var language: Language
  /// A calendar's name; nil for the feed's own.
  public var calendarName: String?
  /// Reminders: how long before an event, as RFC 5545 durations without a sign.
  public var alarms: [String] = []
  /// The time to stamp events with, in seconds since 1970; nil for the content's own.
  public var stamp: Int?
  /// Where refused records go.
  public var rejects: Destination?
  /// How many refused records are too many.
  public var rejectLimit = RejectLimit.standard
  /// Where a ledger's changes go; where there is none, nowhere.
  public var changes: Destination?
  /// Where the counts go.
  public var statistics: Destination?
  /// The archive's entry to take; nil for the only one.
  public var entry: String?
  /// The most bytes that an entry may inflate to.
  public var maxSize = UnzipOptions.standardMaxSize
  /// A file of certificates to trust besides the system's.
  public var certificateFile: String?
  /// Header lines that a URL is asked with, `NAME: VALUE`.
  public var headers: [String] = []
  /// When a second thread takes over behind the archive, and when another writes the outputs.
  var offload = OffloadRule.standard
  var writing = OffloadRule.outputs

  /// Called with the progress of the run, some times a second, on the thread that reads.
  public var progress: (@Sendable (Progress) -> Void)?
  /// Ends the run early; nil if nobody wants to.
  public var cancellation: Cancellation?

  /// Makes a conversion of an input that has no outputs yet. The answers to a feed's own requests
  /// are read as its document says.
  public init(of input: Input, as feed: Feed) {
    if case .requests = input { self.feed = feed.joined } else { self.feed = feed }
    self.input = input
    language = feed.language
  }
}

extension Feed {
  /// Reads a feed's document from a file.
  ///
  /// Throws ``FeedDocumentFault`` for the document, and ``PipelineError`` if the file cannot be read.
  public init(contentsOf path: String) throws {
    let box = ByteKeeper.Box()
    var keeper = ByteKeeper(box)
    try DescriptorSource(file: path).run(into: &keeper, counters: Counters())
    self = try FeedDocument.read(box.bytes)
  }
}

extension Conversion {
  /// Opens the input. A URL is not asked yet.
  package func source() throws(PipelineError) -> Source {
    try Source(input, of: feed.name, certificateFile: certificateFile, headers: headers)
  }

  /// The tables that are wanted, at least one; throws ``FeedFault/noSuchTable(_:tables:)``.
  func chosenTables() throws(PipelineError) -> [Table] {
    guard let table else { return feed.tables }
    let chosen = feed.tables.filter { $0.name == table }
    guard chosen.isEmpty else { return chosen }
    throw PipelineError(.normalize(.noSuchTable(table, tables: feed.tables.map(\.name))))
  }
}

extension Conversion.Destination {
  /// The word in a path that a table's name takes the place of.
  public static let tablePlace = "{table}"

  /// Whether each table goes to a place of its own.
  public var namesTables: Bool {
    if case .file(let path) = self {
      path.firstPlace(of: Self.tablePlace) != nil
    } else {
      false
    }
  }

  /// The place of one table.
  package func named(by table: Table) -> Conversion.Destination {
    guard case .file(let path) = self else { return self }
    return .file(path.putting(table.name, for: Self.tablePlace))
  }
}
