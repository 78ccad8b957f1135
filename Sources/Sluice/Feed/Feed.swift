/// What `sluice` knows of a feed: data that the stages read.
///
/// It is written as a YAML document, which ``FeedDocument`` reads; those in `BuiltIn` are built in.
public struct Feed: Sendable, Equatable {
  /// Its name on the command line; also the domain of its events' UIDs.
  public var name: String
  /// What it is, in a few words.
  public var summary: Localized<String>
  /// Where it is fetched from when no input is named.
  public var url: String?
  /// What is asked for where that is more than the URL alone, which is nil then.
  package var requests: FeedRequests?
  /// Header lines that its own server is asked with.
  package var headers: [Header] = []
  /// For how many seconds an answer is good: so long it is not asked again.
  public var maxAge: Int
  /// How much of it may be gone since last time; nil for the usual share.
  package var maxShrink: ShrinkLimit?
  /// The language of its calendar texts unless another is asked for.
  public var language: Language
  /// Seconds east of UTC of the clock that stamps its archive's entries.
  public var clockOffset: Int
  /// The JSON object around the payload; nil if the document itself holds the rows.
  package var envelope: Envelope?
  /// The tables that it gives: one or more.
  package var tables: [Table]
  /// Further questions that a database of it answers.
  package var views: [View] = []
}

extension Feed {
  /// What makes a row of the first table an event; nil if the feed has no events.
  package var event: Event? { tables.first?.event }
}

/// The way through an API's answer to the payload, which is base64 text.
package struct Envelope: Sendable, Equatable {
  /// A field, and what it must be, as text.
  package struct Test: Sendable, Equatable {
    /// Where the field is.
    package var path: Path
    /// What it must be.
    package var value: String
  }

  /// The field that says whether the answer is one, where there is such a field.
  package var status: Test?
  /// The field that marks the feed's own element in a list; nil where the payload is in no list.
  package var match: Test?
  /// The payload, in the same element.
  package var payload: Path
  /// The payload's version, in the same element, where there is such a field.
  package var version: Path?
}

extension Feed {
  /// A header line that a feed's own server is asked with.
  package struct Header: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// Its value; `$NAME` in it stands for what the environment says.
    package var value: String
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

/// A language that messages and calendar texts come in.
public enum Language: String, Sendable, CaseIterable {
  case ru, en
}

/// What there is in every language.
public struct Localized<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The Russian one.
  public var ru: Value
  /// The English one.
  public var en: Value

  /// Takes one of each.
  public init(ru: Value, en: Value) {
    self.ru = ru
    self.en = en
  }

  /// The one of a language.
  public subscript(language: Language) -> Value {
    switch language {
    case .ru: ru
    case .en: en
    }
  }
}

extension Feed {
  /// The feed that is meant where none is named.
  private static let standard = "hot-water"

  /// The names of the feeds that are built in: the default first, then the others by name.
  ///
  /// The documents of the folder `BuiltIn` are all of them: a build plugin lists it.
  public static let names = [standard] + DocumentList.names.filter { $0 != standard }

  /// The built-in feed of this name: only its document is read.
  public static func named(_ name: String) -> Feed? {
    // A test reads all of them: none has a fault.
    document(named: name).flatMap { try? FeedDocument.read($0) }
  }

  /// The text of a built-in feed's document.
  public static func document(named name: String) -> [UInt8]? {
    DocumentList.document(named: name)
  }
}

extension Feed {
  /// The list for each of whose items the feed asks; nil where it has none.
  package var items: ItemList? { requests?.items }
}
