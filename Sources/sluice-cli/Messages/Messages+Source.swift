import Glibc
import Sluice

extension SourceFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .empty:
      Text(en: "the input is empty", ru: "входные данные пусты") + .downloadAgain
    case .unknownForm(let looksLike, let start):
      ForeignForm.input.text(looksLike, start: start)
    case .notJSON(let form):
      Text(
        en: "the answer is \(form.rawValue), not a JSON object or array",
        ru: "ответ — \(form.rawValue), а не объект и не массив JSON") + .tellPublisher
    case .paging(let fault): fault.text
    case .nothingToAsk(let list):
      Text(
        en: "there is nothing to ask for: the list \(list) is empty; add to it: "
          + "sluice cities add NAME",
        ru: "запрашивать нечего: список \(list) пуст; добавьте в него: sluice cities add NAME")
    case .noFile(let path):
      Text(en: "there is no file ", ru: "нет файла ") + .path(path)
        + Text(en: "; check the path", ru: "; проверьте путь")
    case .folder(let path?):
      .path(path)
        + Text(en: " is a folder; name a file in it", ru: " — это папка; укажите файл в ней")
    case .folder(nil):
      Text(
        en: "standard input is a folder; redirect a file or a pipe into it",
        ru: "стандартный ввод — это папка; направьте в него файл или канал")
    case .unreadable(nil, errno: EBADF), .read(nil, errno: EBADF):
      Text(
        en: "standard input is not open for reading; redirect a file or a pipe into it",
        ru: "стандартный ввод не открыт для чтения; направьте в него файл или канал")
    case .unreadable(let path, let errno):
      Text(en: "cannot open ", ru: "не удалось открыть ") + SourceFault.object(path)
        + .verbatim(": ") + .systemError(errno) + .remedy(errno)
    case .read(let path, let errno):
      Text(en: "cannot read ", ru: "не удалось прочитать ") + SourceFault.object(path)
        + .verbatim(": ") + .systemError(errno) + .remedy(errno)
    case .changed(let path):
      SourceFault.object(path)
        + Text(
          en: " changed between its two readings, and shares of a total need both; try again",
          ru: ": содержимое изменилось между двумя чтениями, нужными для долей; повторите")
    case .tooLargeToKeep(let limit):
      Text(
        en: "shares of a total need two readings, and more than \(Text.size(limit).en) would have "
          + "to be kept; save it to a file first, and name that",
        ru: "для долей данные читаются дважды, а хранить пришлось бы больше "
          + "\(Text.size(limit).ru); сначала сохраните их в файл и укажите его")
    case .spool(let errno): .spool(errno)
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
