import Sluice

// Texts that the command line shares with the texts of faults.

extension Text {
  /// Foreign text, made safe to show, in the quotation marks of the language.
  static func quoted(_ text: String, limit: Int = 80) -> Text {
    let safe = escaped(text, limit: limit)
    return Text(en: "\"\(safe)\"", ru: "«\(safe)»")
  }

  /// The path of a file or a URL, quoted, with more room than other texts.
  static func path(_ path: String) -> Text { quoted(path, limit: 240) }

  /// Foreign text, made safe to show, without quotes.
  static func shown(_ text: String) -> Text { .verbatim(escaped(text)) }

  /// A place in a file, as errors begin with it.
  static func place(_ file: String, _ place: TextPlace) -> Text {
    .verbatim("\(escaped(file, limit: 240)):\(place.line):\(place.column): ")
  }

  /// Suggests the name that was probably meant.
  static func didYouMean(_ name: String) -> Text {
    Text(en: "; did you mean \(name)?", ru: "; возможно, имелось в виду \(name)?")
  }

  /// Suggests one of a few names, or lists them all.
  static func oneOf(_ names: [String], meant word: String) -> Text {
    guard !names.isEmpty else { return .removeIt }
    if let name = nearest(to: word, in: names) { return .didYouMean(name) }
    let list = names.joined(separator: ", ")
    return Text(en: "; choose from: \(list)", ru: "; есть: \(list)")
  }

  /// The remedy if there is nothing to choose from.
  static let removeIt = Text(en: "; remove it", ru: "; уберите его")
}

/// Finds the candidate that was most probably meant by `word`; nil if none is near.
///
/// A candidate is near if it begins with the word (three characters or more), or is at most one
/// edit for every three characters away. Case does not matter. Of equals the first wins.
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
