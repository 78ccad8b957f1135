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
    case .laterVersion(let version, let known):
      Message(
        en:
          "the document is of version \(version), and this program reads versions up to \(known); "
          + "install a newer sluice",
        ru: "версия описания — \(version), а программа читает версии до \(known); "
          + "установите sluice поновее")
    case .wrongKind(let key, let found, let wanted, let keys):
      FeedDocumentFault.wrongKind(key, found, wanted, keys)
    case .unknownKey(let key, nil, let allowed):
      Message(
        en: "unknown key \(quoted: key)", ru: "неизвестный ключ \(quoted: key)",
        .oneOf(allowed, meant: key))
    case .unknownKey(let key, let owner?, let allowed):
      Message(
        en: "unknown key \(quoted: key) in \(quoted: owner)",
        ru: "неизвестный ключ \(quoted: key) внутри \(quoted: owner)",
        .oneOf(allowed, meant: FeedDocumentFault.meant(key, of: allowed)))
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
    case .badFormat(let format, let flaw): flaw.message(format)
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
    case .unknownColumn(let word, key: "where", _) where FeedDocumentFault.isComparison(word):
      Message(
        en: "\"where\": \(quoted: word) stands inside of a column; write 'where: {type: {\(word): "
          + "…}}'",
        ru: "«where»: \(quoted: word) пишут внутри столбца; пишите 'where: {type: {\(word): …}}'")
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
    case .noShownColumn:
      Message(
        en: "all columns have 'show: false', so tables would be empty; show one of them",
        ru: "у всех столбцов стоит 'show: false', и таблицы были бы пусты; покажите хотя бы один")
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
    case .onlyForKinds(let kinds, let key):
      Message(
        en: "\(quoted: key) is only for kind: \(kinds.map(\.rawValue).joined(separator: ", "))",
        ru: "\(quoted: key) годится только для kind: "
          + "\(kinds.map(\.rawValue).joined(separator: ", "))",
        .removeIt)
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
    case .notTwoDegrees(let count):
      Message(
        en: "a place has a latitude and a longitude, not \(count); write [lat, lon]",
        ru: "у места есть широта и долгота, а здесь значений: \(count); пишите [lat, lon]")
    case .onlyForOneEvent(let key):
      Message(
        en: "\(quoted: key) is not for one of several events of a row; write a document with that "
          + "event alone",
        ru: "\(quoted: key) не годится, если у строки несколько событий; опишите это событие в "
          + "отдельном документе")
    case .onlyForFirstEvent(let key):
      Message(
        en: "\(quoted: key) is about the calendar of all events; write it in the first event only",
        ru: "\(quoted: key) относится к календарю всех событий; укажите его только в первом "
          + "событии")
    case .needsClock(let key):
      Message(
        en: "\(quoted: key): a time of day needs a clock; add 'clock: Europe/London' to the "
          + "document, or zone: to start",
        ru: "\(quoted: key): для времени суток нужны часы; добавьте в документ "
          + "'clock: Europe/London' или zone: к start")
    case .needsZone(let key):
      Message(
        en: "\(quoted: key): local times need the name of a time zone; add 'clock: Europe/London' "
          + "to the document, or zone: to the column",
        ru: "\(quoted: key): для местного времени нужно название часового пояса; добавьте в "
          + "документ 'clock: Europe/London' или zone: к столбцу")
    case .unknownZone(let name, let key):
      FeedDocumentFault.unknownZone(name, key)
    case .eventWithoutKey:
      Message(
        en: "an event needs a key that identifies it; name the columns that stay when a day moves: "
          + "'key: [street, bin]'",
        ru: "чтобы отличать события, нужен ключ; назовите столбцы, которые не меняются при "
          + "переносе дня: 'key: [street, bin]'")
    case .keyWants("marks", "unique"):
      Message(
        en: "\"marks\" need a key that no two rows share; write 'key: {columns: [id], unique: "
          + "true}'",
        ru: "для «marks» нужен неповторяющийся ключ; пишите 'key: {columns: [id], unique: true}'")
    case .keyWants(let key, let other):
      Message(
        en: "\(quoted: key) has no effect without \(quoted: other); add \(other)",
        ru: "\(quoted: key) не действует без \(quoted: other); добавьте \(other)")
    case .untilBeforeFrom(let until, let from):
      Message(
        en: "\"until\" is \(until), before \"from\", which is \(from); exchange them",
        ru: "\"until\" (\(until)) раньше, чем \"from\" (\(from)); поменяйте их местами")
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
      case ("split", "take"):
        Text(en: "'take: 1' is the first part", ru: "'take: 1' — первая часть")
      case ("repeat", "every"):
        Text(en: "write 'every: week', month or year", ru: "пишите 'every: week', month или year")
      case ("parts", _):
        Text(
          en: "name the field that has it: '\(key): FIELD'",
          ru: "назовите поле, где он есть: '\(key): ПОЛЕ'")
      default: Text(en: "add it", ru: "добавьте его")
      }
    return Message(
      en: "there is no \(quoted: key) in \(quoted: owner); \(advice)",
      ru: "нет ключа \(quoted: key) внутри \(quoted: owner); \(advice)")
  }
}
