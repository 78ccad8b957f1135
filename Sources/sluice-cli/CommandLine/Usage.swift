import Sluice
import SluiceText

/// The errors of a command line.
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
  case optionOfOthers(option: String, command: Command, takenBy: [Command])
  /// Two options contradict each other.
  case onlyOne(String, String)
  case missingOperand(String)
  case emptyOperand(String)
  /// There is one operand too many.
  case excessOperand(String)
  /// The value is not one of the names.
  case notAChoice(String, value: String, choices: [String])
  /// The value of an option cannot be read.
  case badValue(OptionName, value: String)
  case unknownFeed(String)
  /// A feed's document cannot be read.
  case feedFile(SourceFault)
  /// A feed's document, in this file, has an error.
  case feedDocument(String, FeedDocumentFault)
  /// The feed needs a variable that the environment does not have.
  case noVariable(String, feed: String)
  /// The feed's document names a variable that the user has not opened to it. `grant` opens it.
  case closedVariable(String, feed: String, server: String, grant: String)
  /// The file of a variable's value cannot be read.
  case credential(SourceFault)
  /// The feed has no requests that could be searched or resumed.
  case noRequests(feed: String)
  /// The option is for the feed's own requests, and INPUT is a file.
  case noRequestToFile(String)
  /// The feed cannot be searched.
  case noSearch(feed: String)
  /// The search term has fewer characters than the feed demands.
  case shortSearch(String, least: Int)
  /// The environment's value for a header of the feed is not a header's value.
  case badFeedHeader(String, feed: String)
  /// `--where` lacks `=` or the field before it.
  case filterWithoutField(String)
  case unknownField(String, feed: String, fields: [String])
  /// `--where` names a column that records cannot be filtered by.
  case unfilterableField(String, fields: [String])
  /// The feed has no URL of its own, and no input is named.
  case noInput(feed: String)
  /// The feed has no list of items.
  case noList(feed: String)
  /// The text cannot be on a list.
  case noItemName(String)
  /// The list has no such item.
  case unknownItem(String, list: String, nearest: [String])
  /// The list's items cannot be searched for.
  case noListSearch(list: String)
  /// A text is too short to search for in a list.
  case shortListSearch(String, least: Int)
  /// The environment's SOURCE_DATE_EPOCH is not a number of seconds.
  case badEpoch(String)
  /// `--from` is after `--to`.
  case daysReversed(from: String, to: String)
  /// INPUT is a URL of a scheme other than http and https.
  case unknownScheme(String)
  /// Neither the extension of an output nor `--format` names a format.
  case unknownExtension(String)
  /// The name of an output has a word in braces that is not one of the columns.
  case unknownPlace(String, path: String, columns: [String])
  /// The name of a database or a workbook has a column in braces.
  case splitDatabase(String, path: String)
  /// The extension of every output selects another format than `--format`.
  case idleFormat(OutputFormat)
  /// A calendar was requested of a feed without events.
  case noEvents(feed: String)
  /// The feed has no table of this name.
  case noSuchTable(String, tables: [String])
  /// One file would have to hold several tables.
  case severalTables(format: OutputFormat, tables: [String])
  /// `--where` is given for several tables.
  case filterOfTables(tables: [String])
  /// An error of the options that select rows and columns.
  case selection(SelectionError)
  /// `--merge` without a database among the outputs.
  case idleMerge
  /// `--file-index` without an output that has columns in its name.
  case idleFileIndex
  /// An error of the names of several inputs.
  case inputs(InputNamesError)
  /// An option about tables does not fit.
  case table(TableUsageError)
  /// A database of this table cannot be merged into: no key identifies its rows.
  case noKeyToMerge(table: String)
  /// Two options write to standard output.
  case sharedStandardOutput(String, String)
  /// Two options write to one file.
  case sharedFile(String, String, path: String)
  /// An option writes into a site, which has only its own files.
  case insideSite(String, path: String, site: String)
  /// An option writes to the file that is read.
  case outputIsInput(String, path: String)
  /// Standard output is the file that is read.
  case standardOutputIsInput
  /// `sync` has no output, or standard output is one.
  case noFileToSync
  /// Neither an option nor the environment names the state folder.
  case noStateFolder
  /// A flag is set to something other than true and false.
  case notTrueOrFalse(OptionName, value: String)
  /// The configuration file cannot be read.
  case configFile(SourceFault)
  /// The configuration file has an error.
  case config(ConfigFault)
  /// A variable of the environment is not UTF-8.
  case variableNotUTF8(String)
  /// The error is about a value from there that was not typed.
  case set(Origin, UsageError)
  /// A word of the command line, counted from 1, is not UTF-8.
  case notUTF8(word: Int)
}

extension UsageError {
  /// Returns the text of the error, one line that ends in a remedy. `command` is the command, if it
  /// is known.
  func text(command: Command?) -> Text {
    switch self {
    case .set(let origin, let error):
      return origin.prefix + error.text(command: command)
    case .config(let fault):
      return fault.text
    case .configFile(let fault):
      return .verbatim("--config: ") + fault.text
    case .feedFile(let fault):
      return Text(
        en: "the feed's document: \(fault.text)", ru: "документ набора: \(fault.text)")
    case .feedDocument(let file, let fault):
      return fault.text(in: file)

    // MARK: Commands, options and operands

    case .noCommand:
      return Text(en: "no command is given", ru: "не указана команда") + .seeHelp(of: command)
    case .unknownCommand(let word):
      let shown = Redaction.url(word)
      return Text(
        en: "unknown command \(quoted: shown)", ru: "неизвестная команда \(quoted: shown)")
        + UsageError.hint(insteadOf: shown)
    case .unknownOption(let option):
      let near = nearest(to: option, in: Option.all.map(\.long))
      return Text(
        en: "unknown option \(excerpt: option)", ru: "неизвестный параметр \(excerpt: option)")
        + (near.map { .didYouMean($0) } ?? .seeHelp(of: command))
    case .missingValue(let option, let placeholder):
      return Text(
        en: "\(option) needs a value: \(placeholder)",
        ru: "для \(option) нужно значение: \(placeholder)") + .seeHelp(of: command)
    case .unexpectedValue(let option):
      return Text(en: "\(option) takes no value", ru: "\(option) не принимает значения")
        + .seeHelp(of: command)
    case .repeated(let option):
      return Text(en: "\(option) is given twice", ru: "\(option) указан дважды")
        + .seeHelp(of: command)
    case .optionOfOthers(let option, let command, let takenBy):
      let names = takenBy.map(\.name).joined(separator: ", ")
      let verb = takenBy.count == 1 ? "принимает" : "принимают"
      return Text(
        en: "\(option) is not an option of \(command.name); it belongs to \(names)",
        ru: "у команды \(command.name) нет параметра \(option); его \(verb) \(names)")
    case .onlyOne(let a, let b):
      return Text(
        en: "\(a) and \(b) exclude each other; choose one",
        ru: "\(a) и \(b) исключают друг друга; выберите что-то одно")
    case .missingOperand(let name):
      return Text(en: "missing operand: \(name)", ru: "не хватает аргумента: \(name)")
        + .seeHelp(of: command)
    case .emptyOperand(let name):
      return Text(en: "\(name) is empty", ru: "значение \(name) пусто") + .seeHelp(of: command)
    case .excessOperand(let operand):
      let word = Redaction.url(operand)
      return Text(
        en: "one operand too many: \(quoted: word); quote names that have spaces",
        ru: "лишний аргумент: \(quoted: word); имена с пробелами берите в кавычки")
    case .notUTF8(let word):
      return Text(
        en: "argument \(word) is not valid UTF-8; give it in UTF-8",
        ru: "аргумент № \(word) — не текст в UTF-8; передайте его в UTF-8")

    // MARK: Values

    case .notAChoice(let option, let value, let choices):
      return Text(
        en: "\(option): \(quoted: value) is not one of the choices",
        ru: "\(option): \(quoted: value) — такого варианта нет") + .oneOf(choices, meant: value)
    case .badValue(let name, let value):
      let kind = Option.named(name)?.value ?? .text("")
      return kind.refusal(of: Secrets.hidden(value, of: name.rawValue), for: name.spelled)
    case .notTrueOrFalse(let option, let value):
      return Text(
        en: "\(option.spelled): \(quoted: value) is neither true nor false; write true or false",
        ru: "\(option.spelled): \(quoted: value) — не true и не false; пишите true или false")
    case .variableNotUTF8(let name):
      return Text(
        en: "\(name) is not valid UTF-8; give it in UTF-8",
        ru: "\(name) — не текст в UTF-8; передайте её значение в UTF-8")
    case .badEpoch(let value):
      return Text(
        en: "SOURCE_DATE_EPOCH: \(quoted: value) is not a number; write seconds since 1970",
        ru: "SOURCE_DATE_EPOCH: \(quoted: value) — не число; укажите секунды с 1970 года")
    case .unknownScheme(let text):
      let url = Redaction.url(text)
      return Text(
        en: """
          only http and https URLs can be read, not \(quoted: url); if it is a file, write \
          \(excerpt: "./" + url)
          """,
        ru: """
          читать по адресу \(quoted: url) нельзя: поддерживаются только http и https; если это файл, \
          напишите \(excerpt: "./" + url)
          """)
    case .daysReversed(let from, let to):
      return Text(
        en: "--from \(from) is after --to \(to); swap them",
        ru: "--from \(from) позже, чем --to \(to); поменяйте их местами")
    case .noStateFolder:
      return Text(
        en: """
          neither XDG_STATE_HOME nor HOME says where to keep the state; name a folder: --state DIR
          """,
        ru: """
          ни XDG_STATE_HOME, ни HOME не указывают, где хранить состояние; укажите папку: --state DIR
          """)

    // MARK: Feeds

    case .unknownFeed(let name):
      return Text(
        en: "unknown feed \(quoted: name)", ru: "неизвестный набор данных \(quoted: name)")
        + .oneOf(Feed.names, meant: name)
    case .noInput(let feed):
      return Text(
        en: "\(feed) has no URL of its own; name a file, '-' or a URL",
        ru: "у набора \(feed) нет своего адреса; укажите файл, «-» или адрес")
    case .noVariable(let name, let feed):
      return Text(
        en: "the feed \(feed) needs \(name) in the environment; set it: export \(name)=…",
        ru: "набору \(feed) нужна переменная окружения \(name); задайте её: export \(name)=…")
    case .closedVariable(let name, let feed, let server, let grant):
      return UsageError.closed(name, feed, server, grant)
    case .credential(let fault):
      return UsageError.credential(fault)
    case .badFeedHeader(let name, let feed):
      return Text(
        en: """
          the environment's value for the header \(name) of \(feed) is not valid; write one line
          """,
        ru: """
          значение из окружения не годится для заголовка \(name) набора \(feed); нужна одна строка
          """)
    case .noRequests(let feed):
      return Text(
        en: "\(feed) has nothing to search or to resume; leave the option out",
        ru: "в наборе \(feed) нечего искать или продолжать; уберите этот параметр")
    case .noRequestToFile(let option):
      return Text(
        en: "\(option) has no effect when INPUT is a file; leave it out",
        ru: "\(option) не действует, если INPUT — файл; уберите этот параметр")
    case .noSearch(let feed):
      return Text(
        en: "\(feed) cannot be searched; filter its records with --where",
        ru: "в наборе \(feed) нет поиска; отбирайте записи с помощью --where")
    case .shortSearch(let term, let least):
      return .verbatim("--search: ") + UsageError.tooShort(term, least: least)
    case .shortListSearch(let text, let least):
      return UsageError.tooShort(text, least: least)

    // MARK: Filters

    case .filterWithoutField(let text):
      return Text(
        en: "--where: \(quoted: text) is not FIELD=VALUE; write --where house=15",
        ru: "--where: \(quoted: text) не имеет вида FIELD=VALUE; например: --where house=15")
    case .unknownField(let field, let feed, let fields):
      return Text(
        en: "--where: \(feed) has no field \(quoted: field)",
        ru: "--where: в наборе \(feed) нет поля \(quoted: field)") + .oneOf(fields, meant: field)
    case .unfilterableField(let field, let fields):
      return Text(
        en: "--where: cannot filter by \(quoted: field)",
        ru: "--where: по полю \(quoted: field) отбирать нельзя") + .oneOf(fields, meant: field)
    case .filterOfTables(let tables):
      return Text(
        en: "--where filters one table only; choose one with --table: \(list: tables)",
        ru: "--where отбирает записи только одной таблицы; выберите её, --table: \(list: tables)")

    case .selection(let error): return error.text

    // MARK: Lists

    case .noList(let feed):
      return Text(
        en: "\(feed) has no list; choose a feed that has one: --feed NAME",
        ru: "у набора \(feed) нет списка; выберите набор со списком: --feed NAME")
    case .noItemName(let text):
      return Text(
        en: "\(quoted: text) is not a name; write one line of 200 bytes at most",
        ru: "\(quoted: text) — не название; нужна одна строка не длиннее 200 байт")
    case .unknownItem(let name, let list, let nearest) where nearest.isEmpty:
      return Text(
        en: "there is no \(quoted: name) in the list \(list); 'sluice cities' shows it",
        ru: "нет \(quoted: name) в списке \(list); его покажет 'sluice cities'")
    case .unknownItem(let name, let list, let nearest):
      return Text(
        en: "there is no \(quoted: name) in the list \(list); the nearest: \(list: nearest)",
        ru: "нет \(quoted: name) в списке \(list); похоже на: \(list: nearest)")
    case .noListSearch(let list):
      return Text(
        en: "the feed does not say how to search for \(list); add 'search' to its items",
        ru: "в наборе не указано, как искать для списка \(list); добавьте search в items")

    // MARK: Outputs

    case .unknownExtension(let path):
      return Text(
        en: """
          cannot tell the format of \(quoted: path) from its name; name it .csv, .tsv, .xlsx, \
          .ndjson, .json, .ics or .sqlite (.db), add --format, or end it in / for a site
          """,
        ru: """
          по имени \(quoted: path) не определить формат; возьмите имя с .csv, .tsv, \
          .xlsx, .ndjson, .json, .ics или .sqlite (.db), укажите --format или, для сайта, добавьте / в конце
          """)
    case .unknownPlace(let place, let path, let columns):
      return Text(
        en: """
          \(quoted: place) in \(quoted: path) is not a column; choose from \(list: columns), or \
          {table}, the name of the table
          """,
        ru: """
          \(quoted: place) в \(quoted: path) — это не столбец; есть: \(list: columns), а также \
          {table}, имя таблицы
          """)
    case .splitDatabase(let place, let path) where path.hasSuffix("/"):
      return Text(
        en: """
          a site shows all rows and cannot be split: \(quoted: path); leave \(quoted: place) out, or \
          choose .csv, .ndjson or .ics
          """,
        ru: """
          сайт показывает все строки, разбить его нельзя: \(quoted: path); уберите \
          \(quoted: place) или выберите .csv, .ndjson или .ics
          """)
    case .splitDatabase(let place, let path):
      return Text(
        en: """
          a file of this format holds all rows and cannot be split: \(quoted: path); leave \
          \(quoted: place) out, or choose .csv, .ndjson or .ics
          """,
        ru: """
          в файле этого формата лежат все строки, разбить его нельзя: \(quoted: path); уберите \
          \(quoted: place) или выберите .csv, .ndjson или .ics
          """)
    case .idleFormat(let format):
      return Text(
        en: """
          --format \(format.rawValue) contradicts the extension of every output; leave --format \
          out, or rename an output
          """,
        ru: """
          --format \(format.rawValue) противоречит расширениям всех выходных файлов; уберите \
          --format или измените имя файла
          """)
    case .noEvents(let feed):
      return Text(
        en: "\(feed) has no events for a calendar; choose .csv or .ndjson",
        ru: "в наборе \(feed) нет событий, календарь из него не сделать; выберите .csv или .ndjson")
    case .noSuchTable(let table, let tables):
      return Text(
        en: "there is no table \(quoted: table); choose from \(list: tables)",
        ru: "нет таблицы \(quoted: table); есть: \(list: tables)")
    case .severalTables(.site, let tables):
      return Text(
        en: """
          the feed has several tables, and a site shows one; choose one with --table, or name the \
          sites like www/{table}/: \(list: tables)
          """,
        ru: """
          в наборе данных несколько таблиц, а на сайте — одна; выберите одну (--table) или назовите \
          сайты вроде www/{table}/: \(list: tables)
          """)
    case .severalTables(let format, let tables):
      return Text(
        en: """
          the feed has several tables, and a \(format.rawValue) file holds one; choose one with \
          --table, or name the files like out/{table}.\(format.rawValue): \(list: tables)
          """,
        ru: """
          в наборе данных несколько таблиц, а в одном файле \(format.rawValue) — одна; выберите \
          одну (--table) или назовите файлы вроде out/{table}.\(format.rawValue): \(list: tables)
          """)
    case .idleMerge:
      return Text(
        en: "--merge needs a database among the outputs; name one: -o FILE.sqlite",
        ru: "для --merge среди выходных файлов нужна база данных; укажите её: -o FILE.sqlite")
    case .inputs(let error): return error.text
    case .table(let error): return error.text
    case .idleFileIndex:
      return Text(
        en: """
          --file-index needs an output with a column in its name; name one: \
          -o 'ics/{address_id}.ics'
          """,
        ru: """
          для --file-index нужен файл со столбцом в имени; укажите его: \
          -o 'ics/{address_id}.ics'
          """)
    case .noKeyToMerge(let table):
      return Text(
        en: """
          the table \(table) has no key that identifies its rows; leave --merge out to replace the \
          database, or name the columns of the key in the feed's document: \
          'key: {columns: [id], unique: true}'
          """,
        ru: """
          у таблицы \(table) нет ключа, который различает строки; уберите --merge, чтобы заменить \
          базу данных, или назовите столбцы ключа в документе набора: \
          'key: {columns: [id], unique: true}'
          """)
    case .sharedStandardOutput(let a, let b) where a == b:
      return Text(
        en: "\(a) names standard output twice; send one of them to a file",
        ru: "\(a) дважды направлен в стандартный вывод; направьте что-то одно в файл")
    case .sharedStandardOutput(let a, let b):
      return Text(
        en: "\(a) and \(b) both go to standard output; send one of them to a file",
        ru: "\(a) и \(b) вместе направлены в стандартный вывод; направьте что-то одно в файл")
    case .sharedFile(let a, let b, let path) where a == b:
      return Text(
        en: "\(a) names one file twice: \(quoted: path); choose another name",
        ru: "\(a) дважды указывает на один файл: \(quoted: path); выберите другое имя")
    case .sharedFile(let a, let b, let path):
      return Text(
        en: "\(a) and \(b) name one file: \(quoted: path); choose another name",
        ru: "\(a) и \(b) указывают на один файл: \(quoted: path); выберите другое имя")
    case .insideSite(let option, let path, let site):
      return Text(
        en: """
          \(option) names a file in the site \(quoted: site), which is replaced as a whole: \
          \(quoted: path); choose another folder
          """,
        ru: """
          \(option) указывает внутрь сайта \(quoted: site), который заменяется целиком: \
          \(quoted: path); выберите другую папку
          """)
    case .outputIsInput(let option, let path):
      return Text(
        en: "\(option) names the input: \(quoted: path); choose another name",
        ru: "\(option) указывает на входной файл: \(quoted: path); выберите другое имя")
    case .standardOutputIsInput:
      return Text(
        en: "standard output is the input file; send it to another file",
        ru: "стандартный вывод направлен во входной файл; направьте его в другой файл")
    case .noFileToSync:
      return Text(
        en: "sync updates files and cannot write to standard output; name a file: -o OUTPUT",
        ru: "sync обновляет файлы и не может писать в стандартный вывод; укажите файл: -o OUTPUT")
    }
  }

  /// Suggests the command that was probably meant by a word.
  private static func hint(insteadOf word: String) -> Text {
    if let name = nearest(to: word, in: Command.visible.map(\.name)) { return .didYouMean(name) }
    guard word.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }) else {
      return .seeHelp(of: nil)
    }
    // The word is certainly an input.
    return Text(
      en: "; to convert it: sluice convert \(excerpt: word)",
      ru: "; чтобы преобразовать: sluice convert \(excerpt: word)")
  }

  private static func tooShort(_ term: String, least: Int) -> Text {
    Text(
      en: """
        \(quoted: term) has fewer than \(count: least, "character", "characters"); write more of it
        """,
      ru: "\(quoted: term) — слишком коротко: нужно символов: \(least); напишите больше")
  }
}
