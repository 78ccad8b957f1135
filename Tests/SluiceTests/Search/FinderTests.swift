import Testing

@testable import Sluice

/// The ranks of places, and why they have them.
@Suite struct FinderTests {
  private func find(_ text: String, _ lines: [String]) throws -> SearchResult {
    let feed = try Feed(
      yaml: """
        feed: houses
        rows: "[]"
        columns: {town: town, street: street, house: house, building: b, letter: l, day: {kind: day}}
        key: [town, street, house, building, letter]
        search: {locality: town, street: street, house: house, building: building, letter: letter}
        """)
    var csv = "town,street,house,b,l,day\n"
    csv += lines.map { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      return (0..<6).map { fields.indices.contains($0) ? String(fields[$0]) : "" }
        .joined(separator: ",")
    }.joined(separator: "\n")
    let conversion = Conversion(of: .bytes(Array(csv.utf8)), as: feed)
    return try Sluice.find(text, in: conversion, from: conversion.source)
  }

  private func names(_ result: SearchResult) -> [String] { result.places.map(name) }

  private func name(_ place: FoundPlace) -> String {
    place.parts.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
  }

  @Test(arguments: [
    ("Садовая 14", []), ("Cадовая 14", [MatchReason.lookAlike]),
    ("Cfljdfz 14", [.otherLayout]), ("Sadovaya 14", [.transliteration]),
    ("на Садовой 14", [.inflection]), ("Сад. 14", [.abbreviation]), ("Садов 14", [.beginning]),
    ("Садовоя 14", [.typo]), ("Са довая 14", [.joined]),
  ])
  func `a place says why it was found`(text: String, reasons: [MatchReason]) throws {
    let result = try find(text, ["Town|Садовая|14"])
    #expect(names(result) == ["Town Садовая 14"])
    #expect(result.places.first?.reasons == Set(reasons))
  }

  @Test func `parts of a house say why they fit`() throws {
    let houses = ["T|Садовая|14|1", "T|Садовая|14|2|А"]
    func reasons(_ text: String) throws -> Set<MatchReason>? {
      try find(text, houses).places.first?.reasons
    }
    #expect(try reasons("Садовая 14/1") == [.splitHouse])
    #expect(try reasons("Садовая 14 1") == [.bareBuilding])
    #expect(try reasons("Садовая 14") == [.broader])
    #expect(try reasons("Садовая 14-99") == [.flatIgnored, .broader])
    #expect(try find("Садовая 14", houses).places.count == 2)
  }

  @Test func `a house that is written with a slash comes before a building`() throws {
    let houses = ["T|Садовая|15|1", "T|Садовая|15/1"]
    #expect(try names(find("Садовая 15/1", houses)) == ["T Садовая 15/1"])
    #expect(try names(find("Садовая 15к1", houses)).first == "T Садовая 15 1")
  }

  @Test func `a number is compared as a whole`() throws {
    let houses = ["T|Садовая|1", "T|Садовая|15", "T|Садовая|150"]
    #expect(try names(find("Садовая 15", houses)) == ["T Садовая 15"])
    #expect(try names(find("Садовая 5", houses)) == [])
  }

  @Test func `a street with a like name is no answer for a house that is not there`() throws {
    let houses = ["T|Ланская|5", "T|Ленская|4"]
    for lines in [houses, houses.reversed()] {
      let result = try find("Ленская 5", lines)
      #expect(names(result) == [])
      #expect(result.near.first.map { name($0.place) } == "T Ленская 4")
      #expect(result.near.first?.difference == .house)
    }
    #expect(try names(find("Ленская 5", ["T|Ланская|5"])) == ["T Ланская 5"])
  }

  @Test func `a whole name comes before a part of one`() throws {
    let houses = ["T|Юрия Гагарина|9", "T|Гагарина|9"]
    #expect(try names(find("Гагарина 9", houses)) == ["T Гагарина 9", "T Юрия Гагарина 9"])
  }

  @Test func `two kinds of street are told apart where the feed has them`() throws {
    let houses = ["T|улица Победы|1", "T|Площадь Победы|1"]
    #expect(try names(find("пл. Победы 1", houses)) == ["T Площадь Победы 1"])
    #expect(try names(find("Победы ул. 1", houses)) == ["T улица Победы 1"])
    #expect(try names(find("Победы 1", houses)).count == 2)
  }

  @Test func `numbers belong to names too`() throws {
    let houses = ["T|8-я линия|15", "T|1-я линия|8", "T|9 Января|15"]
    #expect(try names(find("8 линия 15", houses)) == ["T 8-я линия 15"])
    #expect(try names(find("1-я линия, 8", houses)) == ["T 1-я линия 8"])
    #expect(try names(find("улица 9 января, дом 15", houses)) == ["T 9 Января 15"])
  }

  @Test func `a place without a locality is found with its city`() throws {
    #expect(try names(find("СПб, Савушкина 104", ["|Савушкина|104"])) == ["Савушкина 104"])
    #expect(try names(find("Вторая Савушкина 104", ["|Савушкина|104"])) == [])
  }

  @Test func `rows of one place are joined, in any order and spelling`() throws {
    let result = try find(
      "Непокоренных 15",
      [
        "T|Непокорённых|15||А|2020-06-01", "T|Садовая|15|||2020-06-01",
        "t|НЕПОКОРЕННЫХ|15||а|2020-07-01",
      ])
    #expect(result.places.count == 1)
    #expect(
      result.places.first?.rows.map { $0.days?.lowerBound.description } == [
        "2020-06-01", "2020-07-01",
      ])
  }

  @Test func `what comes nearest differs in as little as possible`() throws {
    let houses = ["T|Садовая|15|1", "T|Садовая|15|2|Б", "T|Садовая|13", "T|Садовое|15|1|А"]
    let result = try find("Садовая 15 корпус 1 литер А", Array(houses.dropLast()))
    #expect(names(result) == [])
    #expect(
      result.near.map { name($0.place) } == ["T Садовая 15 1", "T Садовая 15 2 Б", "T Садовая 13"])
    #expect(result.near.map(\.difference) == [.letter, .building, .house])
    let other = try find("Садовникова 15", houses)
    #expect(names(other) == [])
    #expect(try find("Тверская 15", houses).near == [])
  }

  @Test func `a number is never mistyped, also where words are written in one`() throws {
    #expect(try find("12 High Street", ["T|11 High Street", "T|1 High Street"]).places == [])
    #expect(try find("5 линия 10", ["T|10-я линия|5"]).places == [])
    #expect(try names(find("10 линия 5", ["T|10-я линия|5"])) == ["T 10-я линия 5"])
    #expect(try find("Мира 212", ["T|Мира|2 1/2"]).places == [])
  }

  @Test func `a house may have a name, or be a flat`() throws {
    let houses = [
      "T|Church Lane|Rose Cottage", "T|Church Lane|2 Rose Cottage", "T|Church Lane|Unit 3 12",
      "T|Church Lane|12",
    ]
    #expect(try names(find("rose cottage", houses)).first == "T Church Lane Rose Cottage")
    #expect(try names(find("2 rose cottage", houses)).first == "T Church Lane 2 Rose Cottage")
    #expect(try names(find("unit 3 12 church ln", houses)).first == "T Church Lane Unit 3 12")
    #expect(try names(find("flat 4 12 church ln", houses)) == ["T Church Lane 12"])
    #expect(try find("daisy cottage church lane", houses).places == [])
  }

  @Test func `a place may be the abbreviated one`() throws {
    #expect(try names(find("20 north shore", ["T|N. Shore|20"])) == ["T N. Shore 20"])
    #expect(try names(find("Muellerstrasse 3", ["T|Müllerstr.|3"])) == ["T Müllerstr. 3"])
    #expect(try names(find("пятая линия 7", ["T|5-я линия|7"])) == ["T 5-я линия 7"])
    #expect(try names(find("Гагарина Ю. А., 7", ["T|Юрия Гагарина|7"])) == ["T Юрия Гагарина 7"])
    #expect(try find("Гагарина Ю. А., 7", ["T|Гагарин|8"]).places == [])
  }

  @Test func `only so many places are kept, the first in the order of houses`() throws {
    let houses = (1...300).reversed().map { "T|Садовая|\($0)" }
    let result = try find("Садовая", houses)
    #expect(names(result) == (1...Finder.mostPlaces).map { "T Садовая \($0)" })
    #expect(result.isMore)
    #expect(try !find("Садовая 7", houses).isMore)
  }

  @Test func `hostile queries find nothing and end`() throws {
    let houses = (1...50).map { "T|Садовая|\($0)" }
    for text in [
      String(repeating: "я", count: 100_000), String(repeating: "слово ", count: 10_000),
      String(repeating: "1 ", count: 10_000), String(repeating: "15/", count: 30_000),
      String(repeating: "\u{0}\u{1B}[2J", count: 10_000),
      String(repeating: "и\u{306}", count: 50_000), "\u{202E}\u{2066}\u{FEFF}",
    ] {
      #expect(try find(text, houses).places == [])
    }
  }

  @Test func `hostile places end`() throws {
    let words = String(repeating: "слово ", count: 2_000)
    let houses = ["T|\(words)|1", "T|\(String(repeating: "я", count: 50_000))|2", "T|Садовая|3"]
    #expect(try names(find("Садовая 3", houses)) == ["T Садовая 3"])
  }
}
