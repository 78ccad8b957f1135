/// Owns the table that turns four characters of base64 into three bytes.
///
/// The table has four columns of 256 words, one column for each place in a group. A character's
/// word holds its six bits where they belong in the three bytes, lowest byte first, so that the
/// four words of a group, or-ed, are the bytes. A character outside of the alphabet sets the
/// highest byte.
struct Base64Table: ~Copyable {
  /// The words, column by column.
  let words: UnsafeMutablePointer<UInt32>

  /// What every word of a character outside of the alphabet holds.
  static let invalid: UInt32 = 0xFF00_0000

  init() {
    words = .allocate(capacity: 4 * 256)
    words.initialize(repeating: Base64Table.invalid, count: 4 * 256)
    for bits in UInt32(0)..<64 {
      let character = Int(Base64Table.character(bits))
      words[character] = bits << 2
      words[256 + character] = bits >> 4 | (bits & 0x0F) << 12
      words[512 + character] = (bits >> 2) << 8 | (bits & 0x03) << 22
      words[768 + character] = bits << 16
    }
  }

  deinit { words.deallocate() }

  /// The six bits that a character stands for, or nil.
  func bits(_ character: UInt8) -> UInt32? {
    let word = words[768 + Int(character)]
    return word == Base64Table.invalid ? nil : word >> 16
  }

  /// The six bits that a character stands for, or nil; without a table, for a look at a few.
  static func digit(_ character: UInt8) -> UInt8? {
    (UInt32(0)..<64).first { Base64Table.character($0) == character }.map(UInt8.init)
  }

  private static func character(_ bits: UInt32) -> UInt8 {
    let bits = UInt8(truncatingIfNeeded: bits)
    return switch bits {
    case 0..<26: UInt8(ascii: "A") + bits
    case 26..<52: UInt8(ascii: "a") + bits - 26
    case 52..<62: UInt8(ascii: "0") + bits - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
