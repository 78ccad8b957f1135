import Foundation
import Testing

@testable import Sluice

extension EndToEnd {
  /// Feeds whose rows have several events.
  @Suite struct SeveralEventsTests {
    private let folder: Scratch
    private let input: String
    private let document: String

    init() throws {
      folder = try Scratch()
      input = try folder.write(
        "dates.csv",
        """
        street,paper,glass,trees
        Lindenweg,2026-01-05,2026-01-12,2026-03-14
        Ahornweg,2026-01-06,2026-02-02,

        """)
      document = try folder.write(
        "dates.yaml",
        """
        feed: dates
        rows: "[]"
        columns: {street: street, paper: {kind: day}, glass: {kind: day}, trees: {kind: day}}
        key: [street]
        search: {street: street}
        event:
          - {calendar: Bins, summary: "Paper, {street}", own: Paper, start: paper, alarm: 1d}
          - {summary: "Glass, {street}", own: Glass, start: glass, where: {street: {not: x}}}
          - {summary: "Trees, {street}", start: trees, as: trees}

        """)
    }

    private func convert(_ more: String...) throws -> Run {
      try BuiltProgram.run(["convert", input, "--feed", document] + more)
    }

    private func titles(_ calendar: String) -> [String] {
      calendar.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("SUMMARY:") }
        .map { String($0.dropFirst(8).replacing("\\", with: "")) }
    }

    @Test func `tables have a row once, calendars each of its events`() throws {
      let csv = try convert()
      #expect(csv.output == folder.text("dates.csv"))
      let calendar = try convert("--format", "ics").output
      #expect(
        titles(calendar) == [
          "Paper, Lindenweg", "Glass, Lindenweg", "Trees, Lindenweg", "Paper, Ahornweg",
          "Glass, Ahornweg",
        ])
      #expect(calendar.components(separatedBy: "TRIGGER:-P1D").count == 6)
      #expect(calendar.contains("-2026-1-trees@dates.sluice"))
    }

    @Test func `each output has the events of its own days, sorted or not`() throws {
      for sort in [[], ["--sort", "street"]] {
        let settings = try folder.write(
          "settings.yaml",
          """
          output:
          - a.csv
          - {path: all.ics, from: 2026-02-01}
          - {path: march.csv, from: 2026-03-01, to: 2026-03-31}
          - {path: none.csv, from: 2026-01-20, to: 2026-01-25}

          """)
        let run = try BuiltProgram.run(
          ["convert", input, "--feed", document, "--config", settings, "--allow-empty"] + sort,
          in: folder.path)
        #expect(run.code == 0, "\(run.errors)")
        #expect(titles(folder.text("all.ics")) == ["Trees, Lindenweg", "Glass, Ahornweg"])
        #expect(folder.text("march.csv").contains("Lindenweg"))
        #expect(!folder.text("march.csv").contains("Ahornweg"))
        #expect(folder.text("none.csv") == "street,paper,glass,trees\n")
      }
      let late = try convert("--from", "2026-02-01", "--format", "ics").output
      #expect(titles(late) == ["Trees, Lindenweg", "Glass, Ahornweg"])
    }

    @Test func `a calendar of one place has the own titles of all events`() throws {
      let run = try convert("-o", folder("{street}.ics"))
      #expect(run.code == 0, "\(run.errors)")
      #expect(titles(folder.text("Lindenweg.ics")) == ["Paper", "Glass", "Trees, Lindenweg"])
      #expect(titles(folder.text("Ahornweg.ics")) == ["Paper", "Glass"])
    }

    @Test func `a site and find show each event`() throws {
      let run = try convert("-o", folder("site/"))
      #expect(run.code == 0, "\(run.errors)")
      let houses = try FileManager.default.contentsOfDirectory(atPath: folder("site/house"))
      let calendars = houses.sorted().map { titles(folder.text("site/house/\($0)")) }
      #expect(Set(calendars) == [["Paper", "Glass", "Trees, Lindenweg"], ["Paper", "Glass"]])
      let found = try BuiltProgram.run(
        [
          "find", "linden", "--feed", document, "--input", input, "--lang", "en", "--today",
          "2026-01-01",
        ])
      #expect(found.code == 0, "\(found.errors)")
      for day in ["5 January 2026", "12 January 2026", "14 March 2026"] {
        #expect(found.output.contains(day), "\(found.output)")
      }
    }

    @Test func `feeds says what the events are, and --check counts them all`() throws {
      let shown = try BuiltProgram.run(["feeds", document, "--lang", "en"])
      #expect(shown.output.contains("\nevents of a row: paper, glass (2), trees\n"))
      #expect(shown.output.contains("\nevents where: glass: "))
      let check = try BuiltProgram.run(["feeds", "--check", document, input, "--lang", "en"])
      #expect(check.code == 0)
      #expect(check.output.contains("\nevents: 5\n"), "\(check.output)")
    }

    @Test func `sync keeps no ledger of them, and the UIDs stay`() throws {
      func night() throws -> Set<Substring> {
        let run = try BuiltProgram.run([
          "sync", input, "--feed", document, "--state", folder("state"), "-o",
          folder("night.ics"), "--max-age", "0s",
        ])
        #expect(run.code == 0, "\(run.errors)")
        return Set(
          folder.text("night.ics").split(whereSeparator: \.isNewline).filter { $0.hasPrefix("UID") }
        )
      }
      let first = try night()
      #expect(first.count == 5)
      _ = try folder.write(
        "dates.csv",
        """
        street,paper,glass,trees
        Ahornweg,2026-01-06,2026-02-02,
        Lindenweg,2026-01-05,2026-01-13,2026-03-14

        """)
      #expect(try night() == first)
    }
  }
}
