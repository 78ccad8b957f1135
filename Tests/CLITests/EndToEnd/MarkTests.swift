import Foundation
import Testing

extension EndToEnd {
  /// Marks of rows, and views that follow them, judged by the program `sqlite3`.
  @Suite(.enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing: databases are not tested"))
  struct MarkTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private var database: String { folder("a.sqlite") }

    private func ask(_ query: String) throws -> String {
      try BuiltProgram.tool(["sqlite3", database, query]).output
    }

    private func mark(_ words: String...) throws -> Run {
      try BuiltProgram.run(["mark", database] + words)
    }

    private func convert(posts: [Int], _ words: [String] = ["--merge"]) throws -> Run {
      let rows = posts.map { "{\"id\": \($0), \"userId\": 1, \"title\": \"t\($0)\"}" }
      let json =
        "{\"users\": [{\"id\": 1}], \"posts\": [\(rows.joined(separator: ","))], \"comments\": []}"
      return try BuiltProgram.run(
        ["convert", try folder.write("p.json", json), "--feed", "posts", "-o", database] + words)
    }

    @Test func `favourites are marked, shown and taken back`() throws {
      try convert(posts: [1, 2, 3]).expectSilence()
      try mark("posts", "2", "favorite=1", "seen=1").expectSilence()
      try mark("posts", "3", "favorite=1").expectSilence()
      #expect(try ask("SELECT id FROM favorites") == "2\n3\n")
      #expect(try mark("posts").output == "favorite: 2\nseen: 1\ndeleted: 0\n")
      try mark("Posts", "3", "FAVORITE=0").expectSilence()
      #expect(try ask("SELECT id FROM favorites") == "2\n")
      #expect(try ask("SELECT id, favorite, seen FROM posts WHERE id > 1") == "2|1|1\n3|0|0\n")
    }

    @Test func `what is deleted stays deleted, even if the feed sends it again later`() throws {
      try convert(posts: [1, 2, 3]).expectSilence()
      try mark("posts", "2", "deleted=1", "favorite=1").expectSilence()
      for posts in [[1, 2, 3], [1, 3], [1, 2, 3]] {
        try convert(posts: posts).expectSilence()
        #expect(try ask("SELECT id FROM posts_by_favorite; SELECT id FROM favorites") == "1\n3\n")
        #expect(try ask("SELECT id FROM posts WHERE deleted") == "2\n")
      }
      // A row without that mark goes with the feed.
      try convert(posts: [1]).expectSilence()
      #expect(try ask("SELECT id FROM posts") == "1\n2\n")
      try mark("posts", "2", "deleted=0").expectSilence()
      try convert(posts: [1]).expectSilence()
      #expect(try ask("SELECT id FROM posts") == "1\n")
    }

    @Test func `what cannot be marked is told with what can`() throws {
      try convert(posts: [11, 12, 30]).expectSilence()
      let cases: [(words: [String], code: Int32, says: String)] = [
        (["post", "11", "seen=1"], 64, "no table \"post\"; did you mean posts?"),
        (["users"], 64, "\"users\" has no marks"),
        (["posts", "11"], 64, "\"favorite\", \"seen\", \"deleted\""),
        (["posts", "seen=1"], 64, "is named by \"id\""), (["posts", "11", "seen"], 64, "MARK=1"),
        (["posts", "11", "seen=2"], 64, "MARK=0"),
        (["posts", "11", "seem=1"], 64, "no mark \"seem\"; did you mean seen?"),
        (
          ["posts", "13", "seen=1"], 1,
          "no row has the key \"13\"; the nearest: \"11\", \"12\", \"30\""
        ),
        (["posts", "11", "id=1"], 64, "no mark \"id\""),
      ]
      for (words, code, says) in cases {
        let run = try BuiltProgram.run(["mark", database] + words)
        #expect(
          run.code == code && run.errors.contains(says), "\(words): \(run.code) \(run.errors)")
      }
      #expect(try ask("SELECT sum(favorite + seen + deleted) FROM posts") == "0\n")
      #expect(try BuiltProgram.run(["mark", folder("none.sqlite"), "posts"]).code == 66)
      #expect(folder.names == ["a.sqlite", "p.json"])
      try folder.write("a.sqlite", "this is no database, and long enough to be read as one")
      try mark("posts", "11", "seen=1").expectFailure(74, "sink: \"\(database)\" is not a database")
    }

    @Test func `a key of several columns and a mark of one's own are named by words`() throws {
      _ = try ask(
        """
        CREATE TABLE flats(part INTEGER, no TEXT NOT NULL, PRIMARY KEY(no, part));
        ALTER TABLE flats ADD COLUMN mine INTEGER NOT NULL DEFAULT 0;
        INSERT INTO flats(no, part) VALUES('1=a', 7), ('2', 7)
        """)
      try mark("flats", "1=a", "7", "mine=1").expectSilence()
      #expect(try ask("SELECT no FROM flats WHERE mine") == "1=a\n")
      #expect(
        try mark("flats", "3", "7", "mine=1").errors.contains("\"3, 7\"; the nearest: \"2, 7\""))
    }

    @Test func `a database that another program writes is left alone`() throws {
      try convert(posts: [1]).expectSilence()
      // The program waits longer than the one that marks.
      let held = try BuiltProgram.tool([
        "sqlite3", database, "BEGIN IMMEDIATE",
        ".shell \(BuiltProgram.path) mark \(database) posts 1 seen=1; echo $?",
      ])
      #expect(held.output.hasSuffix("75\n"), "\(held.output) \(held.errors)")
      #expect(try ask("SELECT seen FROM posts") == "0\n")
      try mark("posts", "1", "seen=1").expectSilence()
    }

    @Test func `views hide what refers to a hidden row, and follow their document`() throws {
      func convert(_ views: String, _ hides: String = "hides: [gone]") throws -> Run {
        let document = try folder.write(
          "a.yaml",
          """
          feed: a
          tables:
            boxes: {rows: "b[]", columns: {id: {required: true}}, key: [id], marks: [gone], \(hides)}
            things:
              rows: "t[]"
              columns: {id: {required: true}, box: b, kind: k, n: {kind: integer}, up: up}
              key: [id]
              references: {box: boxes, up: things}
              marks: [gone]
              \(hides)
          views:
          \(views)
          """)
        let input = try folder.write(
          "a.json",
          """
          {"b": [{"id": "x"}, {"id": "y"}], "t": [{"id": "1", "b": "x", "k": "o'k", "n": 1},
           {"id": "2", "b": "y"}, {"id": "3", "k": "z", "n": 3}, {"id": "4", "b": "y", "up": "1"}]}
          """)
        return try BuiltProgram.run(
          ["convert", input, "--feed", document, "-o", database, "--merge"])
      }
      func shown(_ condition: String) throws -> String {
        try convert("  v: {table: things, where: \(condition), order: [id]}").expectSilence()
        return try ask("SELECT group_concat(id, '') FROM v").trimmingCharacters(in: .newlines)
      }
      try convert("  v: {table: things, order: [id desc]}").expectSilence()
      try mark("boxes", "y", "gone=1").expectSilence()
      #expect(try ask("SELECT group_concat(id, '') FROM v") == "31\n")
      #expect(try shown("{kind: \"o'k\"}") == "1")
      #expect(try shown("{kind: [z, \"\"]}") == "3")
      #expect(try shown("{kind: {not: z}}") == "1" && shown("{n: {not: 1}}") == "3")
      #expect(try shown("{n: [1, 3], kind: {not: \"\"}}") == "13")
      try mark("boxes", "y", "gone=0").expectSilence()
      #expect(try shown("{kind: \"\"}") == "24")
      try mark("things", "1", "gone=1").expectSilence()
      // What refers to it goes too. A view that asks for the mark shows it.
      #expect(try shown("{n: {not: 7}}") == "23" && shown("{gone: true}") == "1")
      // A view of the owner's stays, and so does one with triggers.
      _ = try ask("DROP VIEW v; CREATE VIEW v AS SELECT 'mine' AS id")
      #expect(try shown("{gone: true}") == "mine")
    }
  }
}
