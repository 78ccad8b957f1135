import Sluice

/// A text for people in every language of the program: one that lacks a translation does not
/// compile.
struct Text: Equatable, Sendable {
  let en: String
  let ru: String

  /// The text in one language.
  subscript(_ language: Language) -> String {
    switch language {
    case .en: en
    case .ru: ru
    }
  }

  /// What is the same in every language.
  static func verbatim(_ text: String) -> Text { Text(en: text, ru: text) }

  /// Joins two texts.
  static func + (a: Text, b: Text) -> Text { Text(en: a.en + b.en, ru: a.ru + b.ru) }
}
