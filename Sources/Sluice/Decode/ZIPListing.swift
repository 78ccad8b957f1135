import Synchronization

/// Lists the entries of one archive, for `sluice inspect`.
///
/// One per run. The unzipper fills it once, when it has read the central directory: it is there
/// also where the choice of an entry fails.
final class ZIPListing: Sendable {
  /// One entry, as local header, data and central header have it.
  struct Item: Equatable, Sendable {
    var name: EntryName
    /// 0 stored, 8 deflated.
    var method: UInt16
    var compressedSize: Int
    var size: Int
    /// Seconds since 1970 (UTC); nil where the archive has no such time.
    var modified: Int?
    var kind: ZIPEntry.Kind
  }

  private let store = Mutex<[Item]>([])

  /// The entries, in the order of the archive.
  var items: [Item] { store.withLock { $0 } }

  func fill(with items: [Item]) { store.withLock { $0 = items } }
}
