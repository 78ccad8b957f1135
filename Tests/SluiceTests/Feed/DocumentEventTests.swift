import Testing

@testable import Sluice

/// The wrong forms of an event's times and details, with their places.
@Suite struct DocumentEventTests {
  /// What is wrong with an event.
  private func fault(_ event: String, clock: String = "clock: Europe/London") -> String {
    OwnFeed.fault(
      """
      feed: a
      rows: d[]
      \(clock)
      columns: {t: t, d: {kind: day}, a: {kind: time}, i: {kind: instant}, n: {kind: integer}}
      key: [t]
      event: {summary: x, \(event)}
      """)
  }

  @Test(arguments: [
    ("start: {day: d}", ""), ("start: {day: d, time: a}", ""),
    ("start: {day: d, time: a}, end: {time: a}", ""), ("start: i, for: 2h, times: local", ""),
    ("repeat: {every: week, on: mo}", ""), ("repeat: {every: year, on: d}", ""),
    ("start: d, repeat: {every: month}", ""),
    ("start: {time: a}", #"6:28 missingKey("day", of: Optional("start"))"#),
    (
      "start: {day: i, time: a}",
      #"6:34 columnOfOtherKind("i", FieldKind.instant, key: "day", columns: ["d"])"#
    ),
    (
      "start: {day: d, at: a}",
      #"6:37 unknownKey("at", of: Optional("start"), allowed: ["day", "time", "zone", "gap", "overlap"])"#
    ),
    ("start: {day: d, gap: later}", #"6:42 keyWants("gap", other: "time")"#),
    (
      "start: {day: d, time: a, gap: maybe}",
      #"6:51 notAChoice("maybe", key: "gap", choices: ["reject", "later"])"#
    ),
    ("start: {day: d, time: a, zone: '+3'}", #"6:52 badValue("+3", key: "zone", .zone)"#),
    ("start: d, end: {time: a}", #"6:43 keyWants("end", other: "start: {time: …}")"#),
    (
      "start: {day: d, time: a}, end: i",
      #"6:52 wrongKind(key: Optional("end"), found: .text, wanted: [.mapping], keys: ["day", "time"])"#
    ),
    ("start: i, end: i, for: 2h", #"6:44 keyBeside("for", other: "end")"#),
    ("start: i, for: soon", #"6:36 badValue("soon", key: "for", .length)"#),
    (
      "start: i, for: {minutes: t}",
      #"6:46 columnOfOtherKind("t", FieldKind.text, key: "minutes", columns: ["n"])"#
    ),
    ("start: i, for: {minutes: n, hours: n}", #"6:49 keyBeside("hours", other: "minutes")"#),
    ("start: i, for: {}", #"6:36 missingKey("minutes", of: Optional("for"))"#),
    ("start: i, for: 2h, each: day", #"6:36 keyBeside("for", other: "each")"#),
    ("start: i, times: here", #"6:38 notAChoice("here", key: "times", choices: ["utc", "local"])"#),
    ("start: d, times: local", #"6:38 keyWants("times", other: "time")"#),
    ("repeat: {on: 1}", #"6:29 missingKey("every", of: Optional("repeat"))"#),
    (
      "repeat: {every: day}",
      #"6:37 notAChoice("day", key: "every", choices: ["week", "month", "year"])"#
    ),
    (
      "repeat: {every: week, interval: 0, on: mo, from: 2026-01-01}",
      #"6:53 badValue("0", key: "interval", .count(most: 99))"#
    ),
    ("repeat: {every: week, interval: 2, on: mo}", #"6:53 keyWants("interval", other: "from")"#),
    ("repeat: {every: month}", #"6:29 missingKey("on", of: Optional("repeat"))"#),
    (
      "repeat: {every: month, on: 32}",
      #"6:48 badValue("32", key: "on", .daysOf(Recurrence.Unit.month))"#
    ),
    (
      "repeat: {every: week, on: [mo, 8]}",
      #"6:52 badValue("8", key: "on", .daysOf(Recurrence.Unit.week))"#
    ),
    (
      "repeat: {every: month, on: when}",
      #"6:48 unknownColumn("when", key: "on", columns: ["t", "n"])"#
    ),
    (
      "repeat: {every: month, on: 1, until: 2026-02-30}",
      #"6:58 badValue("2026-02-30", key: "until", .day)"#
    ),
    (
      "repeat: {every: month, on: 1, from: t}",
      #"6:57 columnOfOtherKind("t", FieldKind.text, key: "from", columns: ["d"])"#
    ),
    (
      "repeat: {every: month, on: 1, except: [x]}",
      #"6:60 unknownColumn("x", key: "except", columns: ["t", "d"])"#
    ),
    ("repeat: {every: month, on: 1, as: T}", #"6:55 duplicateColumn("T")"#),
    (
      "start: i, repeat: {every: month}",
      #"6:28 columnOfOtherKind("i", FieldKind.instant, key: "start", columns: ["d"])"#
    ),
    (
      "start: {time: a}, end: {day: d, time: a}, repeat: {every: month, on: 1}",
      #"6:50 keyBeside("day", other: "repeat")"#
    ),
    (
      "start: d, status: {from: t, map: {x: DONE}}",
      #"6:58 notAChoice("DONE", key: "x", choices: ["CONFIRMED", "TENTATIVE", "CANCELLED"])"#
    ),
    ("start: d, status: {map: {}}", #"6:39 missingKey("from", of: Optional("status"))"#),
    ("start: d, geo: [n]", #"6:36 notTwoDegrees(1)"#),
    ("start: d, geo: {lat: n}", #"6:36 missingKey("lon", of: Optional("geo"))"#),
    (
      "start: d, geo: [n, t]",
      #"6:40 columnOfOtherKind("t", FieldKind.text, key: "geo", columns: ["n"])"#
    ),
    (
      "start: d, url: '{x}'",
      #"6:36 unknownColumn("x", key: "url", columns: ["t", "d", "a", "i", "n", "days"])"#
    ),
    (
      "start: d, categories: [a, '{x}']",
      #"6:47 unknownColumn("x", key: "categories", columns: ["t", "d", "a", "i", "n", "days"])"#
    ),
    ("start: i, each: day, url: x", #"6:47 keyBeside("url", other: "each")"#),
  ])
  func `the wrong forms of events have a place`(_ event: String, _ wanted: String) {
    let found = fault(event).replacing(" Kind.", with: " .").replacing("[Kind.", with: "[.")
      .replacing("Wanted.", with: ".")
    #expect(found == wanted)
  }

  @Test func `times of day need a clock, and local times a zone`() {
    let timed = "start: {day: d, time: a}"
    #expect(fault(timed, clock: "") == #"6:28 needsClock("start")"#)
    #expect(fault(timed, clock: "clock: '+03:00'") == "")
    #expect(fault("start: {day: d, time: a, zone: Asia/Tokyo}", clock: "") == "")
    let local = "start: i, times: local"
    #expect(fault(local, clock: "") == #"6:38 needsZone("times")"#)
    #expect(fault(local, clock: "clock: '+03:00'") == #"6:38 needsZone("times")"#)
    let repeated = "start: {time: a}, repeat: {every: month, on: 1}"
    #expect(fault(repeated, clock: "clock: '+03:00'") == #"6:28 needsZone("repeat")"#)
    #expect(fault("repeat: {every: month, on: 1}", clock: "") == "")
  }
}
