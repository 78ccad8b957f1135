import Testing

/// What `sync -v` says of events that wait for a record that can be read.
@Suite(.needsProgram)
struct RefusedRecordReportTests {
  @Test func `a record without a street cancels no house, and -v counts those that wait`() throws {
    let night = try Nightly()
    let records = (1...30).map { SmallFeed.record(house: "\"\($0)\"") }
    try night.folder.write("feed.json", SmallFeed.list(records))
    try night.run().expectSilence()
    let calendar = night.folder.bytes("c.ics")
    var spoilt = records
    spoilt[3] = SmallFeed.record(street: "null", house: "\"4\"")
    try night.folder.write("feed.json", SmallFeed.list(spoilt))
    let run = try night.run("--allow-rejects", "-v")
    #expect(run.code == 0)
    #expect(
      run.errors.contains(
        "no event changed; 1 missing and kept: a rejected record may have them"),
      "\(run.errors)")
    let kept = try #require(night.folder.bytes("c.ics"))
    #expect(kept.count == calendar?.count)
    #expect(!kept.text.contains("CANCELLED"))
    // The record can be read again.
    try night.folder.write("feed.json", SmallFeed.list(records))
    try night.run().expectSilence()
    #expect(night.folder.bytes("c.ics") == calendar)
  }
}
