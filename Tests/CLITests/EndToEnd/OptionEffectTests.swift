import Foundation
import Testing

extension EndToEnd {
  /// What the options do to the sample feeds.
  @Suite struct OptionEffectTests {
    private func rows(_ words: String...) throws -> [Substring] {
      let run = try BuiltProgram.run(
        ["convert", Samples.hotWater, "--allow-rejects", "--max-rejects", "100%"] + words)
      #expect(run.code == 0 && run.errors == "", "\(run.errors)")
      return Array(run.output.split(separator: "\n").dropFirst())
    }

    @Test func `a filter compares as addresses do; fields AND, values OR`() throws {
      #expect(try rows("--where", "street=Краснопутиловская").count == 3)
      #expect(try rows("--where", "street=  КРАСНОПУТИЛОВСКАЯ ").count == 3)
      #expect(try rows("--where", "street=Краснопутиловская", "--where", "house=65").count == 1)
      #expect(try rows("--where", "house=65", "--where", "house=67").count == 2)
      let one = try rows(
        "--where", "street=непокоренных", "--where", "letter=а", "--where", "house=15")
      #expect(try rows("--where", "address_id=c848c36e7b2fe71a") == one)
      #expect(try rows("--where", "locality=", "--where", "street=Савушкина").count == 1)
      #expect(try rows("--where", "house=").allSatisfy { $0.contains(",,") })
    }

    @Test func `days keep what overlaps them, both inclusive`() throws {
      let all = try rows().count
      #expect(try rows("--from", "2020-01-01", "--to", "2021-12-31").count == all)
      let march = try rows("--to", "2020-03-01")
      #expect(march.count == 1 && march[0].contains("2020-02-29,2020-03-01"))
      #expect(try rows("--from", "2020-03-01", "--to", "2020-03-01") == march)
      #expect(try rows("--from", "2021-01-03").count == 1)
      #expect(
        try rows("--from", "2020-08-01", "--to", "2020-08-09").allSatisfy {
          $0.contains("2020-08-0")
        }
      )
    }

    @Test func `the numbers of events are those before --from`() throws {
      let words = ["convert", Samples.hotWater, "-q", "--max-rejects", "3", "--format", "ics"]
      func uids(_ more: [String]) throws -> Set<Substring> {
        Set(
          try BuiltProgram.run(words + more).output.split(separator: "\r\n").filter {
            $0.hasPrefix("UID:")
          })
      }
      let some = try uids(["--from", "2020-08-01"])
      let all = try uids([])
      #expect(some.count > 3 && some.isSubset(of: all))
      #expect(some.contains { $0.contains("-2@") })
    }

    @Test func `a house that is not there is answered with houses that are`() throws {
      let run = try BuiltProgram.run([
        "convert", Samples.full, "--where", "street=Непокорённых", "--where", "house=15", "--where",
        "building=1", "--where", "letter=А",
      ])
      #expect(run.code == 1)
      run.expectOneLine(
        "sluice: warning: none of 13200 records matches --where; the nearest places: "
          + "Санкт-Петербург, Непокорённых, house 15 building 1 is there without a letter; "
          + "Санкт-Петербург, Непокорённых, house 15 building 2 letter Б; ")
      let wrong = try BuiltProgram.run(
        ["convert", Samples.full, "--where", "street=Cадовоя", "--where", "house=14"],
        environment: ["LC_ALL": "ru_RU.UTF-8"])
      #expect(wrong.errors.contains("самые похожие места: Санкт-Петербург, Садовая, дом 14\n"))
      // A Latin letter is the Cyrillic one that it looks like.
      let latin = try BuiltProgram.run(
        ["convert", Samples.full, "--where", "Улица=Cадовая", "--where", "house=14"])
      #expect(latin.code == 0 && latin.output.contains(",Садовая,14,"), "\(latin.errors)")
    }

    @Test func `a filter that keeps nothing says so, with the nearest values`() throws {
      let folder = try Scratch()
      let run = try BuiltProgram.run([
        "convert", Samples.full, "--where", "street=Кирочнная", "-o", folder("a.csv"), "-o",
        folder("c.ics"),
      ])
      #expect(run.code == 1 && run.output == "")
      run.expectOneLine(
        "sluice: warning: none of 13200 records matches --where; nearest values of street: Кирочная"
      )
      #expect(run.errors.split(separator: ",").count == 3)
      #expect(folder.text("a.csv").split(separator: "\n").count == 1)
      #expect(
        folder.text("c.ics").hasPrefix("BEGIN:VCALENDAR\r\n")
          && !folder.text("c.ics").contains("VEVENT"))
      let days = try BuiltProgram.run(["convert", Samples.full, "--from", "2031-01-01"])
      #expect(days.code == 1 && days.errors.contains("2020-05-11 to 2020-08-23"))
      let russian = try BuiltProgram.run(
        ["convert", Samples.full, "--where", "house=0"], environment: ["LC_ALL": "ru_RU.UTF-8"])
      russian.expectOneLine("sluice: warning: ни одна запись (из 13200)")
    }

    /// The lines of a calendar, unfolded and counted.
    private func calendar(
      _ words: [String], _ environment: [String: String] = [:]
    ) throws -> [String: Int] {
      let text = try BuiltProgram.run(words, environment: environment).output
      let lines = text.replacingOccurrences(of: "\r\n ", with: "").components(separatedBy: "\r\n")
      return lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    @Test func `calendar texts follow --lang, and messages the locale`() throws {
      let words = ["convert", Samples.hotWater, "--allow-rejects", "--format", "ics"]
      let russian = try calendar(words, ["LC_ALL": "en_US.UTF-8"])
      #expect(russian["PRODID:-//sluice//hot-water//RU"] == 1)
      #expect(russian["SUMMARY:Краснопутиловская\\, дом 65: нет горячей воды"] == 1)
      #expect(russian["BEGIN:VALARM"] == nil)
      let english = try calendar(words + ["--lang", "en"], ["LC_ALL": "ru_RU.UTF-8"])
      #expect(english["NAME:Hot water outages"] == 1)
      #expect(english["DESCRIPTION:22 June 2020 - 5 July 2020"] ?? 0 > 1)
      let alarms = ["--alarm", "1d", "--alarm", "2h", "--alarm", "30m"]
      let named = try calendar(words + ["--calendar-name", "Дом, мой; \\o/"] + alarms)
      #expect(named["NAME:Дом\\, мой\\; \\\\o/"] == 1)
      for trigger in ["-P1D", "-PT2H", "-PT30M"] { #expect(named["TRIGGER:\(trigger)"] == 41) }
      let error = try BuiltProgram.run(
        ["convert", "/nowhere"], environment: ["LC_MESSAGES": "ru_RU"])
      error.expectFailure(66, "source: нет файла «/nowhere»")
      let preferred = try BuiltProgram.run(
        ["convert", "/nowhere"], environment: ["LC_ALL": "C", "LANG": "ru_RU.UTF-8"])
      preferred.expectFailure(66, "source: there is no file")
    }

    @Test func `rejects within the limit are exit 3, above it nothing is published`() throws {
      let old = try OldOutputs(in: try Scratch())
      let words = ["convert", Samples.hotWater] + old.options
      for (limit, code) in [("2", 65), ("3", 3), ("6%", 65), ("8%", 3), ("0", 65), ("100%", 3)]
        as [(String, Int32)]
      {
        let folder = code == 65 ? old : try OldOutputs(in: try Scratch())
        let run = try BuiltProgram.run(
          ["convert", Samples.hotWater, "--max-rejects", limit] + folder.options
            + ["--rejects", old.folder("r"), "--stats", old.folder("s")])
        if code == 65 {
          run.expectFailure(65, "normalize: ")
          #expect(run.errors.contains("3 of 43"))
          old.expectUntouched()
        } else {
          #expect(run.code == code, "\(limit): \(run.errors)")
          run.expectOneLine("sluice: warning: 3 of 43 records rejected")
        }
        // Diagnostics are there either way.
        #expect(old.folder.text("r").split(separator: "\n").count == 3)
        #expect(old.folder.text("s").contains("\"rejected\":3,"))
        unlink(old.folder("r"))
        unlink(old.folder("s"))
      }
      try BuiltProgram.run(words + ["--allow-rejects"]).expectSilence()
      #expect(
        try BuiltProgram.run(["convert", Samples.hotWater, "--allow-rejects", "--max-rejects", "1"])
          .code == 65)
    }

    @Test func `statistics are one JSON object, also where nothing is published`() throws {
      let folder = try Scratch()
      let run = try BuiltProgram.run([
        "convert", Samples.hotWater, "--allow-rejects", "-o", folder("a.csv"), "-o",
        folder("c.ics"),
        "--stats", "-",
      ])
      let stats = try JSONDecoder().decode(Stats.self, from: Data(run.bytes.array))
      #expect(run.output.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
      #expect(
        (stats.read, stats.kept, stats.filtered, stats.skipped, stats.rejected) == (43, 38, 0, 2, 3)
      )
      #expect(stats.rows == 42 && stats.events == 41)
      #expect(stats.calendar_bytes == folder.bytes("c.ics")?.count)
      #expect(stats.first_day == "2020-02-29" && stats.last_day == "2021-01-03")
      try folder.write("broken", "[{\"№ дома\":1},\n")
      let broken = try BuiltProgram.run([
        "convert", folder("broken"), "-o", folder("x.csv"), "--stats", "-",
      ])
      #expect(broken.code == 65)
      let partial = try JSONDecoder().decode(Stats.self, from: Data(broken.bytes.array))
      #expect(partial.read == 1 && partial.rejected == 1)
      #expect(folder.bytes("x.csv") == nil)
    }

    @Test func `every exit code is met`() throws {
      let folder = try Scratch()
      try folder.write("broken", "[")
      let cases: [(Int32, [String])] = [
        (0, [Samples.full]), (3, [Samples.hotWater]), (64, ["--nope"]), (65, [folder("broken")]),
        (66, [folder("nothing")]), (69, ["http://127.0.0.1:9/feed"]),
        (73, [Samples.full, "-o", folder("none/a.csv")]),
        (74, [Samples.full, "-o", "/dev/full", "--format", "csv"]),
      ]
      for (code, words) in cases {
        let run = try BuiltProgram.run(["convert"] + words)
        #expect(run.code == code && run.signal == 0, "\(words): \(run.errors)")
      }
      // 75 is met in SameOutputTests.
    }
  }
}
