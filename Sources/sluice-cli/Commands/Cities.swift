import Sluice
import SluiceSync
import SluiceText

extension Command {
  /// The row of `cities`.
  static let cities = Command(
    name: "cities",
    summary: Text(
      en: "keep the list of cities, or of other items that a feed requests one by one",
      ru: "вести список городов или чего угодно, что набор данных запрашивает поштучно"),
    operands: [
      Operand(
        value: .choice(of: ListOptions.Word.self), isRequired: false,
        help: Text(
          en: "what to do; default: list", ru: "что сделать; по умолчанию list (показать)")),
      Operand(
        value: .text("TEXT"), isRequired: false,
        help: Text(
          en: "the name to add or to remove, or the text to search for",
          ru: "название, которое добавить или убрать, или что искать")),
    ],
    notes: [
      Text(
        en: """
          The list belongs to a feed; without --feed, to the built-in feed that has such a list. It \
          is a text file in the state folder, one name a line. The next run requests the names that \
          were added and drops the rows of those that were removed. Case does not matter in names. \
          The lines that search prints can be added as they are.
          """,
        ru: """
          Список принадлежит набору данных: без --feed — встроенному, у которого такой список есть. \
          Это текстовый файл в папке состояния, по названию на строке. Следующий запуск запросит \
          добавленное и уберёт строки удалённого. Регистр букв в названиях не важен. То, что \
          выводит search, можно добавлять как есть.
          """)
    ],
    examples: [
      Example(
        line: "sluice cities add Гродно",
        meaning: Text(
          en: "add a city; the next run requests its weather too",
          ru: "добавить город: следующий запуск запросит погоду и для него")),
      Example(
        line: "sluice cities search Новосиб",
        meaning: Text(en: "find the spelling of a name", ru: "узнать, как пишется название")),
      Example(
        line: "sluice cities --mirror http://127.0.0.1:8080",
        meaning: Text(
          en: "show the answers of a mirror, not those of the feed's own server",
          ru: "что ответило зеркало, а не собственный сервер набора")),
      Example(
        line: "sluice cities",
        meaning: Text(
          en: "show the list, and when each was answered last",
          ru: "показать список и когда по каждому был ответ")),
      Example(
        line: "sluice cities remove Москва --feed ./stations.yaml",
        meaning: Text(
          en: "remove a name from the list of another feed",
          ru: "убрать название из списка другого набора")),
    ],
    options: ListOptions.self)
}

/// The options of `cities`, which keeps the list of a feed's items.
private struct ListOptions: CommandOptions {
  /// The action, as it is typed.
  enum Word: String, CaseIterable, Sendable {
    case add, remove, list, search
  }

  /// The action, with its text.
  enum Action: Equatable, Sendable {
    case add(String)
    case remove(String)
    case list
    case search(String, ItemList.Search)
  }

  var action: Action
  var feed: Feed
  var feedRead: Feed? { feed }
  /// The variables that a search may send.
  var openVariables: OpenVariables?
  var list: ItemList
  /// The state folder, or nil for the usual one.
  var state: String?
  /// The number of seconds after which an answer is stale, or nil for the feed's value.
  var maxAge: Int?
  /// The server to use instead of the feed's own.
  var mirror: String?
  /// A file of certificates to trust in addition to the system's.
  var cacert: String?

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    let word: Word =
      try arguments.operand.map { word throws(UsageError) in
        try Arguments.choice(word, for: Command.cities.name)
      } ?? .list
    let text = arguments.operands.dropFirst().first
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
    openVariables = try OpenVariables(arguments)
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

  /// The values of the variables that a search needs.
  var variables: [String: String] {
    get throws(UsageError) {
      guard let search = list.search else { return [:] }
      return try openVariables?.values(
        search.variables, of: feed, to: OpenVariables.Server(own: search.url, mirror: mirror))
        ?? [:]
    }
  }

  /// Returns the named feed, or the built-in one that has a list.
  private static func feed(_ name: String?) throws(UsageError) -> Feed {
    if let name { return try Feed.known(as: name) }
    let own = Feed.names.lazy.compactMap(Feed.named).first { $0.items != nil }
    if let own { return own }
    return try Feed.known(as: Feed.names[0])
  }
}

extension ListOptions {
  /// Shows or changes the list, or searches for a name.
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
    // Only a search needs the variables.
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
    // A line of `search` may be added unchanged: details follow the name after a tab.
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
  /// Shows names that match a text, each in its own line, with details after a tab.
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
private enum ItemReport {
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
      return Text(en: "not requested yet", ru: "ещё не запрашивали")
    }
    guard item.isStale else { return .verbatim(utc(answered)) }
    return Text(en: "\(utc(answered)), stale", ru: "\(utc(answered)), устарело")
  }
}

extension Text {
  /// Reports that a name was already on a list.
  fileprivate static func isOnList(_ name: String, _ list: String) -> Text {
    Text(
      en: "\(quoted: name) is already in the list \(list)",
      ru: "\(quoted: name) уже есть в списке \(list)")
  }

  /// Reports that a search has found nothing.
  fileprivate static func nothingFound(_ text: String) -> Text {
    Text(
      en: "nothing found for \(quoted: text)", ru: "ничего не найдено по запросу \(quoted: text)")
  }
}
