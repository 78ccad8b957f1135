import Testing

@testable import Sluice

/// `--where`: which records are kept, and what is told where none is.
@Suite struct FilterTests {
  private func run(_ conditions: [(String, String)], _ records: [String]) -> FeedResult {
    FeedRun(conditions: conditions.map { Condition(column: $0, value: $1) })(
      "[\(records.joined(separator: ","))]")
  }

  /// The houses that the filter keeps.
  private func kept(_ conditions: (String, String)..., of records: [String]) -> [String] {
    let result = run(conditions, records)
    #expect(result.counts.areComplete)
    #expect(result.counts.kept + result.counts.filtered == records.count)
    return result.rows.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[2]) }
  }

  private let streets = [
    house("Непокорённых", "1"), house("НЕПОКОРЕННЫХ", "2"), house("непокоре\u{308}нных ", "3"),
    house("Непокоренных пр.", "4"), house("Садовая", "5", building: "1"),
    house("Садовая", "6", building: "2", letter: "А"), house("Садовая", nil, letter: "а"),
  ]

  @Test(arguments: [
    "Непокорённых", "непокоренных", "НЕПОКОРЁННЫХ", " Непокоре\u{308}нных\u{A0}",
  ])
  func `values are compared as addresses are`(_ value: String) {
    #expect(kept(("street", value), of: streets) == ["1", "2", "3"])
  }

  @Test func `Latin letters match the Cyrillic ones that look like them`() {
    #expect(kept(("letter", "A"), of: streets) == ["6", ""])
    #expect(kept(("street", "Caдoвaя"), ("letter", "a"), of: streets) == ["6", ""])
    let latin = [house("Cope", "1"), house("Соре", "2"), house("Lane", "3")]
    #expect(kept(("street", "COPE"), of: latin) == ["1", "2"])
    #expect(kept(("street", "lane"), of: latin) == ["3"])
  }

  @Test func `white space inside is one space`() {
    #expect(kept(("street", "непокоренных \u{2003}ПР."), of: streets) == ["4"])
    #expect(kept(("street", "непокоренныхпр."), of: streets) == [])
  }

  @Test func `the same field is or, different fields are and`() {
    #expect(kept(("house", "1"), ("house", "5"), of: streets) == ["1", "5"])
    #expect(kept(("street", "садовая"), ("building", "1"), of: streets) == ["5"])
    #expect(
      kept(
        ("street", "садовая"), ("house", "6"), ("street", "непокоренных"), ("house", "2"),
        of: streets)
        == ["2", "6"])
    #expect(kept(("street", "садовая"), ("letter", "А"), ("building", "2"), of: streets) == ["6"])
    #expect(kept(("house", "1"), ("house", "1"), of: streets) == ["1"])
  }

  @Test func `an empty value matches a missing one`() {
    #expect(kept(("house", ""), of: streets) == [""])
    #expect(kept(("letter", " "), ("street", "Садовая"), of: streets) == ["5"])
    #expect(
      kept(("building", ""), ("building", "2"), of: streets) == ["1", "2", "3", "4", "6", ""])
  }

  @Test func `an address by its number`() {
    #expect(kept(("address_id", "9a52bf95f4e4a500"), of: [house(), house("А", "9")]) == ["65"])
    #expect(kept(("address_id", "9A52BF95F4E4A500"), of: [house("А", "9"), house()]) == ["65"])
    #expect(kept(("address_id", ""), of: [house()]) == [])
  }

  @Test func `a neighbour's verdict does not stick`() {
    let records = ["1", "1", "2", "1", "2", "2", nil, "1"].map { house("А", $0) }
    #expect(kept(("house", "1"), of: records) == ["1", "1", "1", "1"])
    #expect(kept(("house", "2"), of: records) == ["2", "2", "2"])
  }

  @Test func `a prefix is no match`() {
    #expect(
      kept(("house", "6"), of: [house("А", "65"), house("А", "6"), house("А", "56")]) == ["6"])
  }

  @Test func `a value shorter or longer than its folded form`() {
    #expect(kept(("street", "k"), of: [house("\u{212A}", "1"), house("kk", "2")]) == ["1"])
    #expect(kept(("street", "\u{212A}\u{212A}"), of: [house("kk", "1")]) == ["1"])
    #expect(kept(("street", "\u{23A}"), of: [house("\u{2C65}", "1")]) == ["1"])
    #expect(kept(("street", "\u{2C65}"), of: [house("\u{23A}", "1")]) == ["1"])
  }

  @Test func `days and prices are no filter columns`() {
    #expect(
      Table.hotWater.filterColumns == [
        "locality", "street", "house", "building", "letter", "address_id",
      ])
    #expect(Table.bonds.filterColumns == ["isin", "title", "currency"])
  }

  @Test func `fields around records are compared`() {
    let json = #"""
      {"activities":[{"isin":"1","currency":"RUB","items":[{"date":"2018-09-01T13:00:00Z","price":1}]},
      {"isin":"2","currency":"usd","items":[{"date":"x","price":2},{"date":"2018-09-01T13:00:00Z","price":3}]},
      {"isin":"3","items":[{"date":"2018-09-01T13:00:00Z","price":4}]}]}
      """#
    func prices(_ value: String) -> [String] {
      FeedRun(feed: .bonds, conditions: [Condition(column: "currency", value: value)])(json)
        .rows.map { String($0.suffix(1)) }
    }
    #expect(prices("rub") == ["1"])
    #expect(prices("USD") == ["3"])
    #expect(prices("") == ["4"])
  }

  // MARK: What is near

  private func unmatched(_ conditions: (String, String)..., of records: [String]) -> (
    String, [String]
  )? {
    let result = run(conditions, records)
    #expect(result.error == nil)
    return result.statistics.unmatched.map { ($0.column, $0.nearest) }
  }

  @Test func `the nearest values where nothing matched`() throws {
    let streets = [
      "Садовая", "Садова", "САДОВАЯ", "Невский пр.", "Задовая ул.", "Садовяа", "Лиговский пр.",
    ]
    let (column, nearest) = try #require(
      unmatched(("street", "Садвая"), of: streets.map { house($0) }))
    #expect(column == "street")
    #expect(nearest == ["Садовая", "Садова", "Садовяа"])
  }

  @Test func `each value is told once, and a missing one not at all`() throws {
    let records = ["1", "2", "1", nil, "", "2", "1"].map { house("А", $0) }
    #expect(try #require(unmatched(("house", "11"), of: records)).1 == ["1", "2"])
  }

  @Test func `nothing is told where something was kept`() {
    #expect(unmatched(("house", "1"), of: [house("А", "2"), house("А", "1")]) == nil)
    #expect(unmatched(("house", "1"), of: []) == nil)
    #expect(unmatched(of: [house()]) == nil)
  }

  @Test func `the field that matches nowhere is blamed`() throws {
    let records = [house("Садовая", "1"), house("Невский", "2")]
    #expect(
      try #require(unmatched(("street", "садовая"), ("house", "3"), of: records)).0 == "house")
    #expect(
      try #require(unmatched(("house", "2"), ("street", "Садова"), of: records)).0 == "street")
  }

  @Test func `fields that match, but never together`() throws {
    let records = [house("Садовая", "1"), house("Невский", "2"), house("Садовая", "12")]
    let (column, nearest) = try #require(
      unmatched(("street", "садовая"), ("house", "2"), of: records))
    // The houses that the street has, or the streets that have the house.
    #expect(
      column == "street" && nearest == ["Невский"] || column == "house" && nearest == ["1", "12"])
  }

  @Test func `very long values are no neighbours`() throws {
    let long = String(repeating: "я", count: 2000)
    let near = try #require(unmatched(("street", "садвая"), of: [house(long), house("Садовая")]))
    #expect(near.1 == ["Садовая"])
  }

  @Test func `an empty value that matches nothing has neighbours too`() throws {
    #expect(
      try #require(unmatched(("house", ""), of: [house("А", "123"), house("А", "1")])).1 == [
        "1", "123",
      ])
  }
}
