import Testing

@testable import Sluice

/// Which rows a sample suggests, and what their columns are called.
@Suite struct DraftRowsTests {
  private func draft(_ json: String) throws -> FeedDraft {
    try draftFeed(.bytes(Array(json.utf8)))
  }

  /// What a draft says in one line: rows, their form and number, columns.
  private func told(_ json: String) throws -> String {
    let draft = try draft(json)
    let columns = draft.columns.map { "\($0.name) \($0.kind.rawValue)" }.joined(separator: ", ")
    return "\(draft.rows) \(draft.form) \(draft.count): \(columns)"
  }

  // MARK: Rows that are lists

  @Test(arguments: [
    // The titles of their columns, beside them.
    (
      #"{"h":{"columns":["SECID","DAY"],"data":[["A","2026-11-02"],["B",null]]}}"#,
      "h.data[] lists 2: secid text, day day"
    ),
    // Objects that describe the columns, as many as there are.
    (
      #"{"meta":[{"name":"day","type":"Date"},{"name":"n","type":"I"}],"data":[["2026-11-02","5"]]}"#,
      "data[] lists 1: day day, n text"
    ),
    // The same somewhere else, with larger lists of objects in them.
    (
      #"{"m":{"cols":[{"n":[{"a":1,"b":2},{"a":1,"b":2}],"fieldName":"x"},{"fieldName":"y"}]},"data":[["p",7]]}"#,
      "data[] lists 1: x text, y integer"
    ),
    // What is told of each column under its title is no column.
    (
      #"{"about":{"a":{"type":"t","size":1},"b":{"type":"u","size":2}},"columns":["a","b"],"data":[[1,2]]}"#,
      "data[] lists 1: a integer, b integer"
    ),
    // Rows inside a list.
    (
      #"{"s":[{"name":"cpu","columns":["time","v"],"values":[["2026-11-02T10:00:00Z",1]]},{"name":"mem","columns":["time","v"],"values":[["2026-11-02T10:00:00Z",2],["2026-11-02T11:00:00Z",3]]}]}"#,
      "s[].values[] lists 3: name text, time instant, v integer"
    ),
    // Without titles.
    (
      #"[[1700000000000,"1.5",7],[1700000060000,"1.6",8]]"#,
      "[] lists 2: time instant, column_2 text, column_3 integer"
    ),
    (
      #"{"p":[[1700000000000,1.5]],"q":[[1700000000000,2.5]]}"#,
      "p[] lists 1: time instant, column_2 decimal"
    ),
    // Values that are lists or objects are no columns. The others keep their titles.
    (
      #"{"columns":["id","at","owner","n"],"data":[[1,[30.1,59.9],{"name":"Ivan"},5],[2,null,null,6]]}"#,
      "data[] lists 2: id integer, n integer"
    ),
    // The elements are not equally many, so that they are rows only with titles.
    (#"{"columns":["a","b"],"data":[[1,2],[3]]}"#, "data[] lists 2: a integer, b integer"),
  ])
  func `rows may be lists, whose values have titles elsewhere`(json: String, told: String) throws {
    #expect(try self.told(json) == told)
  }

  @Test(arguments: [
    (#"[["NAME","POP"],["Alabama","5024279"],["Alaska",733391]]"#, "name", "NAME"),
    (#"{"values":[["Day","Bin"],["2026-01-05","paper"],["2026-01-12","bio"]]}"#, "bin", "Bin"),
    (#"[["a","b"],["1","2"]]"#, "a", "a"),
  ])
  func `the first row may be headings, which are left out`(
    json: String, column: String, text: String
  ) throws {
    let draft = try draft(json)
    #expect(draft.heading == FeedDraft.Heading(column: column, text: text))
    #expect(draft.form == .lists)
  }

  @Test(arguments: [
    #"[["Oslo","x"],["Lund","y"]]"#, #"[["1","2"],["3","4"]]"#, #"[["a",1],["b",2]]"#,
    #"[["a","a"],["1","2"]]"#, #"[["a",""],["1","2"]]"#, #"[["a","b"]]"#,
  ])
  func `texts above texts, numbers and equal texts are no headings`(json: String) throws {
    let draft = try draft(json)
    #expect(draft.heading == nil)
    #expect(draft.columns.map(\.name) == ["column_1", "column_2"])
    #expect(draft.columns[0].example == String(json.dropFirst(3).prefix { $0 != "\"" }))
  }

  @Test(arguments: [
    // A column that others' rows tell from the headings, and none of days or flags.
    (#"[["Date","Open"],["2026-01-01",1.5],["2026-01-02",2.5]]"#, "open", "Open"),
    (#"[["any","v"],["x",1],["y",2]]"#, "v", "v"),
    (#"[["name","bin","Day"],["NAME","x","2026-11-02"],["B","y","2026-11-03"]]"#, "bin", "bin"),
    // The a of the other row is Cyrillic.
    (#"[["name","bin","Day"],["nаme","x","2026-11-02"],["B","y","2026-11-03"]]"#, "bin", "bin"),
  ])
  func `headings are left out by a column that can tell them`(
    json: String, column: String, text: String
  ) throws {
    #expect(try draft(json).heading == FeedDraft.Heading(column: column, text: text))
  }

  @Test func `the row of headings is none of the rows of events`() throws {
    let draft = try draft(
      #"[["id","name","Day","end"],[1,"x","2026-11-02","2026-10-02"],[2,"x","2026-11-03","2026-10-02"]]"#
    )
    #expect(draft.count == 2 && draft.key == ["id"])
    #expect(draft.event?.start == "day" && draft.event?.end == nil)
    #expect(draft.columns.map(\.isRequired) == [false, false, true, false])
    #expect(
      try self.draft(#"[["on","Day"],[true,"2026-11-02"],[false,"2026-11-03"]]"#).heading == nil)
  }

  @Test func `a list or an object in a row that is a list is named, and is no column`() throws {
    let draft = try draft(
      #"{"columns":["id","at","owner"],"data":[[1,[30.1,59.9],{"a":1}],[2,[30.2,59.8],{"a":2}]]}"#)
    #expect(draft.omitted.map { "\($0.path) \($0.why)" } == ["data[][1] mixed", "data[][2] mixed"])
  }

  @Test func `lists are rows only where they are meant as such`() throws {
    for (json, rows) in [
      // Points of a line in a record, and a frame around all records.
      (#"{"f":[{"day":"2026-01-02","line":[[1,2],[3,4],[5,6]]},{"day":"2026-01-03"}]}"#, "f[]"),
      (#"{"box":[[1,2],[3,4]],"f":[{"n":1,"m":2},{"n":3,"m":4}]}"#, "f[]"),
      (#"{"time":["2026-01-02","2026-01-03"],"box":[[1,2]],"rain":[1,2]}"#, "."),
      (#"{"f":[{"tags":["a","b"],"at":[[1,2]]},{"tags":["c","d"],"at":[[1,2]],"x":1}]}"#, "f[]"),
      (#"[{"day":"2026-01-05","who":["Ann","Bo"],"at":[[1,2],[3,4]]}]"#, "[]"),
      (#"[{"a":1,"d":"2026-01-01"},{"a":2,"d":"2026-01-02"},[5,6]]"#, "[]"),
    ] {
      #expect(try draft(json).rows.description == rows, "\(json)")
    }
    #expect(
      try told(#"{"time":["2026-01-01","2026-01-02"],"v":[[1,2],[3,4]]}"#)
        == "v[] lists 2: column_1 integer, column_2 integer")
    #expect(
      try told(#"[{"a":1,"d":"2026-01-01"},{"a":2,"d":"2026-01-02"},[5,6]]"#)
        == "[] objects 2: a integer, d day")
    // Vectors are too long to be rows.
    let vector = (0...SampleTree.widest).map { "\($0)" }.joined(separator: ",")
    #expect(throws: DraftFault.self) { try draft("[[\(vector)],[\(vector)]]") }
  }

  // MARK: Keys that are data

  @Test(arguments: [
    (
      #"{"base":"EUR","r":{"2026-11-02":{"USD":1.5},"2026-11-03":{"USD":1.5,"GBP":2}}}"#,
      "r.* objects 2: base text, day day, usd decimal, gbp integer"
    ),
    (
      #"{"2026-11-02T10:00:00Z":{"p":1},"2026-11-02T11:00:00Z":{"p":2}}"#,
      "* objects 2: time instant, p integer"
    ),
    (
      #"{"z":{"1854":{"name":"north"},"1868":{"title":"south"}}}"#,
      "z.* objects 2: key text, name text, title text"
    ),
    (
      #"{"btc":{"usd":1,"eur":2},"eth":{"usd":3,"eur":4}}"#,
      "* objects 2: key text, usd integer, eur integer"
    ),
    (
      #"{"paper":[{"date":"2026-01-05"}],"bio":[{"date":"2026-01-12"}]}"#,
      "paper[] objects 1: date day"
    ),
    (
      #"{"a":[{"d":"2026-01-05","t":"x"}],"b":[{"d":"2026-01-12","t":"y"}],"c":[{"d":"2026-01-12","t":"z"}]}"#,
      "*[] objects 3: key text, d day, t text"
    ),
    (
      #"{"2026-11-02":[{"bin":"paper"},{"bin":"bio"}],"2026-11-09":[{"bin":"bio"}]}"#,
      "*[] objects 3: day day, bin text"
    ),
    (#"{"2026-12-25":"Christmas","2026-12-26":"Boxing Day"}"#, "* values 2: day day, value text"),
    (#"{"2026-11-02":["paper","bio"],"2026-11-09":["bio"]}"#, "*[] values 3: day day, value text"),
    (
      #"{"2026-11-02":["paper","bio"],"2026-11-09":["bio","glass"]}"#,
      "*[] values 4: day day, value text"
    ),
    (
      #"{"2026-11-02":["paper",7],"2026-11-09":["bio",8]}"#,
      "* lists 2: day day, column_1 text, column_2 integer"
    ),
    (
      #"{"2026-01-01":[[1,"x"],[2,"y"]],"2026-01-02":[[3,"z"]]}"#,
      "*[] lists 3: day day, column_1 integer, column_2 text"
    ),
    // Outer keys are none, because their values have nothing in common.
    (
      #"{"Meta":{"1. i":"x","2. s":"y"},"Time":{"2026-01-01 10:00":{"o":1},"2026-01-01 10:05":{"o":2}}}"#,
      "Time.* objects 2: meta_1_i text, meta_2_s text, day day, o integer"
    ),
    // Keys of both, one around the other.
    (
      #"{"r":{"2026-11-02":{"1":{"n":"a"},"2":{"n":"b"}},"2026-11-03":{"1":{"n":"c"},"2":{"n":"d"}}}}"#,
      "r.*.* objects 4: day day, key text, n text"
    ),
  ])
  func `keys of objects may be data`(json: String, told: String) throws {
    #expect(try self.told(json) == told)
  }

  @Test func `objects by keys are found however many they are`() throws {
    let rates = (0..<400).map { #""C\#($0)":{"rate":1.5,"name":"n","symbol":"s","dec":2}"# }
    let draft = try draft("{\"rates\":{\(rates.joined(separator: ","))}}")
    #expect(draft.rows == ["rates", .any] && draft.count == 400)
    #expect(draft.columns.map(\.name) == ["key", "rate", "name", "symbol", "dec"])
  }

  @Test func `objects of few keys beside the rows stay columns, others are named`() throws {
    let rows = #""rows":[{"day":"2026-01-05","t":"x"}]"#
    let few =
      #"{"of":{"city":{"n":"a","m":1},"state":{"n":"b","m":2},"land":{"n":"c","m":3}},\#(rows)}"#
    #expect(try draft(few).columns.map(\.name).first == "of_city_n")
    let zones = try draft(#"{"zones":{"7":{"n":"a"},"8":{"n":"b"}},\#(rows)}"#)
    #expect(zones.columns.map(\.name) == ["day", "t"])
    #expect(zones.omitted == [.init(path: ["zones"], why: .keyed)])
  }

  // MARK: Plain values

  @Test(arguments: [
    (
      #"{"city":"Lund","dates":["2026-01-05","2026-02-02"]}"#,
      "dates[] values 2: city text, day day"
    ),
    (
      #"{"w":[{"dates":["2026-01-05","2026-02-02"],"type":"paper"},{"dates":[],"type":"bio"}]}"#,
      "w[].dates[] values 2: type text, day day"
    ),
    (#"[{"day":"2026-01-05","bins":["paper","bio"]}]"#, "[] objects 1: day day"),
  ])
  func `lists of days are rows if no objects have days`(json: String, told: String) throws {
    #expect(try self.told(json) == told)
    for json in [#"["a","b"]"#, #"["2026-01-01",true]"#, "[[1,2],[3]]"] {
      #expect(throws: DraftFault.noRows(keys: [])) { try draft(json) }
    }
  }

  @Test func `of lists with days the one with the most values has the rows`() throws {
    // The messages that a message refers to are more, but each tells less.
    let refers = #""refers":[{"id":"p","at":"2026-01-01"},{"id":"q","at":"2026-01-02"}]"#
    #expect(
      try draft(#"{"l":[{"id":"x","at":"2026-01-05","title":"t","text":"u","by":"v",\#(refers)}]}"#)
        .rows == ["l", .each])
    let games = #""games":[{"id":1,"at":"2026-01-05","home":"x","guest":"y"}]"#
    #expect(
      try draft(#"{"l":[{"day":"2026-01-05",\#(games)}]}"#).rows == ["l", .each, "games", .each])
  }
}
