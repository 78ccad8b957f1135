/// Reads content lines as RFC 5545, section 3.1, has them.
enum Unfolding {
  /// The lines as they stand in the file, without their CRLF.
  static func physicalLines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var line: [UInt8] = []
    for byte in bytes {
      line.append(byte)
      if line.suffix(2) == [0x0D, 0x0A] {
        lines.append(line.dropLast(2))
        line = []
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// The lines, unfolded.
  static func lines(_ bytes: [UInt8]) -> [String] {
    var lines: [[UInt8]] = []
    for line in physicalLines(bytes) {
      if line.first == 0x20, !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(line)
      }
    }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
