import Foundation
import Testing

/// An input that is named in another way is the same input: it has one state and one ledger.
@Suite(.needsProgram) struct SpellingTests {
  /// The numbers of events' changes, in the calendar's order.
  private func sequences(_ night: Nightly) -> [String] {
    night.folder.text("c.ics").components(separatedBy: "\r\n").filter { $0.hasPrefix("SEQUENCE:") }
  }

  private func ledgers(_ night: Nightly) -> [String] {
    night.folder.entries("state/hot-water").filter { $0.hasSuffix(".events") }
  }

  /// Moves the outages of a feed night by night, each night with the next spelling.
  private func expectOneLedger(
    _ night: Nightly, spelled spellings: [String],
    _ run: (_ spelling: String) throws -> Run
  ) throws {
    for (count, spelling) in spellings.enumerated() {
      try night.offer(3, until: "\(10 + count).07.2020")
      let run = try run(spelling)
      #expect(run.code == 0, "\(spelling): \(run.errors)")
      #expect(
        sequences(night) == Array(repeating: "SEQUENCE:\(count)", count: 3), "\(spelling)")
      #expect(ledgers(night).count == 1, "\(spelling)")
    }
    let records = night.folder.entries("state/hot-water").filter { $0.hasSuffix(".json") }
    #expect(records.count == 1)
  }

  @Test func `a file has one ledger however its path is written`() throws {
    let night = try Nightly()
    _ = try night.folder.folder("x")
    try night.folder.link("here", to: night.folder.path)
    let spellings = [
      "feed.json", "./feed.json", ".//feed.json", "x/../feed.json", "here/feed.json",
      night.folder("feed.json"), night.folder.path + "//./feed.json",
    ]
    try expectOneLedger(night, spelled: spellings) { spelling in
      try BuiltProgram.run(night.words(input: spelling), in: night.folder.path)
    }
  }

  @Test func `a URL has one ledger whatever its password, token, fragment and case`() throws {
    let night = try Nightly(asking: "ok?id=4&token=first")
    let url = try #require(night.server?.url("ok?id=4&token=first"))
    let spellings = [
      url, url.replacing("first", with: "second"), url.replacing("&token=first", with: ""),
      url.replacing("//127", with: "//me:secret@127"), url + "#top",
      url.replacing("http:", with: "HTTP:"), url.replacing("/ok", with: "//ok"),
      url.replacing("/ok?", with: "/ok/?"),
    ]
    // The server knows the path in one spelling only.
    let asked = spellings.dropLast(2)
    try expectOneLedger(night, spelled: Array(asked)) { try night.run(input: $0) }
  }

  @Test func `a link has one ledger whatever it leads to, and a new one that of its file`() throws {
    let night = try Nightly()
    let folder = night.folder.path
    for count in 0..<3 {
      try night.offer(3, until: "\(10 + count).07.2020")
      try FileManager.default.moveItem(
        atPath: night.folder("feed.json"), toPath: night.folder("day\(count).json"))
      unlink(night.folder("latest.json"))
      try night.folder.link("latest.json", to: "day\(count).json")
      let run = try BuiltProgram.run(night.words(input: "latest.json"), in: folder)
      #expect(run.code == 0, "\(run.errors)")
      #expect(sequences(night).allSatisfy { $0 == "SEQUENCE:\(count)" })
    }
    let other = try Nightly()
    try other.offer(3)
    try other.run().expectSilence()
    try other.folder.link("other.json", to: "feed.json")
    try other.offer(3, until: "06.07.2020")
    try other.run(input: other.folder("other.json")).expectSilence()
    #expect(sequences(other) == Array(repeating: "SEQUENCE:1", count: 3))
    #expect(ledgers(other).count == 1)
  }
}
