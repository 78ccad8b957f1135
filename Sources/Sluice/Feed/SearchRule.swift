/// The columns in which people search for a place, and the parts of an address that they are.
///
///     search: {locality: city, street: street, house: number}    parts of an address
///     search: [station_id, name]                                 words, in any column
package struct SearchRule: Sendable, Equatable {
  /// A part of an address.
  package typealias Part = AddressPart

  /// A column, and its part.
  package struct Item: Sendable, Equatable {
    package var column: String
    /// Its part; nil for words.
    package var part: Part?

    package init(column: String, part: Part? = nil) {
      self.column = column
      self.part = part
    }
  }

  /// The columns, in the order in which people write them. At least one.
  package var items: [Item]
}

extension Table {
  /// The rule of the feed. Without one, the columns of the key, or else all texts.
  package var searchRule: SearchRule {
    if let search { return search }
    // The day of a key is no part of the place's name.
    let names = (keyNumber?.parts ?? key).filter(filterColumns.contains)
    let columns =
      names.isEmpty ? columns.filter { $0.kind == .text }.map(\.name) : names
    return SearchRule(items: columns.map { SearchRule.Item(column: $0) })
  }
}

/// Reads the key `search` of a feed document.
///
/// It also says how a server is searched, with other keys: ``DocumentRequests`` reads those.
enum DocumentSearch {
  static let serverKeys = ["parameter", "least"]
  /// The columns that are searched word by word, where a mapping is needed for the server's keys.
  private static let columnsKey = "columns"
  static let keys = SearchRule.Part.allCases.map(\.rawValue) + [columnsKey] + serverKeys

  /// Whether a node has something to say about the feed's server.
  static func isAboutServer(_ node: YAMLNode) -> Bool {
    guard case .mapping(let entries) = node.content else { return false }
    return entries.isEmpty || entries.contains { serverKeys.contains($0.key) }
  }

  /// Whether a node has something to say about the rows of a table.
  static func isAboutRows(_ node: YAMLNode) -> Bool {
    guard case .mapping(let entries) = node.content else { return true }
    return entries.contains { !serverKeys.contains($0.key) }
  }

  /// Reads the rule for the rows of a table; nil if the node is about the server only.
  static func rule(
    _ node: YAMLNode, _ columns: DocumentColumns
  ) throws(FeedDocumentFault) -> SearchRule? {
    guard case .mapping = node.content else {
      guard case .sequence = node.content else {
        throw node.fault(.wrongKind(key: "search", found: node.kind, wanted: [.mapping, .list]))
      }
      return try list(node, "search", columns)
    }
    let mapping = try DocumentMapping(node, "search", keys: keys)
    if let node = mapping[columnsKey] {
      for part in SearchRule.Part.allCases {
        if let node = mapping[part.rawValue] {
          throw node.fault(.keyBeside(part.rawValue, other: columnsKey))
        }
      }
      return try list(node, columnsKey, columns)
    }
    var items: [SearchRule.Item] = []
    for part in SearchRule.Part.allCases {
      guard let node = mapping[part.rawValue] else { continue }
      let column = try column(try node.text(part.rawValue), node, part.rawValue, columns)
      items.append(SearchRule.Item(column: column, part: part))
      if part.isOfHouse, mapping[SearchRule.Part.house.rawValue] == nil {
        throw node.fault(.keyWants(part.rawValue, other: SearchRule.Part.house.rawValue))
      }
    }
    guard let first = items.first else { return nil }
    if first.part?.isOfHouse == true {
      throw node.fault(.keyWants(first.part?.rawValue ?? "", other: "street"))
    }
    if let repeated = items.indices.first(where: { index in
      items[..<index].contains { $0.column == items[index].column }
    }), let part = items[repeated].part {
      throw (mapping[part.rawValue] ?? node).fault(.duplicateColumn(items[repeated].column))
    }
    return SearchRule(items: items)
  }

  private static func list(
    _ node: YAMLNode, _ key: String, _ columns: DocumentColumns
  ) throws(FeedDocumentFault) -> SearchRule {
    var items: [SearchRule.Item] = []
    for (text, node) in try node.texts(key) {
      let column = try column(text, node, key, columns)
      guard !items.contains(where: { $0.column == column }) else {
        throw node.fault(.duplicateColumn(column))
      }
      items.append(SearchRule.Item(column: column))
    }
    guard !items.isEmpty else { throw node.fault(.noValue(key)) }
    return SearchRule(items: items)
  }

  private static func column(
    _ name: String, _ node: YAMLNode, _ key: String, _ columns: DocumentColumns
  ) throws(FeedDocumentFault) -> String {
    _ = try columns.field(of: name, node, key) { $0.isReadAtOnce }
    return name
  }
}
