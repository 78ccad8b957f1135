import Testing

@testable import Sluice
@testable import SluiceSync

/// The rules for one address.
///
/// Days are written as numbers from an arbitrary day on; today is day 100.
@Suite struct ReconcilerTests {
  /// What was known: `3-7` an event, `3-7x95` one that was cancelled on day 95. They get the
  /// numbers 1, 2, … in the order of the list, the sequence 5 and the stamp 1000.
  private func known(_ text: String) -> [KnownPeriod] {
    var number = 0
    return text.split(separator: " ").map { word in
      let parts = word.split(separator: "x")
      number += 1
      return KnownPeriod(
        days: days(parts[0]), identity: EventIdentity(year: 2020, number: number), sequence: 5,
        stamp: 1000, cancelled: parts.count > 1 ? Day(number: Int32(parts[1]) ?? 0) : nil)
    }.sorted { $0.days.isBefore($1.days) }
  }

  private func days(_ text: Substring) -> Period {
    let numbers = text.split(separator: "-").compactMap { Int32($0) }
    return Period(first: Day(number: numbers[0]), last: Day(number: numbers[1]))
  }

  private func text(_ days: Period) -> String { "\(days.first.number)-\(days.last.number)" }

  /// What is decided, a word a decision: `moved 3-7>4-8`.
  private func decide(_ old: String, _ new: String, stamp: Int = 2000) -> [String] {
    let known = known(old)
    var place = 0
    let arrived = new.split(separator: " ").map { word in
      place += 1
      return ArrivedPeriod(days: days(word), place: place)
    }.sorted { $0.days.isBefore($1.days) }
    var decisions: [Decision] = []
    Reconciler(today: Day(number: 100), stamp: stamp)
      .decide(known: known, arrived: arrived, into: &decisions)
    for decision in decisions {
      let isRevision = [.moved, .cancelled, .restored].contains(decision.kind)
      #expect(decision.sequence == (decision.kind == .new ? 0 : isRevision ? 6 : 5))
      #expect(decision.stamp == (decision.kind == .new ? stamp : max(stamp, 1000)))
    }
    return decisions.map { decision in
      let old = decision.known.map { text(known[$0].days) }
      let new = decision.arrived.map { text(arrived[$0].days) }
      return "\(decision.kind) \([old, new].compactMap { $0 }.joined(separator: ">"))"
    }
  }

  @Test(arguments: [
    ("", "", []),
    // The same days.
    ("110-114 80-84", "80-84 110-114", []),
    // New ones come in order of arrival.
    ("", "110-114 105-107 120-121", ["new 110-114", "new 105-107", "new 120-121"]),
    // Past ones that left are gone, others are cancelled. The last day decides, today included.
    ("80-99", "", ["gone 80-99"]),
    ("80-100", "", ["cancelled 80-100"]),
    ("110-114", "", ["cancelled 110-114"]),
    // Moved, also a little, also for years, also into the past.
    ("110-114", "111-114", ["moved 110-114>111-114"]),
    ("110-114", "2000-2004", ["moved 110-114>2000-2004"]),
    ("110-114", "1-2", ["moved 110-114>1-2"]),
    // Past ones do not move.
    ("80-99", "82-101", ["gone 80-99", "new 82-101"]),
    ("80-100", "82-102", ["moved 80-100>82-102"]),
    // The nearest pairs.
    ("110-114 120-124", "121-125 111-115", ["moved 110-114>111-115", "moved 120-124>121-125"]),
    ("110-114 120-124", "118-122", ["moved 120-124>118-122", "cancelled 110-114"]),
    ("110-114", "118-122 111-115", ["moved 110-114>111-115", "new 118-122"]),
    // Nearest first, not the least in all: 20 takes 21, so that 10 has to go far.
    ("110-110 120-120", "121-121 130-130", ["moved 120-120>121-121", "moved 110-110>130-130"]),
    ("110-110 120-120", "119-119 90-90", ["moved 120-120>119-119", "moved 110-110>90-90"]),
    // Both days count: 1 and 9 are farther than 4 and 4.
    ("110-120", "111-129 114-124", ["moved 110-120>114-124", "new 111-129"]),
    // Of equally near ones the older event, then the earlier period.
    ("110-110 120-120", "115-115", ["moved 110-110>115-115", "cancelled 120-120"]),
    ("120-120 110-110", "115-115", ["moved 120-120>115-115", "cancelled 110-110"]),
    ("115-115", "120-120 110-110", ["moved 115-115>110-110", "new 120-120"]),
    // What stays where it is takes no part.
    ("110-114 112-116", "112-116 113-117", ["moved 110-114>113-117"]),
    // Cancelled ones are shown for 30 days, come back only on the same days, and never move.
    ("110-114x90", "", []),
    ("110-114x100", "", []),
    ("110-114x71", "", []),
    ("110-114x70", "", ["gone 110-114"]),
    ("80-84x71", "", []),
    ("110-114x90", "110-114", ["restored 110-114>110-114"]),
    ("80-84x90", "80-84", ["restored 80-84>80-84"]),
    ("110-114x71", "110-114", ["restored 110-114>110-114"]),
    ("110-114x70", "110-114", ["gone 110-114", "new 110-114"]),
    ("110-114x90", "111-115", ["new 111-115"]),
    ("110-114x90 120-124", "110-114", ["restored 110-114>110-114", "cancelled 120-124"]),
    // The clock went backwards.
    ("110-114x120", "", []),
    // The end of time.
    ("2932896-2932896", "2932895-2932896", ["moved 2932896-2932896>2932895-2932896"]),
  ])
  func `rules`(_ old: String, _ new: String, _ expected: [String]) {
    #expect(decide(old, new) == expected)
  }

  @Test func `a stamp never goes back`() {
    #expect(decide("110-114", "111-115", stamp: 999) == ["moved 110-114>111-115"])
    #expect(decide("110-114", "", stamp: 1) == ["cancelled 110-114"])
    #expect(decide("110-114x90", "110-114", stamp: 1) == ["restored 110-114>110-114"])
    #expect(decide("", "110-114", stamp: 1) == ["new 110-114"])
  }

  @Test func `texts that are written otherwise are no revision`() {
    let event = KnownPeriod(
      days: Period(first: Day(number: 1), last: Day(number: 2)),
      identity: EventIdentity(year: 2020, number: 1), sequence: 3, stamp: 1000, digest: 7)
    let period = ArrivedPeriod(days: event.days, place: 1, digest: 8)
    var decisions: [Decision] = []
    Reconciler(today: Day(number: 100), stamp: 2000)
      .decide(known: [event], arrived: [period], into: &decisions)
    #expect(
      decisions == [Decision(kind: .reworded, known: 0, arrived: 0, sequence: 3, stamp: 2000)])
  }

  /// The events of an address, and the same a few days later with as many others.
  private func crowd(_ count: Int) -> (known: [KnownPeriod], arrived: [ArrivedPeriod]) {
    let known = (0..<count).map { index in
      KnownPeriod(
        days: Period(
          first: Day(number: 200 + 10 * Int32(index)), last: Day(number: 201 + 10 * Int32(index))),
        identity: EventIdentity(year: 2020, number: index + 1), stamp: 0)
    }
    let arrived = known.indices.map { index in
      var days = known[index].days
      days.first.number += 1
      return ArrivedPeriod(days: days, place: index + 1)
    }
    return (known, arrived)
  }

  @Test(arguments: [99, 100, 101, 1000, 100_000])
  func `many periods at one address are paired in linear time`(_ count: Int) {
    let (known, arrived) = crowd(count)
    var decisions: [Decision] = []
    Reconciler(today: Day(number: 100), stamp: 0)
      .decide(known: known, arrived: arrived, into: &decisions)
    #expect(decisions.count == count)
    #expect(decisions.allSatisfy { $0.kind == .moved && $0.known == $0.arrived })
    decisions = []
    Reconciler(today: Day(number: 100), stamp: 0)
      .decide(known: Array(known.dropLast()), arrived: arrived, into: &decisions)
    #expect(decisions.count { $0.kind == .moved } == count - 1)
    #expect(decisions.last?.kind == .new)
  }
}
