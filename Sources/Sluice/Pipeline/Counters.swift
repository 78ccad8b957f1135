import Synchronization

/// What a run has counted so far: read by progress, by the statistics and after a failure too.
///
/// Stages count in their own variables and publish here once a chunk or a record; every counter
/// has one writer, so relaxed stores are enough.
package final class Counters: Sendable {
  /// Bytes that went into and came out of a stage.
  package struct Flow: ~Copyable, Sendable {
    package let bytesIn = Atomic<Int>(0)
    package let bytesOut = Atomic<Int>(0)
  }

  package let source = Flow()
  let envelope = Flow()
  let base64 = Flow()
  let unzip = Flow()
  let json = Flow()

  /// What the stages up to `unzip` had counted when they handed on the chunk that another thread
  /// works on; nil while there is one thread.
  let handedOn = Mutex<UpstreamCounts?>(nil)

  /// How many bytes the source will give; negative where nobody knows.
  package let expectedBytes = Atomic<Int>(-1)
  /// When the content was last changed, in seconds since 1970 (UTC); `Int.min` where nobody said.
  package let modified = Atomic<Int>(.min)

  /// For how many seconds the source waits before it asks its server again; 0 while it does not.
  let secondsToWait = Atomic<Int>(0)

  /// Requests answered, and how many there are; negative while nobody knows, and where a feed has
  /// one plain URL.
  package let requestsDone = Atomic<Int>(0)
  package let requestsInAll = Atomic<Int>(-1)
  /// Kept answers that were too old to resume from.
  package let outdatedAnswers = Atomic<Int>(0)

  /// Records by what became of them: read is the sum of the others.
  package let read = Atomic<Int>(0)
  let kept = Atomic<Int>(0)
  let filtered = Atomic<Int>(0)
  let skipped = Atomic<Int>(0)
  let rejected = Atomic<Int>(0)
  /// Elements of the outermost list on the way to the records, once the document has ended well: the
  /// records themselves where no list is around them.
  package let elements = Atomic<Int>(0)
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
  /// Makes a counters of nothing.
  package init() {}
}

extension Atomic where Value == Int {
  /// Publishes a counter's new value.
  @inline(__always)
  package func set(_ value: Int) { store(value, ordering: .relaxed) }
  /// Adds to a counter that only the caller writes.
  @inline(__always)
  package func increase(by amount: Int = 1) { set(value + amount) }
  /// The value published last.
  @inline(__always)
  package var value: Int { load(ordering: .relaxed) }
}

extension Counters {
  /// Adds what was counted of one of several tables, once that is done with.
  func add(_ other: Counters) {
    read.increase(by: other.read.value)
    kept.increase(by: other.kept.value)
    filtered.increase(by: other.filtered.value)
    skipped.increase(by: other.skipped.value)
    rejected.increase(by: other.rejected.value)
    skippedMatches.increase(by: other.skippedMatches.value)
    rows.increase(by: other.rows.value)
    outsideOfDays.increase(by: other.outsideOfDays.value)
    guardedCells.increase(by: other.guardedCells.value)
    firstDay.set(min(firstDay.value, other.firstDay.value))
    lastDay.set(max(lastDay.value, other.lastDay.value))
    firstDayRead.set(min(firstDayRead.value, other.firstDayRead.value))
    lastDayRead.set(max(lastDayRead.value, other.lastDayRead.value))
    lastDayFiltered.set(max(lastDayFiltered.value, other.lastDayFiltered.value))
    let more = other.reasons.withLock { $0 }
    reasons.withLock { $0.merge(more, uniquingKeysWith: +) }
  }
}

/// What has been counted of the records and of what is made of them.
struct RecordCounts: Sendable {
  fileprivate var counters: [Int] = []
  fileprivate var reasons: [RejectReason: Int]
}

extension Counters {
  /// What has been counted of the records so far; for the thread that they are on.
  var records: RecordCounts {
    var counts = RecordCounts(reasons: reasons.withLock { $0 })
    counts.counters.reserveCapacity(18)
    visitCounters { counts.counters.append($0.value) }
    return counts
  }

  /// Takes back what has been counted of the records since.
  func rewind(to counts: RecordCounts) {
    var rest = counts.counters[...]
    visitCounters { $0.set(rest.removeFirst()) }
    reasons.withLock { $0 = counts.reasons }
  }

  /// Visits the counters that the thread of the records writes, always in one order.
  private func visitCounters(_ visit: (borrowing Atomic<Int>) -> Void) {
    visit(json.bytesIn)
    visit(json.bytesOut)
    visit(read)
    visit(kept)
    visit(filtered)
    visit(skipped)
    visit(rejected)
    visit(skippedMatches)
    visit(rows)
    visit(outsideOfDays)
    visit(firstDay)
    visit(lastDay)
    visit(firstDayRead)
    visit(lastDayRead)
    visit(lastDayFiltered)
    visit(events)
    visit(calendarBytes)
    visit(guardedCells)
  }
}

/// What the stages before the records have counted.
struct UpstreamCounts: Equatable, Sendable {
  /// Bytes into and out of a stage.
  struct Flow: Equatable, Sendable {
    var bytesIn = 0
    var bytesOut = 0
  }

  var source = Flow()
  var envelope = Flow()
  var base64 = Flow()
  var unzip = Flow()
}

extension Counters {
  /// What the stages before the records have counted so far; for the thread that they run on.
  var upstream: UpstreamCounts {
    UpstreamCounts(
      source: source.counts, envelope: envelope.counts, base64: base64.counts, unzip: unzip.counts)
  }

  /// What they had counted when they handed on what is being worked on; for the thread that works.
  var upstreamOfWork: UpstreamCounts { handedOn.withLock { $0 } ?? upstream }

  /// Takes back what those stages have counted since.
  func rewind(to counts: UpstreamCounts) {
    source.set(counts.source)
    envelope.set(counts.envelope)
    base64.set(counts.base64)
    unzip.set(counts.unzip)
  }
}

extension Counters.Flow {
  fileprivate var counts: UpstreamCounts.Flow {
    UpstreamCounts.Flow(bytesIn: bytesIn.value, bytesOut: bytesOut.value)
  }

  fileprivate func set(_ counts: UpstreamCounts.Flow) {
    bytesIn.set(counts.bytesIn)
    bytesOut.set(counts.bytesOut)
  }
}
