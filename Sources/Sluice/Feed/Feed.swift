/// The description of a feed: data that the stages read.
///
/// Its source is a YAML document, read by ``FeedDocument``. Those in `BuiltIn` are built in.
public struct Feed: Sendable, Equatable {
  /// Its name on the command line; also the domain of its events' UIDs.
  public var name: String
  /// A short description.
  public var summary: Localized<String>
  /// The URL to fetch if no input is named.
  public var url: String?
  /// The requests of the feed, if it needs more than one plain URL. `url` is then nil.
  package var requests: FeedRequests?
  /// Header lines for requests to the feed's own server.
  package var headers: [Header] = []
  /// The lifetime of an answer in seconds. It is not requested again during this time.
  public var maxAge: Int
  /// How much the feed may shrink since the last run; nil for the default share.
  package var maxShrink: ShrinkLimit?
  /// The default language of its calendar texts.
  public var language: Language
  /// The clock that its times are shown on. It also stamps its archive's entries.
  package var clock = Clock.written
  /// What becomes of local times when clocks are changed.
  package var clockChanges = ClockChanges()
  /// The JSON object around the payload; nil if the document itself contains the rows.
  package var envelope: Envelope?
  /// The most bytes of rows that wait for a field around them.
  package var hold = Feed.standardHold
  /// The tables of the feed: one or more.
  package var tables: [Table]
  /// Additional views in a database of the feed.
  package var views: [View] = []
  /// Whether its document is a built-in one. A copy of such a document is its owner's own.
  package var isBuiltIn = false
}

extension Feed {
  /// 16 MiB.
  static let standardHold = 16 << 20

  /// How a row of the first table with events becomes one; nil if the feed has no events.
  package var event: Event? { tables.lazy.compactMap(\.event).first }

  /// Whether a ledger keeps its events from run to run. Those of several tables have none.
  package var keepsLedger: Bool { tables.count == 1 && tables[0].keepsLedger }

  /// The URL that a published calendar names as its source; nil if there is none, or if it is one's
  /// own and has userinfo, a query or a fragment, which may be secrets.
  var publicURL: String? {
    isBuiltIn ? url : url.flatMap { Redaction.url($0) == $0 ? $0 : nil }
  }
}

/// The path through an API's answer to the payload, which is base64 text.
package struct Envelope: Sendable, Equatable {
  /// A field and its required value, as text.
  package struct Test: Sendable, Equatable {
    /// The path of the field.
    package var path: Path
    /// The required value.
    package var value: String
  }

  /// The field that says whether the request succeeded; nil if there is no such field.
  package var status: Test?
  /// The field that marks the feed's own element in a list; nil if the payload is not in a list.
  package var match: Test?
  /// The path of the payload, in the same element.
  package var payload: Path
  /// The path of the payload's version, in the same element; nil if there is no such field.
  package var version: Path?
}

extension Feed {
  /// A header line for requests to a feed's own server.
  package struct Header: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// Its value. `$NAME` in it is replaced by that environment variable.
    package var value: String
  }
}

extension Feed.Header {
  /// The names of the environment variables in its value.
  package var variables: [String] {
    value.split(separator: "$", omittingEmptySubsequences: false).dropFirst().compactMap { text in
      let name = text.prefix { Self.isNameCharacter($0) }
      return name.first.map { $0.isNumber ? nil : String(name) } ?? nil
    }
  }

  /// Returns the line with its environment variables replaced. If a variable is unset or empty,
  /// returns nil and sets `missing` to its name.
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

  /// Returns whether a character may be part of a variable's name. Names are upper-case, so that a
  /// price of `$a` is not replaced.
  static func isNameCharacter(_ character: Character) -> Bool {
    character == "_" || character.isASCII && (character.isUppercase || character.isNumber)
  }
}

/// A language of messages and calendar texts.
public enum Language: String, Sendable, CaseIterable {
  case ru, en
}

/// A value in every language.
///
/// Whatever a type demands of its parameter is looked up when the program makes the type, which
/// takes a tenth of the time of a short run. So it demands nothing but a marker.
public struct Localized<Value: Sendable>: Sendable {
  /// The Russian value.
  public var ru: Value
  /// The English value.
  public var en: Value

  /// Makes a localized value.
  public init(ru: Value, en: Value) {
    self.ru = ru
    self.en = en
  }

  /// The value in a language.
  public subscript(language: Language) -> Value {
    switch language {
    case .ru: ru
    case .en: en
    }
  }
}

extension Localized: Equatable where Value: Equatable {}

extension Feed {
  /// The default feed.
  private static let standard = "hot-water"

  /// The names of the built-in feeds: the default first, then the others by name.
  ///
  /// A build plugin makes the list from the documents in the folder `BuiltIn`.
  public static let names = [standard] + DocumentList.names.filter { $0 != standard }

  /// Returns the built-in feed with this name; nil if there is none. Only its document is read.
  public static func named(_ name: String) -> Feed? {
    // A test reads all built-in documents: none has a fault.
    guard var feed = document(named: name).flatMap({ try? FeedDocument.read($0) }) else {
      return nil
    }
    feed.isBuiltIn = true
    return feed
  }

  /// Returns the text of a built-in feed's document; nil if there is no such feed.
  public static func document(named name: String) -> [UInt8]? {
    DocumentList.document(named: name)
  }
}

extension Feed {
  /// The list of items that the feed requests one by one; nil if it has no list.
  package var items: ItemList? { requests?.items }
}
