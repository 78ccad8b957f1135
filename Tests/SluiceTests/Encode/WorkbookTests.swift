import Foundation
import Testing

@testable import Sluice

/// Workbooks, and what is in their cells.
@Suite struct WorkbookTests {
  /// Converts JSON to a workbook.
  private func workbook(
    _ json: String, _ columns: String, _ rest: String = "",
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> WorkbookReader {
    var conversion = Conversion(
      of: .bytes(Array(json.utf8)), as: try OwnFeed.read(OwnFeed.document(columns, rest)))
    change(&conversion)
    return WorkbookReader(bytes: try conversion.bytes(as: .xlsx))
  }

  /// The first cell of a row with one value, which is JSON.
  private func cell(_ value: String, _ kind: String, clock: String? = nil) throws -> String? {
    let rest = clock.map { "clock: '\($0)'" } ?? ""
    return try workbook(#"{"d":[{"a":\#(value)},{"a":null}]}"#, "a: {kind: \(kind)}", rest)
      .cells()["A2"]
  }

  private func text(_ value: String, style: Int = 3, preserved: Bool = false) -> String {
    "s=\"\(style)\" t=\"inlineStr\"><is><t\(preserved ? " xml:space=\"preserve\"" : "")>\(value)"
      + "</t></is>"
  }

  @Test(arguments: [
    ("12/3", "12/3"), ("0047", "0047"), ("=1+1", "=1+1"), ("-5", "-5"),
    ("<a & b>", "&lt;a &amp; b&gt;"),
    (#"\u0007"#, "_x0007_"), (#"\ufffe\uffff"#, "_xFFFE__xFFFF_"), (#"\uff5e"#, "\u{FF5E}"),
    ("_x0041_", "_x005F_x0041_"), ("_x41_", "_x005F_x41_"),
    ("_x005F_x000b_", "_x005F_x005F_x005F_x000b_"), ("snake_case", "snake_case"),
    ("🏠ё", "🏠ё"), ("0123456789abcde&f", "0123456789abcde&amp;f"),
  ])
  func `a text is a text, with what XML cannot hold as codes`(
    _ value: String, _ expected: String
  ) throws {
    #expect(try cell("\"\(value)\"", "text") == text(expected))
  }

  @Test(arguments: [
    (#" a "#, " a "), (#"a\nb"#, "a\nb"), (#"a\r\nb"#, "a&#13;\nb"), (#"\t"#, "\t"),
  ])
  func `a text that is kept as it is keeps its blanks and lines`(
    _ value: String, _ expected: String
  ) throws {
    #expect(try cell("\"\(value)\"", "verbatim") == text(expected, style: 4, preserved: true))
  }

  @Test(arguments: [
    ("1", "1"), ("-0.5", "-0.5"), ("2.455e1", "2.455e1"), ("123456789012345", "123456789012345"),
    ("0.00000123456789012345", "0.00000123456789012345"), ("1e280", "1e280"),
  ])
  func `a number is a number`(_ value: String, _ expected: String) throws {
    #expect(try cell(value, "decimal") == "s=\"5\"><v>\(expected)</v>")
  }

  @Test(arguments: [
    "1234567890123456", "-1234567890.123456", "1e281", "1e-281", "1e999999999999999999999",
    "1234567890123456e2",
  ])
  func `a number that a spreadsheet would round is a text`(_ value: String) throws {
    #expect(try cell(value, "decimal") == text(value))
  }

  @Test func `flags and missing values`() throws {
    #expect(try cell("\"да\"", "flag") == "s=\"6\" t=\"b\"><v>1</v>")
    #expect(try cell("false", "flag") == "s=\"6\" t=\"b\"><v>0</v>")
    #expect(try cell("null", "text") == nil)
  }

  @Test(arguments: [
    ("2020-06-22", "44004"), ("1900-03-01", "61"), ("9999-12-31", "2958465"),
  ])
  func `a day is a day`(_ value: String, _ serial: String) throws {
    #expect(try cell("\"\(value)\"", "day") == "s=\"7\"><v>\(serial)</v>")
  }

  @Test(arguments: [
    "1e-9223372036854775808", "1e9223372036854775807", "1e-99999999999999999999", "1e300", "1e-300",
    "0.\(String(repeating: "0", count: 400))1", "1234567890123456",
  ])
  func `a number that a spreadsheet cannot hold is a text`(_ number: String) throws {
    #expect(try cell(number, "decimal") == text(number))
  }

  @Test func `a day before those that spreadsheets agree on is a text`() throws {
    #expect(try cell("\"1900-02-28\"", "day") == text("1900-02-28"))
    #expect(try cell("\"0001-01-01\"", "day") == text("0001-01-01"))
  }

  @Test(
    arguments: [
      ("2018-09-01T13:00:00+05:00", nil, "43344.54166666667"),
      ("2018-09-01T13:00:00+05:00", "+03:00", "43344.45833333333"),
      ("2018-09-01T13:00:00+05:00", "Z", "43344.33333333333"),
      ("2018-09-01T00:00:00Z", nil, "43344"),
      ("2018-09-01T00:00:00Z", "-01:00", "43343.95833333333"),
      ("2018-09-01T23:59:59.999Z", nil, "43344.99999998843"),
      ("2018-09-01T12:00:00.5Z", nil, "43344.5000057870"),
    ] as [(String, String?, String)])
  func `an instant is one of the feed's clock, or of its own if the feed has none`(
    _ value: String, _ clock: String?, _ serial: String
  ) throws {
    let cell = try #require(try cell("\"\(value)\"", "instant", clock: clock))
    let found = try #require(Double(cell.split(separator: "<v>")[1].prefix { $0 != "<" }))
    #expect(abs(found - (Double(serial) ?? 0)) < 1e-9 && cell.hasPrefix("s=\"8\"><v>"))
  }

  @Test func `an instant that spreadsheets do not have is a text`() throws {
    for value in ["2016-12-31T23:59:60Z", "1899-12-31T00:00:00Z"] {
      #expect(try cell("\"\(value)\"", "instant") == text(value))
    }
  }

  @Test
  func `the longest text of a cell has 32767 units, and a longer one is refused by its place`()
    throws
  {
    let units = String(repeating: "🏠", count: 16_383) + "a"
    #expect(try cell("\"\(units)\"", "text") == text(units))
    let json = #"{"d":[{"a":"x"},{"a":"\#(units)a"}]}"#
    let error = #expect(throws: PipelineError.self) {
      try workbook(json, "a: {label: {ru: Имя, en: Name}}", "language: ru")
    }
    #expect(
      error?.fault == .sink(.cellTooLong(row: 2, column: "Имя", limit: 32_767)))
  }

  // MARK: Sheets

  @Test func `a sheet has a heading, a filter, widths and a page`() throws {
    let book = try workbook(
      #"{"d":[{"a":"x","b":"2020-01-01"}]}"#,
      "a: {label: {ru: Имя, en: Name}}, b: {kind: day}", "language: ru")
    let sheet = try book.part("xl/worksheets/sheet1.xml")
    #expect(try book.cells()["A1"] == text("Имя", style: 1, preserved: true))
    #expect(try book.cells()["B1"] == text("b", style: 1, preserved: true))
    for part in [
      "<pane ySplit=\"1\"", "<autoFilter ref=\"A1:B2\"/>", "orientation=\"landscape\"",
      "<pageSetUpPr fitToPage=\"1\"/>", "width=\"11.7\" style=\"7\"",
    ] {
      #expect(sheet.contains(part), "\(part)")
    }
    let names = try book.part("xl/workbook.xml")
    #expect(names.contains("localSheetId=\"0\">'own'!$1:$1</definedName>"))
    #expect(try book.part("xl/styles.xml").contains("formatCode=\"dd\\.mm\\.yyyy\""))
    #expect(try book.part("docProps/core.xml").contains("<dc:language>ru</dc:language>"))
  }

  @Test func `a table without rows has a heading`() throws {
    let book = try workbook(#"{"d":[]}"#, "a: a, b: b")
    #expect(try book.cells().keys.sorted() == ["A1", "B1"])
    #expect(try book.part("xl/worksheets/sheet1.xml").contains("<autoFilter ref=\"A1:B1\"/>"))
  }

  @Test func `one long text of many does not make a column wide`() {
    var lengths = TextLengths()
    func add(_ text: String) { Array(text.utf8).withUnsafeBytes { lengths.add($0) } }
    for _ in 0..<30 { add("Улица") }
    #expect(lengths.width == 5)
    add(String(repeating: "x", count: 25))
    #expect(lengths.width == 25)
    add(String(repeating: "x", count: 100))
    #expect(lengths.width == 30)
    for _ in 0..<5 { add("first line\n" + String(repeating: "y", count: 45)) }
    #expect(lengths.width == 45)
  }

  @Test func `a row is as high as its lines, up to ten`() throws {
    let texts = [
      #"a\nb\nc"#, "x", String(repeating: "y", count: 70),
      #"\n"# + String(repeating: #"z\n"#, count: 20),
    ]
    let json = #"{"d":[\#(texts.map { #"{"v":"\#($0)"}"# }.joined(separator: ","))]}"#
    let sheet = try workbook(json, "v: {kind: verbatim}").part("xl/worksheets/sheet1.xml")
    for row in ["2\" ht=\"45\"", "3\"", "4\" ht=\"30\"", "5\" ht=\"150\""] {
      #expect(sheet.contains("<row r=\"\(row)>"), "\(row)")
    }
  }

  @Test func `letters of columns`() {
    #expect(
      [0, 25, 26, 51, 52, 701, 702].map(SheetColumn.letters) == [
        "A", "Z", "AA", "AZ", "BA", "ZZ", "AAA",
      ])
  }

  @Test func `rows beyond a sheet go to the next one`() throws {
    let table = try OwnFeed.read(OwnFeed.document("a: {kind: integer}", "")).table
    let box = ByteKeeper.Box()
    let book = Workbook(
      WorkbookFacts(title: "", language: .en, time: { nil }), into: ByteSink(ByteKeeper(box)),
      spoolingTo: "/tmp", rowLimit: 3)
    var stage = SheetStage(table, table.columns, in: book)
    let writer = book.writer(of: table, table.columns)
    for number in 1...5 {
      var record = Record(columns: 1)
      record.bytes.append(string: "\(number)")
      record.setText(0, from: 0)
      try stage.take(record, .wanted)
      try writer.take(["\(number + 10)"])
    }
    try stage.finish()
    try writer.finish()
    try book.finish()
    let reader = WorkbookReader(bytes: box.bytes)
    #expect(
      try reader.sheets() == ["own", "own 3", "own 4", "own 2", "own 2 2", "own 2 3"])
    for (sheet, values) in [[1, 2], [3, 4], [5], [11, 12], [13, 14], [15]].enumerated() {
      let cells = try reader.cells(sheet + 1)
      #expect(cells["A1"] == text("a", style: 2, preserved: true))
      for (index, value) in values.enumerated() {
        #expect(cells["A\(index + 2)"] == "s=\"5\"><v>\(value)</v>")
      }
      #expect(cells.count == values.count + 1)
    }
  }

  @Test func `names of sheets are those that spreadsheets take`() throws {
    let long = String(repeating: "я", count: 32)
    let feed = try OwnFeed.read(
      """
      feed: own
      tables:
        History: {rows: "d[]", columns: {a: a}}
        \(long): {rows: "e[]", columns: {a: a}}
        \(long.dropLast())Я: {rows: "f[]", columns: {a: a}}
        rejected: {rows: "g[]", columns: {a: {kind: integer, required: true}}}
      """)
    let folder = try ScratchFolder()
    var conversion = Conversion(
      of: .bytes(Array(#"{"d":[{"a":1}],"e":[],"f":[],"g":[{"a":"x"},{"a":2}]}"#.utf8)), as: feed)
    conversion.outputs = [.init(.file(folder("a.xlsx")), .xlsx)]
    conversion.rejectLimit = .unlimited
    try conversion.run()
    let reader = WorkbookReader(bytes: Array(try Data(contentsOf: URL(filePath: folder("a.xlsx")))))
    #expect(
      try reader.sheets() == [
        "History 2", String(repeating: "я", count: 31), String(repeating: "я", count: 29) + " 2",
        "rejected", "rejected 2",
      ])
    let rejects = try reader.cells(5)
    #expect(rejects["A1"] == text("record", style: 2, preserved: true))
    #expect(rejects["A2"] == "s=\"5\"><v>1</v>" && rejects["E2"] == text("not-an-integer"))
    #expect(rejects["D2"] == text("\"x\"", style: 4) || rejects["D2"] == text("x", style: 4))
  }

  @Test func `an archive names its parts so that tools know it, and equal rows make equal bytes`()
    throws
  {
    let json = #"{"d":[{"a":"x"}]}"#
    let first = try workbook(json, "a: a").bytes
    #expect(try workbook(json, "a: a").bytes == first)
    let names = ["_rels/.rels", "docProps/core.xml", "xl/styles.xml"]
    let places = names.map { name in
      String(decoding: first, as: Unicode.ASCII.self).range(of: name)?.lowerBound
    }
    #expect(
      !places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(
      try workbook(json, "a: a", "") { $0.stamp = 0 }.part("docProps/core.xml").contains(
        "1970-01-01T00:00:00Z"))
  }

  @Test func `a sheet has the columns that are chosen, in their order`() throws {
    let book = try workbook(#"{"d":[{"a":"x","b":1,"c":"z"}]}"#, "a: a, b: {kind: integer}, c: c") {
      $0.columns = ["c", "b"]
    }
    let cells = try book.cells()
    #expect(cells.count == 4 && cells["A2"] == text("z") && cells["B2"] == "s=\"5\"><v>1</v>")
  }

  @Test func `a workbook cannot have columns in its name`() throws {
    let folder = try ScratchFolder()
    var conversion = Conversion(
      of: .bytes(Array("{\"d\":[]}".utf8)), as: try OwnFeed.read(OwnFeed.document("a: a", "")))
    conversion.outputs = [.init(.file(folder("{a}.xlsx")), .xlsx)]
    let error = #expect(throws: PipelineError.self) { try conversion.run() }
    #expect(error?.fault == .sink(.workbookOfColumns(path: folder("{a}.xlsx"))))
  }
}
