import CSluice
import Glibc

/// The files of a pattern on their way to their places: all of them, or none, as far as a disk
/// allows.
///
///     stage        each new content that differs from its file's, into the staging folder
///     prepare      all of it to the disk, with a draft of the journal
///     commit       the draft becomes the journal: the point of no return
///     publish      each file is renamed; then the staging folder goes
///
/// Each file is whole at any moment. After a kill between the last two, the next run completes the
/// renames. A file whose content is the same stays as it is.
final class FileBatch {
  /// Up to this size a content is put together in memory, and not written if it is the same.
  private static let inMemory = 1 << 20

  let files: SplitFiles
  /// The names of the files, in the order of ``SplitFiles``. Known after ``choose()``.
  private(set) var names: [String] = []
  private let base: Folder
  private let staging: StagingFolder
  private let made: MadeFolders
  private var journal = FileJournal()
  /// The first file that changes, with its new content.
  private var firstChange: (path: String, content: Fingerprint)?
  private var isCommitted = false
  /// The mode 0666 without the umask. Read early: see `cposix_umask`.
  private let modeOfNewFiles = 0o666 & ~cposix_umask()

  var pattern: NamePattern { files.pattern }

  /// Makes the folder of the files and locks it. Every check that needs no rows is made here.
  /// Throws ``PipelineError`` if no file can be made there, or if another run makes them.
  init(_ files: SplitFiles) throws(PipelineError) {
    self.files = files
    let made = MadeFolders()
    self.made = made
    try made.make(files.pattern.folder)
    guard let base = Folder(path: Array(files.pattern.folder.utf8CString)) else {
      let code = errno
      made.removeEmpty()
      throw PipelineError(sink: .folderNotWritable(path: files.pattern.folder, errno: code))
    }
    self.base = base
    do throws(PipelineError) {
      staging = try StagingFolder.open(for: files.pattern, in: base)
    } catch {
      made.removeEmpty()
      throw error
    }
  }

  /// Returns the path of a file.
  func path(of name: String) -> String { pattern.path(of: name) }

  /// The number of files that are new or have another content.
  var changed: Int { journal.changes.count }

  /// Returns the names of the files that stand and that could be of the pattern.
  func standingNames() -> [String] {
    var folders = [""]
    for (index, part) in pattern.parts.enumerated() {
      var found: [String] = []
      for folder in folders {
        let path = folder.isEmpty ? pattern.folder : self.path(of: folder)
        for name in Folder.names(in: path) ?? [] where part.mayBe(name) {
          let whole = folder.isEmpty ? name : "\(folder)/\(name)"
          let status = FileStatus(path: Array(self.path(of: whole).utf8CString))
          let isLast = index == pattern.parts.count - 1
          if isLast ? status?.isRegular == true : status?.isFolder == true { found.append(whole) }
        }
      }
      folders = found
    }
    return folders
  }

  /// Chooses the names. Called after the last row.
  func choose() { names = files.names() }

  // MARK: A few files

  /// Writes all files as outputs of a set, which publishes them.
  func write(to set: OutputSet) throws(PipelineError) {
    staging.noteFiles(names)
    var folders = FolderWalk(in: base)
    for (file, name) in names.enumerated() {
      let change = FileJournal.Change(number: file, name: name)
      let folder = try folders.open(change.folder, makingIn: made)
      // As with many files: a name that is made of data follows no link.
      if FileStatus(folder: folder.descriptor, name: Array(change.file.utf8CString))?.isLink == true
      {
        throw PipelineError(sink: .create(path: path(of: name), errno: ELOOP))
      }
      var writer = try set.open(path: path(of: name))
      try files.forEachPiece(of: file) { (piece) throws(PipelineError) in
        try writer.write(RawSpan(_unsafeBytes: piece))
      }
      try writer.finish()
    }
  }

  // MARK: Many files

  /// Writes the files whose contents change into the staging folder. Throws ``PipelineError`` if
  /// one of them cannot be made.
  func stage() throws(PipelineError) {
    var folders = FolderWalk(in: base)
    var content = ByteBuffer(capacity: 64 << 10)
    var piece = ByteBuffer(capacity: 64 << 10)
    // A folder with a list of its own gives it to new files.
    let hasList = FileAttribute.read("system.posix_acl_default", of: staging.descriptor) != nil
    for file in names.indices.sorted(by: { names[$0] < names[$1] }) {
      var change = FileJournal.Change(number: journal.changes.count, name: names[file])
      let path = path(of: change.name)
      let folder = try folders.open(change.folder, makingIn: made)
      guard folder.place.device == staging.device else {
        throw PipelineError(sink: .rename(path: path, errno: EXDEV))
      }
      let name = Array(change.file.utf8CString)
      let previous = try previousFile(at: name, in: folder, path: path)
      change.hasPrevious = previous != nil
      let size = files.size(of: file)
      let isSmall = size <= Self.inMemory
      if isSmall {
        content.removeAll()
        try files.forEachPiece(of: file) { (piece) throws(PipelineError) in content.append(piece) }
        if let previous, previous.holds(content.contents, &piece) { continue }
      }
      let descriptor = staging.makeFile(change.number)
      guard descriptor >= 0 else { throw PipelineError(sink: .create(path: path, errno: errno)) }
      var isOpen = true
      defer { if isOpen { close(descriptor) } }
      var written = 0
      func put(_ bytes: UnsafeRawBufferPointer) throws(PipelineError) {
        let code = FileDescriptor.write(bytes, to: descriptor, &written)
        guard code == 0 else {
          throw PipelineError(sink: .write(path: path, errno: code), at: written)
        }
      }
      if isSmall {
        try put(content.contents)
      } else {
        try files.forEachPiece(of: file, put)
        if try previous?.holdsSameBytes(as: descriptor, size: size, path: path) == true {
          staging.removeFile(change.number)
          continue
        }
      }
      if previous != nil || hasList {
        let rights = previous.map { FileRights(status: $0.status, descriptor: $0.descriptor) }
        try FileRights.set(rights, newMode: modeOfNewFiles, on: descriptor, path: path)
      }
      isOpen = false
      guard close(descriptor) == 0 || errno == EINTR else {
        throw PipelineError(sink: .close(path: path, errno: errno))
      }
      if journal.changes.isEmpty { firstChange = (path, try fingerprint(of: file)) }
      journal.changes.append(change)
    }
  }

  /// Opens the file that is about to be replaced. A link is not followed and not replaced.
  private func previousFile(
    at name: [CChar], in folder: Folder, path: String
  ) throws(PipelineError) -> PreviousFile? {
    do throws(PipelineError) {
      return try PreviousFile(at: name, in: folder, path: path)
    } catch {
      guard FileStatus(folder: folder.descriptor, name: name)?.isLink == true else { throw error }
      throw PipelineError(sink: .create(path: path, errno: ELOOP))
    }
  }

  private func fingerprint(of file: Int) throws(PipelineError) -> Fingerprint {
    var fingerprint = Fingerprint()
    try files.forEachPiece(of: file) { (piece) throws(PipelineError) in
      fingerprint.add(RawSpan(_unsafeBytes: piece))
    }
    return fingerprint
  }

  /// Brings all contents to the disk, with a draft of the journal.
  func prepare() throws(PipelineError) {
    guard !journal.changes.isEmpty else { return }
    let code = staging.draft(journal.encoded)
    guard code == 0 else { throw PipelineError(sink: .sync(path: pattern.folder, errno: code)) }
  }

  /// Leaves the files that exist as they are. Called after ``prepare()``. Returns the paths of
  /// those that would have changed.
  func keepFiles() throws(PipelineError) -> [String] {
    let kept = journal.changes.filter(\.hasPrevious)
    journal.changes.removeAll(where: \.hasPrevious)
    try prepare()
    return kept.map { path(of: $0.name) }
  }

  /// What shows that the run has published: the journal until all is done, then the first file.
  var evidence: [(path: String, content: Fingerprint)] {
    guard let firstChange else { return [] }
    var content = Fingerprint()
    let encoded = journal.encoded
    content.add(RawSpan(_unsafeBytes: encoded.contents))
    return [(staging.journalPath, content), firstChange]
  }

  /// Decides that the files are published: if not by this run, then by the next one.
  func commit() throws(PipelineError) {
    guard !journal.changes.isEmpty else { return }
    let code = staging.commit()
    guard code == 0 else {
      staging.revoke()
      throw PipelineError(sink: .sync(path: pattern.folder, errno: code))
    }
    isCommitted = true
  }

  /// Takes ``commit()`` back, if nothing was published yet.
  func revoke() {
    staging.revoke()
    isCommitted = false
  }

  /// Renames the files into their places. Must be in a deferring section. After a throw the journal
  /// stays, and the next run goes on with it.
  func publishNow() throws(PipelineError) {
    var walk = FolderWalk(in: base)
    var folders: [Folder] = []
    for change in journal.changes {
      let folder = try walk.open(change.folder, makingIn: made)
      let code = staging.publish(change.number, as: change.file, in: folder)
      guard code == 0 else {
        throw PipelineError(sink: .rename(path: path(of: change.name), errno: code))
      }
      if folders.last?.place != folder.place, folders.count <= Self.fewFolders {
        folders.append(folder)
      }
    }
    try sync(folders)
    made.keep()
    isCommitted = false
    staging.removeNow()
  }

  /// The number of folders from which on the whole file system is brought to the disk.
  private static let fewFolders = 8

  private func sync(_ folders: [Folder]) throws(PipelineError) {
    if folders.count > Self.fewFolders {
      guard cposix_sync_file_system(staging.descriptor) == 0 else {
        throw PipelineError(sink: .sync(path: pattern.folder, errno: errno))
      }
      return
    }
    for folder in folders {
      let code = folder.sync()
      guard code == 0 else { throw PipelineError(sink: .sync(path: folder.path, errno: code)) }
    }
  }

  /// Removes files that no longer belong to the output, and the folders that get empty by it. Only
  /// regular files are removed. Returns their number.
  func remove(_ names: [String]) -> Int {
    var removed = 0
    for name in names.sorted() where FileJournal.isInside(Array(name.utf8)) {
      let path = path(of: name)
      guard FileStatus(path: Array(path.utf8CString), followingLinks: false)?.isRegular == true,
        unlink(path) == 0
      else { continue }
      removed += 1
      var folder = FileJournal.Change(number: 0, name: name).folder
      while !folder.isEmpty, rmdir(self.path(of: folder)) == 0 {
        folder = FileJournal.Change(number: 0, name: folder).folder
      }
    }
    return removed
  }

  /// Leaves all files as they are, unless they are published already.
  func abandon() {
    guard !isCommitted else { return }
    staging.remove()
    made.removeEmpty()
  }
}
