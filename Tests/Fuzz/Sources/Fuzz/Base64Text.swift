/// Makes base64 text, with a line break here and there.
enum Base64Text {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0...3 {
        text.append(place > group.count ? 0x3D : alphabet[bits >> (18 - 6 * place) & 0x3F])
      }
      if start % 57 == 0, start > 0 { text += [0x0D, 0x0A] }
    }
    return text
  }
}
