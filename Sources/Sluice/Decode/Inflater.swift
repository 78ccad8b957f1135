import CZlib

/// Inflates raw deflate data (RFC 1951): the owner of zlib's state.
///
/// zlib keeps the address of its state, so it lives on the heap. One inflater serves one entry
/// after the other.
struct Inflater: ~Copyable {
  /// What one step did.
  struct Step {
    /// Bytes of input that are used up.
    var consumed: Int
    /// Bytes of output that were written.
    var produced: Int
    var status: Status
  }

  /// What zlib says of the data so far.
  enum Status {
    /// It goes on: the input is used up, or the output is full.
    case more
    /// It is complete.
    case ended
    /// It is broken. What was decoded before has been written.
    case broken
  }

  private let stream: UnsafeMutablePointer<z_stream>

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    // Negative window bits: no zlib header, no checksum.
    guard inflateInit2_(stream, -15, ZLIB_VERSION, size) == Z_OK else {
      fatalError("out of memory")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Forgets the data so far: what comes begins a new stream.
  mutating func reset() { inflateReset(stream) }

  /// Inflates `input` into `room` bytes at `output`, until one of both is used up.
  mutating func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer, room: Int
  ) -> Step {
    let available = UInt32(clamping: input.count)
    let space = UInt32(clamping: room)
    // zlib 1.2 does not declare its input const, and does not write to it.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = available
    stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = space
    let status: Status
    switch inflate(stream, Z_NO_FLUSH) {
    // Z_BUF_ERROR: nothing was left to do. No error.
    case Z_OK, Z_BUF_ERROR: status = .more
    case Z_STREAM_END: status = .ended
    case Z_MEM_ERROR: fatalError("out of memory")
    default: status = .broken
    }
    return Step(
      consumed: Int(available - stream.pointee.avail_in),
      produced: Int(space - stream.pointee.avail_out), status: status)
  }
}
