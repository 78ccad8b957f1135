/// A language that messages and calendar texts come in.
public enum Language: String, Sendable, CaseIterable {
  case ru, en
}

/// A text in every language.
public struct Localized: Sendable, Equatable {
  /// The Russian text.
  public var ru: String
  /// The English text.
  public var en: String

  /// Makes a text.
  public init(ru: String, en: String) {
    self.ru = ru
    self.en = en
  }

  /// The text in one language.
  public subscript(language: Language) -> String {
    switch language {
    case .ru: ru
    case .en: en
    }
  }
}
