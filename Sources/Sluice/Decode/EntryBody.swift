import CLibraries

/// Reads the data of one entry after the other. Inflates or copies it into a window.
///
/// The stage that reads the archive drives: it calls ``take(_:from:)`` until the input is used up
/// or the entry has ended. It empties the window when it is full, and at other times as it likes.
/// The body enforces the limits on the data to the byte. Its output and its fault do not depend on
/// how the input is cut:
///
/// - All output that zlib has decoded so far is written before more input is read.
/// - zlib's own position in the input depends on the cuts. So input is passed in blocks that never
///   cross a multiple of 16 KiB of the entry's data, and the end of a block is taken as the
///   position.
/// - Output stops one byte after the limit. This byte shows that the limit is exceeded, and is
///   dropped.
struct EntryBody: ~Copyable {
  /// The result of a call.
  enum Progress {
    /// The input is used up.
    case hungry
    /// The window is full.
    case full
    /// The entry's data is complete. The input after it is untouched.
    case ended
    /// The data is broken at this offset in the archive. The output before it is in the window.
    case failed(ZIPFault, at: Int)
  }

  private static let block = 16 << 10

  /// Output that the unzipper has not taken yet.
  var window = ByteBuffer(capacity: 128 << 10)
  /// The number of bytes of the current entry so far.
  private(set) var produced = 0
  private var consumed = 0
  private var crc: UInt32 = 0

  /// The most bytes of the current entry.
  private var maxSize = 0
  /// The most bytes of it and the entries before it together; nil if it is alone.
  private var maxSum: Int?
  private var inflater = Inflater()
  private var name = EntryName(bytes: [])
  private var isStored = false
  private var start = 0
  private var declaredSize = Int.max
  private var declaredCompressedSize: Int?
  /// The current maximum for the bytes of this entry.
  private var limit = 0
  /// Whether zlib may have output for which the window had no room.
  private var isPending = false
  /// The number of output bytes of the entries before.
  private var producedBefore = 0

  /// The checksum and sizes of the current entry's data.
  var facts: DataDescriptor.Facts {
    DataDescriptor.Facts(crc: crc, compressedSize: UInt64(consumed), size: UInt64(produced))
  }

  /// Begins an entry whose data starts at offset `start` of the archive. It may have `limit` bytes:
  /// what other entries left of `sum`.
  mutating func begin(_ header: LocalHeader, at start: Int, limit: Int, of sum: Int? = nil) {
    (maxSize, maxSum) = (limit, sum)
    producedBefore += produced
    (produced, consumed, crc, isPending) = (0, 0, 0, false)
    name = header.name
    isStored = header.method == 0
    self.start = start
    declaredSize = header.size.map { Int(clamping: $0) } ?? .max
    declaredCompressedSize = header.compressedSize.map { Int(clamping: $0) }
    if !isStored { inflater.reset() }
  }

  /// Reads bytes of the archive from `at` on and moves `at` past them.
  mutating func take(_ bytes: RawSpan, from at: inout Int) -> Progress {
    while true {
      if window.room == 0 { return .full }
      let progress = isStored ? copy(bytes, from: &at) : inflate(bytes, from: &at)
      if let progress { return progress }
    }
  }

  /// The number of compressed bytes of the entry still to come, or `Int.max` if it is not known.
  private var left: Int { declaredCompressedSize.map { $0 - consumed } ?? .max }

  private mutating func copy(_ bytes: RawSpan, from at: inout Int) -> Progress? {
    if left == 0 { return .ended }
    if at == bytes.byteCount { return .hungry }
    limit = min(declaredSize, maxSize)
    if produced == limit { return tooMuch() }
    let count = min(bytes.byteCount - at, left, window.room, limit - produced)
    bytes.extracting(at..<at + count).withUnsafeBytes {
      crc = CRC32.over($0, after: crc)
      window.append($0)
    }
    at += count
    consumed += count
    produced += count
    return nil
  }

  private mutating func inflate(_ bytes: RawSpan, from at: inout Int) -> Progress? {
    var count = 0
    if !isPending {
      let blockLeft = EntryBody.block - consumed % EntryBody.block
      count = min(bytes.byteCount - at, left, blockLeft)
      if left == 0 { return .failed(.deflateUnfinished(entry: name), at: start + consumed) }
      if count == 0 { return .hungry }
      let byRatio = max(
        ZIPLimits.ratio * (consumed + blockLeft), ZIPLimits.ratioFree - producedBefore)
      limit = min(declaredSize, maxSize, byRatio)
      // The limit was lower for earlier blocks. Only a declared size can have been reached.
      assert(produced <= limit)
    }
    let room = min(window.room - 1, limit - produced) + 1
    let output = window.start + window.count
    let step = bytes.extracting(at..<at + count).withUnsafeBytes {
      inflater.step($0, into: output, room: room)
    }
    at += step.consumed
    consumed += step.consumed
    let accepted = min(step.produced, limit - produced)
    crc = CRC32.over(UnsafeRawBufferPointer(start: output, count: accepted), after: crc)
    window.commit(accepted)
    produced += accepted
    if accepted < step.produced { return tooMuch() }
    switch step.status {
    case .broken:
      return .failed(.deflate(entry: name), at: start)
    case .ended:
      if let declaredCompressedSize, left > 0 {
        let extra = declaredCompressedSize - consumed
        return .failed(.bytesAfterDeflate(entry: name, count: extra), at: start + consumed)
      }
      return .ended
    case .more:
      isPending = step.produced == room
      return nil
    }
  }

  private func tooMuch() -> Progress {
    let fault: ZIPFault =
      if limit == declaredSize {
        .moreThanDeclared(entry: name, declared: limit)
      } else if limit == maxSize {
        if let maxSum {
          .tooLargeTogether(entry: name, limit: maxSum)
        } else {
          .tooLarge(entry: name, limit: limit)
        }
      } else {
        .ratio(entry: name, limit: ZIPLimits.ratio)
      }
    return .failed(fault, at: start)
  }
}

/// Inflates raw deflate data (RFC 1951). Owns zlib's state.
///
/// zlib keeps the address of its state, so the state is on the heap. One inflater serves one entry
/// after the other.
struct Inflater: ~Copyable {
  /// The result of one step.
  struct Step {
    /// The number of input bytes used up.
    var consumed: Int
    /// The number of output bytes written.
    var produced: Int
    var status: Status
  }

  /// zlib's status of the data so far.
  enum Status {
    /// The data continues: the input is used up, or the output is full.
    case more
    /// The data is complete.
    case ended
    /// The data is broken. The output before the fault has been written.
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

  /// Forgets the data so far. The next input begins a new stream.
  mutating func reset() { inflateReset(stream) }

  /// Inflates `input` into `room` bytes at `output`, until either is used up.
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
    // Z_BUF_ERROR: nothing was left to do. This is not an error.
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
