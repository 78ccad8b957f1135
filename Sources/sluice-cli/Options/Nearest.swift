/// Finds the candidate that was most probably meant by `word`; nil where none is near.
///
/// Near is: begins with the word (three characters or more), or lies within one edit for every
/// three characters. Upper and lower case count as the same. Of equals the first wins.
func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
  let word = Array(word.lowercased())
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let other = Array(candidate.lowercased())
    let isBeginning = word.count >= 3 && other.starts(with: word)
    let distance = isBeginning ? 1 : editDistance(word, other)
    guard distance <= max(1, max(word.count, other.count) / 3), distance < max(word.count, 1)
    else { continue }
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.candidate
}

/// Counts the insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (the restricted Damerau-Levenshtein distance), in time proportional to the product of lengths.
func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
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
