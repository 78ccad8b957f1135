/// Makes foreign text safe to show inside a message: control characters, line breaks and
/// characters that reorder text or cannot be seen are written as escapes, and what is longer than `limit`
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

/// Says whether a scalar could act on a terminal, or hide, instead of being shown: controls, line
/// and paragraph separators, and what has no shape of its own (directions, joiners, byte order
/// mark, tags).
private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  if (0x20..<0x7F).contains(scalar.value) { return false }
  return switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
  default: false
  }
}
