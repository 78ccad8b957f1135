import Sluice

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
