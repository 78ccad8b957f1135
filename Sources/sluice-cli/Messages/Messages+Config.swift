import Sluice

extension Origin {
  /// The place as errors begin with it.
  var place: Text {
    switch self {
    case .flag: .verbatim("")
    case .environment(let variable): .verbatim("\(variable): ")
    case .file(let path, let place): .place(path, place)
    }
  }
}

extension Text {
  static func place(_ file: String, _ place: TextPlace) -> Text {
    .verbatim("\(escaped(file, limit: 240)):\(place.line):\(place.column): ")
  }
}

extension ConfigFault {
  /// Where, what is wrong, and what to do.
  var text: Text { .place(file, place) + problem.what + problem.remedy }
}

extension ConfigFault.Problem {
  /// What is wrong.
  var what: Text {
    switch self {
    case .tooLarge(let limit):
      Text(
        en: "the file is larger than \(limit >> 10) KiB", ru: "файл больше \(limit >> 10) КиБ")
    case .notUTF8: Text(en: "this is not valid UTF-8", ru: "это не текст в UTF-8")
    case .controlCharacter:
      Text(en: "this has a control character", ru: "здесь управляющий символ")
    case .unclosedQuote:
      Text(en: "this quotation mark is not closed", ru: "эта кавычка не закрыта")
    case .syntax(let words): Self.meaning(of: words)
    case .notAMapping:
      Text(en: "the file is not a list of keys and values", ru: "в файле не ключи и значения")
    case .severalDocuments:
      Text(en: "a second document begins here", ru: "здесь начинается второй документ")
    case .alias:
      Text(en: "anchors and aliases are not read", ru: "якоря и ссылки не поддерживаются")
    case .tag: Text(en: "tags are not read", ru: "теги не поддерживаются")
    case .keyNotText: Text(en: "this key is not a text", ru: "этот ключ — не текст")
    case .duplicateKey(let key, let line):
      Text(en: "the key ", ru: "ключ ") + .quoted(key)
        + Text(en: " stands in line \(line) already", ru: " уже есть в строке \(line)")
    case .unknownKey(let key):
      Text(en: "unknown key ", ru: "неизвестный ключ ") + .quoted(key)
    case .onlyTyped(let name):
      Text(en: "", ru: "параметр ") + .verbatim(name.rawValue)
        + Text(en: " cannot be set in a file", ru: " нельзя задать в файле")
    case .nested(let key):
      Text(en: "", ru: "значение ") + .quoted(key)
        + Text(en: " has keys of its own", ru: " содержит вложенные ключи")
    case .nestedItem(let key):
      Text(en: "an item of ", ru: "элемент списка ") + .quoted(key)
        + Text(en: " is not a text", ru: " — не текст")
    case .listForOne(let key):
      Text(en: "", ru: "для ") + .quoted(key)
        + Text(en: " takes one value, not a list", ru: " нужно одно значение, а не список")
    case .noValue(let key):
      Text(en: "", ru: "для ") + .quoted(key) + Text(en: " has no value", ru: " нет значения")
    }
  }

  /// What to do.
  var remedy: Text {
    switch self {
    case .tooLarge: Text(en: "; check the path", ru: "; проверьте путь")
    case .notUTF8: Text(en: "; save the file in UTF-8", ru: "; сохраните файл в UTF-8")
    case .controlCharacter, .keyNotText:
      Text(en: "; write plain text in one line", ru: "; напишите простой текст в одну строку")
    case .unclosedQuote: Text(en: "; close it", ru: "; закройте её")
    case .syntax(let words): Self.advice(on: words)
    case .notAMapping:
      Text(en: "; write lines such as 'max-age: 3h'", ru: "; пишите строки вида 'max-age: 3h'")
    case .severalDocuments:
      Text(en: "; keep one document in a file", ru: "; оставьте в файле один документ")
    case .alias, .tag:
      Text(
        en: "; write the value out, in quotes where it begins with a sign",
        ru: "; напишите значение полностью, а если оно начинается со знака — в кавычках")
    case .duplicateKey:
      Text(
        en: "; put all values into one list, or remove one of the lines",
        ru: "; соберите значения в один список или уберите одну из строк")
    case .unknownKey(let key):
      nearest(to: key, in: Settings.keys).map { .didYouMean($0) }
        ?? Text(en: "; 'sluice config' lists the keys", ru: "; ключи перечисляет 'sluice config'")
    case .onlyTyped(let name):
      Text(
        en: "; type it when it is needed: \(name.spelled)",
        ru: "; при необходимости укажите его в командной строке: \(name.spelled)")
    case .nested:
      Text(
        en: "; write one value, or a list in brackets: [a, b]",
        ru: "; напишите одно значение или список в скобках: [a, b]")
    case .nestedItem:
      Text(
        en: "; put an item with a colon in quotes: 'NAME: VALUE'",
        ru: "; элемент с двоеточием берите в кавычки: 'NAME: VALUE'")
    case .listForOne: Text(en: "; choose one", ru: "; выберите что-то одно")
    case .noValue:
      Text(en: "; write one, or remove the line", ru: "; напишите его или уберите строку")
    }
  }

  /// libyaml's words in our own, where they are frequent.
  private static func meaning(of words: String) -> Text {
    switch words {
    case "could not find expected ':'":
      Text(en: "a key without a colon", ru: "после ключа нет двоеточия")
    case "mapping values are not allowed in this context":
      Text(en: "a colon too many", ru: "лишнее двоеточие")
    case "found character that cannot start any token":
      Text(
        en: "a value cannot begin with this character",
        ru: "значение не может начинаться с этого символа")
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      Text(
        en: "a comma or the closing bracket is missing",
        ru: "не хватает запятой или закрывающей скобки")
    case "did not find expected key", "did not find expected '-' indicator",
      "block sequence entries are not allowed in this context":
      Text(en: "this does not fit what is before it", ru: "это не вяжется с тем, что выше")
    case "found unknown escape character":
      Text(en: "an unknown escape", ru: "неизвестная escape-последовательность")
    default:
      // Rare ones: in the library's own words.
      Text(en: "this is not YAML", ru: "это не YAML") + .verbatim(" (\(escaped(words)))")
    }
  }

  private static func advice(on words: String) -> Text {
    switch words {
    case "could not find expected ':'":
      Text(en: "; write 'key: value'", ru: "; пишите 'key: value'")
    case "mapping values are not allowed in this context":
      Text(
        en: "; put a value with ': ' in quotes, and check the indentation",
        ru: "; значение с ': ' берите в кавычки и проверьте отступ")
    case "found character that cannot start any token":
      Text(
        en: "; put the value in quotes, and indent with spaces, not tabs",
        ru: "; возьмите значение в кавычки, а отступы делайте пробелами, не табуляцией")
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      Text(en: "; write [a, b]", ru: "; пишите [a, b]")
    case "did not find expected key", "did not find expected '-' indicator",
      "block sequence entries are not allowed in this context":
      Text(
        en: "; check the indentation and the quotes before it",
        ru: "; проверьте отступ и кавычки перед этим местом")
    case "found unknown escape character":
      Text(
        en: "; use single quotes, where \\ is an ordinary character",
        ru: "; возьмите одинарные кавычки: в них \\ — обычный символ")
    default: Text(en: "; check the line", ru: "; проверьте строку")
    }
  }
}
