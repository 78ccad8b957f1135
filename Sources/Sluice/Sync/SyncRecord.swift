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
