import Testing

@testable import Sluice

/// Records of more values than a word has bits, of which most are missing: nothing else comes of
/// them as wholes than of their tokens, which come where the text is cut into pieces.
@Suite(.slow) struct WideRecordTests {
  private static let kinds = [
    "", "kind: integer", "kind: decimal", "kind: flag", "kind: instant",
    "kind: day, format: dd.MM.yyyy", "kind: verbatim", "kind: decimal, required: true",
  ]
  private static let width = 150

  /// A column for each of the members `m0`, `m1` and so on, half of them in an object, and some of
  /// a list, of a single element and of parts.
  private static let document: String = {
    var columns = (0..<width).map { number in
      let kind = kinds[number % 7]
      return "  c\(number): {from: \(number % 2 == 0 ? "" : "o.")m\(number), \(kind)}"
    }
    columns.insert("  tags: {from: \"tags[*]\", separator: \",\"}", at: 40)
    columns.insert("  second: {from: \"list[1]\", kind: integer}", at: 80)
    columns.append("  day: {kind: day, parts: {year: y, month: o.mo, day: d}}")
    columns.append("  id: {from: id, \(kinds[7])}")
    return "feed: own\nrows: d[]\ncolumns:\n" + columns.joined(separator: "\n") + "\n"
  }()

  private struct Maker {
    var generator: SeededGenerator

    mutating func number(below end: Int) -> Int { Int.random(in: 0..<end, using: &generator) }

    /// A value of a member, which is mostly as its column demands.
    mutating func value(_ member: Int) -> String {
      if number(below: 60) == 0 {
        return generator.pick(["null", "[1]", "{}", "7", "\"x\"", "1.5"])
      }
      switch member % 7 {
      case 1: return "\(number(below: 1000) - 500)"
      case 2: return "\(number(below: 1000)).\(number(below: 10))"
      case 3: return generator.pick(["true", "false"])
      case 4: return "\"2026-03-1\(number(below: 10))T10:00:0\(number(below: 10))Z\""
      case 5: return "\"1\(number(below: 10)).03.2026\""
      default:
        return generator.pick([
          "\"\"", "\"a\"", "\"  two  words \"", "\"q\\\"\\u00e9\"", "\"Ж, 1\"",
        ])
      }
    }

    mutating func record(_ number: Int, isDense: Bool) -> String {
      var (outer, inner) = ([#""id":\#(number)"#], [String]())
      let members = isDense ? width : self.number(below: 12)
      for place in 0..<members {
        let member = isDense ? place : self.number(below: width)
        let text = "\"m\(member)\":\(value(member))"
        if member % 2 == 0 { outer.append(text) } else { inner.append(text) }
      }
      if self.number(below: 4) == 0 { outer.append(#""tags":["a","b\#(number % 3)"]"#) }
      if self.number(below: 4) == 0 { outer.append(#""list":[1,\#(number),3]"#) }
      if self.number(below: 4) == 0 { outer.append(#""y":2026,"d":"\#(1 + number % 30)""#) }
      if self.number(below: 4) == 0 { inner.append(#""mo":\#(1 + number % 13)"#) }
      if !inner.isEmpty { outer.append("\"o\":{\(inner.joined(separator: ","))}") }
      if !isDense { outer.shuffle(using: &generator) }
      return "{\(outer.joined(separator: ","))}"
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `records of many values are the same as wholes and in pieces`(seed: UInt64) throws {
    var maker = Maker(generator: SeededGenerator(seed: seed))
    let records = (0..<240).map { maker.record($0, isDense: $0 / 20 % 3 == 2) }
    let json = "{\"d\":[\(records.joined(separator: seed % 2 == 0 ? "," : ",\n  "))]}"
    let run = FeedRun(feed: try OwnFeed.read(Self.document))
    let pieces = run(json, cut: .pieces(7))
    #expect(pieces.error == nil)
    #expect(run(json).isSame(as: pieces))
    for split in stride(from: 11, through: json.utf8.count, by: 5003) {
      #expect(run(json, cut: .split(split)).isSame(as: pieces), "split at \(split)")
    }
  }

  @Test(arguments: [62, 64, 65, 128, 129, 200])
  func `no value stays for the next record`(width: Int) throws {
    var generator = SeededGenerator(seed: UInt64(width))
    // With what is asked of the list, 62 members are 65 values of 63 columns, whose rows may be a
    // series.
    let columns =
      (0..<width).map { "  c\($0): m\($0)\n" }.joined() + "  c\(width): \"list[1]\"\n"
    let long = String(repeating: "x", count: 1100)
    var (records, rows) = ([String](), [String]())
    for number in 0..<600 {
      // Now and then a text that needs a closer look.
      let text = number % 3 == 0 ? "\(long) \(number)" : "v\(number)"
      var cells = [String](repeating: "", count: width + 1)
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        cells[Int.random(in: 0...width, using: &generator)] = text
      }
      let written = text.replacing(" ", with: "  ")
      let members = cells.indices.filter { !cells[$0].isEmpty }.map {
        $0 < width ? "\"m\($0)\": \"\(written)\"" : "\"list\": [0, \"\(written)\"]"
      }
      // Now and then a record that is left to the tokenizer, after some of its values.
      let other = number % 50 == 49 ? ["\"new\(number)\": [{}, 1e5]"] : []
      records.append("{\n  \((members + other).joined(separator: ",\n  "))\n}")
      rows.append(cells.joined(separator: ","))
    }
    let run = FeedRun(
      feed: try OwnFeed.read("feed: own\nrows: '[]'\ncolumns:\n" + columns))
    let result = run("[\(records.joined(separator: ",\n"))]")
    #expect(result.error == nil)
    let lines = String(decoding: result.csv, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropFirst().map(String.init) == rows)
    let objects = String(decoding: result.ndjson, as: UTF8.self).split(separator: "\n")
    let expected = rows.map { row in
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      let members = cells.indices.map {
        "\"c\($0)\":\(cells[$0] == "" ? "null" : "\"\(cells[$0])\"")"
      }
      return "{\(members.joined(separator: ","))}"
    }
    #expect(objects.map(String.init) == expected)
  }

  /// Objects with many keys: those that are indented, that begin alike, and that are too long to be
  /// read at once.
  @Test(arguments: [
    ("k", "\n    "), ("population_density_of_district_", ""), ("Показатель за ", " "),
  ])
  func `any of a hundred keys may come first, or come at all`(_ prefix: String, _ space: String)
    throws
  {
    let records = (0..<4000).map { number in
      let (first, second) = (number % 100, number / 100 % 40)
      return """
        {"id":\(number),"tags":{\(space)"\(prefix)\(first)":"v",\(space)"name":"n",\
        \(space)"\(prefix)\(100 + second)":1}}
        """
    }
    let counter = WholeCounter.Box()
    try ChunkCutter.feed(
      Array("[\(records.joined(separator: ", "))]\(String(repeating: " ", count: 64))".utf8),
      splitAt: 0, to: Tokenizer(into: WholeCounter(box: counter), counters: Counters()))
    #expect(counter.wholes > 3000)
  }
}

/// Counts the records that come as wholes.
private struct WholeCounter: TokenStage, ~Copyable {
  final class Box {
    var wholes = 0
  }
  let box: Box
  private var depth = 0

  init(box: Box) { self.box = box }

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int) -> TokenReply {
    switch kind {
    case .beginArray, .beginObject: depth += 1
    case .endArray, .endObject: depth -= 1
    default: break
    }
    return kind == .beginObject && depth == 2 ? .record : .proceed
  }

  /// Wanted is `tags.name`.
  mutating func recordForm() -> RecordForm? {
    var places = [RecordForm.Place(), RecordForm.Place(), RecordForm.Place(value: 0)]
    places[0].keys = [(Array("tags".utf8), 1)]
    places[1].keys = [(Array("name".utf8), 2)]
    return RecordForm(places: places, valueCount: 1)
  }

  mutating func object(_ record: WholeRecord) {
    if record.values[0].times == 1 { box.wholes += 1 }
  }

  consuming func finish() {}
}
