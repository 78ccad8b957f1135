/// Builds ZIP archives (APPNOTE 6.3), byte by byte, so that any field can be wrong.
///
/// Deflate data is made of one stored block (RFC 1951, section 3.2.4).
struct Archive {
  struct Entry {
    var name: [UInt8]
    var content: [UInt8]
    var flags: UInt16 = 0
    var method: UInt16 = 8
    /// The data as it stands in the archive; nil is what the method makes of the content.
    var data: [UInt8]?
    var crc: UInt32?
    var size: UInt32?
    var compressedSize: UInt32?
    /// What follows the data.
    var descriptor: [UInt8] = []
    /// Attributes: the upper half is a Unix mode.
    var attributes: UInt32 = 0
    /// Changes the local header and not the central one.
    var localCRC: UInt32?
    /// Sizes and CRC in the local header are 0.
    var isStreamed = false
    var version: UInt16 = 20

    init(_ name: String, _ content: some Sequence<UInt8>) {
      self.name = Array(name.utf8)
      self.content = Array(content)
    }
  }

  var entries: [Entry]
  var before: [UInt8] = []
  var comment: [UInt8] = []
  var after: [UInt8] = []
  var disk: UInt16 = 0

  /// An archive of one entry, as the API sends it.
  init(_ json: String, _ change: (inout Entry) -> Void = { _ in }) {
    var entry = Entry("disconnect_teploset.json", json.utf8)
    change(&entry)
    entries = [entry]
  }

  init(entries: [Entry]) { self.entries = entries }

  /// The archive's bytes.
  var bytes: [UInt8] {
    var bytes = before
    var central: [UInt8] = []
    for entry in entries {
      let offset = bytes.count
      let data = entry.data ?? (entry.method == 8 ? Self.deflated(entry.content) : entry.content)
      let crc = entry.crc ?? Self.crc(entry.content)
      let sizes = (
        entry.compressedSize ?? UInt32(data.count), entry.size ?? UInt32(entry.content.count)
      )
      let streamed = entry.isStreamed
      bytes += Self.little(0x0403_4b50 as UInt32)
      bytes += Self.facts(
        entry, streamed ? 0 : entry.localCRC ?? crc, streamed ? (0, 0) : sizes)
      bytes += entry.name + data + entry.descriptor
      central += Self.little(0x0201_4b50 as UInt32) + Self.little(0x0314 as UInt16)
      central += Self.facts(entry, crc, sizes)
      central += [UInt8](repeating: 0, count: 6) + Self.little(entry.attributes)
      central += Self.little(UInt32(offset)) + entry.name
    }
    let start = UInt32(bytes.count)
    bytes += central + Self.little(0x0605_4b50 as UInt32) + Self.little(disk) + Self.little(disk)
    bytes += Self.little(UInt16(entries.count)) + Self.little(UInt16(entries.count))
    bytes += Self.little(UInt32(central.count)) + Self.little(start)
    return bytes + Self.little(UInt16(comment.count)) + comment + after
  }

  /// Where the data of the first entry begins.
  var dataStart: Int { before.count + 30 + entries[0].name.count }

  private static func facts(_ entry: Entry, _ crc: UInt32, _ sizes: (UInt32, UInt32)) -> [UInt8] {
    let (time, date): (UInt16, UInt16) = (21 << 11 | 13 << 5 | 5, 40 << 9 | 6 << 5 | 25)
    return little(entry.version) + little(entry.flags) + little(entry.method) + little(time)
      + little(date) + little(crc) + little(sizes.0) + little(sizes.1)
      + little(UInt16(entry.name.count)) + little(0 as UInt16)
  }

  static func deflated(_ content: [UInt8]) -> [UInt8] {
    precondition(content.count < 65_536)
    let count = UInt16(content.count)
    return [1] + little(count) + little(~count) + content
  }

  static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
        crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0)
      }
    }
  }
}
