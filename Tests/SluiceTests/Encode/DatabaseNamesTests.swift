import CLibraries
import Testing

@testable import Sluice

/// Names that SQL takes as they are.
@Suite struct DatabaseNamesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func names(
    _ columns: [String], marks: [String] = [], search: String? = nil, known: [String: String] = [:]
  ) throws -> TableNames {
    var table = Table(
      "t", rows: Path([]),
      fields: columns.map { Field(path: Path([.key($0)]), kind: .text, columns: [$0]) },
      marks: marks)
    table.search = search.map { SearchRule(items: [.init(column: $0)]) }
    let names = try DatabaseNames([table], views: [], feed: nil, in: []) { _ in known }
    return try #require(names.tables["t"])
  }

  @Test(arguments: [
    ("price-eur", "price_eur"), ("select", "select_"), ("Order", "Order_"), ("дом", "дом"),
    ("№ дома", "__дома"), ("1st", "_1st"), ("", "_"), ("key", "key"), ("sqlite_x", "sqlite_x"),
  ])
  func `a name becomes one of letters and digits`(name: String, plain: String) {
    #expect(SQLName.plain(name) == plain)
  }

  @Test func `SQLite keeps names of tables for itself`() {
    #expect(SQLName.plain("SQLite_n", isTable: true) == "_SQLite_n")
  }

  @Test func `no word of SQLite needs quotation marks`() throws {
    let database = try SQLiteDatabase(path: folder("words.sqlite"))
    for index in 0..<sqlite3_keyword_count() {
      var start: UnsafePointer<CChar>?
      var count: Int32 = 0
      guard sqlite3_keyword_name(index, &start, &count) == SQLITE_OK, let start else { continue }
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
      let word = String(decoding: bytes, as: UTF8.self).lowercased()
      let name = SQLName.plain(word, isTable: true)
      do {
        try database.run("CREATE TABLE \(name)(\(name) INTEGER, other)")
        try database.run("INSERT INTO \(name)(\(name)) VALUES(41)")
        try database.run("UPDATE \(name) SET \(name) = \(name) + 1 WHERE \(name) = 41")
        try database.run("CREATE INDEX by_\(name) ON \(name)(\(name))")
        // A word that means something else would give another value.
        let value = try database.integer(
          "SELECT \(name) FROM \(name) WHERE \(name).\(name) = 42 ORDER BY other, \(name)")
        #expect(value == 42, "\(word)")
        try database.run("DROP TABLE \(name)")
      } catch {
        Issue.record("\(word) as \(name): \(error)")
      }
    }
  }

  @Test func `names that become alike get numbers, and those that need no change stay`() throws {
    let names = try names(["a-b", "a_b", "A_B_2", "a--b"], marks: ["a-B"], search: "a_b")
    #expect(names["a_b"] == "a_b" && names["A_B_2"] == "A_B_2")
    #expect(names["a-b"] == "a_b_3" && names["a-B"] == "a_B_4" && names["a--b"] == "a__b")
    #expect(names.search == "search")
  }

  @Test func `the searched text leaves columns of that name alone`() throws {
    #expect(try names(["search"], search: "search").search == "search_2")
    #expect(
      try names(["a"], search: "a", known: ["a": "TEXT", "Search": "TEXT"]).search == "search_2")
    let ours = ["search": "TEXT", "search_2": TableNames.searchType]
    #expect(try names(["a"], search: "a", known: ours).search == "search_2")
    #expect(try names(["a"]).search == nil)
  }

  @Test func `a database keeps the names that it has`() throws {
    let names = try names(["price-eur", "other-one"], known: ["Price-EUR": "TEXT"])
    #expect(names["price-eur"] == "price-eur" && names["other-one"] == "other_one")
  }
}
