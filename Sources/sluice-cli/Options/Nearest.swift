import Sluice

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
