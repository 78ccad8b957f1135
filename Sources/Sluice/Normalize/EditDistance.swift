/// Counts the insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (the restricted Damerau-Levenshtein distance), in time proportional to the product of lengths.
public func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
