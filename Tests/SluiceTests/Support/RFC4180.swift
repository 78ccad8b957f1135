/// Reads CSV as RFC 4180 has it, with LF or CRLF at the ends of lines.
enum RFC4180 {
  /// The fields, line by line.
  static func rows(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) -> [[[UInt8]]] {
    var rows: [[[UInt8]]] = []
    var row: [[UInt8]] = []
    var field: [UInt8] = []
    var isQuoted = false
    var index = 0
    func next() -> UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }
    while index < bytes.count {
      let byte = bytes[index]
      if isQuoted {
        if byte != UInt8(ascii: "\"") {
          field.append(byte)
        } else if next() == UInt8(ascii: "\"") {
          field.append(byte)
          index += 1
        } else {
          isQuoted = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = true
      } else if byte == separator {
        row.append(field)
        field = []
      } else if byte == 0x0A || byte == 0x0D && next() == 0x0A {
        if byte == 0x0D { index += 1 }
        rows.append(row + [field])
        row = []
        field = []
      } else {
        field.append(byte)
      }
      index += 1
    }
    if !row.isEmpty || !field.isEmpty { rows.append(row + [field]) }
    return rows
  }
}
