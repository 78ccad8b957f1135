extension DocumentColumns {
  private static let eventKeys = [
    "calendar", "color", "refresh", "summary", "location", "description", "category", "start",
    "end", "alarm", "each", "values",
  ]

  /// Reads what makes a row an event.
  func event(_ node: YAMLNode, of feed: Feed) throws(FeedDocumentFault) -> Event {
    let event = try DocumentMapping(node, "event", keys: Self.eventKeys)
    guard let key = feed.address?.parts else { throw node.fault(.eventWithoutKey) }
    if event["each"] != nil, let node = event["end"] {
      throw node.fault(.keyBeside("end", other: "each"))
    }
    let (start, end) = try days(event)
    let group = try group(event, of: feed, start: start)
    // An event of several rows has what they share, and what is made of the rest.
    let columns = group.map { key + [start] + $0.values.map(\.name) } ?? feed.columns
    func template(_ key: String) throws(FeedDocumentFault) -> Localized<Template>? {
      try event.localized(key) { (text, node) throws(FeedDocumentFault) in
        try Self.template(text, node, key, columns)
      }
    }
    guard let summary = try template("summary") else {
      throw FeedDocumentFault(problem: .missingKey("summary", of: "event"), place: event.place)
    }
    return Event(
      calendarName: try event.localized("calendar") { text, _ in text } ?? feed.summary,
      color: try event.value("color", .color) { text in
        ColorNames.contains(text) ? text : nil
      },
      refresh: try event.value("refresh", .refresh, DocumentValues.refresh) ?? "P1D",
      summary: summary, location: try template("location"),
      description: try template("description"),
      category: try event.localized("category") { text, _ in text },
      start: start, end: end,
      alarm: try event.value("alarm", .time) { Alarm($0)?.duration }, group: group)
  }

  private static func template(
    _ text: String, _ node: YAMLNode, _ key: String, _ columns: [String]
  ) throws(FeedDocumentFault) -> Template {
    let template: Template
    do throws(Template.Flaw) {
      template = try Template.read(text)
    } catch {
      throw node.fault(.badTemplate(key: key, error.flaw))
    }
    for part in template.clauses.joined()
    where !columns.contains(part.column) && part.column != Template.days {
      throw node.fault(.unknownColumn(part.column, key: key, columns: columns + [Template.days]))
    }
    return template
  }

  /// The columns that the event begins and ends with.
  private func days(_ event: DocumentMapping) throws(FeedDocumentFault) -> (String, String?) {
    let period = fields.first { $0.rule == .period }
    let days = fields.filter(\.rule.givesDays)
    var first: Field
    let start: String
    if let node = event["start"] {
      start = try node.text("start")
      first = try field(of: start, node, "start", \.givesDays)
    } else {
      // Where there is no choice, nothing need be said.
      guard let field = period ?? (days.count == 1 ? days.first : nil) else {
        throw FeedDocumentFault(problem: .missingKey("start", of: "event"), place: event.place)
      }
      (first, start) = (field, field.columns[0])
    }
    guard let node = event["end"] else {
      return (start, first.rule == .period ? first.columns[1] : nil)
    }
    let end = try node.text("end")
    let rule = first.rule
    let last = try field(of: end, node, "end") { $0 == rule }
    // A period is both.
    guard last.columns.last == end, end != start else {
      throw node.fault(
        .columnOfOtherKind(
          end, last.rule, key: "end",
          columns: fields.filter { $0.rule == rule && $0.columns.last != start }
            .compactMap(\.columns.last)))
    }
    return (start, end)
  }
}
