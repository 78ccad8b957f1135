extension DocumentColumns {
  private static let eventKeys = [
    "calendar", "color", "refresh", "summary", "own", "location", "description", "category",
    "categories", "url", "status", "geo", "start", "end", "for", "times", "repeat", "alarm", "each",
    "values", "where",
  ]
  /// The clocks that an event's times may be written by.
  private enum EventClock: String, CaseIterable { case utc, local }

  /// Reads the event of a table. It may add columns.
  mutating func event(
    _ node: YAMLNode, of feed: Feed, _ table: Table, isOneOfMany: Bool = false
  ) throws(FeedDocumentFault) -> Event {
    let event = try DocumentMapping(
      node, "event", keys: Self.eventKeys + (isOneOfMany ? ["as"] : []))
    guard let key = table.keyNumber?.parts else { throw node.fault(.eventWithoutKey) }
    if event["each"] != nil, let node = event["end"] {
      throw node.fault(.keyBeside("end", other: "each"))
    }
    let (start, end, timing) = try times(event, of: feed)
    let group = try group(event, of: table, start: start)
    // An event of several rows has the columns that they share, and the values made of the others.
    let columns =
      group.map { key + [start] + $0.values.map(\.name) }
      ?? table.columns.map(\.name) + [timing?.recurrence?.column].compactMap(\.self)
    let known = Set(columns + [Template.days])
    func checked(
      _ text: String, _ node: YAMLNode, _ key: String
    ) throws(FeedDocumentFault) -> Template {
      let template = try Self.template(text, node, key)
      for part in template.clauses.joined() where !known.contains(part.column) {
        throw node.fault(.unknownColumn(part.column, key: key, columns: columns + [Template.days]))
      }
      return template
    }
    func template(_ key: String) throws(FeedDocumentFault) -> Localized<Template>? {
      try event.localized(key) { (text, node) throws(FeedDocumentFault) in
        try checked(text, node, key)
      }
    }
    guard let summary = try template("summary") else {
      throw FeedDocumentFault(problem: .missingKey("summary", of: "event"), place: event.place)
    }
    var made = Event(
      calendarName: try event.localized("calendar") { text, _ in text } ?? feed.summary,
      color: try event.value("color", .color) { text in
        ColorNames.contains(text) ? text : nil
      },
      refresh: try event.value("refresh", .refresh, DocumentValues.refresh) ?? "P1D",
      summary: summary, ownSummary: try template("own"), location: try template("location"),
      description: try template("description"),
      category: try event.localized("category") { text, _ in text },
      start: start, end: end,
      alarm: try event.value("alarm", .time) { Alarm($0)?.duration }, group: group)
    made.timing = timing
    made.details = try details(event, checked)
    for key in ["url", "status", "categories", "geo"] where group != nil {
      if let node = event[key] { throw node.fault(.keyBeside(key, other: "each")) }
    }
    if let node = event["times"], try event.choice("times", of: EventClock.self) == .local {
      if group != nil { throw node.fault(.keyBeside("times", other: "each")) }
      try checkLocal(node, made, of: feed)
      made.isLocal = true
    }
    made.conditions = try event["where"].map { node throws(FeedDocumentFault) in
      try DocumentConditions(columns: self).read(node)
    }
    return made
  }

  private static func template(
    _ text: String, _ node: YAMLNode, _ key: String
  ) throws(FeedDocumentFault) -> Template {
    do throws(Template.Flaw) {
      return try Template.read(text)
    } catch {
      throw node.fault(.badTemplate(key: key, error.flaw))
    }
  }

  /// Returns the columns of the event's start and end.
  func days(
    _ event: DocumentMapping, ignoresEnd: Bool = false
  ) throws(FeedDocumentFault) -> (String, String?) {
    let period = fields.first { $0.kind == .period }
    let days = fields.filter(\.kind.givesDays)
    var first: Field
    let start: String
    if let node = event["start"] {
      start = try node.text("start")
      first = try field(of: start, node, "start", \.givesDays)
    } else {
      // If there is only one possible column, the key may be missing.
      guard let field = period ?? (days.count == 1 ? days.first : nil) else {
        throw FeedDocumentFault(problem: .missingKey("start", of: "event"), place: event.place)
      }
      (first, start) = (field, field.columns[0])
    }
    guard let node = event["end"], !ignoresEnd else {
      return (start, first.kind == .period ? first.columns[1] : nil)
    }
    let end = try node.text("end")
    let kind = first.kind
    let last = try field(of: end, node, "end") { $0 == kind }
    // A period is both the start and the end.
    guard last.columns.last == end, end != start else {
      throw node.fault(
        .columnOfOtherKind(
          end, last.kind, key: "end",
          columns: fields.filter { $0.kind == kind && $0.columns.last != start }
            .compactMap(\.columns.last)))
    }
    return (start, end)
  }
}

extension DocumentColumns {
  /// Reads the grouping of several rows to one event. Returns nil if each row is an event.
  ///
  ///     each: day
  ///     values:
  ///       temperature: {range: temperature, round: 0, unit: °C}
  ///       falls: {texts: description}
  func group(_ event: DocumentMapping, of table: Table, start: String)
    throws(FeedDocumentFault) -> EventGroup?
  {
    guard try event.choice("each", of: Span.self) != nil else {
      if let node = event["values"] { throw node.fault(.keyWants("values", other: "each")) }
      return nil
    }
    // A period is not one day.
    let isOneDay = { (kind: FieldKind) in kind == .day || kind == .instant }
    if let node = event["start"] {
      _ = try field(of: start, node, "start", isOneDay)
    } else if let field = fields.first(where: { $0.columns.contains(start) }), !isOneDay(field.kind)
    {
      throw FeedDocumentFault(problem: .missingKey("start", of: "event"), place: event.place)
    }
    var group = EventGroup(values: [])
    guard let node = event["values"] else { return group }
    let taken = Set((table.keyNumber?.parts ?? []) + [start])
    let entries = try DocumentMapping(node, "values", keys: nil).entries
    guard entries.count <= Self.most else {
      throw node.fault(.tooMany("values", limit: Self.most))
    }
    for entry in entries {
      guard DocumentValues.columnName(entry.key) != nil, entry.key != Template.days else {
        throw FeedDocumentFault(
          problem: .badValue(entry.key, key: "values", .columnName), place: entry.place)
      }
      guard !taken.contains(entry.key) else {
        throw FeedDocumentFault(problem: .duplicateColumn(entry.key), place: entry.place)
      }
      group.values.append(try value(entry))
    }
    return group
  }

  /// The span of rows that one event may be made of.
  private enum Span: String, CaseIterable { case day }

  private func value(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) -> EventGroup.Value {
    let verbs = EventGroup.Verb.allCases.map(\.rawValue)
    let mapping = try DocumentMapping(entry.value, entry.key, keys: verbs + ["round", "unit"])
    let asked = mapping.entries.filter { verbs.contains($0.key) }
    guard asked.count == 1, let node = asked.first?.value,
      let verb = asked.first.flatMap({ EventGroup.Verb(rawValue: $0.key) })
    else { throw entry.value.fault(.notOneOf(verbs, of: entry.key)) }
    let column = try node.text(verb.rawValue)
    _ = try field(of: column, node, verb.rawValue) { kind in
      !verb.isOfNumbers || kind == .decimal || kind == .integer
    }
    for key in ["round", "unit"] where !verb.isOfNumbers {
      if let node = mapping[key] { throw node.fault(.onlyForNumbers(key)) }
    }
    return EventGroup.Value(
      name: entry.key, verb: verb, column: column,
      places: try mapping.value("round", .count(most: 9)) { text in
        DocumentValues.count(text, in: 0...9)
      },
      unit: try mapping.localized("unit") { text, _ in text })
  }
}

extension Template {
  /// Reads a template of a feed document: words, then parts in braces, each of words and a column,
  /// with text between them, then words again. If a space or a comma and a space is between all of
  /// them, it is made of clauses. Otherwise it is a sentence. Does not check the names of columns.
  static func read(_ text: String) throws(Flaw) -> Template {
    var rest = Array(text.utf8)[...]
    var pieces: [String] = []
    var parts: [Part] = []
    while true {
      let between = rest.take { $0 != .open }
      guard !between.contains(.close) else { throw Flaw(.brace) }
      pieces.append(string(between))
      guard rest.popFirst() == .open else { break }
      let inside = rest.take { $0 != .open && $0 != .close }
      guard rest.popFirst() == .close else { throw Flaw(.brace) }
      var words = inside.split(separator: UInt8(ascii: " "))
      guard let column = words.popLast() else { throw Flaw(.empty) }
      parts.append(
        Part(words: words.map { Self.string($0) + " " }.joined(), column: Self.string(column)))
    }
    guard !parts.isEmpty else { return Template(prefix: pieces[0], clauses: []) }
    let suffix = pieces[parts.count]
    let isOfClauses =
      pieces.dropFirst().dropLast().allSatisfy { $0 == " " || $0 == ", " }
      && (suffix.isEmpty || !suffix.allSatisfy { $0 == " " })
    guard isOfClauses else { return Template(sentence: pieces, parts) }
    var clauses: [[Part]] = []
    for (piece, part) in zip(pieces, parts) {
      if clauses.isEmpty || piece == ", " { clauses.append([]) }
      clauses[clauses.count - 1].append(part)
    }
    return Template(prefix: pieces[0], clauses: clauses, suffix: suffix)
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The reason why a text is not a template.
  struct Flaw: Error {
    let flaw: FeedDocumentFault.TemplateFlaw
    init(_ flaw: FeedDocumentFault.TemplateFlaw) { self.flaw = flaw }
  }
}

extension UInt8 {
  fileprivate static let open = UInt8(ascii: "{")
  fileprivate static let close = UInt8(ascii: "}")
}

extension ArraySlice {
  /// Removes and returns the first elements that satisfy `isFit`.
  mutating func take(while isFit: (Element) -> Bool) -> ArraySlice {
    let taken = prefix(while: isFit)
    removeFirst(taken.count)
    return taken
  }
}
