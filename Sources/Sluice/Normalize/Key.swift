/// What is computed from the bytes of an address, one after the other.
protocol KeyState: BitwiseCopyable {
  init()
  mutating func add(_ byte: UInt8)
}

extension FNV1a: KeyState {}

/// Hashes addresses: the folded texts of some columns, joined by U+001F. The state is FNV-1a for an
/// address's number, or ``CheckedKey``.
///
///     Пушкин ␟ Садовая ␟ 3
///     └── kept state ─┘ └┘ hashed for each row
///
/// The state after the first columns is kept from row to row, because neighbours in a feed often
/// have the same town and street.
struct KeyHash<State: KeyState>: ~Copyable {
  /// Number of columns in the kept state.
  private static var keptColumns: Int { 2 }
  /// The most bytes of their texts that are kept.
  private static var maxKept: Int { 4096 }

  /// The columns to hash, in order.
  let columns: ContiguousArray<Int>
  private var keptText = ByteBuffer(capacity: 256)
  private var keptEnds: InlineArray<2, Int> = [0, 0]
  private var keptState = State()
  private var hasKept = false

  init(columns: [Int]) { self.columns = ContiguousArray(columns) }

  /// Returns the state after the record's address.
  @inline(__always)
  mutating func state(of record: borrowing Record) -> State {
    var state = State()
    var first = 0
    if canKeep(record) {
      if !isKept(record) { keep(record) }
      state = keptState
      first = Self.keptColumns
    }
    for index in first..<columns.count {
      Self.add(record, columns[index], index, to: &state)
    }
    return state
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
    keptState = State()
    for index in 0..<Self.keptColumns {
      keptText.append(record.text(columns[index]))
      keptEnds[index] = keptText.count
      Self.add(record, columns[index], index, to: &keptState)
    }
    hasKept = true
  }

  @inline(__always)
  private static func add(
    _ record: borrowing Record, _ column: Int, _ index: Int, to state: inout State
  ) {
    if index > 0 { state.add(0x1F) }
    Fold.forEachByte(of: record.text(column)) { state.add($0) }
  }
}

extension KeyHash<FNV1a> {
  /// Returns the number of the record's address.
  @inline(__always)
  mutating func hash(_ record: borrowing Record) -> UInt64 { state(of: record).value }
}

/// The number of an address, and a second hash of the same bytes that nobody can foresee.
///
/// Anybody can make a text with the number of another address. The second hash tells them apart: it is
/// a polynomial of the bytes, seven at a time, modulo the prime 2⁶¹ − 1, at a point that each process
/// chooses by chance. Two texts of n bytes, however they were made, have the same second hash with a
/// probability of at most (n / 7 + 2) / 2⁶¹. It needs one multiplication for seven bytes, which the
/// number's own seven multiplications hide.
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
    keys = KeyHash(columns: (table.keyNumber?.parts ?? []).compactMap { names.firstIndex(of: $0) })
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
    // No feed has them in its key.
    case .decimal, .day, .instant, .time, .period, .share, .hidden: return false
    }
  }
}
