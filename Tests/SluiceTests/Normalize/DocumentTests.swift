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

  @Test(arguments: [
    ("{}", []), (#"{"isin":"1","Items":[]}"#, ["isin", "Items"]),
  ])
  func `a bond that leads to no items ends the run, beside others too`(
    _ bond: String, _ keys: [String]
  ) {
    let good = #"{"isin":"2","items":[{"date":"2018-09-01T13:00:00Z","price":1}]}"#
    let fault = Fault.normalize(.missing(path: "activities[].items", keys: keys))
    for bonds in [bond, "\(good),\(bond)", "\(bond),\(good)"] {
      #expect(error(#"{"activities":[\#(bonds)]}"#, .bonds)?.fault == fault)
    }
    #expect(error(#"{"activities":[\#(good),{"items":[]}]}"#, .bonds) == nil)
  }

  @Test func `what the tokenizer refuses ends the run and no output`() {
    let result = FeedRun()("[\(house()),")
    #expect(result.error?.stage == .json)
    #expect(result.counts == Counts(read: 1, kept: 1, rows: 1))
    #expect(result.ics == [])
  }
}
