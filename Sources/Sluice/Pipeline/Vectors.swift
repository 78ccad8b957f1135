import CScan

/// Looks at texts by whole vectors, which read some bytes behind their end.
enum Vectors {
  /// How many bytes have to be readable behind a text.
  static let slack = 32

  /// `text` is what lies at `other`. Both have ``slack`` behind them.
  @inline(__always)
  static func areEqual(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawPointer) -> Bool {
    guard let start = text.baseAddress else { return true }
    return cscan_common(
      start.assumingMemoryBound(to: UInt8.self), other.assumingMemoryBound(to: UInt8.self),
      text.count) == text.count
  }
}
