import Foundation
import Testing

extension EndToEnd {
  /// Outputs that a configuration file gives options of their own.
  @Suite struct OwnOutputTests {
    private let folder: Scratch

    init() throws {
      folder = try Scratch()
      try folder.write(
        "feed.json",
        SmallFeed.list([
          SmallFeed.record(street: "\"Садовая\"", house: "\"1\"", period: "\"1.6.2020-5.6.2020\""),
          SmallFeed.record(street: "\"Садовая\"", house: "\"2\"", period: "\"1.7.2020-5.7.2020\""),
          SmallFeed.record(street: "\"Невский\"", house: "\"1\"", period: "\"1.7.2020-5.7.2020\""),
        ]))
    }

    private func run(
      _ outputs: String, _ words: String..., command: String = "convert"
    ) throws -> Run {
      try folder.write("c.yaml", "output:\n\(outputs)\n")
      return try BuiltProgram.run(
        [command, "feed.json", "--config", "c.yaml"] + words, in: folder.path)
    }

    /// The streets and houses of a table.
    private func houses(_ name: String) -> [String] {
      folder.text(name).split(separator: "\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false)[1...2].joined(separator: " ")
      }
    }

    @Test func `each output has its own rows, in place of those for all`() throws {
      try run(
        """
          - all.csv
          - {path: street.csv, where: street=Садовая}
          - {path: days.csv, from: '2020-06-01', to: '2020-06-30'}
          - {path: home.csv, address: Садовая 2}
          - {path: every.csv, where: [], from: '2020-01-01'}
          - {path: '{house}.csv', where: street=Невский}
        """, "--where", "house=1", "--where", "house=2", "--from", "2020-07-01"
      ).expectSilence()
      #expect(houses("all.csv") == ["Садовая 2", "Невский 1"])
      #expect(houses("street.csv") == ["Садовая 2"])
      #expect(houses("days.csv") == ["Садовая 1"])
      #expect(houses("home.csv") == ["Садовая 2"])
      #expect(houses("every.csv") == ["Садовая 1", "Садовая 2", "Невский 1"])
      #expect(houses("1.csv") == ["Невский 1"] && folder.bytes("2.csv") == nil)
    }

    @Test func `each output gives what it gives alone`() throws {
      try run(
        """
          - {path: a.csv, where: street=Садовая, csv-dialect: excel}
          - {path: b.ics, where: [house=1], alarm: [1d, 2h], calendar-name: Дом 1}
          - {path: c.ics, address: Невский 1, alarm: []}
          - {path: d.sqlite, where: street=Садовая}
          - {path: site/, where: street=Невский}
          - e.ndjson
        """, "--alarm", "30m"
      ).expectSilence()
      for words in [
        ["-o", "A.csv", "--where", "street=Садовая", "--csv-dialect", "excel"],
        ["-o", "B.ics", "--where", "house=1", "--alarm", "1d", "--alarm", "2h"]
          + ["--calendar-name", "Дом 1"],
        ["-o", "C.ics", "--address", "Невский 1"],
        ["-o", "D.sqlite", "--where", "street=Садовая"],
        ["-o", "E.ndjson"], ["-o", "SITE/", "--where", "street=Невский", "--alarm", "30m"],
      ] {
        try BuiltProgram.run(["convert", "feed.json"] + words, in: folder.path).expectSilence()
      }
      for name in ["a.csv", "b.ics", "c.ics", "e.ndjson"] {
        #expect(folder.bytes(name) == folder.bytes(name.prefix(1).uppercased() + name.dropFirst()))
      }
      #expect(folder.bytes("d.sqlite") == folder.bytes("D.sqlite"))
      #expect(folder.entries("site") == folder.entries("SITE"))
      for name in folder.entries("site") where name.contains(".") {
        #expect(folder.bytes("site/\(name)") == folder.bytes("SITE/\(name)"), "\(name)")
      }
    }

    @Test func `an output whose own selection is empty stays, and the others change`() throws {
      try run("  - {path: a.csv, where: house=1}\n  - {path: b.csv, where: house=2}")
        .expectSilence()
      let before = folder.bytes("a.csv")
      let outputs =
        "  - {path: a.csv, where: street=Садвая}\n  - {path: b.csv, from: '2020-07-01'}"
      let empty = try run(outputs)
      #expect(empty.code == 1)
      #expect(
        empty.errors
          == """
          sluice: warning: a.csv: none of 3 records matches --where; nearest values of street: \
          Садовая, Невский; it is unchanged; --allow-empty replaces it

          """)
      #expect(folder.bytes("a.csv") == before && houses("b.csv") == ["Садовая 2", "Невский 1"])
      let allowed = try run(outputs, "--allow-empty")
      #expect(allowed.code == 0 && houses("a.csv") == [])
    }

    @Test func `a night keeps what an own selection with a typing error would empty`() throws {
      let words = ["--state", folder("state"), "--today", "2020-06-01", "--max-age", "0"]
      func night(_ street: String, _ more: String...) throws -> Run {
        try folder.write(
          "c.yaml",
          """
          columns: house
          output:
            - all.csv
            - {path: a.csv, where: street=\(street), columns: []}
            - {path: 'split/{house}.csv', where: street=\(street)}
            - {path: late.csv, from: '2030-01-01'}
          """)
        return try BuiltProgram.run(
          ["sync", "feed.json", "--config", "c.yaml"] + words + more, in: folder.path)
      }
      _ = try night("Садовая")
      let before = [
        folder.bytes("a.csv"), folder.bytes("split/1.csv"), folder.bytes("split/2.csv"),
      ]
      #expect(before.allSatisfy { $0 != nil })
      #expect(folder.text("all.csv").hasPrefix("house\n"))
      #expect(folder.text("a.csv").hasPrefix("locality,"))
      let typo = try night("Садвая")
      #expect(typo.code == 0)
      #expect(typo.errors.contains("a.csv: none of 3 records matches --where"))
      #expect(typo.errors.contains("it is unchanged; --accept replaces it"))
      #expect(
        [folder.bytes("a.csv"), folder.bytes("split/1.csv"), folder.bytes("split/2.csv")] == before)
      // Days may have no rows one night.
      #expect(folder.text("late.csv") == "house\n")
      _ = try night("Садвая", "--accept")
      #expect(folder.text("a.csv").split(separator: "\n").count == 1)
      #expect(folder.bytes("split/1.csv") == nil)
    }

    @Test func `a night gives each calendar its own events, and remembers each place`() throws {
      let outputs = """
          - all.ics
          - {path: home.ics, address: Садовая 2}
          - {path: other.ics, address: Невский 1}
          - {path: june.ics, to: '2020-06-30'}
          - {path: 'ics/{house}.ics', where: street=Садовая}
        """
      let words = ["--state", folder("state"), "--today", "2020-06-01"]
      try folder.write("c.yaml", "output:\n\(outputs)\n")
      func night() throws -> Run {
        try BuiltProgram.run(
          ["sync", "feed.json", "--config", "c.yaml"] + words, in: folder.path)
      }
      func events(_ name: String) -> Int {
        folder.text(name).components(separatedBy: "BEGIN:VEVENT").count - 1
      }
      try night().expectSilence()
      let names = ["all.ics", "home.ics", "other.ics", "june.ics", "ics/1.ics", "ics/2.ics"]
      #expect(names.map(events) == [3, 1, 1, 1, 1, 1])
      // Both places leave the feed: their calendars say that it is cancelled.
      try folder.write(
        "feed.json",
        SmallFeed.list([
          SmallFeed.record(street: "\"Садовая\"", house: "\"1\"", period: "\"1.6.2020-5.6.2020\""),
          SmallFeed.record(street: "\"Садовая\"", house: "\"3\"", period: "\"1.7.2020-5.7.2020\""),
          SmallFeed.record(street: "\"Невский\"", house: "\"3\"", period: "\"1.7.2020-5.7.2020\""),
        ]))
      try night().expectSilence()
      #expect(folder.text("home.ics").contains("STATUS:CANCELLED"))
      #expect(folder.text("other.ics").contains("STATUS:CANCELLED"))
      #expect(names.map(events) == [5, 1, 1, 1, 1, 1])
    }

    @Test(arguments: [
      ("- {where: a=b}", "3:5: an output has no path; write {path: FILE, where: …}"),
      (
        "- {path: a.csv, feed: x}", "3:19: \"feed\" cannot be set for one output; possible are path"
      ),
      ("- {path: a.csv, from: [a]}", "3:25: \"from\" takes one value, not a list"),
      ("- {path: a.csv, from: june}", "3:25: --from: \"june\" is not a day"),
      ("- {path: a.csv, where: stret=a}", "3:26: --where: hot-water has no field \"stret\""),
      ("- {path: a.csv, alarm: 1x}", "3:26: --alarm: \"1x\" is not a length of time"),
      ("- {path: a.xyz, to: '2020-01-01'}", "3:12: cannot tell the format of \"a.xyz\""),
      ("- {path: a.csv, to: '2020-01-01'}", "3:23: --from 2020-02-01 is after"),
      ("- {path: , to: a}", "3:12: \"path\" has no value"),
      ("- {path: a.csv, path: b.csv}", "3:19: the key \"path\" is already in line 3"),
      ("- {path: a.csv, where: {a: b}}", "3:26: \"where\" has keys of its own"),
      ("- [a.csv]\n  - {path: b.csv}", "3:5: an item of \"output\" is not a text"),
    ])
    func `what is wrong with an output is said with its place`(
      item: String, message: String
    ) throws {
      try folder.write("c.yaml", "from: 2020-02-01\noutput:\n  \(item)\n")
      let run = try BuiltProgram.run(
        ["convert", "feed.json", "--config", "c.yaml"], in: folder.path)
      #expect(run.code == 64)
      #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func `config shows an output as a file could say it`() throws {
      let shown = try run(
        "  - all.csv\n  - path: home.ics\n    address: Садовая 2\n    alarm: [1d, 2h]",
        command: "config")
      let line = shown.output.split(separator: "\n").first { $0.hasPrefix("output:") } ?? ""
      #expect(
        line.hasPrefix(
          "output: [all.csv, {path: home.ics, address: 'Садовая 2', alarm: [1d, 2h]}]"))
      try folder.write("d.yaml", String(line))
      let words = ["convert", "feed.json", "--config", "d.yaml"]
      try BuiltProgram.run(words, in: folder.path).expectSilence()
      #expect(houses("all.csv").count == 3)
    }

    @Test func `conditions between outputs are warned of once`() throws {
      let warning = "sluice: warning: every --where counts for all outputs, wherever it stands"
      func warns(_ words: String...) throws -> Bool {
        let run = try BuiltProgram.run(["convert", "feed.json"] + words, in: folder.path)
        #expect(run.code == 0)
        return run.errors.hasPrefix(warning)
      }
      #expect(
        try warns("--where", "house=1", "-o", "a.csv", "--where", "house=2", "-o", "b.csv"))
      #expect(houses("a.csv").count == 3 && houses("b.csv").count == 3)
      #expect(
        try warns("-o", "a.csv", "--where", "house=1", "-o", "b.csv", "--where", "house=2"))
      #expect(
        try !warns("--where", "house=1", "--where", "house=2", "-o", "a.csv", "-o", "b.csv"))
      #expect(
        try !warns("-o", "a.csv", "--where", "house=1", "-o", "b.csv", "--where", "house=1"))
      #expect(try !warns("--where", "house=1", "-o", "a.csv", "--where", "house=2"))
    }
  }
}
