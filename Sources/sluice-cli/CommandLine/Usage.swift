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

extension UsageError {
  /// The text of the error, one line that ends in what to do; `command` is the command named, as
  /// far as it is known.
  func text(command: CommandName?) -> Text {
    switch self {
    case .set(let origin, let error): origin.place + error.text(command: command)
    case .config(let fault): fault.text
    // Its own remedy goes with it.
    case .configFile(let fault): .verbatim("--config: ") + fault.text
    case .feedFile(let fault):
      Text(en: "the feed's document: ", ru: "документ набора: ") + fault.text
    case .feedDocument(let file, let fault): fault.text(in: file)
    default: what + (remedy ?? .seeHelp(of: command))
    }
  }

  /// What is wrong.
  private var what: Text {
    switch self {
    case .noCommand:
      Text(en: "no command is given", ru: "не указана команда")
    case .unknownCommand(let word):
      Text(en: "unknown command ", ru: "неизвестная команда ") + .quoted(word)
    case .unknownOption(let option):
      Text(en: "unknown option ", ru: "неизвестный параметр ") + .shown(option)
    case .missingValue(let option, let placeholder):
      Text(
        en: "\(option) needs a value: \(placeholder)",
        ru: "для \(option) нужно значение: \(placeholder)")
    case .unexpectedValue(let option):
      Text(en: "\(option) takes no value", ru: "\(option) не принимает значения")
    case .repeated(let option):
      Text(en: "\(option) is given twice", ru: "\(option) указан дважды")
    case .optionOfOthers(let option, let command, _):
      Text(
        en: "\(option) is no option of \(command.rawValue)",
        ru: "у команды \(command.rawValue) нет параметра \(option)")
    case .onlyOne(let a, let b):
      Text(en: "\(a) and \(b) exclude each other", ru: "\(a) и \(b) исключают друг друга")
    case .missingOperand(let name):
      Text(en: "missing operand: \(name)", ru: "не хватает аргумента: \(name)")
    case .emptyOperand(let name):
      Text(en: "\(name) is empty", ru: "значение \(name) пусто")
    case .excessOperand(let word):
      Text(en: "one operand too many: ", ru: "лишний аргумент: ") + .quoted(word)
    case .notAChoice(let what, let value, _):
      .verbatim("\(what): ") + .quoted(value)
        + Text(en: " is none of the choices", ru: " — такого варианта нет")
    case .badValue(let option, let value):
      .verbatim("\(option.spelled): ") + .quoted(Secrets.hidden(value, of: option.rawValue))
        + UsageError.complaint(about: option)
    case .unknownFeed(let name):
      Text(en: "unknown feed ", ru: "неизвестный набор данных ") + .quoted(name)
    case .filterWithoutField(let text):
      .verbatim("--where: ") + .quoted(text)
        + Text(en: " is not FIELD=VALUE", ru: " не имеет вида FIELD=VALUE")
    case .unknownField(let field, let feed, _):
      .verbatim("--where: ")
        + Text(en: "\(feed) has no field ", ru: "в наборе \(feed) нет поля ") + .quoted(field)
    case .unfilterableField(let field, _):
      .verbatim("--where: ")
        + Text(en: "records cannot be chosen by ", ru: "записи нельзя отбирать по полю ")
        + .quoted(field)
    case .dayField(let field):
      .verbatim("--where: ") + .quoted(field)
        + Text(en: " holds days", ru: " — это дни")
    case .noVariable(let name, let feed):
      Text(
        en: "the feed \(feed) needs \(name) in the environment",
        ru: "набору \(feed) нужна переменная окружения \(name)")
    case .noRequests(let feed):
      Text(
        en: "\(feed) has nothing to search or to resume",
        ru: "в наборе \(feed) нечего искать или продолжать")
    case .noRequestToFile(let option):
      Text(
        en: "\(option) is about requests, and INPUT is none",
        ru: "\(option) относится к запросам, а INPUT — не запрос")
    case .noSearch(let feed):
      Text(en: "\(feed) cannot be searched", ru: "в наборе \(feed) нет поиска")
    case .shortSearch(let term, let least):
      .verbatim("--search: ") + .quoted(term)
        + Text(
          en: " has fewer than \(least) \(plural(least, "character", "characters"))",
          ru: " короче, чем нужно (\(least))")
    case .shortListSearch(let text, let least):
      .quoted(text)
        + Text(
          en: " has fewer than \(least) \(plural(least, "character", "characters"))",
          ru: " короче, чем нужно (\(least))")
    case .badFeedHeader(let name, let feed):
      Text(
        en: "what the environment says for the header \(name) of \(feed) is no header's value",
        ru: "значение из окружения не годится для заголовка \(name) набора \(feed)")
    case .noInput(let feed):
      Text(en: "\(feed) has no URL of its own", ru: "у набора \(feed) нет своего адреса")
    case .noList(let feed):
      Text(
        en: "\(feed) keeps no list of what to ask for",
        ru: "у набора \(feed) нет списка того, что запрашивать")
    case .noItemName(let text):
      .quoted(text) + Text(en: " is no name", ru: " — не название")
    case .unknownItem(let name, let list, _):
      Text(en: "there is no ", ru: "нет ") + .quoted(name)
        + Text(en: " in the list \(list)", ru: " в списке \(list)")
    case .noListSearch(let list):
      Text(
        en: "the feed does not say how to search for \(list)",
        ru: "в наборе не указано, как искать для списка \(list)")
    case .badEpoch(let value):
      .verbatim("SOURCE_DATE_EPOCH: ") + .quoted(value)
        + Text(en: " is not a number of seconds", ru: " — не число секунд")
    case .daysReversed(let from, let to):
      Text(en: "--from \(from) is after --to \(to)", ru: "--from \(from) позже, чем --to \(to)")
    case .unknownScheme(let url):
      Text(en: "only http and https URLs can be read, not ", ru: "читать по адресу ")
        + .quoted(url)
        + Text(en: "", ru: " нельзя: поддерживаются только http и https")
    case .unknownExtension(let path):
      Text(en: "the name of ", ru: "по имени ") + .quoted(path)
        + Text(en: " does not tell its format", ru: " не определить формат")
    case .idleFormat(let format):
      Text(
        en: "--format \(format.rawValue) contradicts the extension of every output",
        ru: "--format \(format.rawValue) противоречит расширениям всех выходных файлов")
    case .noEvents(let feed):
      Text(
        en: "\(feed) has no events to make a calendar of",
        ru: "в наборе \(feed) нет событий, календарь из него не сделать")
    case .noSuchTable(let table, _):
      Text(en: "there is no table ", ru: "нет таблицы ") + .quoted(table)
    case .severalTables(let format, _):
      Text(
        en: "the feed gives several tables, and one \(format.rawValue) output holds one",
        ru: "в наборе данных несколько таблиц, а в одном файле \(format.rawValue) — одна")
    case .filterOfTables:
      Text(
        en: "--where chooses records of one table", ru: "--where отбирает записи одной таблицы")
    case .idleMerge:
      Text(
        en: "--merge is for databases, and there is none among the outputs",
        ru: "--merge относится к базам данных, а среди выходных файлов их нет")
    case .noKeyToMerge(let table):
      Text(
        en: "the rows of \(table) have no key to know them again by",
        ru: "у строк таблицы \(table) нет ключа, по которому их можно узнать")
    case .sharedStandardOutput(let a, let b):
      a == b
        ? Text(
          en: "\(a) names standard output twice", ru: "\(a) дважды направлен в стандартный вывод")
        : Text(
          en: "\(a) and \(b) both go to standard output",
          ru: "\(a) и \(b) вместе направлены в стандартный вывод")
    case .sharedFile(let a, let b, let path):
      (a == b
        ? Text(en: "\(a) names one file twice: ", ru: "\(a) дважды указывает на один файл: ")
        : Text(en: "\(a) and \(b) name one file: ", ru: "\(a) и \(b) указывают на один файл: "))
        + .quoted(path)
    case .outputIsInput(let option, let path):
      Text(en: "\(option) names the input: ", ru: "\(option) указывает на входной файл: ")
        + .quoted(path)
    case .standardOutputIsInput:
      Text(
        en: "standard output is the input file", ru: "стандартный вывод направлен во входной файл")
    case .noFileToSync:
      Text(
        en: "sync keeps files up to date and cannot write to standard output",
        ru: "sync обновляет файлы и не может писать в стандартный вывод")
    case .noStateFolder:
      Text(
        en: "neither XDG_STATE_HOME nor HOME says where to keep the state",
        ru: "ни XDG_STATE_HOME, ни HOME не говорят, где хранить состояние")
    case .notTrueOrFalse(let option, let value):
      .verbatim("\(option.spelled): ") + .quoted(value)
        + Text(en: " is neither true nor false", ru: " — не true и не false")
    case .variableNotUTF8(let name):
      .verbatim(name) + Text(en: " is not valid UTF-8", ru: " — не текст в UTF-8")
    case .set, .config, .configFile, .feedFile, .feedDocument: .verbatim("")
    case .notUTF8(let word):
      Text(
        en: "argument \(word) is not valid UTF-8", ru: "аргумент № \(word) — не текст в UTF-8")
    }
  }
}

extension UsageError {
  /// What to do, where there is better advice than the command's help.
  var remedy: Text? {
    switch self {
    case .unknownCommand(let word):
      if let name = nearest(to: word, in: CommandRow.visible.map(\.name.rawValue)) {
        .didYouMean(name)
      } else if word.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }) {
        // Surely an input.
        Text(en: "; to convert it: ", ru: "; чтобы преобразовать: ")
          + .verbatim("sluice convert ") + .shown(word)
      } else {
        .seeHelp(of: nil)
      }
    case .unknownOption(let option):
      nearest(to: option, in: OptionRow.all.map(\.long)).map { .didYouMean($0) }
    case .optionOfOthers(_, _, let takenBy):
      Text(
        en: "; it belongs to ",
        ru: takenBy.count == 1 ? "; его принимает " : "; его принимают ")
        + .verbatim(takenBy.map(\.rawValue).joined(separator: ", "))
    case .onlyOne: Text(en: "; choose one", ru: "; выберите что-то одно")
    case .missingOperand, .emptyOperand, .noCommand, .missingValue, .unexpectedValue, .repeated:
      nil
    case .notAChoice(_, let value, let choices):
      .oneOf(choices, meant: value)
    case .badValue(let option, _):
      UsageError.advice(on: option)
    case .unknownFeed(let name):
      .oneOf(Feed.names, meant: name)
    case .unknownField(let field, _, let fields), .unfilterableField(let field, let fields):
      .oneOf(fields, meant: field)
    case .filterWithoutField:
      Text(en: "; write --where house=15", ru: "; например: --where house=15")
    case .dayField:
      Text(en: "; use --from and --to", ru: "; для дней есть --from и --to")
    case .noInput:
      Text(en: "; name a file, '-' or a URL", ru: "; укажите файл, «-» или адрес")
    case .noList:
      Text(
        en: "; choose a feed that does: --feed NAME", ru: "; выберите другой набор: --feed NAME")
    case .noItemName:
      Text(
        en: "; write one line of 200 bytes at most", ru: "; одна строка, не длиннее 200 байт")
    case .unknownItem(_, _, let nearest):
      nearest.isEmpty
        ? Text(en: "; 'sluice cities' shows it", ru: "; его покажет 'sluice cities'")
        : Text(en: "; the nearest: ", ru: "; похоже на: ") + .list(nearest)
    case .noListSearch:
      Text(en: "; add 'search' to its items", ru: "; добавьте search в items")
    case .badEpoch:
      Text(en: "; write seconds since 1970", ru: "; укажите секунды с 1970 года")
    case .daysReversed:
      Text(en: "; swap them", ru: "; поменяйте их местами")
    case .unknownScheme(let url):
      Text(en: "; if it is a file, write ", ru: "; если это файл, напишите ") + .shown("./" + url)
    case .unknownExtension:
      Text(
        en: "; name it .csv, .ndjson, .ics or .sqlite (.db), or say --format",
        ru: "; возьмите имя с .csv, .ndjson, .ics или .sqlite (.db) либо укажите --format")
    case .idleFormat:
      Text(
        en: "; leave --format out, or rename an output",
        ru: "; уберите --format или измените имя файла")
    case .noSuchTable(_, let tables):
      Text(en: "; choose from ", ru: "; есть: ") + .list(tables)
    case .severalTables(let format, let tables):
      Text(
        en: "; choose one with --table, or name the files like out/{table}.\(format.rawValue): ",
        ru: "; выберите одну (--table) или назовите файлы вроде out/{table}.\(format.rawValue): ")
        + .list(tables)
    case .filterOfTables(let tables):
      Text(en: "; choose one with --table: ", ru: "; выберите одну, --table: ") + .list(tables)
    case .idleMerge:
      Text(en: "; name one: -o FILE.sqlite", ru: "; укажите: -o FILE.sqlite")
    case .noKeyToMerge:
      Text(
        en: "; leave --merge out: the database is then written anew; or say in the feed's document "
          + "which columns do: 'key: {columns: [id], unique: true}'",
        ru: "; уберите --merge: тогда база данных записывается заново; или укажите в описании "
          + "набора, какие столбцы различают строки: 'key: {columns: [id], unique: true}'")
    case .noEvents:
      Text(en: "; choose .csv or .ndjson", ru: "; выберите .csv или .ndjson")
    case .sharedStandardOutput:
      Text(en: "; send one of them to a file", ru: "; направьте что-то одно в файл")
    case .standardOutputIsInput:
      Text(en: "; send it to another file", ru: "; направьте его в другой файл")
    case .sharedFile, .outputIsInput:
      Text(en: "; choose another name", ru: "; выберите другое имя")
    case .excessOperand:
      Text(en: "; quote names that have spaces", ru: "; имена с пробелами берите в кавычки")
    case .noFileToSync:
      Text(en: "; name a file: -o OUTPUT", ru: "; укажите файл: -o OUTPUT")
    case .noStateFolder:
      Text(en: "; name a folder: --state DIR", ru: "; укажите папку: --state DIR")
    case .notTrueOrFalse:
      Text(en: "; write true or false", ru: "; пишите true или false")
    case .noVariable(let name, _):
      Text(en: "; set it: export \(name)=…", ru: "; задайте её: export \(name)=…")
    case .noRequests, .noRequestToFile:
      Text(en: "; leave it out", ru: "; уберите этот параметр")
    case .noSearch:
      Text(en: "; choose records with --where", ru: "; отбирайте записи с помощью --where")
    case .shortSearch, .shortListSearch: Text(en: "; write more of it", ru: "; напишите больше")
    case .badFeedHeader:
      Text(en: "; it must be one line", ru: "; нужна одна строка")
    case .set, .config, .configFile, .feedFile, .feedDocument: nil
    case .notUTF8, .variableNotUTF8:
      Text(en: "; give it in UTF-8", ru: "; передайте его в UTF-8")
    }
  }
}

extension UsageError {
  /// What is wrong with the value of an option, to follow the value.
  static func complaint(about option: OptionName) -> Text {
    switch option {
    case .from, .to, .today:
      Text(en: " is not a day of the calendar", ru: " — нет такого дня в календаре")
    case .alarm, .maxAge, .staleOK:
      Text(en: " is not a length of time", ru: " — это не промежуток времени")
    case .maxRejects:
      Text(en: " is neither a count nor a percentage", ru: " — это не число и не процент")
    case .maxSize:
      Text(en: " is not a size", ru: " — это не размер")
    case .maxShrink:
      Text(en: " is not a percentage", ru: " — это не процент")
    case .header:
      Text(
        en: " is no header line, or one that sluice sets itself",
        ru: " — не строка заголовка или та, которую sluice ставит сам")
    case .ping, .mirror:
      Text(en: " is not an http or https URL", ru: " — это не адрес http или https")
    default:
      Text(en: " cannot be read", ru: " — значение не разобрать")
    }
  }

  /// How the value of an option is written.
  static func advice(on option: OptionName) -> Text? {
    switch option {
    case .from, .to, .today:
      Text(
        en: "; write it as YYYY-MM-DD, 2020-06-22 for example",
        ru: "; пишите ГГГГ-ММ-ДД, например 2020-06-22")
    case .alarm:
      Text(
        en: "; write a whole number and a unit: 30m, 2h, 1d or 1w",
        ru: "; пишите целое число и единицу: 30m, 2h, 1d или 1w")
    case .maxRejects:
      Text(
        en: "; write 50, 10% or 0.5%, for example",
        ru: "; пишите, например, 50, 10% или 0.5%")
    case .maxSize:
      Text(
        en: "; write bytes, 1000000, or a number with K, M, G or T, 500M for example",
        ru: "; пишите число байтов, 1000000, или число с K, M, G или T, например 500M")
    case .maxAge, .staleOK:
      Text(
        en: "; write a whole number and a unit: 90s, 30m, 3h, 7d or 1w",
        ru: "; пишите целое число и единицу: 90s, 30m, 3h, 7d или 1w")
    case .maxShrink:
      Text(en: "; write 25% or 0.5%, for example", ru: "; пишите, например, 25% или 0.5%")
    case .header:
      Text(
        en: "; write 'NAME: VALUE', 'Authorization: Bearer abc' for example",
        ru: "; пишите 'NAME: VALUE', например 'Authorization: Bearer abc'")
    case .mirror:
      Text(
        en: "; write http://HOST:PORT, as for INPUT", ru: "; пишите http://HOST:PORT, как для INPUT"
      )
    case .ping:
      Text(
        en: "; write https://HOST/PATH, as your watcher gave it to you",
        ru: "; пишите https://HOST/PATH, как его выдала служба наблюдения")
    default: nil
    }
  }
}
