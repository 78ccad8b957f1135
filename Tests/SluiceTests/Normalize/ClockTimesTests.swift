import Testing

@testable import Sluice

/// Instants one after the other on a clock: what is kept of the last one changes nothing.
@Suite struct ClockTimesTests {
  /// A time near others of its day, near changes of clocks and at the ends of what there is, in any
  /// form.
  private func text(_ generator: inout SeededGenerator) -> String {
    let days = [
      "2026-03-28", "2026-03-29", "2026-03-30", "2026-06-01", "2026-10-24", "2026-10-25",
      "2026-11-01",
      "1972-01-06", "1972-01-07", "1971-12-31", "0001-01-01", "9999-12-31", "2026-02-29",
      "2026-00-10",
    ]
    let hours = Int.random(in: 0...25, using: &generator)
    let minutes = Int.random(in: 0...61, using: &generator)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = [
      "", ":00", ":59", ":60", ":07", ":7", ":07.5", ":07,25", ":07.", ":07.123456789012345678",
    ]
    let offsets = [
      "", "", "", "", "Z", "z", "+03:00", "-12:30", "+0300", "+24:00", "+03", " ", "x",
    ]
    return generator.pick(days) + generator.pick(["T", "T", " ", "t", "x"]) + two(hours) + ":"
      + two(minutes) + generator.pick(seconds) + generator.pick(offsets)
  }

  @Test(arguments: [
    "UTC", "Europe/London", "America/St_Johns", "Africa/Monrovia", "Pacific/Apia",
    "Australia/Lord_Howe",
    "-12:30",
  ])
  func `texts one after the other are read like each of them alone`(clock: String) throws {
    let feed = try OwnFeed.read(
      """
      feed: own
      clock: \"\(clock)\"
      rows: "[]"
      columns: {t: {kind: instant}}
      """)
    let zone = try #require(Zones(of: feed).clock)
    var generator = SeededGenerator(seed: UInt64(clock.utf8.count))
    let texts = (0..<4000).map { _ in text(&generator) }
    let json =
      "[" + texts.map { #"{"t":"\#($0)"}"# }.joined(separator: ",") + "]"
      + String(repeating: " ", count: 64)
    let all = FeedRun(feed: feed)(json)
    var alone: [String] = []
    for text in texts {
      var held = ByteBuffer(capacity: 64)
      var buffer = ByteBuffer(capacity: 64)
      // White space around a text does not count.
      held.append(string: text.hasSuffix(" ") ? String(text.dropLast()) : text)
      var reader = ClockReader(zone, feed.clockChanges)
      if case .success = reader.read(held.contents, into: &buffer) {
        alone.append(#"{"t":"\#(String(decoding: buffer.contents, as: UTF8.self))"}"#)
      }
    }
    let rows = String(decoding: all.ndjson, as: UTF8.self).split(separator: "\n").map(String.init)
    let isSame = rows == alone
    #expect(isSame)
    #expect(alone.count > 500)
    #expect(all.rejects.count == texts.count - alone.count)
  }

  /// What a text becomes that is read by itself: an instant with its own offset, the day of an
  /// instant on a clock, a time of day.
  private enum Alone: String {
    case asWritten = "kind: instant"
    case dayOfInstant = "kind: day, read: instant"
    case time = "kind: time"

    func callAsFunction(_ text: UnsafeRawBufferPointer, _ reader: inout ClockReader) -> String? {
      var buffer = ByteBuffer(capacity: 64)
      switch self {
      case .asWritten:
        guard case .success = InstantParser.parse(text, into: &buffer) else { return nil }
      case .dayOfInstant:
        guard let written = try? InstantParser.parse(text).get() else { return nil }
        guard let offset = written.offset else { return "\(written.day)" }
        return reader.day(at: written.local - offset).map { "\($0)" }
      case .time:
        guard let time = TimeOfDay.parse(text) else { return nil }
        TimeOfDay.append(time, to: &buffer)
      }
      return String(decoding: buffer.contents, as: UTF8.self)
    }
  }

  @Test(arguments: ["kind: instant", "kind: day, read: instant", "kind: time"])
  func `other texts one after the other are read like each of them alone`(column: String) throws {
    let alone = try #require(Alone(rawValue: column))
    let clock = alone == .asWritten ? "" : "clock: Europe/London"
    let feed = try OwnFeed.read(
      """
      feed: own
      \(clock)
      rows: "[]"
      columns: {t: {\(column)}}
      """)
    var reader = ClockReader(try Zones(of: feed).clock ?? .utc, feed.clockChanges)
    var generator = SeededGenerator(seed: 23)
    let texts = (0..<4000).map { _ in
      let text = text(&generator)
      return alone == .time ? String(text.dropFirst(11)) : text
    }
    let json = "[" + texts.map { #"{"t":"\#($0)"}"# }.joined(separator: ",") + "]"
    let all = FeedRun(feed: feed)(json + String(repeating: " ", count: 64))
    let expected = texts.compactMap { text in
      var held = ByteBuffer(capacity: 64)
      held.append(string: text.hasSuffix(" ") ? String(text.dropLast()) : text)
      return alone(held.contents, &reader)
    }
    let isSame = all.rows == expected
    #expect(isSame)
    #expect(expected.count > 400)
    #expect(all.rejects.count == texts.count - expected.count)
  }

  /// The bytes of a row grow while its instants are read, and may move.
  @Test(arguments: ["12:00:00.123456Z", "12:00:00.5+01:00", "12:00", "12:00:07", "12:00:00Z"])
  func `beside a text of any length an instant is the same`(time: String) throws {
    let feed = try OwnFeed.read(
      """
      feed: own
      clock: Europe/Berlin
      rows: "[]"
      columns: {t: {kind: instant}, n: n, u: {kind: instant}}
      """)
    let alone = FeedRun(feed: feed)(#"[{"t":"2026-06-01T\#(time)"}]"#).rows[0]
    let instant = alone.prefix { $0 != "," }
    for count in Array(stride(from: 880, to: 1100, by: 3)) + [4_000, 70_000, 400_000] {
      let long = String(repeating: "x", count: count)
      let row = #"{"t":"2026-06-01T\#(time)","n":"\#(long)","u":"2026-06-01T\#(time)"}"#
      let isSame =
        FeedRun(feed: feed)("[\(row),\(row)]").rows
        == Array(
          repeating: "\(instant),\(long),\(instant)", count: 2)
      #expect(isSame, "\(count)")
    }
  }
}
