import Glibc

/// Holds the lock of a feed's folder: one run at a time.
///
/// The kernel lets go of it when the process ends, however it ends. The file stays, with the
/// number of the process that held it last.
final class RunLock {
  private let descriptor: Int32

  /// Takes the lock at once, or throws ``SyncFault/busy(pid:folder:)`` with the holder's process.
  init(_ folder: FeedFolder) throws(PipelineError) {
    let path = folder.lock
    let descriptor = retrying {
      open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
    }
    guard descriptor >= 0 else { throw PipelineError(sync: .lock(path: path, errno: errno)) }
    guard retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      let code = errno
      let holder = code == EWOULDBLOCK ? Self.holder(descriptor) : nil
      close(descriptor)
      throw PipelineError(
        sync: code == EWOULDBLOCK
          ? .busy(pid: holder, folder: folder.path) : .lock(path: path, errno: code))
    }
    self.descriptor = descriptor
    let text = Array("\(getpid())\n".utf8)
    // That it cannot be said who holds the lock is no reason not to hold it.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
  }

  deinit { close(descriptor) }

  /// The process that holds the lock. It may have taken it just now and not have said so: then the
  /// number is missing, or that of a run long gone.
  private static func holder(_ descriptor: Int32) -> Int? {
    for _ in 0..<10 {
      var bytes = [UInt8](repeating: 0, count: 24)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      let digits = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
      if let pid = Int32(String(decoding: digits, as: UTF8.self)), pid > 0,
        kill(pid, 0) == 0 || errno == EPERM
      {
        return Int(pid)
      }
      usleep(2000)
    }
    return nil
  }
}
