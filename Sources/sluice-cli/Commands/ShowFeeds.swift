/// Does what `feeds` is asked to do: describes one feed, or lists all.
func showFeeds(_ feed: KnownFeed?, _ console: Console) -> ExitCode {
  guard feed == nil else {
    // The library, which knows URL, columns and rules, is connected here.
    console.error(.notBuilt(.feeds))
    return .ioError
  }
  return show(KnownFeed.all.map { $0.name + "\n" }.joined(), console)
}
