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
    ("", ""), ("a,b", "a,b"), ("a;b", "\"a;b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
    ("1.5", "1.5"),
    ("=1", "'=1"), ("+7", "'+7"), ("-", "'-"), ("@a", "'@a"), ("\ta", "'\ta"), ("\ra", "\"'\ra\""),
    ("=\"a\";1", "\"'=\"\"a\"\";1\""), ("a=1", "a=1"), ("'=1", "'=1"), (" =1", " =1"), ("−1", "−1"),
  ])
  func `excel guards formulas, and quotes what its separator needs`(
    _ text: String, _ expected: String
  )
    throws
  {
    #expect(bytes(try field(text, .excel)) == bytes(expected))
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
    #expect(excel.bytes.starts(with: bytes("\u{FEFF}a;b\r\n'=1;-1,5\r\n'=1;-1,5\r\n'=яя")))
    #expect(excel.bytes.suffix(11) == bytes("a;-0,1E-5\r\n")[...])
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
      let text = Array(
        Array(repeatElement(bytes(pattern), count: length / pattern.utf8.count + 1).joined())
          .prefix(length))
      for dialect in CSVDialect.allCases {
        let (csv, _) = try Encoding.csv([[text, bytes("x")]], feed, dialect)
        let rows = RFC4180.rows(
          dialect == .excel ? Array(csv.dropFirst(3)) : csv, separator: dialect.separator)
        #expect(rows.count == 2)
        #expect(rows.last == [text, bytes("x")])
      }
      if length > 100_000 { break }
    }
  }

  @Test func `every byte comes back`() throws {
    var generator = SystemRandomNumberGenerator()
    let feed = Encoding.feed(["a", "b", "c"])
    let alphabet = Array("\",;\r\n'=ab я\t".utf8)
    let rows = (0..<500).map { _ in
      (0..<3).map { _ in
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in
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
        #expect(cell == [UInt8(ascii: "'")] + text)
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
