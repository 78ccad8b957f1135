/// Checks the records behind the central directory (APPNOTE 4.3.14 to 4.3.16) against the truth.
struct EndRecords {
  /// Bytes of each record, without what it announces.
  static let zip64Fixed = 56
  static let locatorFixed = 20
  static let endFixed = 22

  /// What has been read.
  var entries: Int
  var directoryOffset: Int
  var directorySize: Int
  /// Where the ZIP64 end record is, if there is one.
  var zip64Offset: Int?

  /// Checks a ZIP64 end record; gives the number of bytes that it has behind the fixed ones.
  func check(zip64 record: RawSpan) throws(ZIPFault) -> Int {
    if record.u32(16) != 0 || record.u32(20) != 0 { throw .severalDisks }
    // The size leaves out the signature and itself.
    let size = record.u64(4)
    let least = UInt64(EndRecords.zip64Fixed - 12)
    if size < least { throw .endRecord(field: .zip64RecordSize, declared: size, actual: least) }
    try same(.entriesOnDisk, record.u64(24), entries)
    try same(.entries, record.u64(32), entries)
    try same(.directorySize, record.u64(40), directorySize)
    try same(.directoryOffset, record.u64(48), directoryOffset)
    return Int(clamping: size - least)
  }

  /// Checks the locator of the ZIP64 end record.
  func check(locator record: RawSpan) throws(ZIPFault) {
    // Some writers count no disk where there is one.
    if record.u32(4) != 0 || record.u32(16) > 1 { throw .severalDisks }
    try same(.zip64RecordOffset, record.u64(8), zip64Offset ?? 0)
  }

  /// Checks the end record; gives the length of the archive's comment.
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

  /// Compares a number with the truth. All ones stand for a number of the ZIP64 record.
  private func same<Number: FixedWidthInteger>(
    _ field: ZIPFault.EndField, _ declared: Number, _ actual: Int
  ) throws(ZIPFault) {
    if declared == .max && zip64Offset != nil && Number.bitWidth < 64 { return }
    if UInt64(declared) != UInt64(actual) {
      throw .endRecord(field: field, declared: UInt64(declared), actual: UInt64(actual))
    }
  }
}
