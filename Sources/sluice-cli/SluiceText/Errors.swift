import Glibc
import Sluice

extension PipelineError {
  /// The error as the contract words it, without the prefix:
  /// `STAGE: byte N: record R, field F: what is wrong; what to do`. Parts that are not known are
  /// left out.
  var text: Text {
    if case .requests(let fault) = fault { return fault.text }
    return text(of: nil)
  }

  /// The same of an error that one of several requests met; `what` is wrong, where there is more to
  /// say of that than the error knows.
  func text(of request: RequestName?, _ what: Text? = nil) -> Text {
    var text = Text.verbatim("\(stage.rawValue): ")
    if let offset { text = text + .verbatim("byte \(offset): ") }
    var place: [Text] = []
    if let name = request?.text { place.append(name) }
    if let record { place.append(Text(en: "record \(record)", ru: "запись \(record)")) }
    if let field, !fault.namesField {
      place.append(Text(en: "field ", ru: "поле ") + .quoted(field))
    }
    if let first = place.first {
      text = place.dropFirst().reduce(text + first) { $0 + .verbatim(", ") + $1 } + .verbatim(": ")
    }
    return text + (what ?? fault.text)
  }
}

extension Fault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .source(let fault): fault.text
    case .envelope(let fault): fault.text
    case .base64(let fault): fault.text
    case .unzip(let fault): fault.text
    case .json(let fault): fault.text
    case .csv(let fault): fault.text
    case .normalize(let fault): fault.text
    case .sink(let fault): fault.text
    case .sync(let fault): fault.text
    case .ledger(let fault): fault.text
    case .requests(let fault): fault.text
    }
  }

  /// Whether the text itself names the field that the error is about.
  fileprivate var namesField: Bool {
    if case .normalize(.afterItsRows) = self { true } else { false }
  }
}

// What to do about an error, where several errors want the same.

extension Text {
  static let downloadAgain = Text(
    en: "; download the data again", ru: "; скачайте данные заново")
  static let tryLater = Text(en: "; try again later", ru: "; повторите попытку позже")
  static let tellPublisher = Text(
    en: "; download the data again, and if nothing changes, tell its publisher",
    ru: "; скачайте данные заново, а если не поможет, сообщите их издателю")
  static let otherFeed = Text(
    en: "; if the data is another feed's, choose it with --feed NAME",
    ru: "; если это другой набор данных, укажите его: --feed NAME")
  static let otherAnswer = Text(
    en: "; check the URL, or choose another feed with --feed NAME",
    ru: "; проверьте адрес или укажите другой набор данных: --feed NAME")

  /// The same text where nobody said which feed the data is of: it tells so instead of wondering
  /// about another feed.
  func readAsDefault(_ feed: String) -> Text {
    let remedies = [Text.otherFeed, .otherAnswer]
    guard let remedy = remedies.first(where: { en.hasSuffix($0.en) && ru.hasSuffix($0.ru) }) else {
      return self
    }
    return Text(
      en: en.dropLast(remedy.en.count)
        + "; it was read as \(feed), the default feed: choose its own with --feed NAME ('sluice "
        + "feeds' lists them), or make one: 'sluice feeds --new FILE' writes its document",
      ru: ru.dropLast(remedy.ru.count)
        + "; прочитано как \(feed), набор по умолчанию: укажите нужный, --feed NAME (список: "
        + "'sluice feeds'), или создайте свой: 'sluice feeds --new FILE' напишет его описание")
  }

  /// What to do about a text of another encoding than UTF-8; `likely` is what it may be.
  static func convertFirst(from likely: String?) -> Text {
    let line = "iconv -f \(likely ?? "ENCODING") -t UTF-8"
    return Text(
      en: "convert it first: \(line)" + (likely == nil ? "" : " (a guess)"),
      ru: "сначала перекодируйте его: \(line)" + (likely == nil ? "" : " (предположительно)"))
  }

  static let unpackYourself = Text(
    en: "; unpack the archive with another program and convert the file in it",
    ru: "; распакуйте архив другой программой и преобразуйте файл из него")
  static let downloadYourself = Text(
    en: "; check the URL, or download the data with another program and convert the file",
    ru: "; проверьте адрес или скачайте данные другой программой и преобразуйте файл")

  /// What to do about an error of the system, by its number (`errno`).
  static func remedy(_ number: Int32) -> Text {
    switch number {
    case ENOSPC, EDQUOT:
      Text(en: "; free some space and run again", ru: "; освободите место и повторите")
    case EFBIG:
      Text(
        en: "; raise the limit of file sizes: ulimit -f",
        ru: "; поднимите предел размера файлов: ulimit -f")
    case EACCES, EPERM:
      Text(en: "; check owner and permissions", ru: "; проверьте владельца и права доступа")
    case EROFS:
      Text(en: "; choose another folder", ru: "; выберите другую папку")
    case EMFILE, ENFILE:
      Text(
        en: "; raise the limit of open files: ulimit -n",
        ru: "; поднимите предел числа открытых файлов: ulimit -n")
    case ENOMEM:
      Text(en: "; close other programs", ru: "; закройте другие программы")
    case ENOENT, ENOTDIR, ELOOP, EISDIR:
      Text(en: "; check the path", ru: "; проверьте путь")
    case EBADF:
      Text(en: "; redirect it to a file or a pipe", ru: "; направьте его в файл или канал")
    case ENAMETOOLONG:
      Text(en: "; choose a shorter name", ru: "; выберите имя короче")
    default:
      Text(
        en: "; check the disk and its file system", ru: "; проверьте диск и его файловую систему")
    }
  }
}

// What of foreign data is quoted in an error.

extension Text {
  /// Names in a row, made safe to show and quoted; a long row is cut.
  static func list(_ names: [String], limit: Int = 12) -> Text {
    let shown = names.prefix(limit).map { Text.quoted($0, limit: 40) }
    let more = names.count > shown.count ? ", …" : ""
    return Text(
      en: shown.map(\.en).joined(separator: ", ") + more,
      ru: shown.map(\.ru).joined(separator: ", ") + more)
  }

  /// The keys that an object has, in brackets.
  static func keysSeen(_ keys: [String]) -> Text {
    guard !keys.isEmpty else { return Text(en: "(no keys seen)", ru: "(ключей не найдено)") }
    let list = list(keys)
    return Text(en: "(keys seen: \(list.en))", ru: "(найдены ключи: \(list.ru))")
  }

  /// The names of an archive's entries in a row; a long row is cut.
  static func list(_ names: [EntryName]) -> Text { list(names.prefix(13).map(\.shown)) }

  /// The name of an archive's entry.
  static func quoted(_ name: EntryName) -> Text { quoted(name.shown) }

  /// A byte: the character that it is in ASCII, or else its number.
  static func byte(_ byte: UInt8) -> Text {
    switch byte {
    case UInt8(ascii: "\""):
      Text(en: "the character '\"'", ru: "символ «\"»")
    case 0x21..<0x7F:
      Text(en: "the character ", ru: "символ ") + .quoted(String(UnicodeScalar(byte)))
    default:
      Text(en: "the byte \(hex(byte))", ru: "байт \(hex(byte))")
    }
  }

  /// The text of the system or of a library, in brackets; nothing where there is none.
  static func detail(_ text: String) -> Text {
    text.isEmpty ? .verbatim("") : .verbatim(" (\(escaped(text, limit: 200)))")
  }

  /// The first bytes of data, quoted where they are text.
  static func start(_ bytes: [UInt8]) -> Text {
    if let text = readable(bytes) { return quoted(text, limit: 40) }
    let digits = bytes.prefix(8).map(hexDigits).joined(separator: " ")
    let more = bytes.count > 8 ? " …" : ""
    return Text(en: "the bytes \(digits)\(more)", ru: "байты \(digits)\(more)")
  }

  /// Whether bytes can be shown as text.
  static func isReadable(_ bytes: [UInt8]) -> Bool { readable(bytes) != nil }

  /// Bytes as text; nil where they are none. They may end inside a character.
  private static func readable(_ bytes: [UInt8]) -> String? {
    for cut in 0...3 where cut < bytes.count {
      guard let text = String(validating: bytes.dropLast(cut), as: UTF8.self) else { continue }
      let isText = text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.generalCategory != .control || "\t\n\r".unicodeScalars.contains(scalar)
      }
      return isText ? text : nil
    }
    return nil
  }

  private static func hex(_ byte: UInt8) -> String { "0x" + hexDigits(byte) }

  private static func hexDigits(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

extension Text {
  /// Describes a system error by its number (`errno`).
  static func systemError(_ number: Int32) -> Text {
    switch number {
    case ENOENT: Text(en: "no such file or folder", ru: "нет такого файла или папки")
    case EACCES, EPERM: Text(en: "permission denied", ru: "нет прав доступа")
    case EISDIR: Text(en: "it is a folder", ru: "это папка")
    case ENOTDIR:
      Text(en: "part of the path is no folder", ru: "часть пути — не папка")
    case ENOSPC: Text(en: "no space left on the device", ru: "на устройстве нет места")
    case EDQUOT: Text(en: "the disk quota is used up", ru: "исчерпана дисковая квота")
    case EFBIG: Text(en: "the file would be too large", ru: "файл стал бы слишком велик")
    case EROFS: Text(en: "the file system is read-only", ru: "файловая система только для чтения")
    case EIO: Text(en: "the device failed", ru: "ошибка устройства")
    case EBADF: Text(en: "it is closed", ru: "он закрыт")
    case EMFILE, ENFILE: Text(en: "too many open files", ru: "открыто слишком много файлов")
    case ENAMETOOLONG: Text(en: "the name is too long", ru: "слишком длинное имя")
    case ELOOP: Text(en: "too many symbolic links", ru: "слишком длинная цепочка ссылок")
    case ENOMEM: Text(en: "out of memory", ru: "не хватает памяти")
    default:
      // Rare ones: in the system's own words.
      .verbatim(strerror(number).map { String(cString: $0) } ?? "errno \(number)")
    }
  }
}

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
