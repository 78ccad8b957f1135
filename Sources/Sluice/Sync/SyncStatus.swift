/// What a state folder knows.
public struct SyncStatus: Sendable {
  /// What is known of every input, sorted by feed and input.
  public var records: [SyncRecord] = []
  /// Why nothing can be said of the others.
  public var faults: [PipelineError] = []
}

/// Reads what the state folder knows; nothing where there is no such folder. Takes no lock and
/// changes nothing. Throws where a folder cannot be read.
public func syncStatus(state: String) throws(PipelineError) -> SyncStatus {
  var status = SyncStatus()
  for feed in try FeedFolder.names(in: state) where !feed.hasPrefix(".") {
    let folder = "\(state)/\(feed)"
    guard FileStatus(path: Array(folder.utf8CString))?.isFolder == true else { continue }
    for name in try FeedFolder.names(in: folder)
    where name.hasSuffix(".json") && !name.hasPrefix(".") {
      do throws(PipelineError) {
        if let record = try FeedFolder.read("\(folder)/\(name)") { status.records.append(record) }
      } catch {
        status.faults.append(error)
      }
    }
  }
  status.records.sort { ($0.feed, $0.input) < ($1.feed, $1.input) }
  return status
}
