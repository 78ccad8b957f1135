/// Finds which of an address's new periods are old ones on other days.
enum PeriodPairing {
  /// The most pairs that are compared one by one.
  static let limit = 10_000

  private struct Pair {
    var distance: Int
    var old: Int
    var new: Int
  }

  /// Pairs the nearest first and takes the paired ones out of `movable` and `fresh`, which hold
  /// places in `known` and `arrived`, in order of their days.
  ///
  /// Of pairs equally near the event with the lower year and number comes first, then the earlier
  /// period. Where there are more than ``limit`` pairs (100 old and 100 new periods at one address)
  /// both sides are paired in order of their days instead, so that the time stays linear.
  static func pairs(
    _ known: [KnownPeriod], _ movable: inout [Int], _ arrived: [ArrivedPeriod],
    _ fresh: inout [Int]
  ) -> [(old: Int, new: Int)] {
    let count = min(movable.count, fresh.count)
    guard count > 0 else { return [] }
    let (product, overflow) = movable.count.multipliedReportingOverflow(by: fresh.count)
    if overflow || product > limit {
      let pairs = (0..<count).map { (movable[$0], fresh[$0]) }
      movable.removeFirst(count)
      fresh.removeFirst(count)
      return pairs
    }
    var candidates: [Pair] = []
    candidates.reserveCapacity(product)
    for old in movable {
      for new in fresh {
        candidates.append(
          Pair(distance: known[old].days.distance(to: arrived[new].days), old: old, new: new))
      }
    }
    candidates.sort { a, b in
      if a.distance != b.distance { return a.distance < b.distance }
      let (x, y) = (known[a.old].identity, known[b.old].identity)
      if x.year != y.year { return x.year < y.year }
      if x.number != y.number { return x.number < y.number }
      return a.new < b.new
    }
    var (usedOld, usedNew): (Set<Int>, Set<Int>) = ([], [])
    var pairs: [(old: Int, new: Int)] = []
    for pair in candidates where !usedOld.contains(pair.old) && !usedNew.contains(pair.new) {
      usedOld.insert(pair.old)
      usedNew.insert(pair.new)
      pairs.append((pair.old, pair.new))
      if pairs.count == count { break }
    }
    movable.removeAll { usedOld.contains($0) }
    fresh.removeAll { usedNew.contains($0) }
    return pairs
  }
}
