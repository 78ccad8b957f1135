import CLibraries

/// Unpacks the one wanted entry of a ZIP archive, reading forward only, and checks the whole
/// archive to its last byte.
///
/// The previous stage drives. The archive may be cut anywhere. The entry's bytes are passed on
/// while they are inflated. Bytes inflated before an error are passed on before the error is
/// thrown. Throws ``ZIPFault`` with the offset in the archive.
///
/// Only the central directory, after all data, says whether an entry is a symbolic link. So an
/// entry that is short enough for a link is held until ``finish()``, and the first longer one is
/// passed on at once. If there are several entries, it may be the wrong one, which is known only at
/// the end. The names of all entries are read and their data is checked in any case. To report
/// these names, an error of the next stages about the content is kept until the archive has been
/// read. This is the only place where a stage catches an error of another.
struct Unzipper<Next: ByteStage & ~Copyable>: ByteStage, ~Copyable {
  /// How the bytes of the current entry are used.
  private enum Role {
    /// They are only checked.
    case checked
    /// They wait in the window, because this may be a link.
    case held
    /// They are passed on.
    case delivered
  }

  private var next: Next
  private let options: UnzipOptions
  private let counters: Counters
  private var structure: ZIPStructure
  private var body: EntryBody
  private var isInEntry = false
  private var role = Role.checked
  /// The index of the entry that was passed on at once.
  private var delivered: Int?
  /// The entries that wait, one after the other, and the range of each.
  private var held = ByteBuffer(capacity: ZIPLimits.link)
  private var holdings: [(entry: Int, range: Range<Int>)] = []
  private var bytesOut = 0
  /// The error of the next stages about the entry that was passed on at once.
  private var objection: PipelineError?

  init(into next: consuming Next, options: UnzipOptions, counters: Counters) {
    self.next = next
    self.options = options
    self.counters = counters
    structure = ZIPStructure(options: options)
    body = EntryBody(maxSize: options.maxSize)
  }

  mutating func write(_ bytes: RawSpan) throws(PipelineError) {
    defer { publish() }
    var at = 0
    while true {
      try structure.read(bytes, from: &at)
      if !structure.isAtData { return }
      if !isInEntry { begin() }
      if try !takeData(bytes, from: &at) { return }
      try end()
    }
  }

  consuming func finish() throws(PipelineError) {
    try structure.end()
    let chosen: Int
    do {
      chosen = try structure.table.choose(options.entry)
    } catch {
      throw PipelineError(.unzip(error), at: structure.offset)
    }
    if let objection { throw objection }
    if let holding = holdings.first(where: { $0.entry == chosen }) {
      dateContent(structure.table.entries[chosen])
      bytesOut += holding.range.count
      publish()
      try next.write(
        RawSpan(
          _unsafeStart: held.start + holding.range.lowerBound, byteCount: holding.range.count))
    }
    try next.finish()
  }

  private mutating func begin() {
    let entry = structure.table.current
    isInEntry = true
    body.begin(entry.header, at: structure.offset)
    let isWanted = options.entry.map { entry.name.matches($0) } ?? true
    role = entry.kind == .data && isWanted ? .held : .checked
    if role == .held, let size = entry.header.size, size > ZIPLimits.link { release() }
  }

  /// Reads the current entry's data. Returns whether it has ended.
  private mutating func takeData(
    _ bytes: RawSpan, from at: inout Int
  ) throws(PipelineError) -> Bool {
    while true {
      let before = at
      let progress = body.take(bytes, from: &at)
      structure.passData(at - before)
      // Too long for a link.
      if role == .held && body.produced > ZIPLimits.link { release() }
      if role != .held { try passOn() }
      switch progress {
      case .hungry: return false
      case .full: continue
      case .ended: return true
      case .failed(let fault, let offset): throw PipelineError(.unzip(fault), at: offset)
      }
    }
  }

  private mutating func end() throws(PipelineError) {
    isInEntry = false
    if role == .held {
      let start = held.count
      held.append(body.window.contents)
      holdings.append((structure.table.entries.count - 1, start..<held.count))
      body.window.removeAll()
    }
    try structure.endData(body.facts)
  }

  /// Stops holding the current entry, because it is too long for a link.
  private mutating func release() {
    if delivered != nil {
      // The second one: only the names of the other entries are still of interest.
      role = .checked
      return
    }
    role = .delivered
    delivered = structure.table.entries.count - 1
    dateContent(structure.table.current)
  }

  private mutating func passOn() throws(PipelineError) {
    if role == .delivered && body.window.count > 0 {
      bytesOut += body.window.count
      publish()
      do {
        try next.take(&body.window)
      } catch {
        // A long text file before the data is not a feed. The user must learn that there are
        // several entries, and which. This is known only further on.
        guard error.isOfContent else { throw error }
        objection = error
        role = .checked
      }
    }
    body.window.removeAll()
  }

  private func dateContent(_ entry: ZIPEntry) {
    if let seconds = entry.header.modified.seconds(in: options.zone) {
      options.date.set(seconds)
    }
  }

  private func publish() {
    counters.unzip.bytesIn.set(structure.offset)
    counters.unzip.bytesOut.set(bytesOut)
  }
}

/// Reads the data of one entry after the other. Inflates or copies it into a window.
///
/// The unzipper drives: it calls ``take(_:from:)`` until the input is used up or the entry has
/// ended. It empties the window when it is full, and at other times as it likes. The body enforces
/// the limits on the data to the byte. Its output and its fault do not depend on how the input is
/// cut:
///
/// - All output that zlib has decoded so far is written before more input is read.
/// - zlib's own position in the input depends on the cuts. So input is passed in blocks that never
///   cross a multiple of 16 KiB of the entry's data, and the end of a block is taken as the
///   position.
/// - Output stops one byte after the limit. This byte shows that the limit is exceeded, and is
///   dropped.
private struct EntryBody: ~Copyable {
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

  private let maxSize: Int
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

  init(maxSize: Int) { self.maxSize = maxSize }

  /// The checksum and sizes of the current entry's data.
  var facts: DataDescriptor.Facts {
    DataDescriptor.Facts(crc: crc, compressedSize: UInt64(consumed), size: UInt64(produced))
  }

  /// Begins an entry whose data starts at offset `start` of the archive.
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
        .tooLarge(entry: name, limit: limit)
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

/// The options for reading an archive.
struct UnzipOptions: Sendable {
  /// The entry to deliver, by its bytes or as it is shown. Nil means the only data entry.
  var entry: String?
  /// The maximum number of bytes that an entry may inflate to.
  var maxSize = Self.standardMaxSize
  /// 2 GiB.
  static let standardMaxSize = 2 << 30
  /// The zone of the archive's local times.
  var zone = Zone.utc
  /// Set to the time of the delivered entry, if that has one.
  var date = ContentDate()
  /// The listing of the archive's entries to fill, or nil if none is wanted.
  var listing: ZIPListing?
}
