import Foundation
import Testing

@testable import Sluice

/// The description of tables for programs.
@Suite struct DataPackageTests {
  @Test(arguments: [
    ("a.csv", "datapackage.json", "a.csv"), ("./a.csv", "datapackage.json", "a.csv"),
    ("out/a.csv", "out/datapackage.json", "a.csv"), ("out/a.csv", "datapackage.json", "out/a.csv"),
    ("/x/y/a.csv", "/x/p.json", "y/a.csv"), ("x//y/a.csv", "./x/p.json", "y/a.csv"),
    ("a.csv", "out/datapackage.json", nil), ("../a.csv", "datapackage.json", nil),
    ("out/../a.csv", "datapackage.json", nil), ("/x/a.csv", "datapackage.json", nil),
    ("a.csv", "/x/datapackage.json", nil), ("outer/a.csv", "out/datapackage.json", nil),
  ])
  func `a package names files in its folder and below it`(
    _ path: String, _ package: String, _ expected: String?
  ) {
    #expect(DataPackage.path(path, beside: package) == expected)
  }

  private func package(_ conversion: Conversion) throws -> [[String: Any]] {
    let bytes = DataPackage(conversion, conversion.feed.tables).encoded()
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(Array(bytes.contents))) as? [String: Any])
    #expect(json["name"] as? String == conversion.feed.name)
    return try #require(json["resources"] as? [[String: Any]])
  }

  @Test func `columns have types, titles and what they must be`() throws {
    var conversion = Conversion(of: .bytes([]), as: .bonds)
    conversion.outputs = [.init(.file("out/b.csv"), .csv), .init(.file("out/b.tsv"), .tsv)]
    conversion.schema = .file("out/datapackage.json")
    conversion.dialect = .excel
    conversion.readerLanguage = .ru
    let resources = try package(conversion)
    #expect(resources.map { $0["name"] as? String } == ["bonds", "bonds-tsv"])
    #expect(resources.map { $0["path"] as? String } == ["b.csv", "b.tsv"])
    let dialect = resources[0]["dialect"] as? [String: String]
    #expect(dialect == ["delimiter": ";", "lineTerminator": "\r\n"])
    let schema = try #require(resources[0]["schema"] as? [String: Any])
    let fields = try #require(schema["fields"] as? [[String: Any]])
    #expect(fields.map { $0["name"] as? String } == Feed.bonds.columns)
    #expect(
      fields.map { $0["type"] as? String } == [
        "string", "string", "string", "datetime", "number",
      ])
    #expect(fields[4]["decimalChar"] as? String == ",")
    #expect(fields[4]["title"] as? String == "Цена")
    conversion.headerRow = .labels
    let labels = try #require(try package(conversion)[0]["schema"] as? [String: Any])
    #expect((labels["fields"] as? [[String: Any]])?[4]["name"] as? String == "Цена")
  }

  @Test func `keys and references are those of the tables, among files of one format`() throws {
    var conversion = Conversion(of: .bytes([]), as: try #require(Feed.named("posts")))
    conversion.outputs = [
      .init(.file("{table}.csv"), .csv), .init(.file("{table}.json"), .json),
      .init(.file("x.sqlite"), .sqlite), .init(.standardOutput, .csv),
      .init(.file("{id}.csv"), .csv),
    ]
    conversion.schema = .file("datapackage.json")
    let resources = try package(conversion)
    #expect(resources.count == 2 * conversion.feed.tables.count)
    let comments = try #require(resources.first { $0["name"] as? String == "comments-json" })
    #expect(comments["path"] as? String == "comments.json" && comments["dialect"] == nil)
    let schema = try #require(comments["schema"] as? [String: Any])
    #expect(schema["primaryKey"] as? [String] == ["id"])
    let keys = try #require(schema["foreignKeys"] as? [[String: Any]])
    #expect(keys.count == 1 && keys[0]["fields"] as? [String] == ["post_id"])
    let reference = try #require(keys[0]["reference"] as? [String: Any])
    #expect(reference["resource"] as? String == "posts-json")
    #expect(reference["fields"] as? [String] == ["id"])
  }
}
