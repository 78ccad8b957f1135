extension DocumentColumns {
  /// The keys that say how a day, an instant or a time of day is written.
  static let timeKeys = ["format", "names", "years", "read", "parts", "unit"]
  /// The kinds of columns that may have each of them.
  private static let timeKinds: [(key: String, kinds: [FieldKind])] = [
    ("format", [.day, .instant, .time]), ("names", [.day, .instant, .time]),
    ("years", [.day, .instant]), ("read", [.day]), ("parts", [.day, .instant, .time]),
    ("unit", [.time]),
  ]
  /// Keys of one value, which a value of several parts does not have.
  private static let ofOneValue = ["from", "format", "read", "unit", "unix", "first", "value"]

  /// What a day is read from.
  private enum Reading: String, CaseIterable { case instant }

  /// Reads the rule of a day, an instant or a time of day; nil if it is read in the forms of its
  /// kind.
  mutating func rule(
    _ column: DocumentMapping, _ kind: FieldKind
  ) throws(FeedDocumentFault) -> TimeRule? {
    guard column.entries.contains(where: { Self.timeKeys.contains($0.key) }) else { return nil }
    for (key, kinds) in Self.timeKinds where !kinds.contains(kind) {
      if let node = column[key] { throw node.fault(.onlyForKinds(kinds, key: key)) }
    }
    // A constant is written as the column shows it.
    if column["value"] != nil {
      for key in Self.timeKeys {
        if let node = column[key] { throw node.fault(.keyBeside(key, other: "value")) }
      }
    }
    if column["parts"] != nil {
      for key in Self.ofOneValue {
        if let node = column[key] { throw node.fault(.keyBeside(key, other: "parts")) }
      }
    }
    if column["format"] != nil {
      for key in ["unit", "unix"] {
        if let node = column[key] { throw node.fault(.keyBeside(key, other: "format")) }
      }
    }
    var rule = TimeRule()
    rule.readsInstant = try column.choice("read", of: Reading.self) != nil
    rule.firstYear = try column.value("years", .years, DocumentValues.firstYear)
    if let node = column["parts"] {
      rule.source = .parts(try parts(node, kind))
    } else if let node = column["format"] {
      rule.source = .formats(try formats(node, kind, rule))
    } else if let unit: TimeUnit = try column.choice("unit") {
      rule.source = .count(unit)
    }
    if rule.source == .own || column["unit"] != nil {
      for key in ["names", "years"] {
        if let node = column[key] { throw node.fault(.keyWants(key, other: "format")) }
      }
    }
    if let node = column["names"] {
      rule.names = try names(node)
    } else if rule.hasWords {
      rule.names = TimeNames(of: ["en"])
    }
    return rule
  }

  /// Reads a format, or a list of them that are tried in order.
  private func formats(
    _ node: YAMLNode, _ kind: FieldKind, _ rule: TimeRule
  ) throws(FeedDocumentFault) -> [TimeFormat] {
    let texts =
      if case .sequence = node.content { try node.texts("format") } else {
        [(text: try node.text("format"), node: node)]
      }
    guard !texts.isEmpty else { throw node.fault(.noValue("format")) }
    let use: TimeFormat.Use =
      switch kind {
      case .day: rule.readsInstant ? .dayOfInstant : .day
      case .instant: .instant
      default: .time
      }
    var formats: [TimeFormat] = []
    for (text, node) in texts {
      do throws(TimeFormat.Fault) {
        let format = try TimeFormat(text, for: use)
        if format.hasShortYear, rule.firstYear == nil { throw TimeFormat.Fault(.withoutYears) }
        formats.append(format)
      } catch {
        throw node.fault(.badFormat(text, error.flaw))
      }
    }
    return formats
  }

  /// Reads the languages of names: one, or a list.
  private func names(_ node: YAMLNode) throws(FeedDocumentFault) -> TimeNames {
    let texts =
      if case .sequence = node.content { try node.texts("names") } else {
        [(text: try node.text("names"), node: node)]
      }
    guard !texts.isEmpty else { throw node.fault(.noValue("names")) }
    var seen: Set<String> = []
    for (text, node) in texts {
      guard TimeNames.languages.contains(text) else {
        throw node.fault(.notAChoice(text, key: "names", choices: TimeNames.languages))
      }
      guard seen.insert(text).inserted else { throw node.fault(.duplicateItem(text)) }
    }
    return TimeNames(of: texts.map(\.text))
  }

  /// Reads the paths of the parts of a day, an instant or a time of day.
  private mutating func parts(
    _ node: YAMLNode, _ kind: FieldKind
  ) throws(FeedDocumentFault) -> TimeParts {
    let all = TimeParts.Name.allCases
    let allowed = kind == .day ? all.prefix(3) : kind == .time ? all.suffix(3) : all[...]
    let needed = kind == .day ? all.prefix(3) : kind == .time ? [.hour] : all.prefix(4)
    let mapping = try DocumentMapping(node, "parts", keys: allowed.map(\.rawValue))
    for name in needed { _ = try mapping.value(name.rawValue) }
    if mapping["second"] != nil { _ = try mapping.value("minute") }
    var parts = TimeParts(paths: [])
    for name in all {
      guard let node = mapping[name.rawValue] else {
        parts.paths.append(nil)
        continue
      }
      let path = try fieldPath(node, name.rawValue, isShared: true)
      parts.paths.append(path)
      unseen.append((path, node, name.rawValue))
    }
    return parts
  }
}

extension TimeRule {
  /// Whether it may need names or the endings of ordinal numbers.
  fileprivate var hasWords: Bool {
    switch source {
    case .formats(let formats): formats.contains(where: \.hasWords)
    case .parts(let parts): parts[.month] != nil
    case .own, .count: false
    }
  }
}

extension DocumentValues {
  /// The first year of a window of a hundred years, `1970-2069`.
  static func firstYear(_ text: String) -> Int? {
    let years = text.split(separator: "-", omittingEmptySubsequences: false)
    guard years.count == 2, years.allSatisfy({ $0.utf8.count == 4 }),
      let first = count(String(years[0]), in: 1...9900),
      let last = count(String(years[1]), in: 100...9999), last - first == 99
    else { return nil }
    return first
  }
}
