import Sluice

/// A configuration as it is written: one mapping from keys to texts and lists of texts.
///
///     # nightly                      key "output", items "a.csv" (2:10) and "a.ics" (2:17)
///     output: [a.csv, a.ics]    →    key "max-age", text "3h" (3:10)
///     max-age: 3h
///
/// Knows nothing of options. Whatever else YAML has is refused.
struct ConfigDocument: Equatable {
  /// A text and where it stands.
  struct Scalar: Equatable {
    let text: String
    let place: TextPlace
    /// Nothing is written: no text, or YAML's word for none.
    let isMissing: Bool
  }

  enum Value: Equatable {
    case text(Scalar)
    case list([Scalar])
  }

  struct Entry: Equatable {
    let key: Scalar
    let value: Value
    /// Where the value begins.
    let place: TextPlace
  }

  private(set) var entries: [Entry] = []

  /// A mapping, and lists in it.
  private static let depth = 2

  /// Reads the text of a file, whose name stands in errors.
  init(_ bytes: [UInt8], named file: String) throws(ConfigFault) {
    let root: YAMLNode?
    do throws(YAMLFault) {
      root = try YAMLNode.read(bytes, depth: Self.depth)
    } catch {
      throw ConfigFault(
        file: file, place: error.place, problem: ConfigFault.Problem(error.problem))
    }
    guard let root else { return }
    guard case .mapping(let mapping) = root.content else {
      throw ConfigFault(file: file, place: root.place, problem: .notAMapping)
    }
    for entry in mapping {
      let key = Scalar(text: entry.key, place: entry.place, isMissing: entry.key.isEmpty)
      do throws(Misfit) {
        entries.append(
          Entry(key: key, value: try Self.value(entry.value), place: entry.value.place))
      } catch {
        let problem: ConfigFault.Problem =
          error.isItem ? .nestedItem(entry.key) : .nested(entry.key)
        throw ConfigFault(file: file, place: error.place, problem: problem)
      }
    }
  }

  /// What is neither a text nor a list of texts.
  private struct Misfit: Error {
    let place: TextPlace
    let isItem: Bool
  }

  private static func value(_ node: YAMLNode) throws(Misfit) -> Value {
    if let text = scalar(node) { return .text(text) }
    guard case .sequence(let nodes) = node.content else {
      throw Misfit(place: node.place, isItem: false)
    }
    var items: [Scalar] = []
    for node in nodes {
      guard let text = scalar(node) else { throw Misfit(place: node.place, isItem: true) }
      items.append(text)
    }
    return .list(items)
  }

  private static func scalar(_ node: YAMLNode) -> Scalar? {
    guard case .scalar(let text, _) = node.content else { return nil }
    return Scalar(text: text, place: node.place, isMissing: node.isMissing)
  }
}

extension ConfigFault.Problem {
  /// What is wrong with the YAML, as a configuration's problem.
  init(_ problem: YAMLFault.Problem) {
    self =
      switch problem {
      case .tooLarge(let limit): .tooLarge(limit: limit)
      case .notUTF8: .notUTF8
      case .controlCharacter: .controlCharacter
      case .unclosedQuote: .unclosedQuote
      case .syntax(let words): .syntax(words)
      case .severalDocuments: .severalDocuments
      case .alias: .alias
      case .tag: .tag
      case .keyNotText: .keyNotText
      case .duplicateKey(let key, let line): .duplicateKey(key, line: line)
      case .tooDeep(_, let key): key.map { .nestedItem($0) } ?? .notAMapping
      }
  }
}
