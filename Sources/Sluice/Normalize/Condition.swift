extension Condition {
  /// Makes a condition as people type it: a value with stars is a pattern.
  package init(typed value: String, is isEqual: Bool, of column: String) {
    if value.contains("*"), Pattern.hasPlace(value) {
      self.init(column: column, isEqual ? .like : .notLike, value: value)
    } else {
      self.init(
        column: column, isEqual ? .equal : .notEqual,
        value: value.putting("*", for: Pattern.star))
    }
  }
}

extension Condition.Comparison {
  /// Whether a value matches, if it is before (-1), the same as (0) or after (1) the wanted one.
  fileprivate func allows(_ order: Int) -> Bool {
    switch self {
    case .equal, .like: order == 0
    case .notEqual, .notLike: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// Whether it is about what comes before and after.
  package var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .notEqual, .like, .notLike: false
    }
  }

  /// Whether one of several such conditions on a column is enough. All others must hold.
  var isAlternative: Bool { self == .equal || self == .like }
}

/// A text in which some places may have any text.
///
///     Красн*         Краснопутиловская, Красная
///     *остров*       Васильевский остров
///     5\*            5*
struct Pattern {
  /// A star that is a star.
  static let star = "\\*"
  /// What stands for a place while the text around it is folded.
  private static let mark: UInt8 = 1

  /// The texts between the places, folded.
  private let parts: [ArraySlice<UInt8>]

  init(_ text: String) {
    let marked = Self.marked(text)
    let key = Array(Fold.lookAlikeKey(of: String(decoding: marked, as: UTF8.self)))
    parts = key.split(separator: Self.mark, omittingEmptySubsequences: false)
  }

  /// Whether a text has a place for any text.
  static func hasPlace(_ text: String) -> Bool { marked(text).contains(mark) }

  private static func marked(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte != UInt8(ascii: "*") {
        bytes.append(byte)
      } else if bytes.last == UInt8(ascii: "\\") {
        bytes[bytes.count - 1] = byte
      } else {
        bytes.append(mark)
      }
    }
    return bytes
  }

  /// Returns whether a folded text has this form.
  func matches(_ key: ContiguousArray<UInt8>) -> Bool {
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return false }
    guard first.count + last.count <= key.count, key.starts(with: first),
      key.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = key[first.count..<key.count - last.count]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let end = Self.end(of: part, in: rest) else { return false }
      rest = rest[end...]
    }
    return true
  }

  private static func end(
    of part: ArraySlice<UInt8>, in text: ArraySlice<UInt8>
  ) -> Int? {
    guard part.count <= text.count else { return nil }
    for start in text.startIndex...(text.endIndex - part.count)
    where text[start..<start + part.count].elementsEqual(part) {
      return start + part.count
    }
    return nil
  }
}

/// A condition that is not plain equality of texts.
struct ValueRule {
  private enum Wanted {
    case number(SignedDecimal)
    case day(Day)
    case instant(Int)
    /// Seconds after midnight.
    case time(Int)
    case text(ContiguousArray<UInt8>)
    /// The key of a text by which it is sorted.
    case sorted([UInt8])
    case pattern(Pattern)
    /// The column cannot have such a value.
    case impossible
  }

  let comparison: Condition.Comparison
  private let wanted: Wanted

  /// Makes the rule of a condition on a column of this kind.
  init(_ condition: Condition, of kind: ColumnKind) {
    comparison = condition.comparison
    switch comparison {
    case .like, .notLike: wanted = .pattern(Pattern(condition.value))
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      wanted = Self.wanted(condition.value, of: kind, isSorted: comparison.isOrder)
    }
  }

  /// Returns whether a column of this kind can be compared with a text.
  static func canCompare(_ text: String, with kind: ColumnKind) -> Bool {
    if case .impossible = wanted(text, of: kind, isSorted: false) { false } else { true }
  }

  private static func wanted(_ text: String, of kind: ColumnKind, isSorted: Bool) -> Wanted {
    guard !text.isEmpty else { return .text([]) }
    switch kind {
    case .decimal, .integer:
      let bytes = Array(text.putting(".", for: ",").utf8)
      return bytes.withUnsafeBytes { bytes in
        guard DecimalText.isNumber(bytes) else { return .impossible }
        do throws(ExactDecimal.Fault) {
          return .number(try SignedDecimal(bytes))
        } catch {
          return .impossible
        }
      }
    case .day: return Day(iso: text).map { .day($0) } ?? .impossible
    case .instant:
      if let day = Day(iso: text) { return .day(day) }
      return InstantText.seconds(typed: text, in: .utc).map { .instant($0) } ?? .impossible
    case .time: return TimeOfDay.seconds(typed: text).map { .time($0) } ?? .impossible
    case .text, .verbatim, .flag, .keyNumber:
      guard isSorted else { return .text(Fold.lookAlikeKey(of: text)) }
      return .sorted(Array(text.utf8).withUnsafeBytes { sortKey($0) })
    }
  }

  private static func sortKey(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var key = SortKey()
    var bytes = ByteBuffer(capacity: 64)
    key.append(text, .text, isDescending: false, to: &bytes)
    return Array(bytes.contents)
  }

  /// Returns whether a column's text matches.
  func holds(_ text: UnsafeRawBufferPointer) -> Bool {
    switch wanted {
    case .pattern(let pattern):
      return pattern.matches(Fold.lookAlikeKey(ofTidy: text)) == (comparison == .like)
    case .text(let key):
      return Fold.isLookAlike(text, equalTo: key) == (comparison == .equal)
    case .sorted(let key):
      return compare(text.isEmpty ? nil : Self.sortKey(text)) { found in
        found == key ? 0 : found.lexicographicallyPrecedes(key) ? -1 : 1
      }
    case .number(let number):
      return compare(Self.number(text)) {
        $0.isLess(than: number) ? -1 : number.isLess(than: $0) ? 1 : 0
      }
    case .day(let day):
      return compare(FixedTime.day(text)) { $0 < day ? -1 : $0 > day ? 1 : 0 }
    case .instant(let seconds):
      return compare(text.isEmpty ? nil : InstantText.seconds(text)) { ($0 - seconds).signum() }
    case .time(let seconds):
      return compare(TimeOfDay.seconds(text)) { ($0 - seconds).signum() }
    case .impossible: return comparison == .notEqual
    }
  }

  /// Compares a value. A missing one differs from all values, and is neither before nor after them.
  private func compare<Value>(_ value: Value?, _ order: (Value) -> Int) -> Bool {
    guard let value else { return comparison == .notEqual }
    return comparison.allows(order(value))
  }

  private static func number(_ text: UnsafeRawBufferPointer) -> SignedDecimal? {
    do throws(ExactDecimal.Fault) {
      return try SignedDecimal(text)
    } catch {
      return nil
    }
  }
}

extension Condition {
  /// Returns whether the column of a table can be compared with the value.
  package func isPossible(in table: Table) -> Bool {
    guard comparison != .like, comparison != .notLike,
      let column = table.columns.first(where: { $0.name == column })
    else { return true }
    return ValueRule.canCompare(value, with: column.kind)
  }
}
