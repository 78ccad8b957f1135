import Testing

@testable import Sluice

/// What people type is read as words and a house.
@Suite struct AddressQueryTests {
  /// The readings of a text: the words, and the houses as `house/building/letter`.
  private func readings(_ text: String, hasHouses: Bool = true) -> [String] {
    func shown(_ letters: [UInt32]?) -> String {
      String(String.UnicodeScalarView((letters ?? []).compactMap(Unicode.Scalar.init)))
    }
    return AddressQuery(text, hasHouses: hasHouses).readings.map { reading in
      let words = reading.words.map { shown($0.letters) }.joined(separator: " ")
      let houses = reading.houses.map { house in
        let number = house.number
        return [number.house, number.building, number.letter].map(shown).joined(separator: "|")
      }
      return ([words] + houses).joined(separator: "; ")
    }
  }

  @Test(arguments: [
    ("Садовая 14", "садовая; 14||"), ("ул. Садовая, д. 14", "садовая; 14||"),
    ("Садовая 14А", "садовая; 14||а"), ("Садовая 14 лит. А", "садовая; 14||а"),
    ("Садовая 14 литера А", "садовая; 14||а"), ("Садовая 14литА", "садовая; 14||а"),
    ("Садовая 14к2", "садовая; 14|2|"), ("Садовая 14 корп. 2 лит Б", "садовая; 14|2|б"),
    ("Садовая 14/2", "садовая; 14/2||; 14|2|"),
    ("Садовая 178-180/1", "садовая; 178-180/1||; 178-180|1|"),
    ("Садовая 14-23", "садовая; 14-23||; 14|23|; 14||"),
    ("Садовая 14 кв. 23", "садовая; 14||"), ("Садовая 0047", "садовая; 47||"),
    ("191000, Садовая, 14", "садовая; 14||"), ("Садовая 14A", "садовая; 14||а"),
    ("14 Садовая ул.", "садовая; 14||"), ("Садовая 14 Б, Пушкин", "садовая пушкин; 14||б"),
    ("14 Б. Морская", "б морская; 14||"), ("СПб Садовая 14", "санкт петербург садовая; 14||"),
    ("Садовая", "садовая"), ("площадь", "площадь"), ("1-я линия, 14", "линия 1; 14||"),
  ])
  func `the first reading`(text: String, reading: String) {
    #expect(readings(text).first == reading)
  }

  @Test func `two numbers are a house and a building, or a name and a house`() {
    let all = readings("Советская 2 15")
    #expect(all.contains("советская; 2|15|"))
    #expect(all.contains("советская 2; 15||"))
    #expect(readings("9 Января, д. 15").contains("января 9; 15||"))
  }

  @Test func `another layout is one more reading`() {
    #expect(readings("Cfljdfz 14").contains("садовая; 14||"))
    #expect(readings("Ytgjrjhtyys[? 15r1").contains("непокоренных; 15|1|"))
    #expect(readings("Дштвутцуп 4").contains("lindenweg; 4||"))
    #expect(readings("14 15").allSatisfy { $0.hasPrefix(";") || !$0.contains("а") })
  }

  @Test func `without parts of an address all are words`() {
    #expect(readings("Terminal 2, gate 14a", hasHouses: false).first == "terminal 2 gate 14 a")
  }

  @Test func `nothing to search for has no reading`() {
    for text in ["", " ", "!!!", "\u{0}\u{7}\u{1B}[31m".filter { !$0.isLetter && !$0.isNumber }] {
      #expect(readings(text) == [], "\(text.debugDescription)")
    }
  }

  @Test(arguments: [
    ("Непокорённых", "Nepokoryonnykh"), ("Непокорённых", "Nepokorennyh"),
    ("Чайковского", "Tchaikovskogo"), ("Невский", "Nevsky"), ("Невский", "Nevskij"),
    ("Щорса", "Shchorsa"), ("Юрия", "Yuriya"), ("Советская", "Sovetskaya"),
    ("Жуковского", "Zhukovskogo"), ("Энгельса", "Engelsa"), ("Ёлочная", "Yolochnaya"),
  ])
  func `Latin and Cyrillic spellings have the same sounds`(cyrillic: String, latin: String) {
    #expect(Spelling.sounds(Spelling.folded(cyrillic)) == Spelling.sounds(Spelling.folded(latin)))
  }

  @Test func `letters are folded`() {
    func same(_ a: String, _ b: String) -> Bool { Spelling.folded(a) == Spelling.folded(b) }
    #expect(same("Непокорённых", "непокоренных"))
    #expect(same("и\u{306}", "й") && !same("и", "й"))
    #expect(same("Müllerstraße", "Mullerstrasse") && same("Łódź", "lodz"))
  }
}
