import Sluice

/// Where the value of an option comes from.
enum Origin: Equatable, Sendable {
  /// From the command line.
  case flag
  /// From a variable of the environment, named.
  case environment(String)
  /// From a configuration file, by its path.
  case file(String, TextPlace)
}
