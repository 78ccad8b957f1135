import Glibc

/// Owns the file that an output is about to replace.
///
/// It is locked too, where that can be: while it is exchanged with the temporary file it goes by
/// the temporary's name, and another run must not take it for a left-over there.
final class PreviousFile {
  let status: FileStatus
  /// Open for reading, or negative where it may not be read.
  private let descriptor: Int32
  /// Whether we hold its lock: only then may it be exchanged.
  let isLocked: Bool

  var place: FileStatus.Place { status.place }

  /// Opens what stands at the target; nil where nothing does. Throws where it has become something
  /// that is not replaced.
  init?(at name: [CChar], in folder: Folder, path: String) throws(PipelineError) {
    guard let named = FileStatus(folder: folder.descriptor, name: name) else {
      if errno == ENOENT { return nil }
      throw PipelineError(sink: .rename(path: path, errno: errno))
    }
    if named.isFolder { throw PipelineError(sink: .isFolder(path: path)) }
    guard named.isRegular else { throw PipelineError(sink: .changed(path: path)) }
    let descriptor = openat(
      folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0, let status = FileStatus(descriptor: descriptor),
      status.place == named.place
    else {
      if descriptor >= 0 { close(descriptor) }
      self.status = named
      self.descriptor = -1
      isLocked = false
      return
    }
    self.status = status
    self.descriptor = descriptor
    isLocked = retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Compares bytes with an open file: sizes first, then contents, a piece at a time.
  ///
  /// An old file that cannot be read counts as different; a new one that cannot is an error.
  func holdsSameBytes(
    as other: Int32, size: Int, path: String
  ) throws(PipelineError) -> Bool {
    guard descriptor >= 0, status.size == size else { return false }
    // Small enough to stay in the processor's cache until the two are compared.
    let pieceSize = min(64 << 10, max(size, 1))
    var old = ByteBuffer(capacity: pieceSize)
    var new = ByteBuffer(capacity: pieceSize)
    var offset = 0
    while offset < size {
      let wanted = min(pieceSize, size - offset)
      guard Self.read(descriptor, at: offset, wanted, into: &old) == 0 else { return false }
      let code = Self.read(other, at: offset, wanted, into: &new)
      guard code == 0 else { throw PipelineError(sink: .readBack(path: path, errno: code)) }
      guard memcmp(old.start, new.start, wanted) == 0 else { return false }
      offset += wanted
    }
    return true
  }

  /// Reads exactly `count` bytes; returns an error number, or 0.
  private static func read(
    _ descriptor: Int32, at offset: Int, _ count: Int, into buffer: inout ByteBuffer
  ) -> Int32 {
    buffer.removeAll()
    while buffer.count < count {
      let got = pread(
        descriptor, buffer.start + buffer.count, count - buffer.count, off_t(offset + buffer.count))
      if got < 0, errno == EINTR { continue }
      // The end before its time: somebody cut the file just now.
      guard got > 0 else { return got < 0 ? errno : EIO }
      buffer.commit(got)
    }
    return 0
  }
}
