/// The counts of a run.
public struct Statistics: Sendable {
  /// Bytes into and out of a stage; nil if the stage does not count them.
  public struct Flow: Sendable, Equatable {
    /// The stage.
    public var stage: Stage
    /// Bytes in.
    public var bytesIn: Int?
    /// Bytes out.
    public var bytesOut: Int?
  }

  /// Bytes written to one output.
  public struct Written: Sendable, Equatable {
    /// Its path, or `-`.
    public var path: String
    /// Its size.
    public var bytes: Int
    /// The number of its files; nil if it is one file.
    public var files: Int?
  }

  /// A name of the feed that is another in a database, so that SQL takes it without quotation
  /// marks.
  public struct Renamed: Sendable, Equatable {
    /// The feed's, or that of a table or view; that of a column, after its table and a dot if there
    /// are several tables.
    public var name: String
    /// The name in the database; of a column without its table.
    public var sql: String
  }

  /// One of several inputs.
  public struct Input: Sendable, Equatable {
    /// Its path, or its URL without secrets.
    public var name: String
    /// The bytes read.
    public var bytes = 0
    /// Its length and CRC-32, such as `84561-1c2d3e4f`. Equal contents have equal ones.
    public var content: String?
    /// When its content last changed, in seconds since 1970; nil if unknown.
    public var modified: Int?
    /// Records read.
    public var read = 0
    /// Records kept.
    public var kept = 0
    /// Records rejected.
    public var rejected = 0
    /// Rows written.
    public var rows = 0
    /// Why it was left out; nil if it was not.
    public var error: PipelineError?

    package init(name: String) { self.name = name }
  }

  /// A column of shares.
  public struct Share: Sendable, Equatable {
    /// Its name. With several tables, the table's name and a dot precede it.
    public var column: String
    /// The column whose share it is.
    public var of: String
    /// The total of that column, with all digits.
    public var total: String
    /// The sum of the percentages as written, with three decimals.
    public var sum: String
  }

  /// Records read: the sum of `kept`, `filtered`, `skipped` and `rejected`.
  public var read = 0
  /// Records that produced at least one row.
  public var kept = 0
  /// Records that did not match the filter.
  public var filtered = 0
  /// Filtered records that lie entirely outside the requested days.
  public var outsideOfDays = 0
  /// Records skipped by their own flag.
  public var skipped = 0
  /// Skipped records that match the filter, if there is one.
  public var skippedMatches = 0
  /// Records that were rejected.
  public var rejected = 0
  /// Kept records whose rows are in the tables but whose event is not in the calendar, because
  /// their address has the number of another one.
  public var sameNumber = 0
  /// Rows written.
  public var rows = 0
  /// Rejected records by reason.
  public var reasons: [RejectReason: Int] = [:]
  /// Events of the largest calendar. The files of one output count as one.
  public var events = 0
  /// Bytes of the largest calendar. The files of one output count as one.
  public var calendarBytes = 0
  /// Events of the calendar file with the most of them.
  public var eventsOfFile = 0
  /// Bytes of the largest calendar file.
  public var bytesOfFile = 0
  /// The calendars of sites that exceed the limits of Google.
  public var largeSiteCalendars = 0
  /// Cells that the formula guard changed.
  public var guardedCells = 0
  /// The first and the last day of the rows written.
  public var days: ClosedRange<Day>?
  /// The first and the last day of all rows read, wanted or not.
  public var daysRead: ClosedRange<Day>?
  /// The last day of the whole feed: of all rows read and of the records filtered out.
  public var lastDayOfFeed: Day?
  /// The number of records that were judged: all except the filtered ones.
  public var judged: Int { read - filtered }
  /// When the content last changed, in seconds since 1970; nil if unknown.
  public var modified: Int?
  /// The filter column that no record matched, with its nearest values.
  public var unmatched: (column: String, nearest: [String])?
  /// Whether the selection kept no row, or none of a table whose file had rows. Then no file that
  /// existed has changed.
  public var isSelectionEmpty = false
  /// The outputs whose own selection kept no row.
  package var emptySelections: [EmptySelection] = []
  /// What single elements of lists left out.
  package var unread: [UnreadElements] = []
  /// The paths of the files that would have changed otherwise.
  public var unchanged: [String] = []
  /// The names of the tables without a row, if there are others that have some.
  public var emptyTables: [String] = []
  /// The names that are others in a database.
  public var renamed: [Renamed] = []
  /// The version of the system's database of time zones, such as `2025b`; nil if no zone was needed
  /// or the database does not tell it.
  public var zonesVersion: String?
  /// The inputs, in order, if there are several.
  public var inputs: [Input] = []
  /// Columns of shares, in order.
  public var shares: [Share] = []
  /// Bytes by stage, in the order of the pipeline.
  public var flows: [Flow] = []
  /// Bytes by output.
  public var written: [Written] = []
  /// Kept answers that were too old to resume from. If there are any, the run started over.
  public var outdatedAnswers = 0
  /// Whether the input is CSV, or lines of JSON, that a server sent without a length. If it was cut
  /// at the end of a line, nothing shows it.
  public var mayBeCut = false
  /// Duration of the run, in seconds.
  public var seconds = 0.0

  /// Whether a calendar exceeds the limits of Google: 1,000 events, 1 MB.
  public var isLargeCalendar: Bool { Self.isLarge(events: eventsOfFile, bytes: bytesOfFile) }

  /// Whether a calendar of so many events and bytes exceeds the limits of Google.
  static func isLarge(events: Int, bytes: Int) -> Bool { events > 1000 || bytes > 1_000_000 }

  /// Copies the counts of a run. `date` is that of its content.
  package init(_ counters: Counters, date: ContentDate? = nil) {
    modified = date?.seconds
    read = counters.read.value
    kept = counters.kept.value
    filtered = counters.filtered.value
    outsideOfDays = counters.outsideOfDays.value
    skipped = counters.skipped.value
    skippedMatches = counters.skippedMatches.value
    rejected = counters.rejected.value
    sameNumber = counters.sameNumber.value
    rows = counters.rows.value
    reasons = counters.reasons.withLock { $0 }
    events = counters.events.value
    calendarBytes = counters.calendarBytes.value
    eventsOfFile = counters.eventsOfFile.value
    bytesOfFile = counters.bytesOfFile.value
    guardedCells = counters.guardedCells.value
    days = Self.range(counters.firstDay.value, counters.lastDay.value)
    daysRead = Self.range(counters.firstDayRead.value, counters.lastDayRead.value)
    let lastDay = max(counters.lastDayRead.value, counters.lastDayFiltered.value)
    lastDayOfFeed = lastDay == .min ? nil : Day(number: Int32(clamping: lastDay))
    outdatedAnswers = counters.outdatedAnswers.value
    mayBeCut = counters.endsWithConnection.value == 1 && counters.isEndless.value == 1
    let json = counters.json.bytesIn.value
    flows = [
      Flow(
        stage: .source, bytesIn: counters.source.bytesIn.value,
        bytesOut: counters.source.bytesOut.value),
      Flow(
        stage: .envelope, bytesIn: counters.envelope.bytesIn.value,
        bytesOut: counters.envelope.bytesOut.value),
      Flow(
        stage: .base64, bytesIn: counters.base64.bytesIn.value,
        bytesOut: counters.base64.bytesOut.value),
      Flow(
        stage: .unzip, bytesIn: counters.unzip.bytesIn.value,
        bytesOut: counters.unzip.bytesOut.value),
      Flow(stage: .json, bytesIn: json, bytesOut: nil),
    ].filter { $0.bytesIn != 0 }
  }

  private static func range(_ first: Int, _ last: Int) -> ClosedRange<Day>? {
    guard first <= last else { return nil }
    return Day(number: Int32(clamping: first))...Day(number: Int32(clamping: last))
  }
}

/// An output whose own selection kept no row.
package struct EmptySelection: Sendable {
  /// The path of the output, or `-`.
  package var path: String
  /// Whether it is about one place.
  package var isOfPlace: Bool
  /// The number of rows that only the days left out, and these days; nil if none was.
  package var days: (rows: Int, from: Day?, to: Day?)?
  /// The column that no row matched, with its nearest values.
  package var unmatched: (column: String, nearest: [String])?
  /// The places that come nearest to the conditions.
  package var near: [NamedPlace] = []
}

extension Counters {
  /// Requests answered, and their total if known; nil if the run requests one plain URL, or none.
  package var requestProgress: (done: Int, of: Int?)? {
    let (done, all) = (requestsDone.value, requestsInAll.value)
    guard done > 0 || all > 0 else { return nil }
    return (done, all > 0 ? all : nil)
  }

  /// Length in seconds of the current pause between requests; nil if there is none. The run pauses
  /// if the server asked for it or failed.
  package var pause: Int? {
    let seconds = secondsToWait.value
    return seconds > 0 ? seconds : nil
  }

  /// The progress of the run: bytes read, bytes expected (nil if unknown), records read.
  package var progress: (bytes: Int, expected: Int?, records: Int) {
    let expected = expectedBytes.value
    let input = input.withLock { $0 }?.progress
    return (
      source.bytesIn.value + (input?.bytes ?? 0), expected > 0 ? expected : nil,
      read.value + (input?.records ?? 0)
    )
  }

  /// Inputs read, and all inputs; nil if there is one.
  package var inputProgress: (done: Int, of: Int)? {
    let all = inputsInAll.value
    return all > 0 ? (inputsDone.value, all) : nil
  }
}

/// The elements of lists that were left out, because only some by their places are read.
package struct UnreadElements: Sendable, Equatable {
  /// The path of the lists, as a column would write it.
  package var path: String
  /// The places that are read, from 0.
  package var read: [Int]
  /// Number of elements that were left out, and of the lists that had them.
  package var elements: Int
  package var lists: Int
}
