/// What can be wrong with a ZIP archive (PKWARE APPNOTE 6.3). Offsets count bytes of the archive.
public enum ZIPFault: Error, Equatable, Sendable {
  /// The archive ends too early. At its end.
  case truncated
  /// These first bytes, 16 at most, begin no archive.
  case notZip(first: [UInt8])
  /// What base64 text decodes to is neither an archive nor JSON; `looksLike` names it where it is
  /// known, and `start` is its first bytes.
  case notContent(looksLike: String?, start: [UInt8])
  /// The archive is one of several disks.
  case severalDisks
  /// What stands between records is no record. At its first byte.
  case unknownRecord(found: [UInt8])
  /// The archive ends behind its entries without listing them.
  case directoryMissing
  /// Bytes follow the end of the archive. At the first of them.
  case trailingData

  /// The entry is encrypted.
  case encrypted(entry: EntryName)
  /// The entry is a patch.
  case patchData(entry: EntryName)
  /// The entry's compression method is neither stored (0) nor deflate (8).
  case method(UInt16, entry: EntryName)
  /// The entry needs a version of the format (in tenths) that did not exist.
  case version(UInt8, entry: EntryName)
  /// The entry is stored and its size only follows: a forward reader cannot know its end.
  case storedWithDescriptor(entry: EntryName)
  /// The entry says that its sizes are in a ZIP64 field, and has none.
  case zip64Missing(entry: EntryName)
  /// An entry's name is longer than the limit.
  case nameTooLong(length: Int, limit: Int)
  /// There are more entries than the limit.
  case tooManyEntries(limit: Int)
  /// Two entries have this name.
  case duplicateName(entry: EntryName)

  /// The entry is larger than the limit, as declared (at its header) or in truth (at its data).
  case tooLarge(entry: EntryName, limit: Int)
  /// The entry grows more than `limit` times. At its data.
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
  /// What follows the entry's data is no data descriptor. At the end of the data.
  case descriptor(entry: EntryName)

  /// The local and the central header of the entry disagree. At the central header.
  case headersDisagree(entry: EntryName, field: HeaderField)
  /// The central directory says that the entry begins at a byte where none does: inside another
  /// entry, or nowhere. At the central header.
  case noEntryAt(offset: UInt64, entry: EntryName)
  /// The central directory lists the bytes of `other` a second time. At the central header.
  case overlap(entry: EntryName, other: EntryName)
  /// The central directory does not list the entry. At its end.
  case notListed(entry: EntryName)
  /// A symbolic link that is longer than a path can be. At the central header.
  case linkTooLong(entry: EntryName)
  /// An end record says something untrue. At that record.
  case endRecord(field: EndField, declared: UInt64, actual: UInt64)

  /// There is no data entry; these are there.
  case noEntry(names: [EntryName])
  /// There are several data entries and nobody said which.
  case severalEntries(names: [EntryName])
  /// There is no data entry of the wanted name; these are there.
  case noSuchEntry(wanted: String, names: [EntryName])

  /// What local and central headers both say.
  public enum HeaderField: Equatable, Sendable {
    case name, flags, method, time, crc, compressedSize, size
  }

  /// What the end records say.
  public enum EndField: Equatable, Sendable {
    case entriesOnDisk, entries, directorySize, directoryOffset, zip64RecordSize, zip64RecordOffset
  }
}

/// Names an entry of an archive: as the archive says it, and as it may be shown.
///
/// A name is bytes of a code page that nobody knows for sure. It is compared and shown, never
/// used as a path.
public struct EntryName: Hashable, Sendable {
  /// The name as it is in the archive.
  public let bytes: [UInt8]

  /// Makes a name of its bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The name as printable text: UTF-8 where it is that, `\x1b` for every other byte and for
  /// ASCII controls, `\u{202e}` for other controls and formats, `\\` for a backslash.
  public var shown: String {
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

  /// Says whether a person who wrote `wanted` means this name: by its bytes, or as it is shown.
  func matches(_ wanted: String) -> Bool {
    // As bytes: Swift's == on strings takes canonical equivalents for equal.
    wanted.utf8.elementsEqual(bytes) || wanted.utf8.elementsEqual(shown.utf8)
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

  /// The scalar that valid UTF-8 begins with, and its length in bytes.
  private static func firstScalar(of bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return (scalar, UTF8.width(scalar))
  }
}
