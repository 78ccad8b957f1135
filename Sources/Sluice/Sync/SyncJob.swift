/// What a run of `sync` is asked to do.
public struct SyncJob: Sendable {
  /// What is read and what is made of it. At least one output; none is standard output.
  public var conversion: Conversion
  /// The state folder; made where it is missing.
  public var state: String
  /// For how many seconds an answer is good.
  public var maxAge: Int
  /// For how many seconds the last good copy does for a source that cannot be used; nil for none.
  public var staleOK: Int?
  /// How much of the feed may be gone.
  public var maxShrink = ShrinkLimit.standard
  /// Whether the guards let everything pass this once.
  public var accepts = false
  /// The day before which a period is past; nil for today's, by the feed's clock.
  public var today: Day?
  /// Called once the lock is held; never where another run has it.
  public var begun: (@Sendable () -> Void)?

  /// Makes a job with the feed's own rules.
  public init(_ conversion: Conversion, state: String) {
    self.conversion = conversion
    self.state = state
    maxAge = conversion.feed.maxAge
  }
}

/// How a run of `sync` ended.
public struct SyncOutcome: Sendable {
  /// Why nothing was published, or the last good copy stands in for the source; nil where all went
  /// well.
  public var error: PipelineError?
  /// What was counted, in either case.
  public var statistics = Statistics(Tally())
  /// What of the feed's requests is missing in outputs that were published without it.
  public var shortfall: PipelineError?
  /// What is doubtful about a list that was read in pages.
  public var doubt: ListDoubt?
  /// How many answers of a run before, which was to be gone on with, were too old for that: all was
  /// asked anew.
  public var outdated = 0
  /// What changed among the events; nil where nobody keeps book of them, or nothing was published.
  public var changes: LedgerChanges?
  /// Where the source could not be used, and the last good copy is recent enough to stand for it:
  /// when that was last known to be what the source has, in seconds since 1970.
  public var standsSince: Int?
}
