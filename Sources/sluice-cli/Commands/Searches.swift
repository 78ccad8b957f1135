import Sluice
import SluiceSync
import SluiceText

extension Command {
  /// The row of `searches`.
  static let searches = Command(
    name: "searches",
    summary: Text(
      en: "show the searches of feeds, newest first, or forget them",
      ru: "показать, что искали в наборах данных, начиная с последнего, или забыть это"),
    notes: [
      Text(
        en: """
          Without --feed, it works on the searches of all feeds. The last hundred of each feed are \
          kept in the state folder.
          """,
        ru: """
          Без --feed имеются в виду поиски во всех наборах. Последние сто поисков в каждом наборе \
          хранятся в папке состояния.
          """)
    ],
    examples: [
      Example(
        line: "sluice searches --feed photos",
        meaning: Text(en: "show the searches of one feed", ru: "что искали в одном наборе")),
      Example(
        line: "sluice searches --clear",
        meaning: Text(en: "forget all searches", ru: "забыть все поиски")),
    ],
    options: SearchesOptions.self)
}

/// The options of `searches`.
private struct SearchesOptions: CommandOptions {
  /// The feed whose searches are shown, or nil for all feeds that can be searched.
  var feed: Feed?
  /// Whether the searches are removed.
  var clears: Bool
  /// The state folder, or nil for the usual one.
  var state: String?

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    clears = arguments.has(.clear)
    state = arguments[.state]
    guard let name = arguments[.feed] else { return }
    let feed = try Feed.known(as: name)
    guard feed.requests?.search != nil else { throw .noSearch(feed: feed.name) }
    self.feed = feed
  }
}

extension SearchesOptions {
  /// Shows or removes the searches.
  func run(_ console: Console) -> ExitCode {
    let state: String
    do throws(UsageError) {
      state = try StatePath.chosen(self.state)
    } catch {
      console.error(error.text(command: .searches))
      return .usage
    }
    do throws(PipelineError) {
      var names = feed.map { [$0.name] } ?? []
      if feed == nil { names = try searchedFeeds(state: state) }
      guard !clears else {
        for name in names { try clearSearches(of: name, state: state) }
        return .done
      }
      var lines = ""
      for name in names {
        for search in try pastSearches(of: name, state: state) {
          lines += "\(utc(search.at))  \(feed == nil ? "\(name)  " : "")\(escaped(search.term))\n"
        }
      }
      return show(lines, console)
    } catch {
      console.error(error.text)
      return ExitCode(error)
    }
  }
}
