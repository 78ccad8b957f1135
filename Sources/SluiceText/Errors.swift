import Glibc
import Sluice

/// The text of a fault: the problem, and after a semicolon the remedy.
///
///     the input is empty; download the data again
package struct Message: Equatable, Sendable {
  private let sentence: Text
  /// The remedy, or nil if the sentence contains its own.
  private let remedy: Remedy?

  /// Makes a message of a sentence that contains its remedy.
  package init(en: Sentence, ru: Sentence) {
    sentence = Text(en: en, ru: ru)
    remedy = nil
  }

  /// Makes a message of a problem, and a remedy that several faults share.
  package init(en: Sentence, ru: Sentence, _ remedy: Remedy) {
    sentence = Text(en: en, ru: ru)
    self.remedy = remedy
  }

  /// The problem and the remedy.
  package var text: Text { text(readAs: nil) }

  /// Returns the text for data that was read as the default feed, because no feed was named.
  package func text(readAs feed: String?) -> Text {
    switch (remedy, feed) {
    case (nil, _): sentence
    case (.otherFeed?, let feed?), (.otherAnswer?, let feed?):
      sentence + Remedy.nameFeed(readAs: feed).continuation
    case (let remedy?, _): sentence + remedy.continuation
    }
  }
}

/// A remedy that several faults share.
package enum Remedy: Equatable, Sendable {
  case downloadAgain
  case downloadYourself
  case tryLater
  /// The data is wrong: another download rarely helps.
  case tellPublisher
  /// The publisher's server works incorrectly.
  case report
  case unpackYourself
  /// The data may belong to another feed.
  case otherFeed
  /// The answer of a server may belong to another feed.
  case otherAnswer
  /// The feed was not named but assumed.
  case nameFeed(readAs: String)
  /// The text is not UTF-8, but probably `likely`.
  case convertFirst(from: String?)
  /// The remedy of an error of the system, by its number (`errno`).
  case system(Int32)
  case freeTemporarySpace
  /// A guard refused to publish.
  case accept
  case otherState
  /// A file of the state is unusable. Without it events get new numbers.
  case restore
  /// One of a few names, the nearest to the word.
  case oneOf([String], meant: String)
  case meant(String)
  case removeIt

  /// The remedy as it continues a sentence.
  var continuation: Text { Text(en: "; \(text)", ru: "; \(text)") }

  var text: Text {
    switch self {
    case .downloadAgain:
      Text(en: "download the data again", ru: "скачайте данные заново")
    case .downloadYourself:
      Text(
        en: "check the URL, or download the data with another program and convert the file",
        ru: "проверьте адрес или скачайте данные другой программой и преобразуйте файл")
    case .tryLater:
      Text(en: "try again later", ru: "повторите попытку позже")
    case .tellPublisher:
      Text(
        en: "download the data again, and if that does not help, tell the publisher",
        ru: "скачайте данные заново, а если не поможет, сообщите издателю данных")
    case .report:
      Text(en: "tell the publisher of the data", ru: "сообщите издателю данных")
    case .unpackYourself:
      Text(
        en: "unpack the archive with another program and convert the file in it",
        ru: "распакуйте архив другой программой и преобразуйте файл из него")
    case .otherFeed:
      Text(
        en: "if the data belongs to another feed, choose it with --feed NAME",
        ru: "если это другой набор данных, укажите его: --feed NAME")
    case .otherAnswer:
      Text(
        en: "check the URL, or choose another feed with --feed NAME",
        ru: "проверьте адрес или укажите другой набор данных: --feed NAME")
    case .nameFeed(let feed):
      Text(
        en: "it was read as \(feed), the default feed: choose another with --feed NAME ('sluice "
          + "feeds' lists them), or describe a new one: 'sluice feeds --new FILE' writes a draft",
        ru: "прочитано как \(feed), набор по умолчанию: укажите другой, --feed NAME (список: "
          + "'sluice feeds'), или опишите новый: черновик напишет 'sluice feeds --new FILE'")
    case .convertFirst(let likely?):
      Text(
        en: "convert it first: iconv -f \(likely) -t UTF-8 (a guess)",
        ru: "сначала перекодируйте его: iconv -f \(likely) -t UTF-8 (предположительно)")
    case .convertFirst(nil):
      Text(
        en: "convert it first: iconv -f ENCODING -t UTF-8",
        ru: "сначала перекодируйте его: iconv -f ENCODING -t UTF-8")
    case .system(let number): Remedy.text(for: number)
    case .freeTemporarySpace:
      Text(
        en: "free some space in /tmp, or set TMPDIR to another folder",
        ru: "освободите место в /tmp или укажите другую папку в TMPDIR")
    case .accept:
      Text(
        en: "nothing was published: check the data, and if it is correct, run once with --accept",
        ru: "ничего не опубликовано: проверьте данные и, если всё верно, запустите один раз "
          + "с --accept")
    case .otherState:
      Text(en: "choose another folder: --state DIR", ru: "выберите другую папку: --state DIR")
    case .restore:
      Text(
        en: "restore it from a copy, or run once with --accept: then it is set aside, events keep "
          + "the numbers that stand in the calendars, and others get new ones",
        ru: "восстановите его из копии или запустите один раз с --accept: тогда он будет отложен, "
          + "события из календарей сохранят номера, остальные получат новые")
    case .oneOf(let names, let word):
      if names.isEmpty {
        Remedy.removeIt.text
      } else if let name = nearest(to: word, in: names) {
        Remedy.meant(name).text
      } else {
        Text(
          en: "choose from: \(names.joined(separator: ", "))",
          ru: "есть: \(names.joined(separator: ", "))")
      }
    case .meant(let name):
      Text(en: "did you mean \(name)?", ru: "возможно, имелось в виду \(name)?")
    case .removeIt:
      Text(en: "remove it", ru: "уберите его")
    }
  }

  private static func text(for number: Int32) -> Text {
    switch number {
    case ENOSPC, EDQUOT:
      Text(en: "free some space and run again", ru: "освободите место и повторите")
    case EFBIG:
      Text(
        en: "raise the limit on file sizes: ulimit -f",
        ru: "увеличьте предел размера файлов: ulimit -f")
    case EACCES, EPERM:
      Text(en: "check owner and permissions", ru: "проверьте владельца и права доступа")
    case EROFS:
      Text(en: "choose another folder", ru: "выберите другую папку")
    case EMFILE, ENFILE:
      Text(
        en: "raise the limit on open files: ulimit -n",
        ru: "увеличьте предел числа открытых файлов: ulimit -n")
    case ENOMEM:
      Text(en: "close other programs", ru: "закройте другие программы")
    case ENOENT, ENOTDIR, ELOOP, EISDIR:
      Text(en: "check the path", ru: "проверьте путь")
    case EBADF:
      Text(en: "redirect it to a file or a pipe", ru: "направьте его в файл или канал")
    case ENAMETOOLONG:
      Text(en: "choose a shorter name", ru: "выберите имя короче")
    default:
      Text(en: "check the disk and its file system", ru: "проверьте диск и его файловую систему")
    }
  }
}

extension PipelineError {
  /// The error in the form of the contract, without the prefix:
  /// `STAGE: byte N: record R, field F: problem; remedy`. Unknown parts are left out.
  package var text: Text { text(readAs: nil) }

  /// Returns the text for data that was read as the default feed, because no feed was named.
  package func text(readAs feed: String?) -> Text {
    if case .requests(let fault) = fault { return fault.text(readAs: feed) }
    let line = line(of: nil, fault.message.text(readAs: feed))
    // The message of a source names its file itself.
    guard let input, !fault.namesInput else { return line }
    return .verbatim("\(escaped(input, limit: 1000)): ") + line
  }

  /// Returns the problem after the stage and the place. `request` is the one of several that had
  /// the error.
  package func line(of request: RequestName?, _ what: Text) -> Text {
    var places: [Text] = []
    if let name = request?.text { places.append(name) }
    if let record { places.append(Text(en: "record \(record)", ru: "запись \(record)")) }
    if let field, !fault.namesField {
      places.append(Text(en: "field \(quoted: field)", ru: "поле \(quoted: field)"))
    }
    var parts: [Text] = [.verbatim(stage.rawValue)]
    if let offset { parts.append(.verbatim("byte \(offset)")) }
    if !places.isEmpty { parts.append(.joined(places, by: ", ")) }
    return .joined(parts + [what], by: ": ")
  }
}

extension Fault {
  /// The problem and the remedy.
  var text: Text {
    if case .requests(let fault) = self { return fault.text(readAs: nil) }
    return message.text
  }

  /// The problem and the remedy. Of several requests, the fault that came first.
  var message: Message {
    switch self {
    case .source(let fault): fault.message
    case .envelope(let fault): fault.message
    case .base64(let fault): fault.message
    case .unzip(let fault): fault.message
    case .json(let fault): fault.message
    case .csv(let fault): fault.message
    case .normalize(let fault): fault.message
    case .place(let fault): fault.message
    case .history(let fault): fault.message
    case .sink(let fault): fault.message
    case .sync(let fault): fault.message
    case .ledger(let fault): fault.message(about: .ledger)
    case .requests(let fault): fault.first.fault.message
    }
  }

  /// Whether the message itself names the input.
  fileprivate var namesInput: Bool {
    switch self {
    case .source(.noFile), .source(.folder), .source(.unreadable), .source(.read),
      .source(.changed), .source(.invalidURL), .source(.status), .source(.noDayInName), .history:
      true
    default: false
    }
  }

  /// Whether the message itself names the field of the error.
  fileprivate var namesField: Bool {
    switch self {
    case .normalize(.afterItsRows), .normalize(.tooManyHeld): true
    default: false
    }
  }
}

// Holes for foreign data that is quoted in an error.

extension Sentence.StringInterpolation {
  /// Names in a row, quoted. A long row is cut.
  package mutating func appendInterpolation(list names: [String]) {
    appendInterpolation(.list(names))
  }

  /// The names of an archive's entries in a row. A long row is cut.
  package mutating func appendInterpolation(list names: [EntryName]) {
    // One more than is shown, so that the row ends in an ellipsis.
    appendInterpolation(.list(names.prefix(13).map(\.shown)))
  }

  /// The name of an archive's entry, quoted.
  package mutating func appendInterpolation(quoted name: EntryName) {
    appendInterpolation(.quoted(name.shown))
  }

  /// The keys of an object, in brackets.
  package mutating func appendInterpolation(keys: [String]) {
    appendInterpolation(
      keys.isEmpty
        ? Text(en: "(no keys seen)", ru: "(ключей не найдено)")
        : Text(en: "(keys seen: \(list: keys))", ru: "(найдены ключи: \(list: keys))"))
  }

  /// The keys of an object as a continuation, in brackets after a space, or nothing if there are
  /// none.
  package mutating func appendInterpolation(keysIfAny keys: [String]) {
    if !keys.isEmpty { appendInterpolation(Text(en: " \(keys: keys)", ru: " \(keys: keys)")) }
  }

  /// The values that were found, as a continuation in brackets, or nothing if there are none.
  package mutating func appendInterpolation(found values: [String]) {
    if !values.isEmpty {
      appendInterpolation(Text(en: " (found: \(list: values))", ru: " (найдены: \(list: values))"))
    }
  }

  /// A byte: its ASCII character, otherwise its number.
  package mutating func appendInterpolation(byte: UInt8) { appendInterpolation(.byte(byte)) }

  /// The first bytes of data, quoted if they are text.
  package mutating func appendInterpolation(start bytes: [UInt8]) {
    appendInterpolation(.start(bytes))
  }

  /// The text of the system or of a library, as a continuation in brackets, or nothing if there is
  /// none.
  package mutating func appendInterpolation(detail text: String) {
    if !text.isEmpty { self.appendInterpolation(" (\(escaped(text, limit: 200)))") }
  }

  /// An error of the system, by its number.
  package mutating func appendInterpolation(errno number: Int32) {
    appendInterpolation(.systemError(number))
  }
}

extension Text {
  /// Names in a row, quoted. A long row is cut.
  static func list(_ names: [String], limit: Int = 12) -> Text {
    var shown = names.prefix(limit).map { Text.quoted($0, limit: 40) }
    if names.count > limit { shown.append(.verbatim("…")) }
    return .joined(shown, by: ", ")
  }

  fileprivate static func byte(_ byte: UInt8) -> Text {
    switch byte {
    case UInt8(ascii: "\""):
      Text(en: "the character '\"'", ru: "символ «\"»")
    case 0x21..<0x7F:
      Text(
        en: "the character \(quoted: String(UnicodeScalar(byte)))",
        ru: "символ \(quoted: String(UnicodeScalar(byte)))")
    default:
      Text(en: "the byte 0x\(hexDigits(byte))", ru: "байт 0x\(hexDigits(byte))")
    }
  }

  /// The first bytes of data, quoted if they are text.
  static func start(_ bytes: [UInt8]) -> Text {
    if let text = readable(bytes) { return quoted(text, limit: 40) }
    let digits = bytes.prefix(8).map(hexDigits).joined(separator: " ")
    let more = bytes.count > 8 ? " …" : ""
    return Text(en: "the bytes \(digits)\(more)", ru: "байты \(digits)\(more)")
  }

  /// Whether bytes can be shown as text.
  fileprivate static func isReadable(_ bytes: [UInt8]) -> Bool { readable(bytes) != nil }

  /// Returns bytes as text, or nil if they are not text. They may end inside a character.
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

  private static func hexDigits(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// Returns the description of a system error by its number (`errno`).
  package static func systemError(_ number: Int32) -> Text {
    switch number {
    case ENOENT: Text(en: "no such file or folder", ru: "нет такого файла или папки")
    case EACCES, EPERM: Text(en: "permission denied", ru: "нет прав доступа")
    case EISDIR: Text(en: "it is a folder", ru: "это папка")
    case ENOTDIR: Text(en: "part of the path is not a folder", ru: "часть пути — не папка")
    case ENOSPC: Text(en: "no space left on the device", ru: "на устройстве нет места")
    case EDQUOT: Text(en: "the disk quota is exceeded", ru: "исчерпана дисковая квота")
    case EFBIG: Text(en: "the file would be too large", ru: "файл стал бы слишком велик")
    case EROFS: Text(en: "the file system is read-only", ru: "файловая система только для чтения")
    case EIO: Text(en: "input/output error", ru: "ошибка ввода-вывода")
    case EBADF: Text(en: "it is closed", ru: "он закрыт")
    case EMFILE, ENFILE: Text(en: "too many open files", ru: "открыто слишком много файлов")
    case ENAMETOOLONG: Text(en: "the name is too long", ru: "слишком длинное имя")
    case ELOOP: Text(en: "too many symbolic links", ru: "слишком длинная цепочка ссылок")
    case ENOMEM: Text(en: "out of memory", ru: "не хватает памяти")
    default:
      // Rare errors, in the system's own words.
      .verbatim(strerror(number).map { String(cString: $0) } ?? "errno \(number)")
    }
  }
}

/// The place of data in a format that is not supported.
enum ForeignForm {
  /// An input.
  case input
  /// The decoded content of base64 text.
  case content

  /// Returns the message. `name` is the library's name of the format, or nil if it is not
  /// recognised. `start` has the first bytes.
  func message(_ name: String?, start: [UInt8]) -> Message {
    let isShown = !start.isEmpty && (name == nil || Text.isReadable(start))
    let start = isShown ? start : []
    let remedy = remedy(name, start)
    guard let name else {
      return switch self {
      case .input:
        Message(
          en: "this is not a JSON object or array, zip or base64\(startingWith: start); \(remedy)",
          ru: "это не объект и не массив JSON, не zip и не base64\(startingWith: start); \(remedy)")
      case .content:
        Message(
          en: "the base64 text contains neither JSON nor zip\(startingWith: start); \(remedy)",
          ru: "внутри base64 — не JSON и не zip\(startingWith: start); \(remedy)")
      }
    }
    let form = Text(en: "\(excerpt: name)", ru: "\(excerpt: ForeignForm.translated(name))")
    return switch self {
    case .input:
      Message(
        en: "this looks like \(form), not JSON, zip or base64\(startingWith: start); \(remedy)",
        ru: "похоже, это \(form), а не JSON, zip или base64\(startingWith: start); \(remedy)")
    case .content:
      Message(
        en: "the base64 text seems to contain \(form), not JSON or zip"
          + "\(startingWith: start); \(remedy)",
        ru: "внутри base64, похоже, \(form), а не JSON или zip\(startingWith: start); \(remedy)")
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

  /// Returns the remedy. `start` has the first bytes, and is empty if they are not shown.
  private func remedy(_ name: String?, _ start: [UInt8]) -> Text {
    switch (self, name) {
    case (.input, nil) where !start.isEmpty: remedyOfText(start)
    case (.input, "gzip"), (.input, "xz"), (.input, "bzip2"), (.input, "zstd"), (.input, "rar"),
      (.input, "7z"):
      Text(en: "unpack it first", ru: "сначала распакуйте")
    case (.input, "UTF-16 text"):
      Text(
        en: "convert it first: iconv -f UTF-16 -t UTF-8",
        ru: "сначала перекодируйте: iconv -f UTF-16 -t UTF-8")
    case (.input, "HTML"), (.input, "XML"):
      Text(
        en: "it may be a server's error page: open it in a browser",
        ru: "возможно, это страница с ошибкой сервера: откройте её в браузере")
    case (.input, _): ForeignForm.ownInput
    case (.content, "base64"):
      Text(en: "decode it first: base64 -d", ru: "сначала раскодируйте: base64 -d")
    case (.content, _):
      Remedy.tellPublisher.text
    }
  }

  /// Returns the remedy for an input in no known format.
  private func remedyOfText(_ start: [UInt8]) -> Text {
    guard Text.isReadable(start) else {
      guard let likely = ForeignEncoding.guess(start) else { return ForeignForm.ownInput }
      let remedy = Remedy.convertFirst(from: likely).text
      return Text(en: "if it is text, \(remedy)", ru: "если это текст, \(remedy)")
    }
    guard start.contains(UInt8(ascii: "\n")) else { return ForeignForm.ownInput }
    return Text(
      en: "a CSV table begins with a line of at least two column names, separated by commas, "
        + "semicolons or tabs",
      ru: "таблица CSV начинается со строки, в которой имена хотя бы двух столбцов разделены "
        + "запятыми, точками с запятой или табуляцией")
  }

  private static let ownInput = Text(
    en: "give the feed's own file or URL ('sluice feeds' lists the feeds)",
    ru: "укажите файл или адрес самого набора данных (список: 'sluice feeds')")
}

extension Sentence.StringInterpolation {
  /// The first bytes as a continuation, or nothing if there are none.
  fileprivate mutating func appendInterpolation(startingWith bytes: [UInt8]) {
    if !bytes.isEmpty {
      appendInterpolation(
        Text(en: ": it starts with \(start: bytes)", ru: ": в начале — \(start: bytes)"))
    }
  }
}

extension PipelineError {
  /// Returns the error in a sentence for people: the stage, the byte, the problem and the remedy.
  /// One line.
  public func sentence(in language: Language) -> String { text[language] }
}
