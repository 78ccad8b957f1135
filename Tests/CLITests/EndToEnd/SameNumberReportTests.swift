import Foundation
import Testing

extension EndToEnd {
  /// What a run reports of two addresses with the same number.
  @Suite struct SameNumberReportTests {
    private let folder: Scratch

    init() throws {
      folder = try Scratch()
      let street =
        "vzt86b7y5hu596850prr3z0yqbfv5b9m20n8cwy55hzvv1xc0n6iujeayk7e08wfwai4tn8l6gq947pl0lvmgss"
        + "napwv48fr7seeulgc3hnmr13bhgj3q0r7dytehf0gd9djq1n06o1ebre2r07x6vk0yeos6ldnkutpu053k19o"
        + "tan76a1ycm008eq"
      var records = [
        SmallFeed.record(street: "\"Лесная\"", house: "\"7\"", locality: "\"Пушкин\""),
        SmallFeed.record(street: "\"\(street)\"", house: "null", locality: "null"),
      ]
      for number in 1...30 { records.append(SmallFeed.record(house: "\"\(number)\"")) }
      try folder.write("feed.json", SmallFeed.list(records))
    }

    @Test(arguments: [["convert"], ["sync", "--state", "state", "--today", "2020-06-01"]])
    func `tables have both, the calendar the first, and the exit code is 3`(_ words: [String])
      throws
    {
      let more = [
        "feed.json", "-o", "a.csv", "-o", "a.ics", "-o", "a.sqlite", "--stats", "s.json",
      ]
      let run = try BuiltProgram.run(words + more + ["--rejects", "r.ndjson"], in: folder.path)
      #expect(run.code == 3)
      #expect(run.errors.contains("warning: same-number: 1 record not in the calendar"))
      #expect(folder.bytes("a.csv")?.lines == 33)
      let calendar = folder.text("a.ics")
      #expect(calendar.split(separator: "\r\n").count { $0.hasPrefix("UID:") } == 31)
      #expect(calendar.contains("Лесная") && !calendar.contains("vzt86b7y5"))
      let stats = try JSONDecoder().decode(Stats.self, from: Data(folder.text("s.json").utf8))
      #expect(stats.addsUp && stats.kept == 32 && stats.same_number == 1)
      #expect(
        folder.text("r.ndjson").contains(#""field":null,"value":null,"reason":"same-number""#))
      let rows = try BuiltProgram.shell(
        "sqlite3 a.sqlite 'SELECT count(*) FROM hot_water'",
        in: folder.path)
      #expect(rows.output.hasPrefix("32"), "\(rows.output) \(rows.errors)")
      try BuiltProgram.run(words + more + ["--allow-rejects"], in: folder.path).expectSilence()
    }

    @Test func `it does not count for the limit of rejects, as its rows are published`() throws {
      let words = ["convert", "feed.json", "-o", "a.csv", "-o", "a.ics", "--max-rejects", "0"]
      let run = try BuiltProgram.run(words, in: folder.path)
      #expect(run.code == 3 && folder.bytes("a.csv")?.lines == 33)
    }
  }
}
