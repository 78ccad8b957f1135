/// Reads a feed as it is written in a YAML document, or in JSON, which is YAML too.
///
///     feed: waste
///     url: https://example.org/waste.json
///     rows: days[]
///     columns:
///       street: $.street                   # stands around the rows
///       bin: type
///       date: {kind: day, required: true}
///     key: [street, bin]
///     event: {summary: "{bin}", start: date}
///
/// `Samples/feed.schema.json` says the same to editors. What is wrong is thrown with its place; the
/// first thing counts.
package struct FeedDocument {
  /// Mappings and lists inside one another; more than the schema has.
  private static let depth = 12
  static let keys =
    [
      "feed", "summary", "url", "headers", "max-age", "language", "clock", "envelope", "rows",
      "columns", "key", "event", "tables", "views", "guards",
    ] + DocumentRequests.keys

  /// Reads a feed's document.
  package static func read(_ bytes: [UInt8]) throws(FeedDocumentFault) -> Feed {
    if isData(bytes) { throw FeedDocumentFault(problem: .data, place: .start) }
    let root: YAMLNode?
    do throws(YAMLFault) {
      root = try YAMLNode.read(bytes, depth: depth)
    } catch {
      throw FeedDocumentFault(problem: .yaml(error.problem), place: error.place)
    }
    guard let root else { throw FeedDocumentFault(problem: .empty, place: .start) }
    return try FeedDocument(mapping: DocumentMapping(root, nil, keys: keys)).feed()
  }

  /// JSON in which none of the words stand that a document cannot do without.
  private static func isData(_ bytes: [UInt8]) -> Bool {
    let start = bytes.first { !Form.isSpace($0) }
    guard start == UInt8(ascii: "{") || start == UInt8(ascii: "[") else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return !["feed", "columns", "tables"].contains { key in
      text.firstPlace(of: "\"\(key)\"") != nil || text.firstPlace(of: "\(key):") != nil
    }
  }

  let mapping: DocumentMapping

  private func feed() throws(FeedDocumentFault) -> Feed {
    guard
      let name = try mapping.value("feed", .feedName, DocumentValues.feedName)
    else { throw FeedDocumentFault(problem: .missingKey("feed", of: nil), place: mapping.place) }
    if let node = mapping["tables"] { return try feed(name, tablesIn: node) }
    if let node = mapping["views"] { throw node.fault(.viewsWithoutTables) }
    let rows = try rows()
    let columns = try DocumentColumns(mapping.value("columns"), rows: rows)
    var feed = try feed(name, rows: rows, columns.fields)
    if let node = mapping["key"] { feed.address = try columns.key(node) }
    if let node = mapping["event"] { feed.event = try columns.event(node, of: feed) }
    return feed
  }

  /// A feed of several tables: what is said of rows is said of each of them.
  private func feed(_ name: String, tablesIn node: YAMLNode) throws(FeedDocumentFault) -> Feed {
    for key in ["rows", "columns", "key", "event"] {
      if let node = mapping[key] { throw node.fault(.besideTables(key)) }
    }
    let tables = try DocumentTables(node, views: mapping["views"])
    var feed = try feed(name, rows: tables.tables[0].rows, tables.tables[0].fields)
    try checkRequestPaths(tables.tables.flatMap(\.fields), feed.requests)
    feed.tables = tables.tables
    feed.views = tables.views
    return feed
  }

  private func feed(_ name: String, rows: Path, _ fields: [Field]) throws(FeedDocumentFault) -> Feed
  {
    let requests = try DocumentRequests(mapping: mapping).read()
    var feed = Feed(
      name: name,
      summary: try mapping.localized("summary") { text, _ in text }
        ?? Localized(ru: name, en: name),
      url: requests == nil ? try mapping.value("url", .url, DocumentValues.url) : nil,
      requests: requests,
      headers: try headers(),
      maxAge: try mapping.value("max-age", .time, seconds(in:)) ?? 3600,
      language: try mapping.choice("language") ?? .en,
      clockOffset: try mapping.value("clock", .clock, DocumentValues.clock) ?? 0,
      envelope: try envelope(), rows: rows, fields: fields)
    try checkRequestPaths(fields, requests)
    // What a person takes off the list is no loss; what cannot be asked for is told.
    if requests?.items != nil { feed.maxShrink = ShrinkLimit(millionths: 1_000_000) }
    if let node = mapping["guards"] {
      feed.maxShrink =
        try DocumentMapping(node, "guards", keys: ["max-shrink"])
        .value("max-shrink", .percentage) { ShrinkLimit($0) } ?? feed.maxShrink
    }
    return feed
  }

  /// Checks that what columns read of a request is known of one.
  private func checkRequestPaths(
    _ fields: [Field], _ requests: FeedRequests?
  ) throws(FeedDocumentFault) {
    let places = requests?.known ?? []
    for field in fields where field.path.steps.first == .key(Joined.requestRoot) {
      guard !places.contains(field.path.lastKey) else { continue }
      throw FeedDocumentFault(
        problem: .noSuchPlace(field.path.lastKey, key: field.columns[0], places: places),
        place: mapping["columns"]?.place ?? mapping["tables"]?.place ?? mapping.place)
    }
  }

  private func rows() throws(FeedDocumentFault) -> Path {
    let node = try mapping.value("rows")
    let rows = try DocumentPath(node, "rows")
    guard rows.path.steps.last == .each else { throw node.fault(.badPath(rows.text, .noList)) }
    try rows.path.refuseElements(node)
    return rows.path
  }

  private func headers() throws(FeedDocumentFault) -> [Feed.Header] {
    guard let node = mapping["headers"] else { return [] }
    var headers: [Feed.Header] = []
    for entry in try DocumentMapping(node, "headers", keys: nil).entries {
      // What the environment says is not known yet: any word does.
      guard HeaderLine("\(entry.key): x") != nil else {
        throw FeedDocumentFault(
          problem: .badValue(entry.key, key: "headers", .headerName), place: entry.place)
      }
      let value = try entry.value.text(entry.key)
      guard HeaderLine("\(entry.key): \(value)") != nil else {
        throw entry.value.fault(.badValue("***", key: entry.key, .headerValue))
      }
      headers.append(Feed.Header(name: entry.key, value: value))
    }
    return headers
  }

  // MARK: The envelope

  private func envelope() throws(FeedDocumentFault) -> Envelope? {
    guard let node = mapping["envelope"] else { return nil }
    let keys = ["status", "match", "payload", "version"]
    let envelope = try DocumentMapping(node, "envelope", keys: keys)
    let payloadNode = try envelope.value("payload")
    let payload = try DocumentPath(payloadNode, "payload")
    guard case .key? = payload.path.steps.last else {
      throw payloadNode.fault(.badPath(payload.text, .syntax))
    }
    try payload.path.refuseElements(payloadNode)
    let match = try Self.test(envelope, "match", beside: payload)
    switch (payload.path.arrays, match) {
    case (0, nil): break
    case (0, _?): throw (envelope["match"] ?? node).fault(.badPath(payload.text, .matchWithoutList))
    case (1, _?) where payload.path.steps.dropLast().last == .each: break
    case (1, nil): throw payloadNode.fault(.badPath(payload.text, .listWithoutMatch))
    default: throw payloadNode.fault(.badPath(payload.text, .matchWithoutList))
    }
    return Envelope(
      status: try Self.test(envelope, "status", beside: nil), match: match, payload: payload.path,
      version: try envelope["version"].map { node throws(FeedDocumentFault) in
        try Self.path(node, "version", beside: payload)
      })
  }

  static func test(
    _ envelope: DocumentMapping, _ key: String, beside payload: DocumentPath?
  ) throws(FeedDocumentFault) -> Envelope.Test? {
    guard let node = envelope[key] else { return nil }
    let test = try DocumentMapping(node, key, keys: ["path", "is"])
    return Envelope.Test(
      path: try path(try test.value("path"), "path", beside: payload),
      value: try test.value("is").text("is"))
  }

  private static func path(
    _ node: YAMLNode, _ key: String, beside payload: DocumentPath?
  ) throws(FeedDocumentFault) -> Path {
    let path = try DocumentPath(node, key)
    guard case .key? = path.path.steps.last else {
      throw node.fault(.badPath(path.text, .syntax))
    }
    try path.path.refuseElements(node)
    if let payload, path.path.steps.dropLast() != payload.path.steps.dropLast() {
      let around = Path(Array(payload.path.steps.dropLast()))
      throw node.fault(.badPath(path.text, .notBeside(payload: around.description)))
    }
    if payload == nil, path.path.arrays > 0 {
      throw node.fault(.badPath(path.text, .matchWithoutList))
    }
    return path.path
  }
}
