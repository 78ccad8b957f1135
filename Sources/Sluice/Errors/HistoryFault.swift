/// Reasons that inputs are not the nights of a history.
package enum HistoryFault: Equatable, Sendable {
  /// Neither the name of an input nor an entry of an archive in it has a date.
  case noDate(String)
  /// An archive has no date, and perhaps several nights.
  case noDateOfArchive(String)
  /// The name of an input does not fit the pattern that was asked for.
  case noSuchDate(String)
  /// An input is of the same day as another one.
  case sameDate(String, other: String, Day)
  /// An input that could not be sorted comes after one of a later day.
  case outOfOrder(String, Day, after: String, Day)
  /// An input is one too many to compare.
  case thirdInput(String)

  /// The kind of problem.
  package var `class`: FaultClass { .usage }
}
