import Sluice

/// A ledger's part in one run. It reads the feed's rows, writes the calendars, and is committed
/// after the outputs are published.
///
/// A run that ends without ``commit()`` leaves the ledger as it was.
final class LedgerSession: EventLedger {
  private var run: LedgerRun?
  private var sizeBefore = 0
  private let keepsChanges: Bool
  /// Whether events that stand in a calendar are taken over, not refused.
  private let takesOver: Bool
  /// The paths of the calendars that are about to be replaced.
  private var calendars: [String] = []
  /// The day before which a period is past.
  private let today: Day
  /// Whether nothing was ever committed to the ledger.
  let isNew: Bool
  /// What in the feed's document makes other addresses or events than before.
  let differences: [String]
  /// The number of events that this run cancels, and of those that it could cancel. Known after
  /// ``reconcile(stamp:)``.
  private(set) var cancelled = (count: 0, of: 0)
  /// The changes since the last run, with those that the last run may not have reported. Known
  /// after ``reconcile(stamp:)``.
  private(set) var changes = LedgerChanges()

  /// Opens the ledger in a folder, which must exist, and begins the run.
  ///
  /// If `keepsChanges` is true, the changes are not reported by this session but by the next one.
  /// If `accepts` is true, a damaged ledger is renamed and a new one begins, and events that stand
  /// in the calendars are taken over.
  init(
    folder: String, feed: Feed, today: Day, keepsChanges: Bool = false, accepts: Bool = false
  ) throws(PipelineError) {
    self.keepsChanges = keepsChanges
    takesOver = accepts
    self.today = today
    let begun = try Self.begin(folder, feed, setsAside: accepts)
    isNew = begun.isNew
    differences = begun.differences
    run = consume begun
  }

  private static func begin(
    _ folder: String, _ feed: Feed, setsAside: Bool
  ) throws(PipelineError) -> LedgerRun {
    do throws(DatabaseFault) {
      return try Ledger(folder: folder, feed: feed).begin()
    } catch {
      guard setsAside, error.isDamage else { throw PipelineError(ledger: error) }
    }
    return try blaming { () throws(DatabaseFault) in
      try Ledger.setAside(in: folder)
      return try Ledger(folder: folder, feed: feed).begin()
    }
  }

  /// Makes the branch that reads all rows of the feed.
  func branch(_ counters: Counters) throws(PipelineError) -> Branch {
    let stage = try Self.blaming { () throws(DatabaseFault) in
      sizeBefore = try run?.database.size() ?? 0
      return try run?.stage(counters)
    }
    guard let stage else { preconditionFailure("the session has ended") }
    return Branch(stage)
  }

  /// Reads the calendar that is about to be replaced.
  ///
  /// Throws ``SyncFault/unknownEvents(calendar:count:first:)`` if it has events that the ledger
  /// does not know, and ``SyncFault/otherCalendar(path:feed:)`` if the file is not a calendar of
  /// the feed, unless they are to be taken over.
  func examine(calendar path: String) throws(PipelineError) {
    calendars.append(path)
    guard !takesOver, let found = try run?.strangers(in: path, today: today) else { return }
    if found.author == .other {
      throw PipelineError(sync: .otherCalendar(path: path, feed: run?.feed.name ?? ""))
    }
    if found.count > 0 {
      throw PipelineError(
        sync: .unknownEvents(calendar: path, count: found.count, first: found.first))
    }
  }

  /// Reads calendars, some of which may be about to be replaced. Returns the paths of those that
  /// somebody else has written, unless they are to be taken over.
  ///
  /// Throws ``SyncFault/unknownEvents(calendar:count:first:)`` if one of the feed's has events that
  /// the ledger does not know, unless they are to be taken over.
  func examine(candidates paths: [String]) throws(PipelineError) -> [String] {
    guard !takesOver else {
      calendars += paths
      return []
    }
    let found = try run?.strangers(in: paths, today: today) ?? []
    if let (path, strangers) = found.first(where: { $0.strangers.count > 0 }) {
      throw PipelineError(
        sync: .unknownEvents(calendar: path, count: strangers.count, first: strangers.first))
    }
    return found.filter { $0.strangers.author == .other }.map(\.path)
  }

  /// A ledger that has seen a night has seen the site of that night. An earlier copy of it is found
  /// by other calendars only: reading all of a site's takes too long for every night.
  var examinesSites: Bool { isNew || takesOver }

  /// Returns the number of bytes by which the ledger has grown, its temporary tables included.
  func growth() throws(PipelineError) -> Int {
    try Self.blaming { () throws(DatabaseFault) in
      (try run?.database.size() ?? sizeBefore) - sizeBefore
    }
  }

  /// Compares the feed with the events known so far.
  func reconcile(stamp: Int) throws(PipelineError) {
    if takesOver { try run?.takeOver(calendars, today: today) }
    changes = try Self.blaming { () throws(DatabaseFault) in
      guard let changed = try run?.reconcile(today: today, stamp: stamp) else { return changes }
      cancelled = (changed.cancelled, run?.arrivals.expected ?? 0)
      if keepsChanges {
        try run?.keepChanges()
        return changed
      }
      return changed + (try run?.untold() ?? changes)
    }
  }

  /// Writes and finishes a calendar of the selected events. Returns the column that matched none.
  func writeCalendar(
    _ selection: RowSelection, into calendar: EventCalendar
  ) throws(PipelineError) -> (column: String, nearest: [String])? {
    do {
      return try run?.writeCalendar(selection, into: calendar)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Passes on what is known of moved and cancelled events.
  func writeHistory(
    _ selection: RowSelection,
    _ write: (borrowing Record, EventHistory) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    do {
      try run?.writeHistory(selection, write)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Writes and finishes the list of changes.
  func writeChanges(
    into output: consuming QueuedOutput<OutputWriter>
  ) throws(PipelineError) {
    do {
      try run?.writeChanges(into: output)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Writes the new state, so that hardly anything is left for ``commit()``.
  func prepare() throws(PipelineError) {
    do {
      try run?.prepare(isTold: !keepsChanges)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Ends the run after ``prepare()``: makes the new state permanent.
  func commit() throws(PipelineError) {
    do {
      try run.take()?.commit()
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Runs a body, and makes an error of the ledger of what it throws.
  static func blaming<Result: ~Copyable>(
    _ body: () throws(DatabaseFault) -> Result
  ) throws(PipelineError) -> Result {
    do {
      return try body()
    } catch {
      throw PipelineError(ledger: error)
    }
  }
}

extension PipelineError {
  /// Makes an error of a ledger, or unwraps the error of an output that failed while the ledger was
  /// written to it.
  init(ledger fault: DatabaseFault) {
    if case .output(let error) = fault {
      self = error
    } else {
      self.init(.ledger(fault))
    }
  }
}
