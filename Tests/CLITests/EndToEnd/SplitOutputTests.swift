import Foundation
import Testing

extension EndToEnd {
  /// Outputs with columns in their names: a file for each value.
  @Suite struct SplitOutputTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Writes a feed of houses 1 to `count`.
    private func writeFeed(
      _ count: Int, period: (Int) -> String = { _ in "22.06.2020-05.07.2020" }
    ) throws {
      try folder.write(
        "feed.json",
        SmallFeed.list(
          (1...count).map {
            SmallFeed.record(
              street: "\"Улица \($0 % 7)\"", house: "\"\($0)\"", period: "\"\(period($0))\"")
          }))
    }

    private func run(_ words: String...) throws -> Run {
      try BuiltProgram.run(["convert", "feed.json"] + words, in: folder.path)
    }

    /// The contents of all files of a folder, by their names.
    private func contents(_ name: String) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: folder.entries(name).map { ($0, folder.text("\(name)/\($0)")) })
    }

    /// What the system knows of a file: it changes with every replacement.
    private func marks(_ name: String) -> [String: [Int]] {
      Dictionary(
        uniqueKeysWithValues: folder.entries(name).map { entry in
          let status = folder.status("\(name)/\(entry)")
          return (
            entry,
            [Int(status?.st_ino ?? 0), status?.st_mtim.tv_sec ?? 0, status?.st_mtim.tv_nsec ?? 0]
          )
        })
    }

    @Test(arguments: [30, 200])
    func `each file has its rows in the order of the feed, beside whole outputs`(
      count: Int
    ) throws {
      try writeFeed(count)
      try run(
        "-o", "all.csv", "-o", "all.ndjson", "-o", "all.ics", "-o", "csv/{house}.csv", "-o",
        "{street}.ndjson", "-o", "ics/{address_id}.ics"
      ).expectSilence()
      let rows = folder.text("all.csv").split(separator: "\n")
      #expect(folder.entries("csv").count == count && folder.entries("ics").count == count)
      #expect(folder.text("csv/17.csv") == "\(rows[0])\n\(rows[17])\n")
      let lines = folder.text("all.ndjson").split(separator: "\n")
      for street in 0..<7 {
        #expect(
          folder.text("Улица \(street).ndjson").split(separator: "\n")
            == lines.filter { $0.contains("\"Улица \(street)\"") })
      }
      // All calendars together are the whole one.
      let begin = try #require(folder.text("all.ics").range(of: "BEGIN:VEVENT"))
      let header = folder.text("all.ics")[..<begin.lowerBound]
      let end = "END:VCALENDAR\r\n"
      let events = rows.dropFirst().map { row in
        let calendar = folder.text("ics/\(row.split(separator: ",").last ?? "").ics")
        #expect(calendar.hasPrefix(header) && calendar.hasSuffix(end))
        return calendar.dropFirst(header.count).dropLast(end.count)
      }
      // A calendar of one house has titles without the address.
      func untitled(_ calendar: String) -> [Substring] {
        calendar.replacing("\r\n ", with: "").split(separator: "\r\n")
          .filter { !$0.hasPrefix("SUMMARY:") }
      }
      #expect(untitled(header + events.joined() + end) == untitled(folder.text("all.ics")))
      #expect(events.allSatisfy { $0.contains("SUMMARY:Нет горячей воды\r\n") })
      #expect(folder.temporaries == [] && folder.entries("ics").allSatisfy { $0.first != "." })
    }

    @Test(arguments: [30, 200])
    func `only files that change are touched`(count: Int) throws {
      try writeFeed(count)
      try run("-o", "ics/{address_id}.ics").expectSilence()
      let before = marks("ics")
      try run("-o", "ics/{address_id}.ics").expectSilence()
      #expect(marks("ics") == before)
      try writeFeed(count) { $0 == 5 ? "01.07.2020-05.07.2020" : "22.06.2020-05.07.2020" }
      // The feed has another age, and so have all of its events, but for this.
      let words = ["convert", "feed.json", "-o", "csv/{house}.csv"]
      #expect(try BuiltProgram.run(words, in: folder.path).code == 0)
      let csv = marks("csv")
      try writeFeed(count) { $0 == 6 ? "01.07.2020-05.07.2020" : "22.06.2020-05.07.2020" }
      #expect(try BuiltProgram.run(words, in: folder.path).code == 0)
      let after = marks("csv")
      #expect(csv.keys.filter { csv[$0] != after[$0] }.sorted() == ["5.csv", "6.csv"])
    }

    @Test(arguments: [30, 200])
    func `a file keeps its mode, and one that is no regular file is not replaced`(
      count: Int
    ) throws {
      try writeFeed(count)
      _ = try folder.folder("csv")
      try folder.write("csv/3.csv", "old")
      chmod(folder("csv/3.csv"), 0o640)
      try run("-o", "csv/{house}.csv").expectSilence()
      #expect(folder.status("csv/3.csv").map { $0.st_mode & 0o777 } == 0o640)
      #expect(folder.text("csv/3.csv") != "old")
      unlink(folder("csv/4.csv"))
      _ = try folder.folder("csv/4.csv")
      let before = contents("csv")
      let refused = try run("-o", "csv/{house}.csv", "--csv-dialect", "excel")
      #expect(refused.code == 73)
      #expect(refused.errors.contains("csv/4.csv"))
      #expect(contents("csv") == before)
    }

    @Test func `convert removes nothing`() throws {
      try writeFeed(100)
      try run("-o", "csv/{house}.csv").expectSilence()
      try writeFeed(70)
      try run("-o", "csv/{house}.csv").expectSilence()
      #expect(folder.entries("csv").count == 100)
    }

    @Test func `a list tells the values of each file`() throws {
      try folder.write(
        "feed.json",
        SmallFeed.list([
          SmallFeed.record(house: "\"5/2\""),
          SmallFeed.record(street: "\"А \\\"Б\\\"\"", house: "\"1\""),
          SmallFeed.record(house: "\"5/2\"", period: "\"01.08.2020\""),
        ]))
      try run("-o", "x/{street}/{house}.csv", "--file-index", "index.ndjson").expectSilence()
      let lines = folder.text("index.ndjson").split(separator: "\n")
      #expect(lines.count == 2)
      #expect(
        lines[1].hasPrefix("{\"file\":\"x/Наличная/5_2~")
          && lines[1].hasSuffix(".csv\",\"values\":{\"street\":\"Наличная\",\"house\":\"5/2\"}}"))
      #expect(lines[0].hasSuffix("\"values\":{\"street\":\"А \\\"Б\\\"\",\"house\":\"1\"}}"))
    }

    @Test func `hostile values stay in their folder`() throws {
      try folder.write(
        "feed.json",
        SmallFeed.list([
          SmallFeed.record(locality: "\"..\"", more: ",\"литер\":\"/../../x\""),
          SmallFeed.record(locality: "\"/etc\"", more: ",\"литер\":\"\\u0000\""),
        ]))
      _ = try folder.folder("out")
      #expect(try run("-o", "out/{locality}/{letter}.csv").code == 0)
      #expect(folder.names == ["feed.json", "out"])
      #expect(folder.entries("out").allSatisfy { $0.hasPrefix("_") })
    }

    @Test(arguments: [
      ("-o {city}.csv", "\"{city}\" in \"{city}.csv\" is not a column; choose from \"locality\","),
      ("-o {}.csv", "\"{}\" in \"{}.csv\" is not a column"),
      ("-o {table}-{day}.csv", "\"{day}\""),
      ("-o {house}.sqlite", "a file of this format holds all rows and cannot be split"),
      ("-o {house}.xlsx", "a file of this format holds all rows and cannot be split"),
      ("-o a.csv --file-index i", "--file-index needs an output with a column in its name"),
      ("-o {house}.csv --max-files 0", "--max-files: \"0\" is not a number"),
      ("-o {house}.csv -o {house}.csv", "-o names one file twice"),
      ("-o {house}.csv --file-index feed.json", "--file-index names the input"),
    ])
    func `what cannot be split is refused before anything is read`(
      words: String, problem: String
    ) throws {
      try writeFeed(3)
      let run = try BuiltProgram.run(
        ["convert", "feed.json"] + words.split(separator: " ").map(String.init), in: folder.path)
      #expect(run.code == 64)
      #expect(run.errors.contains(problem), "\(run.errors)")
      #expect(folder.names == ["feed.json"])
    }

    @Test func `more files than the limit are refused`() throws {
      try writeFeed(100)
      let run = try run("-o", "csv/{house}.csv", "-o", "a.csv", "--max-files", "99")
      #expect(run.code == 65)
      run.expectOneLine("sluice: error: sink: \"csv/{house}.csv\" would be more than 99 files")
      #expect(folder.names == ["feed.json"])
      try self.run("-o", "csv/{house}.csv", "--max-files", "100").expectSilence()
    }

    @Test func `a calendar that Google refuses is warned of once, with the way out`() throws {
      try writeFeed(1001)
      let words = ["-o", "a.ics", "-o", "b.ics", "-o", "ics/{street}.ics"]
      let run = try BuiltProgram.run(["convert", "feed.json"] + words, in: folder.path)
      #expect(run.code == 0)
      run.expectOneLine("sluice: warning: a calendar has 1001 events and ")
      #expect(run.errors.contains("-o 'ics/{address_id}.ics'"))
      #expect(run.errors.contains("--where FIELD=VALUE"))
      let quiet = try BuiltProgram.run(["convert", "feed.json", "-q"] + words, in: folder.path)
      quiet.expectSilence()
      // Each of the files is small enough.
      try self.run("-o", "ics/{street}.ics").expectSilence()
      try writeFeed(1000)
      try self.run("-o", "a.ics").expectSilence()
      // One of them is too large.
      try writeFeed(1001)
      let large = try self.run("-o", "{locality}.ics")
      large.expectOneLine("sluice: warning: a calendar has 1001 events and ")
    }

    @Test func `two outputs with a file of one name are refused`() throws {
      try writeFeed(8)
      let run = try run("-o", "x/{street}.csv", "-o", "x/{locality}.csv", "-o", "x/{house}.csv")
      #expect(run.code == 0)
      try folder.write(
        "feed.json", SmallFeed.list([SmallFeed.record(street: "\"А\"", house: "\"а\"")]))
      let same = try self.run("-o", "x/{street}.csv", "-o", "x/{house}.csv")
      #expect(same.code == 73)
      #expect(same.errors.contains("two outputs would write"))
      #expect(folder.entries("x").filter { $0.first == "." } == [])
    }

    @Test func `all bytes count for the limit of the outputs`() throws {
      try writeFeed(100)
      let run = try run("-o", "csv/{house}.csv", "--max-output", "10K")
      #expect(run.code == 65)
      #expect(run.errors.contains("--max-output BYTES"))
      #expect(folder.names == ["feed.json"])
    }

    @Test func `a selection without rows leaves the files alone`() throws {
      try writeFeed(100)
      try run("-o", "csv/{house}.csv").expectSilence()
      let before = marks("csv")
      #expect(try run("-o", "csv/{house}.csv", "--where", "house=0").code == 1)
      #expect(marks("csv") == before && folder.temporaries == [])
    }

    @Test func `another run of the same files waits`() throws {
      try writeFeed(100)
      let fifo = try folder.pipe("pipe")
      let child = try BuiltProgram.start(
        [BuiltProgram.path, "convert", fifo, "-o", folder("csv/{house}.csv")])
      let writer = try BuiltProgram.start(
        ["bash", "-c", "exec 3> '\(fifo)'; sleep 1; cat '\(folder("feed.json"))' >&3"])
      usleep(500_000)
      let second = try run("-o", "csv/{house}.csv")
      #expect(second.code == 75 && second.errors.contains("another run"))
      #expect(writer.wait().code == 0)
      child.wait().expectSilence()
      #expect(folder.entries("csv").count == 100)
    }

    @Test func `the name of the table may stand beside a column`() throws {
      try BuiltProgram.run(
        [
          "convert", Samples.posts, "--feed", "posts", "--table", "posts", "-o",
          "{table}/{id}.csv", "-o", "{table}.csv",
        ], in: folder.path
      ).expectSilence()
      let table = folder.text("posts.csv")
      let header = try #require(table.split(separator: "\n").first)
      let files = folder.entries("posts")
      #expect(files.count > 5)
      let rows = files.map { folder.text("posts/\($0)").dropFirst(header.count + 1) }
      #expect(rows.reduce(header.count + 1) { $0 + $1.count } == table.count)
      #expect(rows.allSatisfy { table.contains($0) })
      // The other tables have no such column.
      let all = try BuiltProgram.run(
        ["convert", Samples.posts, "--feed", "posts", "-o", "{table}/{id}.csv"], in: folder.path)
      #expect(all.code == 64 && all.errors.contains("\"user_id\""))
    }

    @Test func `events of several rows go into the files of their days`() throws {
      let run = try BuiltProgram.run(
        [
          "convert", Samples.weather, "--feed", "weather", "--allow-rejects", "-q", "-o",
          "ics/{instant}.ics", "-o", "all.ics",
        ], in: folder.path)
      #expect(run.code == 0, "\(run.errors)")
      let days = folder.entries("ics")
      #expect(days.count > 1 && days.allSatisfy { $0.count == 14 }, "\(days)")
      let events = days.map { day in
        let text = folder.text("ics/\(day)")
        #expect(text.contains("DTSTART;VALUE=DATE:" + day.prefix(10).filter { $0 != "-" }))
        return text.components(separatedBy: "BEGIN:VEVENT").count - 1
      }
      #expect(
        events.reduce(0, +) == folder.text("all.ics").components(separatedBy: "BEGIN:VEVENT").count
          - 1)
      let other = try BuiltProgram.run(
        ["convert", Samples.weather, "--feed", "weather", "-o", "{humidity}.ics"], in: folder.path)
      #expect(other.code == 64 && other.errors.contains("\"instant\""), "\(other.errors)")
    }

    @Test func `a run that was killed with few files is swept too`() throws {
      try writeFeed(20)
      let words = ["convert", folder("feed.json"), "-o", folder("csv/{street}/{house}.csv")]
      try BuiltProgram.run(words).expectSilence()
      let new = folder.text("csv/Улица 3/3.csv")
      for count in 1...12 {
        try FileManager.default.removeItem(atPath: folder("csv"))
        let point = SystemCalls.Point(name: "linkat", number: count)
        guard SystemCalls.canBeTraced else { return }
        #expect(try SystemCalls.run(words, point, "signal=SIGKILL").signal == SIGKILL)
        // The next run has fewer files, so that it makes not all of the names again.
        try writeFeed(5)
        try BuiltProgram.run(words).expectSilence()
        try writeFeed(20)
        let left = FileManager.default.subpaths(atPath: folder("csv")) ?? []
        #expect(left.filter { $0.contains(".sluice-tmp") } == [], "\(point)")
        #expect(folder.text("csv/Улица 3/3.csv") == new)
      }
    }
  }
}
