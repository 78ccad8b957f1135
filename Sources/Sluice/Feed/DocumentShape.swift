/// Reads the parts of a feed document about rows that are no objects in lists.
///
///     rows: divisions.*.events[]
///     columns:
///       division: $key            # the key of the innermost *
///     rows: rates.*
///     columns:
///       currency: $key[0]
///       rate: {from: $value, kind: decimal}
enum DocumentShape {
  /// Returns the path of a key around a row, or of a row that is a plain value; nil for any other path.
  static func ownPath(_ node: YAMLNode, of rows: Path) throws(FeedDocumentFault) -> Path? {
    guard case .scalar(let text, _) = node.content, text.hasPrefix("$") else { return nil }
    if text == Path.itself { return Path(rows.steps + [.itself]) }
    guard let index = keyIndex(text) else { return nil }
    let wildcards = rows.steps.indices.filter { rows.steps[$0] == .any }
    guard index < wildcards.count else {
      throw node.fault(.badPath(text, .noElementKey(wildcards: wildcards.count)))
    }
    let place = wildcards[wildcards.count - 1 - index]
    return Path(Array(rows.steps[...place]) + [.keyName])
  }

  /// Returns the number in `$key[1]`, 0 for `$key`; nil for any other text.
  private static func keyIndex(_ text: String) -> Int? {
    if text == Path.keyName { return 0 }
    guard text.hasPrefix(Path.keyName + "["),
      case .element(let index)? = DocumentPath.bracketed(
        String(text.dropFirst(Path.keyName.utf8.count)))
    else { return nil }
    return index
  }

  /// Returns paths that join the elements of lists with a separator, if a column has one.
  static func separated(_ paths: [Path], by node: YAMLNode?) throws(FeedDocumentFault) -> [Path] {
    guard let node else { return paths }
    guard case .scalar(let separator, _) = node.content else {
      throw node.fault(.wrongKind(key: "separator", found: node.kind, wanted: [.text]))
    }
    guard paths.contains(where: { $0.steps.contains(.all(separator: ", ")) }) else {
      throw node.fault(.keyWants("separator", other: "[*]"))
    }
    return paths.map { path in
      Path(
        path.steps.map { step in
          if case .all = step { .all(separator: separator) } else { step }
        })
    }
  }

  /// Reads a size, `64MB` or `64MiB`, which are the same here.
  static func size(_ text: String) -> Int? {
    let isPlain = text.hasSuffix("B") && !text.hasSuffix("iB") && !text.hasSuffix("ib")
    return byteCount(isPlain ? String(text.dropLast()) : text)
  }

  /// Reads the path of rows, which ends in a list or in the members of an object.
  static func rows(_ node: YAMLNode) throws(FeedDocumentFault) -> Path {
    let rows = try DocumentPath(node, "rows")
    guard rows.path.steps.last?.isWild ?? false else {
      throw node.fault(.badPath(rows.text, .noList))
    }
    try rows.path.refuseElements(node, areRows: true)
    return rows.path
  }
}
