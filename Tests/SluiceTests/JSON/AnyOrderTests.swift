import Testing

@testable import Sluice

/// Records whose members come in any order, on all levels: their values are taken as they come, and
/// nothing else comes of them than of their tokens.
@Suite(.slow) struct AnyOrderTests {
  private static let document = """
    feed: own
    rows: d[]
    columns:
      id: {from: id, kind: integer, required: true}
      name: name
      day: {from: day, kind: day}
      on: {from: on, kind: flag}
      price: {from: price.amount, kind: decimal}
      currency: price.currency
      city: place.at.city
      street: {from: place.at.street, kind: verbatim}
      country: place.country
      tags: {from: "tags[*]", separator: " "}
      first: "parts[0].name"
      marks: {from: "place.marks[*]", separator: " "}
      inner: "place.at.parts[0].name"
    """

  /// Makes records.
  private struct Maker {
    var generator: SeededGenerator
    /// How often a record has something that is not expected, in percent.
    var strange = 0

    mutating func number(below end: Int) -> Int { Int.random(in: 0..<end, using: &generator) }

    /// An object of these members, most of which it has, and of those that it must have.
    private mutating func object(
      _ members: [(String, String)], with required: [(String, String)] = []
    ) -> String {
      var members = members.filter { _ in number(below: 8) > 0 } + required
      members.shuffle(using: &generator)
      if !members.isEmpty, number(below: 100) < strange {
        let place = number(below: members.count)
        let key = members[place].0
        let code = String(key.utf8.first ?? 0x61, radix: 16)
        members[place].0 = #"\u00\#(code)\#(key.dropFirst())"#
      }
      if number(below: 100) < strange {
        let other = members.isEmpty ? "x" : members[number(below: members.count)].0
        let value = generator.pick(["{}", "[]", "null", #""\u0041""#, "[{}]", #"{"name":1}"#, "-0"])
        members.insert(
          (generator.pick([other, #"n\u0061me"#, "k"]), value), at: number(below: members.count + 1)
        )
      }
      let space = generator.pick(["", "", "", " "])
      let text = members.map { "\"\($0.0)\":\(space)\($0.1)" }.joined(separator: "," + space)
      return "{\(text)}"
    }

    mutating func record(_ id: Int) -> String {
      let text = generator.pick([
        "a", "Невский, 12", #"\"q\""#, "", " x  y ", String(repeating: "long ", count: 20),
      ])
      let parts = "[\(["", #"{"name":"n\#(id)"}"#, #"{"no":1}"#][number(below: 3)])]"
      let marks = "[\((0..<number(below: 3)).map { "\"t\($0)\"" }.joined(separator: ","))]"
      let at = object([
        ("city", "\"\(text)\""), ("street", "\"s \(id % 7)\""), ("zip", "\(id)"),
        ("parts", parts),
      ])
      return object(
        [
          ("name", "\"\(text)\""), ("day", "\"2026-11-\(10 + id % 19)\""),
          ("on", id % 2 == 0 ? "true" : "false"),
          ("price", object([("amount", "\(id).5"), ("currency", "\"EUR\""), ("net", "1")])),
          (
            "place",
            object([("at", at), ("country", "\"RU\""), ("map", "{}"), ("marks", marks)])
          ),
          ("tags", marks), ("parts", parts),
          ("u1", "\(id)"), ("u2", "[1,{\"id\":2}]"), ("u3", "\"\(text)\""), ("u4", "{}"),
        ], with: [("id", "\(id)")])
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `members in any order come to what their tokens come to`(seed: UInt64) throws {
    var maker = Maker(generator: SeededGenerator(seed: seed))
    var records = (0..<1500).map { maker.record($0) }
    maker.strange = 5
    records += (1500..<2000).map { maker.record($0) }
    let json = #"{"d":["# + records.joined(separator: ",") + "]}"
    var run = FeedRun(feed: try OwnFeed.read(Self.document))
    let whole = run(json)
    #expect(run(json, cut: .pieces(3001)).isSame(as: whole))
    #expect(run(json, cut: .pieces(64)).isSame(as: whole))
    run.asksForTokensAlone = true
    #expect(run(json).isSame(as: whole))
    #expect(whole.rows.count > 1500)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a wrong byte is an error where it is one among tokens`(seed: UInt64) throws {
    var maker = Maker(generator: SeededGenerator(seed: 50 + seed))
    var records = (0..<700).map { Array(maker.record($0).utf8) }
    let wrong = 600 + maker.number(below: 100)
    let place = maker.number(below: records[wrong].count)
    records[wrong][place] = maker.generator.pick(Array("{}[],:\"\\ 0-.e".utf8) + [0x00, 0x80])
    let json =
      Array(#"{"d":["#.utf8) + records.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
    var run = FeedRun(feed: try OwnFeed.read(Self.document))
    let whole = run(json)
    run.asksForTokensAlone = true
    #expect(run(json).isSame(as: whole))
  }

  /// `id`, and `amount`, `currency` and the first of the `taxes` of `price` are wanted. The list is
  /// no plain value: it is met inside of an object that was entered.
  private var form: RecordForm {
    var places = [RecordForm.Place](repeating: RecordForm.Place(), count: 7)
    places[0].keys = [(Array("id".utf8), 1), (Array("price".utf8), 2)]
    places[1].value = 0
    places[2].keys = [
      (Array("amount".utf8), 3), (Array("currency".utf8), 4), (Array("taxes".utf8), 5),
    ]
    places[3].value = 1
    places[4].value = 2
    places[5].elements = [(0, 6)]
    places[6].value = 3
    return RecordForm(places: places, valueCount: 4)
  }

  @Test func `an order that never came can be followed, and all values are taken`() throws {
    var generator = SeededGenerator(seed: 9)
    var shape = RecordShape()
    shape.form = form
    var followed = 0
    for number in 0..<2000 {
      var (members, inner) = (
        ["\"id\":\(number)"], ["\"amount\":1.5", "\"currency\":\"EUR\"", "\"taxes\":[7]"]
      )
      inner += (0..<6).map { "\"n\($0)\":0" }
      inner.shuffle(using: &generator)
      members += (0..<12).map { "\"m\($0)\":\"\(number)\"" }
      members.append("\"price\":{\(inner.joined(separator: ","))}")
      members.shuffle(using: &generator)
      let record = Array("{\(members.joined(separator: ","))}".utf8)
      let text = record + [UInt8](repeating: UInt8(ascii: ","), count: 2 * RecordShape.slack)
      text.withUnsafeBufferPointer { text in
        guard let start = text.baseAddress else { return }
        defer { shape.leaveChunk() }
        if shape.depth == 1, let end = shape.match(start, before: start + text.count) {
          #expect(end - start == record.count)
          let values = shape.record(start, end, at: 0).values.map {
            String(decoding: $0.text, as: UTF8.self)
          }
          #expect(values == ["\(number)", "1.5", "EUR", "7"])
          if number >= 1500 { followed += 1 }
        } else {
          let raw = UnsafeRawBufferPointer(start: start, count: record.count)
          if shape.learn(raw, room: 1 << 16) { shape.accept(depth: 1) }
        }
      }
    }
    // There are more orders than could be learned.
    #expect(followed == 500)
  }
}
