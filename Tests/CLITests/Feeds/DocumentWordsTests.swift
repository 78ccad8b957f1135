import Foundation
import Testing

@testable import Sluice

extension EndToEnd {
  /// What `feeds` says about the words of a document, and those that it proposes.
  @Suite struct DocumentWordsTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private static let document = "feed: a\nrows: '[]'\ncolumns: {t: {kind: instant}}\n"

    @Test func `a zone that does not exist is an error of the document`() throws {
      let path = try folder.write("a.yaml", Self.document + "clock: Europe/Londn\n")
      for command in [["feeds", "--check", path], ["convert", "-", "--feed", path]] {
        let run = try BuiltProgram.run(command)
        #expect(run.code == 64)
        #expect(
          run.errors.hasSuffix(
            #"a.yaml:4:8: "clock": there is no time zone "Europe/Londn"; did you mean "#
              + "Europe/London?\n"), "\(run.errors)")
      }
    }

    @Test func `without a database of zones, or of their old names, nothing is wrong with it`()
      throws
    {
      let (empty, database) = (try Scratch(), try Scratch())
      try database.write("UTC", "")
      try database.write("tzdata.zi", "# version 1\nL America/Los_Angeles US/Pacific\n")
      for (zone, zones, package) in [
        ("Europe/Londn", empty, "tzdata"), ("US/Pacific", database, "tzdata-legacy"),
      ] {
        let path = try folder.write("a.yaml", Self.document + "clock: \(zone)\n")
        let run = try BuiltProgram.run(
          ["feeds", "--check", path], environment: ["TZDIR": zones.path])
        #expect(run.code == 66)
        #expect(run.errors.contains("the package \(package)"), "\(run.errors)")
      }
    }

    @Test func `a text of events that looks like a column is told`() throws {
      let path = try folder.write(
        "a.yaml",
        "feed: a\nrows: '[]'\ncolumns: {bin: bin, league: league, d: {kind: day}}\nkey: [bin]\n"
          + "event: {summary: bin, categories: [Leage, league, Sport], location: here}\n")
      let run = try BuiltProgram.run(["feeds", "--check", path])
      #expect(run.code == 0)
      #expect(
        run.errors == """
          sluice: "summary": every event has the text "bin"; for the column write "{bin}"
          sluice: "categories": every event has the text "Leage"; for the column write "{league}"

          """)
    }

    /// Samples with days and times in forms of their own, and lines that `--new` writes of them.
    private static let samples: [(json: String, lines: [String])] = [
      (
        #"[{"bin":"paper","next":"05/01/2026"},{"bin":"bio","next":"19/01/2026"}]"#,
        ["  next: {kind: day, format: dd/MM/yyyy, required: true}  # 05/01/2026"]
      ),
      (
        #"[{"bin":"paper","next":"05/01/2026","d":"2026-01-05"}]"#,
        [
          "  # dd/MM/yyyy or MM/dd/yyyy? The sample fits both: "
            + "{from: next, kind: day, format: dd/MM/yyyy}",
          "  next: next  # 05/01/2026",
        ]
      ),
      (
        #"[{"bin":"paper","at":"Mo., 5. Jan. 2026"}]"#,
        [
          "  at: {kind: day, format: 'EEE, d. MMM yyyy', names: de, required: true}  # Mo., 5. Jan. 2026"
        ]
      ),
      (
        #"[{"course":"Yoga","date":20260701,"startTime":1800,"endTime":1930}]"#,
        [
          "# clock: Europe/London",
          "  date: {kind: day, format: yyyyMMdd, required: true}  # 20260701",
          "  start_time: {from: startTime, kind: time}  # 1800",
          "  # start: {day: date, time: start_time}", "  # end: {time: end_time}",
        ]
      ),
      (
        #"[{"id":"1","seen":"2026-01-05T10:00:00"},{"id":"2","seen":"2026-01-06T11:30:00"}]"#,
        [
          "# clock: Europe/London",
          "  # The day of a local time. With a clock the time is there too: "
            + "{from: seen, kind: instant}",
          "  seen: {kind: day, read: instant, required: true}  # 2026-01-05T10:00:00",
        ]
      ),
    ]

    @Test func `formats and times of day are proposed, and convert the sample`() throws {
      for (json, lines) in Self.samples {
        let sample = try folder.write("s.json", json)
        for language in ["en", "ru"] {
          let new = try BuiltProgram.run(["feeds", "--new", sample, "--lang", language])
          #expect(new.code == 0)
          let document = try folder.write("s.yaml", new.output)
          let check = try BuiltProgram.run(["feeds", "--check", document, sample])
          #expect(check.code == 0, "\(check.errors)\n\(new.output)")
          let events = try BuiltProgram.run(
            ["convert", sample, "--feed", document, "--format", "ics"])
          #expect(events.code == 0 && events.output.contains("BEGIN:VEVENT"), "\(events.errors)")
          guard language == "en" else { continue }
          let written = new.output.split(separator: "\n").map(String.init)
          for line in lines { #expect(written.contains(line), "\(line)\n\(new.output)") }
        }
      }
    }

    @Test func `what it proposes holds with the clock that a person adds`() throws {
      let sample = try folder.write("s.json", Self.samples[3].json)
      let new = try BuiltProgram.run(["feeds", "--new", sample])
      let document = try folder.write(
        "s.yaml",
        new.output.replacingOccurrences(of: "  start: date\n", with: "")
          .replacingOccurrences(of: "# clock:", with: "clock:")
          .replacingOccurrences(of: "  # start:", with: "  start:")
          .replacingOccurrences(of: "  # end:", with: "  end:"))
      let events = try BuiltProgram.run(["convert", sample, "--feed", document, "--format", "ics"])
      #expect(events.output.contains("DTSTART:20260701T170000Z"), "\(events.errors)")
      #expect(events.output.contains("DTEND:20260701T183000Z"))
    }
  }
}
