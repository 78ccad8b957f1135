import CPosix
import Glibc
import Synchronization

/// Owns the descriptor that one output is written to, and counts what went through it.
///
/// One thread writes; any thread may read the counts, at any time, after a failure too.
final class Output: Sendable {
  /// Where the bytes go.
  enum Kind: Sendable {
    /// To a temporary file that is renamed later.
    case temporary
    /// To a device or FIFO, at once.
    case direct
    /// To standard output, whose descriptor is not ours to close.
    case standardOutput
  }

  /// How many bytes of a file come together before the disk is asked to begin with the first, and
  /// with more. A city's outputs are smaller: those that turn out to be yesterday's never reach it.
  private static let firstWriteback = 16 << 20
  private static let nextWriteback = 4 << 20

  /// The path as the user gave it, or `-`.
  let path: String
  let kind: Kind
  /// Negative once closed.
  private let descriptor: Atomic<Int32>
  private let written = Atomic<Int>(0)
  /// Bytes that the disk was asked to begin with.
  private let begun = Atomic<Int>(0)
  private let finished = Atomic<Bool>(false)
  private let left = Atomic<Bool>(false)

  init(_ kind: Kind, path: String, descriptor: Int32) {
    self.kind = kind
    self.path = path
    self.descriptor = Atomic(descriptor)
  }

  deinit { _ = close() }

  /// Bytes written so far, those of a write that failed half-way included.
  var bytesWritten: Int { written.value }
  /// Whether the writer has said that all is written.
  var isFinished: Bool { finished.load(ordering: .acquiring) }
  /// Whether the reader of this output went away before the end.
  var readerHasLeft: Bool { left.load(ordering: .relaxed) }

  /// Counts what somebody else has written into the file, and says that it is all.
  func takeSize() throws(PipelineError) {
    guard let status = FileStatus(descriptor: descriptor.load(ordering: .relaxed)) else {
      throw PipelineError(sink: .write(path: path, errno: errno))
    }
    written.set(status.size)
    markFinished()
  }

  /// Says that all is written.
  func markFinished() { finished.store(true, ordering: .releasing) }

  /// Writes all bytes; returns false where the reader has gone away, just now or before.
  func write(_ bytes: RawSpan) throws(PipelineError) -> Bool {
    if readerHasLeft { return false }
    let descriptor = descriptor.load(ordering: .relaxed)
    var count = written.value
    let code = bytes.withUnsafeBytes { Self.write($0, to: descriptor, &count) }
    written.set(count)
    if code == 0 {
      if kind == .temporary { beginWriteback(count) }
      return true
    }
    guard code == EPIPE, kind != .temporary else {
      throw PipelineError(sink: .write(path: path, errno: code), at: count)
    }
    left.store(true, ordering: .relaxed)
    return false
  }

  /// Lets the disk work while the rest is made, so that little is left to wait for at the end.
  private func beginWriteback(_ count: Int) {
    let begun = begun.value
    guard count - begun >= (begun == 0 ? Self.firstWriteback : Self.nextWriteback) else { return }
    // The last page is not full yet; pages have up to 64 KiB.
    let end = count & ~0xFFFF
    cposix_begin_writeback(descriptor.load(ordering: .relaxed), begun, end - begun)
    self.begun.set(end)
  }

  /// Returns an error number, or 0.
  private static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ count: inout Int
  ) -> Int32 {
    guard let start = bytes.baseAddress else { return 0 }
    var done = 0
    while done < bytes.count {
      let taken = Glibc.write(descriptor, start + done, bytes.count - done)
      if taken >= 0 {
        done += taken
        count += taken
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Whoever started us made a pipe non-blocking that we share.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      case let code: return code
      }
    }
    return 0
  }

  /// Closes the descriptor, which may bring the news of a late failure; returns an error number,
  /// or 0. Calling it again does nothing.
  func close() -> Int32 {
    let number = descriptor.exchange(-1, ordering: .relaxed)
    guard number >= 0 else { return 0 }
    // Standard output stays open; closing a copy of it asks for the same news.
    let closing = kind == .standardOutput ? fcntl(number, F_DUPFD_CLOEXEC, 3) : number
    guard closing >= 0, Glibc.close(closing) != 0 else { return 0 }
    // On Linux an interrupted close has closed, and must not be tried again.
    return errno == EINTR ? 0 : errno
  }
}
