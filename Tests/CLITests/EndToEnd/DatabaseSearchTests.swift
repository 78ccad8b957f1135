import Foundation
import Testing

extension EndToEnd {
  /// Names, indexes and searched texts of databases, judged by the program `sqlite3`.
  @Suite(.enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing: databases are not tested"))
  struct DatabaseSearchTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private var database: String { folder("a.sqlite") }

    private func ask(_ query: String) throws -> String {
      try BuiltProgram.tool(["sqlite3", database, query]).output
    }

    private func convert(_ rows: String, _ words: [String] = []) throws -> Run {
      let document = try folder.write(
        "1-odd.yaml",
        """
        feed: 1-odd
        rows: d[]
        columns: {select: {required: true}, price-eur: {kind: decimal}, price_eur: p, street: street}
        key: {columns: [select], unique: true, as: row-id}
        search: {street: street, house: price_eur}
        """)
      let input = try folder.write("d.json", "{\"d\":[\(rows)]}")
      return try BuiltProgram.run(
        ["convert", input, "--feed", document, "-o", database] + words)
    }

    @Test func `a house is found as people write it, by an index`() throws {
      let run = try BuiltProgram.run([
        "convert", Samples.path("Samples/hot-water/feed.json"), "-o", database, "-q",
        "--allow-rejects",
      ])
      #expect(run.code == 0, "\(run.errors)")
      #expect(
        try ask(
          "SELECT DISTINCT address_id FROM hot_water WHERE search LIKE 'непокоренных 15 1 а%'")
          == "c848c36e7b2fe71a\n")
      for (condition, index) in [
        ("search LIKE 'непокоренных%'", "search"), ("street = 'A' AND house = '1'", "address"),
        ("address_id = 'x'", "address_id"),
      ] {
        let plan = try ask("EXPLAIN QUERY PLAN SELECT * FROM hot_water WHERE \(condition)")
        #expect(plan.contains("USING INDEX hot_water_by_\(index) "), "\(plan)")
      }
    }

    @Test func `names need no quotation marks, and are told to those who look`() throws {
      let row = #"{"select":"s","price-eur":1.5,"p":"5","street":"Ёлки"}"#
      try convert(row).expectSilence()
      #expect(
        try ask("SELECT select_, price_eur_2, price_eur, search FROM _1_odd WHERE row_id > ''")
          == "s|1.5|5|елки 5\n")
      let run = try convert(row, ["-v"])
      #expect(
        run.errors.contains(
          "1-odd → _1_odd, select → select_, price-eur → price_eur_2, row-id → row_id\n"),
        "\(run.errors)")
    }

    @Test func `a merge gives an older database what it lacks, and takes nothing of its owner`()
      throws
    {
      _ = try ask(
        """
        CREATE TABLE "_1_odd"("select" TEXT NOT NULL PRIMARY KEY, "price-eur" NUMERIC, price_eur TEXT,
          street TEXT, "row-id" TEXT, search TEXT);
        CREATE VIEW lost AS SELECT * FROM nowhere; CREATE TABLE _1_odd_by_address(x);
        INSERT INTO _1_odd VALUES('a', 2, '7', 'Мёда', 'x', 'mine'), ('b', 2, '8', 'Дом', 'x', 'own')
        """)
      let rows = #"{"select":"a","p":"1","street":"Сад"},{"select":"b","p":"9","street":"Лес"}"#
      for _ in 1...2 {
        // What the filter leaves out stays, and is found too.
        try convert(rows, ["--merge", "--where", "street=лес"]).expectSilence()
        #expect(
          try ask("SELECT \"select\", street, search, search_2, \"row-id\" <> 'x' FROM _1_odd")
            == "a|Мёда|mine|меда 7|0\nb|Лес|own|лес 9|1\n")
      }
      #expect(
        try ask("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> '' ORDER BY name")
          == "_1_odd_by_address_2\n_1_odd_by_row-id\n_1_odd_by_search_2\n")
    }
  }
}
