/// A command, by its name. ``CommandRow/all`` says the rest.
enum CommandName: String, CaseIterable, Sendable {
  case convert, sync, status, config, inspect, searches, feeds, cities, completions, help, man
}
