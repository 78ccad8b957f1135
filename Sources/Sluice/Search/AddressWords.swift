/// The words around the names in an address, as data of a language.
///
/// A word may have several meanings: "st" is a street or a saint.
struct AddressWords {
  /// Kinds of streets and of localities: each row has the spellings of one kind.
  let kinds: [[String]]
  /// Words before the number of a house, of a building of it, and before a letter.
  let house: [String]
  let building: [String]
  let letter: [String]
  /// Words before a number that is inside a house, such as a flat. The number is ignored.
  let inside: [String]
  /// Words for larger areas. The name beside such a word says no more than the locality does:
  /// "Приморский район".
  let areas: [String]
  /// Words without a meaning for a search.
  let fillers: [String]
  /// What follows a number that is part of a name: "1-я линия", "3rd Ave".
  let ordinals: [String]
  /// Endings of adjectives, which change in a sentence: "на Садовой" is "Садовая".
  let endings: [String]
  /// Ordinal numbers in words. The first row has the words for 1.
  let numbers: [[String]]
  /// Short endings of compounds, and what they stand for: "Hauptstr."
  let compounds: [(short: String, long: String)]
  /// Short names, and what they stand for.
  let aliases: [(short: String, long: String)]
  /// The words of names of cities that people add to an address though the feed may have no
  /// locality.
  let localities: [String]
  /// The number of digits of a postal code, which no house has; nil if houses may have as many.
  let postalDigits: Int?
}

extension AddressWords {
  /// The words of Russian addresses, also in Latin letters.
  static let russian = AddressWords(
    kinds: [
      [
        "ул", "улица", "улице", "улицы", "улицу", "улицей", "ul", "ulitsa", "ulica", "street",
        "str", "st",
      ],
      [
        "пр", "прт", "пркт", "просп", "проспект", "проспекте", "проспекта", "проспекту", "pr",
        "prt", "prkt",
        "prosp", "prospekt", "prospect", "ave", "avenue",
      ],
      ["пр", "прд", "проезд", "проезде", "proezd"],
      ["пер", "переулок", "переулке", "переулка", "переулку", "per", "pereulok", "lane"],
      [
        "наб", "набережная", "набережной", "набережную", "nab", "naberezhnaya", "embankment",
      ],
      ["пл", "площадь", "площади", "pl", "ploshchad", "ploschad", "square", "sq"],
      [
        "бул", "брр", "бр", "бульвар", "бульваре", "бульвара", "бульвару", "bulvar", "boulevard",
        "blvd",
      ],
      ["ш", "шос", "шоссе", "shosse", "highway", "hwy"],
      ["лин", "линия", "линии", "line"],
      ["ал", "аллея", "аллее", "allee", "alley"],
      ["дор", "дорога", "дороге", "doroga", "road", "rd"],
      ["туп", "тупик", "тупике", "tupik"],
      ["г", "гор", "город", "городе", "gorod", "city", "town"],
      ["пос", "п", "поселок", "поселке", "пгт", "posyolok", "village"],
      ["дер", "деревня", "деревне", "село", "с"],
      ["мкр", "мкрн", "микрорайон"],
      ["р", "река", "реки", "river"], ["о", "остров", "острова", "island"],
    ],
    house: ["д", "дом", "дома", "доме", "вл", "владение", "d", "dom", "house"],
    building: [
      "к", "кор", "корп", "корпус", "корпуса", "корпусе", "стр", "строение", "строения", "k",
      "kor", "korp", "korpus", "str", "stroenie", "building", "bldg",
    ],
    letter: ["л", "лит", "литер", "литера", "литеры", "буква", "lit", "liter", "litera", "letter"],
    inside: [
      "кв", "квартира", "квартиры", "оф", "офис", "пом", "помещение", "комн", "комната", "под",
      "подъезд", "парадная", "эт", "этаж", "kv", "kvartira", "apt", "flat", "office",
    ],
    areas: [
      "рн", "район", "районе", "района", "обл", "область", "области", "край", "округ", "raion",
      "rayon", "oblast", "district",
    ],
    fillers: ["на", "в", "во", "по", "у", "и", "имени", "им", "россия", "рф", "russia", "номер"],
    ordinals: ["я", "й", "ая", "ый", "ой", "ий", "го", "е", "ое", "ье", "ya", "y"],
    endings: [
      "ая", "ую", "ой", "ою", "ий", "ый", "ого", "его", "ому", "ему", "ым", "им", "ом", "ем",
      "ое", "ее", "ые", "ие", "ых", "их",
    ],
    numbers: [
      ["первая", "первой", "первую", "первый", "первого", "первом"],
      ["вторая", "второй", "вторую", "второго", "втором"],
      ["третья", "третьей", "третью", "третий", "третьего", "третьем"],
      ["четвертая", "четвертой", "четвертую", "четвертый", "четвертого", "четвертом"],
      ["пятая", "пятой", "пятую", "пятый", "пятого", "пятом"],
      ["шестая", "шестой", "шестую", "шестого", "шестом"],
      ["седьмая", "седьмой", "седьмую", "седьмого", "седьмом"],
      ["восьмая", "восьмой", "восьмую", "восьмого", "восьмом"],
      ["девятая", "девятой", "девятую", "девятый", "девятого", "девятом"],
      ["десятая", "десятой", "десятую", "десятый", "десятого", "десятом"],
    ],
    compounds: [],
    aliases: [
      ("во", "васильевского острова"), ("в о", "васильевского острова"),
      ("пс", "петроградской стороны"), ("п с", "петроградской стороны"),
      ("спб", "санкт петербург"), ("питер", "санкт петербург"), ("питере", "санкт петербург"),
      ("с петербург", "санкт петербург"), ("с пб", "санкт петербург"),
      ("ст петербург", "санкт петербург"),
      ("петербурге", "петербург"), ("spb", "санкт петербург"), ("piter", "санкт петербург"),
      ("st petersburg", "санкт петербург"), ("saint petersburg", "санкт петербург"),
      ("sankt peterburg", "санкт петербург"), ("мск", "москва"),
    ],
    localities: ["санкт", "петербург", "москва"],
    postalDigits: 6)

  /// The words of English addresses, and of a few other languages in Latin letters.
  static let english = AddressWords(
    kinds: [
      ["st", "str", "street", "strasse", "straat"], ["st", "saint", "ste", "sankt"],
      ["ave", "av", "avenue"], ["rd", "road"], ["ln", "lane"], ["dr", "drive"],
      ["blvd", "boulevard"], ["sq", "square"], ["pl", "place", "platz"], ["ct", "court"],
      ["hwy", "highway"], ["ter", "terrace"], ["crescent", "cres"], ["way", "weg"],
      ["gasse", "alley"], ["rue"], ["mount", "mt"], ["park", "pk"],
      ["stn", "station", "bahnhof", "gare"], ["city", "town", "village"],
    ],
    house: ["house", "no", "nr", "number"],
    building: ["building", "bldg", "block", "blk"],
    letter: ["letter"],
    inside: ["apt", "apartment", "flat", "unit", "suite", "ste", "floor", "fl", "room", "rm"],
    areas: ["district", "county", "region"],
    fillers: ["the", "of", "at", "in", "on", "and", "und", "et", "de", "la"],
    ordinals: ["st", "nd", "rd", "th"],
    endings: [],
    numbers: [
      ["first"], ["second"], ["third"], ["fourth"], ["fifth"], ["sixth"], ["seventh"], ["eighth"],
      ["ninth"], ["tenth"], ["eleventh"], ["twelfth"],
    ],
    compounds: [("str", "strasse")],
    aliases: [("hbf", "hauptbahnhof"), ("jr", "junior"), ("sr", "senior")],
    localities: [],
    postalDigits: nil)
}

/// The words of all languages, ready for look-up. A feed's data and its readers' language may
/// differ, so all languages are always known.
struct AddressVocabulary {
  /// What a word may mean.
  struct Meaning: OptionSet {
    let rawValue: Int
    static let house = Meaning(rawValue: 1)
    static let building = Meaning(rawValue: 2)
    static let letter = Meaning(rawValue: 4)
    static let inside = Meaning(rawValue: 8)
    static let filler = Meaning(rawValue: 16)
    static let ordinal = Meaning(rawValue: 32)
    static let kind = Meaning(rawValue: 64)
    static let area = Meaning(rawValue: 128)
  }

  /// The vocabulary of all languages.
  static let all = AddressVocabulary([.russian, .english])

  private var meanings: [[UInt32]: Meaning] = [:]
  private var kindsOf: [[UInt32]: Set<Int>] = [:]
  /// The endings, the longest first.
  private var endings: [[UInt32]] = []
  /// A short name and what it stands for, word by word.
  typealias Alias = (short: [[UInt32]], long: [[UInt32]])
  /// The short names by their first word, the longest first.
  private var aliases: [[UInt32]: [Alias]] = [:]
  /// The numbers in words, and the ending that makes digits such a number.
  private var numbers: [[UInt32]: (digits: [UInt32], ending: [UInt32])] = [:]
  private var compounds: [(short: [UInt32], long: [UInt32])] = []
  /// The words of the cities that people name though a place may not tell its locality.
  private(set) var localities: Set<[UInt32]> = []
  /// The numbers of digits that postal codes have.
  private(set) var postalDigits: Set<Int> = []

  private init(_ languages: [AddressWords]) {
    func letters(_ word: some StringProtocol) -> [UInt32] { word.unicodeScalars.map(\.value) }
    var firstKind = 0
    for language in languages {
      for (words, meaning) in [
        (language.house, Meaning.house), (language.building, .building),
        (language.letter, .letter), (language.inside, .inside), (language.fillers, .filler),
        (language.ordinals, .ordinal), (language.areas, .area),
      ] {
        for word in words { meanings[letters(word), default: []].insert(meaning) }
      }
      for (index, words) in language.kinds.enumerated() {
        for word in words {
          meanings[letters(word), default: []].insert(.kind)
          kindsOf[letters(word), default: []].insert(firstKind + index)
        }
      }
      firstKind += language.kinds.count
      endings += language.endings.map { letters($0) }
      for (short, long) in language.aliases {
        let words = short.split(separator: " ").map(letters)
        let name = long.split(separator: " ").map(letters)
        aliases[words[0], default: []].append((words, name))
      }
      for (index, words) in language.numbers.enumerated() {
        for word in words {
          numbers[letters(word)] = (letters("\(index + 1)"), letters(language.ordinals[0]))
        }
      }
      compounds += language.compounds.map { (letters($0.short), letters($0.long)) }
      localities.formUnion(language.localities.map(letters))
      if let digits = language.postalDigits { postalDigits.insert(digits) }
    }
    endings.sort { $0.count > $1.count }
    for first in aliases.keys { aliases[first]?.sort { $0.short.count > $1.short.count } }
  }

  /// The short name that begins at a token; nil if there is none.
  func alias(at index: Int, of tokens: [AddressToken]) -> Alias? {
    guard let all = aliases[tokens[index].letters] else { return nil }
    let alias = all.first { alias in
      tokens.count - index >= alias.short.count
        && zip(tokens[index...], alias.short).allSatisfy { $0.letters == $1 && !$0.isNumber }
    }
    guard let alias else { return nil }
    // "во Всеволожске" is no short name.
    let next = index + alias.short.count
    if alias.short.count == 1, meaning(of: alias.short[0]).contains(.filler), next < tokens.count,
      !tokens[next].isNumber, tokens[next].joint != .comma
    {
      return nil
    }
    return alias
  }

  /// The number that a word names: "пятая", "fifth".
  func number(of token: AddressToken) -> (digits: [UInt32], ending: [UInt32])? {
    token.isNumber ? nil : numbers[token.letters]
  }

  /// The word with its ending written out; nil if it has no short one.
  func compound(_ letters: [UInt32]) -> [UInt32]? {
    for (short, long) in compounds
    where letters.count >= short.count + 3
      && letters[(letters.count - short.count)...].elementsEqual(short)
    {
      return letters.dropLast(short.count) + long
    }
    return nil
  }

  /// What a word may mean, also if some of its letters only look right.
  func meaning(of letters: [UInt32]) -> Meaning {
    if let meaning = meanings[letters] { return meaning }
    guard letters.contains(where: Spelling.isLatin), let other = Spelling.lookAlike(letters) else {
      return []
    }
    return meanings[other] ?? []
  }

  /// The kinds of streets that a word names.
  func kinds(of letters: [UInt32]) -> Set<Int> {
    if let kinds = kindsOf[letters] { return kinds }
    guard letters.contains(where: Spelling.isLatin), let other = Spelling.lookAlike(letters) else {
      return []
    }
    return kindsOf[other] ?? []
  }

  /// Returns the word without the ending of an adjective, or nil if it has none.
  func stem(_ letters: [UInt32]) -> ArraySlice<UInt32>? {
    for ending in endings where letters.count >= ending.count + 3 {
      if letters[(letters.count - ending.count)...].elementsEqual(ending) {
        return letters.dropLast(ending.count)
      }
    }
    return nil
  }
}
