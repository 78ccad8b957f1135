/// The data of the search as JSON, for a search in another language: that of a site's page.
///
/// Whatever is a word, a letter or a number of the search is here. Only the steps are written
/// twice.
enum SearchWords {
  /// Returns the tables: one object.
  static func json() -> [UInt8] {
    var tables = JSONObject()
    tables.openList("languages")
    for language in [AddressWords.russian, .english] {
      tables.openItem()
      add(language, to: &tables)
      tables.close()
    }
    tables.closeList()
    addSpelling(to: &tables)
    addCosts(to: &tables)
    addLimits(to: &tables)
    let text = tables.finish()
    return Array(text.contents)
  }

  private static func add(_ language: AddressWords, to tables: inout JSONObject) {
    // Words that belong together stand in one text: no word has a space.
    tables.add("kinds", language.kinds.map { $0.joined(separator: " ") })
    for (name, words) in [
      ("house", language.house), ("building", language.building), ("letter", language.letter),
      ("inside", language.inside), ("areas", language.areas), ("fillers", language.fillers),
      ("ordinals", language.ordinals), ("endings", language.endings),
    ] {
      tables.add(name, words)
    }
    tables.add("numbers", language.numbers.map { $0.joined(separator: " ") })
    tables.add("compoundEnds", language.compounds.map(\.short))
    tables.add("compounds", language.compounds.map(\.long))
    tables.add("localities", language.localities)
    tables.add("short", language.aliases.map(\.short))
    tables.add("long", language.aliases.map(\.long))
    if let digits = language.postalDigits { tables.add("postalDigits", digits) }
  }

  private static func addSpelling(to tables: inout JSONObject) {
    tables.open("accents")
    for row in Spelling.accents { tables.add(row.base, row.letters) }
    tables.close()
    tables.add("lookAlikes", [Fold.lookAlikes.latin, Fold.lookAlikes.cyrillic])
    tables.add("keys", [Spelling.latinKeys, Spelling.cyrillicKeys])
    tables.add("digraphs", Spelling.digraphTexts)
    tables.add("latinSounds", Spelling.sounds.map(\.latin))
    tables.add("sounds", Spelling.sounds.map(\.sound))
    tables.open("mergedLetters")
    for row in Spelling.mergedLetters { tables.add(String(row.letter), row.sound) }
    tables.close()
    tables.open("mergedSounds")
    for row in Spelling.mergedSounds {
      tables.add("\(row.first)\(row.second)", String(row.sound))
    }
    tables.close()
  }

  private static func addCosts(to tables: inout JSONObject) {
    typealias Penalty = NameMatcher.Penalty
    typealias Cost = AddressParser.Group.Cost
    tables.open("costs")
    for (name, cost) in [
      ("lookAlike", Penalty.lookAlike), ("inflection", Penalty.inflection),
      ("joined", Penalty.joined), ("otherKind", Penalty.otherKind),
      ("abbreviation", Penalty.abbreviation), ("digraph", Penalty.digraph),
      ("initial", Penalty.initial), ("transliteration", Penalty.transliteration),
      ("unknownLocality", Penalty.unknownLocality), ("beginning", Penalty.beginning),
      ("shortBeginning", Penalty.shortBeginning), ("typo", Penalty.typo),
      ("split", Cost.split), ("bare", Cost.bare), ("sound", Cost.sound), ("flat", Cost.flat),
      ("layout", AddressQuery.layoutCost),
    ] {
      tables.add(name, cost)
    }
    tables.close()
  }

  private static func addLimits(to tables: inout JSONObject) {
    tables.open("limits")
    for (name, limit) in [
      ("text", AddressToken.longestText), ("tokens", AddressToken.most),
      ("letters", AddressToken.longest), ("words", PlaceName.most), ("near", Finder.mostNear),
      ("joined", NameMatcher.mostJoined), ("code", NameMatcher.mostOfCode),
      ("shortCode", NameMatcher.leastOfCode),
      ("oneError", Spelling.oneError), ("twoErrors", Spelling.twoErrors),
    ] {
      tables.add(name, limit)
    }
    tables.close()
  }
}
