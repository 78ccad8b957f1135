/// Why a text is not YAML, or not of the part of YAML that is read, and where.
package struct YAMLFault: Error, Equatable, Sendable {
  package enum Problem: Equatable, Sendable {
    /// The text is larger than a document may be; in bytes.
    case tooLarge(limit: Int)
    case notUTF8
    /// A control character stands in the text, or a value stands for one.
    case controlCharacter
    /// A quotation mark is not closed.
    case unclosedQuote
    /// The text is not YAML, in libyaml's words.
    case syntax(String)
    /// A second document begins.
    case severalDocuments
    /// An anchor or an alias.
    case alias
    case tag
    /// A key is no text.
    case keyNotText
    /// A key stands there again; the line of the first.
    case duplicateKey(String, line: Int)
    /// Mappings and lists lie deeper inside one another than is allowed; the outermost key around.
    case tooDeep(limit: Int, under: String?)
  }

  package let problem: Problem
  package let place: TextPlace
}
