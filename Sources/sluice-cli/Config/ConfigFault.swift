import Sluice

/// What can be wrong with the text of a configuration file.
struct ConfigFault: Error, Equatable, Sendable {
  enum Problem: Equatable, Sendable {
    /// The file is larger than a configuration can be; in bytes.
    case tooLarge(limit: Int)
    case notUTF8
    /// A control character stands in the file, or a value stands for one.
    case controlCharacter
    /// A quotation mark is not closed.
    case unclosedQuote
    /// The text is not YAML, in libyaml's words.
    case syntax(String)
    /// There is something else than a mapping.
    case notAMapping
    /// A second document begins.
    case severalDocuments
    /// An anchor or an alias.
    case alias
    case tag
    /// A key is no text.
    case keyNotText
    /// A key stands there again; the line of the first.
    case duplicateKey(String, line: Int)
    case unknownKey(String)
    /// The option may be typed, but not be set.
    case onlyTyped(OptionName)
    /// The value of a key is a mapping.
    case nested(String)
    /// An item of a list is a mapping or a list.
    case nestedItem(String)
    /// A list for what is given once.
    case listForOne(String)
    case noValue(String)
  }

  let file: String
  let place: TextPlace
  let problem: Problem
}
