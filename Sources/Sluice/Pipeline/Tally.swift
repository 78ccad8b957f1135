import Synchronization

/// What a run has counted so far: read by progress, by the statistics and after a failure too.
///
/// Stages count in their own variables and publish here once a chunk or a record; every counter
/// has one writer, so relaxed stores are enough.
public final class Tally: Sendable {
  /// Bytes that went into and came out of a stage.
  struct Flow: ~Copyable, Sendable {
    let bytesIn = Atomic<Int>(0)
    let bytesOut = Atomic<Int>(0)
  }

  let source = Flow()
  let envelope = Flow()
  let base64 = Flow()
  let unzip = Flow()
  let json = Flow()

  /// What the stages up to `unzip` had counted when they handed on the chunk that another thread
  /// works on; nil while there is one thread.
  let handedOn = Mutex<UpstreamCounts?>(nil)

  /// How many bytes the source will give; negative where nobody knows.
  let expectedBytes = Atomic<Int>(-1)
  /// When the content was last changed, in seconds since 1970 (UTC); `Int.min` where nobody said.
  let modified = Atomic<Int>(.min)

  /// For how many seconds the source waits before it asks its server again; 0 while it does not.
  let secondsToWait = Atomic<Int>(0)

  /// Requests answered, and how many there are; negative while nobody knows, and where a feed has
  /// one plain URL.
  let requestsDone = Atomic<Int>(0)
  let requestsInAll = Atomic<Int>(-1)

  /// Records by what became of them: read is the sum of the others.
  let read = Atomic<Int>(0)
  let kept = Atomic<Int>(0)
  let filtered = Atomic<Int>(0)
  let skipped = Atomic<Int>(0)
  let rejected = Atomic<Int>(0)
  /// Elements of the outermost list on the way to the records, once the document has ended well: the
  /// records themselves where no list is around them.
  let elements = Atomic<Int>(0)
  /// Records skipped that match what was asked for.
  let skippedMatches = Atomic<Int>(0)
  /// Rows written, and records filtered away by their days alone.
  let rows = Atomic<Int>(0)
  let outsideOfDays = Atomic<Int>(0)
  /// The first and the last day of the rows written, and of all that were read, as counts of days.
  let firstDay = Atomic<Int>(.max)
  let lastDay = Atomic<Int>(.min)
  let firstDayRead = Atomic<Int>(.max)
  let lastDayRead = Atomic<Int>(.min)
  /// The last day of the records filtered away, as far as it is known.
  let lastDayFiltered = Atomic<Int>(.min)
  /// Events written, bytes of the largest calendar, and cells that the formula guard changed.
  let events = Atomic<Int>(0)
  let calendarBytes = Atomic<Int>(0)
  let guardedCells = Atomic<Int>(0)
  /// Refused records by reason.
  let reasons = Mutex<[RejectReason: Int]>([:])
  /// The column that no record matched, and its values nearest to the one asked for.
  let blame = Mutex<(column: String, nearest: [String])?>(nil)

  /// The totals that shares are of, once these are written.
  let shares = Mutex<[Statistics.Share]>([])

  /// Makes a tally of nothing.
  public init() {}
}

extension Atomic where Value == Int {
  /// Publishes a counter's new value.
  @inline(__always)
  func set(_ value: Int) { store(value, ordering: .relaxed) }
  /// Adds to a counter that only the caller writes.
  @inline(__always)
  func increase(by amount: Int = 1) { set(value + amount) }
  /// The value published last.
  @inline(__always)
  var value: Int { load(ordering: .relaxed) }
}
