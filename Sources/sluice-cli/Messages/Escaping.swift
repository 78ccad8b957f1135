/// Makes foreign text safe to show inside a message: control characters, line breaks and
/// characters that reorder text are written as escapes, and what is longer than `limit`
/// characters (Unicode scalars) is cut and ends in `…`.
func escaped(_ text: String, limit: Int = 80) -> String {
  var result = String.UnicodeScalarView()
  for (index, scalar) in text.unicodeScalars.enumerated() {
    if index == limit {
      result.append("…")
      break
    }
    switch scalar {
    case "\n": result.append(contentsOf: "\\n".unicodeScalars)
    case "\r": result.append(contentsOf: "\\r".unicodeScalars)
    case "\t": result.append(contentsOf: "\\t".unicodeScalars)
    case _ where isUnsafe(scalar):
      let digits = String(scalar.value, radix: 16)
      let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
      result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
    default: result.append(scalar)
    }
  }
  return String(result)
}

/// Says whether a scalar could act on a terminal instead of being shown by it.
private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL, C1
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
  case 0x2028, 0x2029: true  // line and paragraph separators
  default: false
  }
}
