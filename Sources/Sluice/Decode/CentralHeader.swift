/// One entry of the central directory (APPNOTE 4.3.12).
struct CentralHeader {
  /// Bytes in front of the name.
  static let fixed = 46

  var name: EntryName
  var flags: UInt16
  var method: UInt16
  var modified: DOSTime
  var crc: UInt32
  var compressedSize: UInt64
  var size: UInt64
  /// Where the entry's local header begins.
  var offset: UInt64
  /// Whether the entry is a symbolic link.
  var isLink: Bool
  /// Bytes of comment that follow.
  var commentLength: Int

  /// How many bytes the fixed part announces, without the comment.
  static func length(_ record: RawSpan) -> Int {
    fixed + Int(record.u16(28)) + Int(record.u16(30))
  }

  /// Reads a header without its comment: fixed part, name and extra fields.
  init(_ record: RawSpan) throws(ZIPFault) {
    let nameEnd = CentralHeader.fixed + Int(record.u16(28))
    name = EntryName(bytes: record.copy(CentralHeader.fixed..<nameEnd))
    flags = record.u16(8)
    method = record.u16(10)
    modified = DOSTime(time: record.u16(12), date: record.u16(14))
    crc = record.u32(16)
    commentLength = Int(record.u16(32))
    // Made by Unix or macOS: the upper half of the external attributes is the mode.
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
