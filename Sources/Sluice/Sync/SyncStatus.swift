import Glibc

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
  for feed in try names(in: state) {
    let folder = "\(state)/\(feed)"
    guard FileStatus(path: Array(folder.utf8CString))?.isFolder == true else { continue }
    for name in try names(in: folder) where name.hasSuffix(".json") {
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

/// The names in a folder that are not hidden; none where it is not there.
private func names(in folder: String) throws(PipelineError) -> [String] {
  guard let stream = opendir(folder) else {
    if errno == ENOENT { return [] }
    throw PipelineError(sync: .folder(path: folder, errno: errno))
  }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names
}
