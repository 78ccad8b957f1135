/// The header in front of an entry's data (APPNOTE 4.3.7).
struct LocalHeader {
  /// Bytes in front of the name.
  static let fixed = 30

  var name: EntryName
  var flags: UInt16
  var method: UInt16
  var modified: DOSTime
  /// What the header declares; nil where it leaves that to the data descriptor.
  var crc: UInt32?
  var compressedSize: UInt64?
  var size: UInt64?

  /// Whether a data descriptor follows the data: flag bit 3.
  var hasDescriptor: Bool { flags & 0x0008 != 0 }

  /// How many bytes of the whole header the fixed part announces.
  static func length(_ record: RawSpan) -> Int {
    fixed + Int(record.u16(26)) + Int(record.u16(28))
  }

  /// Reads a whole header: fixed part, name and extra fields. Throws where it asks for what is not
  /// done here.
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
    // The high byte is a system, as in the central header.
    let version = UInt8(truncatingIfNeeded: record.u16(4))
    if version > ZIPLimits.version { throw .version(version, entry: name) }

    var zip64 = Zip64Field(in: record, extra: nameEnd..<record.byteCount)
    guard let size = zip64.value(of: record.u32(22), in: record),
      let compressedSize = zip64.value(of: record.u32(18), in: record)
    else { throw .zip64Missing(entry: name) }
    let crc = record.u32(14)
    if hasDescriptor {
      if method == 0 { throw .storedWithDescriptor(entry: name) }
      // Zero means "see the descriptor"; a writer that knew better is held to its word.
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
