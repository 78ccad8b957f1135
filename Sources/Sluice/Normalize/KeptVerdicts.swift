import Glibc

/// The verdicts of a condition on the texts that it judged last.
///
///     type     pickup   holds
///              notice   does not
///              street   does not
///
/// A column by which rows are chosen often has few different texts. So most were judged before.
struct KeptVerdicts {
  /// A text that was judged.
  private struct Entry: BitwiseCopyable {
    /// The length of the text; -1 if there is none.
    var count = -1
    var verdict = false
  }

  /// The longest text that is kept, in bytes, and the number of texts.
  private static let longest = 64
  private static let most = 64

  private var entries = ContiguousArray(repeating: Entry(), count: most)
  /// The text of each entry.
  private var texts = ContiguousArray<UInt8>(repeating: 0, count: most * longest)

  /// Returns the verdict on a text; nil if none is kept.
  @inline(__always)
  func find(_ text: UnsafeRawBufferPointer) -> Bool? {
    guard text.count <= Self.longest else { return nil }
    let place = Self.place(of: text)
    guard entries[place].count == text.count, isKept(text, at: place) else { return nil }
    return entries[place].verdict
  }

  /// Keeps the verdict on a text, instead of one on another.
  mutating func keep(_ verdict: Bool, on text: UnsafeRawBufferPointer) {
    guard text.count <= Self.longest else { return }
    let place = Self.place(of: text)
    entries[place] = Entry(count: text.count, verdict: verdict)
    texts.withUnsafeMutableBytes { kept in
      let room = place * Self.longest..<place * Self.longest + text.count
      UnsafeMutableRawBufferPointer(rebasing: kept[room]).copyMemory(from: text)
    }
  }

  /// Returns the entry of a text: one of those that begin and end like it.
  @inline(__always)
  private static func place(of text: UnsafeRawBufferPointer) -> Int {
    var number = UInt64(truncatingIfNeeded: text.count)
    if text.count >= 8 {
      number ^= text.loadUnaligned(as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15
      number ^= text.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self) &<< 1
    } else {
      for byte in text { number = number &<< 8 | UInt64(byte) }
    }
    return Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) &>> 58)
  }

  @inline(__always)
  private func isKept(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard let start = text.baseAddress else { return true }
    return texts.withUnsafeBytes { kept in
      guard let kept = kept.baseAddress else { return false }
      return memcmp(start, kept + place &* Self.longest, text.count) == 0
    }
  }
}
