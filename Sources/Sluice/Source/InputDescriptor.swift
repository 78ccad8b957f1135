import Glibc

/// Owns a file descriptor that is read from; closes it, unless it is standard input.
struct InputDescriptor: ~Copyable {
  /// What a read gave.
  enum Reading: Equatable {
    case bytes(Int)
    case end
    case failed(errno: Int32)
  }

  /// The system's number of the open file.
  let number: Int32

  /// Takes over an open descriptor.
  init(owning number: Int32) { self.number = number }

  deinit {
    if number != STDIN_FILENO { close(number) }
  }

  /// Reads what there is, at most what fits into the room of `buffer`, and waits where there is
  /// nothing yet, also where somebody has made the descriptor non-blocking.
  func read(into buffer: inout ByteBuffer) -> Reading {
    while true {
      let count = Glibc.read(number, buffer.start + buffer.count, buffer.room)
      if count > 0 {
        buffer.commit(count)
        return .bytes(count)
      }
      if count == 0 { return .end }
      switch errno {
      case EINTR:
        continue
      case EAGAIN:
        var wait = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, -1)
      case let error:
        return .failed(errno: error)
      }
    }
  }
}
