import Sluice

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
