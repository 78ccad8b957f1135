import Sluice
import SluiceSync

/// What `searches` is asked to do.
struct SearchesOptions: Equatable, Sendable {
  /// The feeds whose searches are meant, by their names; nil for all that can be searched.
  var feed: Feed?
  /// Whether they are forgotten.
  var clears: Bool
  /// The state folder; nil is the usual one.
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
  /// Does what `searches` is asked to do.
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
