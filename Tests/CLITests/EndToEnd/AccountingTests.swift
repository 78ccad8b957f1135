import Foundation
import Testing

extension EndToEnd {
  /// No record is lost: every one is kept, filtered, skipped or rejected, and a second reading of
  /// the contract, in Python, agrees byte for byte.
  @Suite struct AccountingTests {
    private static let filters: [[String]] = [
      [], ["--where", "house=12"], ["--where", "street=Наличная", "--where", "street=Стачек"],
      ["--from", "2020-06-01", "--to", "2020-06-30"],
      ["--where", "building=", "--from", "2020-08-01"],
      ["--where", "letter=А", "--where", "locality=Санкт-Петербург", "--to", "2020-06-15"],
    ]
    private static let needsGenerator =
      "\(Samples.generator) is not there: its feeds are not compared"

    /// Every kind of record in turn, made by counting.
    private static func feed(_ count: Int) -> String {
      SmallFeed.list(
        (0..<count).map { n in
          let house = "\"\(n % 97)\""
          switch n % 23 {
          case 3: return SmallFeed.record(house: house, period: "\"ГВС сохранено\"")
          case 5: return SmallFeed.record(house: house, period: "\"31.06.2020-05.07.2020\"")
          case 7: return SmallFeed.record(street: "null", house: house)
          case 11: return SmallFeed.record(house: house, period: "\"1.6-2.6.2020, 3.8.2020\"")
          case 13: return SmallFeed.record(house: "[1]")
          case 17: return "\(n)"
          case 19: return SmallFeed.record(street: "\"Стачек\"", house: "\(n % 31)")
          default: return SmallFeed.record(house: house)
          }
        })
    }

    @Test(arguments: filters)
    func `every record went one way`(filter: [String]) throws {
      let folder = try Scratch()
      try folder.write("feed.json", Self.feed(5000))
      for input in [folder("feed.json"), Samples.full, Samples.hotWater] {
        let run = try BuiltProgram.run(
          [
            "convert", input, "--max-rejects", "100%", "--allow-empty", "-q", "-o",
            folder("a.csv"), "-o", folder("b.ndjson"),
          ]
            + ["--stats", "-", "--rejects", folder("r")] + filter)
        #expect(run.code == 0 || run.code == 3, "\(run.errors)")
        let stats = try JSONDecoder().decode(Stats.self, from: Data(run.bytes.array))
        #expect(stats.addsUp, "\(stats)")
        #expect(stats.read > 0)
        func lines(_ name: String) -> Int { folder.bytes(name)?.lines ?? 0 }
        #expect(lines("a.csv") == stats.rows + 1 && lines("b.ndjson") == stats.rows)
        #expect(lines("r") == stats.rejected)
      }
    }

    @Test(arguments: filters)
    func `the counted feed is read as the oracle reads it`(filter: [String]) throws {
      let folder = try Scratch()
      try folder.write("feed.json", Self.feed(2000))
      folder.setTime("feed.json", 1_593_108_790)
      try expectAgreement(folder, filter)
    }

    @Test(.enabled(if: Samples.isThere(Samples.generator), "\(needsGenerator)"), arguments: filters)
    func `a generated feed with quirks is read as the oracle reads it`(filter: [String]) throws {
      let folder = try Scratch()
      let made = try BuiltProgram.tool(
        [
          "python3", Samples.generator, "--records", "13000", "--quirks", "0.05", "--seed",
          "\(filter.count)",
          "-o", folder("feed.json"),
        ])
      #expect(made.code == 0, "\(made.errors)")
      try expectAgreement(folder, filter)
    }

    private func expectAgreement(_ folder: Scratch, _ filter: [String]) throws {
      let common = [folder("feed.json"), "--max-rejects", "100%"] + filter
      let run = try BuiltProgram.run(
        ["convert"] + common + [
          "-o", folder("1.csv"), "-o", folder("1.ndjson"), "-o", folder("1.ics"),
        ]
          + ["--rejects", folder("1.rejects"), "-q"])
      let excel = try BuiltProgram.run(
        ["convert"] + common + ["-q", "--csv-dialect", "excel", "-o", folder("1.excel.csv")])
      let oracle = try BuiltProgram.tool(
        ["python3", Samples.oracle] + common + [
          "--csv", folder("2.csv"), "--ndjson", folder("2.ndjson"), "--ics", folder("2.ics"),
          "--rejects", folder("2.rejects"), "--csv-excel", folder("2.excel.csv"),
        ])
      #expect(
        run.code == oracle.code && excel.code == oracle.code, "\(run.errors) \(oracle.errors)")
      for name in ["csv", "ndjson", "ics", "rejects", "excel.csv"] {
        #expect(folder.bytes("1.\(name)") == folder.bytes("2.\(name)"), "\(name) differs")
        #expect(folder.bytes("1.\(name)") != nil)
      }
    }
  }
}
