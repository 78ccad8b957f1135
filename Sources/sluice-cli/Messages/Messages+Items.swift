import Sluice

extension Text {
  /// Says that a name was on a list before.
  static func isOnList(_ name: String, _ list: String) -> Text {
    .quoted(name)
      + Text(en: " is in the list \(list) already", ru: " уже есть в списке \(list)")
  }

  /// Says that a search has found nothing.
  static func nothingFound(_ text: String) -> Text {
    Text(en: "nothing is found for ", ru: "ничего не найдено по запросу ") + .quoted(text)
  }
}
