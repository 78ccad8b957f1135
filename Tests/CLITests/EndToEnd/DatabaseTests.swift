import Foundation
import Testing

extension EndToEnd {
  /// Databases of several tables, judged by the program `sqlite3`.
  @Suite(.enabled(if: BuiltProgram.has("sqlite3"), "sqlite3 is missing: databases are not tested"))
  struct DatabaseTests {
    private let folder: Scratch
    private static let real = Samples.path("../shared/data/jsonplaceholder.json")

    init() throws { folder = try Scratch() }

    private var database: String { folder("blog.sqlite") }

    private func convert(_ words: [String], from json: String? = nil) throws -> Run {
      var input = Samples.path("Samples/posts/feed.json")
      if let json { input = try folder.write("posts.json", json) }
      return try BuiltProgram.run(["convert", input, "--feed", "posts"] + words)
    }

    private func ask(_ query: String) throws -> String {
      try BuiltProgram.tool(["sqlite3", database, "PRAGMA foreign_keys = ON; \(query)"]).output
    }

    /// A feed with these posts, each with two comments.
    private func feed(posts: [Int], titles: String = "t", moreComments: String = "") -> String {
      let rows = posts.map { "{\"id\": \($0), \"userId\": 1, \"title\": \"\(titles)\($0)\"}" }
      let comments = posts.flatMap { post in
        (1...2).map { "{\"id\": \(post * 10 + $0), \"postId\": \(post), \"name\": \"n\"}" }
      }
      return """
        {"users": [{"id": 1, "name": "A", "address": {"city": "B", "geo": {"lat": "1"}}}],
         "posts": [\(rows.joined(separator: ","))],
         "comments": [\((comments + [moreComments].filter { !$0.isEmpty }).joined(separator: ","))]}
        """
    }

    @Test func `six tables hold together`() throws {
      try convert(["-o", database]).expectSilence()
      #expect(try ask("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
      let counts = try ["posts", "users", "addresses", "geos", "companies", "comments"].map {
        try ask("SELECT count(*) FROM \($0)")
      }
      #expect(counts == ["7\n", "3\n", "3\n", "3\n", "3\n", "14\n"])
      #expect(
        try ask("SELECT body, email FROM comments WHERE id = 4") == "=1+4|c4@example.net\n")
      #expect(
        try ask("SELECT zipcode, city IS NULL FROM addresses WHERE user_id = 3") == "0347|1\n")
      #expect(try ask("DELETE FROM posts WHERE id = 2; SELECT count(*) FROM comments") == "12\n")
      #expect(
        try ask("DELETE FROM users; SELECT count(*) FROM geos; SELECT count(*) FROM comments")
          == "0\n0\n")
    }

    @Test(.enabled(if: Samples.isThere(real), "shared data is not there"))
    func `the real posts have the counts that they have`() throws {
      try BuiltProgram.run(["convert", Self.real, "--feed", "posts", "-o", database])
        .expectSilence()
      let counts = try ["posts", "users", "addresses", "geos", "companies", "comments"].map {
        try ask("SELECT count(*) FROM \($0)")
      }
      #expect(counts == ["100\n", "10\n", "10\n", "10\n", "10\n", "500\n"])
      #expect(try ask("DELETE FROM posts WHERE id = 3; SELECT count(*) FROM comments") == "495\n")
    }

    @Test func `the same posts give the same bytes, and the file stays`() throws {
      try convert(["-o", database]).expectSilence()
      let first = try #require(folder.bytes("blog.sqlite"))
      folder.setTime("blog.sqlite", 1_500_000_000)
      try convert(["-o", database]).expectSilence()
      #expect(folder.bytes("blog.sqlite") == first)
      let attributes = try FileManager.default.attributesOfItem(atPath: database)
      #expect((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 1_500_000_000)
      #expect(folder.names == ["blog.sqlite"])
    }

    @Test func `favourites come first, and marks and columns of one's own survive a merge`() throws
    {
      try convert(["-o", database], from: feed(posts: [1, 2, 3])).expectSilence()
      _ = try ask(
        "UPDATE posts SET favorite = 1 WHERE id = 2; UPDATE posts SET seen = 1 WHERE id = 3; "
          + "ALTER TABLE posts ADD COLUMN note; UPDATE posts SET note = 'mine' WHERE id = 3; "
          + "CREATE TABLE diary(day); INSERT INTO diary VALUES('Monday')")
      let changed = feed(posts: [2, 3, 4], titles: "new")
      try convert(["-o", database, "--merge"], from: changed).expectSilence()
      #expect(
        try ask("SELECT id, title, favorite, seen, note FROM posts_by_favorite")
          == "2|new2|1|0|\n3|new3|0|1|mine\n4|new4|0|0|\n")
      #expect(try ask("SELECT count(*), min(post_id) FROM comments") == "6|2\n")
      #expect(try ask("SELECT * FROM diary") == "Monday\n")
      #expect(try ask("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
      // Where there is none yet, a merge makes one.
      unlink(database)
      try convert(["-o", database, "--merge"], from: changed).expectSilence()
      #expect(try ask("SELECT count(*) FROM posts") == "3\n")
    }

    @Test func `what is filtered or cannot be read is not removed by a merge`() throws {
      try convert(["-o", database], from: feed(posts: [1, 2, 3])).expectSilence()
      let merge = ["-o", database, "--merge", "--table", "posts", "--max-rejects", "90%"]
      try convert(merge + ["--where", "title=new2"], from: feed(posts: [1, 2], titles: "new"))
        .expectSilence()
      #expect(try ask("SELECT id, title FROM posts") == "1|t1\n2|new2\n")
      let broken = feed(posts: [2]).replacing("\"posts\": [", with: "\"posts\": [{\"id\": 1},")
      #expect(try convert(merge, from: broken).code == 3)
      #expect(try ask("SELECT id, title FROM posts") == "1|t1\n2|t2\n")
      // Nor where the record that cannot be read is not asked for.
      try convert(merge + ["--where", "title=t2"], from: broken).expectSilence()
      #expect(try ask("SELECT id, title FROM posts") == "1|t1\n2|t2\n")
    }

    @Test(arguments: [
      (#"{"id": 99, "postId": 7, "name": "n"}"#, "refers with \"post_id\" to a row of \"posts\""),
      (#"{"id": 11, "postId": 1, "name": "n"}"#, "have the key \"11\""),
    ])
    func `rows that do not fit each other publish nothing`(comment: String, says: String) throws {
      try convert(["-o", database], from: feed(posts: [1])).expectSilence()
      let before = folder.bytes("blog.sqlite")
      for more in [[], ["--merge"]] {
        let run = try convert(
          ["-o", database, "-o", folder("{table}.csv")] + more,
          from: feed(posts: [1, 2], moreComments: comment))
        run.expectFailure(65, "normalize: ")
        #expect(run.errors.contains(says), "\(run.errors)")
        #expect(folder.bytes("blog.sqlite") == before)
        #expect(folder.names == ["blog.sqlite", "posts.json"])
      }
    }

    @Test func `the one table of a feed is merged by its key, where that is said to be unique`()
      throws
    {
      func document(_ key: String) throws -> String {
        try folder.write(
          "flats.yaml",
          """
          feed: flats
          rows: d[]
          columns: {no: {required: true}, part: {kind: integer, required: true}, sold: {kind: flag}}
          key: {columns: [no, part]\(key)}
          """)
      }
      func merge(_ feed: String, _ rows: String) throws -> Run {
        try BuiltProgram.run([
          "convert", try folder.write("flats.json", "{\"d\":[\(rows)]}"), "--feed", feed, "-o",
          database, "--merge", "--max-rejects", "50%",
        ])
      }
      let feed = try document(", unique: true")
      try merge(feed, #"{"no":"1","part":1,"sold":false},{"no":"1","part":2}"#).expectSilence()
      #expect(try ask("SELECT count(*) FROM pragma_table_info('flats') WHERE pk > 0") == "2\n")
      #expect(
        try ask("ALTER TABLE flats ADD COLUMN note TEXT; UPDATE flats SET note = no||part").isEmpty)
      try merge(feed, #"{"no":"2","part":1},{"no":"1","part":1,"sold":true}"#).expectSilence()
      #expect(try ask("SELECT * FROM flats ORDER BY no") == "1|1|1|11\n2|1||\n")
      // A record without its key may be any row: none is removed.
      #expect(try merge(feed, #"{"no":"3","part":1},{"no":"4"}"#).code == 3)
      #expect(try ask("SELECT no FROM flats ORDER BY no") == "1\n2\n3\n")
      try merge(feed, #"{"no":"5","part":1},{"no":"5","part":1}"#).expectFailure(
        65, "normalize: two rows of the table \"flats\" have the key \"5\", \"1\"")
      // A key that is not said to be unique tells what rows are about, and may stand in many.
      let run = try merge(try document(""), #"{"no":"5","part":1}"#)
      run.expectFailure(64, "the table flats has no key that identifies its rows")
      #expect(run.errors.contains("unique: true"))
      #expect(try ask("SELECT no FROM flats ORDER BY no") == "1\n2\n3\n")
      let input = try folder.write(
        "plain.json", #"{"d":[{"no":"5","part":1},{"no":"5","part":1}]}"#)
      try BuiltProgram.run([
        "convert", input, "--feed", try document(""), "-o", folder("plain.sqlite"),
      ]).expectSilence()
    }

    @Test func `a table alone names no table that is not there`() throws {
      for _ in 1...2 {
        try convert(["-o", database, "--table", "posts", "--merge"], from: feed(posts: [1, 2]))
          .expectSilence()
      }
      #expect(try ask("SELECT count(*) FROM pragma_foreign_key_list('posts')") == "0\n")
      #expect(try ask("DELETE FROM posts WHERE id = 1; SELECT count(*) FROM posts") == "1\n")
      // What the other tables say of each other stays.
      try convert(["-o", database, "--merge"], from: feed(posts: [2])).expectSilence()
      #expect(try ask("DELETE FROM posts; SELECT count(*) FROM comments") == "0\n")
    }

    @Test(arguments: [
      (#"{"id":9223372036854775808,"n":1}"#, "9223372036854775808"),
      (#"{"id":-9223372036854775809,"n":1}"#, "-9223372036854775809"),
      (#"{"id":1,"n":1e400}"#, "1e400"), (#"{"id":1,"m":12345678901234567890}"#, "1234567890"),
    ])
    func `a number that a database cannot hold is named, and publishes nothing`(
      row: String, says: String
    ) throws {
      let rows = try folder.write(
        "n.json", #"{"d":[{"id":9223372036854775807,"m":-9223372036854775808,"n":1e30},\#(row)]}"#)
      let document = try folder.write(
        "n.yaml",
        """
        feed: n
        rows: d[]
        columns: {id: {kind: integer, required: true}, m: {kind: integer}, n: {kind: decimal}}
        key: {columns: [id], unique: true}
        """)
      let run = try BuiltProgram.run(["convert", rows, "--feed", document, "-o", database])
      run.expectFailure(65, "normalize: a database cannot store the number ")
      #expect(run.errors.contains(says) && run.errors.contains("kind: text"), "\(run.errors)")
      #expect(folder.names == ["n.json", "n.yaml"])
      // The last ones that it can hold stay what they are.
      let fit = try folder.write("n.json", folder.text("n.json").replacing(",\(row)", with: ""))
      try BuiltProgram.run(["convert", fit, "--feed", document, "-o", database]).expectSilence()
      #expect(
        try ask("SELECT * FROM n") == "9223372036854775807|-9223372036854775808|1.0e+30\n")
    }

    @Test(arguments: [
      ("CREATE UNIQUE INDEX mine ON posts(user_id)", "posts.user_id"),
      (
        "CREATE TABLE mine(id INTEGER PRIMARY KEY); INSERT INTO mine VALUES(1); CREATE TRIGGER t "
          + "AFTER UPDATE ON posts BEGIN INSERT INTO mine VALUES(new.id); END", "mine.id"
      ),
      ("CREATE TRIGGER t BEFORE INSERT ON posts BEGIN SELECT RAISE(ABORT, 'mine'); END", "mine"),
    ])
    func `what a rule of the user's refuses is not told as a key that stands twice`(
      rule: String, told: String
    ) throws {
      try convert(["-o", database], from: feed(posts: [1])).expectSilence()
      #expect(try ask(rule).isEmpty)
      let before = folder.bytes("blog.sqlite")
      let run = try convert(["-o", database, "--merge"], from: feed(posts: [1, 2, 3]))
      run.expectFailure(74, "sink: \"\(database)\": ")
      #expect(run.errors.contains(told), "\(run.errors)")
      #expect(
        run.errors.contains("; change the table in it, or write a new database, without --merge"))
      #expect(folder.bytes("blog.sqlite") == before)
    }

    @Test func `a damaged database is not merged into, even where the feed's tables are whole`()
      throws
    {
      try convert(["-o", database], from: feed(posts: [1])).expectSilence()
      _ = try ask(
        "CREATE TABLE diary(id INTEGER PRIMARY KEY, day); "
          + "INSERT INTO diary VALUES(1, 'Monday'), (2, 'Tuesday')")
      let page = try ask(
        "SELECT (rootpage - 1) * (SELECT page_size FROM pragma_page_size) FROM sqlite_schema "
          + "WHERE name = 'diary'")
      let start = try #require(Int(page.filter(\.isNumber)))
      // A leaf's cell pointers begin at its ninth byte. Exchanged, the rows are out of order.
      var bytes = try #require(folder.bytes("blog.sqlite")).array
      bytes.replaceSubrange(
        start + 8..<start + 12, with: bytes[start + 10..<start + 12] + bytes[start + 8..<start + 10]
      )
      try folder.write("blog.sqlite", bytes)
      let run = try convert(["-o", database, "--merge"], from: feed(posts: [1, 2]))
      run.expectFailure(74, "sink: \"\(database)\" is not a database, or damaged (")
      #expect(run.errors.contains("write a new one, without --merge"), "\(run.errors)")
      #expect(folder.bytes("blog.sqlite")?.array == bytes)
      #expect(folder.names == ["blog.sqlite", "posts.json"])
    }

    @Test func `a trigger of the file's owner runs, but reaches no virtual table`() throws {
      try convert(["-o", database], from: feed(posts: [1])).expectSilence()
      _ = try ask(
        "CREATE TABLE log(id); "
          + "CREATE TRIGGER logged AFTER INSERT ON posts BEGIN INSERT INTO log VALUES(new.id); END")
      try convert(["-o", database, "--merge"], from: feed(posts: [1, 2])).expectSilence()
      #expect(try ask("SELECT id FROM log") == "2\n")
      _ = try ask(
        "CREATE VIRTUAL TABLE words USING fts5(title, content = posts, content_rowid = id); "
          + "CREATE TRIGGER found AFTER INSERT ON posts BEGIN "
          + "INSERT INTO words(rowid, title) VALUES(new.id, new.title); END")
      let before = folder.bytes("blog.sqlite")
      let run = try convert(["-o", database, "--merge"], from: feed(posts: [1, 2, 3]))
      run.expectFailure(74, "sink: \"\(database)\": a trigger or a view uses what a merge does not")
      #expect(run.errors.contains("virtual table \"words\""), "\(run.errors)")
      #expect(run.errors.contains("drop it, and update that table after the merge"))
      #expect(folder.bytes("blog.sqlite") == before)
      // As the message and the docs say.
      _ = try ask("DROP TRIGGER found")
      try convert(["-o", database, "--merge"], from: feed(posts: [1, 2, 3])).expectSilence()
      _ = try ask("INSERT INTO words(words) VALUES('rebuild')")
      #expect(try ask("SELECT rowid FROM words WHERE words MATCH 't3'") == "3\n")
    }

    @Test func `a database in a folder behind a link is made and merged`() throws {
      try folder.link("www", to: try folder.folder("real"))
      for _ in 1...2 {
        try convert(["-o", folder("www/blog.sqlite"), "--merge"], from: feed(posts: [1]))
          .expectSilence()
      }
      try folder.link("blog.sqlite", to: "www/blog.sqlite")
      try convert(["-o", database, "--merge"], from: feed(posts: [1, 2])).expectSilence()
      #expect(try ask("SELECT count(*) FROM posts") == "2\n")
    }

    @Test func `a merge tells the database and its size`() throws {
      try convert(["-o", database], from: feed(posts: [1])).expectSilence()
      let run = try convert(
        ["-o", database, "--merge", "-v", "--stats", folder("stats.json")],
        from: feed(posts: Array(1...900)))
      let size = try #require(folder.bytes("blog.sqlite")).count
      #expect(run.errors.contains("; bytes written: \(database) (\(size))\n"), "\(run.errors)")
      #expect(folder.text("stats.json").contains("\"\(database)\":\(size)"))
    }

    @Test func `each table goes to a file of its own, or one alone`() throws {
      try convert(["-o", folder("{table}.csv"), "-o", folder("x-{table}.ndjson")]).expectSilence()
      #expect(folder.text("users.csv").hasPrefix("id,name,username,email,phone,website\n1,Анна"))
      #expect(
        folder.text("x-geos.ndjson").hasPrefix(#"{"user_id":1,"lat":-1.50,"lng":31.125}"#))
      #expect(folder.names.count == 12)
      let one = try convert(["--table", "posts", "--where", "user_id=1", "--format", "csv"])
      #expect(one.code == 0 && one.output.hasPrefix("id,user_id,title,body\n3,1,Post 3,"))
    }

    @Test func `what cannot be is told with what can`() throws {
      let cases: [(words: [String], says: String)] = [
        ([], "choose one with --table"),
        (["-o", folder("x.csv")], "out/{table}.csv"),
        (["-o", database, "--where", "id=1"], "choose one with --table"),
        (["--table", "post"], "choose from"),
        (["-o", folder("{table}.csv"), "--merge"], "-o FILE.sqlite"),
        (["-o", folder("{table}.ics")], "no events"),
        (["-o", folder("{table}.csv"), "-o", folder("posts.csv"), "--table", "posts"], "one file"),
      ]
      for (words, says) in cases {
        let run = try convert(words)
        run.expectFailure(64, "")
        #expect(run.errors.contains(says), "\(run.errors)")
      }
      try convert(["-o", "-", "--format", "sqlite"])
        .expectFailure(73, "sink: \"-\" cannot be a database")
      try convert(["-o", "/dev/null", "--format", "sqlite"])
        .expectFailure(73, "sink: \"/dev/null\" cannot be a database")
      try folder.write("blog.sqlite", "hello, this is no database at all")
      try convert(["-o", database, "--merge"])
        .expectFailure(74, "sink: \"\(database)\" is not a database, or damaged")
      #expect(folder.text("blog.sqlite") == "hello, this is no database at all")
      try convert(["-o", database]).expectSilence()
    }
  }
}
