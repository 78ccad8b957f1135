/// How the text of a field is made of values, before it is read as its kind.
///
///     {first: [title, name]}             the first value that is not empty
///     {value: Leningrad}                 a constant
///     {from: type, map: {1: paper}}      a value by rules
///
/// The values are those of hidden fields, so a value may be part of several texts.
package struct MadeText: Sendable, Equatable {
  /// The paths of the values. The first value that is not empty is taken.
  package var paths: [Path]
  /// The text of a constant, which has no paths; nil if the text comes from the data.
  package var constant: String?
  /// The fact about the input that is the constant; nil if it is another text.
  package var input: InputFact?
  /// What is done to the text.
  package var rules = TextRules()

  /// Makes the text of the first value of some paths.
  init(paths: [Path], _ rules: TextRules = TextRules()) {
    self.paths = paths
    self.rules = rules
  }

  /// Makes the text of a fact about the input.
  init(of fact: InputFact, _ rules: TextRules = TextRules()) {
    (paths, constant, input) = ([], "", fact)
    self.rules = rules
  }

  /// Makes a constant.
  init(constant: String) {
    paths = []
    self.constant = constant
  }
}

extension Field {
  /// Where its text comes from: its path, or all that makes it.
  package var origin: String {
    guard let made, made != MadeText(paths: [path]) else { return path.description }
    if let input = made.input {
      return made.rules.isEmpty ? input.rawValue : "\(input.rawValue): \(made.rules.description)"
    }
    if let constant = made.constant { return "always \(constant)" }
    let paths = made.paths.map(\.description).joined(separator: " or ")
    return made.rules.isEmpty ? paths : "\(paths): \(made.rules.description)"
  }

  /// Whether a value of the document is read for it, at its path.
  var isRead: Bool {
    kind != .share && kind != .occurrence && !isMade && !isOfParts
  }

  /// Whether its text is made of values. A pattern does not copy the rules, as a comparison would.
  var isMade: Bool {
    if case .some = made { true } else { false }
  }

  /// The paths of the values that it needs.
  var valuePaths: [Path] { isRead ? [path] : made?.paths ?? [] }

  /// Returns the field with its paths mapped; nil if `map` returns nil for one that it needs.
  func mapped(_ map: (Path) -> Path?) -> Field? {
    var field = self
    if kind == .share || kind == .occurrence { return field }
    if let made {
      let paths = made.paths.compactMap(map)
      guard paths.count == made.paths.count else { return nil }
      field.made?.paths = paths
    }
    if !path.steps.isEmpty {
      guard let path = map(path) else { return nil }
      field.path = path
    }
    if case .parts(var parts) = rule?.source {
      let paths = parts.paths.map { $0.flatMap(map) }
      for (old, new) in zip(parts.paths, paths) where old != nil && new == nil { return nil }
      parts.paths = paths
      field.rule?.source = .parts(parts)
    }
    if case .path(let zone) = zone { field.zone = map(zone).map { .path($0) } }
    return field
  }
}
