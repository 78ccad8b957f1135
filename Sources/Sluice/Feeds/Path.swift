/// A way into a JSON document: `["activities", .each, "isin"]` is `activities[].isin`.
public struct Path: Sendable, Hashable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// A step from a value to one inside it.
  public enum Step: Sendable, Hashable, ExpressibleByStringLiteral {
    /// To an object's value of this key.
    case key(String)
    /// To each element of an array.
    case each
    /// To one element of an array, counted from 0.
    case element(Int)

    /// Makes a step to a key's value.
    public init(stringLiteral key: String) { self = .key(key) }
  }

  /// The steps, from the document's value on.
  public var steps: [Step]

  /// Makes a path of its steps.
  public init(arrayLiteral steps: Step...) { self.steps = steps }
  /// Makes a path of its steps.
  public init(_ steps: [Step]) { self.steps = steps }

  /// The last key on the path; empty where there is none.
  public var lastKey: String {
    for case .key(let key) in steps.reversed() { return key }
    return ""
  }

  /// How many arrays the path goes through.
  public var arrays: Int { steps.count { $0 == .each } }

  /// The path as people write it: `activities[].isin`; the document itself is `.`.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .each: text += "[]"
      case .element(let index): text += "[\(index)]"
      }
    }
    return text.isEmpty ? "." : text
  }
}
