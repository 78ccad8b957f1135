/// The four bytes that each record of an archive begins with, as a little-endian number.
enum ZIPSignature {
  /// Local file header (APPNOTE 4.3.7).
  static let local: UInt32 = 0x0403_4B50
  /// Data descriptor (4.3.9), and mark of a split archive at its start (8.5.3).
  static let descriptor: UInt32 = 0x0807_4B50
  /// Mark at the start of an archive that was to be split and was not (8.5.4): `PK00`.
  static let unsplit: UInt32 = 0x3030_4B50
  /// Central directory header (4.3.12).
  static let central: UInt32 = 0x0201_4B50
  /// ZIP64 end of central directory record (4.3.14).
  static let zip64End: UInt32 = 0x0606_4B50
  /// ZIP64 end of central directory locator (4.3.15).
  static let zip64Locator: UInt32 = 0x0706_4B50
  /// End of central directory record (4.3.16).
  static let end: UInt32 = 0x0605_4B50

  /// Those that the first bytes of an input may be without being told "not a zip".
  static let first = [local, end, zip64End, descriptor, unsplit]
}

extension RawSpan {
  /// Reads a little-endian number; all numbers of an archive are (APPNOTE 4.4.1.1).
  func little<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Number.Type) -> Number
  {
    Number(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  func u16(_ offset: Int) -> UInt16 { little(offset, UInt16.self) }
  func u32(_ offset: Int) -> UInt32 { little(offset, UInt32.self) }
  func u64(_ offset: Int) -> UInt64 { little(offset, UInt64.self) }

  /// Copies some of the bytes.
  func copy(_ range: Range<Int>) -> [UInt8] {
    range.map { unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
  }
}
