/// The first four bytes of each record of an archive, as a little-endian number.
enum ZIPSignature {
  /// Local file header (APPNOTE 4.3.7).
  static let local: UInt32 = 0x0403_4B50
  /// Data descriptor (4.3.9), also the mark of a split archive at its start (8.5.3).
  static let descriptor: UInt32 = 0x0807_4B50
  /// Mark at the start of an archive that should have been split but was not (8.5.4): `PK00`.
  static let unsplit: UInt32 = 0x3030_4B50
  /// Central directory header (4.3.12).
  static let central: UInt32 = 0x0201_4B50
  /// ZIP64 end of central directory record (4.3.14).
  static let zip64End: UInt32 = 0x0606_4B50
  /// ZIP64 end of central directory locator (4.3.15).
  static let zip64Locator: UInt32 = 0x0706_4B50
  /// End of central directory record (4.3.16).
  static let end: UInt32 = 0x0605_4B50

  /// The signatures at the start of an input that is not reported as "not a zip".
  static let first = [local, end, zip64End, descriptor, unsplit]
}

extension RawSpan {
  /// Reads a number. All numbers of an archive are little-endian (APPNOTE 4.4.1.1).
  func little<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Number.Type) -> Number
  {
    Number(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  func u16(_ offset: Int) -> UInt16 { little(offset, UInt16.self) }
  func u32(_ offset: Int) -> UInt32 { little(offset, UInt32.self) }
  func u64(_ offset: Int) -> UInt64 { little(offset, UInt64.self) }

  /// Copies a range of the bytes.
  func copy(_ range: Range<Int>) -> [UInt8] {
    range.map { unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
  }
}

/// The header before an entry's data (APPNOTE 4.3.7).
struct LocalHeader {
  /// The number of bytes before the name.
  static let fixed = 30

  var name: EntryName
  var flags: UInt16
  var method: UInt16
  var modified: DOSTime
  /// The declared values. Nil if the header leaves them to the data descriptor.
  var crc: UInt32?
  var compressedSize: UInt64?
  var size: UInt64?

  /// Whether a data descriptor follows the data (flag bit 3).
  var hasDescriptor: Bool { flags & 0x0008 != 0 }

  /// Returns the length of the whole header, as its fixed part announces it.
  static func length(_ record: RawSpan) -> Int {
    fixed + Int(record.u16(26)) + Int(record.u16(28))
  }

  /// Reads a whole header: fixed part, name and extra fields. Throws ``ZIPFault`` if it requires an
  /// unsupported feature or lacks its ZIP64 field.
  init(_ record: RawSpan) throws(ZIPFault) {
    let nameEnd = LocalHeader.fixed + Int(record.u16(26))
    name = EntryName(bytes: record.copy(LocalHeader.fixed..<nameEnd))
    flags = record.u16(6)
    method = record.u16(8)
    modified = DOSTime(time: record.u16(10), date: record.u16(12))
    // Bit 0: encrypted, 6: strongly, 13: with masked headers. Bit 5: patch data.
    if flags & 0x2041 != 0 { throw .encrypted(entry: name) }
    if flags & 0x0020 != 0 { throw .patchData(entry: name) }
    if method != 0 && method != 8 { throw .method(method, entry: name) }
    // The high byte is the system, as in the central header.
    let version = UInt8(truncatingIfNeeded: record.u16(4))
    if version > ZIPLimits.version { throw .version(version, entry: name) }

    var zip64 = Zip64Field(in: record, extra: nameEnd..<record.byteCount)
    guard let size = zip64.value(of: record.u32(22), in: record),
      let compressedSize = zip64.value(of: record.u32(18), in: record)
    else { throw .zip64Missing(entry: name) }
    let crc = record.u32(14)
    if hasDescriptor {
      if method == 0 { throw .storedWithDescriptor(entry: name) }
      // Zero means "see the descriptor". Any other value must be right.
      self.crc = crc == 0 ? nil : crc
      self.compressedSize = compressedSize == 0 ? nil : compressedSize
      self.size = size == 0 ? nil : size
    } else {
      self.crc = crc
      self.compressedSize = compressedSize
      self.size = size
    }
  }
}

/// One entry of the central directory (APPNOTE 4.3.12).
struct CentralHeader {
  /// The number of bytes before the name.
  static let fixed = 46

  var name: EntryName
  var flags: UInt16
  var method: UInt16
  var modified: DOSTime
  var crc: UInt32
  var compressedSize: UInt64
  var size: UInt64
  /// The offset of the entry's local header.
  var offset: UInt64
  /// Whether the entry is a symbolic link.
  var isLink: Bool
  /// The number of comment bytes that follow.
  var commentLength: Int

  /// Returns the length that the fixed part announces, without the comment.
  static func length(_ record: RawSpan) -> Int {
    fixed + Int(record.u16(28)) + Int(record.u16(30))
  }

  /// Reads a header without its comment: fixed part, name and extra fields. Throws ``ZIPFault`` if
  /// its ZIP64 field is missing or the archive is on several disks.
  init(_ record: RawSpan) throws(ZIPFault) {
    let nameEnd = CentralHeader.fixed + Int(record.u16(28))
    name = EntryName(bytes: record.copy(CentralHeader.fixed..<nameEnd))
    flags = record.u16(8)
    method = record.u16(10)
    modified = DOSTime(time: record.u16(12), date: record.u16(14))
    crc = record.u32(16)
    commentLength = Int(record.u16(32))
    // Made on Unix or macOS: the upper half of the external attributes is the mode.
    let system = record.u16(4) >> 8
    let mode = record.u32(38) >> 16
    isLink = (system == 3 || system == 19) && mode & 0o170000 == 0o120000

    var zip64 = Zip64Field(in: record, extra: nameEnd..<record.byteCount)
    guard let size = zip64.value(of: record.u32(24), in: record),
      let compressedSize = zip64.value(of: record.u32(20), in: record),
      let offset = zip64.value(of: record.u32(42), in: record),
      let disk = zip64.value(of: record.u16(34), in: record)
    else { throw .zip64Missing(entry: name) }
    if disk != 0 { throw .severalDisks }
    self.size = size
    self.compressedSize = compressedSize
    self.offset = offset
  }
}

/// Reads the numbers of a record's ZIP64 extra field (APPNOTE 4.5.3), one after the other.
///
/// If a size or an offset in the header is all ones, its value is in this field. The order is
/// fixed, and only values that are all ones in the header are there. Other extra fields are
/// skipped, and values that nobody needs are not read.
private struct Zip64Field {
  private var at: Int
  private let end: Int

  /// Finds the field among the extra fields at `extra` of `record`.
  init(in record: RawSpan, extra: Range<Int>) {
    var field = extra.lowerBound
    while field + 4 <= extra.upperBound {
      let content = field + 4
      let after = content + Int(record.u16(field + 2))
      if after > extra.upperBound { break }
      if record.u16(field) == 0x0001 {
        at = content
        end = after
        return
      }
      field = after
    }
    at = 0
    end = 0
  }

  /// Returns the true value of a 32-bit number of the header, or nil if the field lacks it.
  mutating func value(of short: UInt32, in record: RawSpan) -> UInt64? {
    if short != .max { return UInt64(short) }
    guard at + 8 <= end else { return nil }
    defer { at += 8 }
    return record.u64(at)
  }

  /// Returns the true value of the disk number, or nil if the field lacks it. It is last in the
  /// field.
  mutating func value(of short: UInt16, in record: RawSpan) -> UInt32? {
    if short != .max { return UInt32(short) }
    guard at + 4 <= end else { return nil }
    defer { at += 4 }
    return record.u32(at)
  }
}

/// Finds the end of a data descriptor (APPNOTE 4.3.9).
///
/// A descriptor has one of four forms: with or without a signature, with sizes of 4 or of 8 bytes.
/// Nothing says which. But CRC and sizes are known by then, and a record must follow. At most one
/// form fits both.
///
///     [sig] crc size size   | next record       12 or 16 bytes | 4
///     [sig] crc size.. size.. | next record     20 or 24 bytes | 4
enum DataDescriptor {
  /// The length in bytes of the longest form and of the signature that must follow it. An archive
  /// always has that many bytes here.
  static let lookahead = 28

  /// The actual checksum and sizes of an entry's data.
  struct Facts {
    var crc: UInt32
    var compressedSize: UInt64
    var size: UInt64
  }

  private struct DescriptorForm {
    var signature: Bool
    var wide: Bool
    var length: Int { (signature ? 8 : 4) + (wide ? 16 : 8) }
  }

  private static let forms = [
    DescriptorForm(signature: true, wide: false), DescriptorForm(signature: true, wide: true),
    DescriptorForm(signature: false, wide: false), DescriptorForm(signature: false, wide: true),
  ]

  /// Returns the length of the descriptor at the start of `record`, which has ``lookahead`` bytes.
  /// Throws ``ZIPFault`` if no form fits.
  static func length(in record: RawSpan, facts: Facts, entry: EntryName) throws(ZIPFault) -> Int {
    var nearest: ZIPFault?
    for form in forms where fits(form, record) {
      guard let fault = differs(form, record, facts, entry) else { return form.length }
      if nearest == nil { nearest = fault }
    }
    throw nearest ?? .descriptor(entry: entry)
  }

  private static func fits(_ form: DescriptorForm, _ record: RawSpan) -> Bool {
    if form.signature && record.u32(0) != ZIPSignature.descriptor { return false }
    let following = record.u32(form.length)
    return following == ZIPSignature.local || following == ZIPSignature.central
  }

  private static func differs(
    _ form: DescriptorForm, _ record: RawSpan, _ facts: Facts, _ entry: EntryName
  ) -> ZIPFault? {
    let start = form.signature ? 4 : 0
    let crc = record.u32(start)
    let first = form.wide ? record.u64(start + 4) : UInt64(record.u32(start + 4))
    let second = form.wide ? record.u64(start + 12) : UInt64(record.u32(start + 8))
    if first != facts.compressedSize {
      return .compressedSize(entry: entry, declared: first, actual: facts.compressedSize)
    }
    if second != facts.size {
      return .size(entry: entry, declared: second, actual: facts.size)
    }
    if crc != facts.crc { return .crc(entry: entry, declared: crc, actual: facts.crc) }
    return nil
  }
}

/// Checks the records after the central directory (APPNOTE 4.3.14 to 4.3.16) against the truth.
struct EndRecords {
  /// The number of bytes of each record's fixed part.
  static let zip64Fixed = 56
  static let locatorFixed = 20
  static let endFixed = 22

  /// The entries and the directory as they were read.
  var entries: Int
  var directoryOffset: Int
  var directorySize: Int
  /// The offset of the ZIP64 end record, or nil if there is none.
  var zip64Offset: Int?

  /// Checks a ZIP64 end record. Returns the number of bytes after its fixed part. Throws
  /// ``ZIPFault`` if a value is wrong.
  func check(zip64 record: RawSpan) throws(ZIPFault) -> Int {
    if record.u32(16) != 0 || record.u32(20) != 0 { throw .severalDisks }
    // The size does not count the signature and itself.
    let size = record.u64(4)
    let least = UInt64(EndRecords.zip64Fixed - 12)
    if size < least { throw .endRecord(field: .zip64RecordSize, declared: size, actual: least) }
    try same(.entriesOnDisk, record.u64(24), entries)
    try same(.entries, record.u64(32), entries)
    try same(.directorySize, record.u64(40), directorySize)
    try same(.directoryOffset, record.u64(48), directoryOffset)
    return Int(clamping: size - least)
  }

  /// Checks the locator of the ZIP64 end record. Throws ``ZIPFault`` if a value is wrong.
  func check(locator record: RawSpan) throws(ZIPFault) {
    // Some writers count no disk instead of one.
    if record.u32(4) != 0 || record.u32(16) > 1 { throw .severalDisks }
    try same(.zip64RecordOffset, record.u64(8), zip64Offset ?? 0)
  }

  /// Checks the end record. Returns the length of the archive's comment. Throws ``ZIPFault`` if a
  /// value is wrong.
  func check(end record: RawSpan) throws(ZIPFault) -> Int {
    for disk in [record.u16(4), record.u16(6)] where disk != 0 {
      if disk != .max || zip64Offset == nil { throw .severalDisks }
    }
    try same(.entriesOnDisk, record.u16(8), entries)
    try same(.entries, record.u16(10), entries)
    try same(.directorySize, record.u32(12), directorySize)
    try same(.directoryOffset, record.u32(16), directoryOffset)
    return Int(record.u16(20))
  }

  /// Compares a number with the truth. All ones mean that the ZIP64 record has the number.
  private func same<Number: FixedWidthInteger>(
    _ field: ZIPFault.EndField, _ declared: Number, _ actual: Int
  ) throws(ZIPFault) {
    if declared == .max && zip64Offset != nil && Number.bitWidth < 64 { return }
    if UInt64(declared) != UInt64(actual) {
      throw .endRecord(field: field, declared: UInt64(declared), actual: UInt64(actual))
    }
  }
}

/// A local time as stored in archives, with a resolution of two seconds (APPNOTE 4.4.6).
struct DOSTime: Equatable, Sendable {
  /// Hours, minutes and half the seconds, from the highest bit: 5, 6, 5 bits.
  var time: UInt16
  /// Years since 1980, month, day, from the highest bit: 7, 4, 5 bits.
  var date: UInt16

  /// Returns the seconds since 1970 (UTC) of the local time in a zone. Returns nil if there is no
  /// such day or time.
  func seconds(in zone: Zone) -> Int? {
    let (date, time) = (Int(date), Int(time))
    let (hour, minute, second) = (time >> 11, time >> 5 & 0x3F, (time & 0x1F) * 2)
    guard hour < 24, minute < 60, second < 60,
      let day = Day(year: 1980 + date >> 9, month: date >> 5 & 0x0F, day: date & 0x1F)
    else { return nil }
    return zone.instant(of: Int(day.number) * 86_400 + hour * 3600 + minute * 60 + second)
  }
}
