import Testing

@testable import Sluice
@testable import SluiceSync

/// Two addresses with the same number, from one night to the next.
@Suite struct LedgerSameNumberTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func night(_ day: String, _ records: String...) throws -> LedgerNight.Result {
    try LedgerNight(day)("[\(records.joined(separator: ","))]", in: folder.path)
  }

  private func words(_ result: LedgerNight.Result) -> [String] {
    result.events.map { "\($0.number) \($0.summary.contains("Лесная")) \($0.status)" }
  }

  @Test func `the later one is left out, whatever comes first on other nights`() throws {
    let both = try night("2020-06-01", forestHouse(), forgedHouse(period: "1.8.2020"))
    #expect(words(both) == ["2020-1 true CONFIRMED"])
    #expect(both.counts == LedgerChanges(new: 1) && both.counters.sameNumber.value == 1)
    let turned = try night("2020-06-02", forgedHouse(), forestHouse())
    #expect(turned.ics == both.ics && !turned.counts.isAny)
    #expect(turned.counters.sameNumber.value == 1)
  }

  @Test func `a number belongs to its address until its last event is forgotten`() throws {
    _ = try night("2020-06-01", forestHouse())
    let alone = try night("2020-06-02", forgedHouse())
    #expect(words(alone) == ["2020-1 true CANCELLED"])
    #expect(alone.counts == LedgerChanges(cancelled: 1))
    #expect(alone.counters.sameNumber.value == 1)
    #expect(words(try night("2020-07-02", forgedHouse())) == [])
    // Its UID was never one of the other's.
    #expect(words(try night("2020-07-03", forgedHouse())) == ["2020-2 false CONFIRMED"])
    #expect(
      words(try night("2020-07-04", forestHouse(), forgedHouse())) == ["2020-2 false CONFIRMED"])
  }

  @Test func `a record that is not asked for is left out without a report`() throws {
    var night = LedgerNight("2020-06-01")
    night.conditions = [Condition(column: "street", value: "Лесная")]
    let result = try night(list(forestHouse(), forgedHouse()), in: folder.path)
    #expect(result.counts.new == 1 && result.counters.sameNumber.value == 0)
  }
}
