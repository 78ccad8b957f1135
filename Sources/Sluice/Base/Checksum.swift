import CLibraries

/// Computes the CRC-32 checksums of archives (APPNOTE 4.4.7) and of fingerprinted contents.
///
/// libdeflate's function takes less than half the time of zlib's. Inflating still uses zlib.
enum CRC32 {
  /// Returns `checksum` continued over `bytes`. The first call begins with 0.
  package static func over(_ bytes: UnsafeRawBufferPointer, after checksum: UInt32 = 0) -> UInt32 {
    // Without this, a buffer without memory would restart the checksum.
    guard let start = bytes.baseAddress else { return checksum }
    return libdeflate_crc32(checksum, start, bytes.count)
  }
}

/// Computes FNV-1a hashes of 64 bits (draft-eastlake-fnv, section 2).
struct FNV1a: Equatable, BitwiseCopyable {
  /// The hash of the bytes so far.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds the next byte.
  @inline(__always)
  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  /// Adds the next bytes.
  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { add(byte) }
  }
}

/// Identifies a content by its length, CRC-32 and FNV-1a hash (64 bits).
///
/// It protects against accidents, not against attacks. A publisher that wants to pass off two
/// contents as one needs no collision: it can simply send the old content again. A CRC-32 detects
/// every short change for certain. Together with a hash of another kind and the length, two
/// contents of a lifetime of nightly runs collide with a probability far below 2⁻⁶⁴.
package struct Fingerprint: Equatable, Sendable, CustomStringConvertible {
  package private(set) var length = 0
  private var crc: UInt32 = 0
  private var hash = FNV1a()

  /// Makes the fingerprint of an empty content.
  package init() {}

  /// Makes the fingerprint of a text in UTF-8.
  package init(of text: String) {
    var text = text
    text.withUTF8 { add(RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0))) }
  }

  /// Adds the next bytes of the content.
  package mutating func add(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { buffer in
      length += buffer.count
      crc = CRC32.over(buffer, after: crc)
      hash.add(buffer)
    }
  }

  /// The FNV-1a hash alone, as 16 hexadecimal digits.
  package var name: String { hexadecimal(hash.value, digits: 16) }

  /// The fingerprint as written to the state: `84561-1c2d3e4f-9a52bf95f4e4a500`.
  package var description: String {
    "\(length)-\(hexadecimal(UInt64(crc), digits: 8))-\(name)"
  }
}

/// Tells one content from another: its length and CRC-32, the same that an archive has of it. Many
/// times as fast as a ``Fingerprint``, which it does not replace where contents are many.
struct ContentSum: Equatable, Sendable, CustomStringConvertible {
  private var length = 0
  private var crc: UInt32 = 0

  /// Adds the next bytes of the content.
  mutating func add(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { buffer in
      length += buffer.count
      crc = CRC32.over(buffer, after: crc)
    }
  }

  /// The length and the checksum: `84561-1c2d3e4f`.
  var description: String { "\(length)-\(hexadecimal(UInt64(crc), digits: 8))" }
}

/// Identifies a set of entries in any order: by their number, and by the sums of their CRC-32 and
/// of their FNV-1a hashes (64 bits).
///
/// It protects against accidents, not against attacks. If one entry changes in one byte, its hash
/// changes for certain, and with it the sum.
package struct SetFingerprint: Equatable, Sendable, CustomStringConvertible {
  private var count = 0
  private var checksums: UInt64 = 0
  private var hashes: UInt64 = 0

  /// Makes the fingerprint of an empty set.
  package init() {}

  /// Adds an entry.
  package mutating func insert(_ entry: borrowing ByteBuffer) {
    var hash = FNV1a()
    hash.add(entry.contents)
    count += 1
    checksums &+= UInt64(CRC32.over(entry.contents))
    hashes &+= hash.value
  }

  /// The fingerprint in the form `13000-00001c2d3e4f5061-9a52bf95f4e4a500`.
  package var description: String {
    "\(count)-\(hexadecimal(checksums, digits: 16))-\(hexadecimal(hashes, digits: 16))"
  }
}

private func hexadecimal(_ number: UInt64, digits: Int) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
