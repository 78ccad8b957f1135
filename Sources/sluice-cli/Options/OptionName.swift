/// An option, by its long name. ``OptionRow/all`` says the rest.
enum OptionName: String, CaseIterable, Sendable {
  case output, format
  case `where`, from, to
  case feed, entry, table, merge
  case csvDialect = "csv-dialect"
  case alarm
  case calendarName = "calendar-name"
  case rejects
  case maxRejects = "max-rejects"
  case allowRejects = "allow-rejects"
  case stats
  case maxSize = "max-size"
  case cacert, header
  case state, config, offline
  case search, resume, mirror
  case maxAge = "max-age"
  case staleOK = "stale-ok"
  case maxShrink = "max-shrink"
  case accept, today, changes, ping
  case check, new, document, clear
  case lang, quiet, verbose
  case noProgress = "no-progress"
  case help, version

  /// The option as one types it.
  var spelled: String { "--" + rawValue }
}
