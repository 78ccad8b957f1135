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
  }
}
