import Sluice

/// The ledger's rules over nights that are read one after the other. It lives in memory.
///
///     begin(day) ◀─ the rows of a night ─ take     end() ─▶ what has changed
///     begin(day) ◀─ the rows of the next ─ take    end() ─▶ what has changed, versions that ended
///     …                                         finish() ─▶ versions that stand
///
/// ``Reconciler`` decides, as it does for a ledger on the disk. Here each event also has its
/// versions: a new one begins whenever it moves, is restored or gets other texts.
///
/// Memory grows with the events of a night, with the cancelled ones of 30 days, and with the
/// addresses. A version is handed on as soon as it has ended.
final class NightLedger {
  /// Called with each version that has ended, and at the end with those that stand.
  typealias Receiver = (borrowing EventVersion) throws(PipelineError) -> Void

  let columns: LedgerColumns
  /// Called with each change of a night, in the order of the addresses' first rows.
  var noteChange: ((EventChange) -> Void)?
  /// Whether rows that a selection leaves out count as gone from the feed.
  var isSelective = false

  private var indexes: [UInt64: Int] = [:]
  private var addresses: [Address] = []
  /// The night, counted from 1, and its day.
  private var night = 0
  private(set) var day = Day(number: 0)
  /// The number of rows of this night.
  private var rows = 0
  /// The last day of all periods of this night.
  private(set) var lastDay: Day?
  /// The addresses with a rejected record in this night.
  private var refused: Set<UInt64> = []
  private var hasUnknownAddresses = false
  /// The rows left out because their address has the number of another one.
  private(set) var sameNumber = 0
  private let receive: Receiver

  /// Throws ``DatabaseFault/noEvents(feed:)`` if the feed has no events that a ledger keeps.
  init(_ feed: Feed, receive: @escaping Receiver = { _ in }) throws(DatabaseFault) {
    columns = try LedgerColumns(feed)
    self.receive = receive
  }

  /// Begins a night. Its day is that before which a period is past, unless ``end(today:)`` has
  /// another.
  func begin(_ day: Day) {
    night += 1
    self.day = day
    rows = 0
    lastDay = nil
    refused.removeAll(keepingCapacity: true)
    hasUnknownAddresses = false
  }

  /// Takes a row of the night.
  func take(_ record: borrowing Record, _ fate: RowFate) {
    switch fate {
    case .rejected(nil): hasUnknownAddresses = true
    case .rejected(let key?): refused.insert(key)
    case .leftOut where isSelective: break
    case .wanted, .leftOut:
      if record.hasDays, record.isEvent { take(record) }
    }
  }

  private func take(_ record: borrowing Record) {
    let index = self.index(of: record.keyNumber)
    guard claims(index, record.keyCheck) else {
      sameNumber += 1
      return
    }
    rows += 1
    lastDay = max(lastDay ?? record.lastDay, record.lastDay)
    let days = Period(first: record.firstDay, last: record.lastDay)
    // Of rows with the same days the first one counts.
    if addresses[index].arrivals.contains(where: { $0.period.days == days }) { return }
    let digest = columns.digest(record)
    for place in addresses[index].events.indices
    where addresses[index].events[place].period.days == days {
      if addresses[index].events[place].seen == night { return }
      guard addresses[index].events[place].period.cancelled == nil,
        addresses[index].events[place].period.digest == digest
      else { break }
      addresses[index].events[place].seen = night
      return
    }
    addresses[index].arrivals.append(
      Arrival(
        period: ArrivedPeriod(days: days, place: rows, digest: digest),
        texts: StoredTexts(record, columns.texts)))
  }

  /// The index of an address, which is made if it is new.
  private func index(of key: UInt64) -> Int {
    if let index = indexes[key] { return index }
    indexes[key] = addresses.count
    addresses.append(Address(key: key))
    return addresses.count - 1
  }

  /// Whether a number belongs to the address with this check. A check of 0 was not computed.
  private func claims(_ index: Int, _ check: UInt64) -> Bool {
    guard check != 0, addresses[index].check != check else { return true }
    guard addresses[index].check == 0 else { return false }
    addresses[index].check = check
    return true
  }

  /// Ends the night: compares it with the events known so far. Returns the numbers of changes.
  @discardableResult
  func end(today: Day? = nil) throws(PipelineError) -> LedgerChanges {
    var counts = LedgerChanges()
    let reconciler = Reconciler(today: today ?? day, stamp: 0)
    for index in addresses.indices {
      if mark(index) { try settle(index, reconciler, &counts) }
      if addresses[index].events.isEmpty { addresses[index].check = 0 }
    }
    return counts
  }

  /// Hands on the versions that stand, in the order of their addresses' first rows.
  func finish() throws(PipelineError) {
    for index in addresses.indices {
      for event in addresses[index].events { try receive(event.version) }
    }
    addresses = []
    indexes = [:]
  }

  /// Notes which events the night has. Returns whether there is anything to decide.
  private func mark(_ index: Int) -> Bool {
    var isOpen = !addresses[index].arrivals.isEmpty
    for place in addresses[index].events.indices {
      if addresses[index].events[place].seen == night {
        addresses[index].events[place].version.lastSeen = day
        addresses[index].events[place].version.nights += 1
      } else {
        isOpen = true
      }
    }
    return isOpen
  }

  /// Decides on one address, and applies the decisions.
  private func settle(
    _ index: Int, _ reconciler: Reconciler, _ counts: inout LedgerChanges
  ) throws(PipelineError) {
    let arrivals = addresses[index].arrivals
    addresses[index].arrivals = []
    let events = addresses[index].events
    /// The periods of the night, each with the index of its arrival; nil for events that it has as
    /// they were.
    var night = arrivals.indices.map { (arrivals[$0].period, Optional($0)) }
    for event in events where event.seen == self.night {
      night.append(
        (ArrivedPeriod(days: event.period.days, place: 0, digest: event.period.digest), nil))
    }
    night.sort { $0.0.days.isBefore($1.0.days) }
    let absence: Absence =
      refused.contains(addresses[index].key)
      ? .atRejectedAddress : hasUnknownAddresses ? .perhapsRejected : .certain
    var decisions: [Decision] = []
    counts.waiting += reconciler.decide(
      known: events.map(\.period), arrived: night.map(\.0), absence: absence, into: &decisions)
    var after = events
    for decision in decisions {
      counts.count(decision.kind)
      let arrival = decision.arrived.flatMap { night[$0].1 }.map { arrivals[$0] }
      if let place = decision.known {
        try apply(decision, arrival, to: &after[place], today: reconciler.today)
      } else if let arrival {
        after.append(first(arrival, at: index))
      }
    }
    after.removeAll(where: \.isGone)
    after.sort { $0.period.days.isBefore($1.period.days) }
    addresses[index].events = after
  }

  /// Makes the first version of a new event.
  private func first(_ arrival: Arrival, at index: Int) -> Event {
    let year = arrival.period.days.first.parts.year
    let version = EventVersion(
      key: addresses[index].key,
      identity: EventIdentity(year: year, number: addresses[index].nextNumber(of: year)),
      days: arrival.period.days, texts: arrival.texts, place: arrival.period.place, seen: day)
    noteChange?(EventChange(kind: .new, old: nil, new: version))
    return Event(
      period: KnownPeriod(
        days: arrival.period.days, identity: version.identity, stamp: 0,
        digest: arrival.period.digest),
      version: version, seen: night)
  }

  /// Changes an event as it was decided.
  private func apply(
    _ decision: Decision, _ arrival: Arrival?, to event: inout Event, today: Day
  ) throws(PipelineError) {
    let old = event.version
    event.period.sequence = decision.sequence
    switch decision.kind {
    case .new: break
    case .gone:
      if event.period.cancelled == nil { event.version.end(.gone, on: day) }
      try receive(event.version)
      event.isGone = true
    case .cancelled:
      event.period.cancelled = today
      event.version.end(.cancelled, on: day)
      noteChange?(EventChange(kind: .cancelled, old: old, new: nil))
    case .moved, .restored, .reworded:
      guard let arrival else { break }
      if decision.kind == .restored {
        event.version.restoredOn = day
      } else {
        event.version.end(decision.kind, on: day)
      }
      try receive(event.version)
      event.version = EventVersion(after: old, arrival.period, arrival.texts, seen: day)
      event.version.kind = decision.kind
      if decision.kind == .moved { event.version.oldDays = old.days }
      event.period.days = arrival.period.days
      event.period.digest = arrival.period.digest
      event.period.cancelled = nil
      event.seen = night
      noteChange?(EventChange(kind: decision.kind, old: old, new: event.version))
    }
  }
}

extension NightLedger {
  /// An address with its events, in the order of their days, and what has come in this night.
  private struct Address {
    let key: UInt64
    /// What tells it from other addresses with the same number; 0 while it has no event.
    var check: UInt64 = 0
    var events: [Event] = []
    var arrivals: [Arrival] = []
    /// The next numbers of its events, by year. They are few.
    private var numbers: [(year: Int, next: Int)] = []

    init(key: UInt64) { self.key = key }

    /// Returns the next number of a year.
    mutating func nextNumber(of year: Int) -> Int {
      if let index = numbers.firstIndex(where: { $0.year == year }) {
        numbers[index].next += 1
        return numbers[index].next - 1
      }
      numbers.append((year, 2))
      return 1
    }
  }

  private struct Event {
    var period: KnownPeriod
    var version: EventVersion
    /// The last night that has it.
    var seen: Int
    var isGone = false
  }

  /// A period of a night that is not as it was.
  private struct Arrival {
    let period: ArrivedPeriod
    let texts: StoredTexts
  }
}

/// An event for as long as its days and its texts stay the same.
struct EventVersion {
  /// The number of its address.
  let key: UInt64
  let identity: EventIdentity
  /// Counted from 1.
  var number = 1
  /// Why it began: `new`, `moved`, `restored` or `reworded`.
  var kind = ChangeKind.new
  let days: Period
  /// The days before, if it began with a move.
  var oldDays: Period?
  let texts: StoredTexts
  /// Its place among the rows of the night in which it began.
  let place: Int
  /// The first and the last night that had it, and how many had it.
  let firstSeen: Day
  var lastSeen: Day
  var nights = 1
  /// How it ended: `moved`, `reworded`, `cancelled` or `gone`. Nil while it stands.
  private(set) var ended: ChangeKind?
  /// The first night that shows that it ended.
  private(set) var endedOn: Day?
  /// The night in which the event came back after it was cancelled.
  var restoredOn: Day?

  /// Makes the first version of an event.
  init(
    key: UInt64, identity: EventIdentity, days: Period, texts: StoredTexts, place: Int, seen: Day
  ) {
    self.key = key
    self.identity = identity
    self.days = days
    self.texts = texts
    self.place = place
    (firstSeen, lastSeen) = (seen, seen)
  }

  /// Makes the next version of an event.
  init(after old: EventVersion, _ period: ArrivedPeriod, _ texts: StoredTexts, seen: Day) {
    self.init(
      key: old.key, identity: old.identity, days: period.days, texts: texts, place: period.place,
      seen: seen)
    number = old.number + 1
  }

  /// Notes how it ended.
  mutating func end(_ kind: ChangeKind, on day: Day) {
    ended = kind
    endedOn = day
  }

  /// The days between the last night that had it and the one that shows that it ended. Nil if there
  /// are none, or if it stands. No night of these days had it: there was none, or its record could
  /// not be read.
  var unseen: ClosedRange<Day>? {
    guard let endedOn else { return nil }
    let first = Day(number: lastSeen.number + 1)
    let last = Day(number: endedOn.number - 1)
    return first <= last ? first...last : nil
  }
}

/// A change of one event from a night to the next.
struct EventChange {
  /// Never `gone`.
  let kind: ChangeKind
  /// The version before; nil for a new event.
  let old: EventVersion?
  /// The version from now on; nil for a cancelled event.
  let new: EventVersion?
}

/// The texts of a row, in the order of a ledger's columns.
struct StoredTexts: Equatable {
  /// For each text its length, in two bytes or, after two bytes of ones, in eight; then the text.
  private let bytes: [UInt8]

  /// Copies the texts of these columns.
  init(_ record: borrowing Record, _ columns: ContiguousArray<Int>) {
    var count = 0
    for column in columns { count += record.text(column).count }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 2 * columns.count)
    for column in columns {
      let text = record.text(column)
      Self.append(text.count, to: &bytes)
      bytes.append(contentsOf: text)
    }
    self.bytes = bytes
  }

  private static func append(_ count: Int, to bytes: inout [UInt8]) {
    if count < 0xFFFF {
      bytes += [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
    } else {
      bytes += [0xFF, 0xFF]
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: count >> (8 * shift))) }
    }
  }

  /// The texts, in order.
  var all: [ArraySlice<UInt8>] {
    var texts: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      var count = Int(bytes[start]) | Int(bytes[start + 1]) << 8
      start += 2
      if count == 0xFFFF {
        count = (0..<8).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
        start += 8
      }
      texts.append(bytes[start..<start + count])
      start += count
    }
    return texts
  }

  /// Writes the texts into these columns of a row.
  func put(into columns: [Int], of record: inout Record) {
    for (column, text) in zip(columns, all) {
      let start = record.bytes.count
      text.withUnsafeBytes { record.bytes.append($0) }
      record.setText(column, from: start)
    }
  }
}

/// Passes the rows of all nights to their ledger.
struct NightStage: RecordStage, ~Copyable {
  private let ledger: NightLedger

  init(into ledger: NightLedger) { self.ledger = ledger }

  var checksKeys: Bool { true }

  mutating func take(_ record: borrowing Record, _ fate: RowFate) throws(PipelineError) {
    ledger.take(record, fate)
  }

  consuming func finish() {}
}
