import Glibc
import Sluice

extension SourceFault {
  /// The problem and the remedy.
  package var text: Text { message.text }

  /// The problem and the remedy.
  var message: Message {
    switch self {
    case .empty:
      Message(en: "the input is empty", ru: "входные данные пусты", .downloadAgain)
    case .unknownForm(let looksLike, let start):
      ForeignForm.input.message(looksLike, start: start)
    case .notJSON(let form):
      Message(
        en: "the answer is \(form.rawValue), not a JSON object or array",
        ru: "ответ — \(form.rawValue), а не объект и не массив JSON", .tellPublisher)
    case .paging(let fault): fault.message
    case .nothingToAsk(let list):
      Message(
        en: "the list \(list) is empty, so there is nothing to request; add to it: sluice cities "
          + "add NAME",
        ru: "список \(list) пуст, запрашивать нечего; добавьте в него: sluice cities add NAME")
    case .noFile(let path):
      Message(
        en: "there is no file \(path: path); check the path",
        ru: "нет файла \(path: path); проверьте путь")
    case .folder(let path?):
      Message(
        en: "\(path: path) is a folder; name a file in it",
        ru: "\(path: path) — это папка; укажите файл в ней")
    case .folder(nil):
      Message(
        en: "standard input is a folder; redirect a file or a pipe into it",
        ru: "стандартный ввод — это папка; направьте в него файл или канал")
    case .unreadable(nil, errno: EBADF), .read(nil, errno: EBADF):
      Message(
        en: "standard input is not open for reading; redirect a file or a pipe into it",
        ru: "стандартный ввод не открыт для чтения; направьте в него файл или канал")
    case .unreadable(let path, let errno):
      Message(
        en: "cannot open \(input: path): \(errno: errno)",
        ru: "не удалось открыть \(input: path): \(errno: errno)", .system(errno))
    case .read(let path, let errno):
      Message(
        en: "cannot read \(input: path): \(errno: errno)",
        ru: "не удалось прочитать \(input: path): \(errno: errno)", .system(errno))
    case .changed(let path):
      Message(
        en: "\(input: path) changed between the two passes that this feed needs; try again",
        ru: "\(input: path): данные изменились между двумя чтениями, которые нужны этому набору "
          + "данных; повторите")
    case .tooLargeToKeep(let limit):
      Message(
        en: "this feed needs two passes, and more than \(size: limit) cannot be kept for "
          + "the second; save the data to a file first, and name that file",
        ru: "этот набор данных читается дважды, а хранить между чтениями можно не больше "
          + "\(size: limit); сначала сохраните их в файл и укажите его")
    case .noDayInName(let path):
      Message(
        en: "\(input: path) has no day in its name where --input-date expects it; rename it, or "
          + "choose other inputs",
        ru: "\(input: path): в имени нет дня там, где его ждёт --input-date; переименуйте файл или "
          + "выберите другие")
    case .spool(let errno): .spool(errno)
    case .cancelled:
      Message(
        en: "the run was cancelled; nothing was published",
        ru: "выполнение отменено; ничего не опубликовано")
    case .invalidURL(let url):
      Message(
        en: "\(path: url) is not a valid URL; write http://HOST/PATH or https://HOST/PATH",
        ru: "\(path: url) — неправильный адрес; пишите http://HOST/PATH или https://HOST/PATH")
    case .certificateFile(let path, let detail):
      Message(
        en: "cannot use the certificates in \(path: path)\(detail: detail); "
          + "--cacert FILE needs certificates in PEM format",
        ru: "не удалось прочитать сертификаты из файла \(path: path)\(detail: detail); "
          + "для --cacert FILE нужны сертификаты в формате PEM")
    case .refused(let status):
      Message(
        en: "the source sends no data, its status is \(quoted: status, limit: 200)",
        ru: "источник не отдаёт данные, его статус — \(quoted: status, limit: 200)", .tryLater)
    case .libraryMissing(let package, let detail):
      Message(
        en: "cannot load the library that reads URLs\(detail: detail); "
          + "install the package: apt install \(excerpt: package)",
        ru: "не удалось загрузить библиотеку для чтения по адресу\(detail: detail); "
          + "установите пакет: apt install \(excerpt: package)")
    case .unresolved(let detail):
      Message(
        en: "cannot resolve the host name\(detail: detail); check the URL and the network",
        ru: "не удалось найти сервер по имени\(detail: detail); "
          + "проверьте адрес и подключение к сети")
    case .unconnected(let detail):
      Message(
        en: "cannot connect to the server\(detail: detail); "
          + "try again later, or check network and proxy",
        ru: "не удалось соединиться с сервером\(detail: detail); "
          + "повторите попытку позже или проверьте сеть и прокси")
    case .connectTimeout(let seconds, let detail):
      Message(
        en: "no connection within \(seconds: seconds)\(detail: detail)",
        ru: "соединение не установлено за \(seconds: seconds)\(detail: detail)", .tryLater)
    case .certificate(let detail):
      Message(
        en: "the server's certificate is not trusted\(detail: detail); "
          + "if you trust the server, give its issuer's certificate: --cacert FILE",
        ru: "сертификат сервера не принят\(detail: detail); если серверу можно доверять, "
          + "укажите сертификат его удостоверяющего центра: --cacert FILE")
    case .tls(let detail):
      Message(
        en: "cannot establish a TLS connection\(detail: detail); "
          + "try again later, or from another network",
        ru: "не удалось установить соединение по TLS\(detail: detail); "
          + "повторите попытку позже или из другой сети")
    case .status(let status, let url, let retryAfter):
      SourceFault.answer(status, url, SourceFault.remedy(status, retryAfter))
    case .contentEncoding(let encoding):
      Message(
        en: "the server sent Content-Encoding \(quoted: encoding) although none was requested",
        ru: "сервер прислал Content-Encoding \(quoted: encoding), хотя сжатие не запрашивалось",
        .downloadYourself)
    case .contentLength(let length):
      Message(
        en: "the server sent Content-Length \(quoted: length), which is not one number of bytes",
        ru: "сервер прислал Content-Length \(quoted: length), а это не одно число байтов",
        .downloadYourself)
    case .transferCoding(let coding):
      Message(
        en: "the server sent Transfer-Encoding \(quoted: coding), and only chunked is read",
        ru: "сервер прислал Transfer-Encoding \(quoted: coding), а читается только chunked",
        .downloadYourself)
    case .headersTooLarge(let limit):
      Message(
        en: "the headers of the answer exceed \(size: limit); check the URL",
        ru: "заголовки ответа больше предела (\(size: limit)); проверьте адрес")
    case .bodyTooLarge(let limit, let expected?):
      Message(
        en: "the answer exceeds \(size: limit) (the server announces \(size: expected))",
        ru: "ответ больше предела (\(size: limit)), объявлено \(size: expected)",
        .downloadYourself)
    case .bodyTooLarge(let limit, nil):
      Message(
        en: "the answer exceeds \(size: limit)", ru: "ответ больше предела (\(size: limit))",
        .downloadYourself)
    case .cut(let received, let expected, let detail):
      Message(
        en: "the connection was lost after \(received: received, of: expected)\(detail: detail)",
        ru: "соединение прервалось, получено \(received: received, of: expected)\(detail: detail)",
        .tryLater)
    case .tooSlow(let least, let seconds, let received, let expected):
      Message(
        en: "slower than \(size: least) per second for \(seconds: seconds): "
          + "received \(received: received, of: expected)",
        ru: "\(seconds: seconds) данные шли медленнее, чем \(size: least) в секунду: "
          + "получено \(received: received, of: expected)",
        .tryLater)
    case .tooLong(let seconds, let received, let expected):
      Message(
        en: "the transfer did not finish within \(seconds: seconds): "
          + "received \(received: received, of: expected); "
          + "try again later, or over a faster connection",
        ru: "передача не закончилась за \(seconds: seconds): "
          + "получено \(received: received, of: expected); "
          + "повторите попытку позже или через более быстрое соединение")
    case .outOfTime(let seconds):
      Message(
        en: "the answers did not arrive within \(seconds: seconds); try again later, or allow more "
          + "time: --max-time",
        ru: "ответы не пришли за \(seconds: seconds); повторите попытку позже или дайте больше "
          + "времени: --max-time")
    case .answersTooLarge(let limit):
      Message(
        en: "all answers together exceed \(size: limit); if that is right, raise the limit: "
          + "--max-size BYTES",
        ru: "все ответы вместе больше предела (\(size: limit)); если так и должно быть, поднимите "
          + "предел: --max-size BYTES")
    case .redirect(let url, let refusal): refusal.message(url: url)
    case .transfer(let code, let detail):
      Message(
        en: "the transfer failed with libcurl's code \(code)\(detail: detail)",
        ru: "передача не удалась, код libcurl — \(code)\(detail: detail)", .tryLater)
    }
  }

  /// Returns the message about a server's answer.
  fileprivate static func answer(_ status: Int, _ url: String, _ remedy: Text) -> Message {
    Message(
      en: "the server answers \(status) for \(path: url); \(remedy)",
      ru: "сервер ответил кодом \(status) на запрос \(path: url); \(remedy)")
  }

  /// Returns the remedy for a status of HTTP (RFC 9110, section 15).
  private static func remedy(_ status: Int, _ retryAfter: Int?) -> Text {
    if let retryAfter {
      return Text(
        en: "try again in \(seconds: retryAfter)",
        ru: "повторите попытку через \(seconds: retryAfter)")
    }
    return switch status {
    case 401, 407:
      Text(
        en: "it requires a user name and a password: http://USER:PASSWORD@HOST/…",
        ru: "нужны имя и пароль: http://USER:PASSWORD@HOST/…")
    case 403, 451:
      Text(
        en: "it denies access: try from another network",
        ru: "доступ закрыт: попробуйте из другой сети")
    case 404, 410:
      Text(
        en: "check the URL: it may have changed", ru: "проверьте адрес: возможно, он изменился")
    case 408, 425, 429, 500...599:
      Remedy.tryLater.text
    default:
      Text(en: "check the URL", ru: "проверьте адрес")
    }
  }
}

extension Message {
  /// Data could not be kept in a temporary file.
  static func spool(_ errno: Int32) -> Message {
    Message(
      en: "cannot save the data to a temporary file: \(errno: errno)",
      ru: "не удалось сохранить данные во временном файле: \(errno: errno)", .freeTemporarySpace)
  }
}

extension Sentence.StringInterpolation {
  /// An input file, as a grammatical object. Nil is standard input.
  fileprivate mutating func appendInterpolation(input path: String?) {
    guard let path else {
      return appendInterpolation(Text(en: "standard input", ru: "стандартный ввод"))
    }
    appendInterpolation(Text(en: "\(path: path)", ru: "файл \(path: path)"))
  }

  /// The received part of a transfer: `5 of 10 bytes`, or `5 bytes` if the whole is not known.
  fileprivate mutating func appendInterpolation(received: Int, of expected: Int?) {
    guard let expected else { return appendInterpolation(bytes: received) }
    appendInterpolation(
      Text(en: "\(received) of \(bytes: expected)", ru: "\(bytes: received) из \(expected)"))
  }
}

extension RedirectRefusal {
  /// Returns why the redirect to `url` is not followed, and the remedy.
  fileprivate func message(url: String) -> Message {
    switch self {
    case .tooMany(let limit):
      Message(
        en: "more than \(count: limit, "redirect", "redirects"), the last to \(path: url); "
          + "check the URL",
        ru: "слишком много перенаправлений (предел — \(limit)), последнее — на \(path: url); "
          + "проверьте адрес")
    case .scheme(let scheme):
      Message(
        en: "the server redirects to \(path: url), and \(quoted: scheme) is neither http nor "
          + "https; check the URL",
        ru: "сервер перенаправляет на \(path: url), а \(quoted: scheme) — не http и не https; "
          + "проверьте адрес")
    case .downgrade:
      Message(
        en: "the server redirects from https to the unencrypted \(path: url); "
          + "if you trust that address, give it as INPUT",
        ru: "сервер перенаправляет с https на незащищённый адрес \(path: url); "
          + "если ему можно доверять, укажите его как INPUT")
    case .internalAddress(let address):
      Message(
        en: "the server redirects to \(path: url), into an internal network "
          + "(\(excerpt: address)); if you trust that address, give it as INPUT",
        ru: "сервер перенаправляет на \(path: url), во внутреннюю сеть (\(excerpt: address)); "
          + "если этому адресу можно доверять, укажите его как INPUT")
    case .malformed:
      Message(
        en: "the server redirects to \(path: url), which is not a valid URL; try again later",
        ru: "сервер перенаправляет на неправильный адрес \(path: url); повторите попытку позже")
    }
  }
}

extension PagingFault {
  /// The problem and the remedy.
  fileprivate var message: Message {
    switch self {
    case .elsewhere(let url):
      Message(
        en: "the link to the next page leads to another server, \(path: url)",
        ru: "ссылка на следующую страницу ведёт на другой сервер, \(path: url)", .report)
    case .repeated(let url):
      Message(
        en: "the link to the next page leads to a page already read, \(path: url)",
        ru: "ссылка на следующую страницу ведёт на уже прочитанную, \(path: url)", .report)
    case .secret(let url):
      Message(
        en: "the link to the next page, \(path: url), has a secret that no parameter in the "
          + "feed's document sets; add that parameter to the document",
        ru: "в ссылке на следующую страницу, \(path: url), есть секрет, который не задан "
          + "параметром в документе набора; добавьте такой параметр в документ")
    case .unreadable(let link):
      Message(
        en: "cannot read the Link header \(quoted: link), so more pages may exist",
        ru: "не удалось разобрать заголовок Link \(quoted: link), и неизвестно, есть ли ещё "
          + "страницы",
        .report)
    case .tooMany(let limit):
      Message(
        en: "the list has more than \(count: limit, "page", "pages"); raise 'most' in the feed's "
          + "document, or search for a part",
        ru: "в списке слишком много страниц (предел — \(limit)); увеличьте most в документе набора "
          + "или найдите часть списка")
    case .same:
      Message(
        en: "this page is the same as the one next to it; check 'pages' in the feed's document",
        ru: "эта страница совпадает с соседней; проверьте pages в документе набора")
    case .unlinked(let total):
      Message(
        en: "the link to the next page is missing, although the server reports "
          + "\(count: total, "row", "rows")",
        ru: "нет ссылки на следующую страницу, хотя по данным сервера строк \(total)", .report)
    case .pageSize(let rows):
      Message(
        en: "rows would be lost or repeated, the server sends \(count: rows, "row", "rows") per "
          + "page; set 'size: \(rows)' in the feed's document",
        ru: "строки пропали бы или повторились: сервер отдаёт строк на страницу — \(rows); "
          + "задайте size: \(rows) в документе набора")
    case .unfinished:
      Message(
        en: "the list is incomplete; run it again without --resume",
        ru: "список прочитан не до конца; запустите ещё раз без --resume")
    }
  }
}

extension RequestName {
  /// The name of a request, or nil if there is only one.
  var text: Text? {
    switch self {
    case .document: nil
    case .named(let name): .shown(name)
    case .page(let number): Text(en: "page \(number)", ru: "страница \(number)")
    case .item(let name): .shown(name)
    }
  }
}

extension RequestsFault {
  /// Returns the first error, the other missing requests, and how to continue, in one line.
  func text(readAs feed: String?) -> Text {
    let line = first.line(of: name, message.text(readAs: feed))
    guard !notes.isEmpty else { return line }
    let notes = Text.joined(notes, by: ". ")
    return Text(en: "\(line) (\(notes))", ru: "\(line) (\(notes))")
  }

  /// The first error. The kind of some requests says more about it than the answer.
  private var message: Message {
    if case .normalize(.tooManyRejects(let rejected, let judged, let limit)) = first.fault {
      return .tooManyInAnswer(rejected, of: judged, limit)
    }
    guard case .source(.status(let status, let url, _)) = first.fault else {
      return first.fault.message
    }
    if let variable = variables.first {
      return SourceFault.answer(
        status, url,
        Text(en: "is \(variable) correct?", ru: "правильно ли задан \(variable)?"))
    }
    guard case .item(let item) = name, status == 404 else { return first.fault.message }
    guard let search else {
      return SourceFault.answer(
        status, url, Text(en: "check the spelling", ru: "проверьте написание"))
    }
    let command = search.command(item)
    return SourceFault.answer(
      status, url,
      Text(
        en: "check the spelling: \(command)", ru: "проверьте написание: \(command)"))
  }

  /// The other missing requests, and how to continue.
  private var notes: [Text] {
    var notes = isPublished ? standIns : []
    let others = isPublished ? [] : missing.filter { $0 != name }.compactMap(\.text)
    if !others.isEmpty {
      notes.append(
        Text(en: "also missing: \(some: others)", ru: "не получены также: \(some: others)"))
    }
    switch remedy {
    case .resume where kept == 0: break
    case .resume:
      notes.append(
        Text(
          en: "\(count: kept, "answer is", "answers are") kept, --resume continues from there",
          ru: "сохранено ответов: \(kept), продолжить с этого места — --resume"))
    case .again:
      notes.append(
        Text(
          en: "run it again: only the missing parts are requested",
          ru: "запустите ещё раз: будет запрошено только недостающее"))
    }
    return notes
  }

  /// The content that is published in place of the missing parts.
  private var standIns: [Text] {
    let old = missing.compactMap { name -> Text? in
      guard let age = ages[name], let text = name.text else { return nil }
      return Text(en: "\(text), \(age: age)", ru: "\(text), \(age: age)")
    }
    let absent = missing.filter { ages[$0] == nil }.compactMap(\.text)
    var parts: [Text] = []
    if !old.isEmpty {
      parts.append(
        Text(
          en: "published with earlier rows: \(some: old, by: "; ")",
          ru: "опубликованы прежние строки: \(some: old, by: "; ")"))
    }
    if !absent.isEmpty {
      parts.append(
        Text(en: "published without: \(some: absent)", ru: "опубликовано без: \(some: absent)"))
    }
    return parts
  }
}

extension RequestsFault.Search {
  /// Returns the command that searches for a name, to be pasted.
  fileprivate func command(_ name: String) -> String {
    var words = ["sluice", "cities", "search", shellWord(name)]
    if needsDocument { words += ["--feed", "FILE"] }
    if let mirror { words += ["--mirror", shellWord(mirror)] }
    return words.joined(separator: " ")
  }
}

extension Sentence.StringInterpolation {
  /// An age, in the largest unit that is precise enough.
  fileprivate mutating func appendInterpolation(age seconds: Int) {
    let text =
      switch seconds {
      case ..<7200: Text(en: "\(seconds / 60) min old", ru: "\(seconds / 60) мин назад")
      case ..<172_800: Text(en: "\(seconds / 3600) h old", ru: "\(seconds / 3600) ч назад")
      default: Text(en: "\(seconds / 86_400) d old", ru: "\(seconds / 86_400) дн. назад")
      }
    appendInterpolation(text)
  }

  /// The first of some names. A few show which kind of thing is missing.
  fileprivate mutating func appendInterpolation(some texts: [Text], by separator: String = ", ") {
    let limit = 12
    appendInterpolation(.joined(texts.prefix(limit), by: separator))
    if texts.count > limit { appendInterpolation(Text(en: " and others", ru: " и другие")) }
  }
}

extension Text {
  /// Says that a part of a list may be missing.
  package static func doubtful(_ doubt: ListDoubt) -> Text {
    switch doubt {
    case .changed(let first, let last):
      Text(
        en: "the list changed while it was read, from \(first) to \(last) rows: some may be "
          + "missing or repeated; run it again",
        ru: "список изменился во время чтения, было строк \(first), стало \(last): какие-то могут "
          + "отсутствовать или повторяться; запустите ещё раз")
    case .count(let said, let came):
      Text(
        en: "the server reports \(count: said, "row", "rows") and sends \(came): some may be "
          + "missing or repeated; tell the publisher of the data",
        ru: "по данным сервера строк \(said), а пришло \(came): какие-то могут отсутствовать "
          + "или повторяться; сообщите издателю данных")
    }
  }

  /// Says that a run could not resume an earlier one.
  package static func begunAnew(_ outdated: Int) -> Text {
    Text(
      en: "--resume: \(count: outdated, "kept answer is", "kept answers are") too old to resume; "
        + "started over",
      ru: "--resume: сохранённые ответы слишком старые, чтобы продолжать (ответов: \(outdated)); "
        + "всё запрошено заново")
  }

  /// Says that the environment lacks variables that requests need.
  package static func notSet(_ names: [String], feed: String) -> Text {
    let list = names.joined(separator: ", ")
    return Text(
      en: "requests of the feed \(feed) need \(list), not set in the environment; a file as INPUT "
        + "needs no requests",
      ru: "набору \(feed) для запросов нужны переменные окружения \(list), они не заданы; для "
        + "файла вместо адреса не требуются")
  }
}
