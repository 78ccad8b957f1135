import Foundation
import Testing

/// Nightly runs whose outputs have columns in their names.
@Suite(.needsProgram) struct SplitSyncTests {
  private let folder: Scratch

  init() throws { folder = try Scratch() }

  /// Puts a feed with these houses at the source.
  private func offer(_ houses: some Sequence<Int>, period: String = "22.06.2020-05.07.2020") throws
  {
    let records = houses.map { SmallFeed.record(house: "\"\($0)\"", period: "\"\(period)\"") }
    try folder.write("feed.json", SmallFeed.list(Array(records)))
  }

  private func run(_ more: String..., day: String = "2020-06-01") throws -> Run {
    try BuiltProgram.run(
      ["sync", "feed.json", "--state", "state", "--today", day, "--max-shrink", "90%"]
        + ["-o", "ics/{house}.ics", "-o", "csv/{house}.csv"] + more, in: folder.path)
  }

  private func marks(_ name: String) -> [String] {
    folder.entries(name).map { entry in
      let status = folder.status("\(name)/\(entry)")
      return "\(entry) \(status?.st_ino ?? 0) \(status?.st_mtim.tv_nsec ?? 0)"
    }
  }

  @Test(arguments: [20, 100])
  func `a house that left the feed keeps its calendar as long as the ledger has its events`(
    count: Int
  ) throws {
    try offer(1...count)
    #expect(try run().code == 0)
    #expect(folder.entries("ics").count == count && folder.entries("csv").count == count)
    try offer(2...count)
    let second = try run()
    #expect(second.code == 0 && second.errors == "", "\(second.errors)")
    #expect(!folder.entries("csv").contains("1.csv"), "its rows are gone")
    #expect(folder.entries("csv").count == count - 1 && folder.entries("ics").count == count)
    #expect(folder.text("ics/1.ics").contains("STATUS:CANCELLED\r\n"))
    #expect(folder.text("ics/1.ics").contains("SEQUENCE:1\r\n"))
    #expect(!folder.text("ics/2.ics").contains("CANCELLED"))
    // Another night without a change touches nothing.
    let before = marks("ics") + marks("csv")
    #expect(try run().code == 0)
    #expect(marks("ics") + marks("csv") == before)
    // A cancelled event leaves the ledger some time after its last day.
    try offer(2...count, period: "01.05.2022")
    #expect(try run("--accept", day: "2022-04-01").code == 0)
    #expect(try run("--accept", day: "2022-04-02").code == 0)
    #expect(!folder.entries("ics").contains("1.ics"))
    #expect(folder.entries("ics").count == count - 1)
  }

  @Test(arguments: [20, 100])
  func `only files of the list are removed`(count: Int) throws {
    try offer(1...count)
    #expect(try run().code == 0)
    try folder.write("csv/mine.csv", "mine")
    try folder.write("csv/9999.csv", "mine too")
    try folder.write("ics/holidays.ics", "BEGIN:VCALENDAR\r\nPRODID:x\r\nEND:VCALENDAR\r\n")
    // What another program has put in the place of a file is not removed either.
    unlink(folder("csv/3.csv"))
    try folder.link("csv/3.csv", to: "mine.csv")
    try offer((1...count).filter { $0 != 2 && $0 != 3 })
    let second = try run()
    #expect(second.code == 0 && second.errors == "", "\(second.errors)")
    let names = folder.entries("csv")
    #expect(!names.contains("2.csv"))
    #expect(Set(names).isSuperset(of: ["mine.csv", "9999.csv", "3.csv", "1.csv"]))
    #expect(folder.entries("ics").contains("holidays.ics"))
  }

  @Test func `another output of the same input has its own list`() throws {
    try offer(1...100)
    #expect(try run().code == 0)
    let words = ["sync", "feed.json", "--state", "state", "--today", "2020-06-01"]
    let other = try BuiltProgram.run(words + ["-o", "csv/{house}.ndjson"], in: folder.path)
    #expect(other.code == 0)
    #expect(folder.entries("csv").count == 200)
  }

  @Test(arguments: [20, 100])
  func `a lost state is noticed, and its events are taken over`(count: Int) throws {
    for period in ["22.06.2020-05.07.2020", "23.06.2020-06.07.2020"] {
      try offer(1...count, period: period)
      #expect(try run().code == 0)
    }
    let before = marks("ics")
    #expect(folder.text("ics/7.ics").contains("SEQUENCE:1\r\n"))
    try FileManager.default.removeItem(atPath: folder("state"))
    let refused = try run()
    #expect(refused.code == 75)
    #expect(refused.errors.contains("event that the ledger does not know"))
    #expect(refused.errors.contains("--accept"))
    #expect(marks("ics") == before)
    #expect(try run("--accept").code == 0)
    #expect(folder.text("ics/7.ics").contains("SEQUENCE:1\r\n"))
    #expect(marks("ics") == before)
  }

  @Test func `a calendar of somebody else is not replaced`() throws {
    try offer(1...100)
    _ = try folder.folder("ics")
    let foreign = "BEGIN:VCALENDAR\r\nPRODID:x\r\nEND:VCALENDAR\r\n"
    try folder.write("ics/5.ics", foreign)
    let run = try run()
    #expect(run.code == 75 && run.errors.contains("ics/5.ics"), "\(run.errors)")
    #expect(folder.text("ics/5.ics") == foreign && folder.entries("ics") == ["5.ics"])
    #expect(try self.run("--accept").code == 0)
    #expect(folder.text("ics/5.ics") != foreign)
  }

  @Test func `a guard that refuses leaves all files`() throws {
    try offer(1...100)
    #expect(try run().code == 0)
    let before = marks("ics") + marks("csv")
    try offer(1...5)
    #expect(try run().code == 75)
    #expect(marks("ics") + marks("csv") == before)
    #expect(folder.entries("ics").allSatisfy { $0.first != "." })
  }

  @Test func `a damaged list is an error of the state`() throws {
    try offer(1...5)
    #expect(try run().code == 0)
    let list = try #require(
      folder.entries("state/hot-water").first { $0.hasSuffix(".files") })
    try folder.write("state/hot-water/\(list)", "garbage")
    let run = try run()
    #expect(run.code == 74 && run.errors.contains(".files"))
    #expect(folder.entries("csv").count == 5)
  }
}
