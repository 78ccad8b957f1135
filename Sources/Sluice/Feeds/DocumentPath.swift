/// A path as a feed document writes it.
///
///     street                  from the row: its key "street"
///     address.street          from the row: "street" in the object "address"
///     weather[0].description  from the row: one element of a list inside it, counted from 0
///     activities[].isin       from the document, as every path with a list
///     $.city                  from the document, said with JSONPath's sign for it
///     $request.page           from what is known of the request that was answered
///     [address, "st. name"]   key by key: for keys that hold dots or brackets
struct DocumentPath {
  let path: Path
  /// It counts from the document, not from the row.
  let isFromDocument: Bool
  /// As it is written, for errors.
  let text: String

  init(_ node: YAMLNode, _ key: String) throws(FeedDocumentFault) {
    var steps: [Path.Step]?
    var isRooted = false
    if case .scalar = node.content {
      text = try node.text(key)
      isRooted = text == "$" || text.hasPrefix("$.") || text.hasPrefix("$[")
      if text.hasPrefix(Joined.requestRoot + ".") {
        // Known of the request, beside the document.
        path = Path([
          .key(Joined.requestRoot), .key(String(text.dropFirst(Joined.requestRoot.count + 1))),
        ])
        isFromDocument = true
        return
      }
      steps = Self.steps(isRooted ? text.dropFirst(text.hasPrefix("$.") ? 2 : 1) : text[...])
    } else {
      var keys: [String] = []
      guard case .sequence(let items) = node.content, !items.isEmpty else {
        throw node.fault(.wrongKind(key: key, found: node.kind, wanted: [.text, .list]))
      }
      for item in items {
        // A key may be empty, in quotes.
        guard case .scalar(let text, _) = item.content else {
          throw item.fault(.badPath("", .syntax))
        }
        keys.append(text)
      }
      text = "[" + keys.joined(separator: ", ") + "]"
      if keys.first == "$" {
        isRooted = true
        keys.removeFirst()
      }
      steps = keys.map { Self.bracketed($0) ?? .key($0) }
    }
    guard let steps else { throw node.fault(.badPath(text, .syntax)) }
    path = Path(steps)
    isFromDocument = isRooted || steps.contains(.each)
  }

  /// The largest number of an element that is asked for.
  private static let lastElement = 9999

  /// The step of `[]` or `[2]`; nil of another text.
  private static func bracketed(_ text: String) -> Path.Step? {
    if text == "[]" { return .each }
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    let digits = text.dropFirst().dropLast()
    guard digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let index = Int(digits),
      index <= lastElement, "\(index)" == digits
    else { return nil }
    return .element(index)
  }

  /// The steps of `a.b[].c[0]`; nil where a key is missing or brackets hold something else.
  private static func steps(_ text: Substring) -> [Path.Step]? {
    let (dot, open, close) = (UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"))
    var steps: [Path.Step] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      if first == open {
        let inside = rest.take { $0 != close }
        guard rest.popFirst() == close,
          let step = bracketed(String(decoding: inside, as: UTF8.self) + "]")
        else { return nil }
        steps.append(step)
      } else {
        // Only behind a dot, or first, a key may stand.
        if !steps.isEmpty, rest.popFirst() != dot { return nil }
        let key = rest.take { $0 != dot && $0 != open && $0 != close }
        guard !key.isEmpty else { return nil }
        steps.append(.key(String(decoding: key, as: UTF8.self)))
      }
    }
    return steps
  }
}

extension Path {
  /// The beginning of the path, to its last list; empty where there is none.
  var toLastList: ArraySlice<Step> {
    steps.prefix((steps.lastIndex(of: .each) ?? -1) + 1)
  }
}

extension Path {
  /// Refuses single elements of lists, which only a column may be read from.
  func refuseElements(_ node: YAMLNode) throws(FeedDocumentFault) {
    for case .element in steps { throw node.fault(.badPath(description, .oneElement)) }
  }

  /// It asks for one element where the other takes each.
  func divides(_ other: Path) -> Bool {
    for (step, otherStep) in zip(steps, other.steps) where step != otherStep {
      if case .element = step { return otherStep == .each }
      return false
    }
    return false
  }
}
