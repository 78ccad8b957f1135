import Glibc

/// Finds out where an output goes, and refuses at once what can never become an output.
enum OutputTarget {
  /// A regular file, or one still to be made: a name in a folder, links resolved.
  case file(Folder, name: [CChar])
  /// A device or FIFO, open for writing.
  case direct(Int32)

  /// Resolves the path of an output.
  ///
  /// Throws for a missing folder, a folder as output, a link to nothing and a file that the
  /// system would not let us replace. A FIFO blocks here until it has a reader, as everywhere.
  static func resolve(_ path: String) throws(PipelineError) -> OutputTarget {
    let bytes = Array(path.utf8CString)
    // Another run may replace the file between two looks at it: then look again.
    for _ in 0..<32 {
      guard let status = FileStatus(path: bytes) else { return try resolveNew(path, bytes, errno) }
      if status.isFolder { throw PipelineError(sink: .isFolder(path: path)) }
      guard status.isRegular else { return .direct(try openDirectly(path, bytes)) }
      if let target = try resolveExisting(path, bytes, status) { return target }
    }
    throw PipelineError(sink: .changed(path: path))
  }

  /// Resolves the path of a regular file; nil where it was replaced just now.
  private static func resolveExisting(
    _ path: String, _ bytes: [CChar], _ status: FileStatus
  ) throws(PipelineError) -> OutputTarget? {
    // The file behind all links, so that the links stay and two runs that come by different links
    // meet at one temporary file.
    guard let real = realpath(bytes, nil) else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    defer { free(real) }
    let resolved = Array(UnsafeBufferPointer(start: real, count: strlen(real) + 1))
    let (folderPath, name) = split(resolved)
    let folder = try open(folderPath)
    // `/dev/fd/3` may lead to a file that has lost its name.
    guard let found = FileStatus(folder: folder.descriptor, name: name) else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    guard found.place == status.place else { return nil }
    try checkSticky(path, found, in: folder)
    return .file(folder, name: name)
  }

  private static func resolveNew(
    _ path: String, _ bytes: [CChar], _ code: Int32
  ) throws(PipelineError) -> OutputTarget {
    guard code == ENOENT || code == ENOTDIR else {
      throw PipelineError(sink: .create(path: path, errno: code))
    }
    if let link = FileStatus(path: bytes, followingLinks: false), link.isLink {
      throw PipelineError(sink: .danglingLink(path: path))
    }
    let (folderPath, name) = split(bytes)
    // An empty path, or one that ends in a slash.
    guard bytes.count > 1 else { throw PipelineError(sink: .create(path: path, errno: code)) }
    guard name.count > 1 else { throw PipelineError(sink: .folderMissing(path: path)) }
    return .file(try open(folderPath), name: name)
  }

  private static func open(_ path: [CChar]) throws(PipelineError) -> Folder {
    if let folder = Folder(path: path) { return folder }
    switch errno {
    case ENOENT, ENOTDIR: throw PipelineError(sink: .folderMissing(path: path.text))
    case let code: throw PipelineError(sink: .folderNotWritable(path: path.text, errno: code))
    }
  }

  /// Opens what is no regular file. A regular file that has just taken its place is refused: it
  /// would be overwritten in place.
  private static func openDirectly(
    _ path: String, _ bytes: [CChar]
  ) throws(PipelineError) -> Int32 {
    let descriptor = retrying { Glibc.open(bytes, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
    guard descriptor >= 0 else {
      throw PipelineError(sink: .create(path: path, errno: errno))
    }
    guard let status = FileStatus(descriptor: descriptor), !status.isRegular else {
      close(descriptor)
      throw PipelineError(sink: .changed(path: path))
    }
    return descriptor
  }

  /// Refuses what the last step would refuse: in a sticky folder (`/tmp`) a file is replaced only
  /// by its owner, the folder's owner, or root.
  private static func checkSticky(
    _ path: String, _ file: FileStatus, in folder: Folder
  ) throws(PipelineError) {
    let user = geteuid()
    guard user != 0, file.owner != user,
      let status = FileStatus(descriptor: folder.descriptor),
      status.permissions & S_ISVTX != 0, status.owner != user
    else { return }
    throw PipelineError(sink: .create(path: path, errno: EPERM))
  }

  /// Splits a path at its last slash into a folder and a name.
  static func split(_ path: [CChar]) -> (folder: [CChar], name: [CChar]) {
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    guard let last = path.lastIndex(of: slash) else {
      return ([CChar(bitPattern: UInt8(ascii: ".")), 0], path)
    }
    let folder = last == 0 ? [slash, 0] : path[..<last] + [0]
    return (Array(folder), Array(path[(last + 1)...]))
  }
}
