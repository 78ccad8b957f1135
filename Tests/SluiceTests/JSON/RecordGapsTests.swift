import Testing

@testable import Sluice

/// Lists of records one after the other, and all that stands between them: nothing else comes of it
/// as a whole than of its tokens, which come where the text is cut into pieces.
@Suite(.slow) struct RecordGapsTests {
  /// Orders with lines, and fields before and after them.
  private static let orders = """
    feed: own
    clock: "+00:00"
    rows: data.orders[].lines[]
    columns:
      made: {from: made, kind: instant}
      id: {from: "data.orders[].id", kind: integer, required: true}
      city: "data.orders[].to.city"
      gift: {from: "data.orders[].gift", kind: flag}
      paid: {from: "data.orders[].paid", kind: decimal}
      sku: sku
      price: {from: price, kind: decimal}
    """
  /// The same where nothing has to be waited for.
  private static let early = """
    feed: own
    rows: data.orders[].lines[]
    columns: {id: "data.orders[].id", city: "data.orders[].to.city", sku: sku}
    """
  /// A timetable: rows three lists deep.
  private static let stops = """
    feed: own
    rows: routes[].data.trips[].stops[]
    columns:
      route: "routes[].name"
      kind: "routes[].kind.name"
      trip: {from: "routes[].data.trips[].id", kind: integer}
      day: {from: "routes[].data.trips[].day", kind: day}
      stop: stop
      at: {from: at, kind: time}
    """

  /// Orders with lists around the lines, before and after them, of whose elements is picked.
  private static let picks = """
    feed: own
    rows: data.orders[].lines[]
    columns:
      tags: {from: "data.orders[].tags[*]", separator: ", "}
      lon: {from: "data.orders[].at[0]", kind: decimal}
      lat: {from: "data.orders[].at[1]", kind: decimal}
      names: "data.orders[].info.names[*].n"
      text: "data.orders[].texts[language=en].text"
      place: "data.orders[].places[0].name"
      sku: sku
    """

  /// Departures of stops by their keys, and meters of houses by days.
  private static let keyed = """
    feed: own
    rows: net.stops.*.departures[]
    columns:
      stop: $key
      name: "net.stops.*.name"
      zone: {from: "net.stops.*.at.zone", kind: integer}
      line: line
    """
  private static let days = """
    feed: own
    rows: net.days.*[].meters.*.values[]
    columns:
      day: {from: "$key[1]", kind: day}
      meter: $key
      house: "net.days.*[].house"
      unit: "net.days.*[].meters.*.unit"
      value: {from: v, kind: decimal}
    """

  /// Rows in lists and objects that are elements themselves.
  private static let pairs = """
    feed: own
    rows: net.pairs.*[]
    columns: {pair: $key, at: {from: "[0]", kind: integer}, open: {from: "[1]", kind: decimal}}
    """
  private static let rates = """
    feed: own
    rows: net.rates.*.*
    columns: {day: {from: "$key[1]", kind: day}, code: $key, value: {from: v, kind: decimal}}
    """
  private static let grid = """
    feed: own
    rows: net.grid[][]
    columns: {x: {from: x, kind: integer}, y: y}
    """

  /// Orders on lines.
  private static let lines = """
    feed: own
    rows: "[].lines[]"
    columns: {id: "[].id", paid: "[].paid", sku: sku}
    """

  private func run(_ document: String) throws -> FeedRun {
    FeedRun(feed: try OwnFeed.read(document))
  }

  private let plain =
    #"{"id":1,"to":{"city":"Berlin","x":[1,2]},"lines":[{"sku":"a","price":1.5},"#
    + #"{"sku":"b","price":2}],"paid":3.5,"note":"n"}"#
  private let picked =
    #"{"tags":["a","b"],"at":[1.5,2.5],"lines":[{"sku":"a"},{"sku":"b"}],"info":{"names":"#
    + #"[{"n":"x","m":1}]},"texts":[{"language":"ru","text":"y"},{"text":"z","language":"en"}],"#
    + #""places":[{"name":"p","x":1}],"note":"n"}"#

  /// Demands the same of a document that is split in two as of one in small pieces.
  private func checkSplits(
    _ json: String, of document: String, _ strange: String, every step: Int = 31,
    isError: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try run(document)
    let pieces = run(json, cut: .pieces(7))
    #expect((pieces.error != nil) == isError, "\(strange)", sourceLocation: sourceLocation)
    for split in stride(from: 0, through: json.utf8.count, by: step)
    where !run(json, cut: .split(split)).isSame(as: pieces) {
      Issue.record("\(strange), split at \(split)", sourceLocation: sourceLocation)
      return
    }
  }

  /// Puts an order among others and demands the same of every way to read it.
  private func check(
    _ strange: String, among plain: String? = nil, of documents: [String] = [orders, early],
    isError: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let plain = plain ?? self.plain
    let orders = [plain, plain, plain, strange, plain, plain, strange, strange, plain, plain]
    let json =
      #"{"made":"2026-01-05T00:00Z","data":{"orders":["# + orders.joined(separator: ",") + "]}}"
      + String(repeating: " ", count: 2 * RecordShape.slack)
    for document in documents {
      try checkSplits(
        json, of: document, strange, isError: isError, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [
    #"{}"#, #"{"id":2}"#, #"{"id":2,"lines":[]}"#, #"{"lines":[{"sku":"c"}],"id":2}"#,
    #"{"id":2,"lines":null}"#, #"{"id":2,"lines":7,"paid":1}"#, #"{"id":2,"lines":{"sku":"c"}}"#,
    #"{"id":2,"lines":[1,{"sku":"c"},[]],"paid":1}"#, #"{"id":2,"lines":[{"sku":"c"}],"paid":"x"}"#,
    #"{"id":2,"to":null,"lines":[{"sku":"c"}],"paid":null}"#, #"{"id":2,"to":"x","lines":[{}]}"#,
    #"{"id":2,"to":{"city":["x"]},"lines":[{"sku":"c"}],"paid":1}"#, #"{"id":{},"lines":[{}]}"#,
    #"{"id":2,"to":{"city":{"x":[1]}},"lines":[{"sku":"c"}],"paid":1}"#,
    #"{"id":[2],"lines":[{}]}"#,
    #"{"id":2,"id":3,"lines":[{"sku":"c"}]}"#, #"{"id":2,"lines":[{"sku":"c"}],"paid":1,"paid":2}"#,
    #"{"id":2,"x":[[]],"lines":[{"sku":"c"}],"tags":["a","b"],"paid":1}"#,
    #"{"id":"x","gift":"yes","to":{"city":"\u041a\n \"x\""},"lines":[{"sku":"c"}],"paid":1}"#,
    #"{"id":2,"lines":[{"sku":"c"}],"gift":true,"y":{"lines":[{"sku":"d"}]},"paid":-0.5e1}"#,
    #"{ "id" : 2 , "lines" : [ {"sku":"c"} , {"sku":"d"} ] , "paid" : 1 }"#,
    #"{"id":2,"lines":[ {"sku":"c"}],"paid":1}"#, #"{"i\u0064":2,"lines":[{"sku":"c"}],"paid":1}"#,
    #"{"id":1,"to":{"city":"Berlin","x":[1,2]},"lines":[],"paid":3.5,"note":"n"}"#,
    #"{"id":1,"to":{"city":"Berlin","x":[1,2]},"lines":[7],"paid":3.5,"note":"n"}"#,
    #"{"id":1,"to":{"city":"Berlin","x":[1,2]},"lines":[{"sku":"a"}],"paid":true,"note":"n"}"#,
    #"{"id":12,"to":{"city":" a  b ","x":[]},"lines":[{"sku":"a"}],"paid":3.5,"note":"n"}"#,
    #"{"id":1,"to":{"city":null,"x":[1,2]},"lines":[{"sku":"a"}],"paid":12345678901234567890}"#,
    "7", "null", #""x""#, "[]", #"[{"id":2,"lines":[{"sku":"c"}]}]"#,
  ])
  func `orders of all kinds`(_ strange: String) throws { try check(strange) }

  @Test(arguments: [
    #""tags":[]"#, #""tags":null"#, #""tags":"x""#, #""tags":7"#, #""tags":{"a":1}"#,
    #""tags":["a","",null,true,1.5,"\u041a\n \"x\""]"#, #""tags":[["a"],{"b":1}]"#,
    #""tags":["a"],"tags":["b"]"#, #""at":[1]"#, #""at":[1,2,3]"#, #""at":[]"#, #""at":null"#,
    #""at":5"#, #""at":{}"#, #""at":["x",[2]]"#, #""at":[" 1 ","2,5"]"#, #""info":null"#,
    #""info":{}"#, #""info":{"names":[{"n":"a"},{"n":"b","n":"c"},{},7,{"n":[1]}]}"#,
    #""info":{"names":{"n":1}}"#, #""info":{"names":[]},"info":{"names":[{"n":"y"}]}"#,
    #""texts":[{"language":"en","text":"a"},{"language":"en","text":"b"}]"#,
    #""texts":[{"language":"ru","text":"a"}]"#, #""texts":[{"text":"a"},{"language":"en"}]"#,
    #""texts":[{"language":"en","text":{"a":[1]}}]"#, #""texts":["en",{"language":true}]"#,
    #""places":[]"#, #""places":[7,{"name":"q"}]"#, #""places":[{"name":"q"},{"name":"r"}]"#,
    #""places":{"name":"q"}"#, #""places":[{"name":"q"}],"places":[{"name":"r"}]"#,
  ])
  func `lists around the rows, of whose elements is picked`(_ strange: String) throws {
    for order in [
      #"{\#(strange),"lines":[{"sku":"c"}]}"#, #"{"lines":[{"sku":"c"},{"sku":"d"}],\#(strange)}"#,
      #"{"tags":["a","b"],"at":[1.5,2.5],"lines":[{"sku":"c"}],\#(strange),"note":"n"}"#,
    ] {
      try check(order, among: picked, of: [Self.picks])
    }
  }

  @Test(arguments: [
    #"{"id":1,"lines":[{"sku":"c"}],"paid":01}"#, #"{"id":1,"lines":[{"sku":"c"}],"paid":1"#,
    #"{"id":1,"lines":[{"sku":"c"}},"paid":1}"#, #"{"id":1,"lines":[{"sku":"c"},],"paid":1}"#,
    #"{"id":1,"lines":[{"sku":"c"}]"paid":1}"#, #"{"id":1,"lines":[{"sku":"c"}],"paid":nul}"#,
    #"{"id":1,"to":{"city":"\ud800","x":[1,2]},"lines":[{"sku":"a"}],"paid":3.5}"#,
    #"{"id":1,"to":{"city":"B"},"lines":[{"sku":"a"}],"id":2,"lines":[{}]}"#, "]", "}", "1 2",
  ])
  func `errors have their place`(_ strange: String) throws {
    let isLate = strange.contains(#""id":2"#)
    guard isLate else { return try check(strange, isError: true) }
    // The second value comes after rows that have the first.
    let json =
      #"{"data":{"orders":["# + [plain, plain, plain, strange].joined(separator: ",") + "]}}"
      + String(repeating: " ", count: 64)
    let result = try run(Self.early).everyCut(json)
    #expect(result.error?.fault == .normalize(.afterItsRows(field: "id")))
  }

  private static let stop =
    #"{"name":"Markt","departures":[{"line":"4"},{"line":"7"}],"at":{"zone":1}}"#
  private static let house =
    #"[{"house":"12","meters":{"m1":{"unit":"l","values":[{"v":1.5},{"v":2}]},"m2":{"values":[{"v":3}],"#
    + #""unit":"l"}}},{"meters":{"m3":{"values":[{"v":4}]}},"house":"14"}]"#

  /// Puts members among others in an object whose keys are data.
  private func check(
    members strange: String, of document: String, isError: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let isByDays = document == Self.days
    let plain = { (index: Int) in
      isByDays
        ? #""2026-01-\#(10 + index)":\#(Self.house)"# : #""s\#(index)":\#(Self.stop)"#
    }
    let members = [plain(1), plain(2), plain(3), strange, plain(4), strange, plain(5), plain(6)]
    let json =
      #"{"net":{"\#(isByDays ? "days" : "stops")":{\#(members.joined(separator: ","))}}}"#
      + String(repeating: " ", count: 2 * RecordShape.slack)
    try checkSplits(
      json, of: document, strange, isError: isError, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    #""":\#(stop)"#, #""\u0073 \"9\"":\#(stop)"#, #""Площадь":\#(stop)"#, #""s1":\#(stop)"#,
    #""a" : \#(stop)"#, #" "a":\#(stop)"#, #""a":null"#, #""a":7"#, #""a":[]"#, #""a":[\#(stop)]"#,
    #""a":{}"#, #""a":{"departures":[]}"#, #""a":{"departures":{}}"#,
    #""departures":[{"line":"1"}]"#,
    #""a":{"departures":[{"line":"1"}]},"b":{"departures":[{"line":"2"}],"name":"x"}"#,
    #""a":{"at":null,"departures":[{"line":"1"}],"name":["x"]}"#,
    #""a":{"name":"N","x":{"y":{"departures":[{"line":"9"}]}},"departures":[{"line":"1"}]}"#,
    #""a":{"departures":[{"line":"1"}],"at":{"zone":"x"}},"\#(String(repeating: "k", count: 90))":\#(stop)"#,
  ])
  func `elements by keys around the rows`(_ strange: String) throws {
    try check(members: strange, of: Self.keyed)
  }

  @Test(arguments: [
    #""2026-02-01":\#(house)"#, #""2026-02-31":\#(house)"#, #""2026-02-01":[]"#,
    #""2026-02-01":null"#,
    #""2026-02-01":[{"house":"1","meters":{}}]"#,
    #""2026-02-01":[{"meters":{"m":{"values":[{"v":1}]}}}]"#,
    #""2026-02-01":[{"meters":{"a":{"values":[]},"b":7,"\u0063":{"values":[{"v":1}]}},"house":"3"}]"#,
    #""2026-02-01":[{"house":"1","meters":[{"values":[{"v":1}]}]},7]"#,
    #""2026-02-01":{"house":"1","meters":{"m":{"values":[{"v":1}]}}}"#, #""x":\#(house)"#,
    #""2026-02-01":[{"meters":{"m":{"values":[{"v":1}],"unit":"m³"}}}]"#,
  ])
  func `elements by keys in lists by keys`(_ strange: String) throws {
    try check(members: strange, of: Self.days)
  }

  @Test(arguments: [
    (pairs, #""B":[[3,"1.5"]]"#), (pairs, #""B":[]"#), (pairs, #""B":null"#), (pairs, #""B":7"#),
    (pairs, #""B":{"a":[1,2]}"#), (pairs, #""\u0042":[[3,1.5],[4]]"#),
    (pairs, #""B":[[3,"x"],[[]],8]"#),
    (pairs, #""B" : [ [3,1] ]"#), (pairs, #""A1":[[9,9]]"#), (pairs, #""B":[{"x":1}]"#),
    (rates, #""2026-02-01":{"EUR":{"v":1},"SEK":{"v":11}}"#), (rates, #""2026-02-01":{}"#),
    (rates, #""2026-02-31":{"EUR":{"v":1}}"#), (rates, #""2026-02-01":{"EUR":7,"SEK":{"v":"x"}}"#),
    (rates, #""2026-02-01":[{"v":1}]"#), (rates, #""2026-02-01":{"\u0045":{"v":1}}"#),
    (grid, #"[{"x":1,"y":"b"}]"#), (grid, "[]"), (grid, "null"), (grid, #"{"x":1}"#),
    (grid, #"[[{"x":1}]]"#),
    (grid, #"[{"x":1},7,{"x":"z"}]"#), (grid, #" [ {"x":1} ] "#),
  ])
  func `lists and objects of rows that are elements`(_ document: String, _ strange: String) throws {
    let plain = { (index: Int) in
      switch document {
      case Self.pairs: #""A\#(index)":[[\#(index),"2.5"],[2,3]]"#
      case Self.rates: #""2026-01-\#(10 + index)":{"EUR":{"v":1.\#(index)},"USD":{"v":2}}"#
      default: #"[{"x":\#(index),"y":"a"},{"x":2}]"#
      }
    }
    let members = [plain(1), plain(2), plain(3), strange, plain(4), strange, plain(5), plain(6)]
    let text = members.joined(separator: ",")
    let inner =
      document == Self.grid
      ? #""grid":[\#(text)]"# : #""\#(document == Self.pairs ? "pairs" : "rates")":{\#(text)}"#
    let json = #"{"net":{\#(inner)}}"# + String(repeating: " ", count: 2 * RecordShape.slack)
    try checkSplits(json, of: document, strange, every: 17)
  }

  @Test(arguments: [
    ("x[].r.*.*", #""r":{"e":{"A":{"v":1},"B":{"v":2}}}"#),
    ("x[].r.*[]", #""r":{"e":[{"v":1},{"v":2}]}"#), ("x[].r[][]", #""r":[[{"v":1},{"v":2}]]"#),
    ("x[].r.*.l[]", #""r":{"e":{"l":[{"v":1},{"v":2}]}}"#),
  ])
  func `a field that comes again after such rows is an error`(_ rows: String, _ inner: String)
    throws
  {
    let run = try run(
      "feed: own\nrows: \"\(rows)\"\ncolumns: {y: \"x[].y\", v: {kind: integer}}")
    let elements = (0..<40).map { #"{"y":\#($0),\#(inner)\#($0 == 30 ? #","y":99"# : "")}"# }
    let json =
      #"{"x":[\#(elements.joined(separator: ","))]}"#
      + String(repeating: " ", count: 4 * RecordShape.slack)
    let whole = run(json)
    #expect(whole.fault == .afterItsRows(field: "y"))
    for length in [7, 100, 900] { #expect(run(json, cut: .pieces(length)).isSame(as: whole)) }
  }

  @Test(arguments: [
    #""a"\#(stop)"#, #"5:\#(stop)"#, #"null:\#(stop)"#, #""a"::\#(stop)"#, #""a","b":\#(stop)"#,
    #"\#(stop)"#,
    #""a":\#(stop),"#, #""\ud800":\#(stop)"#, #""a\x":\#(stop)"#, "\"a\n\":\(stop)",
    #"["a"]:\#(stop)"#,
  ])
  func `keys around the rows that are none`(_ strange: String) throws {
    try check(members: strange, of: Self.keyed, isError: true)
  }

  @Test(arguments: 0..<40)
  func `documents of a generator`(seed: UInt64) throws {
    var made = GapDocuments(generator: SeededGenerator(seed: seed))
    let (orders, routes) = (made.orders(40), made.routes(25))
    for (document, json) in [(Self.orders, orders), (Self.early, orders), (Self.stops, routes)] {
      let run = try run(document)
      let pieces = run(json, cut: .pieces(9))
      #expect(run(json).isSame(as: pieces))
      for length in [150, 700, 3000] {
        #expect(run(json, cut: .pieces(length)).isSame(as: pieces), "pieces of \(length)")
      }
    }
  }

  @Test(arguments: 0..<30)
  func `errors in documents of a generator`(seed: UInt64) throws {
    var made = GapDocuments(generator: SeededGenerator(seed: 1000 + seed))
    for document in [Self.orders, Self.early, Self.stops] {
      var json = Array((document == Self.stops ? made.routes(12) : made.orders(15)).utf8)
      let run = try run(document)
      for _ in 0..<25 {
        let place = Int.random(in: 40..<json.count, using: &made.generator)
        let byte = json[place]
        json[place] = made.generator.pick(Array(#"{}[],:"\0-.e tn"#.utf8) + [0, 0x1F, 0x80, 0xC3])
        let pieces = run(json, cut: .pieces(9))
        if !run(json).isSame(as: pieces) { Issue.record("byte \(place)") }
        json[place] = byte
      }
    }
  }

  /// The same element of a document many times, with keys where these are data.
  private struct Repeated {
    let before: String
    let element: (Int) -> String
    let after: String
    /// The rows of an element, and the gaps in it and to the next one.
    var rows = 2
    var gaps = 1
  }

  private func repeated(_ document: String) -> Repeated {
    let trips =
      #"{"name":"R","kind":{"name":"bus"},"data":{"trips":[{"id":1,"day":"2026-01-05","stops":"#
      + #"[{"stop":"A","at":"10:00"},{"stop":"B","at":"10:05"}]},{"id":2,"day":"2026-01-06","#
      + #""stops":[{"stop":"C","at":"11:00"}]}]}}"#
    func day(_ index: Int) -> String {
      "2026-0\(1 + index / 25)-\(index % 25 + 1 < 10 ? "0" : "")\(index % 25 + 1)"
    }
    switch document {
    case Self.stops:
      return Repeated(
        before: #"{"routes":["#, element: { _ in trips }, after: "]}", rows: 3, gaps: 2)
    case Self.keyed:
      return Repeated(
        before: #"{"net":{"stops":{"#, element: { #""s\#($0)":\#(Self.stop)"# }, after: "}}}")
    case Self.days:
      return Repeated(
        before: #"{"net":{"days":{"#, element: { #""\#(day($0))":\#(Self.house)"# }, after: "}}}",
        rows: 4, gaps: 3)
    case Self.pairs:
      return Repeated(
        before: #"{"net":{"pairs":{"#, element: { #""A\#($0)":[[1,"2.5"],[2,3]]"# }, after: "}}}")
    case Self.rates:
      return Repeated(
        before: #"{"net":{"rates":{"#,
        element: { #""\#(day($0))":{"EUR":{"v":1},"USD":{"v":2}}"# }, after: "}}}")
    case Self.grid:
      return Repeated(
        before: #"{"net":{"grid":["#, element: { _ in #"[{"x":1,"y":"a"},{"x":2}]"# }, after: "]}}")
    default:
      let order = document == Self.picks ? picked : plain
      return Repeated(before: #"{"data":{"orders":["#, element: { _ in order }, after: "]}}")
    }
  }

  @Test(arguments: [
    ("lines of one list", orders), ("rows that wait for nothing", early),
    ("lists three deep", stops), ("texts on lines of their own", lines),
    ("lists of whose elements is picked", picks), ("elements by keys", keyed),
    ("elements by keys in lists by keys", days), ("lists that are elements", pairs),
    ("objects that are elements", rates), ("lists of lists", grid),
  ])
  func `gaps come as wholes`(_ name: String, _ document: String) throws {
    let isLines = document == Self.lines
    let feed = try OwnFeed.read(document)
    let repeated = repeated(document)
    let list = (0..<50).map(repeated.element)
    let json =
      isLines
      ? list.joined(separator: "\n") + "\n"
      : repeated.before + list.joined(separator: ",") + repeated.after
        + String(repeating: " ", count: 4 * RecordShape.slack)
    let counts = GapCounts()
    let counters = Counters()
    var options = NormalizerOptions()
    options.zones = try Zones(of: feed)
    let rows = Normalizer(feed, options: options, into: FanOut([]), counters: counters)
    let tokenizer = Tokenizer(into: GapSpy(next: rows, counts: counts), counters: counters)
    if isLines {
      try ChunkCutter.feed(Array(json.utf8), splitAt: 0, to: LineList(into: tokenizer))
    } else {
      try ChunkCutter.feed(Array(json.utf8), splitAt: 0, to: tokenizer)
    }
    #expect(counters.rows.value == 50 * repeated.rows)
    // The first ones are learned from, and the last ones are too near to the end.
    #expect(counts.gaps >= 46 * repeated.gaps - 2, "\(name): \(counts.gaps)")
    #expect(counts.tokens < 200, "\(name): \(counts.tokens)")
  }
}

/// Hands on everything, and counts what comes as tokens and what as whole gaps.
private struct GapSpy<Next: TokenStage & ~Copyable>: TokenStage, ~Copyable {
  var next: Next
  let counts: GapCounts

  mutating func token(_ kind: TokenKind, _ text: RawSpan, at offset: Int)
    throws(PipelineError) -> TokenReply
  {
    counts.tokens += 1
    return try next.token(kind, text, at: offset)
  }

  mutating func recordForm() -> RecordForm? { next.recordForm() }
  mutating func object(_ record: WholeRecord) throws(PipelineError) { try next.object(record) }
  mutating func endWholes() throws(PipelineError) { try next.endWholes() }
  mutating func gapForm() -> RecordForm? { next.gapForm() }

  mutating func gap(_ gap: WholeRecord) throws(PipelineError) {
    counts.gaps += 1
    try next.gap(gap)
  }

  var passLimit: Int { next.passLimit }
  consuming func finish() throws(PipelineError) { try next.finish() }
}

private final class GapCounts {
  var tokens = 0
  var gaps = 0
}
