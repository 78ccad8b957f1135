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

  /// What other languages call the kinds of columns.
  private static let kinds = [
    "date": "day", "datetime": "instant", "time": "instant", "timestamp": "instant",
    "string": "text", "str": "text", "int": "integer", "number": "decimal", "float": "decimal",
    "double": "decimal", "bool": "flag", "boolean": "flag", "range": "period",
  ]

  /// What to do.
  fileprivate var remedy: Text {
    switch self {
    case .yaml(.tooDeep): Text(en: "; see 'sluice feeds NAME --document'", ru: .example)
    case .yaml(.duplicateKey):
      Text(en: "; remove one of the lines", ru: "; уберите одну из строк")
    case .yaml(let problem): ConfigFault.Problem(problem).remedy
    case .empty:
      Text(
        en: "; 'sluice feeds --new SAMPLE' makes a beginning",
        ru: "; начать поможет 'sluice feeds --new SAMPLE'")
    case .wrongKind(_, _, let wanted): FeedDocumentFault.write(wanted)
    case .unknownKey(let key, _, let allowed): .oneOf(allowed, meant: key)
    case .missingKey(let key, let owner): FeedDocumentFault.advice(on: key, of: owner)
    case .noValue:
      Text(en: "; write one, or remove the line", ru: "; напишите его или уберите строку")
    case .notAChoice(let value, let key, let choices):
      key == "kind"
        ? .oneOf(choices, meant: Self.kinds[value.lowercased()] ?? value)
        : .oneOf(choices, meant: value)
    case .badValue(let value, _, .color):
      .oneOf(ColorChoices.near(value), meant: value)
    case .badValue(_, _, let wanted): wanted.advice
    case .badPath(_, let flaw): flaw.remedy
    case .badTemplate(_, let flaw): flaw.remedy
    case .duplicateColumn: Text(en: "; choose another name", ru: "; выберите другое имя")
    case .unknownColumn(let column, _, let columns): .oneOf(columns, meant: column)
    case .columnOfOtherKind(_, _, _, let columns):
      columns.isEmpty
        ? Text(en: "; add a column that can", ru: "; добавьте подходящий столбец")
        : Text(en: "; choose from: ", ru: "; есть: ") + .verbatim(columns.joined(separator: ", "))
    case .secondPeriod:
      Text(en: "; read one of them as text", ru: "; прочитайте один из них как text")
    case .notTwoColumns:
      Text(en: "; write [start_date, end_date]", ru: "; пишите [start_date, end_date]")
    case .onlyFor(let rule, _):
      Text(
        en: "; remove it, or say kind: \(rule.rawValue)",
        ru: "; уберите его или укажите kind: \(rule.rawValue)")
    case .notForShares:
      Text(
        en: "; remove it: {kind: share, of: amount}",
        ru: "; уберите его: {kind: share, of: amount}")
    case .keyWants(_, let other):
      Text(en: "; add \(other)", ru: "; добавьте \(other)")
    case .severalServers:
      Text(
        en: "; write a document for each server", ru: "; напишите по документу на каждый сервер")
    case .keyBeside: Text(en: "; remove one of them", ru: "; уберите одно из двух")
    case .duplicateItem: Text(en: "; remove one", ru: "; уберите одно")
    case .noSuchPlace(let name, _, let places):
      places.isEmpty ? Text(en: "; remove it", ru: "; уберите") : .oneOf(places, meant: name)
    case .besideTables:
      Text(en: "; move it into the tables", ru: "; перенесите его в таблицы")
    case .viewsWithoutTables:
      Text(en: "; name the tables", ru: "; назовите таблицы")
    case .keyNotRequired:
      Text(en: "; say required: true", ru: "; укажите required: true")
    case .noSingleKey:
      Text(en: "; give it one: 'key: [id]'", ru: "; задайте его: 'key: [id]'")
    case .notOneOf:
      Text(
        en: "; write {greatest: price}, for example", ru: "; например: {greatest: price}")
    case .onlyForNumbers: Text(en: "; remove it", ru: "; уберите его")
    case .eventWithoutKey:
      Text(
        en: "; name the columns that stay when a day moves: 'key: [street, bin]'",
        ru: "; назовите столбцы, которые не меняются при переносе дня: 'key: [street, bin]'")
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

  private static func write(_ wanted: [Kind]) -> Text {
    switch wanted.first {
    case .list: Text(en: "; write [a, b]", ru: "; пишите [a, b]")
    case .text where wanted.last == .list:
      Text(
        en: "; write a path, activities[].isin for example",
        ru: "; напишите путь, например activities[].isin")
    case .mapping:
      Text(en: "; write lines such as 'key: value'", ru: "; пишите строки 'key: value'")
    default:
      Text(
        en: "; write one text, in quotes where it begins with a sign",
        ru: "; напишите один текст, а если он начинается со знака — в кавычках")
    }
  }

  private static func advice(on key: String, of owner: String?) -> Text {
    switch (owner, key) {
    case (nil, "feed"):
      Text(en: "; give the feed a name: 'feed: waste'", ru: "; дайте имя: 'feed: waste'")
    case (nil, "rows"):
      Text(
        en: "; say where the list of records is: 'rows: days[]', or '\"[]\"' for the document",
        ru: "; укажите, где список записей: 'rows: days[]' или '\"[]\"' для всего документа")
    case (nil, "columns"):
      Text(en: "; name what is to be read: 'street: address'", ru: "; назовите, что читать")
    case ("event", "start"):
      Text(
        en: "; name the column with the day or the instant: 'start: date'",
        ru: "; назовите столбец с днём или временем: 'start: date'")
    case ("event", "summary"):
      Text(en: "; give events a title: 'summary: \"{bin}\"'", ru: "; дайте событиям название")
    default: Text(en: "; add it", ru: "; добавьте его")
    }
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

extension String {
  fileprivate static let example = "; пример: 'sluice feeds NAME --document'"
}

extension Text {
  /// Says that nothing is wrong with a document.
  static func documentIsRight(_ file: String) -> Text {
    .shown(file) + Text(en: ": the document is right", ru: ": документ верен")
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
