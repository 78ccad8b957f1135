/// Writes the site of one table: a page, its data, a calendar for each place and each street, and
/// the table as CSV, NDJSON and XLSX.
///
/// The tables are written while the rows come. The rest is written by ``finish(status:)`` from the
/// rows that were kept, so it is bounded by ``SiteRows/limit``.
final class SiteEncoder {
  /// The folder of the site.
  let folder: SiteFolder
  /// The rows so far.
  let rows: SiteRows
  /// The branches that take the rows of the pass.
  private(set) var branches: [Branch] = []

  /// The number of calendars that are larger than Google takes, once they are written.
  private(set) var largeCalendars = 0

  private let feed: Feed
  private let options: EncoderOptions
  private let set: OutputSet
  private let queue: OutputQueue
  private let counters: Counters
  private let workbook: Workbook
  private var tables: [(path: String, format: OutputFormat, output: Output)] = []

  /// Opens a site. If `hasLedger` is true, the ledger gives the events.
  init(
    path: String, of table: Table, in feed: Feed, options: EncoderOptions, hasLedger: Bool,
    _ set: OutputSet, _ queue: OutputQueue, counters: Counters
  ) throws(PipelineError) {
    folder = try set.openSite(path: path)
    rows = SiteRows(table)
    self.feed = feed
    self.options = options
    self.set = set
    self.queue = queue
    self.counters = counters
    let name = feed.tables.count == 1 ? feed.name : "\(feed.name)-\(table.name)"
    for format in [OutputFormat.csv, .ndjson] {
      let path = "\(name).\(format.rawValue)"
      let writer = try set.open(path, in: folder)
      tables.append((path, format, writer.output))
      branches.append(
        try .encoder(
          format, of: table, in: feed, options: options, into: QueuedOutput(into: writer, queue),
          counters: counters))
    }
    let path = "\(name).xlsx"
    let writer = try set.open(path, in: folder)
    tables.append((path, .xlsx, writer.output))
    workbook = Workbook(
      WorkbookFacts(of: feed, options), into: ByteSink(writer), queue: queue,
      spoolingTo: Spool.standardFolder)
    branches.append(.sheets(of: table, options, in: workbook))
    branches.append(
      Branch(
        SiteStage(
          rows, identifies: !hasLedger && hasCalendars, options.calendar, counters: counters)))
  }

  /// Whether its places have calendars. Rows that only make an event together have none.
  private var hasCalendars: Bool {
    rows.table.event != nil && rows.table.event?.group == nil && rows.table.keyNumber != nil
  }

  /// The paths of the calendars that are about to be replaced.
  var standingCalendars: [String] { folder.standingFiles(in: SiteCalendars.houses) }

  /// Takes the events of the ledger.
  var events: EventCalendar {
    EventCalendar { [rows] (record, identity, revision) throws(PipelineError) in
      let row = try rows.add(record, isShown: !revision.isCancelled)
      rows.add(
        SiteRows.Event(
          row: row, key: record.keyNumber, identity: identity, revision: revision))
    }
  }

  /// Takes what the ledger knows about the event of a record.
  func add(_ history: EventHistory, of record: borrowing Record) throws(PipelineError) {
    rows.add(history, of: try rows.add(record, isShown: false))
  }

  /// Writes all files that are made of the kept rows. `status` is that of the run; nil if somebody
  /// else writes it. Throws if a file cannot be written.
  func finish(status: SiteStatus?) throws(PipelineError) {
    try workbook.finish()
    for resource in PageResource.all() {
      try folder.write(resource.name, resource.bytes.span.bytes)
    }
    var streets: [StreetFile] = []
    if hasCalendars, let event = rows.table.event {
      let calendars = try SiteCalendars(
        rows, of: feed, event, options: options.calendar, into: folder, queue.measure,
        counters: counters)
      (streets, largeCalendars) = try calendars.write()
    }
    let writer = try set.open("data.js", in: folder)
    let data = SiteData(rows, into: QueuedOutput(into: writer, queue))
    try data.write(
      feed, options.calendar,
      files: tables.map { table in
        .init(path: table.path, format: table.format, size: table.output.bytesWritten)
      }, streets: streets)
    for (name, content) in status?.files ?? [] {
      try folder.write(name, content.span.bytes)
    }
  }
}

/// What a page says about the last run: `status.js` and `status.json`.
package struct SiteStatus: Sendable {
  /// The records that were read, the rows written, and the records rejected.
  package var records = 0
  package var rows = 0
  package var rejected = 0
  /// When the source was last known to have the content, when the run ended, and until when no
  /// request is made: in seconds since 1970. Only `sync` knows them.
  package var confirmed: Int?
  package var ran: Int?
  package var next: Int?
  /// Why the last run failed: a code, and sentences.
  package var error: (code: String, text: Localized<String>)?

  package init() {}

  /// Makes the status of a run with these counts.
  init(_ counters: Counters) {
    (records, rows) = (counters.read.value, counters.rows.value)
    rejected = counters.rejected.value
  }

  /// The files, by their names in a site.
  package var files: [(name: String, content: [UInt8])] {
    let json = json
    return [
      (
        "status.js",
        Array(PageResource.scriptStart("status").utf8) + json.dropLast() + [0x3B, 0x0A]
      ),
      ("status.json", json),
    ]
  }

  /// The status as one line of JSON.
  private var json: [UInt8] {
    var text = ByteBuffer(capacity: 512)
    func number(_ number: Int?) -> String { number.map(String.init) ?? "null" }
    text.append(
      string: """
        {"format":1,"version":"\(Release.version)","records":\(records),"rows":\(rows),\
        "rejected":\(rejected),"confirmed":\(number(confirmed)),"ran":\(number(ran)),\
        "next":\(number(next)),"error":
        """)
    if let error {
      text.append("{\"code\":")
      Self.append(error.code, to: &text)
      text.append(",\"text\":{")
      for language in Language.allCases {
        text.append(string: language == Language.allCases[0] ? "" : ",")
        text.append(string: "\"\(language.rawValue)\":")
        Self.append(error.text[language], to: &text)
      }
      text.append("}}")
    } else {
      text.append("null")
    }
    text.append("}\n")
    return Array(text.contents)
  }

  private static func append(_ string: String, to text: inout ByteBuffer) {
    var string = string
    string.withUTF8 { ScriptText.append(UnsafeRawBufferPointer($0), to: &text) }
  }
}

/// Collects the rows of a pass for a site.
struct SiteStage: RecordStage, ~Copyable {
  private let site: SiteRows
  private let counters: Counters
  /// Numbers the events; nil if the ledger does, or if there are none.
  private var ids: EventIdentities?
  /// The events of rows that have several; nil if a row is one event.
  private let several: EventsOfRows?
  private let options: CalendarOptions

  /// Makes a stage. If `identifies` is true, the rows of the table are its events.
  init(_ site: SiteRows, identifies: Bool, _ options: CalendarOptions, counters: Counters) {
    self.site = site
    self.counters = counters
    self.options = options
    ids = identifies ? EventIdentities(site.table) : nil
    several = identifies ? EventsOfRows(site.table) : nil
  }

  var checksKeys: Bool { true }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    if case .rejected = fate { return }
    var isWanted = false
    if case .wanted = fate { isWanted = true }
    guard several == nil else { return try takeEvents(record, isWanted: isWanted) }
    let row = isWanted ? try site.add(record, isShown: true) : nil
    guard record.hasDays, record.isEvent, ids != nil else { return }
    guard ids?.areOf(record) == true else {
      if isWanted { counters.sameNumberRows.increase() }
      return
    }
    // As in a calendar: an event that is left out is numbered too.
    guard let identity = ids?.identify(record), let row else { return }
    site.add(SiteRows.Event(row: row, key: record.keyNumber, identity: identity))
  }

  /// Adds the events of a row as rows of their own.
  private func takeEvents(_ record: borrowing Record, isWanted: Bool) throws(PipelineError) {
    guard let several else { return }
    var hasEvent = false
    for index in record.events.indices where several.read(index, of: record) {
      guard several.areOfRow(index) else {
        if isWanted { counters.sameNumberRows.increase() }
        return
      }
      let identity = several.identify(index)
      guard isWanted, several.row.overlaps(from: options.from, to: options.to) else { continue }
      let row = try site.add(several.row, isShown: true)
      hasEvent = true
      guard let identity else { continue }
      site.add(
        SiteRows.Event(row: row, key: record.keyNumber, identity: identity, index: index))
    }
    if isWanted, !hasEvent { try site.add(record, isShown: true) }
  }

  consuming func finish() {}
}

/// What a ledger knows about an event, beside its days.
package struct EventHistory: Sendable {
  /// What has become of the event.
  package enum Kind: String, Sendable {
    case moved, cancelled
  }

  package var kind: Kind
  /// Its days. A cancelled event was on them.
  package var days: ClosedRange<Day>?
  /// The days before the last move.
  package var oldDays: ClosedRange<Day>?

  package init(_ kind: Kind, days: ClosedRange<Day>?, oldDays: ClosedRange<Day>?) {
    self.kind = kind
    self.days = days
    self.oldDays = oldDays
  }
}
