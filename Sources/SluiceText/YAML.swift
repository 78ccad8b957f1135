import Sluice

extension YAMLFault.Problem {
  /// The problem of a document's YAML, and the remedy.
  package var message: Message {
    switch self {
    case .tooLarge(let limit):
      Message(
        en: "the file is larger than \(size: limit); check the path",
        ru: "файл больше \(size: limit); проверьте путь")
    case .notUTF8:
      Message(
        en: "this is not valid UTF-8; save the file in UTF-8",
        ru: "это не текст в UTF-8; сохраните файл в UTF-8")
    case .controlCharacter:
      Message(
        en: "this has a control character; write plain text in one line",
        ru: "здесь управляющий символ; напишите простой текст в одну строку")
    case .unclosedQuote:
      Message(
        en: "this quotation mark is not closed; close it",
        ru: "эта кавычка не закрыта; закройте её")
    case .syntax(let words): YAMLFault.Problem.message(for: words)
    case .severalDocuments:
      Message(
        en: "a second document begins here; keep one document in a file",
        ru: "здесь начинается второй документ; оставьте в файле один документ")
    case .alias:
      Message(
        en: "anchors and aliases are not supported; write the value itself, in quotes if it "
          + "begins with a special character",
        ru: "якоря и ссылки не поддерживаются; напишите само значение, а если оно начинается "
          + "с особого знака — в кавычках")
    case .tag:
      Message(
        en: "tags are not supported; write the value itself, in quotes if it begins with a "
          + "special character",
        ru: "теги не поддерживаются; напишите само значение, а если оно начинается с особого знака "
          + "— в кавычках")
    case .keyNotText:
      Message(
        en: "this key is not text; write plain text in one line",
        ru: "этот ключ — не текст; напишите простой текст в одну строку")
    case .duplicateKey(let key, let line):
      Message(
        en: "the key \(quoted: key) is already in line \(line); remove one of the lines",
        ru: "ключ \(quoted: key) уже есть в строке \(line); уберите одну из строк")
    case .tooDeep(let limit, _):
      Message(
        en: "this is nested deeper than \(count: limit, "level", "levels"); see 'sluice feeds NAME "
          + "--document'",
        ru: "вложенность больше предела: \(limit); пример: 'sluice feeds NAME --document'")
    }
  }

  /// Returns the frequent messages of libyaml in plain words.
  private static func message(for words: String) -> Message {
    switch words {
    case "could not find expected ':'":
      Message(
        en: "a colon is missing after a key; write 'key: value'",
        ru: "после ключа нет двоеточия; пишите 'key: value'")
    case "mapping values are not allowed in this context":
      Message(
        en: "there is one colon too many; put a value with ': ' in quotes, and check the "
          + "indentation",
        ru: "лишнее двоеточие; значение с ': ' берите в кавычки и проверьте отступ")
    case "found character that cannot start any token":
      Message(
        en: "a value cannot begin with this character; put the value in quotes, and indent with "
          + "spaces, not tabs",
        ru: "значение не может начинаться с этого символа; возьмите значение в кавычки, а отступы "
          + "делайте пробелами, не табуляцией")
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      Message(
        en: "a comma or the closing bracket is missing; write [a, b], and a text with brackets in "
          + "quotes: \"list[0]\"",
        ru: "не хватает запятой или закрывающей скобки; пишите [a, b], а текст со скобками — в "
          + "кавычках: \"list[0]\"")
    case "did not find expected key", "did not find expected '-' indicator",
      "block sequence entries are not allowed in this context":
      Message(
        en: "this does not fit the lines above; check the indentation and the quotes before it",
        ru: "это не согласуется с тем, что выше; проверьте отступ и кавычки перед этим местом")
    case "found unknown escape character":
      Message(
        en: "this escape is unknown; use single quotes, where \\ is an ordinary character",
        ru: "эта escape-последовательность неизвестна; возьмите одинарные кавычки: в них \\ — "
          + "обычный символ")
    default:
      // Rare messages, in the library's own words.
      Message(
        en: "this is not YAML (\(excerpt: words)); check the line",
        ru: "это не YAML (\(excerpt: words)); проверьте строку")
    }
  }
}
