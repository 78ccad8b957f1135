import Glibc
import Sluice

extension SourceFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .empty:
      Text(en: "the input is empty", ru: "входные данные пусты") + .downloadAgain
    case .unknownForm(let looksLike, let start):
      ForeignForm.text(looksLike, start: start)
    case .noFile(let path):
      Text(en: "there is no file ", ru: "нет файла ") + .path(path)
        + Text(en: "; check the path", ru: "; проверьте путь")
    case .folder(let path):
      SourceFault.subject(path)
        + Text(en: " is a folder; name a file in it", ru: " — это папка; укажите файл в ней")
    case .unreadable(nil, errno: EBADF):
      Text(
        en: "standard input is closed; redirect a file or a pipe into it",
        ru: "стандартный ввод закрыт; направьте в него файл или канал")
    case .unreadable(let path, let errno):
      Text(en: "cannot open ", ru: "не удалось открыть ") + SourceFault.object(path)
        + .verbatim(": ") + .systemError(errno) + .remedy(errno)
    case .read(let path, let errno):
      Text(en: "cannot read ", ru: "не удалось прочитать ") + SourceFault.object(path)
        + .verbatim(": ") + .systemError(errno) + .remedy(errno)
    case .invalidURL(let url):
      .path(url)
        + Text(
          en: " is not a valid URL; write http://HOST/PATH or https://HOST/PATH",
          ru: " — неправильный адрес; пишите http://HOST/PATH или https://HOST/PATH")
    case .certificateFile(let path, let detail):
      Text(en: "the certificates in ", ru: "не удалось прочитать сертификаты из файла ")
        + .path(path) + Text(en: " cannot be used", ru: "") + .detail(detail)
        + Text(
          en: "; --cacert FILE needs certificates in PEM form",
          ru: "; для --cacert FILE нужны сертификаты в формате PEM")
    case .refused(let status):
      Text(
        en: "the source sends no data, its status is ",
        ru: "источник не отдал данные, его статус — "
      ) + .quoted(status, limit: 200) + .tryLater
    case .libraryMissing(let package, let detail):
      SourceFault.missing(escaped(package), detail)
    case .unresolved, .unconnected, .connectTimeout, .certificate, .tls, .status,
      .contentEncoding, .headersTooLarge, .bodyTooLarge, .cut, .tooSlow, .tooLong, .redirect,
      .transfer:
      transferText
    }
  }

  /// A path in the place of a sentence's subject; nil is standard input.
  private static func subject(_ path: String?) -> Text {
    path.map(Text.path) ?? Text(en: "standard input", ru: "стандартный ввод")
  }

  /// A path in the place of an object.
  private static func object(_ path: String?) -> Text {
    path.map { Text(en: "", ru: "файл ") + .path($0) }
      ?? Text(en: "standard input", ru: "стандартный ввод")
  }

  private static func missing(_ package: String, _ detail: String) -> Text {
    Text(
      en: "the library that reads URLs cannot be loaded",
      ru: "не удалось загрузить библиотеку, которая нужна для чтения по адресу")
      + .detail(detail)
      + Text(
        en: "; install the package: apt install \(package)",
        ru: "; установите пакет: apt install \(package)")
  }
}

/// What is said of an input that is recognised but not read, or not even recognised.
enum ForeignForm {
  /// What is wrong, and what to do; `name` is the library's name of what it looks like.
  static func text(_ name: String?, start: [UInt8]) -> Text {
    var text =
      name.map { name in
        Text(
          en: "this looks like \(escaped(name)), not JSON, zip or base64",
          ru: "похоже, это \(escaped(translated(name))), а не JSON, zip или base64")
      }
      ?? Text(en: "this is not JSON, zip or base64", ru: "это не JSON, не zip и не base64")
    if !start.isEmpty, name == nil || Text.isReadable(start) {
      let start = Text.start(start)
      text = text + Text(en: ": it starts with \(start.en)", ru: ": в начале — \(start.ru)")
    }
    return text + remedy(name)
  }

  private static func translated(_ name: String) -> String {
    switch name {
    case "a Microsoft Office document": "документ Microsoft Office"
    case "UTF-16 text": "текст в UTF-16"
    default: name
    }
  }

  private static func remedy(_ name: String?) -> Text {
    switch name {
    case "gzip", "xz", "bzip2", "zstd", "rar", "7z":
      Text(en: "; unpack it first", ru: "; сначала распакуйте")
    case "UTF-16 text":
      Text(
        en: "; convert it first: iconv -f UTF-16 -t UTF-8",
        ru: "; сначала перекодируйте: iconv -f UTF-16 -t UTF-8")
    case "HTML", "XML":
      Text(
        en: "; it may be a server's error page: open it in a browser",
        ru: "; возможно, это страница с ошибкой сервера: откройте её в браузере")
    default:
      Text(
        en: "; give the feed's own file or URL ('sluice feeds' lists the feeds)",
        ru: "; укажите файл или адрес самого набора данных (список: 'sluice feeds')")
    }
  }
}
