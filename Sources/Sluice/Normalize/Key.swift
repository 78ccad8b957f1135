/// Hashes addresses: FNV-1a of the folded texts of some columns, joined by U+001F.
///
///     Пушкин ␟ Садовая ␟ 3
///     └── kept state ─┘ └┘ hashed for each row
///
/// The state after the first columns is kept from row to row, because neighbours in a feed often
/// have the same town and street.
package struct KeyHash: ~Copyable {
  /// Number of columns in the kept state.
  private static let keptColumns = 2
  /// The most bytes of their texts that are kept.
  private static let maxKept = 4096

  /// The columns to hash, in order.
  let columns: ContiguousArray<Int>
  private var keptText = ByteBuffer(capacity: 256)
  private var keptEnds: InlineArray<2, Int> = [0, 0]
  private var keptState = FNV1a()
  private var hasKept = false

  init(columns: [Int]) { self.columns = ContiguousArray(columns) }

  /// Returns the hash of the record's address.
  @inline(__always)
  mutating func hash(_ record: borrowing Record) -> UInt64 {
    var state = FNV1a()
    var first = 0
    if canKeep(record) {
      if !isKept(record) { keep(record) }
      state = keptState
      first = Self.keptColumns
    }
    for index in first..<columns.count {
      Self.add(record, columns[index], index, to: &state)
    }
    return state.value
  }

  /// Returns whether there are enough columns to keep a state, and short enough texts to keep with
  /// it.
  @inline(__always)
  private func canKeep(_ record: borrowing Record) -> Bool {
    guard columns.count >= Self.keptColumns else { return false }
    var size = 0
    for index in 0..<Self.keptColumns { size += record.text(columns[index]).count }
    return size <= Self.maxKept
  }

  /// Returns whether the kept state is that of the record's first columns.
  @inline(__always)
  private func isKept(_ record: borrowing Record) -> Bool {
    guard hasKept else { return false }
    var start = 0
    for index in 0..<Self.keptColumns {
      let text = record.text(columns[index])
      let end = keptEnds[index]
      guard text.count == end - start, Vectors.areEqual(text, keptText.start + start) else {
        return false
      }
      start = end
    }
    return true
  }

  @inline(never)
  private mutating func keep(_ record: borrowing Record) {
    keptText.removeAll()
    keptState = FNV1a()
    for index in 0..<Self.keptColumns {
      keptText.append(record.text(columns[index]))
      keptEnds[index] = keptText.count
      Self.add(record, columns[index], index, to: &keptState)
    }
    hasKept = true
  }

  @inline(__always)
  private static func add(
    _ record: borrowing Record, _ column: Int, _ index: Int, to state: inout FNV1a
  ) {
    if index > 0 { state.add(0x1F) }
    Fold.forEachByte(of: record.text(column)) { state.add($0) }
  }
}

/// Reads values that are true or false.
enum FlagText {
  /// The words for both, folded.
  private static let words: [(StaticString, isTrue: Bool)] = [
    ("true", true), ("false", false), ("1", true), ("0", false), ("yes", true), ("no", false),
    ("да", true), ("нет", false),
  ]

  /// Replaces a word from `start` to the end of `bytes` with `true` or `false`. Any other text
  /// stays.
  static func tidy(_ bytes: inout ByteBuffer, from start: Int) {
    let text = UnsafeRawBufferPointer(rebasing: bytes.contents[start...])
    guard text.count <= 16 else { return }
    let key = Fold.key(ofTidy: text)
    let word = words.first { word, _ in
      key.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
    guard let word else { return }
    bytes.truncate(to: start)
    bytes.append(word.isTrue ? "true" : "false")
  }

  /// Returns whether the text is `true` or `false`.
  static func isFlag(_ text: UnsafeRawBufferPointer) -> Bool {
    text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
  }
}
