import CLibraries
import Synchronization

/// Writes a ZIP archive (APPNOTE 6.3) as a stream, one entry after the other.
///
///     local header │ deflated bytes │ data descriptor │ local header │ … │ central directory │ end
///
/// Sizes come after the bytes of each entry, so that nothing is written twice and the output may be
/// a pipe. All entries have the same date, so that equal contents make equal archives.
///
/// Two threads may use it, but never at once: an ``ArchiveEntry`` goes through an ``OutputQueue``.
final class ArchiveWriter: @unchecked Sendable {
  /// What the central directory says about an entry.
  private struct Record {
    var name: String
    var crc: UInt32 = 0
    var compressedSize = 0
    var size = 0
    var offset: Int
  }

  /// The largest size of an entry, and the largest offset: what 32 bits hold. Some spreadsheets do
  /// not read the larger numbers of ZIP64 behind the bytes of an entry.
  private static let limit = 0xFFFF_FFFE
  /// 1980-01-01, the first day that an archive can have.
  private static let date: UInt16 = 0x0021

  private var out: Box<OutputBuffer<ByteSink>>
  private var deflater = Deflater()
  private var records: [Record] = []
  private var current: ArchiveEntry?
  /// The number of bytes written so far. Any thread may read it.
  let written = Atomic<Int>(0)

  /// Makes a writer without entries.
  init(into output: consuming ByteSink) { out = Box(OutputBuffer(into: output)) }

  /// Makes an entry. It begins with its first bytes.
  func entry(_ name: String) -> ArchiveEntry { ArchiveEntry(name, in: self) }

  /// Appends bytes to an entry. The entry before it is ended. An entry that has ended cannot go on.
  ///
  /// Throws ``SinkFault/workbookTooLarge`` and the errors of the output.
  fileprivate func write(
    _ bytes: UnsafeRawBufferPointer, to entry: ArchiveEntry
  ) throws(PipelineError) {
    if entry !== current { try begin(entry) }
    let index = records.count - 1
    records[index].size += bytes.count
    records[index].crc = CRC32.over(bytes, after: records[index].crc)
    try deflate(bytes, isLast: false)
  }

  /// Ends the last entry and writes the central directory. Throws like ``write(_:to:)``.
  func finish() throws(PipelineError) {
    try end()
    let start = position
    for record in records { appendCentralHeader(record) }
    let size = position - start
    guard position <= Self.limit else { throw PipelineError(sink: .workbookTooLarge) }
    // The end of the central directory (APPNOTE 4.3.16).
    append("PK\u{5}\u{6}")
    append(0, width: 4)
    append(records.count, width: 2)
    append(records.count, width: 2)
    append(size, width: 4)
    append(start, width: 4)
    append(0, width: 2)
    written.set(position)
    try out.take().finish()
  }

  private var position: Int { out.value.pointee.count }

  // MARK: Entries

  private func begin(_ entry: ArchiveEntry) throws(PipelineError) {
    try end()
    current = entry
    records.append(Record(name: entry.name, offset: position))
    deflater.reset()
    // The local header (APPNOTE 4.3.7). Bit 3: the sizes follow the bytes.
    append("PK\u{3}\u{4}")
    append(20, width: 2)
    append(8, width: 2)
    append(8, width: 2)
    append(0, width: 2)
    append(Int(Self.date), width: 2)
    append(0, width: 12)
    append(entry.name.utf8.count, width: 2)
    append(0, width: 2)
    out.value.pointee.bytes.append(string: entry.name)
  }

  private func end() throws(PipelineError) {
    guard current != nil else { return }
    try deflate(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    current = nil
    let record = records[records.count - 1]
    guard max(record.size, record.compressedSize, position) <= Self.limit else {
      throw PipelineError(sink: .workbookTooLarge)
    }
    // The data descriptor (APPNOTE 4.3.9).
    append("PK\u{7}\u{8}")
    append(Int(record.crc), width: 4)
    append(record.compressedSize, width: 4)
    append(record.size, width: 4)
    try out.value.pointee.flushIfFull()
  }

  private func deflate(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool
  ) throws(PipelineError) {
    var rest = bytes
    while true {
      let room = 64 << 10
      let target = out.value.pointee.bytes.end(withRoom: room)
      let step = deflater.step(rest, into: target, room: room, isLast: isLast)
      rest = UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
      out.value.pointee.bytes.commit(step.produced)
      records[records.count - 1].compressedSize += step.produced
      try out.value.pointee.flushIfFull()
      if step.isDone { break }
    }
    written.set(position)
    guard records[records.count - 1].size <= Self.limit, position <= Self.limit else {
      throw PipelineError(sink: .workbookTooLarge)
    }
  }

  /// Appends a header of the central directory (APPNOTE 4.3.12).
  private func appendCentralHeader(_ record: Record) {
    append("PK\u{1}\u{2}")
    append(20, width: 2)
    append(20, width: 2)
    append(8, width: 2)
    append(8, width: 2)
    append(0, width: 2)
    append(Int(Self.date), width: 2)
    append(Int(record.crc), width: 4)
    append(record.compressedSize, width: 4)
    append(record.size, width: 4)
    append(record.name.utf8.count, width: 2)
    append(0, width: 12)
    append(record.offset, width: 4)
    out.value.pointee.bytes.append(string: record.name)
  }

  private func append(_ text: StaticString) { out.value.pointee.bytes.append(text) }

  /// Appends a number of `width` bytes, the lowest first.
  private func append(_ number: Int, width: Int) {
    for index in 0..<width {
      out.value.pointee.bytes.append(
        index < 8 ? UInt8(truncatingIfNeeded: number >> (8 * index)) : 0)
    }
  }
}

/// An entry of an archive. The buffers that it is given are its bytes.
final class ArchiveEntry: QueuedSink {
  /// Its name: a path with slashes, in ASCII.
  let name: String
  private let archive: ArchiveWriter

  fileprivate init(_ name: String, in archive: ArchiveWriter) {
    self.name = name
    self.archive = archive
  }

  /// Appends bytes. Throws the errors of the archive.
  func write(_ bytes: borrowing ByteBuffer) throws(PipelineError) {
    try archive.write(bytes.contents, to: self)
  }
}

/// Makes raw deflate data (RFC 1951). Owns zlib's state, which is on the heap because zlib keeps
/// its address.
private struct Deflater: ~Copyable {
  /// Makes a table of a city a seventh smaller than the lowest level, which is a fifth faster. The
  /// usual one, 6, makes it a tenth smaller still and takes nearly three times as long.
  private static let level: Int32 = 3

  private let stream: UnsafeMutablePointer<z_stream>

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // Negative window bits: no zlib header, no checksum. 8 is zlib's usual memory.
    guard
      deflateInit2_(
        stream, Self.level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { fatalError("out of memory") }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Forgets the data so far. The next bytes begin new data.
  mutating func reset() { deflateReset(stream) }

  /// Deflates `input` into `room` bytes at `output`. `isDone` says that all of it has been taken
  /// and, if these are the last bytes, that the data is complete.
  mutating func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>, room: Int,
    isLast: Bool
  ) -> (consumed: Int, produced: Int, isDone: Bool) {
    let available = UInt32(clamping: input.count)
    // zlib 1.2 does not declare its input const, and does not write to it.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = available
    stream.pointee.next_out = output
    stream.pointee.avail_out = UInt32(clamping: room)
    let code = CLibraries.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
    let consumed = Int(available - stream.pointee.avail_in)
    return (
      consumed, room - Int(stream.pointee.avail_out),
      isLast ? code == Z_STREAM_END : consumed == input.count && stream.pointee.avail_out > 0
    )
  }
}
