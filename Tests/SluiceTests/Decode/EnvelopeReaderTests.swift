import Testing

@testable import Sluice

@Suite struct EnvelopeReaderTests {
  /// What comes out of an answer, the same at every cut.
  private func read(
    _ answer: String, failsAt: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let envelope = try #require(Feed.hotWater.envelope)
    return ChunkCutter.everyCut(
      Array(answer.utf8), failsAt: failsAt, sourceLocation: sourceLocation
    ) {
      Tokenizer(
        into: EnvelopeReader(envelope, into: $0, counters: Counters()), as: .envelope,
        counters: Counters())
    }
  }

  /// An answer around the elements of a list.
  private func answer(_ elements: String) -> String {
    #"{"status":"result","responseData":{"classifiers":["# + elements + "]}}"
  }

  /// What comes out of an answer around the elements of a list, and what is wrong with it.
  private func list(_ elements: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> (text: String, fault: Fault?)
  {
    let outcome = try read(answer(elements), sourceLocation: sourceLocation)
    return (outcome.text, outcome.error?.fault)
  }

  private func fault(_ fault: EnvelopeFault, at offset: Int? = nil) -> PipelineError {
    PipelineError(.envelope(fault), at: offset)
  }

  private static let mine = #"{"classifierId":4,"file":"UEsDBBQ="}"#

  // MARK: Good answers

  @Test(arguments: [
    #"{"status":"result","responseData":{"classifiers":[{"classifierId":4,"classifierName":"График","file":"UEsDBBQ=","version":"26"}]},"expectedResponseDate":"12.08.2020"}"#,
    #"{"responseData":{"classifiers":[{"file":"UEsDBBQ=","classifierId":4}]},"status":"result"}"#,
    #"{"a":[{"status":"x","responseData":7}],"status":"result","responseData":{"status":"error","a":{"classifiers":1},"classifiers":[{"a":{"classifierId":5,"file":"x"},"classifierId":4,"file":"UEsDBBQ=","b":["file"]}],"z":[]}}"#,
    "\u{FEFF}{\n \"status\" : \"result\" , \"responseData\" : { \"classifiers\" : [ "
      + "{ \"classifierId\" : 4 , \"file\" : \"UEsDBBQ=\" } ] } }\n",
    #"{"st\u0061tus":"res\u0075lt","responseData":{"classifiers":[{"classifierId":"\u0034","f\u0069le":"UEsDBBQ="}]}}"#,
  ])
  func `the payload is found wherever it is`(answer: String) throws {
    #expect(try read(answer) == Outcome(output: Array("UEsDBBQ=".utf8), error: nil))
  }

  @Test(arguments: [
    #"{"classifierId":3,"file":"no"},"# + mine,
    mine + #",{"classifierId":3,"file":"no"}"#,
    #"{"file":"no","classifierId":3},"# + mine + #",{"file":"no","classifierId":5}"#,
    #"{"file":"no","classifierId":44},{"file":"no","classifierId":"04"},"#
      + #"{"file":"no","classifierId":-4},{"file":"no","classifierId":4.0},"# + mine,
    #"{"file":"UEsDBBQ=","classifierId":"4"}"#,
    #"{"file":"no"},"# + mine + ",{}",
    #"{"classifierId":null,"file":"no"},"# + mine,
    #"{"classifierId":[4],"file":"no"},{"classifierId":{"classifierId":4},"file":"no"},"# + mine,
    #"{"classifierId":3,"file":null},{"classifierId":2,"file":1,"file":2},"# + mine,
    #"{"file":"a","file":"b","classifierId":3},"# + mine,
    "null,4,[],[" + mine + #"],"file","# + mine,
    #"{"classifierId":4,"classifierName":"4","file":"UEsDBBQ=","File":"no","file ":"no"}"#,
  ])
  func `the element is known by its id, not by its place`(elements: String) throws {
    let outcome = try list(elements)
    #expect(outcome.text == "UEsDBBQ=")
    #expect(outcome.fault == nil)
  }

  @Test(arguments: [
    (#"a\/b\u002bc"#, "a/b+c"), (#"\u0055\u0045s\/\/\/\u002B"#, "UEs///+"), ("", ""),
    (#"line\r\nline"#, "line\r\nline"), (#"\"\\"#, "\"\\"),
  ])
  func `the payload's escapes are decoded, before and behind the id`(
    written: String, text: String
  ) throws {
    let behind = try list("{\"classifierId\":4,\"file\":\"\(written)\"}")
    let before = try list("{\"file\":\"\(written)\",\"classifierId\":4}")
    #expect(behind.text == text && behind.fault == nil)
    #expect(before.text == text && before.fault == nil)
  }

  @Test func `a long payload waits for its id`() throws {
    let envelope = try #require(Feed.hotWater.envelope)
    let payload = Base64Samples.encoded((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
    let text = String(decoding: payload, as: UTF8.self)
    for elements in [
      "{\"file\":\"\(text)\",\"classifierId\":3},{\"file\":\"\(text)\",\"classifierId\":4}",
      "{\"classifierId\":3,\"file\":\"\(text)\"},{\"classifierId\":4,\"file\":\"\(text)\"}",
    ] {
      for length in [31, 4096, 65_536, 1 << 30] {
        let counters = Counters()
        let outcome = ChunkCutter.pieces(Array(answer(elements).utf8), of: length) {
          Tokenizer(
            into: EnvelopeReader(envelope, into: $0, counters: counters), as: .envelope,
            counters: counters)
        }
        #expect(outcome == Outcome(output: payload, error: nil))
        #expect(counters.envelope.bytesOut.value == payload.count)
        #expect(counters.envelope.bytesIn.value == answer(elements).utf8.count)
      }
    }
  }

  // MARK: The status

  @Test func `another status is the source's error, with its text`() throws {
    let refused = Fault.source(.refused(status: "error: нет данных"))
    for (answer, offset) in [
      (#"{"status":"error: нет данных","responseData":null}"#, 10),
      (#"{"responseData":null,"status":"error: нет данных"}"#, 30),
      (#"{"responseData":{"classifiers":[]},"status":"error: нет данных"}"#, 44),
      (#"{"responseData":{"classifiers":[{"classifierId":4}]},"status":"error: нет данных"}"#, 62),
      (
        #"{"responseData":{"classifiers":[{"classifierId":4,"file":null}]},"#
          + #""status":"error: нет данных"}"#, 74
      ),
    ] {
      let outcome = try read(answer)
      #expect(outcome.error == PipelineError(refused, at: offset))
      #expect(outcome.output.isEmpty)
    }
    #expect(try read(#"{"status":"Result"}"#).error?.fault == .source(.refused(status: "Result")))
    #expect(try read(#"{"status":""}"#).error?.fault == .source(.refused(status: "")))
  }

  @Test func `a status must be there, once, as a string`() throws {
    let rest = #""responseData":{"classifiers":["# + Self.mine + "]}}"
    #expect(
      try read("{" + rest).error == fault(.missing(field: "status", keys: ["responseData"])))
    #expect(
      try read("{\"Status\":\"result\"," + rest).error
        == fault(.missing(field: "status", keys: ["Status", "responseData"])))
    for (value, kind) in [("null", TokenKind.null), ("1", .number), ("{}", .beginObject)] {
      #expect(
        try read("{\"a\":1,\"status\":\(value)," + rest).error
          == fault(
            .wrongKind(field: "status", found: kind, wanted: .string, keys: ["a", "status"]), at: 16
          ))
    }
    #expect(
      try read("{\"status\":\"result\",\"status\":\"result\"," + rest).error
        == fault(.twice(field: "status"), at: 28))
    #expect(try read("{}").error == fault(.missing(field: "status", keys: [])))
  }

  // MARK: The way to the list

  @Test func `what is missing on the way is named, with the keys that are there`() throws {
    #expect(
      try read(#"{"status":"result","a":1,"b":{"c":2}}"#).error
        == fault(.missing(field: "responseData", keys: ["status", "a", "b"])))
    #expect(
      try read(#"{"status":"result","responseData":{"a":1,"b":[{"c":2}]}}"#).error
        == fault(.missing(field: "classifiers", keys: ["a", "b"])))
    // However many there are.
    let many = (0..<50).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(
      try read("{\(many)," + answer(Self.mine).dropFirst()).text == "UEsDBBQ=")
    #expect(
      try read("{\(many)," + #""status":"result","responseData":{}}"#).error
        == fault(.missing(field: "classifiers", keys: [])))
  }

  @Test(arguments: [
    ("null", TokenKind.null), ("[]", .beginArray), ("[{\"classifiers\":[]}]", .beginArray),
    ("\"x\"", .string), ("true", .true),
  ])
  func `another kind of value on the way is named`(value: String, kind: TokenKind) throws {
    #expect(
      try read("{\"status\":\"result\",\"responseData\":\(value)}").error
        == fault(
          .wrongKind(
            field: "responseData", found: kind, wanted: .beginObject,
            keys: ["status", "responseData"]),
          at: 34))
    #expect(
      try read("{\"responseData\":\(value),\"status\":\"result\"}").error
        == fault(
          .wrongKind(
            field: "responseData", found: kind, wanted: .beginObject, keys: ["responseData"]),
          at: 16))
    guard kind != .beginArray else { return }
    #expect(
      try read("{\"status\":\"result\",\"responseData\":{\"a\":1,\"classifiers\":\(value)}}").error
        == fault(
          .wrongKind(
            field: "classifiers", found: kind, wanted: .beginArray, keys: ["a", "classifiers"]),
          at: 55))
  }

  @Test func `a field on the way stands once`() throws {
    let list = #"{"classifiers":["# + Self.mine + "]}"
    for (answer, field, offset) in [
      (#"{"status":"result","responseData":null,"responseData":"# + list + "}", "", 0),
      (#"{"status":"result","responseData":{},"responseData":"# + list + "}", "responseData", 52),
      (
        #"{"status":"result","responseData":{"classifiers":[],"classifiers":[]}}"#, "classifiers",
        66
      ),
    ] {
      let expected =
        field.isEmpty
        ? fault(
          .wrongKind(
            field: "responseData", found: .null, wanted: .beginObject,
            keys: ["status", "responseData"]),
          at: 34) : fault(.twice(field: field), at: offset)
      #expect(try read(answer).error == expected)
    }
    let late = #"{"responseData":"# + list + #","responseData":{},"status":"result"}"#
    let outcome = try read(late)
    #expect(outcome.error?.fault == .envelope(.twice(field: "responseData")))
  }

  // MARK: The element

  @Test(arguments: [
    ("", EnvelopeFault.noMatch(field: "classifierId", value: "4", found: [])),
    (
      #"{"classifierId":3,"file":"a"},{"classifierId":"44","file":"b"}"#,
      .noMatch(field: "classifierId", value: "4", found: ["3", "44"])
    ),
    (
      #"{"file":"a","classifierName":"b"}"#,
      .missing(field: "classifierId", keys: ["file", "classifierName"])
    ),
    (
      #"{"file":"a"},{"classifierId":5}"#,
      .noMatch(field: "classifierId", value: "4", found: ["5"])
    ),
    ("{}", .missing(field: "classifierId", keys: [])),
    ("1,null,[]", .noMatch(field: "classifierId", value: "4", found: [])),
    (mine + "," + mine, .twoMatches(field: "classifierId", value: "4")),
    (
      #"{"file":"UEsDBBQ=","classifierId":4},{"file":"b","classifierId":"4"}"#,
      .twoMatches(field: "classifierId", value: "4")
    ),
    (
      #"{"classifierId":4,"classifierName":"a"}"#,
      .missing(field: "file", keys: ["classifierId", "classifierName"])
    ),
    (#"{"classifierId":4,"classifierId":4,"file":"a"}"#, .twice(field: "classifierId")),
    (#"{"classifierId":3,"file":"a","classifierId":4}"#, .twice(field: "classifierId")),
    (#"{"classifierId":4,"file":"UEsDBBQ=","file":"b"}"#, .twice(field: "file")),
    (#"{"file":"a","file":"b","classifierId":4}"#, .twice(field: "file")),
    (#"{"file":"a","classifierId":4,"file":"b"}"#, .twice(field: "file")),
    (
      #"{"classifierId":4,"file":null}"#,
      .wrongKind(field: "file", found: .null, wanted: .string, keys: ["classifierId", "file"])
    ),
    (
      #"{"file":null,"classifierId":4}"#,
      .wrongKind(field: "file", found: .null, wanted: .string, keys: ["file", "classifierId"])
    ),
    (
      #"{"classifierId":4,"file":12}"#,
      .wrongKind(field: "file", found: .number, wanted: .string, keys: ["classifierId", "file"])
    ),
    (
      #"{"classifierId":4,"file":["UEsDBBQ="]}"#,
      .wrongKind(
        field: "file", found: .beginArray, wanted: .string, keys: ["classifierId", "file"])
    ),
    (
      #"{"file":{"file":"a"},"classifierId":4}"#,
      .wrongKind(
        field: "file", found: .beginObject, wanted: .string, keys: ["file", "classifierId"])
    ),
  ])
  func `what is wrong with the list or its element is named`(
    elements: String, expected: EnvelopeFault
  ) throws {
    #expect(try list(elements).fault == .envelope(expected))
    // It is the same where the status comes last.
    let late = #"{"responseData":{"classifiers":["# + elements + #"]},"status":"result"}"#
    #expect(try read(late).error?.fault == .envelope(expected))
  }

  // MARK: JSON

  @Test func `what is no JSON is the envelope's error`() throws {
    let whole = answer(Self.mine)
    for count in 1..<whole.utf8.count {
      let cut = String(whole.prefix(count))
      #expect(try read(cut).error == fault(.json(.truncated), at: count))
    }
    #expect(try read(whole + "x").error == fault(.json(.trailing(0x78)), at: whole.utf8.count))
    #expect(
      try list("{\"classifierId\":4,\"file\":\"ab\\x\"}").fault
        == .envelope(.json(.escape(0x78))))
  }

  @Test func `the payload's reader throws first where its byte comes first`() throws {
    let bad = answer("{\"classifierId\":4,\"file\":\"abcdef\\x\"}")
    #expect(try read(bad, failsAt: 3).error == Collector.failure)
    #expect(try read(bad, failsAt: 6).error == Collector.failure)
    #expect(try read(bad, failsAt: 7).error?.fault == .envelope(.json(.escape(0x78))))
    let spooled = answer("{\"file\":\"abcdef\",\"classifierId\":4}")
    #expect(try read(spooled, failsAt: 3).error == Collector.failure)
  }
}
