import Testing

@testable import Sluice

/// CSV as the JSON that it stands for.
@Suite struct CSVReaderTests {
  /// Reads a table at every cut.
  private func read(
    _ text: [UInt8], known: [String] = ["a", "b"], verbatim: Set<String> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Tokens {
    ChunkCutter.everyCut(of: text, sourceLocation: sourceLocation) { cut in
      let box = TokenCollector.Box()
      box.reply = { $0.kind == .beginObject || $0.kind == .beginArray ? .capture : .proceed }
      do throws(PipelineError) {
        let reader = CSVReader(
          into: TokenCollector(box: box), known: known, verbatim: verbatim, counters: Counters())
        try ChunkCutter.feed(text, cut, to: reader)
        #expect(box.isFinished)
        return Tokens(tokens: box.tokens, error: nil)
      } catch {
        return Tokens(tokens: box.tokens, error: error)
      }
    }
  }

  /// A table's rows, as JSON without quoting.
  private func rows(
    _ text: String, known: [String] = ["a", "b"], verbatim: Set<String> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [String] {
    let tokens = read(
      Array(text.utf8), known: known, verbatim: verbatim, sourceLocation: sourceLocation)
    #expect(tokens.error == nil, sourceLocation: sourceLocation)
    #expect(tokens.tokens.first?.kind == .beginArray, sourceLocation: sourceLocation)
    #expect(tokens.tokens.last?.kind == .endArray, sourceLocation: sourceLocation)
    var rows: [String] = []
    for token in tokens.tokens.dropFirst().dropLast() {
      let text = String(decoding: token.text, as: UTF8.self)
      switch token.kind {
      case .beginObject: rows.append("{")
      case .beginArray: rows.append("[")
      case .key: rows[rows.count - 1] += "\(text):"
      case .string: rows[rows.count - 1] += "\(text)|"
      case .endObject: rows[rows.count - 1] += "}"
      case .endArray: rows[rows.count - 1] += "]"
      default: rows[rows.count - 1] += "\(token.kind)"
      }
    }
    return rows
  }

  @Test(arguments: [
    "a,b\n1,2\n,x\n", "a;b\r\n1;2\r\n;x", "\u{FEFF}a\tb\n1\t2\n\tx\n\n", "sep=;\r\na;b\n1;2\n;x",
    "\n\na,b\n\n1,2\n\n,x\n\n", "\"a\",\"b\"\n\"1\",\"2\"\n\"\",\"x\"", " a , b \n 1,2 \n , x\n",
    "a,b,\n1,2,\n,x,,\n",
  ])
  func `lines become objects whatever stands between fields`(text: String) {
    #expect(rows(text) == ["{a:1|b:2|}", "{a:|b:x|}"])
  }

  @Test func `quoted fields hold anything`() {
    #expect(
      rows("a;b\n\"x;\"\"y\"\"\";\"1\n2\r\n3\"\n\"№\";' \" '\n")
        == ["{a:x;\"y\"|b:1\n2\r\n3|}", "{a:№|b:' \" '|}"])
    #expect(rows("\"a\nb\";b\n1;2") == ["{a\nb:1|b:2|}"])
  }

  @Test func `a line with other fields than the first is no record, and its neighbours are`() {
    #expect(
      rows("a,b\n1,2\nx\n3,4,5\n6,7,\n8,9\n")
        == ["{a:1|b:2|}", "[x|]", "[3|4|5|]", "{a:6|b:7|}", "{a:8|b:9|}"])
  }

  @Test func `a row's raw text is its line, and its offset is known`() {
    let tokens = read(Array("a,b\n1,2\r\n\n\"x\ny\",3\n4".utf8)).tokens
    let ends = tokens.dropLast().filter { $0.kind == .endObject || $0.kind == .endArray }
    #expect(ends.map { String(decoding: $0.text, as: UTF8.self) } == ["1,2", "\"x\ny\",3", "4"])
    let starts = tokens.dropFirst().filter { $0.kind == .beginObject || $0.kind == .beginArray }
    #expect(starts.map(\.offset) == [4, 10, 18])
  }

  @Test func `a column without a name is called by its number`() {
    #expect(
      rows("a,,b,\n1,2,3,\n4,5\n")
        == ["{a:1|column 2:2|b:3|}", "[4|5|]"])
    // One that is taken is left alone, and one that is asked for is there.
    #expect(rows("a,,column 2\n1,2,3\n") == ["{a:1|column 2:3|}"])
    #expect(rows("x,\n1,\n", known: ["column 2"]) == ["{x:1|column 2:|}"])
  }

  @Test func `columns of the same name are called by their numbers`() {
    #expect(rows("x,a,x\n1,2,\n") == ["{column 1:1|a:2|column 3:|}"])
    #expect(rows("a,x,x,column 3\n1,2,3,4\n") == ["{a:1|column 2:2|column 3:4|}"])
    #expect(rows("x,x,x\n1,2,3\n", known: ["column 2"]) == ["{column 1:1|column 2:2|column 3:3|}"])
  }

  @Test func `a heading alone is an empty list`() {
    #expect(rows("a,b") == [])
    #expect(rows("a;b\n") == [])
  }

  @Test func `what is wrong is told with its line`() {
    func error(_ text: String) -> PipelineError? { read(Array(text.utf8)).error }
    #expect(error("a,\"b\n1,2\n") == PipelineError(.csv(.unclosedQuote), at: 0))
    let wide = "a,b\n" + String(repeating: ",", count: 20_000)
    #expect(
      Self.fault(wide) == PipelineError(.csv(.tooManyFields(limit: Limits.columns)), at: 4))
    #expect(error("\n \n") == PipelineError(.csv(.empty), at: 0))
    #expect(error("a,b\n1,2\n3,\"4\n5,6\n") == PipelineError(.csv(.unclosedQuote), at: 8))
    #expect(
      error("x,a,b,a\n1,2,3,4\n")
        == PipelineError(.csv(.duplicateColumn("a", places: [2, 4])), at: 0))
    #expect(
      error("Sorry, try later\n")
        == PipelineError(
          .csv(.noKnownColumn(expected: ["a", "b"], found: ["Sorry", "try later"])), at: 0))
    #expect(
      read(Array("a,b\n1,2\n".utf8) + [0xCF, 0xF0, 0x2C, 0x31, 0x0A]).error
        == PipelineError(.csv(.notUTF8(likely: "WINDOWS-1251")), at: 8))
    #expect(Self.fault("x,y\n1,2\n", known: nil) == nil)
  }

  /// How reading ends, in one piece.
  private static func fault(_ text: String, known: [String]? = ["a"]) -> PipelineError? {
    do throws(PipelineError) {
      let reader = CSVReader(into: NoTokens(), known: known, counters: Counters())
      try ChunkCutter.feed(Array(text.utf8), .whole, to: reader)
      return nil
    } catch {
      return error
    }
  }

  @Test(.slow) func `a first line of very many lines is read once`() {
    let lines = String(repeating: "\n", count: 4 << 20)
    #expect(Self.fault("a,\"\(lines)\"\n1,2\n") == nil)
    #expect(
      Self.fault("a,\"" + String(repeating: "\n", count: 17 << 20))
        == PipelineError(.csv(.rowTooLong(limit: Limits.string)), at: 0))
  }

  @Test func `a feed's table gives the rows that its JSON gives`() throws {
    let keys = ["Населенный пункт", "Адрес жилого здания", "№ дома", "Период отключения ГВС"]
    let counters = Counters()
    let box = Collector.Box()
    let encoder = CSVEncoder(
      Feed.hotWater, dialect: .plain, into: Collector(box: box), counters: counters)
    let text = keys.joined(separator: ";") + "\nСПб;Лесная;12/3;22.06.2020-05.07.2020\n;x\n"
    var options = NormalizerOptions()
    options.limit = .count(1)
    let decoding = Decoding(
      into: Normalizer(
        Feed.hotWater, options: options, into: FanOut([Branch(encoder)]), counters: counters),
      options: DecodingOptions(columns: Table.hotWater.keys), counters: counters)
    try ChunkCutter.feed(Array(text.utf8), .whole, to: decoding.stages)
    #expect(String(decoding: box.bytes, as: UTF8.self).contains("\nСПб,Лесная,12/3,,,2020-06-22,"))
    #expect(counters.rejected.value == 1)
  }

  private func own(_ text: String) -> [String] {
    var rows: [String] = []
    let feed = try? OwnFeed.read(
      "feed: a\nrows: \"[]\"\ncolumns: {v: {kind: verbatim}, t: t, n: {kind: integer}}")
    guard let feed else { return ["no feed"] }
    let conversion = Conversion(of: .bytes(Array(text.utf8)), as: feed)
    _ = try? conversion.forEachRow { rows.append($0.values.joined(separator: "|")) }
    return rows
  }

  @Test func `blanks around a field without quotes belong to it, if it is read verbatim`() {
    #expect(own("v,t,n\n  a b ,  c d , 1 \n") == ["  a b |c d|1"])
    #expect(own("t;n;v\nx;1; a \ny;2;\nz;3; \n") == [" a |x|1", "|y|2", " |z|3"])
    #expect(own("v\tt\tn\n a \tb\t1\n") == [" a |b|1"])
    #expect(own("v,t,n\r\n a ,b,1\r\n c ,d,2") == [" a |b|1", " c |d|2"])
  }

  @Test func `blanks are kept wherever the table is cut`() {
    #expect(
      rows("a,b\r\n  x y ,  c \r\n\" q\r\n, \" , d \r\n\r\n , \r\n e", verbatim: ["a"])
        == ["{a:  x y |b:c|}", "{a: q\r\n, |b:d|}", "{a: |b:|}", "[ e|]"])
    #expect(
      rows(" b ; a \n 1 ; 2 ;\n 3 ; 4 ; 5", verbatim: ["a"]) == ["{b:1|a: 2 |}", "[3| 4 |5|]"])
  }

  @Test func `quotes are read as before, if a column is read verbatim`() {
    #expect(own("v,t,n\n \" a,b \" , \"c,d\" ,1\n") == [" a,b |c,d|1"])
    #expect(own("t,v,n\n \"x,\"\"y\" , b ,1\n") == [" b |x,\"y|1"])
    #expect(own("t,v,n\n\"x\ny\", b ,1\n") == [" b |x y|1"])
    #expect(own("t,v,n\na\"b, c\"d ,1\n") == [" c\"d |a\"b|1"])
  }

  @Test func `a long field keeps its blanks too`() {
    let long = " " + String(repeating: "x", count: 200_000) + " "
    #expect(own("v,t,n\n\(long),b,1\n") == ["\(long)|b|1"])
    #expect(own("n,t,v\n1,\(long),\(long)\n") == ["\(long)|\(long.dropFirst().dropLast())|1"])
  }
}
