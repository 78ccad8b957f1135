import Sluice

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
