/// Collects the rows of a pass for a site.
struct SiteStage: RecordStage, ~Copyable {
  private let site: SiteRows
  private let counters: Counters
  /// Numbers the events; nil if the ledger does, or if there are none.
  private var ids: EventIdentities?

  /// Makes a stage. If `identifies` is true, the rows of the table are its events.
  init(_ site: SiteRows, identifies: Bool, counters: Counters) {
    self.site = site
    self.counters = counters
    ids = identifies ? EventIdentities(site.table) : nil
  }

  var checksKeys: Bool { true }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    if case .rejected = fate { return }
    var isWanted = false
    if case .wanted = fate { isWanted = true }
    let row = isWanted ? try site.add(record, isShown: true) : nil
    guard record.hasDays, ids != nil else { return }
    guard ids?.areOf(record) == true else {
      if isWanted { counters.sameNumberRows.increase() }
      return
    }
    // As in a calendar: an event that is left out is numbered too.
    guard let identity = ids?.identify(record), let row else { return }
    site.add(SiteRows.Event(row: row, key: record.keyNumber, identity: identity))
  }

  consuming func finish() {}
}

/// What a ledger knows about an event, beside its days.
package struct EventHistory: Sendable {
  /// What has become of the event.
  package enum Kind: String, Sendable {
    case moved, cancelled
  }

  package var kind: Kind
  /// Its days. A cancelled event was on them.
  package var days: ClosedRange<Day>?
  /// The days before the last move.
  package var oldDays: ClosedRange<Day>?

  package init(_ kind: Kind, days: ClosedRange<Day>?, oldDays: ClosedRange<Day>?) {
    self.kind = kind
    self.days = days
    self.oldDays = oldDays
  }
}
