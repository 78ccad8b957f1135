extension Table {
  /// The table with each of its events alone, in their order. The texts of an event stand in a row
  /// after those of the events before it.
  var ofEachEvent: [Table] {
    var before = 0
    return events.map { event in
      var table = self
      table.events = [event]
      table.event?.textsBefore = before
      before += table.eventTexts?.count ?? 0
      return table
    }
  }
}

extension DocumentColumns {
  /// The largest number of events of a row.
  private static let mostEvents = 100
  /// The keys of what all events of a calendar share.
  private static let calendarKeys = ["calendar", "color", "refresh", "alarm"]

  /// Reads the events of a table: one, or a list of those that each row has.
  ///
  ///     event:
  ///       - {summary: "Exam: {course}", start: exam, calendar: Exams}
  ///       - {summary: "Re-sit: {course}", start: resit, as: resit}
  mutating func events(
    _ node: YAMLNode, of feed: Feed, _ table: Table
  ) throws(FeedDocumentFault) -> [Event] {
    guard case .sequence(let items) = node.content else {
      return [try event(node, of: feed, table)]
    }
    guard items.count != 1 else { return [try event(items[0], of: feed, table)] }
    guard !items.isEmpty else { throw node.fault(.noValue("event")) }
    guard items.count <= Self.mostEvents else {
      throw node.fault(.tooMany("event", limit: Self.mostEvents))
    }
    var events: [Event] = []
    for (index, item) in items.enumerated() {
      let mapping = try DocumentMapping(item, "event", keys: nil)
      for key in ["each", "values", "repeat"] {
        if let entry = mapping.entries.first(where: { $0.key == key }) {
          throw FeedDocumentFault(problem: .onlyForOneEvent(key), place: entry.place)
        }
      }
      for key in Self.calendarKeys where index > 0 {
        if let entry = mapping.entries.first(where: { $0.key == key }) {
          throw FeedDocumentFault(problem: .onlyForFirstEvent(key), place: entry.place)
        }
      }
      var event = try event(item, of: feed, table, isOneOfMany: true)
      if let name = try mapping.value("as", .columnName, DocumentValues.columnName) {
        event.tag = name
      } else if index > 0 {
        event.tag = "\(index + 1)"
      }
      if events.contains(where: { $0.tag == event.tag }), let node = mapping["as"] {
        throw node.fault(.duplicateItem(event.tag))
      }
      events.append(event)
    }
    return events
  }
}
