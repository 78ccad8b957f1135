import Sluice

/// What two inputs of a feed differ in.
package struct Comparison: Sendable {
  /// A change of one event.
  package struct Change: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case new, moved, cancelled, reworded
    }

    package var kind: Kind
    /// The name of the event's place.
    package var place: [PlacePart]
    /// The days before; nil for a new event.
    package var oldDays: ClosedRange<Day>?
    /// The days now; nil for a cancelled event.
    package var days: ClosedRange<Day>?
    /// The texts that differ, with those before and now.
    package var texts: [(column: Column, old: String, new: String)] = []

    package static func == (a: Change, b: Change) -> Bool {
      a.kind == b.kind && a.place == b.place && a.oldDays == b.oldDays && a.days == b.days
        && a.texts.elementsEqual(b.texts) { $0 == $1 }
    }
  }

  /// The changes: by their kinds, then in the order of the feed.
  package var changes: [Change] = []
  /// The numbers of changes. ``LedgerChanges/gone`` counts the events that are past and have left.
  package var counts = LedgerChanges()
  /// The day before which a period counted as past; nil if none did.
  package var today: Day?
  /// The rejected records of both inputs.
  package var rejected = 0
  /// The rows without events, because their address has the number of another one.
  package var sameNumber = 0
  /// The lines of the list, in the order of the UIDs.
  fileprivate var lines: [EventChange] = []
}

/// Compares the two inputs of a conversion.
///
/// A period that ended before `today` is past: if it is missing from the second input, that is no
/// change. Without `today` it is the day of the second input, by its name or its archive; and
/// otherwise `clock`, unless the whole input is past by then. Throws the error that ended reading.
package func compare(
  _ reading: Conversion, today: Day?, clock: Day
) throws(PipelineError) -> Comparison {
  var comparison = Comparison()
  let ledger = try LedgerSession.blaming { () throws(DatabaseFault) in
    try NightLedger(reading.feed)
  }
  let pair = Pair(ledger, of: reading, today: today, clock: clock)
  let lines = Lines()
  ledger.noteChange = { if pair.isSecond { lines.all.append($0) } }
  _ = try reading.readInputs(into: { _ in Branch(NightStage(into: ledger)) }, telling: pair)
  (comparison.counts, comparison.today) = (pair.counts, pair.usedDay)
  (comparison.rejected, comparison.sameNumber) = (pair.rejected, ledger.sameNumber)
  let names = ChangeNames(reading.feed, ledger.columns)
  comparison.changes =
    lines.all.sorted { $0.place < $1.place }.compactMap(names.change)
    .inOrderOfKinds
  comparison.lines = lines.all.sorted { $0.isBefore($1) }
  return comparison
}

/// Writes the list of changes to the outputs of `made`, whose feed is that of ``changesFeed(of:)``.
package func write(
  _ comparison: Comparison, of feed: Feed, into made: Conversion, counters: Counters = Counters()
) -> Outcome {
  Sluice.convert(made, counters: counters) { (rows) throws(PipelineError) in
    let columns = try LedgerSession.blaming { () throws(DatabaseFault) in try LedgerColumns(feed) }
    let layout = ChangeLayout(feed, columns)
    var record = Record(columns: layout.list.count)
    for line in comparison.lines {
      if layout.fill(&record, with: line) { try rows.take(record) }
    }
  }
}

/// Returns the feed of a list of changes: one table with its columns.
package func changesFeed(of feed: Feed) throws(PipelineError) -> Feed {
  let layout = try LedgerSession.blaming { () throws(DatabaseFault) in
    ChangeLayout(feed, try LedgerColumns(feed))
  }
  return feed.made("changes", layout.list, key: ["uid"])
}

/// The changes of the second input.
private final class Lines {
  var all: [EventChange] = []
}

/// Tells a ledger where the two inputs begin and end.
private final class Pair: InputObserver {
  private let ledger: NightLedger
  private let reading: Conversion
  private let today: Day?
  private let clock: Day
  private(set) var isSecond = false
  private(set) var counts = LedgerChanges()
  private(set) var usedDay: Day?
  private(set) var rejected = 0
  private var ownDay: Day?
  private var ended = 0

  init(_ ledger: NightLedger, of reading: Conversion, today: Day?, clock: Day) {
    self.ledger = ledger
    self.reading = reading
    self.today = today
    self.clock = clock
  }

  func begin(_ input: InputFacts) throws(PipelineError) {
    guard ended < 2 else { throw PipelineError(.history(.thirdInput(input.path))) }
    ownDay = reading.nightDay(of: input)
    ledger.begin(clock)
  }

  func end(_ counts: Statistics.Input) throws(PipelineError) {
    rejected += counts.rejected
    ended += 1
    isSecond = ended == 2
    guard isSecond else {
      try ledger.end()
      return
    }
    usedDay = today ?? ownDay
    // A feed that is wholly past is an old one, and the clock says nothing about it.
    if usedDay == nil, let last = ledger.lastDay, last >= clock { usedDay = clock }
    self.counts = try ledger.end(today: usedDay ?? Day(number: .min / 2))
  }
}

extension EventChange {
  /// Its place in the input that has it.
  fileprivate var place: Int { (new ?? old)?.place ?? 0 }
}

/// Names the places and the texts of changes, for people.
private struct ChangeNames {
  let feed: Feed
  let columns: LedgerColumns
  private let texts: [Column]

  init(_ feed: Feed, _ columns: LedgerColumns) {
    self.feed = feed
    self.columns = columns
    let all = feed.tables[0].columns
    texts = columns.texts.map { all[$0] }
  }

  /// Returns a change for people; nil if it is none of theirs.
  func change(_ change: EventChange) -> Comparison.Change? {
    let kind: Comparison.Change.Kind
    switch change.kind {
    case .new, .restored: kind = .new
    case .moved: kind = .moved
    case .cancelled: kind = .cancelled
    case .reworded: kind = .reworded
    case .gone: return nil
    }
    guard let version = change.new ?? change.old else { return nil }
    var made = Comparison.Change(
      kind: kind, place: version.place(in: feed, columns), oldDays: change.old?.days.range,
      days: change.new?.days.range)
    if let old = change.old, let new = change.new, old.texts != new.texts {
      for (column, pair) in zip(texts, zip(old.texts.all, new.texts.all)) where pair.0 != pair.1 {
        made.texts.append(
          (
            column, String(decoding: pair.0, as: UTF8.self),
            String(decoding: pair.1, as: UTF8.self)
          ))
      }
    }
    return made
  }
}

extension [Comparison.Change] {
  /// The changes by their kinds, those of a kind in the order they have.
  fileprivate var inOrderOfKinds: [Comparison.Change] {
    Comparison.Change.Kind.allCases.flatMap { kind in filter { $0.kind == kind } }
  }
}
