import Sluice

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
