import Glibc

/// The environment's variables.
package enum Environment {
  /// Returns the value of a variable, or nil if it is not set or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

/// Repeats a system call until no signal interrupts it.
package func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Reads from and writes to file descriptors. Both continue after interrupts, and wait for the
/// other side if the descriptor is non-blocking: a pipe is shared with the process that started us.
package enum FileDescriptor {
  /// The result of a read.
  package enum Reading: Equatable {
    case bytes(Int)
    case end
    case failed(errno: Int32)
  }

  /// Reads the bytes that are available, at most the room of `buffer` and `limit`, and appends
  /// them. With an `offset`, reads there and leaves the position of the file alone.
  package static func read(
    _ descriptor: Int32, at offset: Int? = nil, atMost limit: Int = .max,
    into buffer: inout ByteBuffer
  ) -> Reading {
    while true {
      let place = buffer.start + buffer.count
      let room = min(buffer.room, limit)
      let count =
        offset.map { pread(descriptor, place, room, off_t($0)) }
        ?? Glibc.read(descriptor, place, room)
      if count > 0 {
        buffer.commit(count)
        return .bytes(count)
      }
      if count == 0 { return .end }
      if let failure = wait(for: POLLIN, on: descriptor) { return .failed(errno: failure) }
    }
  }

  /// Writes all bytes; `written` is increased by those that were. Returns an error number, or 0.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ written: inout Int
  ) -> Int32 {
    guard let start = bytes.baseAddress else { return 0 }
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, start + done, bytes.count - done)
      if count >= 0 {
        done += count
        written += count
      } else if let failure = wait(for: POLLOUT, on: descriptor) {
        return failure
      }
    }
    return 0
  }

  /// Waits if the last call on the descriptor can be repeated. Otherwise returns its error number.
  private static func wait(for event: Int32, on descriptor: Int32) -> Int32? {
    switch errno {
    case EINTR: return nil
    case EAGAIN:
      var wait = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      _ = poll(&wait, 1, -1)
      return nil
    case let failure: return failure
    }
  }
}
