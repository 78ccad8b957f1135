import Foundation
import Testing

extension EndToEnd {
  /// The forms of tables as a person asks for them.
  @Suite struct TableOptionsTests {
    private let bonds = [Samples.bonds, "--feed", "bonds", "--allow-rejects"]

    @Test func `TSV and JSON have the rows of CSV`() throws {
      let folder = try Scratch()
      let run = try BuiltProgram.run(
        ["convert"] + bonds + [
          "-o", folder("a.tsv"), "-o", folder("a.json"), "-o", folder("a.ndjson"),
          "-o", folder("a.csv"),
        ])
      #expect(run.code == 0, "\(run.errors)")
      let lines = folder.text("a.ndjson").split(separator: "\n")
      #expect(folder.text("a.json") == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
      let rows = folder.text("a.tsv").split(separator: "\n")
      #expect(rows.count == lines.count + 1 && rows.count > 5)
      #expect(rows.allSatisfy { $0.split(separator: "\t").count == 5 })
      let standard = try BuiltProgram.run(["convert"] + bonds + ["--format", "json"])
      #expect(standard.output == folder.text("a.json"))
    }

    @Test func `files of a column's values are tables and arrays of their own`() throws {
      let folder = try Scratch()
      let run = try BuiltProgram.run(
        ["convert"] + bonds + ["-o", folder("{isin}.json"), "-o", folder("{isin}.tsv")])
      #expect(run.code == 0, "\(run.errors)")
      var rows = 0
      let names = folder.entries(".").filter { $0.hasSuffix(".json") }
      for name in names {
        let array = try #require(
          JSONSerialization.jsonObject(with: Data(folder.text(name).utf8)) as? [[String: Any]])
        #expect(array.allSatisfy { "\($0["isin"] ?? "").json" == name })
        let table = folder.text(name.replacingOccurrences(of: ".json", with: ".tsv"))
        #expect(table.split(separator: "\n").count == array.count + 1)
        rows += array.count
      }
      #expect(names.count == 2 && rows == 12)
    }

    @Test func `arrays of chosen columns are arrays in each file too, in the wanted order`() throws
    {
      let folder = try Scratch()
      let run = try BuiltProgram.run(
        ["convert"] + bonds + [
          "-o", folder("{isin}.json"), "-o", folder("a.json"), "--columns", "currency,date",
          "--sort", "price", "--limit", "3", "--schema", folder("datapackage.json"),
        ])
      #expect(run.code == 0, "\(run.errors)")
      #expect(
        folder.text("XS0191754729.json")
          == "[\n{\"currency\":\"USD\",\"date\":\"2018-09-02T13:00:00+05:30\"}\n]\n")
      #expect(folder.text("RU000A0JX0J2.json").split(separator: "\n").count == 4)
      #expect(folder.text("a.json").hasPrefix("[\n{\"currency\":\"USD\""))
      #expect(!folder.text("datapackage.json").contains("\"price\""))
    }

    @Test func `the header has labels in the language of messages`() throws {
      func header(_ words: String..., environment: [String: String] = [:]) throws -> String {
        let run = try BuiltProgram.run(
          ["convert"] + bonds + words, environment: environment)
        #expect(run.code == 0, "\(run.errors)")
        return String(run.output.prefix { !$0.isNewline })
      }
      #expect(try header() == "isin,title,currency,date,price")
      #expect(try header("--header-row", "names") == "isin,title,currency,date,price")
      #expect(
        try header("--header-row", "labels") == "ISIN,Name,Currency,Date and time,Price")
      #expect(
        try header("--header-row", "labels", "--format", "tsv", "--lang", "ru")
          == "ISIN\tНазвание\tВалюта\tДата и время\tЦена")
      #expect(
        try header("--header-row", "labels", environment: ["LANG": "ru_RU.UTF-8"])
          == "ISIN,Название,Валюта,Дата и время,Цена")
    }

    @Test(.enabled(if: BuiltProgram.has("script"), "script is missing: no terminal is tested"))
    func `a Russian terminal is told once of tables for spreadsheets`() throws {
      let folder = try Scratch()
      func said(_ words: String, locale: String = "ru_RU.UTF-8") throws -> Bool {
        let command = "LANG=\(locale) sluice convert \(bonds.joined(separator: " ")) \(words)"
        let run = try BuiltProgram.tool(["script", "-qec", command, "/dev/null"], in: folder.path)
        return run.output.contains("--csv-dialect excel")
      }
      #expect(try said("-o a.csv"))
      #expect(try !said("-o a.csv"))
      #expect(try !said("-o b.csv -q"))
      #expect(try !said("-o c.csv", locale: "en_US.UTF-8"))
      #expect(try !said("-o d.csv --csv-dialect plain"))
      #expect(try !said("-o e.csv --csv-dialect excel"))
      #expect(try !said("-o f.ndjson"))
    }

    // MARK: Order, number, description

    @Test func `rows are sorted by value, in several columns, and only the first are written`()
      throws
    {
      func column(_ index: Int, _ words: String...) throws -> [String] {
        let run = try BuiltProgram.run(["convert"] + bonds + ["--format", "tsv"] + words)
        #expect(run.code == 0, "\(run.errors)")
        return run.output.split(separator: "\n").dropFirst().map {
          String($0.split(separator: "\t")[index])
        }
      }
      let prices = try column(4, "--sort", "price:desc")
      #expect(prices.prefix(3) == ["1.5E+2", "118", "117.3"] && prices.last == "-0.5")
      #expect(try column(4, "--sort", "Цена:desc", "--limit", "2") == ["1.5E+2", "118"])
      let both = try column(4, "--sort", "isin:desc,price", "--limit", "1")
      #expect(both == ["-0.5"])
      #expect(try column(4, "--sort", "isin:desc", "--sort", "price", "--limit", "1") == both)
      #expect(try column(3, "--limit", "2") == column(3).prefix(2).map { $0 })
    }

    @Test func `calendars and databases have all rows, and alone cannot be sorted`() throws {
      let folder = try Scratch()
      let words = ["convert", Samples.full, "-q"]
      let run = try BuiltProgram.run(
        words + [
          "-o", folder("a.csv"), "-o", folder("{locality}.csv"), "-o", folder("a.ics"),
          "--sort", "street,house", "--limit", "20",
        ])
      #expect(run.code == 0, "\(run.errors)")
      #expect(folder.text("a.csv").split(separator: "\n").count == 21)
      let files = folder.entries(".").filter { $0.hasSuffix(".csv") && $0 != "a.csv" }
      #expect(files.reduce(0) { $0 + folder.text($1).split(separator: "\n").count - 1 } == 20)
      #expect(folder.text("a.ics").split(separator: "BEGIN:VEVENT").count > 10_000)
      for option in [["--sort", "house"], ["--limit", "3"], ["--schema", folder("p.json")]] {
        let idle = try BuiltProgram.run(words + ["-o", folder("b.ics")] + option)
        #expect(idle.code == 64 && idle.errors.contains(option[0]), "\(idle.errors)")
      }
      let unknown = try BuiltProgram.run(words + ["--sort", "haus"])
      #expect(unknown.code == 64 && unknown.errors.contains("\"house\""), "\(unknown.errors)")
    }

    @Test func `each output has its own selection of the sorted rows`() throws {
      let folder = try Scratch()
      let settings = try folder.write(
        "s.yaml",
        """
        output:
          - a.tsv
          - {path: b.tsv, where: isin=XS0191754729}
        sort: price
        limit: 2
        """)
      let run = try BuiltProgram.run(
        ["convert"] + bonds + ["--config", settings], in: folder.path)
      #expect(run.code == 0, "\(run.errors)")
      func prices(_ name: String) -> [String] {
        folder.text(name).split(separator: "\n").dropFirst().map {
          String($0.split(separator: "\t")[4])
        }
      }
      #expect(prices("a.tsv") == ["-0.5", "0.10"])
      #expect(prices("b.tsv") == ["-0.5", "117.0050"])
    }

    @Test func `rows that do not fit into memory are sorted through TMPDIR, or nothing is written`()
      throws
    {
      let folder = try Scratch()
      let long = String(repeating: "ё", count: 20_000)
      try folder.write(
        "feed.json",
        SmallFeed.list(
          (0..<700).map {
            SmallFeed.record(
              street: SmallFeed.quoted(long), house: SmallFeed.quoted("\($0 * 389 % 700)"))
          }))
      let words = [
        "convert", folder("feed.json"), "-o", folder("a.csv"), "--sort", "house", "--max-output",
        "1G",
      ]
      _ = try folder.folder("tmp")
      let run = try BuiltProgram.run(words, environment: ["TMPDIR": folder("tmp")])
      #expect(run.code == 0, "\(run.errors)")
      let houses = folder.text("a.csv").split(separator: "\n").dropFirst().map {
        String($0.split(separator: ",", omittingEmptySubsequences: false)[2])
      }
      #expect(houses == (0..<700).map { "\($0)" })
      #expect(folder.entries("tmp") == [])
      try FileManager.default.removeItem(atPath: folder("a.csv"))
      let failed = try BuiltProgram.run(words, environment: ["TMPDIR": folder("none")])
      #expect(failed.code == 74 && failed.errors.contains("/none"), "\(failed.errors)")
      #expect(folder.bytes("a.csv") == nil)
    }

    @Test func `a description is published with its tables and stays the same`() throws {
      let folder = try Scratch()
      let words =
        ["sync"] + bonds + [
          "--state", folder("state"), "-o", folder("b.csv"), "--schema",
          folder("datapackage.json"),
        ]
      let run = try BuiltProgram.run(words)
      #expect(run.code == 0, "\(run.errors)")
      let first = folder.text("datapackage.json")
      #expect(first.contains("\"path\":\"b.csv\""))
      #expect(try BuiltProgram.run(words + ["--sort", "price"]).code == 0)
      #expect(folder.text("datapackage.json") == first)
      _ = try folder.folder("sub")
      let outside = try BuiltProgram.run(
        ["convert"] + bonds + ["-o", folder("c.csv"), "--schema", folder("sub/p.json")])
      #expect(outside.code == 64 && folder.bytes("c.csv") == nil, "\(outside.errors)")
    }
  }
}
