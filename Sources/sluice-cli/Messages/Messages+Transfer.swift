import Sluice

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
