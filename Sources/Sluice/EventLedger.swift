/// Keeps a feed's events from run to run. It receives every row of the feed and writes the
/// calendars. Its methods throw the errors of the ledger and of the outputs.
package protocol EventLedger: AnyObject {
  /// Makes the branch that receives all rows of the feed. It counts in `counters` the rows that it
  /// leaves out, because their address has the number of another one.
  func branch(_ counters: Counters) throws(PipelineError) -> Branch
  /// Checks the calendar that is about to be replaced. Called when its output is open, and so
  /// locked.
  func examine(calendar path: String) throws(PipelineError)
  /// Checks calendars, some of which may be about to be replaced. Returns those that somebody else
  /// has written and that must not be replaced.
  func examine(candidates paths: [String]) throws(PipelineError) -> [String]
  /// Whether the many calendars of a site are checked as well: the ledger may not know their
  /// events.
  var examinesSites: Bool { get }
  /// Compares the feed with the known events. `stamp` is the content's time in seconds since 1970.
  func reconcile(stamp: Int) throws(PipelineError)
  /// Writes and finishes a calendar of the selected events. Returns the column that matched no
  /// event, with its nearest values; nil if there is none.
  func writeCalendar(_ selection: RowSelection, into calendar: EventCalendar)
    throws(PipelineError) -> (column: String, nearest: [String])?
  /// Passes on what is known of moved and cancelled events of the selection.
  func writeHistory(
    _ selection: RowSelection,
    _ write: (borrowing Record, EventHistory) throws(PipelineError) -> Void
  ) throws(PipelineError)
  /// The number of bytes by which it has grown, those that it needs during the run included.
  func growth() throws(PipelineError) -> Int
  /// Writes and finishes the list of changes.
  func writeChanges(into output: consuming QueuedOutput<OutputWriter>) throws(PipelineError)
  /// Writes the new state to the disk, so that ``commit()`` needs no more room. Called once, before
  /// the outputs are published.
  func prepare() throws(PipelineError)
  /// Makes the new state permanent, after the outputs have been published.
  func commit() throws(PipelineError)
}

/// The rows that a user selected.
package struct RowSelection {
  /// The conditions, as in ``Conversion/conditions``.
  package var conditions: [Condition] = []
  /// The conditions of the one place that is wanted; empty for all.
  package var place: [Condition] = []
  /// The first and the last of the days, both inclusive.
  package var from: Day?
  package var to: Day?

  init(
    conditions: [Condition] = [], place: [Condition] = [], from: Day? = nil, to: Day? = nil
  ) {
    self.conditions = conditions
    self.place = place
    self.from = from
    self.to = to
  }
}
