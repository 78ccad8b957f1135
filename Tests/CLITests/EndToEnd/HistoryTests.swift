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
          2020-06-01  known from the first night: 10–12 June 2020
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

    @Test func `a document of one's own has its own columns, and none is there twice`() throws {
      let folder = try Scratch()
      try folder.write(
        "bins.yaml",
        "feed: bins\nrows: \"[]\"\ncolumns: {bin: bin, version: v, day: {kind: day}}\n"
          + "key: [bin]\nevent: {summary: \"{bin}\", start: day}\n")
      try folder.write("2026-01-01.json", #"[{"bin":"bio","v":"a","day":"2026-02-01"}]"#)
      try folder.write("2026-01-02.json", #"[{"bin":"bio","v":"b","day":"2026-02-01"}]"#)
      try folder.write("2026-01-03.json", #"[{"bin":"bio","v":"b","day":"2026-02-02"}]"#)
      let names = (1...3).map { "2026-01-0\($0).json" }
      let run = try BuiltProgram.run(["history", "--feed", "./bins.yaml"] + names, in: folder.path)
      #expect(
        try plain(run.output) == """
          bin,version,day,change,first_seen,last_seen,nights,ended,old_day,cancelled_on,restored_on,\
          unseen_from,unseen_to,history_version,uid,key
          bio,a,2026-02-01,new,2026-01-01,2026-01-01,1,reworded,,,,,,1,KEY-2026-1@bins.sluice,KEY
          bio,b,2026-02-01,reworded,2026-01-02,2026-01-02,1,moved,,,,,,2,KEY-2026-1@bins.sluice,KEY
          bio,b,2026-02-02,moved,2026-01-03,2026-01-03,1,,2026-02-01,,,,,3,KEY-2026-1@bins.sluice,KEY

          """)
    }

    @Test(.enabled(if: BuiltProgram.has("python3"), "python3 is missing: no archive is made"))
    func `the nights may be the files of one archive`() throws {
      let folder = try nights()
      let zip =
        "import zipfile, glob\nwith zipfile.ZipFile('a.zip', 'w') as z:\n"
        + "  for n in sorted(glob.glob('nights/*')): z.write(n)\n"
        + "with zipfile.ZipFile('b.zip', 'w') as z:\n"
        + "  for n in sorted(glob.glob('nights/*'), reverse=True): z.write(n)\n"
      #expect(try BuiltProgram.tool(["python3", "-c", zip], in: folder.path).code == 0)
      let run = try history("a.zip", "--entry", "*.json", in: folder)
      #expect(try plain(run.output) == Self.head + table)
      let all = try history("a.zip", in: folder)
      #expect(all.code != 0 && all.output == "", "several entries, and no pattern")
      let wrong = try history("b.zip", "--entry", "*.json", in: folder)
      #expect(wrong.code == 64 && wrong.errors.contains("2020-06-04"))
    }

    @Test func `a feed without events of days has no history`() throws {
      let folder = try nights()
      #expect(try history("nights", "--feed", "bonds", in: folder).code == 64)
    }
  }
}
