extension UsageError {
  /// What is wrong with the value of an option, to follow the value.
  static func complaint(about option: OptionName) -> Text {
    switch option {
    case .from, .to:
      Text(en: " is not a day of the calendar", ru: " — нет такого дня в календаре")
    case .alarm:
      Text(en: " is not a length of time", ru: " — это не промежуток времени")
    case .maxRejects:
      Text(en: " is neither a count nor a percentage", ru: " — это не число и не процент")
    case .maxSize:
      Text(en: " is not a size", ru: " — это не размер")
    default:
      Text(en: " cannot be read", ru: " — значение не разобрать")
    }
  }

  /// How the value of an option is written.
  static func advice(on option: OptionName) -> Text? {
    switch option {
    case .from, .to:
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
    default: nil
    }
  }
}
