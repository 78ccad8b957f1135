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
