@testable import Sluice
@testable import SluiceSync

/// The rules of the ledger once more: slow, in plain collections, and without the ledger's code.
struct SeasonModel {
  struct Span: Hashable {
    var first: Int
    var last: Int
  }

  /// A period of the feed.
  struct Row {
    var address: String
    var text: String
    var span: Span
    var year: Int
  }

  struct Event {
    var address: String
    var year: Int
    var number: Int
    var span: Span
    var text: String
    var sequence = 0
    var stamp: Int
    var cancelled: Int?
  }

  private(set) var events: [Event] = []
  private var handedOut: [String: Int] = [:]
  /// What happened in the last night: a word and a UID's beginning, sorted.
  private(set) var told: [String] = []

  private func name(_ event: Event) -> String { "\(event.address)-\(event.year)-\(event.number)" }

  mutating func night(_ feed: [Row], today: Int, stamp: Int) {
    told = []
    var rows: [Row] = []
    for row in feed
    where !rows.contains(where: { $0.address == row.address && $0.span == row.span }) {
      rows.append(row)
    }
    events.removeAll { $0.cancelled.map { today - $0 >= 30 } ?? false }
    var waiting = rows
    var settled: Set<Int> = []
    for (index, event) in events.enumerated() {
      guard
        let place = waiting.firstIndex(where: {
          $0.address == event.address && $0.span == event.span
        })
      else { continue }
      let row = waiting.remove(at: place)
      settled.insert(index)
      if event.cancelled != nil {
        change(index, "restored", stamp) { $0.cancelled = nil }
      } else if event.text != row.text {
        events[index].stamp = max(event.stamp, stamp)
      }
      events[index].text = row.text
    }
    // The nearest of all pairs, again and again.
    while true {
      var best: (key: [Int], event: Int, row: Int)?
      for (index, event) in events.enumerated()
      where event.cancelled == nil && event.span.last >= today && !settled.contains(index) {
        for (place, row) in waiting.enumerated() where row.address == event.address {
          let distance =
            abs(row.span.first - event.span.first) + abs(row.span.last - event.span.last)
          let key = [distance, event.year, event.number, row.span.first, row.span.last]
          if best.map({ key.lexicographicallyPrecedes($0.key) }) ?? true {
            best = (key, index, place)
          }
        }
      }
      guard let (_, index, place) = best else { break }
      let row = waiting.remove(at: place)
      settled.insert(index)
      change(index, "moved", stamp) {
        $0.span = row.span
        $0.text = row.text
      }
    }
    for index in events.indices
    where events[index].cancelled == nil && events[index].span.last >= today
      && !settled.contains(index)
    {
      change(index, "cancelled", stamp) { $0.cancelled = today }
      settled.insert(index)
    }
    let over = events.indices.filter { events[$0].cancelled == nil && !settled.contains($0) }
    for index in over.reversed() { events.remove(at: index) }
    for row in waiting {
      let number = handedOut["\(row.address)-\(row.year)", default: 0] + 1
      handedOut["\(row.address)-\(row.year)"] = number
      let event = Event(
        address: row.address, year: row.year, number: number, span: row.span, text: row.text,
        stamp: stamp)
      events.append(event)
      told.append("new \(name(event))")
    }
    order(rows)
    told.sort()
  }

  private mutating func change(
    _ index: Int, _ word: String, _ stamp: Int, _ body: (inout Event) -> Void
  ) {
    body(&events[index])
    events[index].sequence += 1
    events[index].stamp = max(events[index].stamp, stamp)
    told.append("\(word) \(name(events[index]))")
  }

  /// Live events as the feed has them, then cancelled ones by UID.
  private mutating func order(_ rows: [Row]) {
    let live = rows.compactMap { row in
      events.first { $0.cancelled == nil && $0.address == row.address && $0.span == row.span }
    }
    let cancelled = events.filter { $0.cancelled != nil }.sorted {
      ($0.address, $0.year, $0.number) < ($1.address, $1.year, $1.number)
    }
    events = live + cancelled
  }
}
