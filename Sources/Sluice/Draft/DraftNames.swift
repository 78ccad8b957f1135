/// Makes column names from keys: lowercase letters, digits and underscores. Each name is unique.
struct DraftNames {
  private static let cyrillic: [Unicode.Scalar: String] = [
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z",
    "и": "i", "й": "i", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r",
    "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh",
    "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "iu", "я": "ia", "і": "i", "ї": "i",
    "є": "e", "ґ": "g", "ў": "u", "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss",
  ]
  private static let longest = 48
  private var taken: Set<String> = []

  /// Returns a name for the column at a path. A column of periods needs two more names, which the
  /// document's reader makes of it.
  mutating func name(_ path: Path, isPeriod: Bool) -> String {
    let keys = path.steps.compactMap { step in
      if case .key(let key) = step { key } else { nil }
    }
    let last = keys.last.map(Self.ascii) ?? ""
    let all = keys.map(Self.ascii).filter { !$0.isEmpty }.joined(separator: "_")
    // The key of an object gives meaning to the keys inside it: address_city.
    var name = path.arrays == 0 && keys.count > 1 ? all : last
    if name.isEmpty || taken.contains(name) { name = all }
    if name.isEmpty { name = "column" }
    if name.first?.isNumber == true { name = "c_" + name }
    name = String(name.prefix(Self.longest))
    var (unique, number) = (name, 1)
    func needed() -> [String] {
      isPeriod ? [unique, "\(unique)_start", "\(unique)_end"] : [unique]
    }
    while !taken.isDisjoint(with: needed()) {
      number += 1
      unique = "\(name)_\(number)"
    }
    taken.formUnion(needed())
    return unique
  }

  /// Returns the key in ASCII. Letters of other scripts are transliterated if that is simple.
  static func ascii(_ key: String) -> String {
    var name = ""
    var wasSmall = false
    // Marks above and below letters have no sound.
    for scalar in key.unicodeScalars where !(0x300..<0x370).contains(scalar.value) {
      let lower = Character(scalar).lowercased()
      if scalar.isASCII, scalar.properties.isAlphabetic || "0"..."9" ~= scalar {
        // startDate: two words.
        if wasSmall, "A"..."Z" ~= scalar { name += "_" }
        name += lower
        wasSmall = "a"..."z" ~= scalar
        continue
      }
      wasSmall = false
      if let first = lower.unicodeScalars.first, let letters = cyrillic[first] {
        name += letters
      } else if !name.isEmpty, !name.hasSuffix("_") {
        name += "_"
      }
    }
    while name.hasSuffix("_") { name.removeLast() }
    return name
  }
}
