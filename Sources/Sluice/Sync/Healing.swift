/// Tells the ledger what a run that was cut off had begun to publish, for it may have been published.
///
///     note of the payload ─▶ outputs renamed ─▶ ledger committed ─▶ record
///                         ╰── cut off here: the ledger never heard ──╯
///
/// The payload still lies in its file. The ledger takes it as that run would have: by the same day,
/// so that the same events get the same numbers. Should they not have been published after all,
/// nothing is lost by that: the next calendar follows from them. Their changes wait for the next
/// list. Doing it twice changes nothing more.
///
/// Throws what is wrong with the ledger only: a file that is not what was noted is passed over.
func heal(
  ledgerIn folder: String, from path: String, _ pending: SyncRecord.Pending,
  _ conversion: Conversion
) throws(PipelineError) {
  guard FingerprintTap.fingerprint(ofFile: path)?.description == pending.source else { return }
  var pass = conversion.again
  pass.outputs = []
  pass.changes = nil
  pass.rejects = nil
  pass.statistics = nil
  pass.conditions = []
  pass.rejectLimit = .count(.max)
  var steps = HealingSteps(folder: folder, feed: pass.feed, path: path, today: pending.today)
  guard let error = convert(pass, &steps).error else { return }
  switch error.fault {
  case .ledger, .sink: throw error
  case .source, .envelope, .base64, .unzip, .json, .csv, .normalize, .sync, .requests: return
  }
}

/// The steps around a pass that has no outputs but the ledger.
private struct HealingSteps: RunSteps, ~Copyable {
  private let folder: String
  private let feed: Feed
  private let path: String
  let today: Day
  private(set) var ledger: LedgerSession?

  init(folder: String, feed: Feed, path: String, today: Day) {
    self.folder = folder
    self.feed = feed
    self.path = path
    self.today = today
  }

  var payload: PayloadFacts? { nil }

  mutating func begin() throws(PipelineError) {
    ledger = try LedgerSession(folder: folder, feed: feed, keepsChanges: true)
  }

  mutating func source() throws(PipelineError) -> Source {
    .descriptor(try DescriptorSource(file: path))
  }

  mutating func judge(_ statistics: Statistics) {}
}
