/// Says whether two names or descriptors mean the same file, so that no run writes one file twice
/// or over its own input.
///
/// A file that exists is known by its device and inode, one that is still to be made by its
/// folder's and its name. Terminals, `/dev/null` and sockets have no identity: they may be used
/// several times in one run.
public struct FileIdentity: Hashable, Sendable {
  private let place: FileStatus.Place
  /// The name in the folder at `place`, for a file that is still to be made.
  private let name: [CChar]?

  /// Identifies what a path names, or would name once it is made.
  ///
  /// Nil where there is no identity, and where the path cannot be an output at all (no such
  /// folder, a dangling link): what opens it says why.
  public init?(path: String) {
    let bytes = Array(path.utf8CString)
    if let status = FileStatus(path: bytes) {
      guard !status.isShared else { return nil }
      self.init(place: status.place, name: nil)
      return
    }
    let (folder, name) = OutputTarget.split(bytes)
    guard FileStatus(path: bytes, followingLinks: false) == nil, name.count > 1,
      let status = FileStatus(path: folder)
    else { return nil }
    self.init(place: status.place, name: name)
  }

  /// Identifies an open file, such as standard input.
  public init?(descriptor: Int32) {
    guard let status = FileStatus(descriptor: descriptor), !status.isShared else { return nil }
    self.init(place: status.place, name: nil)
  }

  private init(place: FileStatus.Place, name: [CChar]?) {
    self.place = place
    self.name = name
  }
}
