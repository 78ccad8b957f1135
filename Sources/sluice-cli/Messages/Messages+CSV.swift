import Sluice

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
