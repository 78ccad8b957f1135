import CScan

/// How a value of a record is written: a plain string, a number or null.
struct ShapeValue: BitwiseCopyable {
  /// The length of the whole, and where its text begins in it: behind a quote.
  let length: Int
  let inset: Int
  /// The length of the text; null has none.
  let count: Int
  let kind: TokenKind

  init(length: Int, inset: Int, kind: TokenKind) {
    self.length = length
    self.inset = inset
    self.kind = kind
    count = kind == .null ? 0 : length - 2 * inset
  }

  /// Reads the value at `p`, which ends before `limit`, as strictly as the tokenizer; nil where it
  /// is anything else. What stands behind it is yet to be seen. From `limit` on 16 bytes are
  /// readable.
  @inline(__always)
  init?(at p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    guard p.pointee == UInt8(ascii: "\"") else {
      self.init(scalarAt: p, before: limit)
      return
    }
    let count = cscan_text(p + 1, limit + 16)
    guard limit - p > count + 1, p[count + 1] == UInt8(ascii: "\"") else { return nil }
    self.init(length: count + 2, inset: 1, kind: .string)
  }

  @inline(never)
  private init?(scalarAt p: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>) {
    if p.pointee == UInt8(ascii: "n") {
      guard p[1] == UInt8(ascii: "u"), p[2] == UInt8(ascii: "l"), p[3] == UInt8(ascii: "l") else {
        return nil
      }
      self.init(length: 4, inset: 0, kind: .null)
    } else {
      var number = NumberState.start
      var count = 0
      while p + count < limit, let state = number.after(p[count]) {
        number = state
        count += 1
      }
      guard number.mayEnd, count <= Limits.number else { return nil }
      self.init(length: count, inset: 0, kind: .number)
    }
  }

  /// The value as it is handed on, where it is written at `p`.
  @inline(__always)
  func object(at p: UnsafePointer<UInt8>, isRepeated: Bool) -> ObjectValue {
    ObjectValue(start: p + inset, count: count, kind: kind, isRepeated: isRepeated)
  }
}
