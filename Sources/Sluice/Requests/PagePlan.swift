/// Makes the requests for the pages of a list.
struct PagePlan: Sendable {
  let base: String
  let paging: FeedRequests.Paging
  let maker: RequestURLMaker
  /// The parameters of every page besides: the term that is searched for.
  let more: [(name: String, value: String)]
  /// All rows are in the elements of one list: these can be counted.
  var countsElements = true

  /// Every page is linked to by the one before.
  var isLinked: Bool { paging.way == .link }

  /// The file of a page: their names sort as they do.
  static func file(_ number: Int) -> String {
    let digits = String(number)
    return "page-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
  }

  /// The number of a page by its file's name; nil where it is another's.
  static func number(_ file: String) -> Int? {
    guard file.hasPrefix("page-"), let number = Int(file.dropFirst(5)), number > 0,
      self.file(number) == file
    else { return nil }
    return number
  }

  /// The request for a page, counted from 1, that begins behind so many rows; `link` is what the page
  /// before says of it, which counts where pages are linked.
  func request(_ number: Int, from start: Int, link: String?) -> PlannedRequest {
    PlannedRequest(name: .page(number), file: Self.file(number), url: url(number, start, link))
  }

  private func url(_ number: Int, _ start: Int, _ link: String?) -> RequestURL {
    if isLinked, let link { return linked(link) }
    var parameters: [(name: String, value: String)] = []
    switch paging.way {
    case .page(let parameter, let first): parameters = [(parameter, "\(first + number - 1)")]
    case .offset(let parameter, let first):
      parameters = [(parameter, "\(first + start)")]
    case .link: break
    }
    if let parameter = paging.sizeParameter { parameters.append((parameter, "\(paging.size)")) }
    return maker.url(base, more: parameters + more)
  }

  /// The URL that a link leads to, with the secrets that are not kept in it.
  private func linked(_ link: String) -> RequestURL {
    var text = link
    // A server has no userinfo to give; what the caller gave is for all of its pages.
    let own = maker.placed(base)
    if let start = own.firstPlace(of: "://")?.upperBound,
      let at = own[start...].prefix(while: { $0 != "/" && $0 != "?" }).lastIndex(of: "@"),
      let host = text.firstPlace(of: "://")?.upperBound
    {
      text.insert(contentsOf: own[start...at], at: host)
    }
    var url = RequestURL(text, hiding: maker.secrets)
    for parameter in maker.parameters where !parameter.value.variables.isEmpty {
      maker.add(parameter, [:], to: &url)
    }
    return url
  }

  /// Whether a link leads to the first page.
  func isFirst(_ link: String) -> Bool { linked(link) == url(1, 0, nil) }

  /// Whether a link leads to the server that the list is on.
  func isOwn(_ link: String) -> Bool {
    do throws(PipelineError) {
      return try HTTPAddress(link).hasSameOrigin(as: HTTPAddress(maker.placed(base)))
    } catch {
      return false
    }
  }
}
