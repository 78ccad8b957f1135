/// A format that rows can be written in.
///
/// A new format is an encoder in a file of its own, and three lines here: its case, its extensions
/// and its row in ``Branch/encoder(_:of:in:options:into:counters:)``.
public enum OutputFormat: String, Sendable, CaseIterable {
  /// Comma-separated values (RFC 4180), a header first.
  case csv
  /// Tab-separated values (text/tab-separated-values of IANA), a header first.
  case tsv
  /// One JSON object per line.
  case ndjson
  /// A JSON array of objects, one per line.
  case json
  /// iCalendar (RFC 5545), one event per row.
  case ics
  /// A SQLite database, one table per table of the feed.
  case sqlite
  /// A workbook of spreadsheets (Office Open XML, ECMA-376), one sheet per table of the feed.
  case xlsx
  /// A folder with a page, its data, and a calendar for each place.
  case site

  /// The formats of single files. A site is none, so no name but that of a folder selects it.
  public static let allCases: [OutputFormat] = [
    .csv, .tsv, .xlsx, .ndjson, .json, .ics, .sqlite,
  ]

  /// The extensions that select the format, the usual one first.
  private var extensions: [String] {
    switch self {
    case .csv: [".csv"]
    case .tsv: [".tsv", ".tab"]
    case .ndjson: [".ndjson", ".jsonl"]
    case .json: [".json"]
    case .ics: [".ics"]
    case .sqlite: [".sqlite", ".sqlite3", ".db"]
    case .xlsx: [".xlsx"]
    case .site: []
    }
  }

  /// Whether it is a file of rows, which can be sorted and limited.
  package var isTable: Bool { mediaType != nil || self == .xlsx }

  /// The media type of a table whose columns a data package describes; nil for other formats. A
  /// workbook says itself what is in it.
  var mediaType: String? {
    switch self {
    case .csv: "text/csv"
    case .tsv: "text/tab-separated-values"
    case .ndjson: "application/x-ndjson"
    case .json: "application/json"
    case .xlsx, .ics, .sqlite, .site: nil
    }
  }

  /// Whether one file of it holds all tables of a feed.
  package var holdsTables: Bool { self == .sqlite || self == .xlsx }

  /// Returns the format that the extension of a path selects, in any case; nil if it selects none.
  /// A path that ends in a slash is that of a site.
  package init?(extensionOf path: String) {
    guard !path.hasSuffix("/") else {
      self = .site
      return
    }
    let path = path.lowercased()
    let format = OutputFormat.allCases.first { format in
      format.extensions.contains { path.hasSuffix($0) }
    }
    guard let format else { return nil }
    self = format
  }
}

/// The options of all encoders.
struct EncoderOptions {
  /// The columns of a table, in order; nil for all.
  var columns: [String]?
  /// The dialect of CSV.
  var dialect: CSVDialect
  /// The language of labels.
  var readerLanguage: Language
  /// Whether the header of CSV and TSV has the labels of the columns.
  var hasLabels = false
  var calendar: CalendarOptions

  /// Returns the header of a table with these columns, or nil for their names.
  func headings(of columns: [Column]) -> [String]? {
    hasLabels ? columns.map { $0.heading(in: readerLanguage) } : nil
  }
}

extension Branch {
  /// Makes the encoder of a format that is written as a stream of bytes.
  ///
  /// Throws ``SinkFault/notAFile(path:)`` for a database, which SQLite writes itself,
  /// ``SinkFault/notAFolder(path:)`` for a site, which has many files, and ``FeedFault/noEvents``
  /// for a calendar of rows that are not events.
  static func encoder<Output: ByteStage & ~Copyable>(
    _ format: OutputFormat, of table: Table, in feed: Feed, options: EncoderOptions,
    into output: consuming Output, counters: Counters
  ) throws(PipelineError) -> Branch {
    let chosen = options.chosen(of: table)
    let columns = chosen?.columns ?? table.columns
    switch format {
    case .csv, .tsv:
      let form = format == .tsv ? .tabs : DelimitedForm(options.dialect)
      let headings = options.headings(of: columns)
      let encoder = CSVEncoder(
        columns, form, headings: headings, into: output, counters: counters)
      return .rowwise(encoder, chosen) { CSVEncoder(columns, form, into: $0, counters: $1) }
    case .ndjson:
      return .rowwise(NDJSONEncoder(columns, into: output), chosen) { output, _ in
        NDJSONEncoder(columns, into: output)
      }
    case .json: return .table(NDJSONEncoder(columns, asArray: true, into: output), chosen)
    case .ics:
      return try .calendar(
        table, of: feed, try table.eventWithKey, options: options.calendar, into: output,
        counters: counters)
    case .xlsx:
      let workbook = Workbook(
        WorkbookFacts(of: feed, options), into: ByteSink(output),
        spoolingTo: Spool.standardFolder)
      return .sheets(of: table, options, in: workbook, isSole: true)
    case .sqlite: throw PipelineError(sink: .notAFile(path: "-"))
    case .site: throw PipelineError(sink: .notAFolder(path: "-"))
    }
  }
}

extension Table {
  /// The event that rows make. It needs a key: without one its UID would be the same as another's.
  var eventWithKey: Event {
    get throws(PipelineError) {
      guard let event, keyNumber != nil else { throw PipelineError(.normalize(.noEvents)) }
      return event
    }
  }
}
