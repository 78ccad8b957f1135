import Sluice

extension FeedDocumentFault.Kind {
  var name: Text {
    switch self {
    case .text: Text(en: "text", ru: "текст")
    case .list: Text(en: "a list", ru: "список")
    case .mapping: Text(en: "a set of keys and values", ru: "набор ключей и значений")
    }
  }
}

extension FeedDocumentFault.Wanted {
  /// Returns the problem of a key's value, and how such a value is written.
  func message(_ value: String, _ key: String) -> Message {
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
    case .size:
      Message(
        en: "\(it) is not a size; write 64MB, for example",
        ru: "\(it) — это не размер; пишите, например, 64MB")
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
    case .length:
      Message(
        en: "\(it) is not a length of time; write 90m, 2h, 1d, PT1H30M, or {minutes: COLUMN}",
        ru: "\(it) — это не промежуток времени; пишите 90m, 2h, 1d, PT1H30M или "
          + "{minutes: СТОЛБЕЦ}")
    case .daysOf(.week):
      Message(
        en: "\(it) is no day of the week; write mo, tu, we, th, fr, sa, su, or a column",
        ru: "\(it) — это не день недели; пишите mo, tu, we, th, fr, sa, su или столбец")
    case .daysOf(.month):
      Message(
        en: "\(it) is no day of the month; write 1 to 31, or a column",
        ru: "\(it) — это не день месяца; пишите от 1 до 31 или столбец")
    case .daysOf(.year):
      Message(
        en: "\(it) is no day of the year; write one such as 12-31, or a column",
        ru: "\(it) — это не день года; пишите, например, 12-31 или столбец")
    case .partNumber:
      Message(
        en: "\(it) is not the number of a part; write 1 for the first, 2, 3 …, or -1 for the last",
        ru: "\(it) — это не номер части; пишите 1 для первой, 2, 3 … или -1 для последней")
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
    case .characters:
      Message(
        en: "\(it) are not characters to take off; write them: \"*-\", since white space goes in "
          + "any case",
        ru: "\(it) — это не знаки, которые нужно убрать; пишите сами знаки: \"*-\", а пробелы "
          + "убираются всегда")
    case .decimalSign:
      Message(
        en: "\(it) is no decimal sign; write \",\" or \".\"",
        ru: "\(it) — не знак перед дробной частью; пишите \",\" или \".\"")
    case .thousandsSign(let taken?) where taken == value:
      Message(
        en: "\(it) is the sign before the decimals already; set another one: 'decimal: "
          + "\"\(taken == "." ? "," : ".")\"'",
        ru: "\(it) — этот знак уже стоит перед дробной частью; укажите другой: 'decimal: "
          + "\"\(taken == "." ? "," : ".")\"'")
    case .thousandsSign:
      Message(
        en: "\(it) does not stand between thousands; write \".\", \",\", \" \" or \"'\"",
        ru: "\(it) — не знак между тысячами; пишите \".\", \",\", \" \" или \"'\"")
    case .day:
      Message(
        en: "\(it) is not a day; write one such as 2020-06-22",
        ru: "\(it) — не день; пишите, например, 2020-06-22")
    case .timeOfDay:
      Message(
        en: "\(it) is not a time of day as the column has it; write one such as 09:30",
        ru: "\(it) — не время суток в том виде, что в столбце; пишите, например, 09:30")
    case .years:
      Message(
        en: "\(it) is not a range of a hundred years; write one such as 1970-2069",
        ru: "\(it) — не промежуток в сто лет; пишите, например, 1970-2069")
    case .version:
      Message(
        en: "\(it) is not a version of documents; write 1 or 2",
        ru: "\(it) — не версия описания; пишите 1 или 2")
    case .instant:
      Message(
        en: "\(it) is neither a day nor a point in time; write 2020-06-22 or "
          + "2020-06-22T10:00:00+03:00",
        ru: "\(it) — не день и не момент времени; пишите 2020-06-22 или 2020-06-22T10:00:00+03:00")
    case .count(let most):
      Message(
        en: "\(it) is not a valid number; write a whole number up to \(most)",
        ru: "\(it) — не подходящее число; пишите целое число не больше \(most)")
    }
  }
}

extension FeedDocumentFault {
  /// Returns the nearest name of a colour, or a few to choose from.
  static func colours(near text: String) -> [String] {
    if let name = nearest(to: text, in: ColorNames.all) { return [name] }
    return ["blue", "dodgerblue", "green", "orange", "purple", "red", "tomato"]
  }
}

extension FeedDocumentFault {
  /// Returns the zone that was probably meant; nil if no name is near.
  static func zone(near name: String) -> String? {
    let names = ZoneFile.names
    // `Berlin`, and `berlin` too.
    let word = name.lowercased()
    if word.count > 2, let name = names.first(where: { $0.lowercased().hasSuffix("/" + word) }) {
      return name
    }
    return nearest(to: name, in: names)
  }

  /// The problem of a zone that does not exist, and the remedy.
  static func unknownZone(_ name: String, _ key: String) -> Message {
    let it = Text(
      en: "\(quoted: key): there is no time zone \(quoted: name)",
      ru: "\(quoted: key): нет часового пояса \(quoted: name)")
    let isOffset = name.hasPrefix("UTC") || name.hasPrefix("GMT")
    guard !isOffset, let near = zone(near: name) else {
      return Message(
        en: "\(it); write a city's, such as Europe/London, or an offset, such as \"+03:00\"",
        ru: "\(it); пишите пояс города, например Europe/London, или смещение, например "
          + "\"+03:00\"")
    }
    return Message(en: "\(it)", ru: "\(it)", .meant(near))
  }
}

extension FeedDocumentFault.PathFlaw {
  /// Returns the problem of a path, and the remedy.
  func message(_ path: String) -> Message {
    switch self {
    case .syntax:
      Message(
        en: "cannot read the path \(quoted: path); write keys with dots between and [] for a list: "
          + "activities[].isin, [0], [*] or [type=x] for elements of a list in a row, or a list of "
          + "keys if a key has dots or brackets: [a, \"b.c\"]",
        ru: "путь \(quoted: path) не разобрать; пишите ключи через точку и [] для списка: "
          + "activities[].isin, для элементов списка в строке — [0], [*] или [type=x], а если в "
          + "ключе есть точки или скобки — список ключей: [a, \"b.c\"]")
    case .noList:
      Message(
        en: "the path \(quoted: path) does not end in a list; end it with []: days[], or with "
          + "* for the members of an object: rates.*, or write \"[]\" for the document itself",
        ru: "путь \(quoted: path) не ведёт к списку; закончите его []: days[], или "
          + "звёздочкой, если строки — значения объекта: rates.*, или пишите \"[]\" для самого "
          + "документа")
    case .otherList(let rows):
      Message(
        en: "the path \(quoted: path) goes through a list other than that of the rows, "
          + "\(quoted: rows); name a field of a row, or of an object around the rows, or write "
          + "[*] to join a list",
        ru: "путь \(quoted: path) идёт не к строкам, они в \(quoted: rows); назовите поле строки "
          + "или объекта вокруг строк, а список соединяет [*]")
    case .wholeList:
      Message(
        en: "the path \(quoted: path) leads to a whole list, and a column has one value; write "
          + "[*] to join the elements, or [0] for the first",
        ru: "путь \(quoted: path) ведёт к целому списку, а в столбце одно значение; пишите [*], "
          + "чтобы соединить элементы, или [0] для первого")
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
    case .picksOfRow:
      Message(
        en:
          "the path \(quoted: path) picks elements of the row itself, or of what is around it, which "
          + "is no list to pick from; write the place of an element, such as [0]",
        ru:
          "путь \(quoted: path) выбирает элементы из самой строки или из того, что вокруг неё, а это "
          + "не список для выбора; укажите место элемента, например [0]")
    case .oneElement:
      Message(
        en: "the path \(quoted: path) names one element of a list, which only a column may do; "
          + "write [] for a list",
        ru: "путь \(quoted: path) указывает один элемент списка: так можно только для столбца; "
          + "для списка пишите []")
    case .wildcard:
      Message(
        en: "the path \(quoted: path) has *, which only rows may have, and columns around them; "
          + "name one key",
        ru: "в пути \(quoted: path) есть *: так можно только для строк и столбцов вокруг них; "
          + "назовите один ключ")
    case .noElementKey(let wildcards):
      Message(
        en: "there is no \(path): the path of the rows has \(wildcards) *; $key[0] is the "
          + "key of the innermost one",
        ru: "\(path) нет: в пути строк звёздочек — \(wildcards); $key[0] — ключ самой "
          + "внутренней")
    case .notZippable:
      Message(
        en:
          "\(quoted: path) is no list beside the others of 'zip'; write keys from the same object, "
          + "[daily.time, daily.rain], and what is around it in 'rows'",
        ru: "\(quoted: path) — не список рядом с другими в 'zip'; пишите ключи от общего объекта, "
          + "[daily.time, daily.rain], а что вокруг него — в 'rows'")
    case .notOneOfLists(let lists):
      Message(
        en: "\(quoted: path) does not say which element of the lists in 'zip' it is",
        ru: "по \(quoted: path) не понять, элемент какого списка из 'zip' имеется в виду",
        .oneOf(lists, meant: path))
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
  func message(_ key: String) -> Message {
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
      en: "the sample has no records: no list of objects or lists with values \(keys: keys); use a "
        + "larger sample",
      ru: "в образце нет записей: списка объектов или списков со значениями \(keys: keys); "
        + "возьмите образец побольше")
  }

  /// Says that a sample is too large to come from standard input or a URL.
  package static let sampleWantsFile = Text(
    en: "a sample of more than 256 MiB must come from a file; save it to one first",
    ru: "образец больше 256 МиБ читается только из файла; сначала сохраните его")
}

extension FeedDocumentFault.FormatFlaw {
  /// Returns the problem of a format, and the remedy.
  func message(_ format: String) -> Message {
    let it = Text(en: "\(quoted: format)", ru: "\(quoted: format)")
    return switch self {
    case .empty:
      Message(
        en: "the format \(it) has no letters; write one such as dd.MM.yyyy",
        ru: "в формате \(it) нет букв; пишите, например, dd.MM.yyyy")
    case .tooLong(let limit):
      Message(
        en: "the format \(it) is too long; write at most \(limit) bytes",
        ru: "формат \(it) слишком длинный; пишите не больше \(limit) байт")
    case .letter where FeedDocumentFault.inUnicodeLetters(format) != nil:
      Message(
        en: "the format \(it) is not in the letters of Unicode",
        ru: "формат \(it) записан не буквами Unicode",
        .meant(FeedDocumentFault.inUnicodeLetters(format) ?? format))
    case .letter(let letter, let allowed):
      Message(
        en: "the format \(it) has the letter \(quoted: letter), which has no meaning here; write "
          + "\(allowed.joined(separator: ", ")), and words in 'quotes'",
        ru: "в формате \(it) буква \(quoted: letter) здесь ничего не значит; пишите "
          + "\(allowed.joined(separator: ", ")), а слова — в 'кавычках'")
    case .width(let letters, let allowed):
      Message(
        en: "the format \(it) has \(quoted: letters), which has no meaning; write "
          + "\(allowed.joined(separator: ", "))",
        ru: "в формате \(it) есть \(quoted: letters), что ничего не значит; пишите "
          + "\(allowed.joined(separator: ", "))")
    case .twice(let letters):
      Message(
        en: "the format \(it) has with \(quoted: letters) the same part a second time; remove it",
        ru: "в формате \(it) часть \(quoted: letters) уже есть; уберите одну из них")
    case .without(let letter):
      Message(
        en: "the format \(it) lacks the letter \(quoted: letter); add it (M is the month, m the "
          + "minute, H the hour)",
        ru: "в формате \(it) не хватает буквы \(quoted: letter); добавьте её (M — месяц, m — "
          + "минута, H — час)")
    case .openQuote:
      Message(
        en: "the format \(it) has a quotation mark that is not closed; write 'words', or '' for an "
          + "apostrophe",
        ru: "в формате \(it) кавычка не закрыта; пишите 'слова', а апостроф как ''")
    case .openWidths:
      Message(
        en: "the format \(it) has numbers of any width next to each other; write two letters for "
          + "two digits, for example Hmm or yyyyMMdd",
        ru: "в формате \(it) рядом стоят числа любой ширины; пишите две буквы для двух цифр, "
          + "например Hmm или yyyyMMdd")
    case .withoutYears:
      Message(
        en: "the format \(it) has a year of two digits; add the hundred years that it may be: "
          + "'years: 1970-2069'",
        ru: "в формате \(it) год из двух цифр; добавьте сто лет, из которых он может быть: "
          + "'years: 1970-2069'")
    }
  }
}
