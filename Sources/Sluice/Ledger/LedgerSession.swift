/// A ledger's part in one run: takes the feed's rows, gives the calendars, and is committed when the
/// outputs have been published.
///
/// A run that ends without ``commit()`` leaves the ledger as it was: the next one finds the old
/// state, and from the same feed makes the same bytes again.
final class LedgerSession {
  private var run: LedgerRun?
  /// What changed since the last run; known after ``reconcile(today:stamp:)``.
  private(set) var changes = LedgerChanges()

  /// Opens the ledger in a folder, which is there, and begins.
  init(folder: String, feed: Feed) throws(PipelineError) {
    run = try Self.blaming { () throws(LedgerFault) in
      try Ledger(folder: folder, feed: feed).begin()
    }
  }

  /// Makes the branch that takes all rows of the feed.
  func branch() throws(PipelineError) -> Branch? {
    let stage = try Self.blaming { () throws(LedgerFault) in try run?.stage() }
    guard let stage else { return nil }
    return Branch(stage)
  }

  /// Compares the feed with what was known.
  func reconcile(today: Day, stamp: Int) throws(PipelineError) {
    changes = try Self.blaming { () throws(LedgerFault) in
      try run?.reconcile(today: today, stamp: stamp) ?? changes
    }
  }

  /// Writes and finishes a calendar of the events that are wanted.
  func writeCalendar(
    _ options: CalendarOptions, wanted: LedgerQuery, into output: consuming OutputWriter,
    tally: Tally
  ) throws(PipelineError) {
    do {
      try run?.writeCalendar(options, wanted: wanted, into: output, tally: tally)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Writes and finishes the list of what changed.
  func writeChanges(into output: consuming OutputWriter) throws(PipelineError) {
    do {
      try run?.writeChanges(into: output)
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  /// Ends the run: what was published is known from now on.
  func commit() throws(PipelineError) {
    do {
      try run.take()?.commit()
    } catch {
      throw PipelineError(ledger: error)
    }
  }

  private static func blaming<Result: ~Copyable>(
    _ body: () throws(LedgerFault) -> Result
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
  init(ledger fault: LedgerFault) {
    if case .output(let error) = fault {
      self = error
    } else {
      self.init(.ledger(fault))
    }
  }
}
