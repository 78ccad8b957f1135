import Sluice

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
