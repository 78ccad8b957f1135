/// Guesses in what encoding a text is that is not UTF-8.
///
///     D3 EB E8 F6 E0      letters of eight bits side by side: Cyrillic, `WINDOWS-1251`
///     93 AB A8 E6 A0      most of them below B0, where that has few letters: `CP866`
///     53 74 72 61 DF 65   one among letters of ASCII: Western Europe, `WINDOWS-1252`
public enum ForeignEncoding {
  /// The name that iconv has for it; nil where nothing speaks for one.
  public static func guess(_ text: some Sequence<UInt8>) -> String? {
    var (high, low, pairs) = (0, 0, 0)
    var wasHigh = false
    for byte in text {
      // What no text has.
      if byte < 0x20, ![0x09, 0x0A, 0x0D].contains(byte) { return nil }
      let isHigh = byte >= 0x80
      if isHigh {
        high += 1
        if byte < 0xB0 { low += 1 }
        if wasHigh { pairs += 1 }
      }
      wasHigh = isHigh
    }
    guard high > 0 else { return nil }
    if 2 * pairs < high { return "WINDOWS-1252" }
    return 2 * low > high ? "CP866" : "WINDOWS-1251"
  }
}
