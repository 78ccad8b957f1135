import Glibc

extension FeedFolder {
  /// For how many seconds nothing is swept that somebody may come back to: 30 days.
  private static let leftAlone = 30 * 86_400

  /// Removes what runs of other searches and mirrors have left and none has come back to for 30 days:
  /// answers that wait, records of what was never published, temporary files. Last good copies and
  /// ledgers stay. What cannot be removed stays, too. The owner holds the lock of the folder.
  func sweep(beside input: InputIdentity, now: Int) {
    for name in (try? Self.names(in: path)) ?? [] where !name.hasPrefix(input.key) {
      let file = "\(path)/\(name)"
      if name.hasSuffix(".answers") {
        let store = AnswerStore(path: file)
        let files = (try? store.files()) ?? []
        guard !wasUsed([file] + files, since: now - Self.leftAlone) else { continue }
        try? store.removeAll()
        store.removeFolder()
      } else if name.hasSuffix(".json") {
        guard !wasUsed([file], since: now - Self.leftAlone), isOfNothing(file) else { continue }
        unlink(file)
      } else if name.hasPrefix("."), name.hasSuffix(".sluice-tmp") {
        guard !wasUsed([file], since: now - Self.leftAlone) else { continue }
        unlink(file)
      }
    }
  }

  private func wasUsed(_ files: [String], since time: Int) -> Bool {
    files.contains { file in
      guard let status = FileStatus(path: Array(file.utf8CString), followingLinks: false) else {
        return false
      }
      return status.modified >= time
    }
  }

  /// Whether a record tells of runs that have published nothing.
  private func isOfNothing(_ file: String) -> Bool {
    // One that cannot be read is for the run that needs it to tell.
    guard let record = try? Self.read(file) else { return false }
    return record.copy == nil && record.publishing == nil
  }
}
