import Sluice

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
