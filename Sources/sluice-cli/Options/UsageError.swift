import Sluice

/// What can be wrong with a command line. `Messages/Messages+Usage.swift` has the texts.
indirect enum UsageError: Error, Equatable, Sendable {
  case noCommand
  case unknownCommand(String)
  case unknownOption(String)
  /// A value is missing or empty.
  case missingValue(option: String, placeholder: String)
  /// A flag was given a value.
  case unexpectedValue(option: String)
  /// An option that is not repeatable was given again.
  case repeated(option: String)
  /// The command does not take the option.
  case optionOfOthers(option: String, command: CommandName, takenBy: [CommandName])
  /// Two options ask for different things.
  case onlyOne(String, String)
  case missingOperand(String)
  case emptyOperand(String)
  /// There is one operand too many.
  case excessOperand(String)
  /// The value is none of the names that there are.
  case notAChoice(String, value: String, choices: [String])
  /// The value of an option cannot be read.
  case badValue(OptionName, value: String)
  case unknownFeed(String)
  /// A feed's document cannot be read.
  case feedFile(SourceFault)
  /// A feed's document, in this file, is not right.
  case feedDocument(String, FeedDocumentFault)
  /// A header of the feed needs a variable that the environment does not have.
  case noVariable(String, feed: String)
  /// The feed asks nothing of its own that could be searched or resumed.
  case noRequests(feed: String)
  /// The option asks the feed's own server, and INPUT is a file.
  case noRequestToFile(String)
  /// The feed cannot be searched.
  case noSearch(feed: String)
  /// The term that is searched for has fewer characters than it must.
  case shortSearch(String, least: Int)
  /// What the environment says for a header of the feed cannot stand in one.
  case badFeedHeader(String, feed: String)
  /// `--where` lacks `=` or what stands before it.
  case filterWithoutField(String)
  case unknownField(String, feed: String, fields: [String])
  /// `--where` asks for a column that records cannot be chosen by.
  case unfilterableField(String, fields: [String])
  /// `--where` asks for a day, which `--from` and `--to` do.
  case dayField(String)
  /// The feed has no URL of its own, and no input is named.
  case noInput(feed: String)
  /// The feed has no list of items.
  case noList(feed: String)
  /// The text cannot be on a list.
  case noItemName(String)
  /// There is no such item on the list.
  case unknownItem(String, list: String, nearest: [String])
  /// The list's items cannot be searched for.
  case noListSearch(list: String)
  /// A text is too short to be searched for.
  case shortListSearch(String, least: Int)
  /// The environment's SOURCE_DATE_EPOCH is no number of seconds.
  case badEpoch(String)
  /// `--from` is after `--to`.
  case daysReversed(from: String, to: String)
  /// INPUT is a URL of a scheme other than http and https.
  case unknownScheme(String)
  /// Neither the extension of an output nor `--format` names a format.
  case unknownExtension(String)
  /// `--format` names the format of no output, and every extension says otherwise.
  case idleFormat(Format)
  /// A calendar was asked of a feed that has no events.
  case noEvents(feed: String)
  /// The feed has no table of this name.
  case noSuchTable(String, tables: [String])
  /// One output is to hold several tables.
  case severalTables(format: Format, tables: [String])
  /// `--where` is said of several tables.
  case filterOfTables(tables: [String])
  /// `--merge` without a database among the outputs.
  case idleMerge
  /// A database of this table cannot be merged into: nothing tells its rows apart.
  case noKeyToMerge(table: String)
  /// Two options write to standard output.
  case sharedStandardOutput(String, String)
  /// Two options write to one file.
  case sharedFile(String, String, path: String)
  /// An option writes to the file that is read.
  case outputIsInput(String, path: String)
  /// Standard output is the file that is read.
  case standardOutputIsInput
  /// `sync` has no output, or standard output is one.
  case noFileToSync
  /// Nothing says where the state folder is.
  case noStateFolder
  /// A flag is set to something else than true and false.
  case notTrueOrFalse(OptionName, value: String)
  /// The configuration file cannot be read.
  case configFile(SourceFault)
  /// The configuration file says something that is not understood.
  case config(ConfigFault)
  /// A variable of the environment is not UTF-8.
  case variableNotUTF8(String)
  /// The error is about something that was not typed but set, there.
  case set(Origin, UsageError)
  /// A word of the command line, counted from 1, is not UTF-8.
  case notUTF8(word: Int)
}
