import CSluice
import Glibc

/// The place of a site: a name in a folder, links resolved.
struct SitePlace {
  let parent: Folder
  let name: [CChar]

  /// Resolves the path of a site, with or without slashes at its end.
  ///
  /// Throws ``PipelineError`` for a missing parent folder, a path that is no folder, a mount point,
  /// a dangling link, a link of somebody who is not trusted, and a folder that the system would not
  /// let us replace.
  init(_ path: String) throws(PipelineError) {
    let bytes = Array(Self.withoutSlashes(path).utf8CString)
    // The root.
    guard bytes.count > 1 else { throw PipelineError(sink: .mountPoint(path: path)) }
    let real = try OutputTarget.followLinks(bytes)
    guard let status = FileStatus(path: real, followingLinks: false) else {
      let code = errno
      if code != ENOENT { throw PipelineError(sink: .create(path: path, errno: code)) }
      if FileStatus(path: bytes, followingLinks: false) != nil {
        throw PipelineError(sink: .danglingLink(path: path))
      }
      let (folder, name) = OutputTarget.split(real)
      self.parent = try OutputTarget.open(folder)
      self.name = name
      return
    }
    guard status.isFolder else { throw PipelineError(sink: .notAFolder(path: path)) }
    // `.` and `..` are no names to rename.
    guard let absolute = realpath(real, nil) else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    defer { free(absolute) }
    let (folder, name) = OutputTarget.split(
      Array(UnsafeBufferPointer(start: absolute, count: strlen(absolute) + 1)))
    guard name.count > 1 else { throw PipelineError(sink: .mountPoint(path: path)) }
    self.parent = try OutputTarget.open(folder)
    self.name = name
    guard FileStatus(folder: parent.descriptor, name: name)?.place == status.place else {
      throw PipelineError(sink: .changed(path: path))
    }
    try OutputTarget.checkSticky(path, status, in: parent)
  }

  /// Returns the path of a site without the slashes at its end.
  static func withoutSlashes(_ path: String) -> String {
    var end = path.utf8.endIndex
    while end > path.utf8.startIndex,
      path.utf8[path.utf8.index(before: end)] == UInt8(ascii: "/")
    {
      end = path.utf8.index(before: end)
    }
    return String(path[..<end])
  }

  /// Returns the path of a file in a site.
  static func shown(_ name: String, in path: String) -> String {
    "\(withoutSlashes(path))/\(name)"
  }

  /// Returns the name of the new folder beside a site.
  static func workName(of name: [CChar]) -> [CChar] {
    Array(".".utf8CString.dropLast()) + name.dropLast() + Array(".sluice-new".utf8CString)
  }

  /// Removes a folder that a killed run left. Throws `temporaryInTheWay` if it is not one.
  static func removeLeftover(_ name: [CChar], in parent: Folder) throws(PipelineError) {
    guard let status = FileStatus(folder: parent.descriptor, name: name) else { return }
    let inTheWay = PipelineError(sink: .temporaryInTheWay(path: "\(parent.path)/\(name.text)"))
    guard status.isFolder, status.owner == geteuid() || geteuid() == 0,
      let folder = Folder(name, in: parent), let names = folder.names()
    else { throw inTheWay }
    let marker = Array(SiteFolder.marker.utf8CString)
    guard names.isEmpty || FileStatus(folder: folder.descriptor, name: marker)?.isRegular == true
    else { throw inTheWay }
    let code = Signals.deferring { cposix_remove_tree(parent.descriptor, name) == 0 ? 0 : errno }
    guard code == 0 else { throw inTheWay }
  }

  /// Throws `cannotExchange` if the file system of a new folder cannot exchange two folders. Asked
  /// before the run begins, because nothing else puts a whole site in the place of another: between
  /// two renames a reader would find none, and after a kill there would be none.
  static func checkExchange(in folder: Folder, path: String) throws(PipelineError) {
    let (one, other) = (Array("one".utf8CString), Array("other".utf8CString))
    defer { for name in [one, other] { unlinkat(folder.descriptor, name, AT_REMOVEDIR) } }
    for name in [one, other] where mkdirat(folder.descriptor, name, 0o700) != 0 {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    guard cposix_rename_exchange(folder.descriptor, one, other) != 0 else { return }
    throw PipelineError(
      sink: [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno)
        ? .cannotExchange(path: path) : .rename(path: path, errno: errno))
  }

  /// Removes what a killed run left beside the site at a path, unless another run is at work there.
  static func sweep(_ path: String) {
    // Opening it removes what is left. If it cannot be opened, a run could not have begun either.
    guard let folder = try? SiteFolder(path: path, umask: cposix_umask()) else { return }
    Signals.deferring { folder.remove() }
  }
}

/// The folder that a site would replace.
struct StandingSite {
  let folder: Folder
  /// The number of its files and folders, without the marker and those replaced on their own.
  private(set) var count = 0
  /// Whether a run has made it.
  let isSite: Bool

  /// Reads the folder. Nil if there is none. Throws `foreignFile` if it has a file that no run
  /// made, `mountPoint`, and `folderNotWritable` if its files could not be removed.
  init?(_ place: SitePlace, path: String) throws(PipelineError) {
    guard let folder = Folder(place.name, in: place.parent) else {
      if errno == ENOENT { return nil }
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    guard folder.place.device == place.parent.place.device,
      cposix_is_mount_root(folder.descriptor) == 0
    else { throw PipelineError(sink: .mountPoint(path: path)) }
    guard faccessat(folder.descriptor, ".", R_OK | W_OK | X_OK, AT_EACCESS) == 0 else {
      throw PipelineError(sink: .folderNotWritable(path: path, errno: errno))
    }
    let marker = SiteMarker(in: folder)
    self.folder = folder
    isSite = marker != nil
    let own = Set(SiteFolder.statusNames + [SiteFolder.marker])
    let left = Set(SiteFolder.statusNames.map { ".\($0).sluice-tmp" })
    let known = Set(marker?.names ?? [])
    for name in try Self.names(folder, path) {
      if own.contains(name) && isSite && !known.contains(name) || left.contains(name) && isSite {
        continue
      }
      count += name == SiteFolder.marker ? 0 : 1
      if known.contains(name) { continue }
      guard known.contains("\(name)/"), let inner = Folder(Array(name.utf8CString), in: folder)
      else { throw PipelineError(sink: .foreignFile(path: path, name: name)) }
      for file in try Self.names(inner, path) {
        guard Self.isNumbered(file) else {
          throw PipelineError(sink: .foreignFile(path: path, name: "\(name)/\(file)"))
        }
        count += 1
      }
    }
  }

  private static func names(_ folder: Folder, _ path: String) throws(PipelineError) -> [String] {
    guard let names = folder.names() else {
      throw PipelineError(sink: .folderNotWritable(path: path, errno: errno))
    }
    return names.map(\.text).sorted()
  }

  /// Whether a name is one that runs give: 16 hexadecimal digits and `.ics`.
  private static func isNumbered(_ name: String) -> Bool {
    let bytes = name.utf8
    return bytes.count == 20 && name.hasSuffix(".ics")
      && bytes.prefix(16).allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }
}

/// The file that makes a folder a site.
///
///     sluice site 1
///     content 13005-00001c2d3e4f5061-9a52bf95f4e4a500     of all other files
///     data.js                                             a name at the top
///     house/                                              a folder of numbered calendars
struct SiteMarker {
  static let firstLine = "sluice site 1\n"
  /// The largest size in bytes. There are some twenty names.
  private static let limit = 16 << 10

  /// The names at the top. Those of folders end in a slash.
  let names: [String]

  /// Reads the marker of a folder. Nil if it has none of this version.
  init?(in folder: Folder) {
    let descriptor = openat(
      folder.descriptor, Array(SiteFolder.marker.utf8CString),
      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = ByteBuffer(capacity: Self.limit)
    while bytes.room > 0, case .bytes = FileDescriptor.read(descriptor, into: &bytes) {}
    let text = String(decoding: bytes.contents, as: UTF8.self)
    guard text.hasPrefix(Self.firstLine) else { return nil }
    names = text.split(separator: "\n").dropFirst(2).map(String.init)
  }

  static func text(content: String, names: [String]) -> String {
    firstLine + (["content \(content)"] + names).map { $0 + "\n" }.joined()
  }
}
