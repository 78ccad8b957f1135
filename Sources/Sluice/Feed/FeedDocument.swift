extension Feed {
  /// Reads a feed document: YAML, or JSON, which is YAML too. docs/feeds.md describes it.
  ///
  /// Throws the first ``FeedDocumentFault``, with its place.
  public init(yaml: String) throws(FeedDocumentFault) {
    self = try FeedDocument.read(Array(yaml.utf8))
  }
}

/// Reads a feed from a YAML document, or from JSON, which is YAML too.
///
///     feed: waste
///     url: https://example.org/waste.json
///     rows: days[]
///     columns:
///       street: $.street                   # is around the rows
///       bin: type
///       date: {kind: day, required: true}
///     key: [street, bin]
///     event: {summary: "{bin}", start: date}
///
/// `Samples/feed.schema.json` has the same rules for editors. Only the first error is thrown, with
/// its place.
package struct FeedDocument {
  /// The largest depth of nested mappings and lists. The schema has less.
  private static let depth = 12
  static let keys =
    [
      "sluice", "feed", "summary", "url", "headers", "max-age", "language", "clock", "gap",
      "overlap",
      "envelope", "hold", "rows", "zip",
      "columns", "where", "key", "marks", "hides", "event", "tables", "views", "guards",
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
    try checkVersion(root)
    return try FeedDocument(mapping: DocumentMapping(root, nil, keys: keys)).feed()
  }

  /// The latest version of documents that is read.
  package static let version = 2

  /// Checks the version that a document names. A later one may have any keys.
  private static func checkVersion(_ root: YAMLNode) throws(FeedDocumentFault) {
    guard case .mapping(let entries) = root.content,
      let node = entries.first(where: { $0.key == "sluice" })?.value
    else { return }
    let text = try node.text("sluice")
    guard let number = DocumentValues.count(text, in: 1...999) else {
      throw node.fault(.badValue(text, key: "sluice", .version))
    }
    guard number <= version else { throw node.fault(.laterVersion(number, known: version)) }
  }

  /// Whether the text is JSON without any of the words that every document has.
  private static func isData(_ bytes: [UInt8]) -> Bool {
    let start = bytes.first { !InputFormat.isSpace($0) }
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
    let rows = try DocumentRows(mapping)
    var columns = try DocumentColumns(mapping.value("columns"), rows: rows)
    // A table has a name that SQL and files can have.
    var table = Table(
      String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }), rows: rows.path,
      fields: columns.fields)
    table.zipped = rows.zip
    var feed = try feed(name, [table])
    table.conditions = try mapping["where"].map { node throws(FeedDocumentFault) in
      try DocumentConditions(columns: columns).read(node)
    }
    if let node = mapping["key"] {
      let key = try columns.key(node)
      table.keyNumber = key.number
      if key.isUnique { table.key = key.number.parts }
    } else if let node = mapping["marks"] {
      throw node.fault(.keyWants("marks", other: "key"))
    }
    try table.readMarks(mapping, columns)
    if let node = mapping["search"] { table.search = try DocumentSearch.rule(node, columns) }
    if let node = mapping["event"] {
      table.events = try columns.events(node, of: feed, table)
      table.fields = columns.fields
    }
    feed.tables = [table]
    return feed
  }

  /// Makes a feed of several tables. The keys of rows belong to each table.
  private func feed(_ name: String, tablesIn node: YAMLNode) throws(FeedDocumentFault) -> Feed {
    for key in ["rows", "zip", "columns", "where", "key", "marks", "hides", "event"] {
      if let node = mapping[key] { throw node.fault(.besideTables(key)) }
    }
    if let node = mapping["search"], DocumentSearch.isAboutRows(node) {
      throw node.fault(.besideTables("search"))
    }
    var tables = try DocumentTables(node, views: mapping["views"])
    var feed = try feed(name, tables.tables)
    try tables.readEvents(of: feed)
    feed.tables = tables.tables
    feed.views = tables.views
    return feed
  }

  private func feed(_ name: String, _ tables: [Table]) throws(FeedDocumentFault) -> Feed {
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
      envelope: try envelope(), tables: tables)
    feed.hold =
      try mapping.value("hold", .size, DocumentShape.size) ?? Feed.standardHold
    feed.clock = try mapping.value("clock", .clock, DocumentValues.clock) ?? .written
    if case .zone(let name) = feed.clock { try mapping["clock"]?.check(zone: name, "clock") }
    feed.clockChanges = ClockChanges(
      gap: try mapping.choice("gap") ?? .reject, overlap: try mapping.choice("overlap") ?? .earlier)
    try checkRequestPaths(tables.flatMap(\.fields), requests)
    // An item that the user removes is not a loss, and a request that fails is reported.
    if requests?.items != nil { feed.maxShrink = ShrinkLimit(millionths: 1_000_000) }
    if let node = mapping["guards"] {
      feed.maxShrink =
        try DocumentMapping(node, "guards", keys: ["max-shrink"])
        .value("max-shrink", .percentage) { ShrinkLimit($0) } ?? feed.maxShrink
    }
    return feed
  }

  /// Checks that each column of request data names a fact that requests have.
  private func checkRequestPaths(
    _ fields: [Field], _ requests: FeedRequests?
  ) throws(FeedDocumentFault) {
    let places = requests?.known ?? []
    for field in fields where field.path.steps.first == .key(Joined.requestRoot) {
      guard !places.contains(field.path.lastKey) else { continue }
      throw FeedDocumentFault(
        problem: .noSuchPlace(
          field.path.lastKey, key: field.columns.first ?? "from", places: places),
        place: mapping["columns"]?.place ?? mapping["tables"]?.place ?? mapping.place)
    }
  }

  private func headers() throws(FeedDocumentFault) -> [Feed.Header] {
    guard let node = mapping["headers"] else { return [] }
    var headers: [Feed.Header] = []
    for entry in try DocumentMapping(node, "headers", keys: nil).entries {
      // The values from the environment are not known yet, so any word is tried.
      guard HeaderLine("\(entry.key): x") != nil else {
        throw FeedDocumentFault(
          problem: .badValue(entry.key, key: "headers", .headerName), place: entry.place)
      }
      let value = try entry.value.text(entry.key)
      guard HeaderLine("\(entry.key): \(value)") != nil else {
        throw entry.value.fault(.badValue(Redaction.mark, key: entry.key, .headerValue))
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

/// A mapping of a feed document. It has only allowed keys.
struct DocumentMapping {
  /// Its name in errors, or nil for the document itself.
  let name: String?
  let place: TextPlace
  let entries: [YAMLNode.Entry]

  /// Reads a mapping. Throws if it has a key that is not in `keys`. If `keys` is nil, any key is
  /// allowed. Throws if a key has no value, unless `allowsMissing` is true.
  init(
    _ node: YAMLNode, _ name: String?, keys: [String]?, allowsMissing: Bool = false
  ) throws(FeedDocumentFault) {
    guard case .mapping(let entries) = node.content else {
      throw node.fault(
        .wrongKind(
          key: name, found: node.kind, wanted: [.mapping], keys: name == nil ? [] : keys ?? []))
    }
    self.name = name
    self.entries = entries
    place = node.place
    for entry in entries {
      if let keys, !keys.contains(entry.key) {
        throw FeedDocumentFault(
          problem: .unknownKey(entry.key, of: name, allowed: keys), place: entry.place)
      }
      if entry.value.isMissing, !allowsMissing { throw entry.value.fault(.noValue(entry.key)) }
    }
  }

  /// The value of a key, or nil if the key is missing.
  subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

  /// Returns the value of a key. Throws if the key is missing.
  func value(_ key: String) throws(FeedDocumentFault) -> YAMLNode {
    guard let node = self[key] else {
      throw FeedDocumentFault(problem: .missingKey(key, of: name), place: place)
    }
    return node
  }

  /// Returns the text of a key, or nil if the key is missing.
  func text(_ key: String) throws(FeedDocumentFault) -> String? {
    guard let node = self[key] else { return nil }
    return try node.text(key)
  }

  /// Returns the value of a key, as `read` converts it, or nil if the key is missing. Throws if
  /// `read` returns nil.
  func value<Value>(
    _ key: String, _ wanted: FeedDocumentFault.Wanted, _ read: (String) -> Value?
  ) throws(FeedDocumentFault) -> Value? {
    guard let node = self[key] else { return nil }
    let text = try node.text(key)
    guard let value = read(text) else { throw node.fault(.badValue(text, key: key, wanted)) }
    return value
  }

  /// Returns the value of a key that is one of an enumeration's names, or nil if the key is
  /// missing.
  func choice<Value>(_ key: String, of: Value.Type = Value.self) throws(FeedDocumentFault) -> Value?
  where Value: CaseIterable & RawRepresentable<String> {
    guard let node = self[key] else { return nil }
    let text = try node.text(key)
    guard let value = Value(rawValue: text) else {
      throw node.fault(
        .notAChoice(text, key: key, choices: Value.allCases.map(\.rawValue)))
    }
    return value
  }

  /// Returns the value of a key in each language, as `read` converts it: from one text for all, or
  /// one text for each. Returns nil if the key is missing.
  func localized<Value>(
    _ key: String, _ read: (String, YAMLNode) throws(FeedDocumentFault) -> Value
  ) throws(FeedDocumentFault) -> Localized<Value>? {
    guard let node = self[key] else { return nil }
    guard case .mapping = node.content else {
      guard case .scalar(let text, _) = node.content else {
        throw node.fault(
          .wrongKind(
            key: key, found: node.kind, wanted: [.text, .mapping],
            keys: Language.allCases.map(\.rawValue)))
      }
      let value = try read(text, node)
      return Localized(ru: value, en: value)
    }
    let languages = try DocumentMapping(node, key, keys: Language.allCases.map(\.rawValue))
    let (ru, en) = (try languages.value("ru"), try languages.value("en"))
    return Localized(
      ru: try read(try ru.text("ru"), ru), en: try read(try en.text("en"), en))
  }
}

extension YAMLNode {
  /// Makes an error at this place.
  func fault(_ problem: FeedDocumentFault.Problem) -> FeedDocumentFault {
    FeedDocumentFault(problem: problem, place: place)
  }

  /// Throws if there is no time zone of this name, which is the value of a key. Whether the system
  /// has the database at all is a matter of the run.
  func check(zone name: String, _ key: String) throws(FeedDocumentFault) {
    if ZoneFile.lacks(name) { throw fault(.unknownZone(name, key: key)) }
  }

  var kind: FeedDocumentFault.Kind {
    switch content {
    case .scalar: .text
    case .sequence: .list
    case .mapping: .mapping
    }
  }

  /// Returns the text of the node, which is the value of a key. Throws if it is not a text.
  func text(_ key: String) throws(FeedDocumentFault) -> String {
    guard case .scalar(let text, _) = content else {
      throw fault(.wrongKind(key: key, found: kind, wanted: [.text]))
    }
    if isMissing { throw fault(.noValue(key)) }
    return text
  }

  /// Returns the texts of a list, which is the value of a key, with their nodes. Throws if it is
  /// not a list of texts.
  func texts(_ key: String) throws(FeedDocumentFault) -> [(text: String, node: YAMLNode)] {
    guard case .sequence(let items) = content else {
      throw fault(.wrongKind(key: key, found: kind, wanted: [.list]))
    }
    var texts: [(String, YAMLNode)] = []
    for item in items { texts.append((try item.text(key), item)) }
    return texts
  }
}

/// Reads texts of a feed document that have a syntax of their own. Each function returns nil for
/// any other text.
enum DocumentValues {
  /// A feed's name, which is used in the names of folders and in UIDs: letters a to z, digits and
  /// dashes.
  static func feedName(_ text: String) -> String? {
    guard (1...64).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else {
      return nil
    }
    let isName = text.utf8.allSatisfy { byte in
      isDigit(byte) || isLower(byte) || byte == UInt8(ascii: "-")
    }
    return isName ? text : nil
  }

  /// A column's name, which needs no quotes in any format: letters of any script, digits, `_` and
  /// `-`.
  static func columnName(_ text: String) -> String? {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic,
      text.utf8.count <= 64
    else { return nil }
    let isName = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || "0"..."9" ~= scalar || scalar == "_" || scalar == "-"
    }
    return isName ? text : nil
  }

  /// Returns the form of a column's or table's name that is equal for equal names. A database
  /// ignores the case of ASCII letters.
  static func comparable(_ name: String) -> String {
    String(
      decoding: name.utf8.map { byte in
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
      }, as: UTF8.self)
  }

  /// An http or https URL in ASCII (RFC 3986, appendix A) with a certain origin.
  static func url(_ text: String) -> String? {
    let isURL = text.utf8.allSatisfy { byte in
      (0x21..<0x7F).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }
    return isURL && HTTPOrigin(text) != nil ? text : nil
  }

  /// A clock: its distance from UTC, `Z`, `+03:00` or `-0330`, or the name of a time zone.
  static func clock(_ text: String) -> Clock? {
    offset(text).map { .offset($0) } ?? zone(text).map { .zone($0) }
  }

  /// The name of a time zone. `GMT+3` and the like are names too.
  static func zone(_ text: String) -> String? {
    guard let first = text.utf8.first, isLower(first | 0x20), ZoneFile.isName(text) else {
      return nil
    }
    return text
  }

  /// A distance from UTC in seconds.
  static func offset(_ text: String) -> Int? {
    if text == "Z" || text == "UTC" { return 0 }
    var digits = Array(text.utf8)
    guard let sign = digits.first, "+-".utf8.contains(sign) else { return nil }
    digits.removeFirst()
    if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
    guard digits.count == 4, digits.allSatisfy(isDigit) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard number / 100 < 24, number % 100 < 60 else { return nil }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// An interval of updates, `1d` or `P1D`, as an RFC 5545 duration (section 3.3.6).
  static func refresh(_ text: String) -> String? {
    if let time = Alarm(text) { return time.duration }
    guard text.first == "P" else { return nil }
    let parts = text.dropFirst().split(separator: "T", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), text.utf8.count < 20 else { return nil }
    let hasDays = isDuration(parts[0], "WD")
    guard parts.count == 2 else { return hasDays ? text : nil }
    return (hasDays || parts[0].isEmpty) && isDuration(parts[1], "HMS") ? text : nil
  }

  /// Whether the text consists of numbers with these letters, in their order.
  private static func isDuration(_ text: Substring, _ letters: String) -> Bool {
    var letters = letters[...]
    var rest = text
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, digits.endIndex < rest.endIndex,
        let index = letters.firstIndex(of: rest[digits.endIndex])
      else { return false }
      letters = letters[letters.index(after: index)...]
      rest = rest[rest.index(after: digits.endIndex)...]
    }
    return !text.isEmpty
  }

  /// A whole number of this range, in digits.
  static func count(_ text: String, in range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }

  /// `true` or `false`.
  static func flag(_ text: String) -> Bool? {
    switch text {
    case "true": true
    case "false": false
    default: nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
  private static func isLower(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
}
