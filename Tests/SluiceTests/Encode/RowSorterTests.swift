import Testing

@testable import Sluice

/// The order of rows, whatever fits into memory.
@Suite struct RowSorterTests {
  private func key(_ text: String, _ kind: ColumnKind, isDescending: Bool = false) -> [UInt8] {
    var keys = SortKey()
    var buffer = ByteBuffer(capacity: 16)
    var text = text
    text.withUTF8 {
      keys.append(
        UnsafeRawBufferPointer($0), kind, isDescending: isDescending, to: &buffer)
    }
    return Array(buffer.contents)
  }

  private static let orders: [(ColumnKind, [[String]])] = [
    (
      .text,
      [
        ["\u{0}"], ["\u{0}a"], ["\u{1}"], [" a"], ["-1"], ["/"], ["0", "000"], ["1", "01"], ["1-3"],
        ["1/2"], ["1/10"], ["1а", "1А", "01А"], ["1 к2", "1 к02"].reversed(), ["2"], ["2б"], ["10"],
        ["10а"], ["100"], ["1000000000000000000000"], [":"], ["B", "b"], ["bc"], ["Z"],
        ["Егерская", "егерская"], ["Елочная", "Ёлочная", "Е\u{308}лочная"], ["Жданова"],
        ["Линия 2"], ["Линия 10"], ["🏠"],
      ]
    ),
    (
      .decimal,
      [
        ["-1e400"], ["-10.5"], ["-10", "-1e1", "-10.00"], ["-9.99"], ["-0.5", "-5e-1"], ["-1e-9"],
        ["0", "0.00", "-0", "0e5"], ["1e-400"], ["0.05", "5e-2", "0.50e-1"], ["0.1"], ["0.10001"],
        ["2"], ["9.99"], ["10", "1e1", "10.0", "0.1E+2"], ["98.765432109876543210"],
        ["98.765432109876543211"], ["100"], ["1e400"], ["1e99999999999999999999"],
      ]
    ),
    (.integer, [["-20"], ["-3"], ["0"], ["3"], ["20"], ["9007199254740993"]]),
    (
      .instant,
      [
        ["1969-12-31T23:59:59Z"], ["2020-06-22T10:00:00+03:00", "2020-06-22T07:00:00Z"],
        ["2020-06-22T07:00:00.05Z", "2020-06-22T10:00:00.050+03:00"], ["2020-06-22T07:00:00.5Z"],
        ["2020-06-22T07:00:01Z"], ["2020-06-22T09:00:00+00:30"],
      ]
    ),
    (.day, [["0001-01-01"], ["2020-02-29"], ["2020-03-01"]]),
    (.flag, [["false"], ["true"]]),
    (.keyNumber, [["0000000000000001"], ["c848c36e7b2fe71a"]]),
  ]

  @Test(arguments: orders)
  func `keys compare as values do, and no value comes last`(
    _ kind: ColumnKind, _ groups: [[String]]
  ) {
    for isDescending in [false, true] {
      let ordered = isDescending ? groups.reversed() : groups
      // The house 1 with a building stands where its space sorts.
      let sorted = ordered.sorted { a, b in
        key(a[0], kind, isDescending: isDescending).lexicographicallyPrecedes(
          key(b[0], kind, isDescending: isDescending))
      }
      if kind != .text { #expect(sorted == ordered) }
      for group in groups {
        for text in group {
          #expect(
            key(text, kind, isDescending: isDescending)
              == key(group[0], kind, isDescending: isDescending), "\(text), \(group[0])")
          #expect(
            key(text, kind, isDescending: isDescending).lexicographicallyPrecedes(
              key("", kind, isDescending: isDescending)))
        }
      }
    }
  }

  @Test func `texts are in the order in which people look them up`() {
    let texts = [
      "1", "1 к2", "1-3", "1/2", "1/10", "1а", "2", "2б", "10", "10а", "100", "Bc", "Егерская",
      "Ёлочная", "Жданова", "Линия 2", "линия 10",
    ]
    #expect(
      texts.shuffled().sorted {
        key($0, .text).lexicographicallyPrecedes(key($1, .text))
      } == texts)
  }

  @Test func `a key of one column never runs into the next`() {
    let values = ["", "a", "ab", "1", "12", "1a", "\u{0}", "\u{1}"]
    for a in values {
      for b in values where a != b {
        let (first, second) = (key(a, .text), key(b, .text))
        #expect(!first.starts(with: second), "\(a), \(b)")
        #expect(
          !key(a, .text, isDescending: true).starts(with: key(b, .text, isDescending: true)))
      }
    }
  }

  // MARK: Rows

  /// Sorts rows of three columns and returns them.
  private func sorted(
    _ rows: [[String]], _ orders: [SortOrder], limit: Int, wanted: Int? = nil
  ) throws -> [String] {
    let feed = Encoding.feed(["a", "b", "c"], rules: [.text, .integer, .text])
    let box = Collector.Box()
    let encoder = CSVEncoder(
      feed.table.columns, .tabs, into: Collector(box: box), counters: Counters())
    var branches = [Branch(encoder)]
    if let wanted { branches = [Branch(LimitStage(wanted, into: branches))] }
    try Encoding.write(
      rows.map { $0.map { Array($0.utf8) } },
      to: try RowSorter(orders, of: feed.table, limit: limit, wanted: wanted, into: branches))
    #expect(box.isFinished)
    return String(decoding: box.bytes, as: UTF8.self).split(separator: "\n").dropFirst().map {
      String($0)
    }
  }

  @Test(arguments: [1, 200, 1000, 10_000, 1 << 20])
  func `equal rows stay in their order, whatever fits into memory`(limit: Int) throws {
    var random = SeededGenerator(seed: 11)
    let rows = (0..<1000).map { index in
      [
        ["Ёлочная", "Егерская", "елочная", ""][Int.random(in: 0..<4, using: &random)],
        "\(Int.random(in: -3...3, using: &random))",
        "\(index)" + String(repeating: "x", count: index % 97 == 0 ? 9000 : index % 7),
      ]
    }
    func rank(_ row: [String]) -> (Int, Int) {
      let street = ["Егерская": 0, "Ёлочная": 1, "елочная": 1][row[0]] ?? 2
      return (street, -(Int(row[1]) ?? 0))
    }
    let expected = rows.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }.map { $0.element.joined(separator: "\t") }
    let orders = [SortOrder("a"), SortOrder("b", isDescending: true)]
    #expect(try sorted(rows, orders, limit: limit) == expected)
    for wanted in [1, 10, 999, 1000, 5000] {
      #expect(
        try sorted(rows, orders, limit: limit, wanted: wanted) == Array(expected.prefix(wanted)))
    }
    #expect(try sorted([], orders, limit: limit) == [])
    #expect(try sorted([rows[0]], orders, limit: limit).count == 1)
  }

  @Test func `a column that is not there is an error, before any row`() {
    #expect(
      throws: PipelineError(.normalize(.noSuchColumn("d", columns: ["a", "b", "c"])))
    ) {
      try sorted([], [SortOrder("d")], limit: 100)
    }
  }
}

private func < (a: ((Int, Int), Int), b: ((Int, Int), Int)) -> Bool {
  a.0 != b.0 ? a.0 < b.0 : a.1 < b.1
}
