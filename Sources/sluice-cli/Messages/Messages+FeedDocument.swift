import Sluice

extension FeedDocumentFault {
  /// Where, what is wrong, and what to do; `file` is the document's.
  func text(in file: String) -> Text { .place(file, place) + problem.what + problem.remedy }
}

extension FeedDocumentFault.Problem {
  /// What is wrong.
  fileprivate var what: Text {
    switch self {
    case .yaml(.tooDeep(let limit, _)):
      Text(
        en: "this is nested deeper than \(limit) levels",
        ru: "вложенность больше предела: \(limit)")
    case .yaml(let problem): ConfigFault.Problem(problem).what
    case .data:
      Text(
        en: "this is data, not a feed's document", ru: "это данные, а не описание набора данных")
    case .empty: Text(en: "the document is empty", ru: "документ пуст")
    case .wrongKind(let key, let found, let wanted):
      FeedDocumentFault.wrongKind(key, found, wanted)
    case .unknownKey(let key, let owner, _):
      Text(en: "unknown key ", ru: "неизвестный ключ ") + .quoted(key) + .inside(owner)
    case .missingKey(let key, let owner):
      Text(en: "there is no ", ru: "нет ключа ") + .quoted(key) + .inside(owner)
    case .noValue(let key):
      Text(en: "", ru: "для ") + .quoted(key) + Text(en: " has no value", ru: " нет значения")
    case .notAChoice(let value, let key, _):
      .quoted(key) + .verbatim(": ") + .quoted(value)
        + Text(en: " is none of the choices", ru: " — такого варианта нет")
    case .badValue(let value, let key, let wanted):
      .quoted(key) + .verbatim(": ") + .quoted(value) + wanted.complaint
    case .badPath(let path, let flaw):
      Text(en: "the path ", ru: "путь ") + .quoted(path) + flaw.what
    case .badTemplate(let key, let flaw):
      Text(en: "the template ", ru: "шаблон ") + .quoted(key) + .verbatim(": ") + flaw.what
    case .duplicateColumn(let column):
      Text(en: "there is a column ", ru: "столбец ") + .quoted(column)
        + Text(en: " already", ru: " уже есть")
    case .unknownColumn(let column, let key, _):
      .quoted(key) + Text(en: ": there is no column ", ru: ": нет столбца ") + .quoted(column)
    case .columnOfOtherKind(let column, let rule, let key, _):
      .quoted(key) + Text(en: ": the column ", ru: ": столбец ") + .quoted(column)
        + Text(en: " cannot serve, it is ", ru: " не подходит, его вид — ")
        + .verbatim(rule.rawValue)
    case .secondPeriod:
      Text(en: "a second column of periods", ru: "второй столбец с периодами")
    case .notTwoColumns(let count):
      Text(
        en: "a period gives two columns, not \(count)",
        ru: "период даёт два столбца, а не \(count)")
    case .onlyFor(let rule, let key):
      .quoted(key) + Text(en: " is of use for kind: ", ru: " имеет смысл только для kind: ")
        + .verbatim(rule.rawValue) + Text(en: " only", ru: "")
    case .notForShares(let key):
      .quoted(key)
        + Text(
          en: " is of no use for a share: it is read from nowhere",
          ru: " не имеет смысла для доли: её ниоткуда не читают")
    case .keyWants(let key, let other):
      .quoted(key) + Text(en: " is of no use without ", ru: " не имеет смысла без ")
        + .quoted(other)
    case .keyBeside(let key, let other):
      .quoted(key) + Text(en: " does not go with ", ru: " не сочетается с ") + .quoted(other)
    case .severalServers(let key):
      .quoted(key)
        + Text(
          en: " may hold secrets, and the URLs lead to several servers",
          ru: " может содержать секреты, а адреса ведут на разные серверы")
    case .duplicateItem(let name):
      .quoted(name) + Text(en: " is on the list twice", ru: " в списке дважды")
    case .noSuchPlace(let name, let key, _):
      .quoted(key) + Text(en: ": of a request, nothing is known as ", ru: ": у запроса нет ")
        + .quoted(name)
    case .besideTables(let key):
      .quoted(key) + Text(en: " is for each table to say", ru: " указывают у каждой таблицы")
    case .viewsWithoutTables:
      Text(en: "views need tables", ru: "для views нужны tables")
    case .keyNotRequired(let column):
      Text(en: "the key column ", ru: "столбец ключа ") + .quoted(column)
        + Text(en: " may be missing", ru: " может отсутствовать")
    case .noSingleKey(let table):
      Text(en: "the table ", ru: "у таблицы ") + .quoted(table)
        + Text(en: " has no key of one column", ru: " нет ключа из одного столбца")
    case .notOneOf(let keys, let owner):
      .quoted(owner)
        + Text(
          en: " says not exactly one of \(keys.joined(separator: ", "))",
          ru: ": нужно что-то одно: \(keys.joined(separator: ", "))")
    case .onlyForNumbers(let key):
      .quoted(key) + Text(en: " is of use for numbers only", ru: " имеет смысл только для чисел")
    case .eventWithoutKey:
      Text(
        en: "an event needs a key that it is known by",
        ru: "чтобы отличать события, нужен ключ")
    }
  }
}

extension FeedDocumentFault {
  private static func wrongKind(_ key: String?, _ found: Kind, _ wanted: [Kind]) -> Text {
    let place = key.map { Text.quoted($0) } ?? Text(en: "the document", ru: "весь документ")
    let names = wanted.map(\.name)
    return Text(
      en: "\(place.en) is \(found.name.en), not \(names.map(\.en).joined(separator: " or "))",
      ru: "\(place.ru) — \(found.name.ru), а не \(names.map(\.ru).joined(separator: " или "))")
  }
}

extension FeedDocumentFault.Kind {
  fileprivate var name: Text {
    switch self {
    case .text: Text(en: "a text", ru: "текст")
    case .list: Text(en: "a list", ru: "список")
    case .mapping: Text(en: "keys and values", ru: "набор ключей и значений")
    }
  }
}

extension Text {
  /// Says that nothing is wrong with a document.
  static func documentIsRight(_ file: String) -> Text {
    .shown(file) + Text(en: ": the document is right", ru: ": документ верен")
  }

  /// Says that two rows of a sample have one key.
  static func sameKey(_ first: Int, _ second: Int, ofTable table: String?) -> Text {
    let part = table.map { Text(en: " of the table ", ru: " таблицы ") + .quoted($0) }
    return Text(en: "normalize: the rows ", ru: "normalize: у строк ")
      + Text(en: "\(first) and \(second)", ru: "\(first) и \(second)")
      + (part ?? .verbatim(""))
      + Text(
        en: " have one key; add a column to the key", ru: " один ключ; добавьте в него столбец")
      + (part == nil
        ? Text(en: ", or do without 'unique: true'", ru: " или уберите unique: true")
        : .verbatim(""))
  }

  /// What became of the records.
  static func counts(_ counts: Statistics) -> Text {
    Text(
      en: "\(counts.read) (kept \(counts.kept), skipped \(counts.skipped), "
        + "rejected \(counts.rejected)), rows \(counts.rows)",
      ru: "\(counts.read) (принято \(counts.kept), пропущено \(counts.skipped), "
        + "отклонено \(counts.rejected)), строк \(counts.rows)")
  }

  /// Names the mapping that a key belongs to.
  fileprivate static func inside(_ owner: String?) -> Text {
    guard let owner else { return .verbatim("") }
    return Text(en: " in ", ru: " внутри ") + .quoted(owner)
  }
}

extension Text {
  /// Says that a sample suggests no feed.
  static func noRowsInSample(_ keys: [String]) -> Text {
    Text(
      en: "the sample has no list of objects with values ",
      ru: "в образце нет списка объектов со значениями ")
      + .keysSeen(keys)
      + Text(
        en: "; take a larger piece of the data, one with records in it",
        ru: "; возьмите больше данных, с записями")
  }

  /// Says that a sample cannot come from standard input.
  static let sampleWantsFile = Text(
    en: "a sample with base64 data inside has to be read twice; save it to a file first",
    ru: "образец с base64 внутри нужно читать дважды; сначала сохраните его в файл")
}
