import Sluice

/// Lays out what a feed asks for, for people.
enum RequestReport {
  /// The report, in lines.
  static func lines(of requests: FeedRequests, _ language: Language) -> [String] {
    var lines: [String] = []
    func add(_ label: Text, _ value: Text) {
      lines.append("\(label[language]): \(value[language])")
    }
    switch requests.plan {
    case .one(let url): add(.verbatim("URL"), .verbatim(url))
    case .named(let named):
      for one in named { add(.verbatim("URL \(one.name)"), .verbatim(one.url)) }
    case .items: break
    case .pages(let url, let paging):
      add(.verbatim("URL"), .verbatim(url))
      add(Text(en: "pages", ru: "страницы"), text(of: paging))
    }
    if case .items(let url, let list) = requests.plan {
      add(.verbatim("URL"), .verbatim(url))
      add(
        Text(en: "one for each of", ru: "по одному на каждый из"),
        .verbatim(list.name)
          + Text(en: ", at first: ", ru: ", поначалу: ")
          + .verbatim(list.start.joined(separator: ", ")))
      add(Text(en: "published", ru: "публикуется"), requests.publication.meaning)
    }
    if !requests.parameters.isEmpty {
      let parameters = requests.parameters.map { "\($0.name) = \($0.value.written)" }
      add(
        Text(en: "parameters", ru: "параметры запроса"),
        .verbatim(parameters.joined(separator: ", ")))
    }
    if let status = requests.status {
      add(Text(en: "status", ru: "статус"), .verbatim("\(status.path) = \(status.value)"))
    }
    if let search = requests.search {
      add(
        Text(en: "search", ru: "поиск"),
        .verbatim("\(search.parameter)")
          + Text(
            en: ", from \(search.least) \(plural(search.least, "character", "characters")) on",
            ru: ", символов не меньше: \(search.least)"))
    }
    add(
      Text(en: "requests", ru: "запросы"),
      Text(
        en: "\(requests.atOnce) at once, \(requests.perSecond) a second, at most",
        ru: "одновременно не больше \(requests.atOnce), в секунду не больше "
          + "\(requests.perSecond)"))
    return lines
  }

  private static func text(of paging: FeedRequests.Paging) -> Text {
    let way =
      switch paging.way {
      case .page(let parameter, let first):
        Text(
          en: "\(parameter) counts pages from \(first)",
          ru: "\(parameter) — номер страницы, начиная с \(first)")
      case .offset(let parameter, let first):
        Text(
          en: "\(parameter) counts rows from \(first)",
          ru: "\(parameter) — номер строки, начиная с \(first)")
      case .link:
        Text(en: "each links to the next", ru: "каждая ссылается на следующую")
      }
    let size = paging.sizeParameter.map { "\($0) = \(paging.size)" } ?? "\(paging.size)"
    return way + Text(en: ", rows of a page: \(size)", ru: ", строк на странице: \(size)")
  }
}

extension FeedRequests.Publication {
  /// When outputs are published.
  fileprivate var meaning: Text {
    switch self {
    case .all: Text(en: "when all have been answered", ru: "когда получены все ответы")
    case .stale:
      Text(
        en: "also with the last rows of what could not be refreshed",
        ru: "и с прежними строками того, что не удалось обновить")
    }
  }
}
