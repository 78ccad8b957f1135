import Sluice

/// What the program is asked to do, with every value read and checked.
enum Command: Equatable, Sendable {
  case convert(ConvertOptions)
  case sync(SyncOptions)
  case status(StatusOptions)
  /// Shows what every option of `sync` would be.
  case config(ConfigOptions)
  case inspect(InspectOptions)
  /// Shows what a feed was searched for, or forgets it.
  case searches(SearchesOptions)
  /// Describes feeds, checks documents, makes new ones.
  case feeds(FeedsOptions)
  /// Keeps the list of a feed's items.
  case cities(ListOptions)
  case completions(Shell)
  /// Explains one command, or the program.
  case help(CommandName?)
  case version
  case man
}
