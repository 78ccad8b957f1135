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

extension FeedDocumentFault.Problem {
  /// What other languages call the kinds of columns.
  private static let kinds = [
    "date": "day", "datetime": "instant", "time": "instant", "timestamp": "instant",
    "string": "text", "str": "text", "int": "integer", "number": "decimal", "float": "decimal",
    "double": "decimal", "bool": "flag", "boolean": "flag", "range": "period",
  ]

  /// What to do.
  var remedy: Text {
    switch self {
    case .yaml(.tooDeep): Text(en: "; see 'sluice feeds NAME --document'", ru: .example)
    case .yaml(.duplicateKey):
      Text(en: "; remove one of the lines", ru: "; уберите одну из строк")
    case .yaml(let problem): ConfigFault.Problem(problem).remedy
    case .data:
      Text(
        en: "; name it as INPUT; 'sluice feeds --new FILE' writes a document for it",
        ru: "; укажите их как INPUT; описание для них напишет 'sluice feeds --new FILE'")
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
    case .duplicateColumn:
      Text(
        en: "; choose another name (capital letters make no difference)",
        ru: "; выберите другое имя (прописные и строчные буквы не различаются)")
    case .unknownColumn(_, "of", []):
      Text(
        en: "; add it, with kind: decimal or integer",
        ru: "; добавьте его с kind: decimal или integer")
    case .unknownColumn(_, _, []):
      Text(en: "; add a column that can serve", ru: "; добавьте подходящий столбец")
    case .unknownColumn(let column, _, let columns): .oneOf(columns, meant: column)
    case .columnOfOtherKind(_, _, "of", let columns):
      Text(
        en: "; if it holds numbers, say kind: decimal there",
        ru: "; если в нём числа, укажите для него kind: decimal")
        + (columns.isEmpty
          ? .verbatim("")
          : Text(en: ", or choose from: ", ru: ", или выберите: ")
            + .verbatim(columns.joined(separator: ", ")))
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
  fileprivate static func write(_ wanted: [Kind]) -> Text {
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

  fileprivate static func advice(on key: String, of owner: String?) -> Text {
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

extension String {
  fileprivate static let example = "; пример: 'sluice feeds NAME --document'"
}

extension FeedDocumentFault.Wanted {
  /// What is wrong with a text, to follow it.
  var complaint: Text {
    switch self {
    case .feedName: Text(en: " cannot name a feed", ru: " — не имя набора данных")
    case .columnName: Text(en: " cannot name a column", ru: " — не имя столбца")
    case .url: Text(en: " is not an http or https URL", ru: " — это не адрес http или https")
    case .time: Text(en: " is not a length of time", ru: " — это не промежуток времени")
    case .clock: Text(en: " is not an offset from UTC", ru: " — это не смещение от UTC")
    case .percentage: Text(en: " is not a percentage", ru: " — это не процент")
    case .color: Text(en: " is not the name of a colour", ru: " — нет такого названия цвета")
    case .refresh: Text(en: " is not a length of time", ru: " — это не промежуток времени")
    case .trueOrFalse: Text(en: " is neither true nor false", ru: " — не true и не false")
    case .headerName:
      Text(
        en: " is no header, or one that sluice sets itself",
        ru: " — не заголовок или тот, который sluice ставит сам")
    case .headerValue:
      Text(en: " cannot be the value of a header", ru: " — не значение заголовка")
    case .itemName: Text(en: " is no name", ru: " — не название")
    case .count: Text(en: " is not such a number", ru: " — не подходящее число")
    }
  }

  /// How it is written.
  var advice: Text {
    switch self {
    case .feedName:
      Text(
        en: "; write letters a to z, digits and dashes: waste-2026",
        ru: "; пишите буквы a–z, цифры и дефисы: waste-2026")
    case .columnName:
      Text(
        en: "; write letters, digits and underscores: start_date",
        ru: "; пишите буквы, цифры и подчёркивания: start_date")
    case .url:
      Text(
        en: "; write https://HOST/PATH, other than ASCII percent-encoded",
        ru: "; пишите https://HOST/PATH, всё кроме ASCII — с процентами")
    case .time:
      Text(
        en: "; write a whole number and a unit: 30m, 3h, 7d or 1w",
        ru: "; пишите целое число и единицу: 30m, 3h, 7d или 1w")
    case .clock: Text(en: "; write \"+03:00\" or Z", ru: "; пишите \"+03:00\" или Z")
    case .percentage: Text(en: "; write 25%, for example", ru: "; пишите, например, 25%")
    case .color: Text(en: "; write tomato, for example", ru: "; пишите, например, tomato")
    case .refresh: Text(en: "; write 1d, 6h or P1D", ru: "; пишите 1d, 6h или P1D")
    case .trueOrFalse: Text(en: "; write true or false", ru: "; пишите true или false")
    case .headerName:
      Text(en: "; write 'X-Api-Key: $MY_FEED_KEY'", ru: "; пишите 'X-Api-Key: $MY_FEED_KEY'")
    case .headerValue:
      Text(en: "; write one line of text", ru: "; пишите текст в одну строку")
    case .itemName:
      Text(
        en: "; write one line of 200 bytes at most", ru: "; одна строка, не длиннее 200 байт")
    case .count(let most):
      Text(en: "; write a whole number up to \(most)", ru: "; пишите целое число не больше \(most)")
    }
  }
}

extension FeedDocumentFault.PathFlaw {
  /// What is wrong with a path, to follow it.
  var what: Text {
    switch self {
    case .syntax: Text(en: " cannot be read", ru: " не разобрать")
    case .noList: Text(en: " does not end in a list", ru: " не ведёт к списку")
    case .otherList(let rows):
      Text(en: " goes through a list that the rows are not in: ", ru: " идёт не к строкам, они в ")
        + .quoted(rows)
    case .onTheWay: Text(en: " leads to no value", ru: " не ведёт к значению")
    case .taken(let column):
      Text(en: " leads to what is read as ", ru: " ведёт туда, откуда уже читается ")
        + .quoted(column)
    case .oneElement:
      Text(
        en: " names one element of a list, which only a column is read from",
        ru: " указывает один элемент списка: так можно только для столбца")
    case .notBeside(let payload):
      Text(en: " is not beside the payload, in ", ru: " — не рядом с payload, внутри ")
        + .quoted(payload)
    case .listWithoutMatch:
      Text(
        en: " goes through a list, and nothing tells which element is meant",
        ru: " идёт через список, и неясно, какой элемент нужен")
    case .matchWithoutList:
      Text(en: " does not go through one list", ru: " не проходит ровно через один список")
    }
  }

  /// What to do.
  var remedy: Text {
    switch self {
    case .syntax:
      Text(
        en: "; write keys with dots between and [] for a list: activities[].isin; a key that "
          + "holds dots or brackets, as a list of keys: [a, \"b.c\"]",
        ru: "; пишите ключи через точку и [] для списка: activities[].isin; ключ, в котором есть "
          + "точки или скобки, — списком ключей: [a, \"b.c\"]")
    case .noList:
      Text(
        en: "; end it with []: days[], or \"[]\" for the document itself",
        ru: "; закончите его []: days[] или \"[]\" для самого документа")
    case .otherList:
      Text(
        en: "; name a field of a row, or of what is around the rows",
        ru: "; назовите поле строки или того, что вокруг строк")
    case .onTheWay:
      Text(en: "; name a field", ru: "; назовите поле")
    case .taken: Text(en: "; read it once", ru: "; читайте его один раз")
    case .oneElement: Text(en: "; write [] for a list", ru: "; для списка пишите []")
    case .notBeside:
      Text(en: "; name a field of the same object", ru: "; назовите поле того же объекта")
    case .listWithoutMatch:
      Text(
        en: "; add 'match: {path: \"list[].id\", is: 4}'",
        ru: "; добавьте 'match: {path: \"list[].id\", is: 4}'")
    case .matchWithoutList:
      Text(
        en: "; a match belongs to a payload in a list, such as list[].file",
        ru: "; match нужен там, где payload в списке, например list[].file")
    }
  }
}

extension FeedDocumentFault.TemplateFlaw {
  /// What is wrong.
  var what: Text {
    switch self {
    case .brace: Text(en: "a brace without its other half", ru: "скобка без пары")
    case .empty: Text(en: "braces without a column", ru: "скобки без столбца")
    case .textBetween(let text):
      .quoted(text)
        + Text(en: " stands behind a part", ru: " стоит после части в скобках")
    }
  }

  /// What to do.
  var remedy: Text {
    switch self {
    case .brace, .empty: Text(en: "; write {column} or {word column}", ru: "; пишите {column}")
    case .textBetween:
      Text(
        en: "; put words into the braces, before the column: \"{street}, {house number}\"; only "
          + "\", \" or a space may stand between",
        ru: "; слова ставьте внутрь скобок перед столбцом: \"{street}, {дом house}\"; между "
          + "скобками — только «, » или пробел")
    }
  }
}

/// Names of colours to suggest.
enum ColorChoices {
  /// The nearest name, or a few.
  static func near(_ text: String) -> [String] {
    if let name = nearest(to: text, in: ColorNames.all) { return [name] }
    return ["blue", "dodgerblue", "green", "orange", "purple", "red", "tomato"]
  }
}
