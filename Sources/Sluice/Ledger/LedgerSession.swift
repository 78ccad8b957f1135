/// A ledger's part in one run: takes the feed's rows, gives the calendars, and is committed when the
/// outputs have been published.
///
/// A run that ends without ``commit()`` leaves the ledger as it was.
final class LedgerSession {
  private var run: LedgerRun?
  private let keepsChanges: Bool
  /// The ledger had never been committed.
  let isNew: Bool
  /// What changed since the last run, with what that one may not have told; known after
  /// ``reconcile(today:stamp:)``.
  private(set) var changes = LedgerChanges()

  /// Opens the ledger in a folder, which is there, and begins.
  ///
  /// One that keeps its changes tells nobody of them: the next session does.
  init(folder: String, feed: Feed, keepsChanges: Bool = false) throws(PipelineError) {
    self.keepsChanges = keepsChanges
    let ledger = try Self.blaming { () throws(DatabaseFault) in
      try Ledger(folder: folder, feed: feed)
    }
    isNew = ledger.isNew
    do throws(DatabaseFault) {
      run = try ledger.begin()
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Makes the branch that takes all rows of the feed.
  func branch() throws(PipelineError) -> Branch? {
    let stage = try Self.blaming { () throws(DatabaseFault) in try run?.stage() }
    guard let stage else { return nil }
    return Branch(stage)
  }

  /// Compares the feed with what was known.
  func reconcile(today: Day, stamp: Int) throws(PipelineError) {
    changes = try Self.blaming { () throws(DatabaseFault) in
      guard let changed = try run?.reconcile(today: today, stamp: stamp) else { return changes }
      if keepsChanges {
        try run?.keepChanges()
        return changed
      }
      return changed + (try run?.untold() ?? changes)
    }
  }

  /// Writes and finishes a calendar of the events that are wanted.
  func writeCalendar<Output: ByteStage & ~Copyable>(
    _ options: CalendarOptions, wanted: LedgerQuery, into output: consuming Output,
    tally: Tally
  ) throws(PipelineError) {
    do {
      try run?.writeCalendar(options, wanted: wanted, into: output, tally: tally)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Writes and finishes the list of what changed.
  func writeChanges<Output: ByteStage & ~Copyable>(into output: consuming Output)
    throws(PipelineError)
  {
    do {
      try run?.writeChanges(into: output)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Ends the run: what was published is known from now on.
  func commit() throws(PipelineError) {
    do {
      try run.take()?.commit(isTold: !keepsChanges)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  private static func blaming<Result: ~Copyable>(
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
  /// Makes an error of a ledger, or unwraps the output's that came through it.
  init(ledger fault: DatabaseFault) {
    if case .output(let error) = fault {
      self = error
    } else {
      self.init(.ledger(fault))
    }
  }
}
