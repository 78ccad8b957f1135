import Sluice
import SluiceSync

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

extension ListOptions {
  /// Does what `cities` is asked to do.
  func run(_ console: Console) -> ExitCode {
    do throws(UsageError) {
      return try run(in: StatePath.chosen(state), console)
    } catch {
      console.error(error.text(command: .cities))
      return ExitCode(error)
    }
  }

  private func run(in state: String, _ console: Console) throws(UsageError) -> ExitCode {
    let names = ItemNames(list, of: feed, in: state)
    // What the environment lacks is no fault of the list.
    let secrets =
      if case .search = action { RequestSecrets(try variables) } else { RequestSecrets() }
    do throws(PipelineError) {
      switch action {
      case .list:
        let items = try itemStates(of: feed, in: state, mirror: mirror, maxAge: maxAge)
        return show(ItemReport.text(items, console.language), console)
      case .add(let text): return try add(text, to: names, console)
      case .remove(let text):
        if case .isMissing(let nearest) = try names.remove(text) {
          console.error(
            UsageError.unknownItem(text, list: list.name, nearest: nearest).text(command: .cities))
          return .usage
        }
        return .done
      case .search(let text, let search): return try self.search(text, search, secrets, console)
      }
    } catch {
      console.error(error.text)
      return ExitCode(error)
    }
  }

  private func add(_ text: String, to names: ItemNames, _ console: Console) throws(PipelineError)
    -> ExitCode
  {
    // A line of `search` may be given as it is: what tells a name from others stands behind a tab.
    let name = text.prefix { $0 != "\t" }
    switch try names.add(String(name)) {
    case .added: return .done
    case .isThere(let other):
      console.note(.isOnList(other, list.name))
      return .done
    case .isNoName:
      console.error(UsageError.noItemName(text).text(command: .cities))
      return .usage
    }
  }
}

extension ListOptions {
  /// Shows names that go with a text, each in a line of its own; what tells it from others stands
  /// behind a tab.
  private func search(
    _ text: String, _ search: ItemList.Search, _ secrets: RequestSecrets, _ console: Console
  ) throws(PipelineError) -> ExitCode {
    let found = try search.suggestions(
      for: text, of: feed, mirror: mirror, secrets: secrets, certificateFile: cacert)
    if found.isEmpty { console.note(.nothingFound(text)) }
    return show(
      found.map { suggestion in
        let details = suggestion.details.isEmpty ? "" : "\t" + escaped(suggestion.details)
        return escaped(suggestion.name) + details + "\n"
      }.joined(), console)
  }
}

/// Lays out a list of items, for people.
enum ItemReport {
  /// The report, a line for each.
  static func text(_ items: [ItemState], _ language: Language) -> String {
    let width = items.map(\.name.count).max() ?? 0
    return items.map { item in
      let padding = String(repeating: " ", count: width - item.name.count)
      return "\(escaped(item.name))\(padding)  \(state(item)[language])\n"
    }.joined()
  }

  private static func state(_ item: ItemState) -> Text {
    guard let answered = item.answered else {
      return Text(en: "not asked for yet", ru: "ещё не запрашивали")
    }
    return .verbatim(utc(answered))
      + (item.isStale ? Text(en: ", stale", ru: ", устарело") : .verbatim(""))
  }
}

extension Text {
  /// Says that a name was on a list before.
  static func isOnList(_ name: String, _ list: String) -> Text {
    .quoted(name)
      + Text(en: " is in the list \(list) already", ru: " уже есть в списке \(list)")
  }

  /// Says that a search has found nothing.
  static func nothingFound(_ text: String) -> Text {
    Text(en: "nothing is found for ", ru: "ничего не найдено по запросу ") + .quoted(text)
  }
}
