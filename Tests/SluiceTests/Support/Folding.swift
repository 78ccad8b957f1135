/// Folds content lines as RFC 5545, section 3.1, has them: one unit after another, as plainly as
/// can be.
enum Folding {
  /// The line of these units, none of which may be cut, with its CRLF.
  static func line(_ units: [[UInt8]]) -> [UInt8] {
    var line: [UInt8] = []
    var column = 0
    for unit in units {
      if column + unit.count > 75 {
        line += [0x0D, 0x0A, 0x20]
        column = 1
      }
      line += unit
      column += unit.count
    }
    return line + [0x0D, 0x0A]
  }

  /// The units of a line whose escapes are made: characters, and escapes with what they escape.
  static func units(_ line: String) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var isEscaped = false
    for scalar in line.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if isEscaped {
        units[units.count - 1] += bytes
        isEscaped = false
      } else {
        units.append(bytes)
        isEscaped = scalar == "\\"
      }
    }
    return units
  }

  /// The lines of a file, each with its folds and its CRLF.
  static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for line in Unfolding.physicalLines(bytes) {
      if line.first == 0x20, !lines.isEmpty {
        lines[lines.count - 1] += line + [0x0D, 0x0A]
      } else {
        lines.append(line + [0x0D, 0x0A])
      }
    }
    return lines
  }
}
