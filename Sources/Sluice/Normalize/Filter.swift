/// A condition of the user on a column: `--where street=Наличная`.
public struct Condition: Sendable, Equatable {
  /// The column's name.
  public var column: String
  /// The value, compared like an address. An empty value matches a missing one.
  public var value: String

  /// Makes a condition.
  public init(column: String, value: String) {
    self.column = column
    self.value = value
  }
}

/// Looks at the records that a filter left out, before their flaws are judged. Only the columns for
/// filtering have their texts.
protocol LeftOutObserver: AnyObject {
  /// Looks at a record that did not match.
  func see(_ record: borrowing Record)
}

/// Matches the records that have a wanted value in each column with a condition.
///
///     --where street=Садовая --where house=1 --where house=3
///
///     Садовая 3    matches
///     Садовая 5    differs in one column: 5 is a near value for the hint
///     Невский 5    differs in both
///
/// Latin letters match the Cyrillic ones that look like them: `15A` is `15А` on both keyboards.
package struct Filter: ~Copyable {
  /// The conditions on one column.
  private struct Wish {
    var column: Int
    /// The wanted values, folded.
    var keys: [ContiguousArray<UInt8>]
    /// The text compared last, and the verdict on it. Neighbours often have the same text.
    var lastText: ContiguousArray<UInt8>?
    var lastVerdict = false
    var hasMatched = false
    /// The nearest values of the records that matched all other conditions, and of all records.
    var near: NearestValues
    var far: NearestValues
  }

  private var wishes: [Wish] = []
  /// Sees the records that do not match, until one does.
  private let observer: (any LeftOutObserver)?
  /// Whether a record has matched all conditions.
  private var hasMatched = false

  /// Makes a filter; conditions on columns outside of ``Table/filterColumns`` are ignored, the
  /// caller rejects them. The conditions of a place must hold beside all others.
  package init(_ conditions: [Condition], place: [Condition] = [], _ table: Table) {
    self.init(conditions, place: place, table, observer: nil)
  }

  /// Makes a filter whose observer sees the records that do not match. Without any condition no
  /// record matches, and it sees all.
  init(
    _ conditions: [Condition], place: [Condition], _ table: Table,
    observer: (any LeftOutObserver)?
  ) {
    self.observer = observer
    let columns = table.columns.map(\.name)
    let names = table.filterColumns
    func wish(_ condition: Condition) -> Wish? {
      guard names.contains(condition.column),
        let column = columns.firstIndex(of: condition.column)
      else { return nil }
      let nearest = NearestValues(to: Fold.key(condition.value))
      return Wish(
        column: column, keys: [Fold.lookAlikeKey(of: condition.value)], near: nearest,
        far: nearest)
    }
    for wish in conditions.compactMap(wish) {
      if let index = wishes.firstIndex(where: { $0.column == wish.column }) {
        wishes[index].keys += wish.keys
      } else {
        wishes.append(wish)
      }
    }
    wishes += place.compactMap(wish)
  }

  /// Whether all records match.
  package var isEmpty: Bool { wishes.isEmpty && observer == nil }

  /// Returns whether there is a condition on this column.
  func concerns(_ column: Int) -> Bool { wishes.contains { $0.column == column } }

  /// Returns whether the record matches all conditions.
  package mutating func matches(_ record: borrowing Record) -> Bool {
    var failed = 0
    var failure = 0
    for index in wishes.indices where !judge(record.text(wishes[index].column), index) {
      failed += 1
      failure = index
    }
    if failed == 0, !wishes.isEmpty {
      hasMatched = true
      return true
    }
    if !hasMatched {
      observer?.see(record)
      if failed == 1 { wishes[failure].near.consider(record.text(wishes[failure].column)) }
      for index in wishes.indices where !wishes[index].hasMatched {
        wishes[index].far.consider(record.text(wishes[index].column))
      }
    }
    return false
  }

  /// The column to blame if no record matched, and its values nearest to the wanted one; nil if a
  /// record matched.
  ///
  /// Values of records that match all other conditions are preferred. If several columns qualify,
  /// the last is taken. It is narrower, because people write the street before the house.
  package var blame: (column: Int, nearest: [String])? {
    guard !hasMatched else { return nil }
    let unmatched = wishes.first { !$0.hasMatched }
    let wish = unmatched ?? wishes.last { !$0.near.texts.isEmpty } ?? wishes.last
    return wish.map { ($0.column, $0.near.texts.isEmpty ? $0.far.texts : $0.near.texts) }
  }

  private mutating func judge(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    // Folding makes a text at most three times shorter. A text that is longer still cannot match
    // and is not copied.
    guard wishes[index].keys.contains(where: { 3 * $0.count >= text.count }) else { return false }
    if let last = wishes[index].lastText, last.elementsEqual(text) {
      return wishes[index].lastVerdict
    }
    let key = Fold.lookAlikeKey(ofTidy: text)
    let verdict = wishes[index].keys.contains(key)
    wishes[index].lastText = ContiguousArray(text)
    wishes[index].lastVerdict = verdict
    if verdict { wishes[index].hasMatched = true }
    return verdict
  }
}
