import Foundation
import Testing

@testable import Sluice
@testable import SluiceSync

@Suite struct PublishedCalendarTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(
    _ bytes: [UInt8], of feed: Feed = .hotWater
  ) throws -> (author: PublishedCalendar.Author, events: [PublishedEvent]) {
    try Data(bytes).write(to: URL(fileURLWithPath: scratch("o.ics")))
    var events: [PublishedEvent] = []
    let author = try PublishedCalendar.read(scratch("o.ics"), of: feed) { events.append($0) }
    return (author, events)
  }

  private static let start = "BEGIN:VCALENDAR\r\nPRODID:-//sluice//hot-water//RU\r\n"
  private static let lines = [
    "BEGIN:VEVENT", "UID:c848c36e7b2fe71a-2020-12@hot-water.sluice", "SEQUENCE:3",
    "LAST-MODIFIED:20200625T181310Z", "STATUS:CANCELLED", "DTSTART;VALUE=DATE:20200622",
    "DTEND;VALUE=DATE:20200706", "SUMMARY:a: b", "BEGIN:VALARM", "UID:1", "END:VALARM",
    "END:VEVENT",
  ]
  private static let event = PublishedEvent(
    address: 0xc848_c36e_7b2f_e71a, identity: EventIdentity(year: 2020, number: 12),
    days: Period(
      first: Day(year: 2020, month: 6, day: 22) ?? Day(number: 0),
      last: Day(year: 2020, month: 7, day: 5) ?? Day(number: 0)),
    sequence: 3, stamp: 1_593_108_790, isCancelled: true)

  private func text(_ lines: [String]) -> String {
    Self.start + lines.joined(separator: "\r\n") + "\r\nEND:VCALENDAR\r\n"
  }

  @Test func `an event is read as it stands, folded anywhere`() throws {
    let whole = text(Self.lines)
    let found = try read(Array(whole.utf8))
    #expect(found.author == .feed && found.events == [Self.event])
    #expect(Self.event.uid(of: .hotWater) == "c848c36e7b2fe71a-2020-12@hot-water.sluice")
    for place in Self.start.utf8.count..<whole.utf8.count {
      var bytes = Array(whole.utf8)
      // Not in the middle of a line's end.
      guard bytes[place] != UInt8(ascii: "\n") else { continue }
      bytes.insert(contentsOf: "\r\n ".utf8, at: place)
      // A blank after a line's end continues that line: what follows is another text.
      guard bytes[place - 1] != UInt8(ascii: "\n") else { continue }
      #expect(try read(bytes).events == [Self.event], "\(place)")
    }
    // Lines that end in LF alone.
    #expect(try read(Array(whole.replacing("\r\n", with: "\n").utf8)).events == [Self.event])
  }

  @Test func `values that no run writes are skipped`() throws {
    for (line, other) in [
      (1, "UID:c848c36e7b2fe71a-2020-12@waste.sluice"),
      (1, "UID:c848c36e7b2fe71a-2020@hot-water.sluice"),
      (1, "UID:c848c36e7b2fe71-2020-12@hot-water.sluice"), (1, "UID:@hot-water.sluice"),
      (1, "UID:C848C36E7B2FE71A-2020-12@hot-water.sluice"), (1, "X:y"),
      (1, "UID:c848c36e7b2fe71a-0-12@hot-water.sluice"), (1, "UID:"),
      (1, "UID:c848c36e7b2fe71a-2020-0@hot-water.sluice"),
      (1, "UID:c848c36e7b2fe71a-2020-99999999999999999999@hot-water.sluice"),
      (2, "SEQUENCE:-1"), (2, "SEQUENCE:4294967296"), (2, "SEQUENCE:"),
      (5, "DTSTART:20200622T100000Z"), (5, "DTSTART;VALUE=DATE:20200631"), (5, "X:y"),
      (6, "DTEND;VALUE=DATE:20200622"), (6, "DTEND;VALUE=DATE:20200101"),
    ] {
      var lines = Self.lines
      lines[line] = other
      let found = try read(Array(text(lines).utf8))
      #expect(found.author == .feed && found.events == [], "\(other)")
    }
  }

  @Test func `only a calendar of the feed counts as its own`() throws {
    #expect(try read([]).author == .nobody)
    #expect(try read(Array("\r\n".utf8)).author == .nobody)
    for text in [
      "x", "BEGIN:VCARD\r\n", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n",
      Self.start.replacing("hot-water", with: "hot"), "\r\n" + "x: y",
      "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "PRODID:-//sluice//hot-water//RU\r\n",
    ] {
      #expect(try read(Array(text.utf8)).author == .other, "\(text)")
    }
    #expect(try read(Array(Self.start.utf8)).author == .feed)
    let author = try PublishedCalendar.read(scratch("none.ics"), of: .hotWater) { _ in }
    #expect(author == .nobody)
  }

  @Test func `no change of the bytes traps, and none invents an event`() throws {
    var random = SystemRandomNumberGenerator()
    let whole = Array(text(Self.lines + Self.lines).utf8)
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      let events = try read(bytes).events
      #expect(events.count <= 2 && events.allSatisfy { $0.days.first <= $0.days.last })
    }
    // A line without an end takes no memory.
    let endless = Self.start + String(repeating: "x", count: 1 << 20)
    #expect(try read(Array(endless.utf8)).events == [])
    let deep = Self.start + String(repeating: "BEGIN:VEVENT\r\n", count: 10_000)
    #expect(
      try read(Array((deep + String(repeating: "END:VEVENT\n", count: 20_000)).utf8)).events == [])
  }
}
