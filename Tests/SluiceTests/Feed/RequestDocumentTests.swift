import Testing

@testable import Sluice
@testable import SluiceSync

/// What a feed asks for is read from its document, and what is wrong there is told with its place.
@Suite struct RequestDocumentTests {
  private func requests(_ text: String) throws(FeedDocumentFault) -> FeedRequests? {
    try OwnFeed.read(document(text)).requests
  }

  private func document(_ text: String) -> String {
    "feed: own\n\(text)\nrows: d[]\ncolumns: {a: a}"
  }

  private func fault(_ text: String) -> String { OwnFeed.fault(document(text)) }

  @Test func `a plain URL asks nothing else`() throws {
    let feed = try OwnFeed.read(document("url: https://h/"))
    #expect(feed.requests == nil && feed.url == "https://h/")
    #expect(try requests("max-age: 1h") == nil)
  }

  @Test func `several URLs, in their order`() throws {
    let requests = try #require(try requests("url: {b: https://h/b, a: http://g/a}"))
    #expect(
      requests.plan
        == .named([
          FeedRequests.Named(name: "b", url: "https://h/b"),
          FeedRequests.Named(name: "a", url: "http://g/a"),
        ]))
    #expect(requests.atOnce == 2 && requests.perSecond == 10 && !requests.isJoined)
  }

  @Test func `parameters, a status and politeness`() throws {
    let requests = try #require(
      try requests(
        "url: https://h/\nparameters: {k: $MY_KEY, n: 5, t: \"a b\"}\n"
          + "status: {path: cod, is: 200}\nrequests: {at-once: 1, per-second: 1}"))
    #expect(requests.plan == .one("https://h/"))
    #expect(requests.parameters.map(\.value.written) == ["$MY_KEY", "5", "a b"])
    #expect(requests.variables == ["MY_KEY"])
    #expect(requests.status == Envelope.Test(path: ["cod"], value: "200"))
    #expect(requests.atOnce == 1 && requests.perSecond == 1)
  }

  @Test func `pages by number, offset and link, 20 rows each unless said otherwise`() throws {
    func paging(_ text: String) throws -> FeedRequests.Paging? {
      guard case .pages(_, let paging) = try requests("url: https://h/\npages: \(text)")?.plan
      else {
        return nil
      }
      return paging
    }
    let page = try paging("{by: page, parameter: p}")
    #expect(page?.way == .page(parameter: "p", first: 1) && page?.size == 20)
    let offset = try paging("{by: offset, parameter: o, size: 50, size-parameter: n, most: 9}")
    #expect(offset?.way == .offset(parameter: "o", first: 0) && offset?.size == 50)
    #expect(offset?.sizeParameter == "n" && offset?.most == 9)
    #expect(try paging("{by: link}")?.way == .link)
    #expect(
      try paging("{by: page, parameter: p, first: 0}")?.way == .page(parameter: "p", first: 0))
  }

  @Test func `what is wrong is told with its place`() {
    let url = "url: https://h/\n"
    #expect(fault("pages: {by: link}") == "2:8 keyWants(\"pages\", other: \"url\")")
    #expect(fault("url: {}") == "2:6 noValue(\"url\")")
    #expect(fault("url: {\"a b\": https://h}").hasPrefix("2:7 badValue(\"a b\""))
    #expect(fault("url: {a: h}") == "2:10 badValue(\"h\", key: \"a\", Wanted.url)")
    #expect(
      fault("url: {a: https://h}\npages: {by: link}") == "3:8 keyBeside(\"pages\", other: \"url\")")
    #expect(
      fault("url: {a: https://h}\nsearch: {parameter: q}")
        == "3:9 keyBeside(\"search\", other: \"url\")")
    #expect(
      fault("url: {a: https://h}\nenvelope: {payload: a}")
        == "3:11 keyBeside(\"envelope\", other: \"url\")")
    let two = "url: {a: https://h/a, b: https://g/b}\n"
    #expect(fault(two + "headers: {X-Key: $KEY}") == "3:10 severalServers(\"headers\")")
    #expect(fault(two + "parameters: {k: a$KEY}") == "3:13 severalServers(\"parameters\")")
    #expect(fault(two + "parameters: {k: a}") == "")
    #expect(fault("url: {a: https://h/a, b: HTTPS://H?b}\nheaders: {X-Key: $KEY}") == "")
    #expect(
      fault(url + "pages: {parameter: p}") == "3:8 missingKey(\"by\", of: Optional(\"pages\"))")
    #expect(fault(url + "pages: {by: pag}").hasPrefix("3:13 notAChoice(\"pag\""))
    #expect(
      fault(url + "pages: {by: page}")
        == "3:8 missingKey(\"parameter\", of: Optional(\"pages\"))")
    #expect(
      fault(url + "pages: {by: link, parameter: p}")
        == "3:30 keyBeside(\"parameter\", other: \"by: link\")")
    #expect(
      fault(url + "pages: {by: link, size: 0}")
        == "3:25 badValue(\"0\", key: \"size\", Wanted.count(most: 100000))")
    #expect(
      fault(url + "requests: {at-once: 17}")
        == "3:21 badValue(\"17\", key: \"at-once\", Wanted.count(most: 16))")
    #expect(fault(url + "requests: {rate: 1}").hasPrefix("3:12 unknownKey(\"rate\""))
    #expect(fault(url + "parameters: {q: \"{city}\"}").hasPrefix("3:17 noSuchPlace(\"city\""))
    #expect(fault(url + "parameters: {q: \"{\"}").hasPrefix("3:17 badTemplate(key: \"q\""))
    #expect(fault(url + "search: {least: 4}").contains("missingKey(\"parameter\""))
    #expect(fault(url + "status: {path: \"a[]\", is: 1}").hasPrefix("3:16 badPath("))
  }

  @Test func `what is known of a request is known only of a list in pages`() {
    func fault(_ text: String, _ column: String) -> String {
      OwnFeed.fault("feed: own\n\(text)\nrows: d[]\ncolumns: {a: \(column)}")
    }
    let pages = "url: https://h/\npages: {by: link}"
    #expect(fault(pages, "$request.page") == "")
    #expect(fault(pages, "$request.answered") == "")
    #expect(fault(pages, "$request.city").hasPrefix("5:10 noSuchPlace(\"city\", key: \"a\""))
    #expect(fault("url: https://h/", "$request.page").hasPrefix("4:10 noSuchPlace("))
  }
}

/// The list that a feed asks for one by one is read from its document.
@Suite struct ItemDocumentTests {
  private static let head =
    "feed: own\nurl: https://h/\nparameters: {q: \"{city}\"}\nrows: d[]\ncolumns: {a: a}\n"

  private func fault(_ text: String, head: String = head) -> String {
    String(OwnFeed.fault(head + text).drop { $0 != " " }.dropFirst())
  }

  @Test func `everything that can be said of a list`() throws {
    let feed = try OwnFeed.read(
      Self.head + """
        items:
          list: cities
          as: city
          start: [" Минск  1", Москва]
          search:
            url: https://g/find
            parameters: {q: "{text}", key: $MY_KEY}
            rows: found[]
            add: "{name},{country}"
            show: "{local.ru}, {state}"
            least: 4
        publish: stale
        """)
    let list = try #require(feed.items)
    #expect(list.name == "cities" && list.item == "city" && list.start == ["Минск 1", "Москва"])
    let search = try #require(list.search)
    #expect(search.least == 4 && search.variables == ["MY_KEY"])
    #expect(search.rows == ["found", .each])
    #expect(search.columns == ["name", "country", "local.ru", "state"])
    #expect(search.feed(of: feed).fields[2].path == ["found", .each, "local", "ru"])
    let requests = try #require(feed.requests)
    #expect(requests.publication == .stale && requests.hasOwnAges && requests.isJoined)
    #expect(requests.known == ["city", "answered", "age"])
  }

  @Test(arguments: [
    ("items: {as: city}", #"missingKey("list", of: Optional("items"))"#),
    ("items: {list: cities}", #"missingKey("as", of: Optional("items"))"#),
    ("items: {list: My, as: city}", #"badValue("My", key: "list", Wanted.feedName)"#),
    ("items: {list: c, as: age}", #"duplicateColumn("age")"#),
    ("items: {list: c, as: town}", #"noSuchPlace("city", key: "q", places: ["town"])"#),
    ("items: {list: c, as: city, start: [a, A]}", #"duplicateItem("A")"#),
    (
      "items: {list: c, as: city, start: [\"a\", \" \"]}",
      #"badValue(" ", key: "start", Wanted.itemName)"#
    ),
    ("items: {list: c, as: city}\npages: {by: link}", #"keyBeside("items", other: "pages")"#),
    (
      "items: {list: c, as: city}\nsearch: {parameter: q}",
      #"keyBeside("search", other: "items")"#
    ),
    (
      "items: {list: c, as: city}\npublish: some",
      #"notAChoice("some", key: "publish", choices: ["all", "stale"])"#
    ),
    (
      "items: {list: c, as: city, search: {url: https://h/, rows: '[]', add: x}}",
      #"badTemplate(key: "add", TemplateFlaw.brace)"#
    ),
    (
      "items: {list: c, as: city, search: {url: https://h/, rows: '[]', add: '{x}'}}",
      #"keyWants("search", other: "{text}")"#
    ),
  ])
  func `what is wrong is told`(_ text: String, _ problem: String) {
    #expect(fault(text) == problem)
  }

  @Test func `a list without a place in a request would ask the same for all`() {
    let head = Self.head.replacing("parameters: {q: \"{city}\"}\n", with: "")
    #expect(
      fault("items: {list: c, as: city}", head: head) == #"keyWants("items", other: "{city}")"#)
    #expect(
      fault("publish: stale", head: head) == #"keyWants("publish", other: "items")"#)
  }

  @Test(arguments: [
    (["name": "Minsk", "country": "BY"], "Minsk,BY"), (["name": "Minsk"], "Minsk"),
    (["country": "BY"], "BY"), ([:], ""),
  ])
  func `a text that is missing drops out with what stands before it`(
    _ values: [String: String], _ filled: String
  ) throws {
    #expect(try #require(PlacedText("{name},{country}")).filled(values) == filled)
  }
}
