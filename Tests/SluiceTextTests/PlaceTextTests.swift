import Testing

@testable import Sluice
@testable import SluiceText

/// Days and places as people write them.
@Suite struct PlaceTextTests {
  private func days(_ first: String, _ last: String) throws -> ClosedRange<Day> {
    try #require(Day(iso: first))...(#require(Day(iso: last)))
  }

  private func distance(_ first: String, _ last: String, from today: String) throws -> Text {
    try .distance(of: days(first, last), from: #require(Day(iso: today)))
  }

  @Test(arguments: [
    ("2020-05-18", "2020-05-31", "18–31 мая 2020", "18–31 May 2020"),
    ("2020-05-18", "2020-06-03", "18 мая – 3 июня 2020", "18 May – 3 June 2020"),
    ("2020-05-18", "2020-06-18", "18 мая – 18 июня 2020", "18 May – 18 June 2020"),
    (
      "2020-12-28", "2021-01-03", "28 декабря 2020 – 3 января 2021",
      "28 December 2020 – 3 January 2021"
    ),
    ("2020-07-15", "2020-07-15", "15 июля 2020", "15 July 2020"),
  ])
  func `days say once what they have in common`(
    first: String, last: String, ru: String, en: String
  ) throws {
    let text = try Text.days(days(first, last))
    #expect(text.ru == ru)
    #expect(text.en == en)
  }

  @Test(arguments: [
    ("2020-05-06", "через 12 дней", "in 12 days"), ("2020-05-16", "через 2 дня", "in 2 days"),
    ("2020-04-27", "через 21 день", "in 21 days"), ("2020-05-17", "завтра", "tomorrow"),
    ("2020-05-18", "ещё 14 дней", "14 days left"), ("2020-05-27", "ещё 5 дней", "5 days left"),
    ("2020-05-28", "ещё 4 дня", "4 days left"),
    ("2020-05-31", "сегодня последний день", "last day today"),
    ("2020-06-01", "закончилась вчера", "ended yesterday"),
    ("2020-06-02", "закончилась 2 дня назад", "ended 2 days ago"),
    ("2020-06-11", "закончилась 11 дней назад", "ended 11 days ago"),
    ("2022-06-11", "закончилась больше года назад", "ended more than a year ago"),
  ])
  func `two weeks are ahead, at work or over`(today: String, ru: String, en: String) throws {
    let text = try distance("2020-05-18", "2020-05-31", from: today)
    #expect(text.ru == ru)
    #expect(text.en == en)
  }

  @Test(arguments: [
    ("2020-05-17", "завтра", "tomorrow"), ("2020-05-18", "сегодня", "today"),
    ("2020-05-19", "вчера", "yesterday"), ("2020-05-21", "3 дня назад", "3 days ago"),
  ])
  func `one day is neither left nor ended`(today: String, ru: String, en: String) throws {
    let text = try distance("2020-05-18", "2020-05-18", from: today)
    #expect(text.ru == ru)
    #expect(text.en == en)
  }

  /// A place with these texts, a missing one empty.
  private func place(_ texts: String...) -> NamedPlace {
    NamedPlace(
      zip(AddressPart.allCases, texts).map {
        PlacePart(column: $0.rawValue, part: $0, text: $1)
      })
  }

  @Test func `a place is named by the parts that it has`() {
    let whole = Text.name(of: place("Пушкин", "Садовая", "15", "1", "А").parts)
    #expect(whole.ru == "Пушкин, Садовая, дом 15 корпус 1 литер А")
    #expect(whole.en == "Пушкин, Садовая, house 15 building 1 letter А")
    #expect(Text.name(of: place("", "Садовая", "15", "", "").parts).ru == "Садовая, дом 15")
    #expect(Text.name(of: place("", "a\u{1B}[31m", "", "", "").parts).en == "a\\u001b[31m")
  }

  @Test func `a list says how to find one place`() {
    func narrower(_ places: NamedPlace...) -> String? {
      Text.narrower(places, isMore: false)?.ru
    }
    #expect(narrower(place("П", "С", "1", "", "")) == nil)
    #expect(
      narrower(place("П", "С", "1", "", ""), place("К", "С", "1", "", ""))
        == "добавьте город или посёлок")
    #expect(
      narrower(place("П", "С", "1", "", ""), place("П", "Л", "1", "", ""))
        == "напишите название полнее")
    #expect(
      narrower(place("П", "С", "1", "", ""), place("П", "С", "2", "", "")) == "добавьте номер дома")
    #expect(
      narrower(place("П", "С", "1", "1", ""), place("П", "С", "1", "2", ""))
        == "добавьте корпус: 15к1 или 15/1")
    #expect(
      narrower(place("П", "С", "1", "", "А"), place("П", "С", "1", "", "Б"))
        == "добавьте литер: 15А")
    #expect(
      Text.narrower([place("П", "С", "1"), place("П", "С", "2")], isMore: true)?.en
        == "there are more; add the house")
  }
}
