@testable import Sluice

/// Keeps the records that were refused.
final class RejectList: RejectReceiver {
  var rejects: [Reject] = []
  func receive(_ reject: Reject) throws(PipelineError) { rejects.append(reject) }
}
