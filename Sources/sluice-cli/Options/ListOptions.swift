import Sluice

/// What `cities` is asked to do with the list of a feed's items.
struct ListOptions: Equatable, Sendable {
  /// What to do, as one types it.
  enum Word: String, CaseIterable, Sendable {
    case add, remove, list, search
  }

  /// What to do, and with what.
  enum Action: Equatable, Sendable {
    case add(String)
    case remove(String)
    case list
    case search(String, ItemList.Search)
  }

  var action: Action
  var feed: Feed
  var list: ItemList
  /// The state folder; nil is the usual one.
  var state: String?
  /// For how many seconds an answer is good; nil is as many as the feed says.
  var maxAge: Int?
  /// What stands in for the feed's own server.
  var mirror: String?
  /// A file of certificates to trust besides the system's.
  var cacert: String?

  /// Reads the options.
  init(_ arguments: Arguments, operands: [String]) throws(UsageError) {
    let name = CommandName.cities.rawValue
    let word: Word =
      try operands.first.map { word throws(UsageError) in
        try Arguments.choice(word, for: name)
      } ?? .list
    let text = operands.dropFirst().first
    if word == .list, let text { throw .excessOperand(text) }
    if word != .list, text == nil { throw .missingOperand("TEXT") }
    feed = try Self.feed(arguments[.feed])
    guard let list = feed.items else { throw .noList(feed: feed.name) }
    self.list = list
    state = arguments[.state]
    maxAge = try arguments.value(.maxAge, seconds(in:))
    mirror = try arguments.value(.mirror) { text in
      if case .url(let url)? = try? Input(text) { url } else { nil }
    }
    cacert = arguments[.cacert]
    switch word {
    case .list: action = .list
    case .add: action = .add(text ?? "")
    case .remove: action = .remove(text ?? "")
    case .search: action = try Self.search(text ?? "", list)
    }
  }

  private static func search(_ text: String, _ list: ItemList) throws(UsageError) -> Action {
    guard let search = list.search else { throw .noListSearch(list: list.name) }
    let term = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard term.count >= search.least else { throw .shortListSearch(text, least: search.least) }
    return .search(term, search)
  }

  /// What the environment says for the variables of a search.
  var variables: [String: String] {
    get throws(UsageError) {
      try Environment.values(list.search?.variables ?? [], feed: feed.name)
    }
  }

  /// The feed that is named, or else the built-in one that has a list.
  private static func feed(_ name: String?) throws(UsageError) -> Feed {
    if let name { return try Feed.known(as: name) }
    let own = Feed.names.lazy.compactMap(Feed.named).first { $0.items != nil }
    if let own { return own }
    return try Feed.known(as: Feed.names[0])
  }
}
