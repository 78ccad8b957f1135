import Foundation
import Testing

extension EndToEnd {
  /// `history`: what became of each event, night by night.
  @Suite struct HistoryTests {
    private static let head =
      "locality,street,house,building,letter,start_date,end_date,change,first_seen,last_seen,nights,"
      + "ended,old_start_date,old_end_date,cancelled_on,restored_on,unseen_from,unseen_to,version,"
      + "uid,address_id\n"

    private func night(_ days: String...) -> String {
      let records = days.map { days in
        """
        {"Населенный пункт":"П","Адрес жилого здания":"Садовая","№ дома":"1",\
        "Период отключения ГВС":"\(days)"}
        """
      }
      return "[\(records.joined(separator: ","))]"
    }

    /// Five nights of one house, of which that of 3 June is missing.
    private func nights() throws -> Scratch {
      let folder = try Scratch()
      _ = try folder.folder("nights")
      try folder.write("nights/n-2020-06-01.json", night("10.06.2020-12.06.2020"))
      try folder.write("nights/n-2020-06-02.json", night("11.06.2020-12.06.2020"))
      try folder.write("nights/n-2020-06-04.json", "[]")
      try folder.write("nights/n-2020-06-05.json", night("11.06.2020-12.06.2020"))
      return folder
    }

    private func history(_ words: String..., in folder: Scratch) throws -> Run {
      try BuiltProgram.run(["history", "--lang", "en"] + words, in: folder.path)
    }

    private let table = """
      П,Садовая,1,,,2020-06-10,2020-06-12,new,2020-06-01,2020-06-01,1,moved,,,,,,,1,KEY-2020-1@hot-water.sluice,KEY
      П,Садовая,1,,,2020-06-11,2020-06-12,moved,2020-06-02,2020-06-02,1,cancelled,2020-06-10,2020-06-12,2020-06-04,2020-06-05,2020-06-03,2020-06-03,2,KEY-2020-1@hot-water.sluice,KEY
      П,Садовая,1,,,2020-06-11,2020-06-12,restored,2020-06-05,2020-06-05,1,,,,,,,,3,KEY-2020-1@hot-water.sluice,KEY

      """

    /// A table without the number of the address.
    private func plain(_ text: String) throws -> String {
      let key = try #require(text.split(separator: "\n").last?.split(separator: ",").last)
      return text.replacingOccurrences(of: key, with: "KEY")
    }

    @Test func `each version of an event is a row, and days without a night are told`() throws {
      let folder = try nights()
      let run = try history("nights", in: folder)
      #expect(run.code == 0)
      #expect(try plain(run.output) == Self.head + table)
      #expect(run.errors == "sluice: there are no data of 1 day: 2020-06-03\n")
      #expect(try history("-q", "nights", in: folder).errors == "")
    }

    @Test func `the nights are taken in the order of their dates`() throws {
      let folder = try nights()
      let names = folder.entries("nights").map { "nights/\($0)" }.sorted(by: >)
      let run = try BuiltProgram.run(["history"] + names, in: folder.path)
      #expect(try plain(run.output) == Self.head + table)
    }

    @Test func `every format of tables has the same rows`() throws {
      let folder = try nights()
      let run = try history(
        "nights", "-o", "h.csv", "-o", "h.ndjson", "-o", "h.xlsx", "-o", "h.json", "-o", "h.tsv",
        in: folder)
      #expect(run.code == 0)
      #expect(try plain(folder.text("h.csv")) == Self.head + table)
      #expect(folder.text("h.ndjson").split(separator: "\n").count == 3)
      #expect(
        folder.text("h.ndjson").contains(#""nights":1,"ended":"moved","old_start_date":null"#))
      #expect(folder.names.contains("h.xlsx"))
      #expect(try history("nights", "-o", "h.ics", in: folder).code == 64)
      #expect(try history("nights", "-o", "site/", in: folder).code == 64)
      #expect(try history("nights", "-o", "nights/n-2020-06-01.json", in: folder).code == 64)
    }

    @Test(.enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing"))
    func `a database has one table of the versions`() throws {
      let folder = try nights()
      #expect(try history("nights", "-o", "h.sqlite", in: folder).code == 0)
      let query = "SELECT version, change, ended FROM history ORDER BY version"
      let run = try BuiltProgram.shell("sqlite3 h.sqlite '\(query)'", in: folder.path)
      #expect(run.output == "1|new|moved\n2|moved|cancelled\n3|restored|\n")
    }

    @Test func `a pattern says where the date is`() throws {
      let folder = try Scratch()
      try folder.write("01.06.20 2020.json", night("10.06.2020"))
      try folder.write("a_02062020", night("11.06.2020"))
      try folder.write("b_01062020", night("10.06.2020"))
      let run = try history("a_02062020", "b_01062020", "--pattern", "*_{ddMMyyyy}", in: folder)
      #expect(run.code == 0 && run.output.split(separator: "\n").count == 3)
      let same = try history("a_02062020", "b_01062020", "--input-date", "*_{ddMMyyyy}", in: folder)
      #expect(same.output == run.output)
      #expect(try history("a_02062020", "--pattern", "*", in: folder).code == 64)
      let other = try history(
        "a_02062020", "01.06.20 2020.json", "--pattern", "*_{ddMMyyyy}", in: folder)
      #expect(other.code == 64 && other.errors.contains("01.06.20 2020.json"))
    }

    @Test func `an input without a date, and two of one date, are faults`() throws {
      let folder = try nights()
      try folder.write("feed.json", night("10.06.2020"))
      try folder.write("other-2020-06-02.json", night("10.06.2020"))
      let none = try history("nights", "feed.json", in: folder)
      #expect(none.code == 64 && none.output == "")
      #expect(none.errors.contains("feed.json") && none.errors.contains("--pattern"))
      #expect(try history("nights", "none", in: folder).code == 66)
      #expect(try history(in: folder).code == 64)
      let two = try history("nights", "other-2020-06-02.json", in: folder)
      #expect(two.code == 64 && two.errors.contains("2020-06-02"))
      #expect(two.errors.contains("nights/n-2020-06-02.json"))
    }

    @Test func `a broken night publishes nothing, or is left out as if it were missing`() throws {
      let folder = try nights()
      try folder.write("nights/n-2020-06-03.json", "[{")
      try folder.write("h.csv", "old")
      let stop = try history("nights", "-o", "h.csv", in: folder)
      #expect(stop.code == 65 && folder.text("h.csv") == "old")
      #expect(stop.errors.contains("n-2020-06-03.json"))
      let skip = try history("nights", "-o", "h.csv", "--on-error", "skip", in: folder)
      #expect(skip.code == 3)
      #expect(skip.errors.contains("n-2020-06-03.json"))
      #expect(try plain(folder.text("h.csv")) == Self.head + table)
    }

    @Test func `one place's story is told to people`() throws {
      let folder = try nights()
      let run = try history("nights", "--address", "садовая 1", in: folder)
      #expect(
        run.output == """
          П, Садовая, house 1
          2020-06-01  in the first night: 10–12 June 2020
          2020-06-02  moved: 10–12 June 2020 → 11–12 June 2020
          2020-06-04  cancelled: 11–12 June 2020 (not seen on 2020-06-03)
          2020-06-05  announced again: 11–12 June 2020

          """)
      #expect(try history("nights", "--address", "садовая 7", in: folder).code == 1)
      #expect(try history("nights", "--address", "садовая 1", "-o", "x.csv", in: folder).code == 64)
      let russian = try BuiltProgram.run(
        ["history", "nights", "--address", "садовая 1", "--lang", "ru"], in: folder.path)
      #expect(
        russian.output.contains("2020-06-04  отменено: 11–12 июня 2020 (не было видно 2020-06-03)"))
    }

    @Test func `a feed without events of days has no history`() throws {
      let folder = try nights()
      #expect(try history("nights", "--feed", "bonds", in: folder).code == 64)
    }
  }
}
