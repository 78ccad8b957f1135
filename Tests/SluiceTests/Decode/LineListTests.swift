import Testing

@testable import Sluice

@Suite struct LineListTests {
  /// Reads a text as lines at every cut: the tokens as of JSON, and the error.
  private func tokens(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Tokens {
    let bytes = Array(text.utf8)
    return ChunkCutter.everyCut(of: bytes, sourceLocation: sourceLocation) { cut in
      let box = TokenCollector.Box()
      let counters = Counters()
      var failure: PipelineError?
      do throws(PipelineError) {
        let json = Tokenizer(into: TokenCollector(box: box), counters: counters)
        try ChunkCutter.feed(bytes, cut, to: LineList(into: json))
      } catch {
        failure = error
      }
      return Tokens(tokens: box.tokens, error: failure)
    }
  }

  @Test(arguments: [
    "{\"a\":1}\n{\"a\":[2,\"x\"]}", "{\"a\":1}\n{\"a\":2}\n", "{}\r\n{\"ключ\":null}\r\n",
    " {\"a\":{\"b\":1}} \n\n \t\n{\"a\":2}\n\n", "{\"a\":1}\n{\"a\":2}\n[3]\n4\n\"x\"\n",
    "{\"a\":1}\n{\"a\":\n2\n}\n{\"a\":3}",
    "\n{\"a\":1}\n{\"a\":2}\n", "\r\n \n\t{\"a\":1}\n{\"a\":2}",
    "\u{FEFF}\n\n{\"a\":1}\n\n{\"a\":2}\n",
  ])
  func `lines are the elements of a list, at their own offsets`(text: String) {
    let read = tokens(text)
    #expect(read.error == nil)
    #expect(read.tokens.first?.kind == .beginArray)
    #expect(read.tokens.last?.kind == .endArray)
    let bytes = Array(text.utf8)
    let objects = read.tokens.filter { $0.kind == .beginObject || $0.kind == .key }
    #expect(!objects.isEmpty)
    for token in objects {
      #expect(bytes[token.offset] == UInt8(ascii: token.kind == .key ? "\"" : "{"))
    }
  }

  @Test(arguments: [
    "{\"a\":1}", "{\"a\":1}\n", "{\"a\":[\n{\"b\":1},\n{\"b\":2}]}\n", "{\n\"a\": {}\n}\n", "", " ",
    "{\"a\":1}\n]", "\n", "\n{\"a\":1}\n", "\n\n[1]\n{}", "{\"a\":1}{\"a\":2}",
    "\u{FEFF}{\"a\":1}\n",
  ])
  func `any other text is read as it is`(text: String) {
    let bytes = Array(text.utf8)
    let plain = Tokenizing.everyCut(bytes)
    #expect(tokens(text) == plain)
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"a\":2}{\"a\":3}\n", 15), ("{\"a\":1},\n{\"a\":2}\n", 7),
    ("{\"a\":1}\n{\"a\":2},\n{\"a\":3}\n", 15), ("{\"a\":1}\n{\"a\":\"x\ny\"}\n", 15),
    ("{\"a\":1}\n{\"a\":", 13), ("{\"a\":1}\n{\"a\":2\n{\"a\":3}\n", 15),
    ("{\"a\":1}\n{\"a\":2}\n]", 16), ("{\"a\":1}\n{\"a\":2}\n,{\"a\":3}", 16),
    ("{\"a\":\"}\n{\"}", 7),
  ])
  func `a wrong line is an error at its byte`(text: String, offset: Int) {
    let error = tokens(text).error
    #expect(error?.stage == .json)
    #expect(error?.offset == offset)
  }

  @Test(arguments: StructuralIndex.Way.allCases.filter { $0 != .none && $0.isKnown })
  func `long lines come to the same by every index`(way: StructuralIndex.Way) {
    let line = #"{"name":"a line that is longer than a block of an index","at":[1,{"b":-2.5}]}"#
    for between in [
      "\n", "\r\n", "\n\n \n", " \n\t", " ", "", ",\n", "\nx", "\n]\n", "\n1221\n", "\n1221 ]\n",
      "\n4,5\n",
      "\n\"x\"]\n", "\nnull,", "\ntrue}\n", "\n[3]]\n", "\n[3]\n",
    ] {
      for last in ["", "\n", " \n \n"] {
        let text = Array("\(line)\n\(line)\(between)\(line)\n\(line)\(last)".utf8)
        let expected = tokens(text, .whole, indexed: .none)
        for cut in [ChunkCutter.Cut.whole, .pieces(of: 70), .pieces(of: 131)] {
          #expect(tokens(text, cut, indexed: way) == expected)
        }
      }
    }
  }

  private func tokens(
    _ text: [UInt8], _ cut: ChunkCutter.Cut, indexed way: StructuralIndex.Way
  ) -> Tokens {
    let box = TokenCollector.Box()
    var failure: PipelineError?
    do throws(PipelineError) {
      let json = Tokenizer(
        into: TokenCollector(box: box), indexed: way, counters: Counters())
      try ChunkCutter.feed(text, cut, to: LineList(into: json))
    } catch {
      failure = error
    }
    return Tokens(tokens: box.tokens, error: failure)
  }

  @Test(arguments: ["\n", "\r\n", "\n\n", " \n"])
  func `records on lines give the rows of the same records in a list`(between: String) throws {
    let feed = try FeedDocument.read(
      Array(
        """
        sluice: 2
        feed: lines
        rows: "[]"
        columns:
          id: {from: id, required: true}
          who: actor.name
          tags: {from: "tags[*].name", separator: "; "}
          first: {from: "tags[kind=a].name"}
          size: {from: size, kind: integer}
        """.utf8))
    var generator = SeededGenerator(seed: 3)
    let actors = [#"{"name":"ж  ж"}"#, "null", #"{"id":1,"name":"\u0416\n"}"#, "{}"]
    let tags = [
      "[]", #"[{"kind":"a","name":"x"}]"#, "null", #"[{"name":"y"},{"kind":"a","name":""}]"#,
    ]
    let records = (0..<600).map { number in
      #"{"id":"\#(number)","actor":\#(generator.pick(actors)),"other":{"deep":[[\#(number)]]},"#
        + #""tags":\#(generator.pick(tags)),"size":\#(generator.pick(["1", "-7", "1.5", "null"]))}"#
    }
    func rows(_ text: String) throws -> String? {
      let folder = try ScratchFolder()
      var conversion = Conversion(of: .bytes(Array(text.utf8)), as: feed)
      conversion.outputs = [Conversion.Output(.file(folder("rows.csv")), .csv)]
      conversion.rejectLimit = .unlimited
      _ = try conversion.run()
      return folder.text("rows.csv")
    }
    let listed = try #require(try rows("[\(records.joined(separator: ","))]"))
    #expect(try rows(records.joined(separator: between)) == listed)
    #expect(listed.split(separator: "\n").count > 300)
  }

  @Test func `a feed of a list reads lines, and says that they have no end`() throws {
    let feed = try FeedDocument.read(
      Array("feed: lines\nrows: \"[].items[]\"\ncolumns: {at: \"[].at\", name: name}\n".utf8))
    let text = """
      {"at": 1, "items": [{"name": "a"}, {"name": "b"}]}
      {"at": 2, "items": []}
      {"at": 3, "items": [{"name": "c"}]}

      """
    var conversion = Conversion(of: .bytes(Array(text.utf8)), as: feed)
    let folder = try ScratchFolder()
    conversion.outputs = [Conversion.Output(.file(folder("lines.csv")), .csv)]
    let statistics = try conversion.run()
    #expect(folder.text("lines.csv") == "at,name\n1,a\n1,b\n3,c\n")
    #expect(statistics.rows == 3)
  }

  @Test func `a feed of one object does not read lines`() throws {
    let feed = try FeedDocument.read(
      Array("feed: lines\nrows: items[]\ncolumns: {name: name}\n".utf8))
    let text = "{\"items\": []}\n{\"items\": []}\n"
    let conversion = Conversion(of: .bytes(Array(text.utf8)), as: feed)
    #expect(throws: PipelineError.self) { try conversion.run() }
  }
}
