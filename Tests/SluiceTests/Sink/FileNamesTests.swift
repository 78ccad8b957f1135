import Testing

@testable import Sluice

/// The names of files that are made of values.
@Suite struct FileNamesTests {
  /// The names that a pattern of the columns `a` and `b` gives to rows with these values.
  private func names(
    _ pattern: String, _ values: [[String]], rows: [Int]? = nil
  ) throws -> [String] {
    let fields = ["a", "b"].map { Field(path: [.each, .key($0)], kind: .text, columns: [$0]) }
    let table = Table("stops", rows: [.each], fields: fields)
    let pattern = try #require(try NamePattern(pattern, of: table))
    let texts = values.map { values in pattern.columns.map { Array(values[$0].utf8) } }
    return FileNames.names(of: rows ?? texts.map { _ in 1 }, by: pattern) { file, body in
      var buffers: [UnsafeRawBufferPointer] = []
      for text in texts[file] {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
        copy.copyBytes(from: text)
        buffers.append(UnsafeRawBufferPointer(copy))
      }
      body(buffers)
      for buffer in buffers { buffer.deallocate() }
    }
  }

  private func name(of value: String, _ pattern: String = "{a}.csv") throws -> String {
    try names(pattern, [[value, "b"]])[0]
  }

  /// The name without its hash, if it has one.
  private func plain(_ name: String) -> String {
    guard let mark = name.lastIndex(of: "~") else { return name }
    let digits = name[name.index(after: mark)...].prefix(8)
    #expect(digits.count == 8 && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    return String(name[..<mark]) + name[mark...].dropFirst(9)
  }

  @Test(arguments: [
    "15", "12 корпус 1", "Непокорённых", "a.b", "x~1c2d3e4f", "_", "a-b_c", "№ 5", "«Заря»", "日本",
    "COM0", "CONSOLE", "LPT", "a'b & c; d", "10%", "й", "{b}",
  ])
  func `a value that every file system takes is the name`(_ value: String) throws {
    #expect(try name(of: value) == value + ".csv")
  }

  @Test func `an empty value is an underscore`() throws {
    #expect(try name(of: "") == "_.csv")
    #expect(try names("{a}-{b}.csv", [["15", ""], ["15", "1"]]) == ["15-_.csv", "15-1.csv"])
  }

  @Test(arguments: [
    ("5/2", "5_2"), ("..", "__"), ("../../etc/passwd", "___.._etc_passwd"), (".", "_"),
    (".hidden", "_hidden"), ("end.", "end_"), ("a\u{0}b\nc", "a_b_c"),
    ("a:b*c?d\"e<f>g|h\\i", "a_b_c_d_e_f_g_h_i"), ("con", "_"), ("CON.tar", "_.tar"), ("nul", "_"),
    ("Com1", "_"), ("lpt9.x", "_.x"), ("COM\u{B9}", "_"), ("\u{202E}exe", "_exe"),
    ("и\u{306}", "й"), ("e\u{301}", "é"), ("\u{212B}", "Å"),
  ])
  func `a name that has to change gets a hash of its values`(
    _ value: String, _ expected: String
  ) throws {
    let name = try name(of: value)
    #expect(plain(name) == expected + ".csv")
    #expect(name != expected + ".csv")
  }

  @Test func `the hash is the same every night`() throws {
    #expect(try name(of: "5/2") == "5_2~adf1d126.csv")
    #expect(try name(of: "5/2") == name(of: "5/2"))
    #expect(try name(of: "5/2") != name(of: "5:2"))
  }

  @Test func `words of the user stay as they are`() throws {
    #expect(try name(of: "x", ".hidden-{a}.csv") == ".hidden-x.csv")
    #expect(try names("{a}/.part/{b}.csv", [["x", "y"]]) == ["x/.part/y.csv"])
    #expect(try name(of: ".x", "a{a}.csv") == "a.x.csv")
    #expect(try name(of: "CON", "x{a}.csv") == "xCON.csv")
    #expect(plain(try name(of: "1", "COM{a}.csv")) == "_.csv")
  }

  @Test func `a name has at most 200 bytes and ends in whole characters`() throws {
    let long = String(repeating: "ж", count: 300)
    let name = try name(of: long)
    #expect(name.utf8.count <= 200 && name.utf8.count >= 198)
    #expect(plain(name).dropLast(4).allSatisfy { $0 == "ж" })
    #expect(name.hasSuffix(".csv"))
    let edge = String(repeating: "x", count: 196)
    #expect(try self.name(of: edge) == edge + ".csv")
    #expect(try self.name(of: edge + "x") != edge + "x.csv")
  }

  @Test func `of names that differ in case alone the one with the most rows stays`() throws {
    let values = [["ПУШКИН", ""], ["Пушкин", ""], ["пушкин", ""], ["Павловск", ""]]
    let found = try names("{a}.csv", values, rows: [1, 90, 3, 1])
    #expect(found[1] == "Пушкин.csv" && found[3] == "Павловск.csv")
    #expect(plain(found[0]) == "ПУШКИН.csv" && found[0] != "ПУШКИН.csv")
    #expect(plain(found[2]) == "пушкин.csv" && found[2] != "пушкин.csv")
    // Of equals, the last by its bytes.
    let equal = try names("{a}.csv", values)
    #expect(equal[2] == "пушкин.csv" && equal[1] != "Пушкин.csv")
  }

  @Test func `names do not depend on the order of rows`() throws {
    var values = [
      ["Foo", "1"], ["foo", "2"], ["FOO", "3"], ["a/b", "4"], ["a:b", "5"], ["", "6"], ["_", "7"],
      ["e\u{301}", "8"], ["é", "9"], ["ß", "10"], ["SS", "11"],
    ]
    let expected = Dictionary(
      uniqueKeysWithValues: zip(values.map { $0[1] }, try names("{a}.csv", values)))
    #expect(Set(expected.values.map(\.withoutCase)).count == values.count)
    for _ in 0..<20 {
      values.shuffle()
      let again = try names("{a}.csv", values)
      #expect(Dictionary(uniqueKeysWithValues: zip(values.map { $0[1] }, again)) == expected)
    }
  }

  @Test func `a value that looks like a name with a hash does not take it`() throws {
    let changed = try name(of: "a/b")
    let looks = String(changed.dropLast(4))
    let found = try names("{a}.csv", [["a/b", ""], [looks, ""]])
    #expect(Set(found.map(\.withoutCase)).count == 2)
    #expect(found[1] == changed)
    #expect(found == (try names("{a}.csv", [[looks, ""], ["a/b", ""]]).reversed()))
  }

  @Test func `folders of one value are one folder, and names are judged within it`() throws {
    let values = [["Пушкин", "1"], ["Пушкин", "2"], ["ПУШКИН", "1"], ["", "1"]]
    let found = try names("{a}/{b}.csv", values)
    #expect(found[0] == "Пушкин/1.csv" && found[1] == "Пушкин/2.csv" && found[3] == "_/1.csv")
    #expect(found[2].hasPrefix("ПУШКИН~") && found[2].hasSuffix("/1.csv"))
  }

  @Test func `a pattern has the folder before the first column`() throws {
    func pattern(_ path: String) throws -> NamePattern? {
      let field = Field(path: [.each, .key("a")], kind: .text, columns: ["a"])
      return try NamePattern(path, of: Table("stops", rows: [.each], fields: [field]))
    }
    #expect(try pattern("x.csv") == nil && pattern("{table}.csv") == nil)
    #expect(try pattern("{a}.csv")?.folder == ".")
    #expect(try pattern("/{a}.csv")?.folder == "/")
    #expect(try pattern("/srv/x/{a}.csv")?.folder == "/srv/x")
    let mixed = try #require(try pattern("out/{table}/x-{a}/{a}.csv"))
    #expect(mixed.folder == "out/stops" && mixed.path == "out/stops/x-{a}/{a}.csv")
    #expect(mixed.names == ["a"] && mixed.parts.count == 2)
    #expect(mixed.path(of: "y/z.csv") == "out/stops/y/z.csv")
    #expect(throws: PipelineError.self) { try pattern("{b}.csv") }
    #expect(throws: PipelineError.self) { try pattern("{a}/../{a}.csv") }
  }
}
