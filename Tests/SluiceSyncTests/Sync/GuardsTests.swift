import Testing

@testable import Sluice
@testable import SluiceSync

@Suite struct GuardsTests {
  private let today = Day(number: 18_400)

  /// What the guards say of a feed after one of 100 records, version 26, that ends tomorrow.
  private func verdict(
    records: Int = 100, rows: Int = 90, lastDay: Int32? = 18_401, version: String? = "26",
    limit: ShrinkLimit = .standard, oldLastDay: Int32 = 18_401
  ) -> SyncFault? {
    var before = SyncRecord.Copy()
    before.counts.read = 100
    before.counts.rows = 90
    before.version = "26"
    before.lastDay = Day(number: oldLastDay)
    do {
      try Guards(maxShrink: limit, today: today).judge(
        records: records, rows: rows, lastDay: lastDay.map { Day(number: $0) }, version: version,
        after: before)
      return nil
    } catch {
      guard case .sync(let fault) = error.fault else { return nil }
      return fault
    }
  }

  @Test func `a feed like the one before passes`() {
    #expect(verdict() == nil)
    #expect(verdict(records: 1000, version: "27") == nil)
    #expect(verdict(lastDay: nil, version: nil) == nil)
  }

  @Test func `an empty feed is refused`() {
    #expect(verdict(records: 0) == .emptied(before: 100))
    #expect(verdict(records: 0, limit: ShrinkLimit(millionths: 1_000_000)) != nil)
  }

  @Test func `more than the limit fewer is refused, the limit itself is not`() {
    #expect(verdict(records: 75) == nil)
    #expect(verdict(records: 74) == .shrunk(records: 74, before: 100, limit: .standard))
    #expect(verdict(records: 99, limit: ShrinkLimit(millionths: 0)) != nil)
    #expect(verdict(records: 1, limit: ShrinkLimit(millionths: 1_000_000)) == nil)
  }

  @Test func `a feed of which nothing is published any more is refused`() {
    #expect(verdict(rows: 0) == .noRows(before: 90))
    #expect(verdict(rows: 1) == nil)
  }

  @Test func `a version that goes back is refused`() {
    #expect(verdict(version: "9") == .olderVersion(version: "9", before: "26"))
    #expect(verdict(version: "next") == nil)
  }

  @Test func `days that all lie in the past are refused where those before did not`() {
    #expect(
      verdict(lastDay: 18_399)
        == .allPast(last: Day(number: 18_399), before: Day(number: 18_401), today: today))
    #expect(verdict(lastDay: 18_400) == nil)
    // That a season has ended is no change of the feed.
    #expect(verdict(lastDay: 18_399, oldLastDay: 18_399) == nil)
  }

  @Test func `after nothing everything passes`() throws {
    try Guards(maxShrink: .standard, today: today).judge(
      records: 0, rows: 0, lastDay: nil, version: nil, after: SyncRecord.Copy())
  }

  @Test
  func `many events cancelled at once are refused, few are not, and neither is a small share`()
    throws
  {
    func verdict(_ cancelled: Int, of events: Int, _ limit: ShrinkLimit = .standard) -> SyncFault? {
      do {
        try Guards(maxShrink: limit, today: today).judge(cancelled: cancelled, of: events)
        return nil
      } catch {
        guard case .sync(let fault) = error.fault else { return nil }
        return fault
      }
    }
    #expect(verdict(19, of: 19) == nil)
    #expect(verdict(20, of: 80) == nil)
    #expect(verdict(20, of: 79) == .tooManyCancelled(events: 20, before: 79, limit: .standard))
    #expect(verdict(20, of: 20, ShrinkLimit(millionths: 1_000_000)) == nil)
    #expect(verdict(0, of: 0) == nil)
  }
}
