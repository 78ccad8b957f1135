import Synchronization

/// Reads the records of an archive, from the first byte to the last, and checks them against each
/// other. The unzipper reads the entries' data between them.
///
/// The unzipper drives. ``read(_:from:)`` reads up to an entry's data or to the end of the bytes.
/// ``endData(_:)`` ends an entry's data. Throws ``ZIPFault``.
///
/// One worked input, an archive of one entry:
///
///     PK00                  start, mark             (some archives only)
///     PK\3\4 … name extra   start, local, localNames
///     deflate data          data
///     PK\7\8 crc sizes      descriptor       28 bytes are read, those after it are kept
///     PK\1\2 … name extra   entries, central, centralNames, skipping its comment
///     PK\6\6 … PK\6\7 …     directory, zip64End, locator     (archives with ZIP64 only)
///     PK\5\6 …              directory, end, skipping the archive's comment
///                           done: no byte may follow
struct ZIPStructure: ~Copyable {
  private enum Place {
    case start, mark, foreign, entries, local, localNames, data, descriptor
    case directory, central, centralNames, zip64End, locator, end, done
  }

  private(set) var table = EntryTable()
  /// The offset in the archive of the next byte to read.
  private(set) var offset = 0
  private let options: UnzipOptions
  private var place = Place.start
  /// The bytes of the current record, and the number of bytes that the next step needs.
  private var record = ByteBuffer(capacity: 256)
  private var needed = 4
  /// The number of bytes to skip before that: comments.
  private var toSkip = 0
  private var ends = EndRecords(entries: 0, directoryOffset: 0, directorySize: 0)

  init(options: UnzipOptions) { self.options = options }

  /// Whether the next byte is an entry's data.
  var isAtData: Bool { place == .data }

  /// Reads bytes from `at` on and moves `at` past them. Throws if a record is wrong.
  mutating func read(_ bytes: RawSpan, from at: inout Int) throws(PipelineError) {
    while place != .data {
      if toSkip > 0 {
        let count = min(toSkip, bytes.byteCount - at)
        advance(count, &at)
        toSkip -= count
        if toSkip > 0 { return }
      }
      if record.count < needed {
        let count = min(needed - record.count, bytes.byteCount - at)
        record.append(bytes.extracting(at..<at + count))
        advance(count, &at)
        if record.count < needed { return }
      }
      let begin = offset - record.count
      do {
        try step(RawSpan(_unsafeStart: record.start, byteCount: record.count), at: begin)
      } catch {
        throw PipelineError(.unzip(error), at: begin)
      }
    }
  }

  /// Notes that `count` bytes of the current entry's data have been read.
  mutating func passData(_ count: Int) { offset += count }

  /// Notes the end of the current entry's data, with its checksum and sizes. Throws if they differ
  /// from the local header's.
  mutating func endData(_ facts: DataDescriptor.Facts) throws(PipelineError) {
    do {
      try table.end(facts)
    } catch {
      throw PipelineError(.unzip(error), at: offset)
    }
    if table.current.header.hasDescriptor {
      expect(.descriptor, DataDescriptor.lookahead)
    } else {
      expect(.entries, 4)
    }
  }

  /// Ends the input. Throws if the archive is not complete.
  func end() throws(PipelineError) {
    if place == .done && toSkip == 0 { return }
    let isForeign =
      switch place {
      case .foreign: true
      case .start: !isPrefixOfSignature()
      default: false
      }
    if isForeign {
      throw PipelineError(.unzip(.notZip(first: Array(record.contents))), at: 0)
    }
    throw PipelineError(.unzip(.truncated), at: offset)
  }

  private mutating func advance(_ count: Int, _ at: inout Int) {
    at += count
    offset += count
  }

  private mutating func expect(_ place: Place, _ length: Int) {
    self.place = place
    needed = length
    record.removeAll()
  }

  /// Continues with a record whose first bytes have been read.
  private mutating func extend(_ place: Place, _ length: Int) {
    self.place = place
    needed = length
  }

  /// Performs the next step with the record. It begins at `begin` and is as long as the step needs.
  private mutating func step(_ record: RawSpan, at begin: Int) throws(ZIPFault) {
    switch place {
    case .start: try first(record)
    case .mark: try afterMark(record, at: begin)
    case .foreign: throw .notZip(first: record.copy(0..<16))
    case .entries: try afterEntry(record, at: begin)
    case .local:
      try checkName(record.u16(26))
      extend(.localNames, LocalHeader.length(record))
    case .localNames: try beginEntry(LocalHeader(record), at: begin)
    case .data: break
    case .descriptor:
      let entry = table.current
      let length = try DataDescriptor.length(in: record, facts: entry.facts, entry: entry.name)
      keep(from: length)
    case .directory: try afterListing(record, at: begin)
    case .central:
      try checkName(record.u16(28))
      extend(.centralNames, CentralHeader.length(record))
    case .centralNames:
      let header = try CentralHeader(record)
      try table.list(header)
      toSkip = header.commentLength
      expect(.directory, 4)
    case .zip64End:
      toSkip = try ends.check(zip64: record)
      ends.zip64Offset = begin - table.uncounted
      expect(.locator, EndRecords.locatorFixed)
    case .locator:
      if record.u32(0) != ZIPSignature.zip64Locator { throw unknown(record) }
      try ends.check(locator: record)
      expect(.end, EndRecords.endFixed)
    case .end:
      if record.u32(0) != ZIPSignature.end { throw unknown(record) }
      toSkip = try ends.check(end: record)
      expect(.done, 1)
    case .done: throw .trailingData
    }
  }

  private mutating func first(_ record: RawSpan) throws(ZIPFault) {
    switch record.u32(0) {
    case ZIPSignature.local: extend(.local, LocalHeader.fixed)
    case ZIPSignature.end, ZIPSignature.zip64End: try afterListing(record, at: 0)
    case ZIPSignature.descriptor: throw .severalDisks
    case ZIPSignature.unsplit:
      table.mark = 4
      expect(.mark, 4)
    default: extend(.foreign, 16)
    }
  }

  /// Reads the first record of an archive that was meant to be split and was not (8.5.4).
  private mutating func afterMark(_ record: RawSpan, at begin: Int) throws(ZIPFault) {
    switch record.u32(0) {
    case ZIPSignature.local: extend(.local, LocalHeader.fixed)
    case ZIPSignature.end, ZIPSignature.zip64End:
      ends.directoryOffset = begin
      try afterListing(record, at: begin)
    default: throw unknown(record)
    }
  }

  private mutating func afterEntry(_ record: RawSpan, at begin: Int) throws(ZIPFault) {
    switch record.u32(0) {
    case ZIPSignature.local:
      if table.entries.count == options.maxEntries {
        throw .tooManyEntries(limit: options.maxEntries)
      }
      extend(.local, LocalHeader.fixed)
    case ZIPSignature.central:
      ends.directoryOffset = begin
      extend(.central, CentralHeader.fixed)
    case ZIPSignature.end, ZIPSignature.zip64End: throw .directoryMissing
    default: throw unknown(record)
    }
  }

  private mutating func afterListing(_ record: RawSpan, at begin: Int) throws(ZIPFault) {
    switch record.u32(0) {
    case ZIPSignature.central: extend(.central, CentralHeader.fixed)
    case ZIPSignature.zip64End:
      try endListing(at: begin)
      extend(.zip64End, EndRecords.zip64Fixed)
    case ZIPSignature.end:
      try endListing(at: begin)
      extend(.end, EndRecords.endFixed)
    default: throw unknown(record)
    }
  }

  private mutating func endListing(at end: Int) throws(ZIPFault) {
    try table.checkListed()
    ends.entries = table.entries.count
    ends.directorySize = end - ends.directoryOffset
    ends.directoryOffset -= table.uncounted
    options.listing?.fill(with: table.items(in: options.zone))
  }

  private mutating func beginEntry(_ header: LocalHeader, at begin: Int) throws(ZIPFault) {
    if let size = header.size, size > UInt64(clamping: options.maxSize) {
      throw .tooLarge(entry: header.name, limit: options.maxSize)
    }
    try table.begin(ZIPEntry(header, at: begin))
    expect(.data, 0)
  }

  /// Drops a descriptor. The bytes that were read after it begin the next record.
  private mutating func keep(from length: Int) {
    let rest = record.count - length
    record.start.copyMemory(from: record.start + length, byteCount: rest)
    record.truncate(to: rest)
    extend(.entries, 4)
  }

  private func checkName(_ length: UInt16) throws(ZIPFault) {
    if length > ZIPLimits.name {
      throw .nameTooLong(length: Int(length), limit: ZIPLimits.name)
    }
  }

  private func unknown(_ record: RawSpan) -> ZIPFault {
    .unknownRecord(found: record.copy(0..<4))
  }

  private func isPrefixOfSignature() -> Bool {
    ZIPSignature.first.contains { signature in
      withUnsafeBytes(of: signature.littleEndian) { $0.starts(with: record.contents) }
    }
  }
}

/// One entry of an archive, as far as it has been read.
struct ZIPEntry {
  /// The kinds of entries. Only data entries are delivered.
  enum Kind: Sendable {
    case data, folder, link
    /// The data that macOS keeps beside an entry, under `__MACOSX/`.
    case macMetadata
  }

  let header: LocalHeader
  /// The offset of its local header.
  let offset: Int
  /// The kind. Only the central directory shows whether this is a link.
  var kind: Kind
  /// The checksum and sizes of its data.
  var facts = DataDescriptor.Facts(crc: 0, compressedSize: 0, size: 0)
  /// Whether the central directory has listed it.
  var isListed = false

  var name: EntryName { header.name }

  init(_ header: LocalHeader, at offset: Int) {
    self.header = header
    self.offset = offset
    if header.name.bytes.last == UInt8(ascii: "/") {
      kind = .folder
    } else if header.name.bytes.starts(with: "__MACOSX/".utf8) {
      kind = .macMetadata
    } else {
      kind = .data
    }
  }
}

/// Keeps the entries of an archive and checks the central directory against them.
struct EntryTable {
  private(set) var entries: [ZIPEntry] = []
  private var names: Set<EntryName> = []
  /// The bytes of the mark before the first entry, which offsets may count or not; usually 0.
  var mark = 0
  /// The bytes of the mark that offsets do not count. The first entry that is listed shows it.
  private(set) var uncounted = 0
  private var knowsOffsets = false

  /// The entry that began last.
  var current: ZIPEntry { entries[entries.count - 1] }

  /// Adds an entry whose local header has been read. Throws ``ZIPFault`` if its name is taken.
  mutating func begin(_ entry: ZIPEntry) throws(ZIPFault) {
    guard names.insert(entry.name).inserted else { throw .duplicateName(entry: entry.name) }
    entries.append(entry)
  }

  /// Notes the checksum and sizes of the current entry's data. Throws ``ZIPFault`` if its local
  /// header declared others.
  mutating func end(_ facts: DataDescriptor.Facts) throws(ZIPFault) {
    let entry = current
    if let declared = entry.header.size, declared != facts.size {
      throw .size(entry: entry.name, declared: declared, actual: facts.size)
    }
    if let declared = entry.header.compressedSize, declared != facts.compressedSize {
      throw .compressedSize(entry: entry.name, declared: declared, actual: facts.compressedSize)
    }
    if let declared = entry.header.crc, declared != facts.crc {
      throw .crc(entry: entry.name, declared: declared, actual: facts.crc)
    }
    entries[entries.count - 1].facts = facts
  }

  /// Checks a central header against the entry that it lists. Throws ``ZIPFault`` if they differ.
  ///
  /// The directory may have another order than the entries. An entry is identified by its offset.
  mutating func list(_ header: CentralHeader) throws(ZIPFault) {
    if !knowsOffsets {
      knowsOffsets = true
      if index(of: header) == nil { uncounted = mark }
    }
    guard let index = index(of: header) else {
      throw .noEntryAt(offset: header.offset, entry: header.name)
    }
    let entry = entries[index]
    if entry.isListed { throw .overlap(entry: header.name, other: entry.name) }
    if let field = EntryTable.difference(entry, header) {
      throw .headersDisagree(entry: entry.name, field: field)
    }
    if header.isLink {
      if header.size > ZIPLimits.link { throw .linkTooLong(entry: entry.name) }
      entries[index].kind = .link
    }
    entries[index].isListed = true
  }

  private func index(of header: CentralHeader) -> Int? {
    // They are in the order of their offsets.
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let offset = UInt64(entries[middle].offset - uncounted)
      if offset == header.offset { return middle }
      if offset < header.offset { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Checks at the end of the central directory that it has listed every entry. Throws
  /// ``ZIPFault`` if not.
  func checkListed() throws(ZIPFault) {
    for entry in entries where !entry.isListed { throw .notListed(entry: entry.name) }
  }

  /// Returns the index of the entry to deliver, once the central directory has been read. Throws
  /// ``ZIPFault`` if there is no such entry or more than one.
  func choose(_ wanted: String?) throws(ZIPFault) -> Int {
    let data = entries.indices.filter { entries[$0].kind == .data }
    guard let wanted else {
      if data.count == 1 { return data[0] }
      if data.isEmpty { throw .noEntry(names: entries.map(\.name)) }
      throw .severalEntries(names: data.map { entries[$0].name })
    }
    let matches = data.filter { entries[$0].name.matches(wanted) }
    if matches.count == 1 { return matches[0] }
    if matches.isEmpty {
      throw .noSuchEntry(wanted: wanted, names: data.map { entries[$0].name })
    }
    throw .severalEntries(names: matches.map { entries[$0].name })
  }

  /// Returns the entries for the listing.
  func items(in zone: Zone) -> [ZIPListing.Item] {
    entries.map { entry in
      ZIPListing.Item(
        name: entry.name, method: entry.header.method,
        compressedSize: Int(entry.facts.compressedSize), size: Int(entry.facts.size),
        modified: entry.header.modified.seconds(in: zone), kind: entry.kind)
    }
  }

  private static func difference(
    _ entry: ZIPEntry, _ header: CentralHeader
  ) -> ZIPFault.HeaderField? {
    if entry.name != header.name { return .name }
    if entry.header.flags != header.flags { return .flags }
    if entry.header.method != header.method { return .method }
    if entry.header.modified != header.modified { return .time }
    if entry.facts.compressedSize != header.compressedSize { return .compressedSize }
    if entry.facts.size != header.size { return .size }
    if entry.facts.crc != header.crc { return .crc }
    return nil
  }
}

/// Lists the entries of one archive, for `sluice inspect`.
///
/// There is one per run. The unzipper fills it once, after it has read the central directory. So
/// the entries are known even if the choice of one fails.
final class ZIPListing: Sendable {
  /// One entry, as described by its local header, its data and its central header.
  struct Item: Equatable, Sendable {
    var name: EntryName
    /// 0 for stored, 8 for deflated.
    var method: UInt16
    var compressedSize: Int
    var size: Int
    /// Seconds since 1970 (UTC), or nil if the archive has no such time.
    var modified: Int?
    var kind: ZIPEntry.Kind
  }

  private let store = Mutex<[Item]>([])

  /// The entries, in the order of the archive.
  var items: [Item] { store.withLock { $0 } }

  func fill(with items: [Item]) { store.withLock { $0 = items } }
}

/// Limits on an archive.
enum ZIPLimits {
  static let entries = 64
  /// Entries of an archive of which several are chosen: as many as it can have without ZIP64.
  static let chosenEntries = 65_535
  /// Bytes of an entry's name.
  static let name = 1 << 10
  /// The maximum length of a symbolic link, in bytes: Linux' PATH_MAX.
  static let link = 4 << 10
  /// The maximum ratio of an entry's size to its compressed size.
  static let ratio = 250
  /// The bytes that all entries together may inflate to before the ratio counts.
  static let ratioFree = 64 << 20
  /// The newest known version of the format, in tenths: 6.3.
  static let version: UInt8 = 63
}
