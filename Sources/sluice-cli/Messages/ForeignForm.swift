import Sluice

/// Data that is recognised but not read, or not even recognised, and where it was found.
enum ForeignForm {
  /// An input.
  case input
  /// What base64 text decodes to.
  case content

  /// What is wrong, and what to do; `name` is the library's name of what it looks like, and
  /// `start` the first bytes.
  func text(_ name: String?, start: [UInt8]) -> Text {
    var text = what(name)
    if !start.isEmpty, name == nil || Text.isReadable(start) {
      let start = Text.start(start)
      text = text + Text(en: ": it starts with \(start.en)", ru: ": в начале — \(start.ru)")
    }
    return text + (remedyOfText(name, start) ?? remedy(name))
  }

  private func what(_ name: String?) -> Text {
    let name = name.map { Text(en: escaped($0), ru: escaped(ForeignForm.translated($0))) }
    switch (self, name) {
    case (.input, nil):
      return Text(
        en: "this is not a JSON object or array, a zip or base64",
        ru: "это не объект и не массив JSON, не zip и не base64")
    case (.input, let name?):
      return Text(
        en: "this looks like \(name.en), not JSON, zip or base64",
        ru: "похоже, это \(name.ru), а не JSON, zip или base64")
    case (.content, nil):
      return Text(
        en: "the base64 text holds neither JSON nor zip",
        ru: "внутри base64 — не JSON и не zip")
    case (.content, let name?):
      return Text(
        en: "the base64 text seems to hold \(name.en), not JSON or zip",
        ru: "внутри base64, похоже, \(name.ru), а не JSON или zip")
    }
  }

  private static func translated(_ name: String) -> String {
    switch name {
    case "a Microsoft Office document": "документ Microsoft Office"
    case "UTF-16 text": "текст в UTF-16"
    case "white space": "одни пробелы"
    default: name
    }
  }

  /// What to do about an input that is a text of no known form; nil where it is something else.
  private func remedyOfText(_ name: String?, _ start: [UInt8]) -> Text? {
    guard case .input = self, name == nil, !start.isEmpty else { return nil }
    guard Text.isReadable(start) else {
      return ForeignEncoding.guess(start).map { likely in
        Text(en: "; if it is a text, ", ru: "; если это текст, ") + .convertFirst(from: likely)
      }
    }
    guard start.contains(UInt8(ascii: "\n")) else { return nil }
    return Text(
      en: "; a table has a first line with the names of two columns at least, and , ; or TAB "
        + "between them",
      ru: "; у таблицы в первой строке имена хотя бы двух столбцов, а между ними , ; или TAB")
  }

  private func remedy(_ name: String?) -> Text {
    switch (self, name) {
    case (.input, "gzip"), (.input, "xz"), (.input, "bzip2"), (.input, "zstd"), (.input, "rar"),
      (.input, "7z"):
      Text(en: "; unpack it first", ru: "; сначала распакуйте")
    case (.input, "UTF-16 text"):
      Text(
        en: "; convert it first: iconv -f UTF-16 -t UTF-8",
        ru: "; сначала перекодируйте: iconv -f UTF-16 -t UTF-8")
    case (.input, "HTML"), (.input, "XML"):
      Text(
        en: "; it may be a server's error page: open it in a browser",
        ru: "; возможно, это страница с ошибкой сервера: откройте её в браузере")
    case (.input, _):
      Text(
        en: "; give the feed's own file or URL ('sluice feeds' lists the feeds)",
        ru: "; укажите файл или адрес самого набора данных (список: 'sluice feeds')")
    case (.content, "base64"):
      Text(en: "; decode it first: base64 -d", ru: "; сначала раскодируйте: base64 -d")
    case (.content, _):
      .tellPublisher
    }
  }
}
