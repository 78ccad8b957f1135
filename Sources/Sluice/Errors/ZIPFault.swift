/// Errors of a ZIP archive (PKWARE APPNOTE 6.3; deflate is RFC 1951). Offsets count bytes of the
/// archive, and sizes count bytes. The limits are this program's own. "At" names the offset of an
/// error.
package enum ZIPFault: Error, Equatable, Sendable {
  /// The archive ends too early. At its end.
  case truncated
  /// The first bytes, 16 at most, are not those of an archive.
  case notZip(first: [UInt8])
  /// Decoded base64 text is neither an archive nor JSON. `looksLike` is the name of its form, nil
  /// if unknown. `start` is its first bytes.
  case notContent(looksLike: String?, start: [UInt8])
  /// The archive is one of several disks.
  case severalDisks
  /// The bytes after a record are not a record. `found` are the first of them. At the first of
  /// them.
  case unknownRecord(found: [UInt8])
  /// The archive ends after its entries, without the central directory.
  case directoryMissing
  /// Bytes follow the end of the archive. At the first of them.
  case trailingData

  /// The entry is encrypted.
  case encrypted(entry: EntryName)
  /// The entry is a patch.
  case patchData(entry: EntryName)
  /// The entry's compression method is neither stored (0) nor deflate (8).
  case method(UInt16, entry: EntryName)
  /// The entry needs a version of the format, in tenths, that does not exist.
  case version(UInt8, entry: EntryName)
  /// The entry is stored, and its size is given only after it. So its end cannot be found.
  case storedWithDescriptor(entry: EntryName)
  /// The sizes of the entry should be in a ZIP64 field, but it has none.
  case zip64Missing(entry: EntryName)
  /// The name of an entry has more bytes than the limit.
  case nameTooLong(length: Int, limit: Int)
  /// There are more entries than the limit.
  case tooManyEntries(limit: Int)
  /// An entry that was chosen by a pattern is a symbolic link. At the end of the archive.
  case linkChosen(entry: EntryName)
  /// The entries that were chosen are together larger than the limit: this is the one that exceeds
  /// it.
  case tooLargeTogether(entry: EntryName, limit: Int)
  /// Two entries have the same name.
  case duplicateName(entry: EntryName)

  /// The entry is larger than the limit, as declared (at its header) or unpacked (at its data).
  case tooLarge(entry: EntryName, limit: Int)
  /// The unpacked entry is more than `limit` times as large as its packed data. At its data.
  case ratio(entry: EntryName, limit: Int)
  /// The entry is larger than it declares. At its data.
  case moreThanDeclared(entry: EntryName, declared: Int)
  /// The entry's deflate data is broken. At its data.
  case deflate(entry: EntryName)
  /// The entry's deflate data does not end where its declared size does. At that end.
  case deflateUnfinished(entry: EntryName)
  /// This many of the entry's bytes follow the end of its deflate data. At the first of them.
  case bytesAfterDeflate(entry: EntryName, count: Int)
  /// The entry's size is not the declared one. At the end of its data.
  case size(entry: EntryName, declared: UInt64, actual: UInt64)
  /// The entry's compressed size is not the declared one. At the end of its data.
  case compressedSize(entry: EntryName, declared: UInt64, actual: UInt64)
  /// The entry's CRC-32 is not the declared one. At the end of its data.
  case crc(entry: EntryName, declared: UInt32, actual: UInt32)
  /// The bytes after the entry's data are not a data descriptor. At the end of the data.
  case descriptor(entry: EntryName)

  /// The local and the central header of the entry disagree. At the central header.
  case headersDisagree(entry: EntryName, field: HeaderField)
  /// The central directory points to a byte where no entry begins. At the central header.
  case noEntryAt(offset: UInt64, entry: EntryName)
  /// The central directory lists the bytes of `other` a second time. At the central header.
  case overlap(entry: EntryName, other: EntryName)
  /// The central directory does not list the entry. At its end.
  case notListed(entry: EntryName)
  /// The entry is a symbolic link, longer than a path can be. At the central header.
  case linkTooLong(entry: EntryName)
  /// A field of an end record is wrong. At that record.
  case endRecord(field: EndField, declared: UInt64, actual: UInt64)

  /// The archive has no data entry. `names` are all entries.
  case noEntry(names: [EntryName])
  /// The archive has several data entries, and none was chosen.
  case severalEntries(names: [EntryName])
  /// The archive has no data entry of the wanted name.
  case noSuchEntry(wanted: String, names: [EntryName])

  /// The fields that local and central headers share.
  package enum HeaderField: Equatable, Sendable {
    case name, flags, method, time, crc, compressedSize, size
  }

  /// The fields of the end records.
  package enum EndField: Equatable, Sendable {
    case entriesOnDisk, entries, directorySize, directoryOffset, zip64RecordSize, zip64RecordOffset
  }

  /// Every case is of this class.
  package var `class`: FaultClass { .badData }
}

/// The name of an entry of an archive, as its bytes and as printable text.
///
/// A name is bytes in an encoding that is not known for sure. It is compared and shown, but never
/// used as a path.
package struct EntryName: Hashable, Sendable {
  /// The bytes in the archive.
  package let bytes: [UInt8]

  /// Makes a name from its bytes.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The name as printable text. Valid UTF-8 stays. Every other byte and ASCII controls become
  /// `\x1b`, other controls and formats become `\u{202e}`, and a backslash becomes `\\`.
  package var shown: String {
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      if first < 0x80 {
        text += EntryName.shown(ascii: first)
        rest.removeFirst()
      } else if let (scalar, length) = EntryName.firstScalar(of: rest) {
        text += EntryName.shown(scalar)
        rest.removeFirst(length)
      } else {
        text += EntryName.escaped(first)
        rest.removeFirst()
      }
    }
    return text
  }

  private static func shown(ascii byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\\"): "\\\\"
    case 0x20..<0x7F: String(UnicodeScalar(byte))
    default: escaped(byte)
    }
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      "\\u{" + String(scalar.value, radix: 16) + "}"
    default: String(scalar)
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16)
  }

  /// Returns the first scalar and its length in bytes; nil if the bytes do not begin with valid
  /// UTF-8.
  private static func firstScalar(of bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return (scalar, UTF8.width(scalar))
  }
}
