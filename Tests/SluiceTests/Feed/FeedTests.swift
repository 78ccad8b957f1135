import Testing

@testable import Sluice

/// The feeds' data hangs together.
@Suite struct FeedTests {
  @Test func `feeds are found by their names`() {
    #expect(Feed.names.first == "hot-water")
    #expect(Feed.names.dropFirst().elementsEqual(Feed.names.dropFirst().sorted()))
    #expect(Feed.names.contains("bonds"))
    #expect(Feed.named("hot-water")?.url?.hasSuffix("classifiersId=4") == true)
    #expect(Feed.named("bonds")?.url == nil)
    #expect(Feed.named("Bonds") == nil)
    #expect(Set(Feed.names).count == Feed.names.count)
  }

  @Test func `the columns of the contract`() {
    #expect(
      Feed.hotWater.columns == [
        "locality", "street", "house", "building", "letter", "start_date", "end_date", "address_id",
      ])
    #expect(Feed.bonds.columns == ["isin", "title", "currency", "date", "price"])
    #expect(
      Table.hotWater.columns.map(\.kind) == [
        .text, .text, .text, .text, .text, .day, .day, .keyNumber,
      ])
    #expect(Table.bonds.columns.map(\.kind) == [.text, .text, .text, .instant, .decimal])
  }

  @Test func `every feed can be read`() {
    for feed in [Feed.hotWater, .bonds] {
      #expect(feed.rows.steps.last == .each)
      #expect(Set(feed.columns).count == feed.columns.count)
      for field in feed.fields {
        #expect(field.columns.count == (field.kind == .period ? 2 : 1))
        #expect(field.path.arrays <= feed.rows.arrays)
        #expect(!field.path.lastKey.isEmpty)
        // A field lies in the row, or in an element of a list on the way to it.
        let around = field.path.steps.dropLast()
        #expect(around.last == .each)
        #expect(feed.rows.steps.starts(with: around))
      }
      for part in feed.keyNumber?.parts ?? [] { #expect(feed.columns.contains(part)) }
      for name in feed.table.filterColumns { #expect(feed.columns.contains(name)) }
    }
  }

  @Test func `texts of events name columns, and none is empty in any language`() throws {
    for feed in [Feed.hotWater, .bonds] {
      guard let event = feed.event else { continue }
      for language in Language.allCases {
        let location = try #require(event.location)
        for part in (event.summary[language].clauses + location[language].clauses).joined() {
          #expect(feed.columns.contains(part.column))
        }
        #expect(!event.calendarName[language].isEmpty)
        #expect(event.category?[language].isEmpty == false)
        #expect(!feed.summary[language].isEmpty)
      }
    }
  }

  @Test func `paths as people write them`() {
    let path: Path = ["activities", .each, "isin"]
    #expect(path.description == "activities[].isin")
    #expect(path.arrays == 1)
    #expect(path.lastKey == "isin")
    #expect((["a", .each, .each] as Path).description == "a[][]")
    #expect(([.each, "a", "b"] as Path).description == "[].a.b")
    #expect(Path([]).description == ".")
    #expect(Path([]).lastKey == "")
  }
}
