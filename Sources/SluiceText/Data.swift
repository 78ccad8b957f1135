import Sluice

extension Base64Fault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .empty:
      Message(en: "the base64 text is empty", ru: "текст base64 пуст", .downloadAgain)
    case .urlAlphabet(let byte):
      Message(
        en: "\(byte: byte) belongs to URL-safe base64, which is not supported; "
          + "replace \"-\" with \"+\" and \"_\" with \"/\"",
        ru: "\(byte: byte) относится к варианту base64 для URL, он не поддерживается; "
          + "замените «-» на «+», а «_» на «/»")
    case .foreign(let byte):
      Message(
        en: "\(byte: byte) is not valid in base64",
        ru: "\(byte: byte) недопустим в base64", .downloadAgain)
    case .truncated:
      Message(
        en: "the base64 text is truncated: it ends within a group of four characters",
        ru: "текст base64 обрезан: он кончается внутри группы из четырёх символов",
        .downloadAgain)
    case .missingPadding:
      Message(
        en: "the base64 text ends without its padding (\"=\") and is probably truncated",
        ru: "в конце текста base64 нет дополнения («=»), вероятно, он обрезан", .downloadAgain)
    case .earlyPadding:
      Message(
        en: "\"=\" after fewer than two characters of a group",
        ru: "«=» раньше, чем после двух символов группы", .tellPublisher)
    case .excessPadding:
      Message(
        en: "there is too much padding (\"=\")", ru: "здесь лишнее дополнение («=»)",
        .tellPublisher)
    case .padBits:
      Message(
        en: "the last character before the padding has unused bits that are not zero",
        ru: "в последнем символе перед дополнением есть лишние ненулевые биты", .tellPublisher)
    case .dataAfterPadding:
      Message(
        en: "base64 continues after its padding (\"=\")",
        ru: "после дополнения («=») base64 продолжается", .tellPublisher)
    }
  }
}

extension CSVFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .empty:
      Message(en: "the table has no lines", ru: "в таблице нет строк", .downloadAgain)
    case .noKnownColumn(let expected, let found):
      Message(
        en: "the first line has none of this feed's columns: \(list: expected)\(found: found)",
        ru: "в первой строке нет столбцов этого набора данных: \(list: expected)\(found: found)",
        .otherFeed)
    case .duplicateColumn(let name, let places):
      Message(
        en:
          "several columns are called \(quoted: name): \(places.map(String.init).joined(separator: ", ")); name one "
          + "by its number: 'from: column \(places[0])'",
        ru:
          "столбцов с именем \(quoted: name) несколько: \(places.map(String.init).joined(separator: ", ")); "
          + "укажите нужный по номеру: 'from: column \(places[0])'")
    case .unclosedQuote:
      Message(
        en: "a quotation mark is not closed: the table is truncated, or a mark is missing",
        ru: "кавычка не закрыта: таблица обрезана или кавычка пропущена", .downloadAgain)
    case .notUTF8(let likely):
      Message(
        en: "the text is not UTF-8", ru: "текст не в UTF-8", .convertFirst(from: likely))
    case .tooManyFields(let limit):
      Message(
        en: "a line has more than \(count: limit, "field", "fields"); check that this is the right "
          + "file",
        ru: "в строке слишком много полей (предел — \(limit)); проверьте, тот ли это файл")
    case .rowTooLong(let limit):
      Message(
        en: "a line exceeds \(size: limit); a quotation mark may be missing",
        ru: "строка длиннее предела: \(size: limit); возможно, пропущена кавычка")
    }
  }
}

extension EnvelopeFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .json(let fault): fault.message
    case .missing(let field, let keys):
      Message(
        en: "there is no field \(quoted: field) \(keys: keys)",
        ru: "нет поля \(quoted: field) \(keys: keys)", .otherAnswer)
    case .twice(let field):
      Message(
        en: "the field \(quoted: field) appears twice in one object",
        ru: "поле \(quoted: field) повторяется в одном объекте", .tellPublisher)
    case .wrongKind(let field, let found, let wanted, let keys):
      Message(
        en: "the field \(quoted: field) is \(found.noun) instead of \(wanted.noun)"
          + "\(keysIfAny: keys)",
        ru: "в поле \(quoted: field) вместо \(wanted.russianGenitive) — \(found.noun)"
          + "\(keysIfAny: keys)",
        .otherAnswer)
    case .noMatch(let field, let value, let found):
      Message(
        en: "no element has the value \(quoted: value) in the field \(quoted: field)"
          + "\(found: found)",
        ru: "нет элемента со значением \(quoted: value) в поле \(quoted: field)\(found: found)",
        .otherAnswer)
    case .twoMatches(let field, let value):
      Message(
        en: "two elements have the value \(quoted: value) in the field \(quoted: field)",
        ru: "у двух элементов одно значение \(quoted: value) в поле \(quoted: field)",
        .tellPublisher)
    case .spool(let errno): .spool(errno)
    }
  }
}

extension TokenKind {
  /// The kind of a value that begins with this token.
  fileprivate var noun: Text {
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

  /// The kind of a value after «вместо».
  fileprivate var russianGenitive: String {
    switch self {
    case .beginObject, .endObject: "объекта"
    case .beginArray, .endArray: "массива"
    case .key: "ключа"
    case .string, .stringPiece: "строки"
    case .number: "числа"
    case .true: "true"
    case .false: "false"
    case .null: "null"
    }
  }
}

extension JSONFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .truncated:
      Message(en: "the JSON is truncated", ru: "JSON обрывается", .downloadAgain)
    case .empty:
      Message(
        en: "there is no JSON, only white space", ru: "вместо JSON — только пробелы",
        .downloadAgain)
    case .unexpected(let byte):
      Message(
        en: "\(byte: byte) is not allowed here in JSON",
        ru: "\(byte: byte) в этом месте JSON недопустим", .tellPublisher)
    case .trailing(let byte):
      Message(
        en: "\(byte: byte) follows the end of the JSON",
        ru: "\(byte: byte) стоит после конца JSON", .tellPublisher)
    case .control(let byte):
      Message(
        en: "\(byte: byte) is a control character, which a JSON string must escape",
        ru: "\(byte: byte) — управляющий символ, в строке JSON его надо экранировать",
        .tellPublisher)
    case .escape(let byte):
      Message(
        en: "\(byte: byte) is not allowed after a backslash",
        ru: "\(byte: byte) недопустим после обратной косой черты", .tellPublisher)
    case .loneSurrogate:
      Message(
        en: "an escape sequence has one half of a surrogate pair without the other",
        ru: "в escape-последовательности только половина суррогатной пары", .tellPublisher)
    case .notUTF8:
      Message(en: "the text is not UTF-8", ru: "текст не в UTF-8", .convertFirst(from: nil))
    case .number:
      Message(
        en: "this is not a valid JSON number", ru: "это число записано не по правилам JSON",
        .tellPublisher)
    case .literal:
      Message(
        en: "this is neither true, false nor null", ru: "это не true, не false и не null",
        .tellPublisher)
    case .tooDeep(let limit):
      Message(
        en: "arrays and objects are nested deeper than \(count: limit, "level", "levels")",
        ru: "вложенность массивов и объектов больше предела: "
          + "\(count: limit, "уровень", "уровня", "уровней")",
        .otherFeed)
    case .stringTooLong(let limit):
      Message(
        en: "a string exceeds \(size: limit)", ru: "строка длиннее предела: \(size: limit)",
        .otherFeed)
    case .keyTooLong(let limit):
      Message(
        en: "a key exceeds \(size: limit)", ru: "ключ длиннее предела: \(size: limit)",
        .otherFeed)
    case .numberTooLong(let limit):
      Message(
        en: "a number exceeds \(count: limit, "character", "characters")",
        ru: "число длиннее предела: \(count: limit, "знак", "знака", "знаков")", .otherFeed)
    }
  }
}

extension FeedFault {
  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .missing(let path, let keys):
      Message(
        en: "there is no \(quoted: path) \(keys: keys)",
        ru: "нет поля \(quoted: path) \(keys: keys)", .otherFeed)
    // The path of the whole document.
    case .wrongKind(".", let found, let wanted, let keys):
      Message(
        en: "the document is \(found.noun) instead of \(wanted.noun)\(keysIfAny: keys)",
        ru: "весь документ — \(found.noun) вместо \(wanted.russianGenitive)\(keysIfAny: keys)",
        .otherFeed)
    case .wrongKind(let path, let found, let wanted, let keys):
      Message(
        en: "\(quoted: path) is \(found.noun) instead of \(wanted.noun)\(keysIfAny: keys)",
        ru: "\(quoted: path) — \(found.noun) вместо \(wanted.russianGenitive)\(keysIfAny: keys)",
        .otherFeed)
    case .noKnownKey(let expected, let keys):
      Message(
        en: "no record has any of this feed's keys: \(list: expected) \(keys: keys)",
        ru: "ни в одной записи нет ключей этого набора данных: \(list: expected) \(keys: keys)",
        .otherFeed)
    case .afterItsRows(let field):
      Message(
        en: "the field \(quoted: field) comes a second time, after the rows it belongs to; it "
          + "must come once",
        ru: "поле \(quoted: field) стоит второй раз, после строк, к которым относится; оно "
          + "должно быть одно")
    case .tooManyHeld(let field, let limit):
      Message(
        en: "the field \(quoted: field) has not come after \(size: limit) of rows that wait for "
          + "it; let more wait with 'hold: 64MB' in the document, or remove the column",
        ru: "поля \(quoted: field) всё нет, а строк, которые его ждут, уже \(size: limit); "
          + "увеличьте предел в документе, 'hold: 64MB', или уберите столбец")
    case .noSuchColumn(let column, []):
      Message(
        en: "cannot filter by \(quoted: column)",
        ru: "нельзя отбирать записи по полю \(quoted: column)", .removeIt)
    case .noSuchColumn(let column, let columns):
      Message(
        en: "cannot filter by \(quoted: column); choose from \(list: columns)",
        ru: "нельзя отбирать записи по полю \(quoted: column); есть: \(list: columns)")
    case .noSuchTable(let table, let tables):
      Message(
        en: "there is no table \(quoted: table); choose from \(list: tables)",
        ru: "нет таблицы \(quoted: table); есть: \(list: tables)")
    case .noZone(let zone, .noDatabase):
      Message(
        en:
          "the time zone \(quoted: zone) cannot be looked up: there is no database of time zones; "
          + "install the package tzdata",
        ru:
          "часовой пояс \(quoted: zone) не найти: нет базы часовых поясов; установите пакет tzdata")
    case .noZone(let zone, .damaged):
      Message(
        en:
          "the file of the time zone \(quoted: zone) is damaged; install the package tzdata again",
        ru: "файл часового пояса \(quoted: zone) повреждён; установите пакет tzdata заново")
    case .noZone(let zone, .unknown), .noZone(let zone, .badName):
      Message(
        en: "the system knows no time zone \(quoted: zone); write Europe/London, for example, or "
          + "install the package tzdata-legacy, which has the names of old",
        ru: "системе неизвестен часовой пояс \(quoted: zone); пишите, например, Europe/London "
          + "или установите пакет tzdata-legacy: в нём старые названия")
    case .sameKey(let table, let key):
      Message(
        en: "two rows of the table \(quoted: table) have the key \(list: key); tell the publisher, "
          + "or write .csv or .ndjson",
        ru: "в таблице \(quoted: table) две строки с ключом \(list: key); сообщите издателю "
          + "или выберите .csv или .ndjson")
    case .noSuchRow(let table, let column, let value, let parent):
      Message(
        en: "a row of the table \(quoted: table) refers with \(quoted: column) to a row of "
          + "\(quoted: parent) that does not exist: \(quoted: value); tell the publisher, or "
          + "choose one table with --table",
        ru: "строка таблицы \(quoted: table) ссылается полем \(quoted: column) на строку "
          + "\(quoted: parent), которой нет: \(quoted: value); сообщите издателю или выберите "
          + "одну таблицу: --table")
    case .notStorable(let table, let column, let value):
      Message(
        en: "a database cannot store the number \(quoted: value) of the column \(quoted: column) "
          + "in the table \(quoted: table); give the column kind: text in the feed's document, or "
          + "write .csv or .ndjson",
        ru: "база данных не вмещает число \(quoted: value) из столбца \(quoted: column) таблицы "
          + "\(quoted: table); в документе набора задайте столбцу kind: text или выберите .csv или "
          + ".ndjson")
    case .noEvents:
      Message(
        en: "the feed has no events to make a calendar of; choose .csv or .ndjson",
        ru: "в наборе данных нет событий, календарь из него не сделать; выберите .csv или .ndjson")
    case .recordTooLong(let limit):
      Message(
        en: "the record exceeds \(size: limit)", ru: "запись длиннее предела: \(size: limit)",
        .otherFeed)
    case .tooManyOccurrences(let limit):
      Message(
        en: "the event comes more than \(count: limit, "time", "times") in the days asked for; "
          + "choose fewer days",
        ru: "событие повторяется за эти дни слишком часто (предел — \(limit)); выберите меньше "
          + "дней")
    case .share(let fault, let column, let choices): fault.message(of: column, choices)
    case .groupApart(let key, let day):
      Message(
        en: "the rows of \(list: key), \(day) form one event but are not adjacent; sort the input, "
          + "or omit the calendar",
        ru: "строки \(list: key), \(day) образуют одно событие, но стоят не подряд; отсортируйте "
          + "входные данные или обойдитесь без календаря")
    case .notReckonable(let column, let value):
      Message(
        en: "\(quoted: column): \(quoted: value) has too many digits; omit the calendar",
        ru: "\(quoted: column): \(quoted: value) — слишком длинное число; обойдитесь без календаря")
    case .emptied(let before):
      Message(
        en: "the answer has no records, the one before had \(before); if that is correct, run "
          + "'sync' once with --accept",
        ru: "в ответе нет записей, раньше было \(before); если так и должно быть, запустите sync "
          + "один раз с --accept")
    case .allRejected(let count):
      Message(
        en: "all selected records were rejected (\(count)); --rejects FILE shows why",
        ru: "отклонены все отобранные записи (\(count)); причины покажет --rejects FILE")
    case .tooManyRejects(let rejected, let read, let limit):
      Message(
        en: "\(rejected) of \(count: read, "record", "records") rejected, the limit is "
          + "\(limit.shown); --rejects FILE shows why, --max-rejects changes the limit",
        ru: "отклонено записей: \(rejected) из \(read), предел — \(limit.shown); причины покажет "
          + "--rejects FILE, предел меняет --max-rejects")
    }
  }
}

extension Message {
  /// Too many records of a sample are rejected. Its report shows the first.
  package static func tooManyInSample(_ rejected: Int, of judged: Int, table: String?) -> Message {
    let limit = RejectLimit.standard.shown
    guard let table else {
      return Message(
        en: "\(rejected) of \(count: judged, "record", "records") rejected, the limit is \(limit); "
          + "the report shows the first: correct the document or the data",
        ru: "отклонено записей: \(rejected) из \(judged), предел — \(limit); первые показаны в "
          + "отчёте: исправьте документ набора или данные")
    }
    return Message(
      en: "\(rejected) of \(count: judged, "record", "records") of the table \(quoted: table) "
        + "rejected, the limit is \(limit); the report shows the first: correct the document or "
        + "the data",
      ru: "отклонено записей: \(rejected) из \(judged) в таблице \(quoted: table), предел — "
        + "\(limit); первые показаны в отчёте: исправьте документ набора или данные")
  }

  /// Too many records of one of several answers are rejected. No file shows them.
  static func tooManyInAnswer(_ rejected: Int, of judged: Int, _ limit: RejectLimit) -> Message {
    Message(
      en: "\(rejected) of \(count: judged, "record", "records") rejected, the limit is "
        + "\(limit.shown); --max-rejects changes the limit",
      ru: "отклонено записей: \(rejected) из \(judged), предел — \(limit.shown); предел меняет "
        + "--max-rejects")
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

extension ShrinkLimit {
  /// The limit as `--max-shrink` takes it.
  package var shown: String { RejectLimit.share(millionths: millionths).shown }
}

extension ShareFault {
  /// Returns the message about the shares of a column. `choices` are the columns to filter by.
  fileprivate func message(of column: String, _ choices: [String]) -> Message {
    let correct =
      choices.isEmpty
      ? Text(en: "correct it in the data", ru: "исправьте его в данных")
      : Text(
        en: "correct it, or select other records: --where by \(list: choices)",
        ru: "исправьте его или отберите другие записи: --where по полю \(list: choices)")
    return switch self {
    case .notANumber(let value?):
      Message(
        en: "\(quoted: value) is not a number, so all shares of \(quoted: column) would be wrong; "
          + "\(correct)",
        ru: "\(quoted: value) — не число, а без него все доли от \(quoted: column) будут неверны; "
          + "\(correct)")
    case .notANumber(nil):
      Message(
        en: "this is not a number, so all shares of \(quoted: column) would be wrong; \(correct)",
        ru: "это не число, а без него все доли от \(quoted: column) будут неверны; \(correct)")
    case .negative(let value):
      Message(
        en: "\(quoted: value) is negative, and shares of \(quoted: column) need values of at least "
          + "0; \(correct)",
        ru: "\(quoted: value) меньше нуля, а доли от \(quoted: column) считают только из "
          + "неотрицательных; \(correct)")
    case .tooLong(let limit):
      Message(
        en: "the total of \(quoted: column) has more than \(limit) digits; remove the column of "
          + "shares",
        ru: "в сумме \(quoted: column) больше \(limit) знаков; уберите столбец с долями")
    case .zeroTotal:
      Message(
        en: "the total of \(quoted: column) is 0, so there are no shares of it; choose other "
          + "records, or remove the column of shares",
        ru: "сумма \(quoted: column) равна 0, долей от неё нет; выберите другие записи или уберите "
          + "столбец с долями")
    }
  }
}
