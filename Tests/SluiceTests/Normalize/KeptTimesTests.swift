import Testing

@testable import Sluice

/// Times that come again and again are read once, and nobody sees it.
@Suite struct KeptTimesTests {
  private static let document = """
    feed: own
    clock: Europe/Berlin
    rows: list[].rows[]
    columns:
      seen: {from: "list[].seen", kind: instant, required: true}
      at: {from: at, kind: instant, zone: {from: zone}}
      day: {from: day, kind: day}
      made: {from: made, kind: day, format: dd/MM/yyyy}
      time: {from: time, kind: time}
    """
  private static let plain = """
    feed: own
    clock: Europe/Berlin
    rows: "[]"
    columns:
      at: {from: at, kind: instant}
      day: {from: day, kind: day}
      made: {from: made, kind: day, format: [dd/MM/yyyy, d MMM yyyy]}
      time: {from: time, kind: time, format: [HH:mm, "h:mm a"]}
    """

  private func rows(_ rows: [[String: String]]) -> String {
    let texts = rows.map { row in
      let members = row.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      return "{\(members.joined(separator: ","))}"
    }
    return "[" + texts.joined(separator: ",") + "]"
  }

  /// Demands that each row comes to the same alone and among the others.
  private func check(_ list: [[String: String]]) throws {
    let run = FeedRun(feed: try OwnFeed.read(Self.plain))
    var alone: [String] = []
    var rejected = 0
    for row in list {
      let result = run(rows([row]))
      alone += result.rows
      rejected += result.rejects.count
    }
    let all = run(rows(list) + String(repeating: " ", count: 64))
    #expect(all.rows == alone)
    #expect(all.rejects.count == rejected)
  }

  /// What is read in a short way is not kept: the second row has no such times.
  @Test(arguments: [
    [
      "at": #""2026-03-01T10:00:00Z""#, "day": #""2026-03-01""#, "made": #""01/03/2026""#,
      "time": #""10:30""#,
    ],
    [
      "at": #""2026-03-01t10:00Z""#, "day": #"" 2026-03-01""#, "made": #""1 Mar 2026""#,
      "time": #""10:30 am""#,
    ],
  ])
  func `the same times again, others between`(row: [String: String]) throws {
    var list: [[String: String]] = []
    for round in 0..<40 {
      var one = row
      switch round % 8 {
      case 1: one["at"] = #""2026-07-01T10:00:00Z""#
      case 2: one["day"] = #""2026-03-02""#
      case 3: one["made"] = #""31/02/2026""#
      case 4: one["time"] = "null"
      case 5: one["at"] = #"" 2026-03-01T10:00:00Z ""#
      case 6: one["day"] = #""2026-02-30""#
      default: break
      }
      list.append(one)
    }
    try check(list)
  }

  @Test func `times that are all different`() throws {
    let list = (0..<200).map { number in
      let day = Day(number: Int32(20_500 + number / (number < 100 ? 1 : 9)))
      let time = number % 24 < 10 ? "0\(number % 24)" : "\(number % 24)"
      return [
        "at": #""\#(day)T\#(time):00:00Z""#, "day": #""\#(day)""#,
        "time": #""\#(time):00""#,
      ]
    }
    try check(list)
  }

  @Test func `days with dots, and texts like them`() throws {
    let texts = [
      "05.04.2026", "29.02.2024", "29.02.2026", "31.04.2026", "00.04.2026", "05.13.2026",
      "05.04.0000", "5.4.2026", "05.04.26", "05.04.2026 ", "05.04.2026T", "05.04.20266",
      "05-04-2026", "05.04,2026", "0x.04.2026", "05.04.2026г", "2026-04-05", "20.26-04-05",
    ]
    try check((0..<90).map { ["day": "\"\(texts[$0 * 7 % texts.count])\""] })
  }

  @Test func `long texts, and texts of one length`() throws {
    let long = "2026-03-01T10:00:00." + String(repeating: "5", count: 60) + "Z"
    try check(
      [long, long, "2026-03-01T10:00:00Z", "2026-03-01T10:00:00z", "2026-03-01T10:00:00X", long]
        .map { ["at": #""\#($0)""#] })
  }

  @Test func `the same text in another zone is another time`() throws {
    let run = FeedRun(feed: try OwnFeed.read(Self.document))
    let zones = ["Europe/Berlin", "Asia/Tokyo", "Asia/Tokyo", "Europe/London", "Nowhere/Land"]
    let elements = zones.map { #"{"at":"2026-03-01T10:00:00","zone":"\#($0)","day":"2026-03-01"}"# }
    let list = #"{"seen":"2026-03-01T10:00:00Z","rows":[\#(elements.joined(separator: ","))]}"#
    let result = run(#"{"list":[\#(list),\#(list)]}"# + String(repeating: " ", count: 64))
    let ends = ["01:00", "09:00", "09:00", "00Z"].map { "2026-03-01T10:00:00+\($0),2026-03-01,," }
    let rows = (ends + ends).map { "2026-03-01T11:00:00+01:00," + $0 }
    #expect(result.rows == rows.map { $0.replacing("+00Z", with: "Z") })
    #expect(result.rejects.count == 2)
  }
}
