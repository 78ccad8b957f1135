extension StringProtocol {
  /// Returns the range of the first occurrence of `text`, byte by byte, or nil if there is none.
  ///
  /// The standard library's own search would link its regular expressions into the program, and
  /// every start would pay for them.
  package func firstPlace(of text: String) -> Range<Index>? {
    let (bytes, wanted) = (utf8, text.utf8)
    var start = bytes.startIndex
    while !bytes[start...].starts(with: wanted) {
      guard start < bytes.endIndex else { return nil }
      bytes.formIndex(after: &start)
    }
    return start..<bytes.index(start, offsetBy: wanted.count)
  }

  /// Returns a copy in which `other` replaces each occurrence of `text`.
  func putting(_ other: String, for text: String) -> String {
    var (result, rest) = ("", self[...])
    while let place = rest.firstPlace(of: text) {
      result += rest[..<place.lowerBound] + other
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}

/// Returns the least number of insertions, deletions, replacements and swaps of neighbours that
/// turn `a` into `b` (the restricted Damerau-Levenshtein distance). The time is proportional to the
/// product of the lengths.
public func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}

/// Keeps the three values nearest to a value that was not found, by edit distance between folded
/// texts.
package struct NearestValues {
  private struct Candidate {
    var distance: Int
    var key: [UInt32]
    var text: String
  }

  private static let kept = 3
  /// A text of more than four times this many scalars is not a likely typing error. Neither is a
  /// text with more bytes than so many scalars can have.
  private static let longest = 64
  private let wanted: [UInt32]
  private var candidates: [Candidate] = []
  private var lastText: ContiguousArray<UInt8> = []

  package init(to key: ContiguousArray<UInt8>) {
    wanted = Self.scalars(key)
  }

  /// The kept values, the nearest first.
  package var texts: [String] { candidates.map(\.text) }

  /// Keeps a value of the data if it is near enough. An empty text is a missing value and is
  /// ignored.
  package mutating func consider(_ text: UnsafeRawBufferPointer) {
    guard text.count > 0, text.count <= 16 * Self.longest, !lastText.elementsEqual(text) else {
      return
    }
    lastText = ContiguousArray(text)
    // Folding hardly changes the length of a text. So a very different length means a large
    // distance.
    let worst = candidates.count == Self.kept ? candidates[Self.kept - 1].distance : Int.max
    guard abs(text.count / 2 - wanted.count) <= worst || text.count < 2 * Self.longest else {
      return
    }
    let key = Self.scalars(Fold.key(ofTidy: text))
    guard key.count <= Self.longest * 4, !candidates.contains(where: { $0.key == key }) else {
      return
    }
    let distance = editDistance(wanted, key)
    guard distance < worst else { return }
    let place = candidates.firstIndex { $0.distance > distance } ?? candidates.count
    let shown = String(decoding: text, as: UTF8.self)
    candidates.insert(Candidate(distance: distance, key: key, text: shown), at: place)
    if candidates.count > Self.kept { candidates.removeLast() }
  }

  private static func scalars(_ key: ContiguousArray<UInt8>) -> [UInt32] {
    String(decoding: key, as: UTF8.self).unicodeScalars.map(\.value)
  }
}

/// Percent-encoding of parts of a URL's query (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Returns the text with all bytes percent-encoded except unreserved characters.
  package static func encode(_ text: String) -> String { encode(text.utf8, keeping: isUnreserved) }

  /// Returns the bytes percent-encoded except those that are kept. Only ASCII may be kept.
  static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if isKept(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns the byte that is percent-encoded at the start of `text`, or nil if there is none.
  static func byte(at text: ArraySlice<UInt8>) -> UInt8? {
    let digits = text.prefix(3)
    guard digits.count == 3, digits.first == UInt8(ascii: "%"),
      let high = value(of: digits[digits.startIndex + 1]),
      let low = value(of: digits[digits.startIndex + 2])
    else { return nil }
    return high << 4 | low
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
  }
}

/// Guesses the encoding of a text that is not UTF-8.
///
///     D3 EB E8 F6 E0      bytes from 80 on, side by side: Cyrillic, `WINDOWS-1251`
///     93 AB A8 E6 A0      most of them below B0, where that has few letters: `CP866`
///     53 74 72 61 DF 65   one among ASCII letters: Western Europe, `WINDOWS-1252`
package enum ForeignEncoding {
  /// Returns iconv's name of the encoding, or nil if nothing suggests one.
  package static func guess(_ text: some Sequence<UInt8>) -> String? {
    var (high, low, pairs) = (0, 0, 0)
    var wasHigh = false
    for byte in text {
      // No text contains other control characters.
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

/// This release of Sluice.
package enum Release {
  /// The version number (semver.org).
  package static let version = "0.1.0"
}
