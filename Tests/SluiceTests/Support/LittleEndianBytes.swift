/// Appends little-endian numbers.
struct LittleEndianBytes {
  var bytes: [UInt8] = []

  mutating func u16(_ number: UInt16) { append(number) }
  mutating func u32(_ number: UInt32) { append(number) }
  mutating func u64(_ number: UInt64) { append(number) }

  private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }

  /// What is the same in both headers, from the version needed to the lengths.
  mutating func common(_ header: ZIPBuilder.Header) {
    for number in [header.version, header.flags, header.method, header.time, header.date] {
      u16(number)
    }
    for number in [header.crc, header.compressedSize, header.size] { u32(number) }
    u16(UInt16(header.name.count))
    u16(UInt16(header.extra.count))
  }

  mutating func zip64(_ zip64: ZIPBuilder.Zip64, _ entries: Int, _ size: Int, _ directory: Int) {
    let start = bytes.count
    u32(0x0606_4B50)
    u64(zip64.recordSize + UInt64(zip64.extension_.count))
    u16(45)
    u16(45)
    u32(zip64.disk)
    u32(zip64.disk)
    u64(zip64.entries ?? UInt64(entries))
    u64(zip64.entries ?? UInt64(entries))
    u64(zip64.directorySize ?? UInt64(size))
    u64(zip64.directoryOffset ?? UInt64(directory))
    bytes += zip64.extension_
    u32(0x0706_4B50)
    u32(zip64.disk)
    u64(zip64.locatorOffset ?? UInt64(start))
    u32(zip64.disks)
  }
}
