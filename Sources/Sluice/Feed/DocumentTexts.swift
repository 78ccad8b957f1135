extension InputFact {
  /// Reads a fact about the input that stands in the place of a path.
  init?(_ node: YAMLNode) {
    guard case .scalar(let text, _) = node.content else { return nil }
    self.init(rawValue: text)
  }
}

/// Reads how the texts of columns are made.
extension DocumentColumns {
  /// The keys of columns that make texts.
  static let textKeys = ["value", "first"] + ruleKeys
  private static let ruleKeys = [
    "html", "split", "cut", "trim", "case", "map", "decimal", "thousands",
  ]

  /// Returns the paths of a column's values: that of `from` or of its own name, those of `first`,
  /// or none for a constant.
  mutating func sources(
    _ column: DocumentMapping, _ entry: YAMLNode.Entry
  ) throws(FeedDocumentFault) -> [Path] {
    let ways = ["value", "first", "from"].filter { column[$0] != nil }
    if ways.count > 1, let node = column[ways[0]] {
      throw node.fault(.keyBeside(ways[0], other: ways[1]))
    }
    if column["value"] != nil || column["from"].flatMap(InputFact.init) != nil { return [] }
    guard let node = column["first"] else {
      if let node = column["from"] { return [try fieldPath(node, "from")] }
      let path = try ownPath(entry.key, entry.value)
      try check(path, entry.value)
      return [path]
    }
    guard case .sequence(let items) = node.content else {
      throw node.fault(.wrongKind(key: "first", found: node.kind, wanted: [.list]))
    }
    guard !items.isEmpty else { throw node.fault(.noValue("first")) }
    guard items.count <= Self.most else {
      throw node.fault(.tooMany("first", limit: Self.most))
    }
    var paths: [Path] = []
    for item in items {
      let path = try fieldPath(item, "first")
      guard !paths.contains(path) else { throw item.fault(.duplicateItem(path.description)) }
      paths.append(path)
    }
    return paths
  }

  /// Returns how a column's text is made of the values at these paths; nil if it is the value as it
  /// came.
  func made(
    _ column: DocumentMapping, _ kind: FieldKind, of paths: [Path]
  ) throws(FeedDocumentFault) -> MadeText? {
    if let node = column["value"] {
      for key in Self.ruleKeys {
        if let node = column[key] { throw node.fault(.keyBeside(key, other: "value")) }
      }
      let text = try node.text("value")
      if let wanted = DocumentValues.misfit(text, of: kind.columnKind) {
        throw node.fault(.badValue(text, key: "value", wanted))
      }
      return MadeText(constant: text)
    }
    let rules = try rules(column, kind)
    if let fact = column["from"].flatMap(InputFact.init) { return MadeText(of: fact, rules) }
    return column["first"] == nil && rules.isEmpty ? nil : MadeText(paths: paths, rules)
  }

  // MARK: Rules

  private enum HTMLForm: String, CaseIterable { case text }

  private func rules(
    _ column: DocumentMapping, _ kind: FieldKind
  ) throws(FeedDocumentFault) -> TextRules {
    var rules = TextRules()
    rules.isHTML = try column.choice("html", of: HTMLForm.self) != nil
    if let node = column["split"] {
      let split = try DocumentMapping(node, "split", keys: ["by", "take"])
      let take = try split.value("take", .partNumber) { text in
        let isFromEnd = text.hasPrefix("-")
        return DocumentValues.count(isFromEnd ? String(text.dropFirst()) : text, in: 1...Self.most)
          .map { isFromEnd ? -$0 : $0 }
      }
      guard let take else {
        throw FeedDocumentFault(problem: .missingKey("take", of: "split"), place: split.place)
      }
      rules.split = TextRules.Split(by: try split.value("by").text("by"), take: take)
    }
    if let node = column["cut"] {
      let cut = try DocumentMapping(node, "cut", keys: ["prefix", "suffix"])
      guard !cut.entries.isEmpty else { throw node.fault(.noValue("cut")) }
      rules.prefix = try cut.text("prefix") ?? ""
      rules.suffix = try cut.text("suffix") ?? ""
    }
    rules.trim = try column.value("trim", .characters) { text in
      // White space goes in any case, and nobody takes off the letters of these words.
      DocumentValues.flag(text) == nil ? text : nil
    }
    rules.letters = try column.choice("case")
    rules.map = try column["map"].map { node throws(FeedDocumentFault) in try map(node, kind) }
    rules.number = try number(column, kind)
    return rules
  }

  /// Reads the signs in a column's numbers; nil if they are JSON's.
  private func number(
    _ column: DocumentMapping, _ kind: FieldKind
  ) throws(FeedDocumentFault) -> TextRules.NumberForm? {
    if let node = column["decimal"], kind != .decimal {
      throw node.fault(.onlyFor(.decimal, key: "decimal"))
    }
    if let node = column["thousands"], kind != .decimal, kind != .integer {
      throw node.fault(.onlyForKinds([.decimal, .integer], key: "thousands"))
    }
    guard column["decimal"] != nil || column["thousands"] != nil else { return nil }
    var form = TextRules.NumberForm()
    form.hasDecimalComma =
      try column.value("decimal", .decimalSign) { text in
        text == "," ? true : text == "." ? false : nil
      } ?? false
    // A whole number has no decimals, so that each sign is free.
    let taken = kind == .integer ? nil : form.hasDecimalComma ? "," : "."
    form.thousands = try column.value("thousands", .thousandsSign(taken: taken)) { text in
      TextRules.NumberForm.separators.contains(text) && text != taken ? text : nil
    }
    return form
  }

  private func map(_ node: YAMLNode, _ kind: FieldKind) throws(FeedDocumentFault) -> TextRules.Map {
    var map = TextRules.Map(texts: [:], other: .keep)
    let entries = try DocumentMapping(node, "map", keys: nil, allowsMissing: true).entries
    guard !entries.isEmpty else { throw node.fault(.noValue("map")) }
    for entry in entries {
      // An empty text is a missing value.
      let text = entry.value.isMissing ? "" : try entry.value.text(entry.key)
      let isOther = entry.key == "else"
      guard !isOther || text != "keep" else { continue }
      guard !isOther || text != "reject" else {
        map.other = .reject
        continue
      }
      if !text.isEmpty, kind != .flag || FlagText.value(of: text) == nil, kind.hasPlainValues,
        let wanted = DocumentValues.misfit(text, of: kind.columnKind)
      {
        throw entry.value.fault(.badValue(text, key: entry.key, wanted))
      }
      if isOther { map.other = .text(text) } else { map.texts[entry.key] = text }
    }
    return map
  }

  /// Adds the hidden fields of the values that texts are made of. A value of several columns is
  /// read once, and each of them is made of it.
  static func addSources(to fields: inout [Field]) {
    var uses: [Path: Int] = [:]
    for path in fields.flatMap(\.valuePaths) { uses[path, default: 0] += 1 }
    for index in fields.indices where fields[index].isRead && uses[fields[index].path] ?? 0 > 1 {
      fields[index].made = MadeText(paths: [fields[index].path])
    }
    var hidden: Set<Path> = []
    for path in fields.compactMap(\.made).flatMap(\.paths) where hidden.insert(path).inserted {
      fields.append(Field(path: path, kind: .hidden, columns: []))
    }
  }
}

extension FieldKind {
  /// Whether a text for it is a value of its column as it is, so that a document's text can be
  /// judged.
  fileprivate var hasPlainValues: Bool { isReadAtOnce || self == .decimal }
}

extension DocumentValues {
  /// Returns what a text should be to be compared with values of this kind; nil if it can be.
  static func incomparable(
    _ text: String, with kind: ColumnKind
  ) -> FeedDocumentFault.Wanted? {
    guard kind == .instant || kind == .integer else { return misfit(text, of: kind) }
    if kind == .integer { return misfit(text, of: .decimal) }
    return Day(iso: text) != nil || isInstant(text) ? nil : .instant
  }

  /// Whether a text has the form of an instant with an offset, `2026-01-05T10:00:00+03:00`. Seconds
  /// may be missing.
  private static func isInstant(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 16, Day(iso: String(text.prefix(10))) != nil,
      bytes[10] == UInt8(ascii: "T"),
      let zone = text.dropFirst(11).firstIndex(where: { "Z+-".contains($0) })
    else { return false }
    let time = text[..<zone].dropFirst(11)
    return TimeOfDay.seconds(typed: String(time)) != nil && offset(String(text[zone...])) != nil
  }

  /// Returns what a text should be to be a value of a column of this kind; nil if it is one, or may
  /// be one.
  static func misfit(_ text: String, of kind: ColumnKind) -> FeedDocumentFault.Wanted? {
    let (isFit, wanted): (Bool, FeedDocumentFault.Wanted) =
      switch kind {
      case .text, .verbatim, .instant, .keyNumber:
        // SQL ends at a zero byte.
        (!text.utf8.contains(0), .text)
      case .flag: (flag(text) != nil, .trueOrFalse)
      case .time: (TimeOfDay.seconds(typed: text).map(TimeOfDay.text) == text, .timeOfDay)
      case .day: (Day(iso: text) != nil, .day)
      case .integer: (Int(text) != nil, .integer)
      case .decimal:
        (
          Double(text)?.isFinite == true && text.utf8.allSatisfy("0123456789+-.eE".utf8.contains),
          .decimal
        )
      }
    return isFit ? nil : wanted
  }
}
