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

  /// What to do, where there is better advice than the command's help.
  private var remedy: Text? {
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
        en: "; name it .csv, .ndjson or .ics, or say --format",
        ru: "; возьмите имя с .csv, .ndjson или .ics либо укажите --format")
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
