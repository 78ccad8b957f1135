import Foundation
import Testing

extension EndToEnd {
  /// What a run tells of a site, and where it cannot be.
  @Suite struct SiteOutputTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func convert(_ count: Int, _ more: String...) throws -> Run {
      let records = (1...count).map { SmallFeed.record(house: "\"\($0)\"") }
      try folder.write("feed.json", SmallFeed.list(records))
      return try BuiltProgram.run(
        ["convert", folder("feed.json"), "-o", folder("site/")] + more)
    }

    @Test func `the statistics have the number of files, and of calendars too large for Google`()
      throws
    {
      func files() throws -> Int {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder("site"))
        return names.count { $0.contains(".") } - 1
      }
      try convert(5, "--stats", folder("s.json")).expectSilence()
      let count = try files()
      #expect(folder.text("s.json").contains("\"files\":{\"\(folder("site/"))\":\(count)}"))
      #expect(folder.text("s.json").contains("\"large_site_calendars\":0"))
      // A street of 1,001 houses, and none of them is too large.
      let run = try convert(1001, "--stats", folder("s.json"))
      #expect(run.code == 0 && run.errors.contains("with more than 1000 events or 1 MB: 1;"))
      #expect(run.errors.filter { $0 == "\n" }.count == 1, "\(run.errors)")
      #expect(folder.text("s.json").contains("\"large_site_calendars\":1"))
      #expect(folder.text("s.json").contains("/\":\(try files())}"))
      try convert(1001, "-q").expectSilence()
    }

    @Test(
      .enabled(
        if: SystemCalls.canBeTraced, "strace cannot trace: file systems are not imitated"))
    func `where folders cannot be exchanged, the site that stands is kept and nothing is read`()
      throws
    {
      try convert(3).expectSilence()
      let page = folder.bytes("site/index.html")
      // Broken data is not reached.
      try folder.write("feed.json", "[")
      let words = ["convert", folder("feed.json"), "-o", folder("site/")]
      let run = try SystemCalls.run(
        words, SystemCalls.Point(name: "renameat2", number: 1), "error=EINVAL")
      run.expectFailure(
        74, "sink: the file system of \"\(folder("site/"))\" cannot exchange folders")
      #expect(folder.bytes("site/index.html") == page && folder.names == ["feed.json", "site"])
    }

    @Test(arguments: [3, 70])
    func `a link at the place of a file with a name made of data is not followed`(count: Int) throws
    {
      try convert(count, "-o", folder("csv/{house}.csv")).expectSilence()
      try folder.write("mine.csv", "mine")
      unlink(folder("csv/2.csv"))
      try folder.link("csv/2.csv", to: "../mine.csv")
      let run = try convert(count, "-o", folder("csv/{house}.csv"))
      run.expectFailure(73, "sink: ")
      #expect(run.errors.contains("csv/2.csv"))
      #expect(folder.text("mine.csv") == "mine")
    }
  }
}
