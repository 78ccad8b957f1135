import Foundation
import Testing

@testable import Sluice

/// Several threads read ahead, and nobody can tell from what comes out.
@Suite struct InputLanesTests {
  /// What a run leaves behind.
  private struct Result: Equatable {
    var files: [String: [UInt8]] = [:]
    var error: PipelineError?
    var inputs: [Statistics.Input] = []
    var counts: [Int] = []
  }

  /// Houses of many streets, some of them twice. Some of the days are wrong.
  private static func night(_ number: Int, _ records: Int) -> Input {
    var generator = SeededGenerator(seed: UInt64(number + 1))
    let records = (0..<records).map { record in
      if record % 97 == 13 { return house("Садовая", "\(record)", period: "31.6.2020") }
      let day = Int.random(in: 1...27, using: &generator)
      return house(
        "Улица \(Int.random(in: 0..<90, using: &generator))", "\(record % 40)",
        period: "\(day).7.2020, \(day).8.2020-\(day + 1).8.2020")
    }
    return .bytes(Array("[\(records.joined(separator: ","))]".utf8))
  }

  private static let nights = [40, 0, 3000, 1, 700, 6_000, 2, 90].enumerated().map {
    night($0.offset, $0.element)
  }

  private func run(
    _ inputs: [Input], threads: Int, as feed: Feed = .hotWater,
    files: [String] = ["a.csv", "a.ndjson"], rejects: Bool = true,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> Result {
    let folder = try ScratchFolder()
    var conversion = Conversion(of: inputs[0], as: feed)
    conversion.moreInputs = Array(inputs.dropFirst())
    conversion.threads = threads
    conversion.rejectLimit = .unlimited
    conversion.stamp = 1_600_000_000
    conversion.statistics = .file(folder("stats"))
    if rejects { conversion.rejects = .file(folder("rejects")) }
    for name in files {
      let format = name.split(separator: ".").last.flatMap { OutputFormat(rawValue: "\($0)") }
      conversion.outputs.append(.init(.file(folder(name)), format ?? .csv))
    }
    change(&conversion)
    var result = Result()
    do throws(PipelineError) {
      let statistics = try conversion.run()
      result.inputs = statistics.inputs
      result.counts = [
        statistics.read, statistics.kept, statistics.filtered, statistics.skipped,
        statistics.rejected, statistics.sameNumber, statistics.rows, statistics.events,
        statistics.modified ?? 0,
      ]
    } catch {
      result.error = error
    }
    for name in folder.names where name != "stats" {
      result.files[name] = try? Array(Data(contentsOf: URL(filePath: folder(name))))
    }
    result.files["stats"] = Array(
      (folder.text("stats") ?? "")
        .replacing(/"seconds":[0-9.e-]+/, with: "").replacing(folder.path, with: "").utf8)
    return result
  }

  /// Checks that a run with several threads leaves behind what one thread does, and returns that.
  private func same(
    _ inputs: [Input], as feed: Feed = .hotWater, files: [String] = ["a.csv", "a.ndjson"],
    rejects: Bool = true, _ change: (inout Conversion) -> Void = { _ in },
    at place: SourceLocation = #_sourceLocation
  ) throws -> Result {
    let one = try run(inputs, threads: 1, as: feed, files: files, rejects: rejects, change)
    for threads in [2, 3, 50] {
      let several = try run(
        inputs, threads: threads, as: feed, files: files, rejects: rejects, change)
      #expect(several == one, "\(threads) threads", sourceLocation: place)
    }
    return one
  }

  @Test func `rows, rejected records and counts are those of one thread`() throws {
    let one = try same(Self.nights)
    #expect(one.error == nil)
    #expect(one.inputs.map(\.read) == [40, 0, 3000, 1, 700, 6_000, 2, 90])
    #expect(one.files.count == 4)
    #expect(one.counts[4] > 100)
  }

  @Test(arguments: ["a.ics", "a.sqlite", "a.xlsx", "{locality}.csv", "a.tsv"])
  func `every output is that of one thread`(name: String) throws {
    let one = try same(Array(Self.nights.prefix(5)), files: [name], rejects: false)
    #expect(one.error == nil && one.counts[6] > 3000)
    #expect(one.files.count == 2 && one.files.values.allSatisfy { !$0.isEmpty })
  }

  @Test func `rows are chosen and sorted alike`() throws {
    let one = try same(Self.nights) { conversion in
      conversion.conditions = [Condition(column: "street", value: "Улица 7")]
      conversion.from = Day(year: 2020, month: 8, day: 3)
      conversion.sort = [SortOrder("house", isDescending: true)]
      conversion.outputs[0].own.from = Day(year: 2020, month: 8, day: 9)
    }
    #expect(one.error == nil && one.counts[6] > 20)
  }

  @Test func `a calendar that leaves out the event of a second address counts it`() throws {
    let inputs = [list(forestHouse(), house()), list(house(), forgedHouse()), list(forgedHouse())]
      .map { Input.bytes(Array($0.utf8)) }
    let one = try same(inputs, files: ["a.ics"], rejects: false)
    #expect(one.counts[5] == 2)
    #expect(try same(inputs, files: ["a.ics"]).counts[5] == 2)
    // As many in a row as come in a series.
    let records = [[forestHouse()], Array(repeating: forgedHouse(), count: 99), [forestHouse()]]
    let many = Input.bytes(Array("[\(records.joined().joined(separator: ","))]".utf8))
    #expect(try same([many, many], files: ["a.ics"], rejects: false).counts[5] == 198)
  }

  @Test(arguments: [0, 3, 7])
  func `a broken input is the same error, and is left out alike`(place: Int) throws {
    guard case .bytes(let bytes) = Self.nights[5] else { return }
    var inputs = Self.nights
    inputs.insert(.bytes(Array(bytes.dropLast(1000))), at: place)
    let stopped = try same(inputs)
    #expect(stopped.error?.stage == .json && stopped.error?.offset == bytes.count - 1000)
    let skipped = try same(inputs) { $0.skipsBrokenInputs = true }
    #expect(skipped.error == nil)
    #expect(skipped.inputs.indices.filter { skipped.inputs[$0].error != nil } == [place])
    #expect(skipped.files["a.csv"] == (try run(Self.nights, threads: 1)).files["a.csv"])
  }

  @Test func `an input with too many rejected records is the same error`() throws {
    let one = try same(Self.nights) { $0.rejectLimit = .count(10) }
    #expect(one.error?.fault != nil && one.error?.input != nil)
  }

  @Test func `an output that cannot be written ends all threads`() throws {
    for threads in [1, 2, 6] {
      var conversion = Conversion(of: Self.nights[5], as: .hotWater)
      conversion.moreInputs = Array(repeating: Self.nights[5], count: 6)
      conversion.rejectLimit = .unlimited
      conversion.threads = threads
      conversion.outputs = [.init(.file("/dev/full"), .csv)]
      let error = #expect(throws: PipelineError.self) { _ = try conversion.run() }
      #expect(error?.stage == .sink)
    }
  }

  @Test func `tables and shares of each input are those of one thread`() throws {
    let feed = try OwnFeed.read(
      """
      sluice: 2
      feed: shops
      tables:
        shops:
          rows: shops[]
          columns:
            name: name
            amount: {kind: decimal}
            share: {kind: share, of: amount}
        goods:
          rows: shops[].goods[]
          columns: {shop: shops.name, good: good}
      """)
    let inputs = (1...9).map { number in
      let shops = (0..<number * 50).map { shop in
        let goods = (0..<shop % 4).map { #"{"good":"\#($0)"}"# }.joined(separator: ",")
        return #"{"name":"\#(number).\#(shop)","amount":\#(shop + 1),"goods":[\#(goods)]}"#
      }
      return Input.bytes(Array(#"{"shops":[\#(shops.joined(separator: ","))]}"#.utf8))
    }
    let one = try same(inputs, as: feed, files: ["{table}.csv"], rejects: false)
    #expect(one.error == nil && one.inputs.count == 9, "\(String(describing: one.error))")
    #expect(one.files.keys.sorted() == ["goods.csv", "shops.csv", "stats"])
  }

  @Test func `texts larger than all that waits come through`() throws {
    let feed = try OwnFeed.read(OwnFeed.document("name: name, text: text"))
    let inputs = (1...6).map { number in
      let rows = (0..<3).map { row in
        #"{"name":"\#(row)","text":"\#(String(repeating: "\(number)", count: number << 18))"}"#
      }
      return Input.bytes(Array(#"{"d":[\#(rows.joined(separator: ","))]}"#.utf8))
    }
    #expect(try same(inputs, as: feed, rejects: false).error == nil)
    // A thread may wait for its large rows when their output fails.
    for threads in [1, 2, 6] {
      let full = try run(inputs, threads: threads, as: feed, files: ["/dev/full"], rejects: false) {
        $0.outputs = [.init(.file("/dev/full"), .csv)]
      }
      #expect(full.error?.stage == .sink)
    }
  }

  @Test func `a cancelled run ends, whatever its threads read`() throws {
    for threads in [2, 6] {
      var conversion = Conversion(of: Self.nights[5], as: .hotWater)
      conversion.moreInputs = Array(repeating: Self.nights[5], count: 30)
      conversion.rejectLimit = .unlimited
      conversion.threads = threads
      let cancellation = Cancellation()
      conversion.cancellation = cancellation
      conversion.progress = { if $0.records > 0 { cancellation.cancel() } }
      let error = #expect(throws: PipelineError.self) { _ = try conversion.run() }
      #expect(error?.class == .cancelled)
    }
  }

  @Test func `progress tells what was handed on, and never goes back`() throws {
    final class Seen: @unchecked Sendable { var all: [Sluice.Progress] = [] }
    let seen = Seen()
    var conversion = Conversion(of: Self.nights[0], as: .hotWater)
    conversion.moreInputs = Array(Self.nights.dropFirst())
    conversion.rejectLimit = .unlimited
    conversion.threads = 3
    conversion.progress = { seen.all.append($0) }
    _ = try conversion.run()
    #expect(seen.all.map(\.records) == seen.all.map(\.records).sorted())
    #expect(seen.all.last?.records == 9_833)
    #expect(seen.all.last?.bytesRead == seen.all.map(\.bytesRead).max())
  }
}

/// A row survives being packed.
@Suite struct PackedRowTests {
  @Test func `all that a record has is read again`() {
    var record = Record(columns: 3)
    record.bytes.append(string: "Садовая" + String(repeating: "x", count: 70))
    record.setText(0, from: 0)
    record.setText(2, from: 14)
    record.setDays(Day(number: -3), Day(number: 18_000))
    (record.keyNumber, record.keyCheck, record.isEvent) = (.max, 77, false)
    record.events = [
      EventDays(first: Day(number: 1), last: Day(number: 2), hasDays: true, isEvent: true),
      EventDays(),
    ]
    var buffer = ByteBuffer(capacity: 8)
    buffer.append(string: "abc")
    PackedRow.append(record, to: &buffer)
    let end = buffer.count
    PackedRow.append(record, texts: false, to: &buffer)
    var packed = PackedRow()
    #expect(packed.read(buffer.contents, at: 3) == end)
    let texts = (0..<3).map { String(decoding: packed.record.text($0), as: UTF8.self) }
    #expect(
      texts == [
        "Садовая" + String(repeating: "x", count: 70), "", String(repeating: "x", count: 70),
      ])
    #expect(packed.record.firstDay.number == -3 && packed.record.lastDay.number == 18_000)
    #expect(packed.record.hasDays && !packed.record.isEvent)
    #expect(packed.record.keyNumber == .max && packed.record.keyCheck == 77)
    #expect(packed.record.events.map(\.isEvent) == [true, false])
    #expect(packed.record.events[0].last.number == 2 && packed.record.events[0].hasDays)
    #expect(packed.read(buffer.contents, at: end) == buffer.count)
    #expect(packed.record.texts.count == 0)
  }
}
