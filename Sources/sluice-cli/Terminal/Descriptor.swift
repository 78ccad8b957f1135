import Glibc

/// A file descriptor that the program was started with.
struct Descriptor: Sendable {
  /// Why writing failed.
  struct Failure: Error, Equatable {
    /// The system's error number.
    let errno: Int32
    /// Whether the reader went away: no error for those who only write to it.
    var isClosedPipe: Bool { errno == EPIPE }
  }

  let number: Int32

  static let standardOutput = Descriptor(number: 1)
  static let standardError = Descriptor(number: 2)

  var isTerminal: Bool { isatty(number) == 1 }

  /// Whether this is the stream to the journal that `JOURNAL_STREAM` names, `device:inode`
  /// (systemd.exec(5)): it may name one that is no longer ours.
  func isJournal(named stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(number, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// How many columns the terminal has; nil where it is none or does not say.
  var columns: Int? {
    var size = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes all of `text`: goes on after interrupts and partial writes, and waits for a reader
  /// that is not ready. SIGPIPE has to be ignored.
  func write(_ text: String) throws(Failure) {
    var text = text
    let failure = text.withUTF8 { bytes -> Failure? in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let written = Glibc.write(number, rest.baseAddress, rest.count)
        if written >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        } else if errno == EAGAIN {
          var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
          _ = poll(&wait, 1, -1)
        } else if errno != EINTR {
          return Failure(errno: errno)
        }
      }
      return nil
    }
    if let failure { throw failure }
  }
}
