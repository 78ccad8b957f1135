import CDeflate

/// Computes the CRC-32 of archives (APPNOTE 4.4.7), and of what is fingerprinted.
///
/// libdeflate's takes less than half the time of zlib's; inflating stays with zlib.
enum CRC32 {
  /// Continues a checksum over `bytes`; it begins with 0.
  static func over(_ bytes: UnsafeRawBufferPointer, after checksum: UInt32 = 0) -> UInt32 {
    // Without this, a buffer that has no memory would begin anew.
    guard let start = bytes.baseAddress else { return checksum }
    return libdeflate_crc32(checksum, start, bytes.count)
  }
}
