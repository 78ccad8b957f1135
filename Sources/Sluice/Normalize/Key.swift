/// What is computed from the bytes of an address, one after the other.
protocol KeyState: BitwiseCopyable {
  init()
  mutating func add(_ byte: UInt8)
}

extension FNV1a: KeyState {}

/// The texts of a row, from which the parts of its key are taken.
struct KeyTexts {
  /// One for each column, or for each place of the next row of a ``RowSeries``.
  private let texts: UnsafePointer<Record.Text>
  /// One for each column.
  private let columns: UnsafePointer<Record.Text>
  private let bytes: UnsafeRawPointer

  /// Those of a record.
  @inline(__always)
  init(of record: borrowing Record) {
    (texts, columns) = (UnsafePointer(record.texts.address), UnsafePointer(record.texts.address))
    bytes = UnsafeRawPointer(record.bytes.start)
  }

  /// Those of the next row of a series, for which the record has the columns around its rows.
  @inline(__always)
  init(ofNext series: borrowing RowSeries, _ record: borrowing Record) {
    (texts, columns) = (UnsafePointer(series.nextTexts), UnsafePointer(record.texts.address))
    bytes = UnsafeRawPointer(record.bytes.start)
  }

  /// The text at a place, or of a column if its number is negative: it is `~part` then.
  @inline(__always)
  subscript(part: Int) -> UnsafeRawBufferPointer {
    let text = part < 0 ? columns + ~part : texts + part
    return UnsafeRawBufferPointer(
      start: (text.pointee.base ?? bytes) + text.pointee.start, count: text.pointee.count)
  }
}

/// Hashes addresses: the folded texts of some columns, joined by U+001F. The state is FNV-1a for an
/// address's number, or ``CheckedKey``.
///
///     Пушкин ␟ Садовая ␟ 3
///     └── kept state ─┘ └┘ hashed for each row
///
/// The state after the first parts is kept from row to row, because neighbours in a feed often
/// have the same town and street.
struct KeyHash<State: KeyState>: ~Copyable {
  /// Number of parts in the kept state.
  private static var keptParts: Int { 2 }
  /// The most bytes of their texts that are kept.
  private static var maxKept: Int { 4096 }

  /// The parts to hash, in order: columns, or what else ``KeyTexts`` knows them by.
  private var parts: ContiguousArray<Int>
  private var keptText = ByteBuffer(capacity: 256)
  private var keptEnds: InlineArray<2, Int> = [0, 0]
  private var keptState = State()
  private var hasKept = false

  init(_ parts: [Int]) { self.parts = ContiguousArray(parts) }

  /// Takes the parts from other places from now on.
  mutating func setParts(_ parts: [Int]) { self.parts = ContiguousArray(parts) }

  /// Returns the state after the address of a record.
  @inline(__always)
  mutating func state(of record: borrowing Record) -> State { state(of: KeyTexts(of: record)) }

  /// Returns the state after the address in these texts.
  @inline(__always)
  mutating func state(of texts: KeyTexts) -> State {
    var state = State()
    var first = 0
    if canKeep(texts) {
      if !isKept(texts) { keep(texts) }
      state = keptState
      first = Self.keptParts
    }
    for index in first..<parts.count { Self.add(texts[parts[index]], index, to: &state) }
    return state
  }

  /// Returns whether there are enough parts to keep a state, and short enough texts to keep with
  /// it.
  @inline(__always)
  private func canKeep(_ texts: KeyTexts) -> Bool {
    guard parts.count >= Self.keptParts else { return false }
    var size = 0
    for index in 0..<Self.keptParts { size += texts[parts[index]].count }
    return size <= Self.maxKept
  }

  /// Returns whether the kept state is that of the first parts.
  @inline(__always)
  private func isKept(_ texts: KeyTexts) -> Bool {
    guard hasKept else { return false }
    var start = 0
    for index in 0..<Self.keptParts {
      let text = texts[parts[index]]
      let end = keptEnds[index]
      guard text.count == end - start, Vectors.areEqual(text, keptText.start + start) else {
        return false
      }
      start = end
    }
    return true
  }

  @inline(never)
  private mutating func keep(_ texts: KeyTexts) {
    keptText.removeAll()
    keptState = State()
    for index in 0..<Self.keptParts {
      let text = texts[parts[index]]
      keptText.append(text)
      keptEnds[index] = keptText.count
      Self.add(text, index, to: &keptState)
    }
    hasKept = true
  }

  @inline(__always)
  private static func add(_ text: UnsafeRawBufferPointer, _ index: Int, to state: inout State) {
    if index > 0 { state.add(0x1F) }
    Fold.forEachByte(of: text) { state.add($0) }
  }
}

/// The number of an address, and a second hash of the same bytes that nobody can foresee.
///
/// Anybody can make a text with the number of another address. The second hash tells them apart: it
/// is a polynomial of the bytes, seven at a time, modulo the prime 2⁶¹ − 1, at a point that each
/// process chooses by chance. Two texts of n bytes, however they were made, have the same second
/// hash with a probability of at most (n / 7 + 2) / 2⁶¹. It needs one multiplication for seven
/// bytes, which the number's own seven multiplications hide.
struct CheckedKey: KeyState {
  private static let prime: UInt64 = 1 << 61 - 1
  /// The point of this process.
  private static let processPoint = UInt64.random(in: 1 << 32..<prime)

  private var number = FNV1a()
  private var sum: UInt64 = 1
  private var word: UInt64 = 0
  private var count: UInt64 = 0
  private let point: UInt64

  init() { point = Self.processPoint }

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    number.add(byte)
    word = word << 8 | UInt64(byte)
    count += 1
    if count == 7 { fold() }
  }

  /// Takes the collected bytes into the sum.
  @inline(__always)
  private mutating func fold() {
    let (high, low) = (sum &+ word).multipliedFullWidth(by: point)
    // 2⁶¹ is 1 modulo the prime. The sum is below 2⁶² + 2⁶⁰, the point below 2⁶¹.
    let folded = (low & Self.prime) &+ (low >> 61 | high << 3)
    sum = (folded & Self.prime) &+ (folded >> 61)
    (word, count) = (0, 0)
  }

  /// The number of the address and the check, which is not 0.
  var values: (number: UInt64, check: UInt64) {
    var last = self
    last.word |= (count + 1) << 56
    last.fold()
    last.fold()
    let check = last.sum >= Self.prime ? last.sum - Self.prime : last.sum
    return (number.value, check | 1 << 63)
  }
}

/// Computes the numbers and checks of addresses from the columns of records.
package struct KeyChecker: ~Copyable {
  private var keys: KeyHash<CheckedKey>

  /// Makes a checker of a table's address. The table must have one.
  package init(_ table: Table) {
    let names = table.columns.map(\.name)
    keys = KeyHash((table.keyNumber?.parts ?? []).compactMap { names.firstIndex(of: $0) })
  }

  /// Returns the number and the check of a record's address.
  package mutating func values(of record: borrowing Record) -> (number: UInt64, check: UInt64) {
    keys.state(of: record).values
  }
}

/// The address of a record that is rejected: what else of it can be read.
extension RowBuilder {
  /// Returns the address of a record rejected for this flaw; nil if it is unknown.
  ///
  /// Only one flaw of a record is kept, so each part of the address is judged again.
  mutating func address(despite flaw: Flaw) -> UInt64? {
    guard plan.keyNumberColumn != nil, let field = flaw.field, !flaws.isRecordUnread else {
      return nil
    }
    for index in plan.keyFields {
      guard field != index, !slots[index].isUnreadable, isReadable(index) else { return nil }
    }
    return hashAddress()
  }

  /// Returns whether a part of the address has a value of its kind. An empty value is a part of an
  /// address unless the field is required.
  private func isReadable(_ index: Int) -> Bool {
    let reading = plan.readings[index]
    let text = record.text(reading.column)
    guard text.count > 0 else { return !reading.isRequired && reading.isReadAtOnce }
    switch reading.kind {
    case .text, .verbatim: return true
    case .integer: return DecimalText.isInteger(text)
    case .flag: return FlagText.isFlag(text)
    // Their columns are made only of records without a flaw.
    case .decimal, .day, .instant, .time, .period, .share, .hidden, .occurrence: return false
    }
  }
}
