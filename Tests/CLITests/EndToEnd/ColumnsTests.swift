import Foundation
import Testing

extension EndToEnd {
  /// `--columns`: which columns a table has, and in what order.
  @Suite struct ColumnsTests {
    private let folder: Scratch

    init() throws {
      folder = try Scratch()
      try folder.write(
        "feed.json",
        SmallFeed.list([
          SmallFeed.record(street: "\"Садовая\"", house: "\"1\"", more: ",\"корпус\":\"2\""),
          SmallFeed.record(street: "\"Невский, 5\"", house: "\"3\""),
        ]))
    }

    private func run(_ words: String...) throws -> Run {
      try BuiltProgram.run(["convert", "feed.json"] + words, in: folder.path)
    }

    @Test func `a table has the columns that are named, in that order`() throws {
      try run(
        "--columns", "house, street", "--columns", "address_id", "-o", "a.csv", "-o", "a.ndjson"
      )
      .expectSilence()
      let ids = ["0d4d92a7b3bd5f7a", "0"]
      let rows = folder.text("a.csv").split(separator: "\n").map {
        $0.split(separator: ",").map(String.init)
      }
      #expect(rows[0] == ["house", "street", "address_id"])
      #expect(rows[1].prefix(2) == ["1", "Садовая"] && rows[1][2].count == ids[0].count)
      #expect(folder.text("a.csv").contains("\n3,\"Невский, 5\","))
      #expect(
        folder.text("a.ndjson").hasPrefix(
          "{\"house\":\"1\",\"street\":\"Садовая\",\"address_id\":\""))
    }

    @Test func `labels and the source's own names are known`() throws {
      let names = "№ дома,АДРЕС ЖИЛОГО ЗДАНИЯ,Период отключения ГВС"
      #expect(
        try run("--columns", names).output
          == """
          house,street,start_date,end_date
          1,Садовая,2020-06-22,2020-07-05
          3,"Невский, 5",2020-06-22,2020-07-05

          """)
    }

    @Test func `what is not in the table still chooses rows, names files and makes events`() throws
    {
      try run(
        "--columns", "building", "--where", "house=1", "--from", "2020-07-01", "-o", "a.csv", "-o",
        "{street}.ndjson", "-o", "a.ics", "-o", "site/"
      ).expectSilence()
      #expect(folder.text("a.csv") == "building\n2\n")
      #expect(folder.text("Садовая.ndjson") == "{\"building\":\"2\"}\n")
      #expect(folder.text("site/hot-water.csv") == "building\n2\n")
      try run("--where", "house=1", "-o", "b.ics").expectSilence()
      #expect(folder.text("a.ics") == folder.text("b.ics"))
    }

    @Test func `an output of a file may have columns of its own`() throws {
      try folder.write(
        "c.yaml",
        """
        columns: [house]
        output:
          - a.csv
          - {path: b.csv, columns: [street, house]}
          - {path: c.csv, columns: 'street,building', where: house=1}

        """)
      try run("--config", "c.yaml").expectSilence()
      #expect(folder.text("a.csv") == "house\n1\n3\n")
      #expect(folder.text("b.csv").hasPrefix("street,house\nСадовая,1\n"))
      #expect(folder.text("c.csv") == "street,building\nСадовая,2\n")
    }

    @Test(arguments: [
      ("hose", "--columns: there is no column \"hose\"; did you mean house?; there are: locality"),
      ("zzzzzzzz", "--columns: there is no column \"zzzzzzzz\"; there are: locality, street"),
      ("house,street,№ дома", "--columns: \"№ дома\" is there twice; remove one"),
      ("house,,street", "--columns: there is no column \"\""),
    ])
    func `what no column has is refused`(names: String, message: String) throws {
      let run = try run("--columns", names)
      #expect(run.code == 64)
      #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func `columns of several tables need the table`() throws {
      let run = try BuiltProgram.run(
        ["convert", Samples.path("Samples/posts/feed.json"), "--feed", "posts"]
          + ["--columns", "id", "-o", "{table}.csv"], in: folder.path)
      #expect(run.code == 64 && run.errors.contains("--columns is for one table only"))
    }
  }
}
