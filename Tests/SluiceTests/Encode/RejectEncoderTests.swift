import Foundation
import Testing

@testable import Sluice

@Suite struct RejectEncoderTests {
  /// The lines that are written, read by another parser.
  private func lines(_ rejects: [Reject]) throws -> [[String: Any]] {
    let box = Collector.Box()
    let encoder = RejectEncoder(into: Collector(box: box))
    for reject in rejects { try encoder.receive(reject) }
    try encoder.finish()
    #expect(box.isFinished)
    return try box.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map {
      try #require(JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
  }

  @Test func `a line in full`() throws {
    let box = Collector.Box()
    let encoder = RejectEncoder(into: Collector(box: box))
    try encoder.receive(
      Reject(
        record: 7, offset: 1234, field: "№ дома", value: Array("a\"\n".utf8), reason: .wrongKind,
        raw: Array("{\"a\":\t\"\\n\"}".utf8)))
    try encoder.receive(
      Reject(record: 8, offset: 0, field: nil, value: nil, reason: .notAnObject, raw: []))
    try encoder.finish()
    #expect(
      String(decoding: box.bytes, as: UTF8.self) == #"""
        {"record":7,"offset":1234,"field":"№ дома","value":"a\"\n","reason":"wrong-kind","raw":"{\"a\":\t\"\\n\"}"}
        {"record":8,"offset":0,"field":null,"value":null,"reason":"not-an-object","raw":""}

        """#)
  }

  @Test func `what the normalizer refuses is valid JSON, line by line`() throws {
    let long = String(repeating: "🏠\\n", count: 30_000)
    let result = FeedRun()(
      list(
        house(period: "летом"), #"{"№ дома":{"a":"\u0000"},"литер":1}"#, "[1,\n\"\\\"\"]",
        house(period: long), house("1", "2\",\"литер\":\"1\",\"литер\":\"\(long)"), "\"\(long)\"",
        house("")))
    let lines = try lines(result.rejects)
    #expect(lines.count == 7)
    #expect(lines.map { $0["record"] as? Int } == Array(1...7))
    #expect(
      lines.map { $0["reason"] as? String } == [
        "not-a-period", "wrong-kind", "not-an-object", "not-a-period", "duplicate-key",
        "not-an-object", "missing-value",
      ])
    #expect(
      lines.allSatisfy { Set($0.keys) == ["record", "offset", "field", "value", "reason", "raw"] })
    #expect(lines[0]["raw"] as? String == house(period: "летом"))
    #expect(lines[1]["value"] as? String == #"{"a":"\u0000"}"#)
    #expect(lines[2]["field"] is NSNull)
    #expect(lines.allSatisfy { (64 << 10) >= ($0["raw"] as? String)?.utf8.count ?? .max })
  }

  @Test func `every reason has its code`() throws {
    #expect(
      RejectReason.allCases.map(\.rawValue) == [
        "not-an-object", "wrong-field-count", "wrong-kind", "duplicate-key", "missing-value",
        "not-a-period",
        "too-many-periods", "no-such-day", "end-before-start", "not-an-instant",
        "not-a-unix-time", "not-a-time",
        "no-such-time", "ambiguous-time", "no-such-zone", "not-a-decimal",
        "not-an-integer", "not-a-day", "not-in-map", "not-a-flag",
        "too-long", "same-number",
      ])
  }

  @Test func `nothing refused is an empty file`() throws {
    #expect(try lines([]).isEmpty)
  }

  @Test func `lines are handed on while they come`() throws {
    let box = PieceCounter.Box()
    let encoder = RejectEncoder(into: PieceCounter(box: box))
    let raw = Array(repeating: UInt8(1), count: 64 << 10)
    for record in 0..<20 {
      try encoder.receive(
        Reject(record: record, offset: 0, field: nil, value: raw, reason: .wrongKind, raw: raw))
    }
    try encoder.finish()
    #expect(box.count > 20 * 2 * 6 * raw.count)
    #expect(box.longest < 2 * 6 * raw.count + (66 << 10))
  }
}
