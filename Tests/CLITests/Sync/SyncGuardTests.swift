import Foundation
import Testing

/// Changes that are too strange to be published unseen.
@Suite(.needsProgram)
struct SyncGuardTests {
  /// Runs with a change that has to be refused, looks that nothing has changed, blesses it.
  private func expectRefusal(
    _ start: String, houses: Int, more: [String] = [],
    _ sourceLocation: SourceLocation = #_sourceLocation,
    of change: (Nightly) throws -> Void
  ) throws {
    for night in [try Nightly(), try Nightly(asking: "etag")] {
      try night.offer(8)
      try night.run().expectSilence(sourceLocation)
      let (stamps, copies) = (
        night.stamps, night.copies
      )
      try change(night)
      for _ in 0..<2 {
        let run = try BuiltProgram.run(night.words(["--max-age", "0"] + more))
        run.expectLogLine(75, "error: sync: \(start)", says: ["--accept"], sourceLocation)
        #expect(night.stamps == stamps, sourceLocation: sourceLocation)
        #expect(
          night.copies == copies,
          sourceLocation: sourceLocation)
        #expect(
          try night.status().contains("a guard refused the change"), sourceLocation: sourceLocation)
      }
      // No copy stands in for it: this is no failure of the source.
      #expect(try night.run("--stale-ok", "7d").code == 75, sourceLocation: sourceLocation)
      try night.run("--accept").expectSilence(sourceLocation)
      #expect(night.houses == houses, sourceLocation: sourceLocation)
      // Blessed once, it is what later changes are compared with.
      try night.run().expectSilence(sourceLocation)
    }
  }

  @Test func `an empty feed`() throws {
    try expectRefusal("the feed has no records, last time it had 8", houses: 0) {
      try $0.offer(0)
    }
  }

  @Test func `a feed that has lost more than a quarter`() throws {
    try expectRefusal("the feed has 5 records, last time it had 8", houses: 5) { try $0.offer(5) }
  }

  @Test func `a feed whose version goes back`() throws {
    try expectRefusal(
      "the feed went back from version \"26\" to \"9\"", houses: 8
    ) { try $0.offer(8, version: "9") }
  }

  @Test func `a feed that lies all in the past`() throws {
    try expectRefusal("all days of the feed are before 2020-07-01", houses: 8) {
      try $0.offer(8, until: "30.06.2020")
    }
  }

  @Test func `a choice that leaves nothing of what was published`() throws {
    let night = try Nightly()
    try night.offer(8)
    try night.run().expectSilence()
    let stamps = night.stamps
    let run = try night.run("--where", "house=99")
    #expect(run.code == 75 && run.errors.contains("last time 8 rows were published"))
    #expect(run.errors.contains("--accept") && night.stamps == stamps, "\(run.errors)")
    try night.run("--where", "house=99", "-q", "--accept").expectSilence()
    #expect(night.houses == 0)
    // Nothing before, nothing now.
    try night.run("--where", "house=99", "-q").expectSilence()
  }

  @Test func `limits and days can be set, and what is asked for does not matter`() throws {
    let night = try Nightly()
    try night.offer(8)
    // House 1 is all that is asked for; the guards look at the whole feed.
    try night.run("--where", "house=1").expectSilence()
    try night.offer(7, until: "30.06.2020")
    #expect(try night.run("--max-shrink", "10%").code == 75)
    #expect(try night.run().code == 75)
    let run = try BuiltProgram.run(
      night.words().map { $0 == "2020-07-01" ? "2020-06-30" : $0 } + ["--max-age", "0"])
    run.expectSilence()
    #expect(night.houses == 7)
    // That time passes is no change of the feed, and neither is a narrower choice.
    try night.run("--where", "house=2").expectSilence()
    #expect(night.houses == 1)
  }

  /// Puts a feed of so many houses at the source, from a number on.
  private func offer(_ night: Nightly, _ houses: ClosedRange<Int>) throws {
    try night.folder.write(
      "feed.json", SmallFeed.list(houses.map { SmallFeed.record(house: "\"\($0)\"") }))
  }

  @Test func `a feed that has as many records, but of other houses`() throws {
    let night = try Nightly()
    try offer(night, 1...40)
    try night.run().expectSilence()
    let (outputs, ledger) = (night.outputs, night.stamps)
    try offer(night, 21...60)
    let run = try BuiltProgram.run(night.words(["--max-age", "0"]))
    run.expectLogLine(
      75, "error: sync: 20 of 40 events to come would be cancelled at once: that is more than 25%",
      says: ["--accept"])
    #expect(night.outputs == outputs && night.stamps == ledger)
    // Refused again: nothing of it was noted.
    #expect(try night.run().code == 75)
    try night.run("--max-shrink", "50%").expectSilence()
    try offer(night, 81...120)
    #expect(try night.run().code == 75)
    try night.run("--accept").expectSilence()
    let calendar = night.folder.text("c.ics")
    #expect(calendar.split(separator: "STATUS:CANCELLED").count == 61)
  }

  @Test func `a document with another key is not let into the ledger`() throws {
    let night = try Nightly()
    try night.offer(8)
    try night.run().expectSilence()
    let outputs = night.outputs
    let document = try BuiltProgram.run(["feeds", "hot-water", "--document"]).output
    // Only wording: the ledger stays.
    try night.folder.write(
      "same.yaml", document.replacing("summary: Hot", with: "summary: The hot"))
    try night.run("--feed", night.folder("same.yaml")).expectSilence()
    let published = night.outputs
    try night.folder.write(
      "other.yaml",
      document.replacing("[locality, street, house, building, letter]", with: "[street, house]"))
    let words = ["--max-age", "0", "--feed", night.folder("other.yaml")]
    let run = try BuiltProgram.run(night.words(words))
    run.expectLogLine(
      75, "error: sync: the ledger has the events of another document of \"hot-water\" (key: [",
      says: ["→ [street, house]", "feed:", "--accept"])
    #expect(night.outputs == published)
    try night.run().expectSilence()
    #expect(night.outputs == outputs)
    try night.run("--feed", night.folder("other.yaml"), "--accept").expectSilence()
    #expect(try night.run().code == 75)
  }
}
