extension UsageError {
  /// What is wrong with the value of an option, to follow the value.
  static func complaint(about option: OptionName) -> Text {
    switch option {
    case .from, .to, .today:
      Text(en: " is not a day of the calendar", ru: " — нет такого дня в календаре")
    case .alarm, .maxAge, .staleOK:
      Text(en: " is not a length of time", ru: " — это не промежуток времени")
    case .maxRejects:
      Text(en: " is neither a count nor a percentage", ru: " — это не число и не процент")
    case .maxSize:
      Text(en: " is not a size", ru: " — это не размер")
    case .maxShrink:
      Text(en: " is not a percentage", ru: " — это не процент")
    case .header:
      Text(
        en: " is no header line, or one that sluice sets itself",
        ru: " — не строка заголовка или та, которую sluice ставит сам")
    case .ping, .mirror:
      Text(en: " is not an http or https URL", ru: " — это не адрес http или https")
    default:
      Text(en: " cannot be read", ru: " — значение не разобрать")
    }
  }

  /// How the value of an option is written.
  static func advice(on option: OptionName) -> Text? {
    switch option {
    case .from, .to, .today:
      Text(
        en: "; write it as YYYY-MM-DD, 2020-06-22 for example",
        ru: "; пишите ГГГГ-ММ-ДД, например 2020-06-22")
    case .alarm:
      Text(
        en: "; write a whole number and a unit: 30m, 2h, 1d or 1w",
        ru: "; пишите целое число и единицу: 30m, 2h, 1d или 1w")
    case .maxRejects:
      Text(
        en: "; write 50, 10% or 0.5%, for example",
        ru: "; пишите, например, 50, 10% или 0.5%")
    case .maxSize:
      Text(
        en: "; write bytes, 1000000, or a number with K, M, G or T, 500M for example",
        ru: "; пишите число байтов, 1000000, или число с K, M, G или T, например 500M")
    case .maxAge, .staleOK:
      Text(
        en: "; write a whole number and a unit: 90s, 30m, 3h, 7d or 1w",
        ru: "; пишите целое число и единицу: 90s, 30m, 3h, 7d или 1w")
    case .maxShrink:
      Text(en: "; write 25% or 0.5%, for example", ru: "; пишите, например, 25% или 0.5%")
    case .header:
      Text(
        en: "; write 'NAME: VALUE', 'Authorization: Bearer abc' for example",
        ru: "; пишите 'NAME: VALUE', например 'Authorization: Bearer abc'")
    case .mirror:
      Text(
        en: "; write http://HOST:PORT, as for INPUT", ru: "; пишите http://HOST:PORT, как для INPUT"
      )
    case .ping:
      Text(
        en: "; write https://HOST/PATH, as your watcher gave it to you",
        ru: "; пишите https://HOST/PATH, как его выдала служба наблюдения")
    default: nil
    }
  }
}
