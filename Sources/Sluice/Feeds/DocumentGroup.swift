extension DocumentColumns {
  /// Reads how several rows make one event; nil where each row is one.
  ///
  ///     each: day
  ///     values:
  ///       temperature: {range: temperature, round: 0, unit: °C}
  ///       falls: {texts: description}
  func group(_ event: DocumentMapping, of feed: Feed, start: String)
    throws(FeedDocumentFault) -> EventGroup?
  {
    guard try event.choice("each", of: Span.self) != nil else {
      if let node = event["values"] { throw node.fault(.keyWants("values", other: "each")) }
      return nil
    }
    // A period is no one day.
    let isOneDay = { (rule: Rule) in rule == .day || rule == .instant }
    if let node = event["start"] {
      _ = try field(of: start, node, "start", isOneDay)
    } else if let field = fields.first(where: { $0.columns.contains(start) }), !isOneDay(field.rule)
    {
      throw FeedDocumentFault(problem: .missingKey("start", of: "event"), place: event.place)
    }
    var group = EventGroup(values: [])
    guard let node = event["values"] else { return group }
    let taken = (feed.address?.parts ?? []) + [start]
    for entry in try DocumentMapping(node, "values", keys: nil).entries {
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

  /// What one event may be made for.
  private enum Span: String, CaseIterable { case day }

  private func value(_ entry: YAMLNode.Entry) throws(FeedDocumentFault) -> EventGroup.Value {
    let verbs = EventGroup.Verb.allCases.map(\.rawValue)
    let mapping = try DocumentMapping(entry.value, entry.key, keys: verbs + ["round", "unit"])
    let asked = mapping.entries.filter { verbs.contains($0.key) }
    guard asked.count == 1, let node = asked.first?.value,
      let verb = asked.first.flatMap({ EventGroup.Verb(rawValue: $0.key) })
    else { throw entry.value.fault(.notOneOf(verbs, of: entry.key)) }
    let column = try node.text(verb.rawValue)
    _ = try field(of: column, node, verb.rawValue) { rule in
      !verb.isOfNumbers || rule == .decimal || rule == .integer
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
