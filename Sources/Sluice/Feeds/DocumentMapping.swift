/// A mapping of a feed document: it has no other keys than those that are known.
struct DocumentMapping {
  /// What errors call it; nil for the document itself.
  let name: String?
  let place: TextPlace
  let entries: [YAMLNode.Entry]

  /// Takes a mapping; any key where none are named.
  init(_ node: YAMLNode, _ name: String?, keys: [String]?) throws(FeedDocumentFault) {
    guard case .mapping(let entries) = node.content else {
      throw node.fault(.wrongKind(key: name, found: node.kind, wanted: [.mapping]))
    }
    self.name = name
    self.entries = entries
    place = node.place
    for entry in entries {
      if let keys, !keys.contains(entry.key) {
        throw FeedDocumentFault(
          problem: .unknownKey(entry.key, of: name, allowed: keys), place: entry.place)
      }
      if entry.value.isMissing { throw entry.value.fault(.noValue(entry.key)) }
    }
  }

  /// The value of a key, where there is one.
  subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

  /// The value of a key that must be there.
  func value(_ key: String) throws(FeedDocumentFault) -> YAMLNode {
    guard let node = self[key] else {
      throw FeedDocumentFault(problem: .missingKey(key, of: name), place: place)
    }
    return node
  }

  /// The text of a key, where there is one.
  func text(_ key: String) throws(FeedDocumentFault) -> String? {
    guard let node = self[key] else { return nil }
    return try node.text(key)
  }

  /// The value of a key, read by `read`; where that gives nil, the text is refused.
  func value<Value>(
    _ key: String, _ wanted: FeedDocumentFault.Wanted, _ read: (String) -> Value?
  ) throws(FeedDocumentFault) -> Value? {
    guard let node = self[key] else { return nil }
    let text = try node.text(key)
    guard let value = read(text) else { throw node.fault(.badValue(text, key: key, wanted)) }
    return value
  }

  /// The value of a key that is one of an enumeration's names.
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

  /// The value of a key in every language, read by `read`: one text for all, or one for each.
  func localized<Value>(
    _ key: String, _ read: (String, YAMLNode) throws(FeedDocumentFault) -> Value
  ) throws(FeedDocumentFault) -> Localized<Value>? {
    guard let node = self[key] else { return nil }
    guard case .mapping = node.content else {
      guard case .scalar(let text, _) = node.content else {
        throw node.fault(.wrongKind(key: key, found: node.kind, wanted: [.text, .mapping]))
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
  /// What is wrong here.
  func fault(_ problem: FeedDocumentFault.Problem) -> FeedDocumentFault {
    FeedDocumentFault(problem: problem, place: place)
  }

  var kind: FeedDocumentFault.Kind {
    switch content {
    case .scalar: .text
    case .sequence: .list
    case .mapping: .mapping
    }
  }

  /// The text of the node, which is the value of a key.
  func text(_ key: String) throws(FeedDocumentFault) -> String {
    guard case .scalar(let text, _) = content else {
      throw fault(.wrongKind(key: key, found: kind, wanted: [.text]))
    }
    if isMissing { throw fault(.noValue(key)) }
    return text
  }

  /// The texts of a list, which is the value of a key, with their nodes.
  func texts(_ key: String) throws(FeedDocumentFault) -> [(text: String, node: YAMLNode)] {
    guard case .sequence(let items) = content else {
      throw fault(.wrongKind(key: key, found: kind, wanted: [.list]))
    }
    var texts: [(String, YAMLNode)] = []
    for item in items { texts.append((try item.text(key), item)) }
    return texts
  }
}
