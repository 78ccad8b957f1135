import Sluice

extension EnvelopeFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .json(let fault):
      fault.text
    case .missing(let field, let keys):
      Text(en: "there is no field ", ru: "нет поля ") + .quoted(field) + .verbatim(" ")
        + .keysSeen(keys) + .otherAnswer
    case .twice(let field):
      Text(en: "the field ", ru: "поле ") + .quoted(field)
        + Text(en: " stands twice in one object", ru: " повторяется в одном объекте")
        + .tellPublisher
    case .wrongKind(let field, let found, let wanted, let keys):
      Text(en: "the field ", ru: "в поле ") + .quoted(field)
        + Text(
          en: " holds \(found.noun.en) instead of \(wanted.noun.en)",
          ru: " вместо \(wanted.russianGenitive) — \(found.noun.ru)")
        + (keys.isEmpty ? .verbatim("") : .verbatim(" ") + .keysSeen(keys)) + .otherAnswer
    case .noMatch(let field, let value, let found):
      EnvelopeFault.noMatch(.quoted(field), .quoted(value), found) + .otherAnswer
    case .twoMatches(let field, let value):
      EnvelopeFault.twoMatches(.quoted(field), .quoted(value)) + .tellPublisher
    case .spool(let errno): .spool(errno)
    }
  }

  private static func twoMatches(_ field: Text, _ value: Text) -> Text {
    Text(
      en: "two elements have the value \(value.en) in the field \(field.en)",
      ru: "у двух элементов в поле \(field.ru) стоит \(value.ru)")
  }

  private static func noMatch(_ field: Text, _ value: Text, _ found: [String]) -> Text {
    let list = Text.list(found)
    return Text(
      en: "no element has the value \(value.en) in the field \(field.en)"
        + (found.isEmpty ? "" : " (found: \(list.en))"),
      ru: "нет элемента, у которого в поле \(field.ru) стоит \(value.ru)"
        + (found.isEmpty ? "" : " (найдены: \(list.ru))"))
  }
}

extension Text {
  /// Data could not be kept until it is wanted.
  static func spool(_ errno: Int32) -> Text {
    Text(
      en: "cannot keep the data in a temporary file: ",
      ru: "не удалось сохранить данные во временном файле: ")
      + .systemError(errno)
      + Text(
        en: "; free some space in /tmp, or set TMPDIR to another folder",
        ru: "; освободите место в /tmp или укажите другую папку в TMPDIR")
  }
}

extension TokenKind {
  /// The kind of a value that begins with this token.
  var noun: Text {
    switch self {
    case .beginObject, .endObject: Text(en: "an object", ru: "объект")
    case .beginArray, .endArray: Text(en: "an array", ru: "массив")
    case .key: Text(en: "a key", ru: "ключ")
    case .string, .stringPiece: Text(en: "a string", ru: "строка")
    case .number: Text(en: "a number", ru: "число")
    case .true: .verbatim("true")
    case .false: .verbatim("false")
    case .null: .verbatim("null")
    }
  }

  /// The kinds that a value may have to be, after «вместо».
  var russianGenitive: String {
    switch self {
    case .beginObject: "объекта"
    case .beginArray: "массива"
    default: "строки"
    }
  }
}
