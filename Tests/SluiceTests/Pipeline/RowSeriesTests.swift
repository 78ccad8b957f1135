import Testing

@testable import Sluice

/// Rows that come as a series are written as if they came one by one.
@Suite struct RowSeriesTests {
  private static let kinds: [FieldKind] = [.text, .decimal, .text]

  /// Writes rows that have two texts in common, and the third one of their own. Returns the CSV.
  private func csv(
    _ texts: [String], column: Int, dialect: CSVDialect, asSeries: Bool, common: String = "a, \"b\""
  ) throws -> [UInt8] {
    let box = Collector.Box()
    let feed = Encoding.feed(["x", "y", "z"], rules: Self.kinds)
    var encoder = CSVEncoder(
      feed, dialect: dialect, into: Collector(box: box), counters: Counters())
    var record = Record(columns: 3)
    for other in 0..<3 where other != column {
      let start = record.bytes.count
      record.bytes.append(string: other == 1 ? "1.5" : common)
      record.setText(other, from: start)
    }
    var buffer = ByteBuffer(capacity: 1)
    for text in texts { buffer.append(string: text) }
    var series = RowSeries(columns: [column])
    var place = 0
    for (number, text) in texts.enumerated() {
      series.nextTexts[0] = Record.Text(
        base: buffer.start, start: place, count: text.utf8.count)
      series.append(markedAs: record)
      place += text.utf8.count
      if !asSeries {
        series.set(0, in: &record)
        try encoder.take(record, .wanted)
        series.removeAll()
      } else if series.count == RowSeries.most || number == texts.count - 1 {
        try encoder.take(series, of: &record)
        series.removeAll()
      }
    }
    try encoder.finish()
    return box.bytes
  }

  private static let texts = [
    "", "b", "c,d", "\"", "=1", "-2.5", "e\nf", "0123456789abcdef", "\t", "é", "12.75", "a;b",
    String(repeating: "long ", count: 40), String(repeating: "\",", count: 9000),
  ]

  @Test(arguments: [CSVDialect.plain, .excel], 0..<3)
  func `CSV is the same as row by row`(dialect: CSVDialect, column: Int) throws {
    var generator = SeededGenerator(seed: UInt64(column))
    for count in [1, 2, 3, 7, 63, 64, 65, 200] {
      let texts = (0..<count).map { _ in
        column == 1
          ? "\(Int.random(in: 0...99_999, using: &generator))" : generator.pick(Self.texts)
      }
      for common in ["a, \"b\"", "", String(repeating: "wide", count: 5000)] {
        #expect(
          try csv(texts, column: column, dialect: dialect, asSeries: true, common: common)
            == csv(texts, column: column, dialect: dialect, asSeries: false, common: common))
      }
    }
  }

  @Test func `two columns that differ, whatever their order`() throws {
    let documents = [
      "columns: {k: $key, v: {from: $value, kind: decimal}, n: name}",
      "columns: {v: {from: $value, kind: decimal}, n: name, k: $key}",
      "columns: {n: name, v: $value, k: {from: $key, required: true}}",
      "columns: {v: {from: $value, kind: integer}, k: {from: $key, kind: integer}}",
    ]
    let members = (0..<150).map { number in
      let key = number % 13 == 5 ? "a,\(number)" : "\(number)"
      let value =
        switch number % 11 {
        case 3: "null"
        case 7: #""x\u00e9,\#(number)""#
        case 9: #"" \#(number)""#
        default: number % 2 == 0 ? "\(number).25" : "\(number)"
        }
      return #""\#(key)":\#(value)"#
    }
    let json =
      #"{"name":"N, 1","d":{\#(members.joined(separator: ","))}}"#
      + String(repeating: " ", count: 64)
    for document in documents {
      let run = FeedRun(feed: try OwnFeed.read("feed: own\nrows: d.*\n" + document))
      let pieces = run(json, cut: .pieces(5))
      #expect(run(json).isSame(as: pieces), "\(document)")
      #expect(pieces.counts.rows > 50, "\(document)")
      for split in stride(from: 0, through: json.utf8.count, by: 67) {
        #expect(run(json, cut: .split(split)).isSame(as: pieces), "\(document), \(split)")
      }
    }
  }

  @Test(arguments: [CSVDialect.plain, .excel], [[0], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]])
  func `any columns may differ`(dialect: CSVDialect, columns: [Int]) throws {
    var generator = SeededGenerator(seed: UInt64(columns.count))
    for count in [1, 3, 20, RowSeries.most] {
      let rows = (0..<count).map { _ in
        (0..<3).map { column in
          column == 1
            ? "\(Int.random(in: 0...99_999, using: &generator))" : generator.pick(Self.texts)
        }
      }
      let (series, single) = (Collector.Box(), Collector.Box())
      let feed = Encoding.feed(["x", "y", "z"], rules: Self.kinds)
      var encoder = CSVEncoder(
        feed, dialect: dialect, into: Collector(box: series), counters: Counters())
      var other = CSVEncoder(
        feed, dialect: dialect, into: Collector(box: single), counters: Counters())
      var record = Record(columns: 3)
      var all = RowSeries(columns: columns)
      for row in rows {
        for column in 0..<3 {
          let text = columns.contains(column) ? row[column] : rows[0][column]
          let start = record.bytes.count
          record.bytes.append(string: text)
          record.setText(column, from: start)
        }
        for (place, column) in columns.enumerated() { all.nextTexts[place] = record.texts[column] }
        all.append(markedAs: record)
        try other.take(record, .wanted)
      }
      try encoder.take(all, of: &record)
      try encoder.finish()
      try other.finish()
      #expect(series.bytes == single.bytes)
    }
  }

  @Test func `an output that fails ends the run`() throws {
    let feed = Encoding.feed(["x"])
    let document = "feed: own\nrows: \"[]\"\ncolumns: {x: {from: $value, kind: integer}}"
    let json = "[" + (0..<500).map(String.init).joined(separator: ",") + "]"
    let counters = Counters()
    let branches = [
      Branch(
        CSVEncoder(
          feed, dialect: .plain, into: Collector(box: Collector.Box()), counters: counters)),
      Branch(FailingStage(rows: 100)),
    ]
    #expect(throws: Collector.failure) {
      let rows = Normalizer(
        try OwnFeed.read(document), options: NormalizerOptions(), into: FanOut(branches),
        counters: counters)
      try ChunkCutter.feed(
        Array(json.utf8), splitAt: json.utf8.count,
        to: Tokenizer(into: rows, counters: counters))
    }
    #expect(counters.read.value > 0)
    #expect(counters.read.value == counters.rows.value)
  }

  /// Fails at a row.
  private struct FailingStage: RecordStage, ~Copyable {
    var rows: Int

    mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
      rows -= 1
      if rows < 0 { throw Collector.failure }
    }
    consuming func finish() throws(PipelineError) {}
  }
}
