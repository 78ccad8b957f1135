extension Feed {
  /// A header line that a feed's own server is asked with.
  public struct Header: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Its value; `$NAME` in it stands for what the environment says.
    public var value: String
  }
}

extension Feed.Header {
  /// The variables of the environment that its value names.
  package var variables: [String] {
    value.split(separator: "$", omittingEmptySubsequences: false).dropFirst().compactMap { text in
      let name = text.prefix { Self.isNameCharacter($0) }
      return name.first.map { $0.isNumber ? nil : String(name) } ?? nil
    }
  }

  /// The line, with what the environment says in it; nil where a variable is not set. Its name is
  /// then what `missing` holds.
  package func line(
    _ environment: (String) -> String?, missing: inout String?
  ) -> String? {
    var line = "\(name): "
    var rest = value[...]
    while let sign = rest.firstIndex(of: "$") {
      line += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      let variable = rest.prefix { Self.isNameCharacter($0) }
      guard let first = variable.first, !first.isNumber else {
        line += "$"
        continue
      }
      guard let text = environment(String(variable)), !text.isEmpty else {
        missing = String(variable)
        return nil
      }
      line += text
      rest = rest[variable.endIndex...]
    }
    return line + rest
  }

  /// The names of variables are upper-case, so that a price of `$a` stays one.
  static func isNameCharacter(_ character: Character) -> Bool {
    character == "_" || character.isASCII && (character.isUppercase || character.isNumber)
  }
}
