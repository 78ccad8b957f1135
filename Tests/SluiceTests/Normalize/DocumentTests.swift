import Testing

@testable import Sluice

/// Documents that are not the feed's: one error that says what is there instead.
@Suite struct DocumentTests {
  private func error(_ json: String, _ feed: Feed = .hotWater) -> PipelineError? {
    let result = FeedRun(feed: feed)(json)
    for length in 1...7 {
      #expect(FeedRun(feed: feed)(json, cut: .pieces(length)).isSame(as: result))
    }
    return result.error
  }

  @Test(arguments: [
    ("null", TokenKind.null, [String]()), ("7", .number, []), ("\"a\"", .string, []),
    ("true", .true, []), ("{}", .beginObject, []),
    (
      #"{"status":"error","responseData":{"a":1},"b":[{"c":1}]}"#, .beginObject,
      ["status", "responseData", "b"]
    ),
  ])
  func `a document that is no list`(_ json: String, _ found: TokenKind, _ keys: [String]) {
    #expect(
      error(" " + json)
        == PipelineError(
          .normalize(.wrongKind(path: ".", found: found, wanted: .beginArray, keys: keys)), at: 1))
  }

  @Test func `records without any of the feed's keys`() {
    #expect(
      error(#"[{"name":"a","адрес":{"корпус":1}},{"name":2,"z":[]},7]"#)
        == PipelineError(
          .normalize(
            .noKnownKey(
              expected: [
                "Населенный пункт", "Адрес жилого здания", "№ дома", "корпус", "литер",
                "Период отключения ГВС",
              ], keys: ["name", "адрес", "z"]))))
    #expect(FeedRun()(#"[{"name":1},{"литер":1}]"#).error == nil)
  }

  @Test func `a long list of keys is cut short`() {
    let members = (0..<50).map { #""k\#($0)":0"# }.joined(separator: ",")
    guard case .noKnownKey(_, let keys) = FeedRun()("[{\(members)}]").fault else {
      Issue.record("no such fault")
      return
    }
    #expect(keys == (0..<20).map { "k\($0)" })
  }

  @Test(arguments: [
    ("{}", FeedFault.missing(path: "activities", keys: [])),
    (#"{"a":[],"b":{"activities":[]}}"#, .missing(path: "activities", keys: ["a", "b"])),
  ])
  func `the way to the rows breaks off`(_ json: String, _ fault: FeedFault) {
    #expect(error(json, .bonds) == PipelineError(.normalize(fault)))
  }

  @Test(arguments: [
    ("[]", 0, FeedFault.wrongKind(path: ".", found: .beginArray, wanted: .beginObject, keys: [])),
    ("1", 0, .wrongKind(path: ".", found: .number, wanted: .beginObject, keys: [])),
    (
      #"{"activities":null}"#, 14,
      .wrongKind(path: "activities", found: .null, wanted: .beginArray, keys: [])
    ),
    (
      #"{"activities":{"a":{"b":1},"items":[]}}"#, 14,
      .wrongKind(
        path: "activities", found: .beginObject, wanted: .beginArray, keys: ["a", "items"])
    ),
    (
      #"{"activities":[[]]}"#, 15,
      .wrongKind(path: "activities[]", found: .beginArray, wanted: .beginObject, keys: [])
    ),
    (
      #"{"activities":["a"]}"#, 15,
      .wrongKind(path: "activities[]", found: .string, wanted: .beginObject, keys: [])
    ),
    (
      #"{"activities":[{"items":"a"}]}"#, 24,
      .wrongKind(path: "activities[].items", found: .string, wanted: .beginArray, keys: [])
    ),
    (
      #"{"activities":[{"items":{"date":1}}]}"#, 24,
      .wrongKind(
        path: "activities[].items", found: .beginObject, wanted: .beginArray, keys: ["date"])
    ),
  ])
  func `a step on the way to the rows is of another kind`(
    _ json: String, _ offset: Int, _ fault: FeedFault
  ) {
    #expect(error(json, .bonds) == PipelineError(.normalize(fault), at: offset))
  }

  @Test func `items without any of the feed's keys`() {
    #expect(
      error(#"{"activities":[{"isin":"1","x":1,"items":[{"day":1,"isin":2}]}]}"#, .bonds)
        == PipelineError(
          .normalize(.noKnownKey(expected: ["date", "price"], keys: ["day", "isin"]))))
  }

  private static let good =
    #"{"isin":"2","items":[{"date":"2018-09-01T13:00:00Z","price":1}]}"#

  @Test(arguments: [
    ("{}", []), (#"{"isin":"1","Items":[]}"#, ["isin", "Items"]),
  ])
  func `bonds none of which leads to items end the run`(_ bond: String, _ keys: [String]) {
    let fault = Fault.normalize(.missing(path: "activities[].items", keys: keys))
    for bonds in [bond, "\(bond),{}"] {
      #expect(error(#"{"activities":[\#(bonds)]}"#, .bonds)?.fault == fault)
    }
  }

  @Test(arguments: ["{}", #"{"isin":"1","Items":[]}"#, #"{"items":null}"#, #"{"items":[]}"#])
  func `a bond without items gives no rows beside others`(_ bond: String) {
    for bonds in ["\(Self.good),\(bond)", "\(bond),\(Self.good)"] {
      let result = FeedRun(feed: .bonds)(#"{"activities":[\#(bonds)]}"#)
      #expect(result.error == nil && result.counts == Counts(read: 1, kept: 1, rows: 1))
    }
  }

  @Test(arguments: [
    #"{"items":null}"#, #"{"items":null},{"isin":"1"}"#, #"{"isin":"1"},{"items":null}"#,
    #"{"isin":"1"},{"items":[]}"#,
  ])
  func `a bond whose items are null or none shows that the way is right`(_ bonds: String) {
    let result = FeedRun(feed: .bonds)(#"{"activities":[\#(bonds)]}"#)
    #expect(result.error == nil && result.counts == Counts())
  }

  @Test(arguments: [
    (#"{"isin":"1","items":"a\n"}"#, "items", "a\n", #""a\n""#),
    (#"{"isin":"1","items":{"date":1,"b":[]}}"#, "items", nil, #"{"date":1,"b":[]}"#),
    (#"{"isin":"1","items":-0.50}"#, "items", nil, "-0.50"),
    (#"{"isin":"1","items":false}"#, "items", nil, "false"),
    ("[1]", nil, nil, "[1]"), ("\"x\"", nil, nil, "\"x\""), ("null", nil, nil, "null"),
  ])
  func `a bond that cannot be gone through is one record that is refused`(
    _ bond: String, _ field: String?, _ value: String?, _ raw: String
  ) throws {
    for bonds in ["\(Self.good),\(bond)", "\(bond),\(Self.good)"] {
      let json = #"{"activities":[\#(bonds)]}"#
      let result = FeedRun(feed: .bonds)(json)
      #expect(result.error == nil)
      #expect(result.counts == Counts(read: 2, kept: 1, rejected: 1, rows: 1))
      let reject = try #require(result.rejects.first)
      #expect(reject.reason == (field == nil ? .notAnObject : .wrongKind) && reject.field == field)
      #expect(reject.value == field.map { _ in Array((value ?? raw).utf8) })
      #expect(reject.raw == Array(raw.utf8))
      let text = Array(json.utf8)
      #expect(text[reject.offset...].starts(with: raw.utf8))
      #expect(reject.record == (bonds.hasPrefix(bond) ? 1 : 2))
    }
  }

  @Test func `a bond that cannot be gone through is chosen by what stands before it`() {
    let json = #"{"activities":[{"isin":"1","items":7},\#(Self.good)]}"#
    let counts = [
      ("1", Counts(read: 2, filtered: 1, rejected: 1)),
      ("2", Counts(read: 2, kept: 1, filtered: 1, rows: 1)),
    ]
    for (isin, expected) in counts {
      let run = FeedRun(feed: .bonds, conditions: [Condition(column: "isin", value: isin)])
      #expect(run(json).counts == expected)
    }
  }

  @Test func `a bond that cannot be gone through beside empty ones is no other feed's`() {
    let result = FeedRun(feed: .bonds)(#"{"activities":[{"items":7},{"items":[]}]}"#)
    #expect(result.error == nil && result.counts == Counts(read: 1, rejected: 1))
  }

  @Test func `what the tokenizer refuses ends the run and no output`() {
    let result = FeedRun()("[\(house()),")
    #expect(result.error?.stage == .json)
    #expect(result.counts == Counts(read: 1, kept: 1, rows: 1))
    #expect(result.ics == [])
  }
}
