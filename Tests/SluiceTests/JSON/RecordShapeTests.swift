import Testing

@testable import Sluice

/// Records that are read by comparing them with the one before: nothing else comes of them than of
/// the tokenizer's way, which they go where the text is cut into pieces.
@Suite(.slow) struct RecordShapeTests {
  /// A record of the hot-water feed as feeds write it.
  private func record(_ street: String, _ rest: String) -> String {
    #"{"Населенный пункт":"Пушкин","Адрес жилого здания":"\#(street)",\#(rest)}"#
  }

  @Test func `a step fills a line of the cache`() {
    #expect(MemoryLayout<RecordShape.Step>.stride == 64)
  }

  private let rest = #""№ дома":"1","корпус":"","Период отключения ГВС":"22.06.2020-05.07.2020""#

  /// Puts a text among records and demands the same of every way to read it.
  @discardableResult
  private func check(
    _ strange: String, _ run: FeedRun = FeedRun(), sourceLocation: SourceLocation = #_sourceLocation
  ) -> FeedResult {
    check(Array(strange.utf8), run, sourceLocation: sourceLocation)
  }

  @discardableResult
  private func check(
    _ strange: [UInt8], _ run: FeedRun = FeedRun(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> FeedResult {
    let plain = Array(record("Садовая", rest).utf8)
    let comma = [UInt8(ascii: ",")]
    var json = [UInt8(ascii: "[")]
    for _ in 0..<3 { json += plain + comma }
    json += strange + comma + plain + comma + strange + comma + strange
    for _ in 0..<3 { json += comma + plain }
    json += [UInt8(ascii: "]")] + [UInt8](repeating: 0x20, count: RecordShape.slack)
    let pieces = run(json, cut: .pieces(7))
    if !run(json).isSame(as: pieces) {
      Issue.record("\(String(decoding: strange, as: UTF8.self))", sourceLocation: sourceLocation)
    }
    for split in stride(from: 0, through: json.count, by: 13) {
      if !run(json, cut: .split(split)).isSame(as: pieces) {
        Issue.record(
          "\(String(decoding: strange, as: UTF8.self)), split at \(split)",
          sourceLocation: sourceLocation)
      }
    }
    return pieces
  }

  @Test(arguments: [
    "", "а", "Садовая", "Садовая ", " Садовая", "Са  довая", "Садова", "Садоваяя", "a\u{7F}b",
    "№ 5–7",
    "🏠", "\u{FEFF}", "\u{A0}x", "x\u{2028}", "a,b", "=1", "Аллея; \\\\", "a\\\"b", "\\u0041", "\\/",
    "Набережная Обводного канала, участок между двумя мостами, дворовый корпус напротив пристани",
  ])
  func `values of all kinds`(_ street: String) {
    #expect(check(record(street, rest)).error == nil)
  }

  @Test(arguments: [
    #""№ дома":1"#, #""№ дома":-0.5e-3"#, #""№ дома":12345678901234567890"#, #""№ дома":null"#,
    #""№ дома":true"#, #""№ дома":{}"#, #""№ дома":["1"]"#, #""x":1"#,
    #""№ дома":"1","№ дома":"2""#,
    #""№ дома":"1","корпус":"2","литер":"А""#, #""№ дома":"1", "корпус":"2""#,
    #""№ дома":"1" ,"корпус":"2""#, #""№ дома" :"1""#, #""\u2116 дома":"1""#,
  ])
  func `members of all kinds`(_ members: String) {
    let period = #""Период отключения ГВС":"22.06.2020-05.07.2020""#
    #expect(check(record("Садовая", "\(members),\(period)")).error == nil)
    #expect(check(record("Садовая", "\(period),\(members)")).error == nil)
    #expect(check(record("Садовая", members)).error == nil)
  }

  @Test(arguments: [
    "1.6.2020", "ГВС сохранено", " гвс  СОХРАНЕНО ", "31.6.2020", "", " ", "1.6.2020, 2.7.2020",
    "x",
    "22.06.2020–05.07.2020", "с 28.12 по 5.1.2021 г.",
  ])
  func `periods of all kinds`(_ period: String) {
    let rest = #""№ дома":"1","Период отключения ГВС":"\#(period)""#
    #expect(check(record("Садовая", rest)).error == nil)
    var run = FeedRun(conditions: [Condition(column: "street", value: "садовая")])
    run.from = Day(year: 2020, month: 7, day: 1)
    #expect(check(record("Садовая", rest), run).error == nil)
    #expect(check(record("Невский", rest), run).error == nil)
  }

  @Test(arguments: [
    #"{"Адрес жилого здания":"Садовая","#, #"{"Адрес жилого здания":"Са"#,
    #"{"Адрес жилого здания":01}"#,
    #"{"Адрес жилого здания":1.}"#, #"{"Адрес жилого здания":-}"#, #"{"Адрес жилого здания":nul}"#,
    #"{"Адрес жилого здания":"\x"}"#, #"{"Адрес жилого здания":"\ud800"}"#, "{,}", "{]", "}",
    "{\"Адрес жилого здания\":\"\u{1}\"}", "{\"Адрес жилого здания\":\"a\tb\"}",
  ])
  func `errors have their place`(_ strange: String) {
    #expect(check(strange).error != nil)
    let members = String(strange.dropFirst())
    #expect(check(#"{"Населенный пункт":"Пушкин",\#(members)"#).error != nil)
  }

  @Test(arguments: [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xD0, 0x22], [0xE0, 0x9F, 0x80],
    [0xE2, 0x84],
    [0xED, 0xA0, 0x80], [0xEF, 0xBF], [0xF0, 0x8F, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80],
    [0xFF], [0x00], [0x1F],
  ])
  func `text that is not UTF-8 is refused where it stands`(_ bytes: [UInt8]) {
    let parts = record("|", rest).split(separator: "|").map { Array($0.utf8) }
    for filler in ["", "С", "Садовая", "Садовая улица"] {
      let text = Array(filler.utf8)
      #expect(check(parts[0] + text + bytes + text + parts[1]).error != nil)
    }
  }

  @Test func `other things among the records`() {
    for strange in [
      "1", "null", "[]", "{}", #""x""#, #"[{"№ дома":"1"}]"#, #"{"a":{"№ дома":"1"}}"#,
    ] {
      #expect(check(strange).error == nil)
    }
  }

  @Test(arguments: [
    "\n  ", "\r\n\t", String(repeating: " ", count: 61), String(repeating: "\n", count: 62),
    String(repeating: " ", count: 63), String(repeating: "\t", count: 200),
  ])
  func `white space between the records`(_ space: String) {
    #expect(check(space + record("Невский", rest)).error == nil)
    #expect(check(record("Невский", rest) + space).error == nil)
    #expect(check(space + record("Невский", rest) + space + "," + space + "1").error == nil)
    for wrong in [",", "]", "}", "\u{B}", "x"] { #expect(check(space + wrong).error != nil) }
  }

  @Test func `what begins one record goes on in no other`() {
    let records = [#"{"a":1,"b":2}"#, #"{"b":1,"c":2}"#]
    for strange in [#"{"b":1,"c":2{"a":3,"b":4}"#, #"{"b":1{"a":3,"b":4}"#, #"{"b":1{"c":2}"#] {
      let text = (records + records + [strange]).joined(separator: ",")
      #expect(check(text).error != nil)
    }
    #expect(check((records + records).joined(separator: ",")).error == nil)
  }

  @Test func `values of the records before do not linger`() {
    let result = check(#"{"Адрес жилого здания":"Невский","Период отключения ГВС":"1.6.2020"}"#)
    #expect(result.rows[3].hasPrefix(",Невский,,,,2020-06-01,2020-06-01,"))
  }

  @Test func `lists of records one behind the other`() {
    func items(_ prices: String...) -> String {
      prices.map { #"{"date":"2018-09-01T13:00:00+0300","price":\#($0)}"# }.joined(separator: ",")
    }
    let lists = [
      #"{"isin":"1","title":"а","items":[\#(items("1", "2", "\"3\"", "null", "4.5"))]}"#,
      #"{"isin":"2","items":[\#(items("1", "1", "1"))]}"#,
      #"{"isin":"3","other":[\#(items("1", "1"))],"items":[\#(items("7"))]}"#,
      #"{"isin":{},"items":[\#(items("1", "2"))]}"#,
    ]
    let run = FeedRun(feed: .bonds)
    for count in 1...lists.count {
      let json =
        #"{"activities":[\#(lists.prefix(count).joined(separator: ","))]}"#
        + String(repeating: " ", count: RecordShape.slack)
      let pieces = run(json, cut: .pieces(5))
      #expect(run(json).isSame(as: pieces))
      #expect(pieces.error == nil)
    }
  }

  /// The objects that come as wholes of some JSON.
  private func objects(_ json: String, inPiecesOf size: Int = .max) throws -> [String] {
    let bytes = Array((json + String(repeating: " ", count: RecordShape.slack)).utf8)
    let box = ObjectCollector.Box()
    try ChunkCutter.feed(
      bytes, inPiecesOf: min(size, bytes.count),
      to: Tokenizer(into: ObjectCollector(box: box), counters: Counters())
    )
    return box.objects
  }

  @Test func `records that are written alike come as wholes`() throws {
    let json =
      #"[{"a":"1","b":2},{"a":"1","b":3},{"a":"ж","b":null},{"a":"x\n"},{"a":"1"},{"a":"2"}]"#
    #expect(
      try objects(json) == ["17: a=1 b=3", "33: a=ж b", "53: a=x\n", "65: a=1", "75: a=2"])
  }

  @Test(arguments: ["", " ", "\n    ", String(repeating: " ", count: 62)])
  func `white space between the records keeps none from coming as wholes`(_ space: String) throws {
    let json = (1...4).map { #"{"a":"\#($0)"}"# }.joined(separator: ",\(space)")
    #expect(try objects("[\(json)]").map { $0.suffix(3) } == ["a=2", "a=3", "a=4"])
  }

  @Test func `members that are missing now and then are known`() throws {
    let json =
      #"[{"a":"1"},{"a":"1" ,"c":"3"},{"a":"1"},{"a":"1", "b":"2" ,"c":"3"},{"a":"1" ,"c":"3"},"#
      + #"{"a":"1", "b":"2"},{"a":"1", "b":"4"},{"a":"1"}]"#
    let found = try objects(json)
    #expect(found == ["30: a=1", "68: a=1 c=3", "87: a=1 b=2", "106: a=1 b=4"])
  }

  @Test func `members in any order are known`() throws {
    var generator = SeededGenerator(seed: 3)
    let records = (0..<1000).map { number in
      let members = [
        #""a":"\#(number)""#, #""b":\#(number)"#, #""c":null"#, #""other":[true]"#,
      ]
      let kept = members.filter { _ in Bool.random(using: &generator) }
      return "{\(kept.shuffled(using: &generator).joined(separator: ","))}"
    }
    let found = try objects("[\(records.joined(separator: ","))]")
    // All but those that are learned, and what is skipped after each failed try.
    #expect(found.count > 800, "\(found.count)")
  }

  @Test(arguments: [1000, 1031, 4096])
  func `records that a chunk cuts come as wholes`(size: Int) throws {
    let records = (0..<400).map { #"{"a":"№ \#($0)","b":\#($0 % 7 * 1000),"c":"x\ny"}"# }
    // All but the first one, which is learned, and some that end too near to the end of the bytes.
    let found = try objects("[\(records.joined(separator: ","))]", inPiecesOf: size)
    #expect(found.count > 395, "\(found.count)")
  }

  @Test(arguments: 0..<20)
  func `records that are cut anywhere`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let texts = [
      "", "Садовая", "Садовая улица", "Садовая\\n", "Невский", "№ 5–7", "a\\u0436b", "🏠",
      "long long text",
      "Набережная Обводного канала, участок между двумя мостами, дворовый корпус напротив",
    ]
    var records: [String] = []
    for _ in 0..<60 {
      var members = "\"№ дома\":\"\(generator.pick(texts))\",\"x\":\"\(generator.pick(texts))\""
      if Int.random(in: 0...3, using: &generator) == 0 { members += ",\"y\":[1,{\"z\":null}]" }
      records.append(record(generator.pick(texts), members))
    }
    var json = Array("[\(records.joined(separator: ","))]".utf8)
    if seed % 2 == 1 {
      let at = Int.random(in: 0..<json.count, using: &generator)
      json[at] = generator.pick(Array("\"\\{}[]:, 0\u{1}".utf8) + [0xFF, 0xD0])
    }
    let run = FeedRun()
    let pieces = run(json, cut: .pieces(9))
    for size in [300, 500, 700, 701, 1024, 2000, 3333, 4096, 8000] {
      #expect(run(json, cut: .pieces(size)).isSame(as: pieces), "pieces of \(size)")
    }
    for _ in 0..<40 {
      let split = Int.random(in: 0...json.count, using: &generator)
      #expect(run(json, cut: .split(split)).isSame(as: pieces), "split at \(split)")
    }
  }

  @Test(arguments: 0..<40)
  func `records whose members come and go`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let keys = ["Населенный пункт", "№ дома", "корпус", "x", "литер", "y"]
    let texts = [
      #""1""#, #""1""#, #""Б  ""#, #"" долгий, очень долгий  текст ""#, "12", "null", #""\n""#,
    ]
    let separators = [",", ",", ",", ", ", " ,"]
    var records: [String] = []
    for _ in 0..<40 {
      var members = keys.filter { _ in Int.random(in: 0...3, using: &generator) > 0 }
        .map { "\"\($0)\":\(generator.pick(texts))" }
      members.append(#""Адрес жилого здания":"Садовая","Период отключения ГВС":"1.6.2020""#)
      if Int.random(in: 0...9, using: &generator) == 0 { members.shuffle(using: &generator) }
      let separator = seed % 2 == 0 ? "," : generator.pick(separators)
      records.append("{\(members.joined(separator: separator))}")
    }
    let json = "[\(records.joined(separator: ","))]" + String(repeating: " ", count: 64)
    let run = FeedRun()
    let pieces = run(json, cut: .pieces(9))
    #expect(run(json).isSame(as: pieces))
    #expect(run(json, cut: .pieces(1000)).isSame(as: pieces))
  }
}

/// Writes down the objects that come as wholes; a key alone has no text.
private struct ObjectCollector: TokenStage, ~Copyable {
  final class Box {
    var objects: [String] = []
  }
  static let keys = ["a", "b", "c"]
  let box: Box

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  { kind == .beginObject ? .record : .proceed }

  mutating func recordForm() -> RecordForm? {
    let members = Self.keys.indices.map { RecordForm.Place(value: $0) }
    var record = RecordForm.Place()
    record.keys = Self.keys.enumerated().map { (Array($1.utf8), $0 + 1) }
    return RecordForm(places: [record] + members, valueCount: members.count)
  }

  mutating func object(_ record: WholeRecord) throws(PipelineError) {
    let members = zip(Self.keys, record.values).filter { $1.times > 0 }.map { key, value in
      guard value.kind != .null else { return key }
      return "\(key)=" + String(decoding: value.text, as: UTF8.self)
    }
    box.objects.append("\(record.offset): \(members.joined(separator: " "))")
  }

  consuming func finish() throws(PipelineError) {}
}
