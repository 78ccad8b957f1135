import Sluice

/// How a feed's own requests are asked: of use only where there are such.
struct RequestOptions {
  private let arguments: Arguments

  /// Reads the options.
  init(_ arguments: Arguments) { self.arguments = arguments }

  /// The input that the operand INPUT names for a feed.
  func input(_ operand: String?, of feed: Feed) throws(UsageError) -> Input {
    guard let requests = feed.requests else {
      try refuse { _ in .noRequests(feed: feed.name) }
      return try Input(operand, of: feed)
    }
    let input = try Input(operand) { (mirror) throws(UsageError) in
      RequestInput(
        state: try StatePath.chosen(arguments[.state]), mirror: mirror,
        search: try term(requests, feed), resumes: arguments.has(.resume))
    }
    if case .requests = input { return input }
    try refuse { .noRequestToFile($0) }
    return input
  }

  private func term(_ requests: FeedRequests, _ feed: Feed) throws(UsageError) -> String? {
    guard let term = arguments[.search] else { return nil }
    guard let search = requests.search else { throw .noSearch(feed: feed.name) }
    let text = term.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard text.count >= search.least else { throw .shortSearch(term, least: search.least) }
    return text
  }

  private func refuse(_ error: (String) -> UsageError) throws(UsageError) {
    for option in [OptionName.search, .resume] where arguments.has(option) {
      // Set for all feeds, it may well be of no use for some.
      guard arguments.options.contains(where: { $0.row.name == option && $0.origin == .flag })
      else { continue }
      throw error(option.spelled)
    }
  }
}
