import Synchronization

/// The counters of a run. Progress and statistics read them, after a failure too.
///
/// Stages count in their own variables and publish here once per chunk or record. Every counter has
/// one writer, so relaxed stores are enough.
package final class Counters: Sendable {
  /// Bytes into and out of a stage.
  package struct Flow: ~Copyable, Sendable {
    package let bytesIn = Atomic<Int>(0)
    package let bytesOut = Atomic<Int>(0)
  }

  package let source = Flow()
  let envelope = Flow()
  let base64 = Flow()
  let unzip = Flow()
  let json = Flow()

  /// Bytes of CSV that were read.
  let csvBytes = Atomic<Int>(0)

  /// The counts of the stages up to `unzip` when they passed on the chunk that another thread is
  /// processing; nil while there is one thread.
  let handedOn = Mutex<UpstreamCounts?>(nil)

  /// Total bytes of the source; negative if unknown.
  package let expectedBytes = Atomic<Int>(-1)

  /// 1 if the end of the connection alone ends the source, so that a cut cannot be noticed.
  let endsWithConnection = Atomic<Int>(0)
  /// 1 if the content is CSV or lines of JSON, which have no end of their own, with no JSON around
  /// it.
  let isEndless = Atomic<Int>(0)

  /// Of several inputs, the number of those that were read, and of all; 0 if there is one.
  package let inputsDone = Atomic<Int>(0)
  let inputsInAll = Atomic<Int>(0)
  /// The counters of the input that is being read, if there are several. They are added to these
  /// when it has been read.
  let input = Mutex<Counters?>(nil)

  /// Seconds that the source waits before its next request; 0 while it does not wait.
  let secondsToWait = Atomic<Int>(0)

  /// Requests answered, and the total number of requests. The total is negative while it is unknown
  /// and if a feed has one plain URL.
  package let requestsDone = Atomic<Int>(0)
  package let requestsInAll = Atomic<Int>(-1)
  /// Kept answers that were too old to resume from.
  package let outdatedAnswers = Atomic<Int>(0)

  /// Records by outcome. `read` is the sum of the others.
  package let read = Atomic<Int>(0)
  let kept = Atomic<Int>(0)
  let filtered = Atomic<Int>(0)
  let skipped = Atomic<Int>(0)
  let rejected = Atomic<Int>(0)
  /// Kept records whose event was left out, because their address has the number of another one.
  let sameNumber = Atomic<Int>(0)
  /// Rows of the current record whose event was left out for that reason.
  package let sameNumberRows = Atomic<Int>(0)
  /// Elements of the outermost list on the path to the records, set after the document has ended
  /// without an error. If no list surrounds the records, these are the records themselves.
  package let elements = Atomic<Int>(0)
  /// Skipped records that match the filter.
  let skippedMatches = Atomic<Int>(0)
  /// Rows written, and records filtered out by their days alone.
  let rows = Atomic<Int>(0)
  let outsideOfDays = Atomic<Int>(0)
  /// The first and last day of the rows written, and of all rows read, as day numbers.
  let firstDay = Atomic<Int>(.max)
  let lastDay = Atomic<Int>(.min)
  let firstDayRead = Atomic<Int>(.max)
  let lastDayRead = Atomic<Int>(.min)
  /// The last day of the records filtered out, as far as it is known.
  let lastDayFiltered = Atomic<Int>(.min)
  /// Events and bytes of the largest calendar, that of many files as one, and cells that the
  /// formula guard changed.
  let events = Atomic<Int>(0)
  let calendarBytes = Atomic<Int>(0)
  /// Events and bytes of the largest file that is a calendar.
  let eventsOfFile = Atomic<Int>(0)
  let bytesOfFile = Atomic<Int>(0)
  let guardedCells = Atomic<Int>(0)
  /// Rejected records by reason.
  let reasons = Mutex<[RejectReason: Int]>([:])
  /// Makes counters at zero.
  package init() {}
}

extension Atomic where Value == Int {
  /// Publishes the counter's new value.
  @inline(__always)
  package func set(_ value: Int) { store(value, ordering: .relaxed) }
  /// Adds `amount` to the counter. Only the caller may write it.
  @inline(__always)
  package func increase(by amount: Int = 1) { set(value + amount) }
  /// The last published value.
  @inline(__always)
  package var value: Int { load(ordering: .relaxed) }
}

extension Counters {
  /// Counts the file of a calendar.
  func noteCalendar(events: Int, bytes: Int) {
    eventsOfFile.set(max(eventsOfFile.value, events))
    bytesOfFile.set(max(bytesOfFile.value, bytes))
  }

  /// Adds the counts of one of several tables, after that table is complete.
  func add(_ other: Counters) {
    read.increase(by: other.read.value)
    kept.increase(by: other.kept.value)
    filtered.increase(by: other.filtered.value)
    skipped.increase(by: other.skipped.value)
    rejected.increase(by: other.rejected.value)
    sameNumber.increase(by: other.sameNumber.value)
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

extension Counters {
  /// Adds the bytes that the stages of one of several inputs read and made.
  func add(flows other: Counters) {
    source.add(other.source)
    envelope.add(other.envelope)
    base64.add(other.base64)
    unzip.add(other.unzip)
    json.add(other.json)
    csvBytes.increase(by: other.csvBytes.value)
    if other.endsWithConnection.value == 1, other.isEndless.value == 1 {
      endsWithConnection.set(1)
      isEndless.set(1)
    }
  }

  /// The bytes of JSON and CSV that were read so far.
  var textBytes: Int {
    let here = json.bytesIn.value + csvBytes.value
    return here + (input.withLock { $0 }?.textBytes ?? 0)
  }
}

extension Counters.Flow {
  fileprivate func add(_ other: borrowing Counters.Flow) {
    bytesIn.increase(by: other.bytesIn.value)
    bytesOut.increase(by: other.bytesOut.value)
  }
}

extension Counters {
  /// Throws ``FeedFault/allRejected(_:)`` if all records that were selected were rejected.
  ///
  /// The days of a rejected record are unknown. So the records outside of the days count too.
  func refuseIfAllRejected() throws(PipelineError) {
    let selected = read.value - filtered.value + outsideOfDays.value
    guard rejected.value > 0, rejected.value == selected else { return }
    throw PipelineError(.normalize(.allRejected(selected)))
  }

  /// Throws ``FeedFault/tooManyRejects(rejected:of:limit:)`` if more records were rejected than
  /// allowed.
  func refuseIfTooManyRejected(_ limit: RejectLimit) throws(PipelineError) {
    let (read, rejected) = (read.value, rejected.value)
    guard limit.allows(rejected, of: read) else {
      throw PipelineError(
        .normalize(.tooManyRejects(rejected: rejected, of: read, limit: limit)))
    }
  }
}

/// A snapshot of the counts of records and of the output made from them.
struct RecordCounts: Sendable {
  fileprivate var counters: [Int] = []
  fileprivate var reasons: [RejectReason: Int]
}

extension Counters {
  /// The counts of records so far. Call this on the thread that processes the records.
  var records: RecordCounts {
    var counts = RecordCounts(reasons: reasons.withLock { $0 })
    counts.counters.reserveCapacity(24)
    visitCounters { counts.counters.append($0.value) }
    return counts
  }

  /// Resets the counts of records to an earlier snapshot.
  func rewind(to counts: RecordCounts) {
    var rest = counts.counters[...]
    visitCounters { $0.set(rest.removeFirst()) }
    reasons.withLock { $0 = counts.reasons }
  }

  /// Visits the counters that the records' thread writes, always in the same order.
  private func visitCounters(_ visit: (borrowing Atomic<Int>) -> Void) {
    visit(json.bytesIn)
    visit(json.bytesOut)
    visit(csvBytes)
    visit(read)
    visit(kept)
    visit(filtered)
    visit(skipped)
    visit(rejected)
    visit(sameNumber)
    visit(sameNumberRows)
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
    visit(eventsOfFile)
    visit(bytesOfFile)
    visit(guardedCells)
  }
}

/// A snapshot of the counts of the stages before the records.
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
  /// The counts of the stages before the records. Call this on the thread that runs them.
  var upstream: UpstreamCounts {
    UpstreamCounts(
      source: source.counts, envelope: envelope.counts, base64: base64.counts, unzip: unzip.counts)
  }

  /// Their counts when they passed on the current chunk. Call this on the thread that processes it.
  var upstreamOfWork: UpstreamCounts { handedOn.withLock { $0 } ?? upstream }

  /// Resets the counts of those stages to an earlier snapshot.
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
