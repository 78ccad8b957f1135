/// Reads the times of an event that are more than columns.
///
///     start: {day: date, time: at, zone: Europe/London}
///     end: {time: to}                        # the same day, or over midnight
///     for: 2h                                # instead of an end; or {minutes: COLUMN}
///     repeat: {every: month, on: day_of_month, from: 2026-01-01, until: 2026-12-31}
extension DocumentColumns {
  private static let lengths = [
    ("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1),
  ]

  /// Reads the times of an event: the columns of its start and end, and what is made of others.
  /// Adds the columns that are made for it.
  mutating func times(
    _ event: DocumentMapping, of feed: Feed
  ) throws(FeedDocumentFault) -> (start: String, end: String?, timing: EventTiming?) {
    let isSimple = [event["start"], event["end"]].allSatisfy { $0.map(Self.isMapping) != true }
    guard !isSimple || event["for"] != nil || event["repeat"] != nil else {
      let (start, end) = try days(event)
      return (start, end, nil)
    }
    for key in ["for", "repeat", "start", "end"] where event["each"] != nil {
      guard let node = event[key], key.count == 3 || key == "repeat" || Self.isMapping(node) else {
        continue
      }
      throw node.fault(.keyBeside(key, other: "each"))
    }
    if let node = event["for"], event["end"] != nil {
      throw node.fault(.keyBeside("for", other: "end"))
    }
    var timing = EventTiming(start: EventTiming.Moment())
    try readStart(event, of: feed, into: &timing)
    timing.end = try event["end"].map { node throws(FeedDocumentFault) in
      try end(node, of: timing, repeats: event["repeat"] != nil)
    }
    timing.length = try event["for"].map { node throws(FeedDocumentFault) in try length(node) }
    timing.recurrence = try event["repeat"].map { node throws(FeedDocumentFault) in
      try recurrence(node, startsOn: timing.start.day)
    }
    return (timing.start.day ?? "", nil, timing)
  }

  private static func isMapping(_ node: YAMLNode) -> Bool {
    if case .mapping = node.content { true } else { false }
  }

  /// Reads the start. A repetition has days of its own.
  private mutating func readStart(
    _ event: DocumentMapping, of feed: Feed, into timing: inout EventTiming
  ) throws(FeedDocumentFault) {
    let repeats = event["repeat"] != nil
    guard let node = event["start"], Self.isMapping(node) else {
      guard event["start"] != nil || !repeats else { return }
      let (start, end) = try days(event, ignoresEnd: true)
      let kind = fields.first { $0.columns.contains(start) }?.kind
      // A period has an end already.
      if end != nil, let node = event["for"] {
        throw node.fault(.keyBeside("for", other: "period"))
      }
      if kind != .day, repeats || end != nil {
        let node = try event.value("start")
        _ = try field(of: start, node, "start") { $0 == .day }
      }
      timing.start.day = start
      return
    }
    let start = try DocumentMapping(node, "start", keys: ["day", "time", "zone", "gap", "overlap"])
    if !repeats || start["day"] != nil { timing.start.day = try column(start, "day", .day) }
    guard start["time"] != nil else {
      for key in ["zone", "gap", "overlap"] {
        if let node = start[key] { throw node.fault(.keyWants(key, other: "time")) }
      }
      return
    }
    timing.start.time = try column(start, "time", .time)
    timing.zone = try start["zone"].map { node throws(FeedDocumentFault) in
      try eventZone(node)
    }
    timing.gap = try start.choice("gap")
    timing.overlap = try start.choice("overlap")
    guard timing.zone == nil else { return }
    switch feed.clock {
    case .zone: break
    case .offset where !repeats: break
    case .offset: throw node.fault(.needsZone("repeat"))
    case .written: throw node.fault(.needsClock("start"))
    }
  }

  /// Returns the column of a key. It must be of this kind.
  private func column(
    _ mapping: DocumentMapping, _ key: String, _ kind: FieldKind
  ) throws(FeedDocumentFault) -> String {
    let node = try mapping.value(key)
    let name = try node.text(key)
    _ = try field(of: name, node, key) { $0 == kind }
    return name
  }

  private func end(
    _ node: YAMLNode, of timing: EventTiming, repeats: Bool
  ) throws(FeedDocumentFault) -> EventTiming.Moment {
    let end = try DocumentMapping(node, "end", keys: ["day", "time"])
    if repeats, let day = end["day"] { throw day.fault(.keyBeside("day", other: "repeat")) }
    let time = try column(end, "time", .time)
    guard timing.start.time != nil else {
      throw (end["time"] ?? node).fault(.keyWants("end", other: "start: {time: …}"))
    }
    return EventTiming.Moment(
      day: end["day"] == nil ? nil : try column(end, "day", .day), time: time)
  }

  private func length(_ node: YAMLNode) throws(FeedDocumentFault) -> EventLength {
    guard Self.isMapping(node) else {
      guard case .scalar = node.content else {
        throw node.fault(
          .wrongKind(
            key: "for", found: node.kind, wanted: [.text, .mapping], keys: Self.lengths.map(\.0)))
      }
      let text = try node.text("for")
      guard let length = EventLength.read(text) else {
        throw node.fault(.badValue(text, key: "for", .length))
      }
      return length
    }
    let mapping = try DocumentMapping(node, "for", keys: Self.lengths.map(\.0))
    guard let entry = mapping.entries.first else {
      throw node.fault(.missingKey("minutes", of: "for"))
    }
    if mapping.entries.count > 1 {
      let second = mapping.entries[1]
      throw FeedDocumentFault(
        problem: .keyBeside(second.key, other: entry.key), place: second.place)
    }
    let name = try entry.value.text(entry.key)
    _ = try field(of: name, entry.value, entry.key) { $0 == .integer || $0 == .decimal }
    let unit = Self.lengths.first { $0.0 == entry.key }?.1 ?? 60
    return .column(name, unit: unit)
  }

  // MARK: Repetition

  private mutating func recurrence(
    _ node: YAMLNode, startsOn day: String?
  ) throws(FeedDocumentFault) -> Recurrence {
    let mapping = try DocumentMapping(
      node, "repeat", keys: ["every", "interval", "on", "from", "until", "except", "as"])
    guard let every: Recurrence.Unit = try mapping.choice("every") else {
      throw FeedDocumentFault(problem: .missingKey("every", of: "repeat"), place: mapping.place)
    }
    var recurrence = Recurrence(every: every)
    if let node = mapping["interval"] {
      recurrence.interval = try Self.interval(node)
      if recurrence.interval > 1, mapping["from"] == nil, day == nil {
        throw node.fault(.keyWants("interval", other: "from"))
      }
    }
    recurrence.on = try mapping["on"].map { node throws(FeedDocumentFault) in
      try days(node, every: every)
    }
    recurrence.from = try mapping["from"].map { node throws(FeedDocumentFault) in
      try dayValue(node, "from") { $0 == .day }
    }
    if recurrence.on == nil, recurrence.from == nil, day == nil {
      throw FeedDocumentFault(problem: .missingKey("on", of: "repeat"), place: mapping.place)
    }
    recurrence.until = try mapping["until"].map { node throws(FeedDocumentFault) in
      try dayValue(node, "until") { $0 == .day }
    }
    if case .day(let from) = recurrence.from, case .day(let until) = recurrence.until,
      until < from, let node = mapping["until"]
    {
      throw node.fault(.untilBeforeFrom(until: "\(until)", from: "\(from)"))
    }
    if let node = mapping["except"] {
      let isFit = { (kind: FieldKind) in kind == .day || kind == .text }
      if case .sequence(let items) = node.content {
        for item in items { recurrence.except.append(try dayValue(item, "except", isFit)) }
      } else {
        recurrence.except = [try dayValue(node, "except", isFit)]
      }
    }
    if let name = try mapping.value("as", .columnName, DocumentValues.columnName) {
      try addMade(
        Field(path: Path([]), kind: .occurrence, columns: [name]),
        at: (mapping["as"] ?? node).place)
      recurrence.column = name
    }
    return recurrence
  }

  private static func interval(_ node: YAMLNode) throws(FeedDocumentFault) -> Int {
    let text = try node.text("interval")
    guard text.utf8.count <= 2, let number = wholeNumber(text[...]), number > 0 else {
      throw node.fault(.badValue(text, key: "interval", .count(most: 99)))
    }
    return number
  }

  /// Reads the days of a unit: one, a list of them, or a column.
  private func days(
    _ node: YAMLNode, every unit: Recurrence.Unit
  ) throws(FeedDocumentFault) -> Recurrence.Days {
    let wanted = FeedDocumentFault.Wanted.daysOf(unit)
    if case .sequence = node.content {
      var words: [String] = []
      for (text, item) in try node.texts("on") {
        guard SeriesRule.read(text, every: unit) != nil else {
          throw item.fault(.badValue(text, key: "on", wanted))
        }
        words.append(text)
      }
      let text = words.joined(separator: ",")
      guard let rule = SeriesRule.read(text, every: unit) else {
        throw node.fault(.badValue(text, key: "on", wanted))
      }
      return .fixed(rule)
    }
    let text = try node.text("on")
    if let rule = SeriesRule.read(text, every: unit) { return .fixed(rule) }
    guard text.utf8.first.map({ $0 &- UInt8(ascii: "0") < 10 }) != true else {
      throw node.fault(.badValue(text, key: "on", wanted))
    }
    _ = try field(of: text, node, "on") { kind in
      kind == .text || (kind == .integer && unit != .year) || (kind == .day && unit == .year)
    }
    return .column(text)
  }

  /// Reads a day, or the column of one.
  private func dayValue(
    _ node: YAMLNode, _ key: String, _ isFit: (FieldKind) -> Bool
  ) throws(FeedDocumentFault) -> Recurrence.DayValue {
    let text = try node.text(key)
    if let day = Day(iso: text) { return .day(day) }
    guard text.utf8.first.map({ $0 &- UInt8(ascii: "0") < 10 }) != true else {
      throw node.fault(.badValue(text, key: key, .day))
    }
    _ = try field(of: text, node, key, isFit)
    return .column(text)
  }

  /// Checks that the times of an event can be local: their zones have names.
  func checkLocal(
    _ node: YAMLNode, _ event: Event, of feed: Feed
  ) throws(FeedDocumentFault) {
    let isDay = fields.first { $0.columns.contains(event.start) }?.kind != .instant
    if isDay, event.timing?.start.time == nil {
      throw node.fault(.keyWants("times", other: "time"))
    }
    let columns = [event.start, event.end].compactMap(\.self)
    let zones =
      event.timing?.zone.map { [$0] }
      ?? columns.map { name in fields.first { $0.columns.contains(name) }?.zone }
    if case .zone = feed.clock { return }
    if zones.contains(where: { $0 == nil }) { throw node.fault(.needsZone("times")) }
  }
}
