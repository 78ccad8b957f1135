import Sluice

/// What is known of one input from one run of `sync` to the next.
///
/// It is one small file of the state folder, written whole or not at all. The last good copy that
/// it names lies beside it.
public struct SyncRecord: Equatable, Sendable {
  /// How a run ended.
  public enum Result: String, Sendable, CaseIterable {
    /// New content was published.
    case published
    /// The content is the same as before; outputs were made of it all the same.
    case unchanged
    /// A guard refused the new content.
    case refused
    /// The source could not be reached, and its last good copy is recent enough.
    case unreachable
    /// The source sent what is no feed.
    case badData = "bad-data"
    /// Something else: an output could not be written, an input not be read.
    case failed
  }

  /// Records of a pass, by what became of them.
  public struct Counts: Equatable, Sendable {
    /// All records: the sum of the next four.
    public var read = 0
    /// Records that gave rows.
    public var kept = 0
    /// Records that were not asked for.
    public var filtered = 0
    /// Records that say themselves that they are of no concern.
    public var skipped = 0
    /// Records that were refused.
    public var rejected = 0
    /// Rows written.
    public var rows = 0
  }

  /// The last source whose outputs were published.
  public struct Copy: Equatable, Sendable {
    /// Which of the two files beside the record holds it.
    var slot = Slot.a
    /// Its size in bytes, as the server sent it.
    public var size = 0
    /// Tells whether the file is still what was sent.
    var source = ""
    /// Tells its payload from others.
    var payload = ""
    /// The payload's version as its publisher numbers it.
    public var version: String?
    /// When it was published first, in seconds since 1970.
    public var taken = 0
    /// When it was last known to be what the source has, in seconds since 1970.
    public var confirmed = 0
    /// What was counted in it.
    public var counts = Counts()
    /// The last day of all of its records.
    public var lastDay: Day?
    var validators = HTTPValidators()
    /// Some of it may be missing: it is asked for again however young it is.
    var isDoubtful = false
  }

  /// A source whose outputs were about to be put in place.
  struct Pending: Equatable, Sendable {
    /// As in ``Copy``.
    var slot: Slot
    var source: String
    var payload: String
    /// The day that the ledger's rules asked for.
    var today: Day
  }

  /// One of the two places of a copy: a new one never takes the place of the one in use.
  enum Slot: String, Sendable {
    case a, b
    var other: Slot { self == .a ? .b : .a }
  }

  /// The feed's name.
  public var feed: String
  /// What is read: a URL without userinfo, the absolute path of a file, or `-`.
  public var input: String
  /// When the last run ended, in seconds since 1970.
  public var ran = 0
  /// How it ended.
  public var result = Result.failed
  /// For how many seconds no request is made after one that was answered; nil for other inputs.
  public var maxAge: Int?
  /// What a run had begun to publish when it ended: its outputs may be there, or still those of
  /// before.
  var publishing: Pending?
  /// The last good copy; nil before the first.
  public var copy: Copy?

  /// Until when no request is made, in seconds since 1970; nil where one may be made any time.
  public var quietUntil: Int? {
    guard let maxAge, let copy, !copy.isDoubtful else { return nil }
    return copy.confirmed + maxAge
  }
}

extension SyncRecord.Counts {
  /// Takes what a pass has counted.
  init(_ statistics: Statistics) {
    self.init(
      read: statistics.read, kept: statistics.kept, filtered: statistics.filtered,
      skipped: statistics.skipped, rejected: statistics.rejected, rows: statistics.rows)
  }
}

extension SyncRecord {
  /// The number that changes with what the fields mean.
  private static let format = 1

  /// The record as one flat JSON object, with a line feed.
  var encoded: ByteBuffer {
    var json = JSONObject()
    json.add("format", Self.format)
    json.add("feed", feed)
    json.add("input", input)
    json.add("ran", ran)
    json.add("result", result.rawValue)
    if let maxAge { json.add("max_age", maxAge) }
    if let publishing {
      json.add("publishing", publishing.payload)
      json.add("publishing_copy", publishing.slot.rawValue)
      json.add("publishing_source", publishing.source)
      json.add("publishing_day", "\(publishing.today)")
    }
    if let copy {
      json.add("copy", copy.slot.rawValue)
      json.add("size", copy.size)
      json.add("source", copy.source)
      json.add("payload", copy.payload)
      json.add("version", copy.version)
      json.add("taken", copy.taken)
      json.add("confirmed", copy.confirmed)
      json.add("read", copy.counts.read)
      json.add("kept", copy.counts.kept)
      json.add("filtered", copy.counts.filtered)
      json.add("skipped", copy.counts.skipped)
      json.add("rejected", copy.counts.rejected)
      json.add("rows", copy.counts.rows)
      json.add("last_day", copy.lastDay.map { "\($0)" })
      json.add("etag", copy.validators.entityTag)
      json.add("last_modified", copy.validators.lastModified)
      if copy.isDoubtful { json.add("doubtful", 1) }
    }
    return json.finish()
  }

  /// Takes the fields of a file; nil where they are not those of a record.
  init?(_ fields: FlatFields) {
    guard fields.number("format") == Self.format, let feed = fields.text("feed"),
      let input = fields.text("input"), let ran = fields.number("ran"),
      let result = fields.text("result").flatMap(Result.init)
    else { return nil }
    self.init(
      feed: feed, input: input, ran: ran, result: result, maxAge: fields.number("max_age"),
      publishing: Pending(fields))
    guard publishing != nil || fields.text("publishing") == nil else { return nil }
    guard let slot = fields.text("copy") else { return }
    guard let slot = Slot(rawValue: slot), let copy = Copy(fields, in: slot) else { return nil }
    self.copy = copy
  }
}

extension SyncRecord.Copy {
  fileprivate init?(_ fields: FlatFields, in slot: SyncRecord.Slot) {
    guard let size = fields.number("size"), let source = fields.text("source"),
      let payload = fields.text("payload"),
      let taken = fields.number("taken"), let confirmed = fields.number("confirmed"),
      let read = fields.number("read"), let kept = fields.number("kept"),
      let filtered = fields.number("filtered"), let skipped = fields.number("skipped"),
      let rejected = fields.number("rejected"), let rows = fields.number("rows")
    else { return nil }
    self.init(
      slot: slot, size: size, source: source, payload: payload, version: fields.text("version"),
      taken: taken, confirmed: confirmed,
      counts: SyncRecord.Counts(
        read: read, kept: kept, filtered: filtered, skipped: skipped, rejected: rejected,
        rows: rows),
      validators: HTTPValidators(
        entityTag: fields.text("etag"), lastModified: fields.text("last_modified")))
    isDoubtful = fields.number("doubtful") == 1
    lastDay = fields.day("last_day")
    if lastDay == nil, fields.text("last_day") != nil { return nil }
  }
}

extension SyncRecord.Pending {
  fileprivate init?(_ fields: FlatFields) {
    guard let payload = fields.text("publishing"), let source = fields.text("publishing_source"),
      let slot = fields.text("publishing_copy").flatMap(SyncRecord.Slot.init),
      let today = fields.day("publishing_day")
    else { return nil }
    self.init(slot: slot, source: source, payload: payload, today: today)
  }
}

extension SyncRecord.Result {
  /// The result of a run that ended with an error, by the error's class.
  init(_ error: PipelineError) {
    self =
      switch error.class {
      case .badData, .badFeed: .badData
      case .guarded: .refused
      case .unreachable, .blocked, .connectionLost, .stalled, .timedOut, .serverBusy,
        .gatewayFailed, .unauthorized, .forbidden, .badAnswer:
        .unreachable
      // Waiting does not help, or the run itself must be repeated: nothing is said of the source.
      case .usage, .noInput, .cannotRead, .cannotCreate, .cannotWrite, .badState, .busy,
        .readerGone, .cancelled, .notInstalled:
        .failed
      }
  }
}

/// What a state folder knows.
public struct SyncStatus: Sendable {
  /// What is known of every input, sorted by feed and input.
  public var records: [SyncRecord] = []
  /// Why nothing can be said of the others.
  public var faults: [PipelineError] = []
}

/// Reads what the state folder knows; nothing where there is no such folder. Takes no lock and
/// changes nothing. Throws where a folder cannot be read.
public func syncStatus(state: String) throws(PipelineError) -> SyncStatus {
  var status = SyncStatus()
  for feed in try FeedFolder.names(in: state) where !feed.hasPrefix(".") {
    let folder = "\(state)/\(feed)"
    guard FileStatus(path: Array(folder.utf8CString))?.isFolder == true else { continue }
    for name in try FeedFolder.names(in: folder)
    where name.hasSuffix(".json") && !name.hasPrefix(".") {
      do throws(PipelineError) {
        if let record = try FeedFolder.read("\(folder)/\(name)") { status.records.append(record) }
      } catch {
        status.faults.append(error)
      }
    }
  }
  status.records.sort { ($0.feed, $0.input) < ($1.feed, $1.input) }
  return status
}
