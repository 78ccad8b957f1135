/// Reads the requests of a feed document: one URL, several, a list in pages, or one for each item
/// of a list.
///
///     url: {posts: https://h/posts, users: https://h/users}    # the answers become one object
///     parameters: {limit: 100, key: $API_KEY}                  # $NAME is from the environment
///     status: {path: cod, is: "200"}                           # of every answer
///     requests: {at-once: 2, per-second: 10}
struct DocumentRequests {
  /// The keys that need requests of the feed's own. A mapping of URLs does, too.
  static let keys = [
    "parameters", "status", "pages", "items", "publish", "search", "requests",
  ]
  /// The largest number of URLs.
  private static let mostURLs = 1000
  private static let mostAtOnce = 16
  private static let mostPerSecond = 1000

  let mapping: DocumentMapping

  /// Reads the requests. Returns nil if the feed has one plain URL, or none.
  func read() throws(FeedDocumentFault) -> FeedRequests? {
    let first = Self.keys.lazy.compactMap { key in self.node(key).map { (key, $0) } }.first
    let isNamed = if case .mapping? = mapping["url"]?.content { true } else { false }
    guard first != nil || isNamed else { return nil }
    guard let url = mapping["url"] else {
      let (key, node) = first ?? ("requests", mapping["requests"])
      throw FeedDocumentFault(
        problem: .keyWants(key, other: "url"), place: node?.place ?? mapping.place)
    }
    if let node = mapping["envelope"] {
      throw node.fault(.keyBeside("envelope", other: first?.0 ?? "url"))
    }
    var requests = FeedRequests(try plan(url))
    requests.status = try FeedDocument.test(mapping, "status", beside: nil)
    requests.parameters = try parameters(values: requests.items.map { [$0.item] } ?? [])
    try checkServers(requests)
    try readItems(&requests)
    try readPoliteness(&requests)
    try readSearch(&requests)
    return requests
  }

  private func plan(_ url: YAMLNode) throws(FeedDocumentFault) -> FeedRequests.Plan {
    guard case .mapping = url.content else {
      let text = try mapping.value("url", .url, DocumentValues.url) ?? ""
      if let node = mapping["items"] {
        if mapping["pages"] != nil { throw node.fault(.keyBeside("items", other: "pages")) }
        return .items(text, try DocumentItems.read(node))
      }
      guard let node = mapping["pages"] else { return .one(text) }
      return .pages(text, try DocumentPages.read(node))
    }
    for key in ["pages", "items"] {
      if let node = mapping[key] { throw node.fault(.keyBeside(key, other: "url")) }
    }
    let urls = try DocumentMapping(url, "url", keys: nil)
    guard !urls.entries.isEmpty else { throw url.fault(.noValue("url")) }
    guard urls.entries.count <= Self.mostURLs else {
      throw url.fault(.tooMany("url", limit: Self.mostURLs))
    }
    var named: [FeedRequests.Named] = []
    for entry in urls.entries {
      guard DocumentValues.columnName(entry.key) != nil else {
        throw FeedDocumentFault(
          problem: .badValue(entry.key, key: "url", .columnName), place: entry.place)
      }
      let text = try urls.value(entry.key, .url, DocumentValues.url) ?? ""
      named.append(FeedRequests.Named(name: entry.key, url: text))
    }
    return .named(named)
  }

  /// Checks that secrets are sent to one server only.
  private func checkServers(_ requests: FeedRequests) throws(FeedDocumentFault) {
    let servers = Set(requests.urls.map { HTTPOrigin($0) })
    guard servers.count > 1 else { return }
    for (key, isSecret) in [
      ("headers", mapping["headers"] != nil), ("parameters", !requests.variables.isEmpty),
    ] where isSecret {
      throw FeedDocumentFault(
        problem: .severalServers(key), place: mapping[key]?.place ?? mapping.place)
    }
  }

  /// Reads the parameters. Their values may contain `{name}` for each name in `values`.
  func parameters(values: [String]) throws(FeedDocumentFault) -> [FeedRequests.Parameter] {
    guard let node = mapping["parameters"] else { return [] }
    var parameters: [FeedRequests.Parameter] = []
    for entry in try DocumentMapping(node, "parameters", keys: nil).entries {
      let text = try entry.value.text(entry.key)
      guard let value = PlacedText(text) else {
        throw entry.value.fault(.badTemplate(key: entry.key, .brace))
      }
      if let name = value.values.first(where: { !values.contains($0) }) {
        throw entry.value.fault(.noSuchPlace(name, key: entry.key, places: values))
      }
      parameters.append(FeedRequests.Parameter(name: entry.key, value: value))
    }
    return parameters
  }

  /// Checks and reads the keys of requests for the items of a list.
  private func readItems(_ requests: inout FeedRequests) throws(FeedDocumentFault) {
    guard let list = requests.items, let node = mapping["items"] else {
      guard let node = mapping["publish"] else { return }
      throw node.fault(.keyWants("publish", other: "items"))
    }
    // Without the item all requests would be the same.
    guard requests.parameters.contains(where: { $0.value.values.contains(list.item) }) else {
      throw node.fault(.keyWants("items", other: "{\(list.item)}"))
    }
    if let search = self.node("search") { throw search.fault(.keyBeside("search", other: "items")) }
    requests.publication = try mapping.choice("publish") ?? .all
  }

  private func readPoliteness(_ requests: inout FeedRequests) throws(FeedDocumentFault) {
    guard let node = mapping["requests"] else { return }
    let mapping = try DocumentMapping(node, "requests", keys: ["at-once", "per-second"])
    requests.atOnce =
      try mapping.value("at-once", .count(most: Self.mostAtOnce)) { text in
        DocumentValues.count(text, in: 1...Self.mostAtOnce)
      } ?? requests.atOnce
    requests.perSecond =
      try mapping.value("per-second", .count(most: Self.mostPerSecond)) { text in
        DocumentValues.count(text, in: 1...Self.mostPerSecond)
      } ?? requests.perSecond
  }

  /// The value of a key, if it is about requests. `search` may be about rows only.
  private func node(_ key: String) -> YAMLNode? {
    guard key == "search" else { return mapping[key] }
    return mapping[key].flatMap { DocumentSearch.isAboutServer($0) ? $0 : nil }
  }

  private func readSearch(_ requests: inout FeedRequests) throws(FeedDocumentFault) {
    guard let node = self.node("search") else { return }
    guard case .mapping? = mapping["url"]?.content else {
      let search = try DocumentMapping(node, "search", keys: DocumentSearch.keys)
      requests.search = FeedRequests.Search(
        parameter: try search.value("parameter").text("parameter"),
        least: try search.value("least", .count(most: 100)) { text in
          DocumentValues.count(text, in: 1...100)
        } ?? 1)
      return
    }
    throw node.fault(.keyBeside("search", other: "url"))
  }
}

/// Reads the pages of a feed document.
///
///     pages: {by: page, parameter: _page, first: 1, size-parameter: _limit, size: 20}
///     pages: {by: offset, parameter: start, size-parameter: count}
///     pages: {by: link, size-parameter: per_page}
private enum DocumentPages {
  private enum By: String, CaseIterable {
    case page, offset, link
  }

  static let mostRows = 100_000
  private static let mostPages = 1_000_000

  static func read(_ node: YAMLNode) throws(FeedDocumentFault) -> FeedRequests.Paging {
    let keys = ["by", "parameter", "first", "size", "size-parameter", "most"]
    let pages = try DocumentMapping(node, "pages", keys: keys)
    let by = try pages.choice("by", of: By.self)
    guard let by else {
      throw FeedDocumentFault(problem: .missingKey("by", of: "pages"), place: pages.place)
    }
    var paging = FeedRequests.Paging(way: .link)
    if by == .link {
      for key in ["parameter", "first"] {
        if let node = pages[key] { throw node.fault(.keyBeside(key, other: "by: link")) }
      }
    } else {
      let parameter = try pages.value("parameter").text("parameter")
      let first = try number(pages, "first", 0...mostPages)
      paging.way =
        by == .page
        ? .page(parameter: parameter, first: first ?? 1)
        : .offset(parameter: parameter, first: first ?? 0)
    }
    paging.size = try number(pages, "size", 1...mostRows) ?? paging.size
    paging.sizeParameter = try pages.text("size-parameter")
    paging.most = try number(pages, "most", 1...mostPages) ?? paging.most
    return paging
  }

  private static func number(
    _ mapping: DocumentMapping, _ key: String, _ range: ClosedRange<Int>
  ) throws(FeedDocumentFault) -> Int? {
    try mapping.value(key, .count(most: range.upperBound)) { DocumentValues.count($0, in: range) }
  }
}

/// Reads the list of items of a feed document. The feed sends one request for each item.
///
///     items:
///       list: cities                     # the name of the list and of its file
///       as: city                         # {city} in parameters, $request.city in columns
///       start: [Минск, Москва]           # the list at first
///       search:
///         {url: https://h/find, parameters: {q: "{text}"}, rows: "[]", add: "{name}", least: 4}
private enum DocumentItems {
  private static let searchKeys = ["url", "parameters", "rows", "add", "show", "least"]
  private static let longestSearch = 100

  static func read(_ node: YAMLNode) throws(FeedDocumentFault) -> ItemList {
    let mapping = try DocumentMapping(node, "items", keys: ["list", "as", "start", "search"])
    guard let name = try mapping.value("list", .feedName, DocumentValues.feedName) else {
      throw FeedDocumentFault(problem: .missingKey("list", of: "items"), place: mapping.place)
    }
    guard let item = try mapping.value("as", .columnName, DocumentValues.columnName) else {
      throw FeedDocumentFault(problem: .missingKey("as", of: "items"), place: mapping.place)
    }
    if let node = mapping["as"], [Joined.answered, Joined.age].contains(item) {
      throw node.fault(.duplicateColumn(item))
    }
    var list = ItemList(name: name, item: item)
    if let node = mapping["start"] {
      var seen: Set<ContiguousArray<UInt8>> = []
      for (text, node) in try node.texts("start") {
        guard let name = ItemList.tidy(text) else {
          throw node.fault(.badValue(text, key: "start", .itemName))
        }
        guard seen.insert(Fold.key(name)).inserted else { throw node.fault(.duplicateItem(name)) }
        list.start.append(name)
      }
    }
    if let node = mapping["search"] { list.search = try search(node) }
    return list
  }

  private static func search(_ node: YAMLNode) throws(FeedDocumentFault) -> ItemList.Search {
    let mapping = try DocumentMapping(node, "search", keys: searchKeys)
    let rowsNode = try mapping.value("rows")
    let rows = try DocumentPath(rowsNode, "rows")
    guard rows.path.steps.last == .each else { throw rowsNode.fault(.badPath(rows.text, .noList)) }
    try rows.path.refuseElements(rowsNode)
    guard let url = try mapping.value("url", .url, DocumentValues.url) else {
      throw FeedDocumentFault(problem: .missingKey("url", of: "search"), place: mapping.place)
    }
    guard let add = try placed(mapping, "add") else {
      throw FeedDocumentFault(problem: .missingKey("add", of: "search"), place: mapping.place)
    }
    let parameters = try DocumentRequests(mapping: mapping)
      .parameters(values: [ItemList.Search.text])
    guard parameters.contains(where: { $0.value.values.contains(ItemList.Search.text) }) else {
      throw node.fault(.keyWants("search", other: "{\(ItemList.Search.text)}"))
    }
    return ItemList.Search(
      url: url, parameters: parameters, rows: rows.path, add: add,
      show: try placed(mapping, "show"),
      least: try mapping.value("least", .count(most: longestSearch)) { text in
        DocumentValues.count(text, in: 1...longestSearch)
      } ?? 1)
  }

  /// Reads a text with at least one placeholder for a suggestion's texts. Returns nil if the key is
  /// missing.
  private static func placed(_ mapping: DocumentMapping, _ key: String) throws(FeedDocumentFault)
    -> PlacedText?
  {
    guard let node = mapping[key] else { return nil }
    guard let text = PlacedText(try node.text(key)), !text.values.isEmpty,
      text.variables.isEmpty
    else { throw node.fault(.badTemplate(key: key, .brace)) }
    return text
  }
}
