import Sluice

extension FeedDocumentFault {
  /// Returns the place, the problem and the remedy. `file` is the document's path.
  package func text(in file: String) -> Text { .place(file, place) + problem.message.text }
}

extension FeedDocumentFault.Problem {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .yaml(let problem): problem.message
    case .data:
      Message(
        en: "this is data, not a feed's document; give it as INPUT, or let 'sluice feeds --new "
          + "FILE' write a document for it",
        ru: "это данные, а не документ набора; укажите их как INPUT, а документ для них "
          + "напишет 'sluice feeds --new FILE'")
    case .empty:
      Message(
        en: "the document is empty; 'sluice feeds --new SAMPLE' writes a draft",
        ru: "документ пуст; черновик напишет 'sluice feeds --new SAMPLE'")
    case .wrongKind(let key, let found, let wanted):
      FeedDocumentFault.wrongKind(key, found, wanted)
    case .unknownKey(let key, nil, let allowed):
      Message(
        en: "unknown key \(quoted: key)", ru: "неизвестный ключ \(quoted: key)",
        .oneOf(allowed, meant: key))
    case .unknownKey(let key, let owner?, let allowed):
      Message(
        en: "unknown key \(quoted: key) in \(quoted: owner)",
        ru: "неизвестный ключ \(quoted: key) внутри \(quoted: owner)",
        .oneOf(allowed, meant: key))
    case .missingKey(let key, nil): FeedDocumentFault.missing(key)
    case .missingKey(let key, let owner?): FeedDocumentFault.missing(key, in: owner)
    case .noValue(let key):
      Message(
        en: "\(quoted: key) has no value; write one, or remove the line",
        ru: "для \(quoted: key) нет значения; напишите его или уберите строку")
    case .tooMany(let key, let limit):
      Message(
        en: "\(quoted: key) has more than \(count: limit, "entry", "entries"); split the document",
        ru: "в \(quoted: key) больше записей, чем можно (предел — \(limit)); разделите документ")
    case .notAChoice(let value, let key, let choices):
      Message(
        en: "\(quoted: key): \(quoted: value) is not one of the choices",
        ru: "\(quoted: key): \(quoted: value) — такого варианта нет",
        .oneOf(choices, meant: FeedDocumentFault.meant(value, key)))
    case .badValue(let value, let key, let wanted): wanted.message(value, key)
    case .badPath(let path, let flaw): flaw.message(path)
    case .badTemplate(let key, let flaw): flaw.message(key)
    case .duplicateColumn(let column):
      Message(
        en: "there is a column \(quoted: column) already; choose another name (case does not "
          + "matter)",
        ru: "столбец \(quoted: column) уже есть; выберите другое имя (прописные и строчные буквы "
          + "не различаются)")
    case .unknownColumn(let column, key: "of", columns: []):
      Message(
        en: "\"of\": there is no column \(quoted: column); add it, with kind: decimal or integer",
        ru: "«of»: нет столбца \(quoted: column); добавьте его с kind: decimal или integer")
    case .unknownColumn(let column, let key, columns: []):
      Message(
        en: "\(quoted: key): there is no column \(quoted: column); add a column that fits",
        ru: "\(quoted: key): нет столбца \(quoted: column); добавьте подходящий столбец")
    case .unknownColumn(let column, let key, let columns):
      Message(
        en: "\(quoted: key): there is no column \(quoted: column)",
        ru: "\(quoted: key): нет столбца \(quoted: column)", .oneOf(columns, meant: column))
    case .columnOfOtherKind(let column, let kind, key: "of", columns: []):
      Message(
        en: "\"of\": the column \(quoted: column) does not fit, it is \(kind.rawValue); if it has "
          + "numbers, set kind: decimal there",
        ru: "«of»: столбец \(quoted: column) не подходит, его вид — \(kind.rawValue); если в нём "
          + "числа, укажите для него kind: decimal")
    case .columnOfOtherKind(let column, let kind, key: "of", let columns):
      Message(
        en: "\"of\": the column \(quoted: column) does not fit, it is \(kind.rawValue); if it has "
          + "numbers, set kind: decimal there, or choose from: \(columns.joined(separator: ", "))",
        ru: "«of»: столбец \(quoted: column) не подходит, его вид — \(kind.rawValue); если в нём "
          + "числа, укажите для него kind: decimal или выберите: "
          + "\(columns.joined(separator: ", "))")
    case .columnOfOtherKind(let column, let kind, let key, columns: []):
      Message(
        en: "\(quoted: key): the column \(quoted: column) does not fit, it is \(kind.rawValue); "
          + "add a column that does",
        ru: "\(quoted: key): столбец \(quoted: column) не подходит, его вид — \(kind.rawValue); "
          + "добавьте подходящий столбец")
    case .columnOfOtherKind(let column, let kind, let key, let columns):
      Message(
        en: "\(quoted: key): the column \(quoted: column) does not fit, it is \(kind.rawValue); "
          + "choose from: \(columns.joined(separator: ", "))",
        ru: "\(quoted: key): столбец \(quoted: column) не подходит, его вид — \(kind.rawValue); "
          + "есть: \(columns.joined(separator: ", "))")
    case .secondPeriod:
      Message(
        en: "there are two columns of periods; read one of them as text",
        ru: "здесь второй столбец с периодами; прочитайте один из них как text")
    case .notTwoColumns(let count):
      Message(
        en: "a period gives two columns, not \(count); write [start_date, end_date]",
        ru: "период даёт два столбца, а не \(count); пишите [start_date, end_date]")
    case .notTwoLabels(let count):
      Message(
        en: "a period has two columns, so it needs two labels, not \(count); write [Begin, End]",
        ru: "у периода два столбца, поэтому подписей нужно две, а не \(count); пишите "
          + "[Начало, Конец]")
    case .onlyFor(let kind, let key):
      Message(
        en: "\(quoted: key) is only for kind: \(kind.rawValue); remove it, or set kind: "
          + "\(kind.rawValue)",
        ru: "\(quoted: key) годится только для kind: \(kind.rawValue); уберите его или укажите "
          + "kind: \(kind.rawValue)")
    case .notForShares(let key):
      Message(
        en: "\(quoted: key) is not for a share, which is computed, not read; remove it: "
          + "{kind: share, of: amount}",
        ru: "\(quoted: key) не годится для доли: её не читают, а вычисляют; уберите его: "
          + "{kind: share, of: amount}")
    case .notOneOf(let keys, let owner):
      Message(
        en: "\(quoted: owner) must have exactly one of \(keys.joined(separator: ", ")); "
          + "write {greatest: price}, for example",
        ru: "\(quoted: owner): нужно что-то одно: \(keys.joined(separator: ", ")); "
          + "например: {greatest: price}")
    case .onlyForNumbers(let key):
      Message(
        en: "\(quoted: key) is only for numbers",
        ru: "\(quoted: key) годится только для чисел", .removeIt)
    case .eventWithoutKey:
      Message(
        en: "an event needs a key that identifies it; name the columns that stay when a day moves: "
          + "'key: [street, bin]'",
        ru: "чтобы отличать события, нужен ключ; назовите столбцы, которые не меняются при "
          + "переносе дня: 'key: [street, bin]'")
    case .keyWants(let key, let other):
      Message(
        en: "\(quoted: key) has no effect without \(quoted: other); add \(other)",
        ru: "\(quoted: key) не действует без \(quoted: other); добавьте \(other)")
    case .keyBeside(let key, let other):
      Message(
        en: "\(quoted: key) and \(quoted: other) exclude each other; remove one of them",
        ru: "\(quoted: key) и \(quoted: other) исключают друг друга; уберите что-то одно")
    case .severalServers(let key):
      Message(
        en: "\(quoted: key) may hold secrets, and the URLs lead to several servers; write a "
          + "document for each server",
        ru: "\(quoted: key) может содержать секреты, а адреса ведут на разные серверы; напишите "
          + "по документу на каждый сервер")
    case .duplicateItem(let name):
      Message(
        en: "\(quoted: name) is in the list twice; remove one",
        ru: "\(quoted: name) в списке дважды; уберите одно")
    case .noSuchPlace(let name, let key, let places):
      Message(
        en: "\(quoted: key): a request has no key \(quoted: name)",
        ru: "\(quoted: key): у запроса нет ключа \(quoted: name)", .oneOf(places, meant: name))
    case .besideTables(let key):
      Message(
        en: "with tables, \(quoted: key) belongs to each table; move it there",
        ru: "если есть tables, \(quoted: key) указывают у каждой таблицы; перенесите его туда")
    case .viewsWithoutTables:
      Message(en: "views need tables; add tables", ru: "для views нужны tables; добавьте их")
    case .keyNotRequired(let column):
      Message(
        en: "the key column \(quoted: column) may be missing; set required: true",
        ru: "столбец ключа \(quoted: column) может отсутствовать; укажите required: true")
    case .noSingleKey(let table):
      Message(
        en: "the table \(quoted: table) has no key of one column; give it one: 'key: [id]'",
        ru: "у таблицы \(quoted: table) нет ключа из одного столбца; задайте его: 'key: [id]'")
    }
  }
}

extension FeedDocumentFault {
  /// The other names of kinds of columns.
  private static let kinds = [
    "date": "day", "datetime": "instant", "time": "instant", "timestamp": "instant",
    "string": "text", "str": "text", "int": "integer", "number": "decimal", "float": "decimal",
    "double": "decimal", "bool": "flag", "boolean": "flag", "range": "period",
  ]

  /// Returns the word that was probably meant by a value of a key with choices.
  fileprivate static func meant(_ value: String, _ key: String) -> String {
    key == "kind" ? kinds[value.lowercased()] ?? value : value
  }

  fileprivate static func wrongKind(_ key: String?, _ found: Kind, _ wanted: [Kind]) -> Message {
    let place = key.map { Text.quoted($0) } ?? Text(en: "the document", ru: "весь документ")
    let names = wanted.map(\.name)
    return Message(
      en: "\(place) is \(found.name), not \(Text.joined(names, by: " or ")); \(advice(wanted))",
      ru: "\(place) — \(found.name), а не \(Text.joined(names, by: " или ")); \(advice(wanted))")
  }

  /// Returns how values of these kinds are written.
  private static func advice(_ wanted: [Kind]) -> Text {
    switch (wanted.first, wanted.last) {
    case (.list, _):
      Text(en: "write [a, b]", ru: "пишите [a, b]")
    case (.text, .list):
      Text(
        en: "write a path, activities[].isin for example",
        ru: "напишите путь, например activities[].isin")
    case (.mapping, _):
      Text(en: "write lines such as 'key: value'", ru: "пишите строки 'key: value'")
    case (.text, _), (nil, _):
      Text(
        en: "write one value, in quotes if it begins with a special character",
        ru: "напишите одно значение, а если оно начинается с особого знака — в кавычках")
    }
  }

  /// The document lacks a key.
  fileprivate static func missing(_ key: String) -> Message {
    let advice =
      switch key {
      case "feed":
        Text(en: "give the feed a name: 'feed: waste'", ru: "дайте имя: 'feed: waste'")
      case "rows":
        Text(
          en: "give the path of the list of records: 'rows: days[]', or '\"[]\"' for the document",
          ru: "укажите, где список записей: 'rows: days[]' или '\"[]\"' для всего документа")
      case "columns":
        Text(
          en: "name the columns to read: 'street: address'",
          ru: "назовите столбцы: 'street: address'")
      default: Text(en: "add it", ru: "добавьте его")
      }
    return Message(
      en: "there is no \(quoted: key); \(advice)", ru: "нет ключа \(quoted: key); \(advice)")
  }

  /// A mapping in the document lacks a key.
  fileprivate static func missing(_ key: String, in owner: String) -> Message {
    let advice =
      switch (owner, key) {
      case ("event", "start"):
        Text(
          en: "name the column with the day or the instant: 'start: date'",
          ru: "назовите столбец с днём или временем: 'start: date'")
      case ("event", "summary"):
        Text(
          en: "give events a title: 'summary: \"{bin}\"'",
          ru: "дайте событиям название: 'summary: \"{bin}\"'")
      default: Text(en: "add it", ru: "добавьте его")
      }
    return Message(
      en: "there is no \(quoted: key) in \(quoted: owner); \(advice)",
      ru: "нет ключа \(quoted: key) внутри \(quoted: owner); \(advice)")
  }
}

extension FeedDocumentFault.Kind {
  fileprivate var name: Text {
    switch self {
    case .text: Text(en: "text", ru: "текст")
    case .list: Text(en: "a list", ru: "список")
    case .mapping: Text(en: "a set of keys and values", ru: "набор ключей и значений")
    }
  }
}

extension FeedDocumentFault.Wanted {
  /// Returns the problem of a key's value, and how such a value is written.
  fileprivate func message(_ value: String, _ key: String) -> Message {
    let it = Text(en: "\(quoted: key): \(quoted: value)", ru: "\(quoted: key): \(quoted: value)")
    return switch self {
    case .feedName:
      Message(
        en: "\(it) is not a valid feed name; write letters a to z, digits and dashes: waste-2026",
        ru: "\(it) не годится как имя набора; пишите буквы a–z, цифры и дефисы: waste-2026")
    case .columnName:
      Message(
        en: "\(it) is not a valid column name; write letters, digits and underscores: start_date",
        ru: "\(it) не годится как имя столбца; пишите буквы, цифры и подчёркивания: start_date")
    case .url:
      Message(
        en: "\(it) is not an http or https URL; write https://HOST/PATH, and percent-encode "
          + "all but ASCII",
        ru: "\(it) — это не адрес http или https; пишите https://HOST/PATH, а всё, кроме ASCII, — "
          + "в процентной кодировке (%D0%B0)")
    case .time:
      Message(
        en: "\(it) is not a length of time; write a whole number and a unit: 30m, 3h, 7d or 1w",
        ru: "\(it) — это не промежуток времени; пишите целое число и единицу: 30m, 3h, 7d или 1w")
    case .clock:
      Message(
        en: "\(it) is neither an offset from UTC nor a time zone; write \"+03:00\", Z or "
          + "Europe/London",
        ru: "\(it) — это не смещение от UTC и не часовой пояс; пишите \"+03:00\", Z или "
          + "Europe/London")
    case .zone:
      Message(
        en: "\(it) is not the name of a time zone; write Europe/London, for example, or "
          + "{from: PATH}",
        ru: "\(it) — это не название часового пояса; пишите, например, Europe/London "
          + "или {from: ПУТЬ}")
    case .percentage:
      Message(
        en: "\(it) is not a percentage; write 25%, for example",
        ru: "\(it) — это не процент; пишите, например, 25%")
    case .color:
      Message(
        en: "\(it) is not the name of a colour", ru: "\(it) — нет такого названия цвета",
        .oneOf(FeedDocumentFault.colours(near: value), meant: value))
    case .refresh:
      Message(
        en: "\(it) is not a length of time; write 1d, 6h or P1D",
        ru: "\(it) — это не промежуток времени; пишите 1d, 6h или P1D")
    case .trueOrFalse:
      Message(
        en: "\(it) is neither true nor false; write true or false",
        ru: "\(it) — не true и не false; пишите true или false")
    case .headerName:
      Message(
        en: "\(it) is not a header that can be set; write 'X-Api-Key: $MY_FEED_KEY'",
        ru: "\(it) — такой заголовок задать нельзя; пишите 'X-Api-Key: $MY_FEED_KEY'")
    case .headerValue:
      Message(
        en: "\(it) is not a valid header value; write one line of text",
        ru: "\(it) не годится как значение заголовка; пишите текст в одну строку")
    case .itemName:
      Message(
        en: "\(it) is not a valid name; write one line of at most 200 bytes",
        ru: "\(it) не годится как название; пишите одну строку, не длиннее 200 байт")
    case .text:
      Message(
        en: "\(it) has a character that no database takes; write letters and signs",
        ru: "в \(it) есть знак, который база данных не примет; пишите буквы и обычные знаки")
    case .integer:
      Message(
        en: "\(it) is not a whole number of 64 bits; write digits, such as 12",
        ru: "\(it) — не целое 64-битное число; пишите цифры, например 12")
    case .decimal:
      Message(
        en: "\(it) is not a number; write digits and a point, such as 2.5",
        ru: "\(it) — не число; пишите цифры и точку, например 2.5")
    case .day:
      Message(
        en: "\(it) is not a day; write one such as 2020-06-22",
        ru: "\(it) — не день; пишите, например, 2020-06-22")
    case .count(let most):
      Message(
        en: "\(it) is not a valid number; write a whole number up to \(most)",
        ru: "\(it) — не подходящее число; пишите целое число не больше \(most)")
    }
  }
}

extension FeedDocumentFault {
  /// Returns the nearest name of a colour, or a few to choose from.
  fileprivate static func colours(near text: String) -> [String] {
    if let name = nearest(to: text, in: ColorNames.all) { return [name] }
    return ["blue", "dodgerblue", "green", "orange", "purple", "red", "tomato"]
  }
}

extension FeedDocumentFault.PathFlaw {
  /// Returns the problem of a path, and the remedy.
  fileprivate func message(_ path: String) -> Message {
    switch self {
    case .syntax:
      Message(
        en: "cannot read the path \(quoted: path); write keys with dots between and [] for a list: "
          + "activities[].isin, or a list of keys if a key has dots or brackets: [a, \"b.c\"]",
        ru: "путь \(quoted: path) не разобрать; пишите ключи через точку и [] для списка: "
          + "activities[].isin, а если в ключе есть точки или скобки — список ключей: "
          + "[a, \"b.c\"]")
    case .noList:
      Message(
        en: "the path \(quoted: path) does not end in a list; end it with []: days[], or \"[]\" "
          + "for the document itself",
        ru: "путь \(quoted: path) не ведёт к списку; закончите его []: days[] или \"[]\" для "
          + "самого документа")
    case .otherList(let rows):
      Message(
        en: "the path \(quoted: path) goes through a list other than that of the rows, "
          + "\(quoted: rows); name a field of a row, or of an object around the rows",
        ru: "путь \(quoted: path) идёт не к строкам, они в \(quoted: rows); назовите поле строки "
          + "или объекта вокруг строк")
    case .onTheWay:
      Message(
        en: "the path \(quoted: path) does not lead to a value; name a field",
        ru: "путь \(quoted: path) не ведёт к значению; назовите поле")
    case .taken(let column):
      Message(
        en: "the path \(quoted: path) leads to data that is already read as \(quoted: column); "
          + "read it once",
        ru: "путь \(quoted: path) ведёт туда, откуда уже читается \(quoted: column); читайте его "
          + "один раз")
    case .oneElement:
      Message(
        en: "the path \(quoted: path) names one element of a list, which only a column may do; "
          + "write [] for a list",
        ru: "путь \(quoted: path) указывает один элемент списка: так можно только для столбца; "
          + "для списка пишите []")
    case .tooLong(let limit):
      Message(
        en: "the path \(quoted: path) has more than \(count: limit, "step", "steps"), deeper than "
          + "data can be; shorten it",
        ru: "в пути \(quoted: path) слишком много шагов (предел — \(limit)): так глубоко данных не "
          + "бывает; сократите его")
    case .notBeside(let payload):
      Message(
        en: "the path \(quoted: path) is not beside the payload, in \(quoted: payload); name a "
          + "field of the same object",
        ru: "путь \(quoted: path) — не рядом с payload, внутри \(quoted: payload); назовите поле "
          + "того же объекта")
    case .listWithoutMatch:
      Message(
        en: "the path \(quoted: path) goes through a list without saying which element is meant; "
          + "add 'match: {path: \"list[].id\", is: 4}'",
        ru: "путь \(quoted: path) идёт через список, и неясно, какой элемент нужен; добавьте "
          + "'match: {path: \"list[].id\", is: 4}'")
    case .matchWithoutList:
      Message(
        en: "the path \(quoted: path) does not go through exactly one list; 'match' belongs to a "
          + "payload in a list, such as list[].file",
        ru: "путь \(quoted: path) не проходит ровно через один список; match нужен там, где "
          + "payload в списке, например list[].file")
    }
  }
}

extension FeedDocumentFault.TemplateFlaw {
  /// Returns the problem of a key's template, and the remedy.
  fileprivate func message(_ key: String) -> Message {
    switch self {
    case .brace:
      Message(
        en: "the template \(quoted: key) has an unbalanced brace; write {column} or {word column}",
        ru: "в шаблоне \(quoted: key) скобка без пары; пишите {column} или {слово column}")
    case .empty:
      Message(
        en: "the template \(quoted: key) has braces without a column; write {column} or "
          + "{word column}",
        ru: "в шаблоне \(quoted: key) скобки без столбца; пишите {column} или {слово column}")
    case .textBetween(let text):
      Message(
        en: "the template \(quoted: key) has \(quoted: text) after a part in braces; put words "
          + "into the braces, before the column: \"{street}, {house number}\", with only \", \" "
          + "or a space between",
        ru: "в шаблоне \(quoted: key) \(quoted: text) стоит после части в скобках; слова ставьте "
          + "внутрь скобок перед столбцом: \"{street}, {дом house}\", а между скобками — только "
          + "«, » или пробел")
    }
  }
}

extension Text {
  /// Says that a document has no errors.
  package static func documentIsRight(_ file: String) -> Text {
    Text(en: "\(excerpt: file): no errors", ru: "\(excerpt: file): ошибок нет")
  }

  /// Says that two rows of a sample have one key.
  package static func sameKey(_ first: Int, _ second: Int, ofTable table: String?) -> Text {
    guard let table else {
      return Text(
        en: "normalize: the rows \(first) and \(second) have the same key; add a column to the "
          + "key, or remove 'unique: true'",
        ru: "normalize: у строк \(first) и \(second) один ключ; добавьте в него столбец или "
          + "уберите unique: true")
    }
    return Text(
      en: "normalize: the rows \(first) and \(second) of the table \(quoted: table) have the same "
        + "key; add a column to the key",
      ru: "normalize: у строк \(first) и \(second) таблицы \(quoted: table) один ключ; добавьте в "
        + "него столбец")
  }

  /// Returns the numbers of records by their results.
  package static func counts(_ counts: Statistics) -> Text {
    Text(
      en: "\(counts.read) (kept \(counts.kept), skipped \(counts.skipped), "
        + "rejected \(counts.rejected)), rows \(counts.rows)",
      ru: "\(counts.read) (принято \(counts.kept), пропущено \(counts.skipped), "
        + "отклонено \(counts.rejected)), строк \(counts.rows)")
  }

  /// Says that a sample suggests no feed.
  package static func noRowsInSample(_ keys: [String]) -> Text {
    Text(
      en: "the sample has no list of objects with values \(keys: keys); use a larger sample, with "
        + "records in it",
      ru: "в образце нет списка объектов со значениями \(keys: keys); возьмите образец побольше, "
        + "с записями")
  }

  /// Says that a sample cannot come from standard input.
  package static let sampleWantsFile = Text(
    en: "a sample with base64 data in it must be read twice; save it to a file first",
    ru: "образец с base64 внутри нужно читать дважды; сначала сохраните его в файл")
}
