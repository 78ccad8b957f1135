import Testing

@testable import Sluice
@testable import SluiceSync

/// A season in fast motion, against ``SeasonModel``.
@Suite(.slow) struct LedgerSeasonTests {
  private typealias Span = SeasonModel.Span

  /// What the office plans: streets with their periods, in the order of its list.
  private struct Office {
    var generator: SeededGenerator
    var list: [(street: Int, isShouted: Bool, spans: [Span])] = []
    var dropped: [(street: Int, spans: [Span])] = []
    let start = Int(LedgerNight.day("2020-05-20").number)

    private mutating func chance(_ percent: Int) -> Bool {
      Int.random(in: 0..<100, using: &generator) < percent
    }

    private mutating func span(near today: Int) -> Span {
      if chance(2) {
        // The corners of what a calendar can name.
        return generator.pick([
          Span(first: 2_932_896, last: 2_932_896), Span(first: 2_932_890, last: 2_932_896),
          Span(first: -719_162, last: -719_162),
          // 9,999 days.
          Span(first: today, last: today + 9998),
        ])
      }
      let first = today + Int.random(in: -20...(chance(10) ? 400 : 40), using: &generator)
      return Span(first: first, last: first + Int.random(in: 0...14, using: &generator))
    }

    /// A night's work: some streets come, move, vanish, return.
    mutating func work(today: Int) {
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let street = Int.random(in: 0..<60, using: &generator)
        guard !list.contains(where: { $0.street == street }) else { continue }
        let count = generator.pick([1, 1, 1, 1, 2, 3, 5])
        var spans: [Span] = []
        for _ in 0..<count { spans.append(span(near: today)) }
        list.insert((street, false, spans), at: Int.random(in: 0...list.count, using: &generator))
      }
      for index in list.indices where !list[index].spans.isEmpty {
        if chance(6) {
          let which = Int.random(in: list[index].spans.indices, using: &generator)
          let by = generator.pick([-7, -2, -1, 1, 1, 2, 3, 10])
          let old = list[index].spans[which]
          guard old.last + by < 2_932_896, old.first + by > -719_162 else { continue }
          list[index].spans[which] = Span(first: old.first + by, last: old.last + by)
        }
        if chance(2) { list[index].spans.append(span(near: today)) }
        if chance(2) { list[index].spans.removeLast() }
        if chance(1) { list[index].isShouted.toggle() }
        if chance(3) { list[index].spans.append(list[index].spans.first ?? span(near: today)) }
      }
      for _ in 0..<2 where chance(60) && !list.isEmpty {
        let left = list.remove(at: Int.random(in: list.indices, using: &generator))
        dropped.append((left.street, left.spans))
      }
      if chance(40), !dropped.isEmpty {
        let back = dropped.remove(at: Int.random(in: dropped.indices, using: &generator))
        if !list.contains(where: { $0.street == back.street }) {
          list.append((back.street, false, back.spans))
        }
      }
      if chance(5) { list.shuffle(using: &generator) }
    }
  }

  private func name(_ street: Int, _ isShouted: Bool) -> String {
    isShouted ? "УЛИЦА \(street)" : "Улица \(street)"
  }

  private func text(_ day: Int) -> String {
    let parts = "\(Day(number: Int32(day)))".split(separator: "-")
    return "\(parts[2]).\(parts[1]).\(parts[0])"
  }

  private func compact(_ day: Int) -> String {
    "\(Day(number: Int32(day)))".split(separator: "-").joined()
  }

  /// The addresses' numbers, by street.
  private func addresses() -> [String] {
    FeedRun()("[\((0..<60).map { house(name($0, false)) }.joined(separator: ","))]")
      .rows.map { String($0.suffix(16)) }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `sixty nights`(_ seed: UInt64) throws {
    let folder = try ScratchFolder()
    let ids = addresses()
    var office = Office(generator: SeededGenerator(seed: seed))
    var model = SeasonModel()
    var shownBefore: [String: CalendarEvent] = [:]
    var everShown: Set<String> = []
    var kinds: Set<String> = []
    for night in 0..<60 {
      let today = office.start + night
      office.work(today: today)
      // The content's time goes back on some nights; one feed is empty, one is cut in half.
      let stamp = today * 86_400 - (night % 9 == 5 ? 5 * 86_400 : 0)
      var rows = office.list[...]
      if night == 23 { rows = [] }
      if night == 41 { rows = rows.prefix(rows.count / 2) }
      let json = rows.filter { !$0.spans.isEmpty }.map { row in
        house(
          name(row.street, row.isShouted),
          period: row.spans.map { "\(text($0.first))-\(text($0.last))" }.joined(separator: ", "))
      }
      let result = try LedgerNight("\(Day(number: Int32(today)))", stamp: stamp)(
        "[\(json.joined(separator: ","))]", in: folder.path)
      model.night(
        rows.flatMap { row in
          row.spans.map { span in
            SeasonModel.Row(
              address: ids[row.street], text: name(row.street, row.isShouted), span: span,
              year: Int("\(Day(number: Int32(span.first)))".prefix(4)) ?? 0)
          }
        }, today: today, stamp: stamp)
      #expect(
        result.events.map { describe($0) } == model.events.map { describe($0) }, "night \(night)")
      check(result, model, folder)
      kinds.formUnion(model.told.compactMap { $0.split(separator: " ").first.map(String.init) })

      // What did not change keeps every byte; what was gone does not come back.
      let shown = Dictionary(result.events.map { ($0.uid, $0) }) { first, _ in
        Issue.record("\(first.uid) stands twice")
        return first
      }
      let told = Set(model.told.map { String($0.split(separator: " ")[1]) })
      for (uid, event) in shown {
        if let before = shownBefore[uid] {
          let isTold = told.contains(String(uid.prefix { $0 != "@" }))
          #expect(isTold == (before.sequence < event.sequence))
          #expect(before.stamp <= event.stamp)
          if !isTold, before.summary == event.summary { #expect(before == event) }
        } else {
          #expect(!everShown.contains(uid), "\(uid) came back")
          #expect(event.sequence == 0)
        }
      }
      everShown.formUnion(shown.keys)
      shownBefore = shown
    }
    #expect(kinds == ["new", "moved", "cancelled", "restored"])
    #expect(everShown.count > 60)
  }

  /// The changes and their counts are the model's.
  private func check(
    _ result: LedgerNight.Result, _ model: SeasonModel, _ folder: ScratchFolder
  ) {
    let told = result.changeLines.map { line in
      let values = line.split(separator: "\"")
      return "\(values[3]) \(values[7].prefix { $0 != "@" })"
    }
    #expect(told.sorted() == model.told)
    func count(_ word: String) -> Int { model.told.count { $0.hasPrefix(word) } }
    #expect(result.counts.new == count("new"))
    #expect(result.counts.moved == count("moved"))
    #expect(result.counts.cancelled == count("cancelled"))
    #expect(result.counts.restored == count("restored"))
    // Closed each night: no journal is left.
    #expect(folder.names == [Ledger.name])
  }

  private func describe(_ event: CalendarEvent) -> String {
    let uid = event.uid.prefix { $0 != "@" }
    #expect(event.stamp == event.modified)
    return "\(uid) \(event.first) \(event.end) \(event.sequence) \(event.stamp) \(event.status) "
      + "\(event.summary)"
  }

  private func describe(_ event: SeasonModel.Event) -> String {
    let end = event.span.last == 2_932_896 ? event.span.last : event.span.last + 1
    let uid = "\(event.address)-\(event.year)-\(event.number)"
    let status = event.cancelled == nil ? "CONFIRMED" : "CANCELLED"
    return "\(uid) \(compact(event.span.first)) \(end == event.span.first ? "" : compact(end)) "
      + "\(event.sequence) \(CalendarTime.utc(event.stamp)) \(status) "
      + "\(event.text)\\, дом 65: нет горячей воды"
  }
}
