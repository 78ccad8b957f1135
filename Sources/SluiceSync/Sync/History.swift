import Sluice

/// What a history tells beside its rows.
package struct HistoryFindings: Sendable {
  /// The days of the nights that were read, in order.
  package var nights: [Day] = []
  /// The days between two nights that have none.
  package var gaps: [ClosedRange<Day>] = []
  /// The inputs that were left out because they are broken.
  package var leftOut: [(name: String, error: PipelineError)] = []
  /// The rejected records of all nights.
  package var rejected = 0
  /// The rows without events, because their address has the number of another one.
  package var sameNumber = 0
  /// The story of the one place that was asked for.
  package var story: [StoryLine] = []
  /// The name of that place.
  package var place: [PlacePart] = []
}

/// A line of the story of one place: an event for as long as its days stay the same.
package struct StoryLine: Equatable, Sendable {
  /// What happened.
  package enum Kind: String, Sendable, Equatable {
    case new, moved, restored, reworded
    case cancelled, past
  }

  /// The night that shows it.
  package var night: Day
  package var kind: Kind
  /// The days of the event; after a move, the new ones.
  package var days: ClosedRange<Day>
  /// The days before a move.
  package var oldDays: ClosedRange<Day>?
  /// The days just before it of which nothing is known.
  package var unseen: ClosedRange<Day>?
}

/// Makes the history of several nights, and writes it to the outputs of `made`.
///
///     reading.inputs, in the order of their days ─▶ NightLedger ─▶ versions ─▶ outputs
///
/// `made` has the outputs and how tables are written. Its feed is that of ``historyFeed(of:)``. An
/// order that it does not have is that of the places. Another thread may read `counters`, which
/// count the inputs. Blocks until the end.
package func history(
  of reading: Conversion, into made: Conversion, counters: Counters = Counters()
) -> (outcome: Outcome, findings: HistoryFindings) {
  var findings = HistoryFindings()
  let outcome = Sluice.convert(made) { (rows) throws(PipelineError) in
    let table = try LedgerSession.blaming { () throws(DatabaseFault) in
      HistoryTable(reading.feed, try LedgerColumns(reading.feed))
    }
    let row = RecordBox(table)
    findings = try readNights(reading, counters) { (version) throws(PipelineError) in
      table.fill(&row.record, with: version)
      try rows.take(row.record)
    }
  }
  return (outcome, findings)
}

/// Reads the story of the one place that ``Conversion/address`` names. Throws the error that ended
/// reading.
package func story(
  of reading: Conversion, counters: Counters = Counters()
) throws(PipelineError) -> HistoryFindings {
  var versions: [EventVersion] = []
  var findings = try readNights(reading, counters) { (version) throws(PipelineError) in
    versions.append(copy version)
  }
  findings.story = StoryLine.all(of: versions)
  if let latest = versions.max(by: { $0.lastSeen < $1.lastSeen }) {
    let columns = try LedgerSession.blaming { () throws(DatabaseFault) in
      try LedgerColumns(reading.feed)
    }
    findings.place = latest.place(in: reading.feed, columns)
  }
  return findings
}

/// Returns the feed of a history: one table with its columns. Throws if the feed has no events that
/// a ledger keeps. The second value is the order of its rows unless somebody wants another.
package func historyFeed(of feed: Feed) throws(PipelineError) -> (feed: Feed, order: [SortOrder]) {
  let table = try LedgerSession.blaming { () throws(DatabaseFault) in
    HistoryTable(feed, try LedgerColumns(feed))
  }
  return (table.feed, table.order)
}

/// Reads all nights, and passes on each version of an event.
private func readNights(
  _ reading: Conversion, _ counters: Counters, _ receive: @escaping NightLedger.Receiver
) throws(PipelineError) -> HistoryFindings {
  var reading = reading
  let days = try reading.sortNights()
  let ledger = try LedgerSession.blaming { () throws(DatabaseFault) in
    try NightLedger(reading.feed, receive: receive)
  }
  ledger.isSelective = reading.address != nil || !reading.conditions.isEmpty
  let nights = Nights(ledger, days: days, of: reading)
  _ = try reading.readInputs(
    into: { _ in Branch(NightStage(into: ledger)) }, telling: nights, counters: counters)
  try ledger.finish()
  nights.findings.sameNumber = ledger.sameNumber
  return nights.findings
}

/// Tells a ledger where the nights begin and end.
private final class Nights: InputObserver {
  private let ledger: NightLedger
  /// The days of the inputs whose days were known before.
  private let days: [String: Day]
  private let reading: Conversion
  var findings = HistoryFindings()
  private var last: (name: String, day: Day)?

  init(_ ledger: NightLedger, days: [String: Day], of reading: Conversion) {
    self.ledger = ledger
    self.days = days
    self.reading = reading
  }

  func begin(_ input: InputFacts) throws(PipelineError) {
    guard let day = days[input.path] ?? reading.nightDay(of: input) else {
      let isArchive = reading.inputs.contains { $0.name == input.path && $0.isArchive }
      guard isArchive, reading.inputDates == nil else {
        throw PipelineError(.history(reading.noDate(input.path)))
      }
      throw PipelineError(.history(.noDateOfArchive(input.path)))
    }
    if let last {
      guard last.day != day else {
        throw PipelineError(.history(.sameDate(input.path, other: last.name, day)))
      }
      guard last.day < day else {
        throw PipelineError(.history(.outOfOrder(input.path, day, after: last.name, last.day)))
      }
      let gap = (Day(number: last.day.number + 1), Day(number: day.number - 1))
      if gap.0 <= gap.1 { findings.gaps.append(gap.0...gap.1) }
    }
    last = (input.path, day)
    findings.nights.append(day)
    ledger.begin(day)
  }

  func end(_ counts: Statistics.Input) throws(PipelineError) {
    if let error = counts.error {
      findings.leftOut.append((counts.name, error))
      return
    }
    findings.rejected += counts.rejected
    try ledger.end()
  }
}

extension Conversion {
  /// Puts the inputs into the order of their days. Returns the days by the names of the inputs.
  ///
  /// If the day of one is only known when it is read, they stay as they are. Throws if two are of
  /// the same day.
  fileprivate mutating func sortNights() throws(PipelineError) -> [String: Day] {
    var nights: [(input: Input, day: Day)] = []
    for input in inputs {
      guard let day = nightDay(of: input) else {
        // The entries of an archive may have days of their own.
        guard input.isArchive else {
          if case .file(let path) = input, FileStatus(path: Array(path.utf8CString)) == nil {
            throw PipelineError(.source(.noFile(path: path)))
          }
          throw PipelineError(.history(noDate(input.name)))
        }
        return [:]
      }
      nights.append((input, day))
    }
    nights.sort { $0.day < $1.day }
    for (one, other) in zip(nights, nights.dropFirst()) where one.day == other.day {
      throw PipelineError(
        .history(.sameDate(other.input.name, other: one.input.name, one.day)))
    }
    input = nights[0].input
    moreInputs = nights.dropFirst().map(\.input)
    var days: [String: Day] = [:]
    for night in nights { days[night.input.name] = night.day }
    return days
  }

  /// The fault of an input without a day.
  fileprivate func noDate(_ name: String) -> HistoryFault {
    inputDates == nil ? .noDate(name) : .noSuchDate(name)
  }
}

/// A row that is filled again and again.
private final class RecordBox {
  var record: Record

  init(_ table: HistoryTable) { record = table.record }
}

extension EventVersion {
  /// The name of its place.
  func place(in feed: Feed, _ columns: LedgerColumns) -> [PlacePart] {
    let table = feed.tables[0]
    let names = columns.texts.map { table.columns[$0].name }
    let texts = self.texts.all
    return table.searchRule.items.compactMap { item in
      guard let index = names.firstIndex(of: item.column) else { return nil }
      return PlacePart(
        column: item.column, part: item.part,
        text: String(decoding: texts[index], as: UTF8.self))
    }
  }
}

extension StoryLine {
  /// Tells the versions of a place's events in the order of the nights.
  fileprivate static func all(of versions: [EventVersion]) -> [StoryLine] {
    var lines: [StoryLine] = []
    /// The days that nobody saw before a version began are those after which the one before ended.
    var unseen: [String: ClosedRange<Day>] = [:]
    func name(_ version: EventVersion, _ number: Int) -> String {
      "\(version.identity.year) \(version.identity.number) \(number) \(version.key)"
    }
    for version in versions { unseen[name(version, version.number)] = version.unseen }
    for version in versions {
      let days = version.days.range
      let before = unseen[name(version, version.number - 1)]
      let kind: Kind? =
        switch version.kind {
        case .new: .new
        case .moved: .moved
        case .restored: .restored
        case .reworded: .reworded
        case .cancelled, .gone: nil
        }
      if let kind {
        lines.append(
          StoryLine(
            night: version.firstSeen, kind: kind, days: days, oldDays: version.oldDays?.range,
            unseen: kind == .restored ? nil : before))
      }
      guard let night = version.endedOn else { continue }
      if version.ended == .cancelled {
        lines.append(
          StoryLine(night: night, kind: .cancelled, days: days, unseen: version.unseen))
      } else if version.ended == .gone {
        lines.append(StoryLine(night: night, kind: .past, days: days, unseen: version.unseen))
      }
    }
    // The order of the nights; of one night, in the order of the days.
    return lines.sorted {
      $0.night != $1.night ? $0.night < $1.night : $0.days.lowerBound < $1.days.lowerBound
    }
  }
}

extension Period {
  /// The days as a range.
  var range: ClosedRange<Day> { first...max(first, last) }
}
