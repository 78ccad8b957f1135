/// A text with places: `$NAME` for what the environment says, `{name}` for what a request is about.
public struct PlacedText: Sendable, Equatable {
  /// A part of it.
  public enum Piece: Sendable, Equatable {
    /// What stands there.
    case text(String)
    /// A variable of the environment, which is a secret.
    case variable(String)
    /// A value of the request.
    case value(String)
  }

  /// Its parts.
  public let pieces: [Piece]

  /// Takes a text apart; nil where a brace has no other half, or nothing in it. A `$` that no
  /// upper-case name follows is one.
  public init?(_ text: String) {
    var pieces: [Piece] = []
    var plain = ""
    var rest = text[...]
    func add(_ piece: Piece) {
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
      pieces.append(piece)
    }
    while let character = rest.popFirst() {
      if character == "$" {
        let name = rest.prefix { Feed.Header.isNameCharacter($0) }
        if let first = name.first, !first.isNumber {
          add(.variable(String(name)))
          rest = rest[name.endIndex...]
          continue
        }
      } else if character == "{" {
        let name = rest.prefix { $0 != "{" && $0 != "}" }
        guard !name.isEmpty, rest[name.endIndex...].first == "}" else { return nil }
        add(.value(String(name)))
        rest = rest[name.endIndex...].dropFirst()
        continue
      } else if character == "}" {
        return nil
      }
      plain.append(character)
    }
    if !plain.isEmpty { pieces.append(.text(plain)) }
    self.pieces = pieces
  }

  /// The variables that it names.
  public var variables: [String] {
    pieces.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// The values of the request that it names.
  public var values: [String] {
    pieces.compactMap { if case .value(let name) = $0 { name } else { nil } }
  }

  /// The text as it was written.
  public var written: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .variable(let name): "$\(name)"
      case .value(let name): "{\(name)}"
      }
    }.joined()
  }
}
