/// Reads how a feed document has its pages.
///
///     pages: {by: page, parameter: _page, first: 1, size-parameter: _limit, size: 20}
///     pages: {by: offset, parameter: start, size-parameter: count}
///     pages: {by: link, size-parameter: per_page}
enum DocumentPages {
  private enum By: String, CaseIterable {
    case page, offset, link
  }

  static let mostRows = 100_000
  static let mostPages = 1_000_000

  static func read(_ node: YAMLNode) throws(FeedDocumentFault) -> FeedRequests.Paging {
    let keys = ["by", "parameter", "first", "size", "size-parameter", "most"]
    let pages = try DocumentMapping(node, "pages", keys: keys)
    let by = try pages.choice("by", of: By.self)
    guard let by else {
      throw FeedDocumentFault(problem: .missingKey("by", of: "pages"), place: pages.place)
    }
    var paging = FeedRequests.Paging(way: .link)
    if by == .link {
      for key in ["parameter", "first"] {
        if let node = pages[key] { throw node.fault(.keyBeside(key, other: "by: link")) }
      }
    } else {
      let parameter = try pages.value("parameter").text("parameter")
      let first = try number(pages, "first", 0...mostPages)
      paging.way =
        by == .page
        ? .page(parameter: parameter, first: first ?? 1)
        : .offset(parameter: parameter, first: first ?? 0)
    }
    paging.size = try number(pages, "size", 1...mostRows) ?? paging.size
    paging.sizeParameter = try pages.text("size-parameter")
    paging.most = try number(pages, "most", 1...mostPages) ?? paging.most
    return paging
  }

  private static func number(
    _ mapping: DocumentMapping, _ key: String, _ range: ClosedRange<Int>
  ) throws(FeedDocumentFault) -> Int? {
    try mapping.value(key, .count(most: range.upperBound)) { DocumentValues.count($0, in: range) }
  }
}
