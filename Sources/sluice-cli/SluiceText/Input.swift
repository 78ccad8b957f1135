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

extension SourceFault {
  /// What is wrong between here and a server's complete answer, and what to do.
  var transferText: Text {
    switch self {
    case .unresolved(let detail):
      Text(en: "the host's name cannot be resolved", ru: "не удалось найти адрес сервера по имени")
        + .detail(detail)
        + Text(
          en: "; check the URL and the network", ru: "; проверьте адрес и подключение к сети")
    case .unconnected(let detail):
      Text(en: "cannot connect to the server", ru: "не удалось соединиться с сервером")
        + .detail(detail)
        + Text(
          en: "; try again later, or check network and proxy",
          ru: "; повторите попытку позже или проверьте сеть и прокси")
    case .connectTimeout(let seconds, let detail):
      Text(en: "no connection within ", ru: "соединение не установлено за ") + .seconds(seconds)
        + .detail(detail) + .tryLater
    case .certificate(let detail):
      Text(en: "the server's certificate is not accepted", ru: "сертификат сервера не принят")
        + .detail(detail)
        + Text(
          en: "; if you trust the server, give the certificate of its issuer: --cacert FILE",
          ru:
            "; если серверу можно доверять, укажите сертификат его удостоверяющего центра: --cacert FILE"
        )
    case .tls(let detail):
      Text(
        en: "no secure connection by TLS", ru: "не удалось установить защищённое соединение по TLS")
        + .detail(detail)
        + Text(
          en: "; try again later, or from another network",
          ru: "; повторите попытку позже или из другой сети")
    case .status(let status, let url, let retryAfter):
      SourceFault.answer(status, url) + SourceFault.remedy(status, retryAfter)
    case .contentEncoding(let encoding):
      Text(en: "the server packed its answer with ", ru: "сервер сжал ответ способом ")
        + .quoted(encoding) + Text(en: ", unasked", ru: ", хотя его об этом не просили")
        + .downloadYourself
    case .headersTooLarge(let limit):
      Text(
        en: "the headers of the answer exceed \(Text.size(limit).en); check the URL",
        ru: "заголовки ответа больше предела (\(Text.size(limit).ru)); проверьте адрес")
    case .bodyTooLarge(let limit, let expected):
      SourceFault.tooLarge(.size(limit), expected.map(Text.size)) + .downloadYourself
    case .cut(let received, let expected, let detail):
      Text(en: "the connection broke off after ", ru: "соединение прервалось, получено ")
        + .progress(received, of: expected) + .detail(detail) + .tryLater
    case .tooSlow(let least, let seconds, let received, let expected):
      SourceFault.tooSlow(
        .size(least), .seconds(seconds), .progress(received, of: expected)) + .tryLater
    case .tooLong(let seconds, let received, let expected):
      Text(
        en: "the transfer did not end within \(Text.seconds(seconds).en): received ",
        ru: "передача не закончилась за \(Text.seconds(seconds).ru): получено ")
        + .progress(received, of: expected)
        + Text(
          en: "; try again later, or over a faster connection",
          ru: "; повторите попытку позже или через более быстрое соединение")
    case .redirect(let url, let refusal):
      refusal.text(url: .path(url))
    case .transfer(let code, let detail):
      Text(
        en: "the transfer failed with libcurl's code \(code)",
        ru: "передача не удалась, код libcurl — \(code)") + .detail(detail) + .tryLater
    case .empty, .unknownForm, .notJSON, .paging, .nothingToAsk, .noFile, .folder, .unreadable,
      .invalidURL, .certificateFile, .read, .changed, .tooLargeToKeep, .spool, .refused,
      .libraryMissing:
      // These have their texts in ``text``.
      .verbatim("")
    }
  }

  private static func tooLarge(_ limit: Text, _ expected: Text?) -> Text {
    let announced =
      expected.map { Text(en: " (it announces \($0.en))", ru: ", объявлено \($0.ru)") }
      ?? .verbatim("")
    return Text(
      en: "the answer exceeds \(limit.en)\(announced.en)",
      ru: "ответ больше предела (\(limit.ru))\(announced.ru)")
  }

  private static func tooSlow(_ least: Text, _ time: Text, _ progress: Text) -> Text {
    Text(
      en: "less than \(least.en) a second came for \(time.en): received \(progress.en)",
      ru: "\(time.ru) данные шли медленнее чем \(least.ru) в секунду: получено \(progress.ru)")
  }

  /// What to do about a status of HTTP (RFC 9110, section 15).
  /// What a server has answered.
  static func answer(_ status: Int, _ url: String) -> Text {
    Text(en: "the server answers \(status) for ", ru: "сервер ответил кодом \(status) на запрос ")
      + .path(url)
  }

  private static func remedy(_ status: Int, _ retryAfter: Int?) -> Text {
    if let retryAfter {
      return Text(en: "; try again in ", ru: "; повторите попытку через ") + .seconds(retryAfter)
    }
    return switch status {
    case 401, 407:
      Text(
        en: "; it wants a name and a password: http://USER:PASSWORD@HOST/…",
        ru: "; нужны имя и пароль: http://USER:PASSWORD@HOST/…")
    case 403, 451:
      Text(
        en: "; it refuses access: try from another network",
        ru: "; доступ закрыт: попробуйте из другой сети")
    case 404, 410:
      Text(
        en: "; check the URL: it may have changed",
        ru: "; проверьте адрес: возможно, он изменился")
    case 408, 425, 429, 500...599:
      .tryLater
    default:
      Text(en: "; check the URL", ru: "; проверьте адрес")
    }
  }
}

extension RedirectRefusal {
  /// Why the redirect to `url` is not followed, and what to do.
  func text(url: Text) -> Text {
    switch self {
    case .tooMany(let limit):
      Text(
        en: "more than \(limit) \(plural(limit, "redirect", "redirects")), the last to \(url.en)"
          + "; check the URL",
        ru: "слишком много перенаправлений (предел — \(limit)), последнее — на \(url.ru)"
          + "; проверьте адрес")
    case .scheme(let scheme):
      Text(
        en: "the server redirects to \(url.en), and \(Text.quoted(scheme).en) is neither http "
          + "nor https; check the URL",
        ru: "сервер перенаправляет на \(url.ru), а \(Text.quoted(scheme).ru) — не http и не https"
          + "; проверьте адрес")
    case .downgrade:
      Text(
        en: "the server redirects from https to \(url.en), which is not protected"
          + "; if you trust that address, give it as INPUT",
        ru: "сервер перенаправляет с https на незащищённый адрес \(url.ru)"
          + "; если ему можно доверять, укажите его сами")
    case .internalAddress(let address):
      Text(
        en: "the server redirects to \(url.en), into an inner network "
          + "(\(escaped(address))); if you trust that address, give it as INPUT",
        ru: "сервер перенаправляет на \(url.ru), во внутреннюю сеть "
          + "(\(escaped(address))); если этому адресу можно доверять, укажите его сами")
    case .malformed:
      Text(
        en: "the server redirects to \(url.en), which is not a valid URL; try again later",
        ru: "сервер перенаправляет на неправильный адрес \(url.ru); повторите попытку позже")
    }
  }
}

extension RequestName {
  /// What a request is called; nil where there is only one.
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
  /// What went wrong first, what else is missing, and how to go on: one line.
  var text: Text { first.text(of: name, what) + rest }

  /// What went wrong, where the request says more of it than the answer.
  private var what: Text? {
    if case .normalize(.tooManyRejects(let rejected, let judged, let limit)) = first.fault {
      return FeedFault.tooManyInAnswer(rejected, of: judged, limit.shown)
    }
    guard case .source(.status(let status, let url, _)) = first.fault else { return nil }
    if let variable = variables.first {
      return SourceFault.answer(status, url)
        + Text(en: "; is \(variable) right?", ru: "; правильно ли задан \(variable)?")
    }
    guard case .item(let item) = name, status == 404 else { return nil }
    return SourceFault.answer(status, url)
      + Text(en: "; is it spelled right?", ru: "; верно ли написано?")
      + .verbatim(search.map { " " + $0.command(item) } ?? "")
  }

  /// What else is missing, and how to go on, in brackets behind what went wrong first; nothing where
  /// there is nothing to be said.
  private var rest: Text {
    var parts = isPublished ? standIns : []
    let others = isPublished ? [] : missing.filter { $0 != name }.compactMap(\.text)
    if !others.isEmpty {
      parts.append(Text(en: "missing too: ", ru: "нет и других: ") + .joined(others))
    }
    switch remedy {
    case .resume where kept == 0: break
    case .resume:
      parts.append(
        Text(
          en:
            "\(kept) \(plural(kept, "answer is", "answers are")) kept, --resume goes on from there",
          ru: "сохранено ответов: \(kept), продолжить с этого места — --resume"))
    case .again:
      parts.append(
        Text(
          en: "run it again: only what is missing is asked for",
          ru: "запустите ещё раз: будет запрошено только недостающее"))
    }
    guard let first = parts.first else { return .verbatim("") }
    return parts.dropFirst().reduce(.verbatim(" (") + first) { $0 + .verbatim(". ") + $1 }
      + .verbatim(")")
  }

  /// What is published in place of what is missing.
  private var standIns: [Text] {
    let old = missing.compactMap { name in
      ages[name].flatMap { age in name.text.map { $0 + .verbatim(", ") + Text.age(age) } }
    }
    let absent = missing.filter { ages[$0] == nil }.compactMap(\.text)
    var parts: [Text] = []
    if !old.isEmpty {
      parts.append(
        Text(en: "published with their last rows: ", ru: "опубликованы прежние строки: ")
          + .joined(old, by: "; "))
    }
    if !absent.isEmpty {
      parts.append(Text(en: "published without: ", ru: "опубликовано без: ") + .joined(absent))
    }
    return parts
  }
}

extension RequestsFault.Search {
  /// The command that searches for a name, to be pasted.
  fileprivate func command(_ name: String) -> String {
    var words = ["sluice", "cities", "search", shellWord(name)]
    if needsDocument { words += ["--feed", "FILE"] }
    if let mirror { words += ["--mirror", shellWord(mirror)] }
    return words.joined(separator: " ")
  }
}

extension Text {
  /// How old something is, in the largest unit that says enough.
  fileprivate static func age(_ seconds: Int) -> Text {
    switch seconds {
    case ..<7200: Text(en: "\(seconds / 60) min old", ru: "\(seconds / 60) мин назад")
    case ..<172_800: Text(en: "\(seconds / 3600) h old", ru: "\(seconds / 3600) ч назад")
    default: Text(en: "\(seconds / 86_400) d old", ru: "\(seconds / 86_400) дн. назад")
    }
  }

  /// The first of some names: one line is enough to say what kind of thing is missing.
  fileprivate static func joined(_ texts: [Text], by separator: String = ", ", limit: Int = 12)
    -> Text
  {
    let more = texts.count > limit ? Text(en: " and others", ru: " и другие") : .verbatim("")
    let shown = texts.prefix(limit)
    return Text(
      en: shown.map(\.en).joined(separator: separator),
      ru: shown.map(\.ru).joined(separator: separator)) + more
  }
}

extension PagingFault {
  /// What is wrong, and what to do.
  var text: Text {
    switch self {
    case .elsewhere(let url):
      Text(en: "the next page is said to be at ", ru: "следующая страница указана по адресу ")
        + .path(url)
        + Text(
          en: ", on another server; tell the publisher of the data",
          ru: ", на другом сервере; сообщите издателю данных")
    case .repeated(let url):
      Text(en: "the next page is said to be at ", ru: "следующая страница указана по адресу ")
        + .path(url)
        + Text(
          en: ", which was there before; tell the publisher of the data",
          ru: ", который уже был; сообщите издателю данных")
    case .secret(let url):
      Text(en: "the next page is said to be at ", ru: "следующая страница указана по адресу ")
        + .path(url)
        + Text(
          en: ", with a secret in it that no parameter in the feed's document puts there; add that "
            + "parameter to the document",
          ru: ", и в нём секрет, который не задан параметром в документе набора; добавьте такой "
            + "параметр в документ")
    case .unreadable(let link):
      Text(en: "the Link header cannot be read: ", ru: "заголовок Link не разобрать: ")
        + .quoted(link)
        + Text(
          en: ", so that nobody knows whether the list goes on; tell the publisher of the data",
          ru: ", поэтому неизвестно, продолжается ли список; сообщите издателю данных")
    case .tooMany(let limit):
      Text(
        en:
          "the list goes on after \(limit) \(plural(limit, "page", "pages")); raise 'most' in the "
          + "feed's document, or search for a part",
        ru: "список не кончился, предел страниц — \(limit); увеличьте most в документе набора или "
          + "найдите часть списка")
    case .same:
      Text(
        en:
          "this page is the same as the one beside it; check what tells pages apart in the feed's "
          + "document",
        ru: "эта страница совпадает с соседней; проверьте в документе набора, чем страницы "
          + "различаются")
    case .unlinked(let total):
      Text(
        en:
          "the link to the next page is missing, although the server tells \(total) "
          + "\(plural(total, "row", "rows")); tell the publisher of the data",
        ru: "нет ссылки на следующую страницу, хотя по словам сервера строк \(total); сообщите "
          + "издателю данных")
    case .pageSize(let rows):
      Text(
        en:
          "rows would be missing or stand there twice: the server gives \(rows) \(plural(rows, "row", "rows")) a "
          + "page; set 'size: \(rows)' in the feed's document",
        ru: "строки пропали бы или повторились: сервер даёт строк на страницу — \(rows); задайте "
          + "size: \(rows) в документе набора")
    case .unfinished:
      Text(
        en: "the list has not come to its end; run it again without --resume",
        ru: "список не дочитан до конца; запустите ещё раз без --resume")
    }
  }
}

extension Text {
  /// Says that some of a list may be missing.
  static func doubtful(_ doubt: ListDoubt) -> Text {
    switch doubt {
    case .changed(let first, let last):
      Text(
        en:
          "the list changed while it was read, from \(first) to \(last) rows: some may be missing "
          + "or stand there twice; run it again",
        ru: "список изменился во время чтения, было строк \(first), стало \(last): каких-то может "
          + "не хватать, а какие-то — повторяться; запустите ещё раз")
    case .count(let said, let came):
      Text(
        en:
          "the server tells \(said) \(plural(said, "row", "rows")) and gives \(came): some may be "
          + "missing or stand there twice; tell the publisher of the data",
        ru: "по словам сервера строк \(said), а пришло \(came): каких-то может не хватать, а "
          + "какие-то — повторяться; сообщите издателю данных")
    }
  }

  /// Says that a run could not go on where another broke off.
  static func begunAnew(_ outdated: Int) -> Text {
    Text(
      en: "--resume: what is kept is too old to go on with (\(outdated) "
        + "\(plural(outdated, "answer", "answers"))); all was asked anew",
      ru: "--resume: сохранённое слишком старо, чтобы продолжать (ответов: \(outdated)); всё "
        + "запрошено заново")
  }
}
