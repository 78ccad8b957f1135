import Sluice

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
