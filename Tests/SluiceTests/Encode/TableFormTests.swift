import Testing

@testable import Sluice

/// Tables as TSV, as a JSON array, and in the dialect for spreadsheets, cell by cell.
@Suite struct TableFormTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func table(
    _ rows: [[String]], _ kinds: [FieldKind], _ form: DelimitedForm, headings: [String]? = nil
  ) throws -> String {
    let feed = Encoding.feed((0..<kinds.count).map { "c\($0)" }, rules: kinds)
    let box = Collector.Box()
    let encoder = CSVEncoder(
      feed.table.columns, form, headings: headings,
      into: Collector(box: box), counters: Counters())
    try Encoding.write(rows.map { $0.map(bytes) }, to: encoder)
    return String(decoding: box.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("a,b;c", "a,b;c"), ("кафе \"Ёлка\"", "кафе \"Ёлка\""), ("=1", "=1"),
    ("a\tb", "a b"), ("a\r\nb", "a  b"), ("\n", " "), ("a\\tb", "a\\tb"),
    ("\"Ёлка\" кафе", "\"\"\"Ёлка\"\" кафе\""), ("\"", "\"\"\"\""), ("\"\t\"", "\"\"\" \"\"\""),
    ("0123456789abcdef\tg", "0123456789abcdef g"),
  ])
  func `in TSV a line is a row, and a tab ends a field`(_ text: String, _ cell: String) throws {
    #expect(
      try table([["x", text, "1.50"]], [.text, .verbatim, .decimal], .tabs)
        == "c0\tc1\tc2\nx\t\(cell)\t1.50\n")
  }

  @Test func `a long text in TSV stays whole, but for its tabs`() throws {
    let text = String(repeating: "ab\tя\n\"", count: 10_000)
    let found = try table([[text]], [.verbatim], .tabs)
    #expect(found == "c0\n" + String(repeating: "ab я \"", count: 10_000) + "\n")
    let quoted = try table([["\"" + text]], [.verbatim], .tabs)
    #expect(
      quoted == "c0\n\"\"\"" + String(repeating: "ab я \"\"", count: 10_000) + "\"\n")
  }

  @Test(arguments: [
    ("2018-09-01T13:00:00+03:00", "2018-09-01 13:00:00"),
    ("2018-09-01T10:00:00Z", "2018-09-01 10:00:00"),
    ("2018-09-01T10:00:00.25Z", "\"2018-09-01 10:00:00,25\""),
    ("9999-12-31T23:00:00Z", "9999-12-31 23:00:00"),
  ])
  func `a spreadsheet gets the time without its offset`(
    _ instant: String, _ cell: String
  ) throws {
    #expect(
      try table(
        [[instant, "a"], ["", "b"]], [.instant, .text], .excel)
        == "\u{FEFF}c0;c1\r\n\(cell);a\r\n;b\r\n")
    #expect(
      try table([[instant]], [.instant], .plain) == "c0\n\(instant)\n")
  }

  @Test(arguments: [
    ("56.177", "\"56,177\""), ("-0.5", "\"-0,5\""), ("100", "100"), ("1e5", "1e5"), ("", ""),
  ])
  func `a decimal is one cell also where commas split`(_ number: String, _ cell: String) throws {
    #expect(
      try table([[number, "a"]], [.decimal, .text], .excel)
        == "\u{FEFF}c0;c1\r\n\(cell);a\r\n")
  }

  @Test func `headings are quoted and guarded like texts`() throws {
    let headings = ["Ветер, м/с", "=a", "\"b\""]
    #expect(
      try table([], [.text, .text, .text], .plain, headings: headings)
        == "\"Ветер, м/с\",=a,\"\"\"b\"\"\"\n")
    #expect(
      try table([], [.text, .text, .text], .excel, headings: headings)
        == "\u{FEFF}\"Ветер, м/с\";'=a;\"\"\"b\"\"\"\r\n")
    #expect(
      try table([], [.text], .tabs, headings: ["Ветер,\tм/с"]) == "Ветер, м/с\n")
  }

  @Test func `an array is the lines of NDJSON, and valid when empty`() throws {
    func array(_ rows: [[String]]) throws -> String {
      let box = Collector.Box()
      let feed = Encoding.feed(["a", "b"], rules: [.text, .decimal])
      try Encoding.write(
        rows.map { $0.map(bytes) },
        to: NDJSONEncoder(feed.table.columns, asArray: true, into: Collector(box: box)))
      return String(decoding: box.bytes, as: UTF8.self)
    }
    #expect(try array([]) == "[\n]\n")
    #expect(try array([["x", "1.50"]]) == "[\n{\"a\":\"x\",\"b\":1.50}\n]\n")
    #expect(
      try array([["x", "1"], ["\n", ""], ["z", "3"]])
        == "[\n{\"a\":\"x\",\"b\":1},\n{\"a\":\"\\n\",\"b\":null},\n{\"a\":\"z\",\"b\":3}\n]\n")
  }
}
