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
///
/// Of the values and patterns that a column may have one must match. All other conditions must
/// hold: what it must not have, and the limits of its value.
package struct Filter: ~Copyable {
  /// The conditions on one column.
  fileprivate struct Wish {
    var column: Int
    /// The column whose value counts where this one is missing; nil if there is none.
    var otherwise: Int?
    /// The wanted values, folded.
    var keys: [ContiguousArray<UInt8>]
    /// Other rules of which one is enough, and those that must all hold.
    var alternatives: [ValueRule] = []
    var limits: [ValueRule] = []
    /// Whether it wants some values and nothing else.
    var isPlain: Bool { alternatives.isEmpty && limits.isEmpty }
    let kept = Box(KeptByText<Bool>())
    /// No longer text has a wanted value: folding makes one at most three times shorter.
    var longest = Int.max
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

  /// The columns whose conditions a filter judges.
  enum Phase {
    /// Those that are read at once, before a record is judged.
    case early
    /// Those that are made of a record that matches so far: days, times and decimals.
    case late
    case all
  }

  /// Makes a filter; conditions on columns outside of ``Table/conditionColumns`` are ignored, the
  /// caller rejects them. The conditions of a place must hold beside all others.
  package init(_ conditions: [Condition], place: [Condition] = [], _ table: Table) {
    self.init(conditions, place: place, table, observer: nil)
  }

  /// Makes a filter whose observer sees the records that do not match. Without any condition no
  /// record matches, and it sees all.
  init(
    _ conditions: [Condition], place: [Condition], _ table: Table,
    observer: (any LeftOutObserver)?, phase: Phase = .all
  ) {
    self.observer = observer
    guard !conditions.isEmpty || !place.isEmpty else { return }
    let columns = table.columns
    let early = table.filterColumns
    let names = phase == .early ? early : table.conditionColumns
    func wish(_ condition: Condition) -> Wish? {
      let isEarly = early.contains(condition.column)
      guard names.contains(condition.column), phase != .late || !isEarly,
        let column = columns.firstIndex(where: { $0.name == condition.column })
      else { return nil }
      let nearest = NearestValues(to: Fold.key(condition.value))
      let otherwise = condition.otherwise.flatMap { name in
        columns.firstIndex { $0.name == name && name != condition.column }
      }
      var wish = Wish(
        column: column, otherwise: otherwise, keys: [], near: nearest, far: nearest)
      let comparison = condition.comparison
      if comparison == .equal, isEarly {
        wish.keys = [Fold.lookAlikeKey(of: condition.value)]
      } else {
        let rule = ValueRule(condition, of: columns[column].kind)
        if comparison.isAlternative { wish.alternatives = [rule] } else { wish.limits = [rule] }
      }
      return wish
    }
    for wish in conditions.compactMap(wish) {
      if let index = wishes.firstIndex(where: {
        $0.column == wish.column && $0.otherwise == wish.otherwise
      }) {
        wishes[index].keys += wish.keys
        wishes[index].alternatives += wish.alternatives
        wishes[index].limits += wish.limits
      } else {
        wishes.append(wish)
      }
    }
    wishes += place.compactMap(wish)
    for index in wishes.indices where wishes[index].isPlain {
      wishes[index].longest = 3 * (wishes[index].keys.map(\.count).max() ?? 0)
    }
  }

  /// Makes a filter for the columns of one phase.
  init(_ conditions: [Condition], _ table: Table, phase: Phase) {
    self.init(conditions, place: [], table, observer: nil, phase: phase)
  }

  /// Whether all records match.
  package var isEmpty: Bool { wishes.isEmpty && observer == nil }

  /// The columns that it looks at.
  var columns: [Int] { wishes.flatMap { [$0.column] + ($0.otherwise.map { [$0] } ?? []) } }

  /// Returns whether there is a condition on this column.
  func concerns(_ column: Int) -> Bool { wishes.contains { $0.column == column } }

  /// Returns whether the record matches all conditions.
  package mutating func matches(_ record: borrowing Record) -> Bool {
    var failed = 0
    var failure = 0
    for index in wishes.indices where !judge(text(of: index, record), index) {
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

  private func text(of wish: Int, _ record: borrowing Record) -> UnsafeRawBufferPointer {
    let text = record.text(wishes[wish].column)
    guard text.count == 0, let otherwise = wishes[wish].otherwise else { return text }
    return record.text(otherwise)
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
    guard text.count <= wishes[index].longest else { return false }
    let kept = wishes[index].kept.value
    if let verdict = kept.pointee.find(text) { return verdict }
    let verdict = wishes[index].allows(text)
    kept.pointee.keep(verdict, of: text)
    if verdict { wishes[index].hasMatched = true }
    return verdict
  }
}

extension Filter.Wish {
  /// Returns whether a text has one of the wanted values, and is within all limits. It changes
  /// nothing, but otherwise the compiler would copy the wish to call it.
  fileprivate mutating func allows(_ text: UnsafeRawBufferPointer) -> Bool {
    guard limits.allSatisfy({ $0.holds(text) }) else { return false }
    if keys.isEmpty, alternatives.isEmpty { return true }
    if alternatives.contains(where: { $0.holds(text) }) { return true }
    guard keys.count > 1 else {
      return keys.first.map { Fold.isLookAlike(text, equalTo: $0) } ?? false
    }
    return keys.contains(Fold.lookAlikeKey(ofTidy: text))
  }
}
