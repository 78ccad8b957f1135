/// Reads the list for each of whose items a feed document asks.
///
///     items:
///       list: cities                     # names the list and its file
///       as: city                         # {city} in parameters, $request.city in columns
///       start: [Минск, Москва]           # the list at first
///       search: {url: https://h/find, parameters: {q: "{text}"}, rows: "[]", add: "{name}", least: 4}
enum DocumentItems {
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
      for (text, node) in try node.texts("start") {
        guard let name = ItemNames.tidy(text) else {
          throw node.fault(.badValue(text, key: "start", .itemName))
        }
        if list.start.contains(where: { Fold.key($0) == Fold.key(name) }) {
          throw node.fault(.duplicateItem(name))
        }
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

  /// A text with places for a suggestion's texts, one at least.
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
