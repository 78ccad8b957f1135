import Sluice

/// Decides how the periods of one address have changed since the last run.
///
///     known:   1─5 June   10─14 July   1─5 August            (today: 20 June)
///     arrived:            11─15 July   1─5 August   9 Sept.
///              gone       moved        unchanged    new
///
/// A pure function of the known periods, the arrived periods, the day and the content's time.
struct Reconciler {
  /// The number of days for which a cancelled event is shown.
  private static let shownDays: Int32 = 30

  let today: Day
  /// When the content was changed, in seconds since 1970.
  let stamp: Int

  /// Appends the decisions to `decisions`. Periods without a decision stay as they are. New periods
  /// come last, in order of arrival.
  ///
  /// `known` and `arrived` are in the order of their days, each without duplicates. `absence` says
  /// what it means that a period is missing. Returns the number of events that would be cancelled
  /// or moved if the feed could be read completely.
  @discardableResult
  func decide(
    known: [KnownPeriod], arrived: [ArrivedPeriod], absence: Absence = .certain,
    into decisions: inout [Decision]
  ) -> Int {
    var waiting = 0
    var movable: [Int] = []
    var fresh: [Int] = []
    var (old, new) = (0, 0)
    while old < known.count || new < arrived.count {
      if old == known.count || new < arrived.count && arrived[new].days.isBefore(known[old].days) {
        fresh.append(new)
        new += 1
      } else if new == arrived.count || known[old].days.isBefore(arrived[new].days) {
        if stays(known[old], absence) {
          if known[old].days.last >= today { waiting += 1 }
        } else {
          judgeMissing(known[old], old, &movable, &decisions)
        }
        old += 1
      } else {
        if !judgeSame(known[old], old, arrived[new], new, &decisions) { fresh.append(new) }
        old += 1
        new += 1
      }
    }
    guard !movable.isEmpty || !fresh.isEmpty else { return waiting }
    for (old, new) in PeriodPairing.pairs(known, &movable, arrived, &fresh) {
      decisions.append(change(.moved, known[old], old, new))
    }
    for old in movable { decisions.append(change(.cancelled, known[old], old, nil)) }
    fresh.sort { arrived[$0].place < arrived[$1].place }
    for new in fresh {
      decisions.append(Decision(kind: .new, known: nil, arrived: new, sequence: 0, stamp: stamp))
    }
    return waiting
  }

  /// Whether an event whose days are not in the feed stays, because a rejected record may have
  /// them.
  private func stays(_ event: KnownPeriod, _ absence: Absence) -> Bool {
    guard event.cancelled == nil else { return false }
    switch absence {
    case .certain: return false
    case .atRejectedAddress: return true
    // A feed may have a record without an address for years. Its past events must not pile up.
    case .perhapsRejected: return today.number - event.days.last.number <= Self.shownDays
    }
  }

  /// Judges an event whose days are in the feed. Returns whether these days still belong to it.
  private func judgeSame(
    _ event: KnownPeriod, _ old: Int, _ period: ArrivedPeriod, _ new: Int,
    _ decisions: inout [Decision]
  ) -> Bool {
    if let day = event.cancelled {
      guard isShown(day) else {
        decisions.append(change(.gone, event, old, nil))
        return false
      }
      decisions.append(change(.restored, event, old, new))
    } else if event.digest != period.digest {
      decisions.append(change(.reworded, event, old, new))
    }
    return true
  }

  /// Judges an event whose days are not in the feed.
  private func judgeMissing(
    _ event: KnownPeriod, _ old: Int, _ movable: inout [Int], _ decisions: inout [Decision]
  ) {
    if let day = event.cancelled {
      if !isShown(day) { decisions.append(change(.gone, event, old, nil)) }
    } else if event.days.last >= today {
      movable.append(old)
    } else {
      decisions.append(change(.gone, event, old, nil))
    }
  }

  private func isShown(_ cancelled: Day) -> Bool {
    today.number - cancelled.number < Self.shownDays
  }

  private func change(_ kind: ChangeKind, _ event: KnownPeriod, _ old: Int, _ new: Int?)
    -> Decision
  {
    let isRevision = kind == .moved || kind == .cancelled || kind == .restored
    return Decision(
      kind: kind, known: old, arrived: new, sequence: event.sequence + (isRevision ? 1 : 0),
      stamp: max(stamp, event.stamp))
  }
}

/// What it means that a known period is not in the feed.
enum Absence {
  /// It has left the feed.
  case certain
  /// A record of this address was rejected and may have it. So it stays, and no period of the
  /// address counts as moved.
  case atRejectedAddress
  /// A record was rejected whose address cannot be read. It may be of any address. So the period
  /// stays until 30 days after its end, and nothing counts as moved.
  case perhapsRejected
}

/// An event of the ledger.
struct KnownPeriod {
  var days: Period
  var identity: EventIdentity
  var sequence = 0
  var stamp: Int
  /// The day of its cancellation, or nil while it is live.
  var cancelled: Day?
  var digest = 0
}

/// A period of the feed.
struct ArrivedPeriod {
  var days: Period
  /// Its position in the feed.
  var place: Int
  var digest = 0
}

/// One change of one address.
struct Decision: Equatable {
  var kind: ChangeKind
  /// Indexes of the known and of the arrived period.
  var known: Int?
  var arrived: Int?
  /// The event's revision afterwards.
  var sequence: Int
  var stamp: Int
}

/// Finds the new periods of an address that are old ones on other days.
private enum PeriodPairing {
  /// The largest number of pairs that are compared one by one.
  static let limit = 10_000

  private struct Pair {
    var distance: Int
    var old: Int
    var new: Int
  }

  /// Pairs the nearest first, and removes the paired ones from `movable` and `fresh`. These hold
  /// indexes of `known` and `arrived`, in the order of their days.
  ///
  /// Of pairs at the same distance, the event with the lower year and number comes first, then the
  /// earlier period. If there are more than ``limit`` pairs (100 old and 100 new periods at one
  /// address), both sides are paired in the order of their days instead, so that the time stays
  /// linear.
  static func pairs(
    _ known: [KnownPeriod], _ movable: inout [Int], _ arrived: [ArrivedPeriod],
    _ fresh: inout [Int]
  ) -> [(old: Int, new: Int)] {
    let count = min(movable.count, fresh.count)
    guard count > 0 else { return [] }
    let (product, overflow) = movable.count.multipliedReportingOverflow(by: fresh.count)
    if overflow || product > limit {
      let pairs = (0..<count).map { (movable[$0], fresh[$0]) }
      movable.removeFirst(count)
      fresh.removeFirst(count)
      return pairs
    }
    var candidates: [Pair] = []
    candidates.reserveCapacity(product)
    for old in movable {
      for new in fresh {
        candidates.append(
          Pair(distance: known[old].days.distance(to: arrived[new].days), old: old, new: new))
      }
    }
    candidates.sort { a, b in
      if a.distance != b.distance { return a.distance < b.distance }
      let (x, y) = (known[a.old].identity, known[b.old].identity)
      if x.year != y.year { return x.year < y.year }
      if x.number != y.number { return x.number < y.number }
      return a.new < b.new
    }
    var (usedOld, usedNew): (Set<Int>, Set<Int>) = ([], [])
    var pairs: [(old: Int, new: Int)] = []
    for pair in candidates where !usedOld.contains(pair.old) && !usedNew.contains(pair.new) {
      usedOld.insert(pair.old)
      usedNew.insert(pair.new)
      pairs.append((pair.old, pair.new))
      if pairs.count == count { break }
    }
    movable.removeAll { usedOld.contains($0) }
    fresh.removeAll { usedNew.contains($0) }
    return pairs
  }
}

extension Period {
  /// Orders an address's periods: by the first day, then by the last.
  func isBefore(_ other: Period) -> Bool {
    first != other.first ? first < other.first : last < other.last
  }

  /// The number of days between the first days plus the number between the last days.
  func distance(to other: Period) -> Int {
    abs(Int(first.number) - Int(other.first.number))
      + abs(Int(last.number) - Int(other.last.number))
  }
}
