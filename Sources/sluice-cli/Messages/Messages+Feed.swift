import Sluice

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
