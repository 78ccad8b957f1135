import Testing

@testable import Sluice

/// When the clocks of a zone are changed, and what its local times mean.
@Suite struct ZoneTests {
  /// Seconds since 1970 of a time in UTC, or on a clock.
  private func time(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { text in
      guard case .success(let written) = InstantParser.parse(UnsafeRawBufferPointer(text)) else {
        return .min
      }
      return written.local
    }
  }

  /// The zone of a rule, for all times.
  private func zone(_ rule: String) throws -> Zone {
    let rule = try #require(ZoneRule(Array(rule.utf8)))
    return Zone(first: rule.standard, changes: [], rule: rule)
  }

  @Test(arguments: [
    ("2026-03-29 00:59:59", 0), ("2026-03-29 01:00:00", 3600), ("2026-10-25 00:59:59", 3600),
    ("2026-10-25 01:00:00", 0), ("2037-12-31 12:00:00", 0), ("9998-07-01 12:00:00", 3600),
    ("0003-01-01 12:00:00", 0),
  ])
  func `a rule holds for all years`(_ instant: String, _ offset: Int) throws {
    #expect(try zone("GMT0BST,M3.5.0/1,M10.5.0").offset(at: time(instant)) == offset)
  }

  @Test(arguments: [
    // The forms of RFC 9636, section 3.3.1, and of POSIX.
    ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200), ("<-03>3", -10_800, -10_800),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 39_600, 37_800),
    ("EST5EDT,J60/2,J300/2", -18_000, -14_400), ("EST5EDT,59/2,299/2", -18_000, -14_400),
    // The other time all the year.
    ("XXX3EDT4,0/0,J365/23", -14_400, -14_400),
    // The standard time is the one of summer.
    ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600),
    // The change is on the day before.
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600),
  ])
  func `the forms of rules`(_ rule: String, _ january: Int, _ july: Int) throws {
    let zone = try zone(rule)
    #expect(zone.offset(at: time("2030-01-15 12:00")) == january)
    #expect(zone.offset(at: time("2030-07-15 12:00")) == july)
  }

  @Test(arguments: [
    "", "GMT", "G0", "GMT0BST,M3.5.0/1", "GMT0BST,M13.5.0,M10.5.0", "GMT0BST,M3.6.0,M10.5.0",
    "GMT0BST,M3.5.7,M10.5.0", "GMT0BST,J0,J5", "GMT0BST,J366,J5", "GMT0BST,366,5",
    "GMT168BST,M3.5.0,M10.5.0", "GMT0BST,M3.5.0,M10.5.0,", "<GMT0", "GMT0:60",
  ])
  func `what is no rule`(_ text: String) {
    #expect(ZoneRule(Array(text.utf8)) == nil)
  }

  @Test func `a local time is once, never or twice`() throws {
    let london = try zone("GMT0BST,M3.5.0/1,M10.5.0")
    #expect(london.reading(of: time("2026-03-29 00:59:59")) == .once(0))
    #expect(london.reading(of: time("2026-03-29 01:00:00")) == .never(before: 0, after: 3600))
    #expect(london.reading(of: time("2026-03-29 01:59:59")) == .never(before: 0, after: 3600))
    #expect(london.reading(of: time("2026-03-29 02:00:00")) == .once(3600))
    #expect(london.reading(of: time("2026-10-25 00:59:59")) == .once(3600))
    #expect(london.reading(of: time("2026-10-25 01:00:00")) == .twice(earlier: 3600, later: 0))
    #expect(london.reading(of: time("2026-10-25 01:59:59")) == .twice(earlier: 3600, later: 0))
    #expect(london.reading(of: time("2026-10-25 02:00:00")) == .once(0))
  }

  @Test func `a day that a zone leaves out is never`() {
    // Samoa went over the line of dates after 29 December 2011.
    let samoa = Zone(
      first: -36_000,
      changes: [Zone.Change(instant: time("2011-12-30 10:00"), offset: 50_400)], rule: nil)
    #expect(samoa.reading(of: time("2011-12-30 12:00")) == .never(before: -36_000, after: 50_400))
    #expect(samoa.reading(of: time("2011-12-29 23:59:59")) == .once(-36_000))
    #expect(samoa.reading(of: time("2011-12-31 00:00")) == .once(50_400))
  }

  @Test func `any time has a day`() throws {
    for zone in [Zone.utc, Zone(offset: 50_400), try zone("GMT0BST,M3.5.0/1,M10.5.0")] {
      #expect(zone.day(at: .min) < zone.day(at: 0) && zone.day(at: 0) < zone.day(at: .max))
    }
  }

  @Test func `what a zone's name may be`() {
    for name in ["UTC", "Europe/London", "Etc/GMT+3", "America/Argentina/Buenos_Aires", "EST5EDT"] {
      #expect(ZoneFile.isName(name))
    }
    for name in [
      "", ".", "..", "../etc/passwd", "/etc/localtime", "Europe/", "Europe//London",
      "Европа/Лондон",
      "a b", "a\0", String(repeating: "a", count: 65),
    ] {
      #expect(!ZoneFile.isName(name))
      #expect(throws: ZoneFile.Fault.badName) { try ZoneFile.zone(named: name) }
    }
  }

  @Test func `the system's files are read, and what is cut or changed is no zone or another`()
    throws
  {
    let path = "/usr/share/zoneinfo/Europe/London"
    let bytes = try #require(readAll(path))
    let london = try #require(Zone(tzif: bytes))
    #expect(london == (try ZoneFile.zone(named: "Europe/London")))
    // British standard time, all the year.
    #expect(london.offset(at: time("1970-01-01 00:00")) == 3600)
    #expect(london.offset(at: time("1972-01-01 00:00")) == 0)
    for end in bytes.indices { #expect(Zone(tzif: Array(bytes[..<end])) == nil) }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      var changed = bytes
      changed[Int.random(in: changed.indices, using: &generator)] = .random(
        in: 0...255, using: &generator)
      // It does not trap, whatever it reads.
      _ = Zone(tzif: changed)?.reading(of: time("2026-03-29 01:00:00"))
    }
  }

  private func readAll(_ path: String) -> [UInt8]? {
    let box = ByteKeeper.Box()
    var keeper = ByteKeeper(box)
    guard (try? DescriptorSource(file: path).run(into: &keeper, counters: Counters())) != nil else {
      return nil
    }
    return box.bytes
  }
}
