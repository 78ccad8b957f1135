/// Makes documents whose elements vary, some more than others.
struct GapDocuments {
  var generator: SeededGenerator
  private let texts = [
    #""a""#, #""a""#, #""b""#, "1", "2.5", #""2026-01-05""#, #""10:30""#, "null", "true",
    #""Krak\u00f3w""#, #"" x  y ""#, "[]", "{}", #"{"lines":[{"sku":1}]}"#, "12345678901234567890",
  ]

  private mutating func isOne(in count: Int) -> Bool {
    Int.random(in: 1...count, using: &generator) == 1
  }

  private mutating func value() -> String {
    isOne(in: 3) ? generator.pick(texts) : texts[Int.random(in: 0...4, using: &generator)]
  }

  private mutating func object(_ keys: [String], _ fixed: [String] = []) -> String {
    var members = fixed
    for key in keys where !isOne(in: 5) { members.append("\"\(key)\":\(value())") }
    if isOne(in: 9) { members.shuffle(using: &generator) }
    return "{" + members.joined(separator: isOne(in: 6) ? " , " : ",") + "}"
  }

  private mutating func list(_ element: (inout Self) -> String, upTo count: Int) -> String {
    var elements: [String] = []
    for _ in 0..<Int.random(in: 0...count, using: &generator) { elements.append(element(&self)) }
    if isOne(in: 30) { elements.append(value()) }
    return isOne(in: 40) ? value() : "[" + elements.joined(separator: ",") + "]"
  }

  mutating func orders(_ count: Int) -> String {
    var orders: [String] = []
    for _ in 0..<count {
      let lines = list({ $0.object(["sku", "price"]) }, upTo: 3)
      let members = [
        #""id":\#(count)"#, #""to":\#(object(["city", "x"]))"#, #""lines":\#(lines)"#,
      ]
      orders.append(object(["paid", "gift", "note"], members))
    }
    return #"{"made":"2026-01-05T00:00Z","data":{"orders":[\#(orders.joined(separator: ","))]}}"#
  }

  mutating func routes(_ count: Int) -> String {
    var routes: [String] = []
    for _ in 0..<count {
      let trips = list(
        { made in
          let stops = made.list({ $0.object(["stop", "at"]) }, upTo: 3)
          return made.object(["x"], [#""id":7,"day":"2026-01-05","stops":\#(stops)"#])
        }, upTo: 3)
      let members = [#""kind":\#(object(["name"]))"#, #""data":{"trips":\#(trips)}"#]
      routes.append(object(["name", "x"], members))
    }
    return #"{"routes":[\#(routes.joined(separator: ","))]}"#
  }
}
