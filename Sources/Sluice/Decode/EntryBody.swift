/// Reads the data of one entry after the other: inflates it or copies it, into a window.
///
/// The unzipper drives: it calls ``take(_:from:)`` until that is hungry or the entry has ended,
/// and empties the window when it likes and when the window is full. The body holds the data to
/// its limits, to the byte, and gives the same output and the same fault at whatever cuts:
///
/// - What zlib has decoded of the input so far is written out before more input is taken.
/// - zlib's own place in the input depends on the cuts. So input is given in blocks that never
///   cross a multiple of 16 KiB of the entry's data, and a block's end stands for the place.
/// - Output stops at the limit and one byte: that byte shows that the limit is passed, and is
///   dropped.
struct EntryBody: ~Copyable {
  /// How far the body has come.
  enum Progress {
    /// The input is used up.
    case hungry
    /// The window is full.
    case full
    /// The entry's data is complete, and the input behind it is untouched.
    case ended
    /// The data is broken at this offset in the archive. What came before is in the window.
    case failed(ZIPFault, at: Int)
  }

  private static let block = 16 << 10

  /// Output that the unzipper has not taken yet.
  var window = ByteBuffer(capacity: 128 << 10)
  /// Bytes of the current entry.
  private(set) var produced = 0
  private var consumed = 0
  private var crc: UInt32 = 0

  private let maxSize: Int
  private var inflater = Inflater()
  private var name = EntryName(bytes: [])
  private var isStored = false
  private var start = 0
  private var declaredSize = Int.max
  private var declaredCompressedSize: Int?
  /// The most bytes that the current entry may come to so far.
  private var limit = 0
  /// Whether zlib may have output that the window had no room for.
  private var isPending = false
  /// Output of the entries before.
  private var producedBefore = 0

  init(maxSize: Int) { self.maxSize = maxSize }

  /// What the current entry's data came to.
  var facts: DataDescriptor.Facts {
    DataDescriptor.Facts(crc: crc, compressedSize: UInt64(consumed), size: UInt64(produced))
  }

  /// Begins with the data of an entry, which starts at `start` of the archive.
  mutating func begin(_ header: LocalHeader, at start: Int) {
    producedBefore += produced
    (produced, consumed, crc, isPending) = (0, 0, 0, false)
    name = header.name
    isStored = header.method == 0
    self.start = start
    declaredSize = header.size.map { Int(clamping: $0) } ?? .max
    declaredCompressedSize = header.compressedSize.map { Int(clamping: $0) }
    if !isStored { inflater.reset() }
  }

  /// Takes bytes of the archive from `at` on, and moves `at` behind those that it took.
  mutating func take(_ bytes: RawSpan, from at: inout Int) -> Progress {
    while true {
      if window.room == 0 { return .full }
      let progress = isStored ? copy(bytes, from: &at) : inflate(bytes, from: &at)
      if let progress { return progress }
    }
  }

  /// Compressed bytes of the entry that are still to come, as far as that is known.
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
      // What earlier blocks gave was held to a lower limit; only a declared size can be reached.
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
        .tooLarge(entry: name, limit: limit)
      } else {
        .ratio(entry: name, limit: ZIPLimits.ratio)
      }
    return .failed(fault, at: start)
  }
}
