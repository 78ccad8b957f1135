/// Reads what a calendar says about an event beside its times and texts.
///
///     url: "{link}"
///     status: {from: state, map: {canceled: CANCELLED, maybe: TENTATIVE}}
///     categories: [league, "{home} games"]
///     geo: {lat: latitude, lon: longitude}           # or [latitude, longitude]
extension DocumentColumns {
  /// Reads the details of an event. `template` reads and checks a text with columns.
  func details(
    _ event: DocumentMapping,
    _ template: (String, YAMLNode, String) throws(FeedDocumentFault) -> Template
  ) throws(FeedDocumentFault) -> EventDetails {
    var details = EventDetails()
    details.url = try event.localized("url") { (text, node) throws(FeedDocumentFault) in
      try template(text, node, "url")
    }
    details.status = try event["status"].map { node throws(FeedDocumentFault) in
      try status(node)
    }
    details.geo = try event["geo"].map { node throws(FeedDocumentFault) in try place(node) }
    if let node = event["categories"] {
      let items: [YAMLNode] =
        if case .sequence(let items) = node.content { items } else { [node] }
      for item in items {
        let text = try item.text("categories")
        // A column's name alone is that column.
        let category =
          fields.contains { $0.columns.contains(text) } ? "{\(text)}" : text
        let read = try template(category, item, "categories")
        details.categories.append(Localized(ru: read, en: read))
      }
    }
    return details
  }

  private func status(_ node: YAMLNode) throws(FeedDocumentFault) -> EventStatusRule {
    guard case .mapping = node.content else {
      return EventStatusRule(column: try textColumn(node, "status"))
    }
    let mapping = try DocumentMapping(node, "status", keys: ["from", "map", "else"])
    var rule = EventStatusRule(column: try textColumn(try mapping.value("from"), "from"))
    if let node = mapping["map"] {
      for entry in try DocumentMapping(node, "map", keys: nil).entries {
        rule.map[entry.key] = try Self.status(entry.value, entry.key)
      }
    }
    if let node = mapping["else"] { rule.other = try Self.status(node, "else") }
    return rule
  }

  private func textColumn(_ node: YAMLNode, _ key: String) throws(FeedDocumentFault) -> String {
    let name = try node.text(key)
    _ = try field(of: name, node, key) { $0.isReadAtOnce }
    return name
  }

  private static func status(
    _ node: YAMLNode, _ key: String
  ) throws(FeedDocumentFault) -> EventStatus {
    let text = try node.text(key)
    guard let status = EventStatus(text) else {
      throw node.fault(
        .notAChoice(text, key: key, choices: EventStatus.allCases.map(\.rawValue)))
    }
    return status
  }

  private func place(_ node: YAMLNode) throws(FeedDocumentFault) -> EventDetails.Place {
    var nodes: [YAMLNode] = []
    if case .sequence(let items) = node.content {
      guard items.count == 2 else { throw node.fault(.notTwoDegrees(items.count)) }
      nodes = items
    } else {
      let keys = ["lat", "lon"]
      guard case .mapping = node.content else {
        throw node.fault(
          .wrongKind(key: "geo", found: node.kind, wanted: [.mapping, .list], keys: keys))
      }
      let mapping = try DocumentMapping(node, "geo", keys: keys)
      nodes = [try mapping.value("lat"), try mapping.value("lon")]
    }
    func column(_ node: YAMLNode) throws(FeedDocumentFault) -> String {
      let name = try node.text("geo")
      _ = try field(of: name, node, "geo") { $0 == .decimal || $0 == .integer }
      return name
    }
    return EventDetails.Place(
      latitude: try column(nodes[0]), longitude: try column(nodes[1]))
  }
}
