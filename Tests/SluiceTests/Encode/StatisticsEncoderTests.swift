import Foundation
import Testing

@testable import Sluice

@Suite struct StatisticsEncoderTests {
  private func read(_ statistics: Statistics) throws -> [String: Any] {
    let buffer = StatisticsEncoder.encode(statistics)
    let bytes = Array(buffer.contents)
    #expect(bytes.count { $0 == 0x0A } == 1 && bytes.last == 0x0A)
    return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test func `what a run counted`() throws {
    var run = FeedRun(conditions: [Condition(column: "street", value: "а")])
    run.dialect = .excel
    let json = list(
      house("А", "=1", period: "1.6.2020, 3.6.2020"), house("Б"), house("А", period: "летом"),
      house("А", period: "31.6.2020"), house(period: "ГВС сохранено"))
    var statistics = run(json).statistics
    statistics.seconds = 1.0625
    statistics.written = [
      Statistics.Written(path: "a\"\n.csv", bytes: 7),
      Statistics.Written(path: "-", bytes: 8),
    ]
    let object = try read(statistics)
    #expect(
      Set(object.keys) == [
        "read", "kept", "filtered", "skipped", "rejected", "rows", "reject_reasons",
        "same_number", "events", "calendar_bytes", "calendar_warning", "guarded_cells", "first_day",
        "last_day", "stages",
        "outputs", "seconds",
      ])
    let counts = [
      "read", "kept", "filtered", "skipped", "rejected", "rows", "events", "guarded_cells",
    ]
    #expect(counts.map { object[$0] as? Int } == [5, 1, 1, 1, 2, 2, 2, 2])
    #expect(object["reject_reasons"] as? [String: Int] == ["not-a-period": 1, "no-such-day": 1])
    #expect(object["first_day"] as? String == "2020-06-01")
    #expect(object["last_day"] as? String == "2020-06-03")
    #expect(object["stages"] as? [String: [String: Int]] == ["json": ["bytes_in": json.utf8.count]])
    #expect(object["outputs"] as? [String: Int] == ["a\"\n.csv": 7, "-": 8])
    #expect(object["seconds"] as? Double == 1.063)
    #expect(object["calendar_bytes"] as? Int ?? 0 > 500)
  }

  @Test func `nothing counted`() throws {
    let object = try read(Statistics(Counters()))
    #expect(object["read"] as? Int == 0)
    #expect(object["first_day"] is NSNull)
    #expect(object["last_day"] is NSNull)
    #expect(object["reject_reasons"] as? [String: Int] == [:])
    #expect(object["stages"] as? [String: [String: Int]] == [:])
  }

  @Test(arguments: [
    (0.0, "0.000"), (0.0004, "0.000"), (0.0456, "0.046"), (59.9996, "60.000"), (1234.5, "1234.500"),
  ])
  func `seconds have three decimals`(_ seconds: Double, _ expected: String) {
    var statistics = Statistics(Counters())
    statistics.seconds = seconds
    let buffer = StatisticsEncoder.encode(statistics)
    let text = String(decoding: buffer.contents, as: UTF8.self)
    #expect(text.hasSuffix("\"seconds\":\(expected)}\n"))
  }

  @Test func `every stage has its bytes`() throws {
    let counters = Counters()
    counters.source.bytesIn.set(1)
    counters.source.bytesOut.set(2)
    counters.envelope.bytesIn.set(3)
    counters.envelope.bytesOut.set(4)
    counters.base64.bytesIn.set(5)
    counters.base64.bytesOut.set(6)
    counters.unzip.bytesIn.set(7)
    counters.unzip.bytesOut.set(8)
    counters.json.bytesIn.set(9)
    let stages = try read(Statistics(counters))["stages"] as? [String: [String: Int]]
    #expect(
      stages == [
        "source": ["bytes_in": 1, "bytes_out": 2], "envelope": ["bytes_in": 3, "bytes_out": 4],
        "base64": ["bytes_in": 5, "bytes_out": 6], "unzip": ["bytes_in": 7, "bytes_out": 8],
        "json": ["bytes_in": 9],
      ])
  }
}
