/// A language that messages and calendar texts come in.
public enum Language: String, Sendable, CaseIterable {
  case ru, en
}

/// What there is in every language.
public struct Localized<Value: Sendable & Equatable>: Sendable, Equatable {
  /// The Russian one.
  public var ru: Value
  /// The English one.
  public var en: Value

  /// Takes one of each.
  public init(ru: Value, en: Value) {
    self.ru = ru
    self.en = en
  }

  /// The one of a language.
  public subscript(language: Language) -> Value {
    switch language {
    case .ru: ru
    case .en: en
    }
  }
}
