/// One entry of an archive, as far as it has been read.
struct ZIPEntry {
  /// What an entry is; only data entries are delivered.
  enum Kind: Sendable {
    case data, folder, link
    /// What macOS keeps beside an entry, under `__MACOSX/`.
    case macMetadata
  }

  let header: LocalHeader
  /// Where its local header begins.
  let offset: Int
  /// Whether this is a link turns out in the central directory.
  var kind: Kind
  /// What its data came to.
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
