import Sluice

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
