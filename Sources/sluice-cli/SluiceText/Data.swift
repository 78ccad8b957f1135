import Sluice

extension Base64Fault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .empty:
      Text(en: "there is no base64 text", ru: "текста base64 нет") + .downloadAgain
    case .urlAlphabet(let byte):
      .byte(byte)
        + Text(
          en: " belongs to URL-safe base64, which is not read; "
            + "replace \"-\" by \"+\" and \"_\" by \"/\"",
          ru: " относится к варианту base64 для URL, он не читается; "
            + "замените «-» на «+», а «_» на «/»")
    case .foreign(let byte):
      .byte(byte) + Text(en: " is not base64", ru: " не относится к base64") + .downloadAgain
    case .truncated:
      Text(
        en: "the base64 text is truncated: it ends within a group of four characters",
        ru: "текст base64 обрезан: он кончается внутри группы из четырёх символов") + .downloadAgain
    case .missingPadding:
      Text(
        en: "the base64 text ends without its padding (\"=\") and is probably truncated",
        ru: "в конце текста base64 нет дополнения («=»), вероятно, он обрезан") + .downloadAgain
    case .earlyPadding:
      Text(
        en: "padding (\"=\") stands behind fewer than two characters of a group",
        ru: "дополнение («=») стоит раньше, чем после двух символов группы") + .tellPublisher
    case .excessPadding:
      Text(
        en: "there is more padding (\"=\") than belongs here",
        ru: "здесь лишнее дополнение («=»)") + .tellPublisher
    case .padBits:
      Text(
        en: "the last character before the padding carries bits that belong to no byte",
        ru: "в последнем символе перед дополнением есть лишние ненулевые биты") + .tellPublisher
    case .dataAfterPadding:
      Text(
        en: "base64 goes on behind its padding (\"=\")",
        ru: "после дополнения («=») base64 продолжается") + .tellPublisher
    }
  }
}

extension CSVFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .empty:
      Text(en: "the table has no lines", ru: "в таблице нет строк") + .downloadAgain
    case .noKnownColumn(let expected, let found):
      CSVFault.noKnownColumn(.list(expected), .list(found)) + .otherFeed
    case .duplicateColumn(let name):
      Text(en: "the first line names the column ", ru: "в первой строке столбец ") + .quoted(name)
        + Text(en: " twice; rename one of them", ru: " назван дважды; переименуйте один из них")
    case .unclosedQuote:
      Text(
        en: "a quotation mark is not closed: the table is truncated, or a mark is missing",
        ru: "кавычка не закрыта: таблица обрезана или кавычка пропущена") + .downloadAgain
    case .notUTF8(let likely):
      Text(en: "the text is not UTF-8; ", ru: "текст не в UTF-8; ") + .convertFirst(from: likely)
    case .tooManyFields(let limit):
      Text(
        en: "a line has more than \(limit) fields; is this the right file?",
        ru: "в строке больше полей, чем \(limit); тот ли это файл?")
    case .rowTooLong(let limit):
      Text(en: "a line exceeds ", ru: "строка длиннее предела: ") + .size(limit)
        + Text(
          en: "; a quotation mark may be missing", ru: "; возможно, пропущена кавычка")
    }
  }

  private static func noKnownColumn(_ expected: Text, _ found: Text) -> Text {
    Text(
      en: "the first line has none of this feed's columns: \(expected.en); it has \(found.en)",
      ru: "в первой строке нет столбцов этого набора данных: \(expected.ru); есть: \(found.ru)")
  }
}

extension EnvelopeFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .json(let fault):
      fault.text
    case .missing(let field, let keys):
      Text(en: "there is no field ", ru: "нет поля ") + .quoted(field) + .verbatim(" ")
        + .keysSeen(keys) + .otherAnswer
    case .twice(let field):
      Text(en: "the field ", ru: "поле ") + .quoted(field)
        + Text(en: " stands twice in one object", ru: " повторяется в одном объекте")
        + .tellPublisher
    case .wrongKind(let field, let found, let wanted, let keys):
      Text(en: "the field ", ru: "в поле ") + .quoted(field)
        + Text(
          en: " holds \(found.noun.en) instead of \(wanted.noun.en)",
          ru: " вместо \(wanted.russianGenitive) — \(found.noun.ru)")
        + (keys.isEmpty ? .verbatim("") : .verbatim(" ") + .keysSeen(keys)) + .otherAnswer
    case .noMatch(let field, let value, let found):
      EnvelopeFault.noMatch(.quoted(field), .quoted(value), found) + .otherAnswer
    case .twoMatches(let field, let value):
      EnvelopeFault.twoMatches(.quoted(field), .quoted(value)) + .tellPublisher
    case .spool(let errno): .spool(errno)
    }
  }

  private static func twoMatches(_ field: Text, _ value: Text) -> Text {
    Text(
      en: "two elements have the value \(value.en) in the field \(field.en)",
      ru: "у двух элементов в поле \(field.ru) стоит \(value.ru)")
  }

  private static func noMatch(_ field: Text, _ value: Text, _ found: [String]) -> Text {
    let list = Text.list(found)
    return Text(
      en: "no element has the value \(value.en) in the field \(field.en)"
        + (found.isEmpty ? "" : " (found: \(list.en))"),
      ru: "нет элемента, у которого в поле \(field.ru) стоит \(value.ru)"
        + (found.isEmpty ? "" : " (найдены: \(list.ru))"))
  }
}

extension Text {
  /// Data could not be kept until it is wanted.
  static func spool(_ errno: Int32) -> Text {
    Text(
      en: "cannot keep the data in a temporary file: ",
      ru: "не удалось сохранить данные во временном файле: ")
      + .systemError(errno)
      + Text(
        en: "; free some space in /tmp, or set TMPDIR to another folder",
        ru: "; освободите место в /tmp или укажите другую папку в TMPDIR")
  }
}

extension TokenKind {
  /// The kind of a value that begins with this token.
  var noun: Text {
    switch self {
    case .beginObject, .endObject: Text(en: "an object", ru: "объект")
    case .beginArray, .endArray: Text(en: "an array", ru: "массив")
    case .key: Text(en: "a key", ru: "ключ")
    case .string, .stringPiece: Text(en: "a string", ru: "строка")
    case .number: Text(en: "a number", ru: "число")
    case .true: .verbatim("true")
    case .false: .verbatim("false")
    case .null: .verbatim("null")
    }
  }

  /// The kinds that a value may have to be, after «вместо».
  var russianGenitive: String {
    switch self {
    case .beginObject: "объекта"
    case .beginArray: "массива"
    default: "строки"
    }
  }
}

extension JSONFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .truncated:
      Text(en: "the JSON is truncated", ru: "JSON обрывается") + .downloadAgain
    case .empty:
      Text(en: "there is no JSON, only white space", ru: "вместо JSON — только пробелы")
        + .downloadAgain
    case .unexpected(let byte):
      .byte(byte) + Text(en: " is not allowed here in JSON", ru: " в этом месте JSON недопустим")
        + .tellPublisher
    case .trailing(let byte):
      .byte(byte) + Text(en: " follows the end of the JSON", ru: " стоит после конца JSON")
        + .tellPublisher
    case .control(let byte):
      .byte(byte)
        + Text(
          en: " is a control character, which a JSON string must escape",
          ru: " — управляющий символ, в строке JSON его надо экранировать") + .tellPublisher
    case .escape(let byte):
      .byte(byte)
        + Text(
          en: " makes no escape sequence after the backslash",
          ru: " после обратной косой черты не образует escape-последовательности") + .tellPublisher
    case .loneSurrogate:
      Text(
        en: "an escape stands for half of a surrogate pair, the other half is missing",
        ru: "escape-последовательность задаёт половину суррогатной пары, второй половины нет")
        + .tellPublisher
    case .notUTF8:
      Text(en: "the text is not UTF-8; ", ru: "текст не в UTF-8; ") + .convertFirst(from: nil)
    case .number:
      Text(
        en: "this number is not written as JSON demands",
        ru: "это число записано не по правилам JSON")
        + .tellPublisher
    case .literal:
      Text(
        en: "this word is none of true, false and null",
        ru: "это слово — не true, не false и не null")
        + .tellPublisher
    case .tooDeep(let limit):
      Text(
        en:
          "arrays and objects are nested deeper than \(limit) \(plural(limit, "level", "levels"))",
        ru: "вложенность массивов и объектов больше предела: \(limit) "
          + plural(limit, "уровень", "уровня", "уровней")) + .otherFeed
    case .stringTooLong(let limit):
      Text(en: "a string exceeds ", ru: "строка длиннее предела: ") + .size(limit) + .otherFeed
    case .keyTooLong(let limit):
      Text(en: "a key exceeds ", ru: "ключ длиннее предела: ") + .size(limit) + .otherFeed
    case .numberTooLong(let limit):
      Text(
        en: "a number exceeds \(limit) \(plural(limit, "character", "characters"))",
        ru: "число длиннее предела: \(limit) \(plural(limit, "знак", "знака", "знаков"))")
        + .otherFeed
    }
  }
}

extension FeedFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .missing(let path, let keys):
      Text(en: "there is no ", ru: "нет поля ") + .quoted(path) + .verbatim(" ") + .keysSeen(keys)
        + .otherFeed
    case .wrongKind(let path, let found, let wanted, let keys):
      FeedFault.wrongKind(path, found.noun, wanted)
        + (keys.isEmpty ? .verbatim("") : .verbatim(" ") + .keysSeen(keys)) + .otherFeed
    case .noKnownKey(let expected, let keys):
      FeedFault.noKnownKey(.list(expected), .keysSeen(keys)) + .otherFeed
    case .afterItsRows(let field):
      Text(en: "the field ", ru: "поле ") + .quoted(field)
        + Text(
          en: " comes after the rows that it belongs to; it has to stand before them",
          ru: " стоит после строк, к которым относится; оно должно стоять перед ними")
    case .noSuchColumn(let column, let columns):
      Text(en: "records cannot be chosen by ", ru: "записи нельзя отбирать по полю ")
        + .quoted(column)
        + (columns.isEmpty
          ? .removeIt : Text(en: "; choose from ", ru: "; есть: ") + .list(columns))
    case .noSuchTable(let table, let tables):
      Text(en: "there is no table ", ru: "нет таблицы ") + .quoted(table)
        + Text(en: "; choose from ", ru: "; есть: ") + .list(tables)
    case .sameKey(let table, let key):
      FeedFault.sameKey(.quoted(table), .list(key))
    case .noSuchRow(let table, let column, let value, let parent):
      FeedFault.noSuchRow(.quoted(table), .quoted(column), .quoted(value), .quoted(parent))
    case .notStorable(let table, let column, let value):
      FeedFault.notStorable(.quoted(table), .quoted(column), .quoted(value))
    case .noEvents:
      Text(
        en: "the feed has no events to make a calendar of; choose .csv or .ndjson",
        ru: "в наборе данных нет событий, календарь из него не сделать; выберите .csv или .ndjson")
    case .recordTooLong(let limit):
      Text(en: "the record exceeds ", ru: "запись длиннее предела: ") + .size(limit) + .otherFeed
    case .share(let fault, let column, let choices): fault.text(of: .quoted(column), choices)
    case .groupApart(let key, let day):
      Text(en: "the rows of ", ru: "строки ") + .list(key) + .verbatim(", \(day)")
        + Text(
          en: " do not stand together, and make one event; sort the input, or leave the calendar "
            + "out",
          ru: " стоят не подряд, а из них получается одно событие; отсортируйте входные данные "
            + "или обойдитесь без календаря")
    case .notReckonable(let column, let value):
      .quoted(column) + .verbatim(": ") + .quoted(value)
        + Text(
          en: " has more digits than can be reckoned with; leave the calendar out",
          ru: " — слишком длинное число, чтобы с ним считать; обойдитесь без календаря")
    case .emptied(let before):
      Text(
        en: "the answer has no records, \(before) before; if that is right, run 'sync' once with "
          + "--accept",
        ru: "в ответе нет записей, раньше было \(before); если так и должно быть, запустите sync "
          + "один раз с --accept")
    case .tooManyRejects(let rejected, let judged, let limit):
      FeedFault.tooMany(rejected, of: judged, limit.shown)
    }
  }

  /// The path of the whole document is `.`.
  private static func wrongKind(_ path: String, _ found: Text, _ wanted: TokenKind) -> Text {
    let place = path == "." ? Text(en: "the document", ru: "весь документ") : .quoted(path)
    return Text(
      en: "\(place.en) is \(found.en) instead of \(wanted.noun.en)",
      ru: "\(place.ru) — \(found.ru) вместо \(wanted.russianGenitive)")
  }

  private static func noKnownKey(_ expected: Text, _ seen: Text) -> Text {
    Text(
      en: "no record has any of this feed's keys: \(expected.en) \(seen.en)",
      ru: "ни в одной записи нет ключей этого набора данных: \(expected.ru) \(seen.ru)")
  }

  private static func sameKey(_ table: Text, _ key: Text) -> Text {
    Text(
      en: "two rows of the table \(table.en) have the key \(key.en); tell the publisher, "
        + "or write .csv or .ndjson",
      ru: "в таблице \(table.ru) две строки с ключом \(key.ru); сообщите издателю "
        + "или выберите .csv или .ndjson")
  }

  private static func noSuchRow(_ table: Text, _ column: Text, _ value: Text, _ parent: Text)
    -> Text
  {
    Text(
      en: "a row of the table \(table.en) names by \(column.en) a row of \(parent.en) that is "
        + "not there: \(value.en); tell the publisher, or choose one table with --table",
      ru: "строка таблицы \(table.ru) ссылается полем \(column.ru) на строку \(parent.ru), "
        + "которой нет: \(value.ru); сообщите издателю или выберите одну таблицу: --table")
  }

  private static func notStorable(_ table: Text, _ column: Text, _ value: Text) -> Text {
    Text(
      en: "a database cannot hold the number \(value.en) of the column \(column.en) of the table "
        + "\(table.en); give the column kind: text in the feed's document, or write .csv or .ndjson",
      ru: "база данных не вмещает число \(value.ru) из столбца \(column.ru) таблицы \(table.ru); "
        + "в описании набора задайте столбцу kind: text или выберите .csv или .ndjson")
  }

  private static func tooMany(_ rejected: Int, of judged: Int, _ limit: String) -> Text {
    Text(
      en: "\(rejected) of \(judged) \(plural(judged, "record", "records")) rejected, "
        + "the limit is \(limit); --rejects FILE shows why, --max-rejects changes the limit",
      ru: "отклонено записей: \(rejected) из \(judged), предел — \(limit); "
        + "причины покажет --rejects FILE, предел меняет --max-rejects")
  }

  /// The same of a sample, of which the first are shown.
  static func tooManyInSample(_ rejected: Int, of judged: Int, table: String?) -> Text {
    let limit = RejectLimit.standard.shown
    let part = table.map { Text(en: " of the table ", ru: " в таблице ") + .quoted($0) }
    return Text(
      en: "\(rejected) of \(judged) \(plural(judged, "record", "records"))",
      ru: "отклонено записей: \(rejected) из \(judged)") + (part ?? .verbatim(""))
      + Text(
        en: " rejected, the limit is \(limit); the report shows the first: correct the document "
          + "or the data",
        ru: ", предел — \(limit); первые показаны в отчёте: исправьте описание набора или данные")
  }

  /// The same of one of several answers: what is refused in it is written nowhere.
  static func tooManyInAnswer(_ rejected: Int, of judged: Int, _ limit: String) -> Text {
    Text(
      en: "\(rejected) of \(judged) \(plural(judged, "record", "records")) rejected, "
        + "the limit is \(limit); --max-rejects changes the limit",
      ru: "отклонено записей: \(rejected) из \(judged), предел — \(limit); "
        + "предел меняет --max-rejects")
  }
}

extension Text {
  /// Says that the environment lacks what a feed's server is asked with.
  static func notSet(_ names: [String], feed: String) -> Text {
    let list = names.joined(separator: ", ")
    return Text(
      en: "the feed \(feed) asks its server with \(list), not set in the environment; a file as "
        + "INPUT does without",
      ru: "набору \(feed) для запросов нужны переменные окружения \(list), они не заданы; для "
        + "файла вместо адреса не требуются")
  }
}

extension RejectLimit {
  /// The limit as `--max-rejects` takes it: `50`, `10%`, `0.5%`.
  var shown: String {
    switch self {
    case .count(let count): return "\(count)"
    case .share(let millionths):
      var decimals = String(millionths % 10_000 + 10_000).dropFirst()
      while decimals.last == "0" { decimals.removeLast() }
      return "\(millionths / 10_000)" + (decimals.isEmpty ? "" : ".\(decimals)") + "%"
    }
  }
}

extension ShareFault {
  /// What is wrong, and what to do.
  fileprivate func text(of column: Text, _ choices: [String]) -> Text {
    switch self {
    case .notANumber(let value):
      (value.map { .quoted($0) } ?? Text(en: "this", ru: "это"))
        + Text(
          en: " is no number, and without it every share of \(column.en) would be wrong",
          ru: " — не число, а без него все доли от \(column.ru) будут неверны")
        + .leaveItOut(choices)
    case .negative(let value):
      .quoted(value)
        + Text(
          en: " is negative: there are shares of a total of \(column.en) only where nothing is "
            + "below 0",
          ru: " меньше нуля: доли от суммы \(column.ru) есть, только если в ней нет отрицательных")
        + .leaveItOut(choices)
    case .tooLong(let limit):
      Text(
        en: "the total of \(column.en) has more than \(limit) digits; remove the column of shares",
        ru: "в сумме \(column.ru) больше \(limit) знаков; уберите столбец с долями")
    case .zeroTotal:
      Text(
        en: "the total of \(column.en) is 0, and nothing has a share of it; choose other records, "
          + "or remove the column of shares",
        ru: "сумма \(column.ru) равна 0, долей от неё нет; выберите другие записи или уберите "
          + "столбец с долями")
    }
  }
}

extension Text {
  /// Records can be left out only where the feed has a column to choose the others by.
  fileprivate static func leaveItOut(_ choices: [String]) -> Text {
    guard !choices.isEmpty else {
      return Text(en: "; correct it in the data", ru: "; исправьте его в данных")
    }
    return Text(
      en: "; correct it, or choose the other records with --where by ",
      ru: "; исправьте его или отберите другие записи: --where по полю ") + .list(choices)
  }
}
