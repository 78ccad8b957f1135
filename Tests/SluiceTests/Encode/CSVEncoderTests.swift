import Testing

@testable import Sluice

@Suite struct CSVEncoderTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// One field, as it stands between a first and a last.
  private func field(_ text: String, _ dialect: CSVDialect = .plain) throws -> String {
    let feed = Encoding.feed(["a", "b", "c"])
    let (csv, _) = try Encoding.csv([[bytes("x"), bytes(text), bytes("y")]], feed, dialect)
    let separator = dialect == .plain ? "," : ";"
    let head = dialect == .plain ? "a,b,c\nx," : "\u{FEFF}a;b;c\r\nx;"
    let tail = separator + "y" + (dialect == .plain ? "\n" : "\r\n")
    let all = String(decoding: csv, as: UTF8.self).unicodeScalars
    #expect(all.starts(with: head.unicodeScalars))
    #expect(all.reversed().starts(with: tail.unicodeScalars.reversed()))
    return String(
      String.UnicodeScalarView(
        all.dropFirst(head.unicodeScalars.count).dropLast(tail.unicodeScalars.count)))
  }

  @Test(arguments: [
    ("", ""), (" ", " "), (" a ", " a "), ("a", "a"), ("a;b", "a;b"), ("a'b", "a'b"),
    ("a\tb", "a\tb"),
    ("\u{0}", "\u{0}"), ("яё🏠", "яё🏠"), ("=1", "=1"), ("-1", "-1"), ("\u{85}", "\u{85}"),
    ("\u{2028}", "\u{2028}"), ("0047", "0047"), ("\u{FEFF}", "\u{FEFF}"),
    ("a,b", "\"a,b\""), (",", "\",\""), ("\"", "\"\"\"\""), ("a\"", "\"a\"\"\""),
    ("\"\"", "\"\"\"\"\"\""),
    ("a\nb", "\"a\nb\""), ("\r", "\"\r\""), ("a\r\nb", "\"a\r\nb\""),
    ("0123456789abcde,", "\"0123456789abcde,\""), ("0123456789abcdef,", "\"0123456789abcdef,\""),
  ])
  func `plain quotes only where it must`(_ text: String, _ expected: String) throws {
    #expect(bytes(try field(text)) == bytes(expected))
  }

  @Test(arguments: [
    ("", ""), ("a,b", "\"a,b\""), ("a\tb", "\"a\tb\""), ("a;b", "\"a;b\""), ("a\"b", "\"a\"\"b\""),
    ("a\nb", "\"a\nb\""),
    ("1.5", "1.5"),
    ("=1", "'=1"), ("+7", "'+7"), ("-", "'-"), ("@a", "'@a"), ("\ta", "\"'\ta\""),
    ("\ra", "\"'\ra\""),
    ("=\"a\";1", "\"'=\"\"a\"\";1\""), ("a=1", "a=1"), ("'=1", "'=1"), (" =1", "' =1"),
    ("−1", "−1"),
    ("\na", "\"'\na\""), ("\n=a", "\"'\n'=a\""), ("\t+a(1)", "\"'\t'+a(1)\""),
    ("\u{0}=1", "'\u{0}=1"),
    ("\u{A0}\u{3000} @a", "'\u{A0}\u{3000} @a"), ("\u{FEFF}=1", "'\u{FEFF}=1"),
    ("\u{200B}\u{2060}\u{202E}\u{2066}\u{AD}-1", "'\u{200B}\u{2060}\u{202E}\u{2066}\u{AD}-1"),
    ("\u{E0041}=1", "'\u{E0041}=1"), ("\u{3164}=1", "'\u{3164}=1"),
    ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠a", "'＠a"),
    ("\u{A0}a", "\u{A0}a"), ("—", "—"), ("№ 1", "№ 1"), ("яё", "яё"), ("ы=1", "ы=1"), (" ", " "),
    (",", "\",\""), (",=1", "\",'=1\""),
  ])
  func `excel guards formulas, and quotes what any separator needs`(
    _ text: String, _ expected: String
  )
    throws
  {
    #expect(bytes(try field(text, .excel)) == bytes(expected))
  }

  @Test(arguments: [
    // What is a cell of its own where a spreadsheet splits at commas, tabs or lines.
    ("x,=cmd|' /C calc'!A0,", "\"x,'=cmd|' /C calc'!A0,\""), ("x,  =1", "\"x,  '=1\""),
    ("x\t=1", "\"x\t'=1\""), ("x\n=1", "\"x\n'=1\""), ("x\r\n\u{A0}@a", "\"x\r\n\u{A0}'@a\""),
    ("x,\u{200B}＝1", "\"x,\u{200B}'＝1\""), ("x;=1", "\"x;=1\""), ("a,=1,=2", "\"a,'=1,'=2\""),
    ("x,+cmd|' /C calc'!A0", "\"x,'+cmd|' /C calc'!A0\""), ("x,-SUM(1;2)", "\"x,'-SUM(1;2)\""),
    ("x,-СУММ (1)", "\"x,'-СУММ (1)\""), ("x,\t=1", "\"x,\t'=1\""), ("=1,=1", "\"'=1,'=1\""),
    // What cannot do harm stays, numbers above all.
    ("1,-2", "\"1,-2\""), ("тел. 1, +7 (812) 2-3", "\"тел. 1, +7 (812) 2-3\""),
    ("1, -0,5 %", "\"1, -0,5 %\""),
    ("список\n- раз\n- два", "\"список\n- раз\n- два\""),
    ("x, - (см. ниже)", "\"x, - (см. ниже)\""),
    ("x, a=1", "\"x, a=1\""), ("a,b", "\"a,b\""), ("x,", "\"x,\""), ("x,-1,a(1)", "\"x,-1,a(1)\""),
  ])
  func `excel guards what may become a cell of its own`(_ text: String, _ expected: String) throws {
    #expect(bytes(try field(text, .excel)) == bytes(expected))
    #expect(try field(text).filter { $0 == "'" }.count == text.filter { $0 == "'" }.count)
  }

  @Test func `many places to guard take time in proportion`() throws {
    let feed = Encoding.feed(["a"])
    for pattern in ["\t", ", ", ",=", "\n-", " ", "\u{A0}"] {
      let text = String(repeating: pattern, count: (1 << 20) / pattern.utf8.count)
      let csv = try Encoding.csv([[bytes(text)]], feed, .excel)
      #expect(csv.bytes.count >= text.utf8.count)
    }
  }

  @Test func `guarded cells are counted, one by one`() throws {
    let feed = Encoding.feed(["a", "b"], rules: [.text, .decimal])
    let row = [bytes("=1"), bytes("-1.5")]
    let long = [bytes("=" + String(repeating: "я", count: 20_000)), bytes("1")]
    let plain = try Encoding.csv([row, row, long], feed)
    #expect(plain.guarded == 0)
    #expect(plain.bytes.starts(with: bytes("a,b\n=1,-1.5\n")))
    let excel = try Encoding.csv([row, row, long, [bytes("a"), bytes("-0.1E-5")]], feed, .excel)
    #expect(excel.guarded == 3)
    #expect(excel.bytes.starts(with: bytes("\u{FEFF}a;b\r\n'=1;\"-1,5\"\r\n'=1;\"-1,5\"\r\n'=яя")))
    #expect(excel.bytes.suffix(13) == bytes("a;\"-0,1E-5\"\r\n")[...])
  }

  @Test func `no rows are a header`() throws {
    #expect(try Encoding.csv([], Encoding.feed(["a", "b"])).bytes == bytes("a,b\n"))
    #expect(
      try Encoding.csv([], Encoding.feed(["a", "b"]), .excel).bytes == bytes("\u{FEFF}a;b\r\n"))
  }

  @Test(
    .slow,
    arguments: [
      16_383, 16_384, 16_385, 32_767, 32_768, 32_769, 65_536, 65_537, 131_073, 3 << 20,
    ])
  func `long fields stay whole`(_ length: Int) throws {
    let feed = Encoding.feed(["a", "b"])
    for pattern in ["a", "\"", "ab\"\"", "я,", "\"\n", "🏠\r"] {
      let more = Array(
        repeatElement(bytes(pattern), count: length / pattern.utf8.count + 1).joined())
      let text = more.withUnsafeBytes { Array($0.prefix(UTF8Encoding.cut($0, to: length))) }
      for dialect in CSVDialect.allCases {
        let (csv, _) = try Encoding.csv([[text, bytes("x")]], feed, dialect)
        let rows = RFC4180.rows(
          dialect == .excel ? Array(csv.dropFirst(3)) : csv,
          separator: DelimitedForm(dialect).separator)
        #expect(rows.count == 2)
        #expect(rows.last == [text, bytes("x")])
      }
      if length > 100_000 { break }
    }
  }

  @Test(arguments: [64, 65, 127, 128, 129, 200], CSVDialect.allCases)
  func `of many columns any may be empty`(count: Int, dialect: CSVDialect) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    // Numbers never need quotes.
    let kinds = (0..<count).map { $0 % 4 == 1 ? FieldKind.integer : .text }
    let feed = Encoding.feed((0..<count).map { "c\($0)" }, rules: kinds)
    let texts = ["a", "a,b", "\"", "a long text that has more than one vector"]
    let rows = (0...20).map { share in
      kinds.map { kind in
        guard Int.random(in: 0..<20, using: &generator) < share else { return "" }
        return kind == .integer ? "12" : texts.randomElement(using: &generator)!
      }
    }
    // Rows that are too long to be copied, or nearly, and one of which only the last column is
    // filled.
    func row(_ last: String) -> [String] { ["a"] + Array(repeating: "", count: count - 2) + [last] }
    let long = [16_383, 16_384, 17_000].map { row(String(repeating: "b", count: $0)) }
    let all = rows + long + [Array(repeating: "", count: count - 1) + ["z"]]
    let (csv, _) = try Encoding.csv(all.map { $0.map(bytes) }, feed, dialect)
    let (separator, end) = dialect == .plain ? (",", "\n") : (";", "\r\n")
    let lines = all.map { row in
      row.map {
        $0.contains { ",\"".contains($0) } ? "\"\($0.replacing("\"", with: "\"\""))\"" : $0
      }
      .joined(separator: separator) + end
    }
    let header = feed.fields.map(\.columns[0]).joined(separator: separator) + end
    #expect(csv == bytes((dialect == .plain ? "" : "\u{FEFF}") + header + lines.joined()))
  }

  @Test func `every byte comes back`() throws {
    var generator = SystemRandomNumberGenerator()
    let feed = Encoding.feed(["a", "b", "c"])
    let alphabet = "\",;\r\n'=ab я\t".unicodeScalars.map { Array(String($0).utf8) }
    let rows = (0..<500).map { _ in
      (0..<3).map { _ in
        (0..<Int.random(in: 0...40, using: &generator)).flatMap { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        }
      }
    }
    let (csv, guarded) = try Encoding.csv(rows, feed)
    #expect(guarded == 0)
    #expect(Array(RFC4180.rows(csv).dropFirst()) == rows)
    let excel = try Encoding.csv(rows, feed, .excel)
    let read = RFC4180.rows(Array(excel.bytes.dropFirst(3)), separator: UInt8(ascii: ";"))
    var changed = 0
    for (row, expected) in zip(read.dropFirst(), rows) {
      for (cell, text) in zip(row, expected) where cell != text {
        let mark = UInt8(ascii: "'")
        #expect(cell.filter { $0 != mark } == text.filter { $0 != mark })
        changed += 1
      }
    }
    #expect(read.count == 501)
    #expect(changed == excel.guarded)
  }

  @Test func `a field of many MiB does not make the buffer grow`() throws {
    let feed = Encoding.feed(["a"])
    for pattern in ["a", "\"", "=", ","] {
      let text = Array(repeating: UInt8(ascii: pattern.unicodeScalars.first!), count: 3 << 20)
      for dialect in CSVDialect.allCases {
        let box = PieceCounter.Box()
        try Encoding.write(
          [[text]],
          to: CSVEncoder(feed, dialect: dialect, into: PieceCounter(box: box), counters: Counters())
        )
        #expect(box.count >= text.count)
        #expect(box.longest <= 128 << 10)
      }
    }
  }
}
