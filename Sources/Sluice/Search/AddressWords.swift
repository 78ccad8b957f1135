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
  /// Short names, and what they stand for.
  let aliases: [(short: String, long: String)]
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
    aliases: [
      ("спб", "санкт петербург"), ("питер", "санкт петербург"), ("питере", "санкт петербург"),
      ("с петербург", "санкт петербург"), ("ст петербург", "санкт петербург"),
      ("петербурге", "петербург"), ("spb", "санкт петербург"), ("piter", "санкт петербург"),
      ("st petersburg", "санкт петербург"), ("saint petersburg", "санкт петербург"),
      ("sankt peterburg", "санкт петербург"), ("мск", "москва"),
    ],
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
    aliases: [],
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
  /// Short names and what they stand for, word by word.
  private(set) var aliases: [(short: [[UInt32]], long: [[UInt32]])] = []
  /// The words of the localities that have short names.
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
      aliases += language.aliases.map { alias in
        (
          alias.short.split(separator: " ").map(letters),
          alias.long.split(separator: " ").map(letters)
        )
      }
      localities.formUnion(aliases.flatMap(\.long))
      if let digits = language.postalDigits { postalDigits.insert(digits) }
    }
    endings.sort { $0.count > $1.count }
    aliases.sort { $0.short.count > $1.short.count }
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
