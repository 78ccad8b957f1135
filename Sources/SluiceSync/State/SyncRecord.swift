import Sluice

/// The facts about one input that `sync` keeps from one run to the next.
///
/// It is one small file of the state folder, written whole or not at all. The last good copy that
/// it names is beside it.
public struct SyncRecord: Equatable, Sendable {
  /// How a run ended.
  public enum Result: String, Sendable, CaseIterable {
    /// New content was published.
    case published
    /// The content is the same as before. The outputs were made of it nevertheless.
    case unchanged
    /// A guard refused the new content.
    case refused
    /// The source could not be reached, and its last good copy is recent enough.
    case unreachable
    /// The source sent something that is not the feed.
    case badData = "bad-data"
    /// Something else: an output could not be written, or an input could not be read.
    case failed
  }

  /// The numbers of a pass's records, by their results.
  public struct Counts: Equatable, Sendable {
    /// All records: the sum of the next four.
    public var read = 0
    /// Records that became rows.
    public var kept = 0
    /// Records that the conditions excluded.
    public var filtered = 0
    /// Records skipped by their own flag.
    public var skipped = 0
    /// Records that were rejected.
    public var rejected = 0
    /// Rows written.
    public var rows = 0
  }

  /// The last source that outputs were published from.
  public struct Copy: Equatable, Sendable {
    /// The file beside the record that holds it.
    var slot = Slot.a
    /// Its size in bytes, as the server sent it.
    public var size = 0
    /// The fingerprint of the file as it was sent. It shows whether the file was changed.
    var source = ""
    /// The fingerprint of the payload.
    var payload = ""
    /// The payload's version, as its publisher numbers it.
    public var version: String?
    /// When it was first published, in seconds since 1970.
    public var taken = 0
    /// When the source was last known to have this content, in seconds since 1970.
    public var confirmed = 0
    /// When the server last sent this content, and did not only confirm it. In seconds since 1970.
    var fetched = 0
    /// The counts of its records.
    public var counts = Counts()
    /// The last day of all its records.
    public var lastDay: Day?
    var validators = HTTPValidators()
    /// Whether some of it may be missing. If so, it is fetched again however young it is.
    var isDoubtful = false
  }

  /// A source whose outputs were about to be renamed into place.
  struct Pending: Equatable, Sendable {
    /// As in ``Copy``.
    var slot: Slot
    var source: String
    var payload: String
    /// The day that the ledger was reconciled by.
    var today: Day
    /// The outputs that show whether the run published. Nil in a record of version 0.1, which noted
    /// none.
    var evidence: [Evidence]?
  }

  /// An output that a run was about to put in place.
  struct Evidence: Equatable, Sendable {
    /// The absolute path of the file.
    var path: String
    /// The fingerprint of its new content.
    var content: String
  }

  /// One of the two files of a copy. A new copy is never written over the one in use.
  enum Slot: String, Sendable {
    case a, b
    var other: Slot { self == .a ? .b : .a }
  }

  /// The feed's name.
  public var feed: String
  /// The input: a URL without secrets, the absolute path of a file, or `-`.
  public var input: String
  /// When the last run ended, in seconds since 1970.
  public var ran = 0
  /// How it ended.
  public var result = Result.failed
  /// The number of seconds without a request after one that was answered, or nil for other inputs.
  public var maxAge: Int?
  /// The source that a run had begun to publish when it ended. Its outputs may be in place, or
  /// still the earlier ones.
  var publishing: Pending?
  /// The last good copy, or nil before the first.
  public var copy: Copy?
  /// The places that were found for addresses.
  var places = KnownPlaces()

  /// The time until which no request is made, in seconds since 1970, or nil if one may be made at
  /// any time.
  public var quietUntil: Int? {
    guard let maxAge, let copy, !copy.isDoubtful else { return nil }
    return copy.confirmed + maxAge
  }
}

extension SyncRecord.Counts {
  /// Copies the counts of a pass.
  init(_ statistics: Statistics) {
    self.init(
      read: statistics.read, kept: statistics.kept, filtered: statistics.filtered,
      skipped: statistics.skipped, rejected: statistics.rejected, rows: statistics.rows)
  }
}

extension SyncRecord {
  /// The number of the format. It changes when the meaning of a field changes.
  private static let format = 1

  /// The record as one flat JSON object and a line feed.
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
      if let evidence = publishing.evidence {
        json.add("publishing_outputs", evidence.count)
        for (number, output) in evidence.enumerated() {
          json.add("publishing_output_\(number)", output.path)
          json.add("publishing_content_\(number)", output.content)
        }
      }
    }
    if let copy {
      json.add("copy", copy.slot.rawValue)
      json.add("size", copy.size)
      json.add("source", copy.source)
      json.add("payload", copy.payload)
      json.add("version", copy.version)
      json.add("taken", copy.taken)
      json.add("confirmed", copy.confirmed)
      json.add("fetched", copy.fetched)
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
    places.add(to: &json)
    return json.finish()
  }

  /// The times and lengths of time that a record may have, in seconds. The last is the end of the
  /// year 9999. With any of them, sums and differences stay far from the limits of `Int`.
  static let times = 0...253_402_300_799
  /// The counts and sizes that a record may have.
  static let counts = 0...(1 << 53)

  /// Makes a record of the fields of a file. Returns nil if they are not those of a record, or have
  /// values that no run writes.
  init?(_ fields: FlatFields) {
    guard fields.number("format") == Self.format, let feed = fields.text("feed"),
      let input = fields.text("input"), let ran = fields.number("ran", in: Self.times),
      let result = fields.text("result").flatMap(Result.init)
    else { return nil }
    let maxAge = fields.number("max_age", in: Self.times)
    guard maxAge != nil || !fields.has("max_age") else { return nil }
    self.init(
      // Records of version 0.1 have the URL with its query.
      feed: feed, input: Redaction.message(input), ran: ran, result: result,
      maxAge: maxAge,
      publishing: Pending(fields))
    guard publishing != nil || !fields.has("publishing") else { return nil }
    guard let places = KnownPlaces(fields) else { return nil }
    self.places = places
    guard fields.has("copy") else { return }
    guard let slot = fields.text("copy").flatMap(Slot.init), let copy = Copy(fields, in: slot)
    else { return nil }
    self.copy = copy
  }
}

extension SyncRecord.Copy {
  fileprivate init?(_ fields: FlatFields, in slot: SyncRecord.Slot) {
    let (times, counts) = (SyncRecord.times, SyncRecord.counts)
    guard let size = fields.number("size", in: counts), let source = fields.text("source"),
      let payload = fields.text("payload"),
      let taken = fields.number("taken", in: times),
      let confirmed = fields.number("confirmed", in: times),
      let read = fields.number("read", in: counts), let kept = fields.number("kept", in: counts),
      let filtered = fields.number("filtered", in: counts),
      let skipped = fields.number("skipped", in: counts),
      let rejected = fields.number("rejected", in: counts),
      let rows = fields.number("rows", in: counts)
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
    // Version 0.1 did not note it.
    fetched = fields.number("fetched", in: times) ?? taken
    if fields.has("fetched"), fields.number("fetched", in: times) == nil { return nil }
    lastDay = fields.day("last_day")
    if lastDay == nil, fields.has("last_day") { return nil }
  }
}

extension SyncRecord.Pending {
  fileprivate init?(_ fields: FlatFields) {
    guard let payload = fields.text("publishing"), let source = fields.text("publishing_source"),
      let slot = fields.text("publishing_copy").flatMap(SyncRecord.Slot.init),
      let today = fields.day("publishing_day")
    else { return nil }
    self.init(slot: slot, source: source, payload: payload, today: today)
    guard fields.has("publishing_outputs") else { return }
    guard let count = fields.number("publishing_outputs", in: 0...10_000) else { return nil }
    var evidence: [SyncRecord.Evidence] = []
    for number in 0..<count {
      guard let path = fields.text("publishing_output_\(number)"),
        let content = fields.text("publishing_content_\(number)")
      else { return nil }
      evidence.append(SyncRecord.Evidence(path: path, content: content))
    }
    self.evidence = evidence
  }

  /// Whether the outputs of the noted payload were put in place: one of them stands.
  ///
  /// Without any evidence they count as published: what went to a device or a FIFO was read at
  /// once.
  var stands: Bool {
    guard let evidence, !evidence.isEmpty else { return true }
    return evidence.contains { output in
      FileStatus(path: Array(output.path.utf8CString))?.isRegular == true
        && FingerprintTap.fingerprint(ofFile: output.path)?.description == output.content
    }
  }
}

extension SyncRecord.Result {
  /// Maps the class of the error that ended a run to the run's result.
  init(_ error: PipelineError) {
    self =
      switch error.class {
      case .badData, .badFeed: .badData
      case .guarded: .refused
      case .unreachable, .blocked, .connectionLost, .stalled, .timedOut, .serverBusy,
        .gatewayFailed, .unauthorized, .forbidden, .badAnswer:
        .unreachable
      // Waiting does not help, or the run itself must be repeated: the source is not to blame.
      case .usage, .nothingFound, .noInput, .cannotRead, .cannotCreate, .cannotWrite, .badState,
        .busy,
        .readerGone, .cancelled, .notInstalled:
        .failed
      }
  }
}

/// The contents of a state folder.
public struct SyncStatus: Sendable {
  /// The records of all inputs, sorted by feed and input.
  public var records: [SyncRecord] = []
  /// The errors of records that could not be read.
  public var faults: [PipelineError] = []
}

/// Reads the records of a state folder. There are none if the folder does not exist. Takes no lock
/// and changes nothing.
///
/// Throws ``SyncFault/folder(path:errno:)`` if a folder cannot be read.
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
