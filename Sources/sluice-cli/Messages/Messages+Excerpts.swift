import Sluice

// What of foreign data is quoted in an error.

extension Text {
  /// Names in a row, made safe to show and quoted; a long row is cut.
  static func list(_ names: [String], limit: Int = 12) -> Text {
    let shown = names.prefix(limit).map { Text.quoted($0, limit: 40) }
    let more = names.count > shown.count ? ", …" : ""
    return Text(
      en: shown.map(\.en).joined(separator: ", ") + more,
      ru: shown.map(\.ru).joined(separator: ", ") + more)
  }

  /// The keys that an object has, in brackets.
  static func keysSeen(_ keys: [String]) -> Text {
    guard !keys.isEmpty else { return Text(en: "(no keys seen)", ru: "(ключей не найдено)") }
    let list = list(keys)
    return Text(en: "(keys seen: \(list.en))", ru: "(найдены ключи: \(list.ru))")
  }

  /// The names of an archive's entries in a row; a long row is cut.
  static func list(_ names: [EntryName]) -> Text { list(names.prefix(13).map(\.shown)) }

  /// The name of an archive's entry.
  static func quoted(_ name: EntryName) -> Text { quoted(name.shown) }

  /// A byte: the character that it is in ASCII, or else its number.
  static func byte(_ byte: UInt8) -> Text {
    switch byte {
    case UInt8(ascii: "\""):
      Text(en: "the character '\"'", ru: "символ «\"»")
    case 0x21..<0x7F:
      Text(en: "the character ", ru: "символ ") + .quoted(String(UnicodeScalar(byte)))
    default:
      Text(en: "the byte \(hex(byte))", ru: "байт \(hex(byte))")
    }
  }

  /// The text of the system or of a library, in brackets; nothing where there is none.
  static func detail(_ text: String) -> Text {
    text.isEmpty ? .verbatim("") : .verbatim(" (\(escaped(text, limit: 200)))")
  }

  /// The first bytes of data, quoted where they are text.
  static func start(_ bytes: [UInt8]) -> Text {
    if let text = readable(bytes) { return quoted(text, limit: 40) }
    let digits = bytes.prefix(8).map(hexDigits).joined(separator: " ")
    let more = bytes.count > 8 ? " …" : ""
    return Text(en: "the bytes \(digits)\(more)", ru: "байты \(digits)\(more)")
  }

  /// Whether bytes can be shown as text.
  static func isReadable(_ bytes: [UInt8]) -> Bool { readable(bytes) != nil }

  /// Bytes as text; nil where they are none. They may end inside a character.
  private static func readable(_ bytes: [UInt8]) -> String? {
    for cut in 0...3 where cut < bytes.count {
      guard let text = String(validating: bytes.dropLast(cut), as: UTF8.self) else { continue }
      let isText = text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.generalCategory != .control || "\t\n\r".unicodeScalars.contains(scalar)
      }
      return isText ? text : nil
    }
    return nil
  }

  private static func hex(_ byte: UInt8) -> String { "0x" + hexDigits(byte) }

  private static func hexDigits(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
