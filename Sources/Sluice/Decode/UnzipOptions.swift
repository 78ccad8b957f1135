/// What a run wants of an archive.
struct UnzipOptions: Sendable {
  /// The entry to deliver, by its bytes or as it is shown; nil: the only data entry.
  var entry: String?
  /// The most bytes an entry may inflate to.
  var maxSize = Self.standardMaxSize
  /// 2 GiB.
  static let standardMaxSize = 2 << 30
  /// In which offset to UTC the archive's local times are read: seconds east.
  var clockOffset = 0
  /// Where to list what the archive holds, for those who want to know.
  var listing: ZIPListing?
}
