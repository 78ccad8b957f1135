import Sluice
import SluiceSync
import SluiceText

/// The options about the input, which `convert`, `sync` and `inspect` share.
struct ReadingOptions: Equatable, Sendable {
  var feed: Feed
  /// Whether an input is given without its feed.
  private var isFeedAssumed: Bool
  var input: Input
  /// Further inputs, and whether broken ones are left out. For `convert` only.
  var moreInputs: [Input] = []
  var skipsBroken = false
  /// The number of threads that read them, or nil for what the processors are worth.
  var threads: Int?
  /// Where the names of inputs have a day. For `convert` only.
  var inputDates: InputDatePattern?
  /// The entry of the archive to read, if there are several.
  var entry: String?
  /// The largest inflated size in bytes, or nil for the usual one.
  var maxSize: Int?
  /// A file of certificates to trust in addition to the system's.
  var cacert: String?
  /// Header lines for requests to a URL.
  var headers: [String]
  /// The variables that the feed's document may send.
  var variables: OpenVariables
  var verbosity: Verbosity
  var isProgressAllowed: Bool

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    feed = try Feed.known(as: arguments[.feed] ?? Feed.names[0])
    isFeedAssumed = arguments.operand != nil && arguments[.feed] == nil
    input = try RequestOptions(arguments).input(arguments.operand, of: feed)
    entry = arguments[.entry]
    maxSize = try arguments.value(.maxSize, byteCount)
    cacert = arguments[.cacert]
    headers = []
    for text in arguments.all(.header) {
      guard let line = HeaderLine(text) else { throw .badValue(.header, value: text) }
      headers.append(line.text)
    }
    variables = try OpenVariables(arguments)
    // Of -q and -v the last one counts, so that an option in an alias can be overruled.
    verbosity = arguments.options.reduce(.normal) { verbosity, given in
      switch given.option.name {
      case .quiet: .quiet
      case .verbose: .verbose
      default: verbosity
      }
    }
    isProgressAllowed = verbosity != .quiet && !arguments.has(.noProgress)
  }
}

/// The options about a feed's own requests. Other feeds take none of them.
private struct RequestOptions {
  private let arguments: Arguments

  /// Reads the options.
  init(_ arguments: Arguments) { self.arguments = arguments }

  /// Returns the input of a feed that the operand INPUT names.
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
      // An option that is set for all feeds has no effect for some of them.
      guard arguments.options.contains(where: { $0.option.name == option && $0.origin == .flag })
      else { continue }
      throw error(option.spelled)
    }
  }
}

extension ReadingOptions {
  /// Reads the options of a command that takes several inputs.
  init(ofSeveral arguments: Arguments) throws(UsageError) {
    let names = try InputNames(arguments)?.names ?? arguments.operand.map { [$0] } ?? []
    try self.init(arguments.with(operand: names.first))
    if let text = arguments[.inputDate] {
      guard let pattern = InputDatePattern(text) else { throw .inputs(.badPattern(text)) }
      // The entries of archives have the days then.
      let hasEntries = entry.flatMap(EntryPattern.init) != nil
      for name in names where !hasEntries && pattern.day(in: name) == nil {
        throw .inputs(.noDate(name, pattern: text))
      }
      inputDates = pattern
    }
    if arguments.has(.withInput) {
      let columns = feed.tables.flatMap(\.columns).map(\.name)
      if let name = Feed.inputColumns.first(where: columns.contains) {
        throw .inputs(.columnTaken(name))
      }
      feed.addInputColumns()
    }
    for name in names.dropFirst() { moreInputs.append(try Input(name)) }
    skipsBroken = try arguments.choice(.onError, of: BrokenInputs.self) == .skip
    threads = try arguments.value(.threads, positiveCount)
    guard names.count > 1 else { return }
    if ([input] + moreInputs).contains(.standardInput) {
      throw .inputs(.standardInputAmongOthers)
    }
    if case .requests = input { throw .inputs(.serverAmongOthers(feed: feed.name)) }
  }
}

extension Feed {
  /// The variables of the environment that requests to the feed's server need.
  private var variables: [String] {
    headers.flatMap(\.variables) + (requests?.variables ?? [])
  }

  /// Those variables that are not set. A file that cannot be read is one.
  var unsetVariables: [String] {
    var seen: Set<String> = []
    return variables.filter {
      seen.insert($0).inserted && (try? OpenVariables.value($0)) == nil
    }
  }
}

extension ReadingOptions {
  /// The header lines of requests: those that were typed or set, and the feed's own if its own
  /// server is used. The environment's values are not sent to other servers.
  private var headerLines: [String] {
    get throws(UsageError) {
      guard isOwnServer else { return headers }
      var lines = headers
      for header in feed.headers {
        // Typed values win: another value of the header, or a password in the URL.
        let name = header.name.lowercased()
        if headers.contains(where: { $0.lowercased().hasPrefix(name + ":") }) { continue }
        if name == "authorization", hasPassword { continue }
        let values = try self.values(header.variables)
        var missing: String?
        let line = header.line({ values[$0] }, missing: &missing)
        guard let line else { throw .noVariable(missing ?? "", feed: feed.name) }
        guard let checked = HeaderLine(line) else {
          throw .badFeedHeader(header.name, feed: feed.name)
        }
        lines.append(checked.text)
      }
      return lines
    }
  }

  private var hasPassword: Bool {
    if case .url(let url) = input { URLParts(url)?.userinfo != nil } else { false }
  }

  /// Whether the feed's own server is used, or a mirror instead of it.
  private var isOwnServer: Bool {
    switch input {
    case .requests: true
    case .url(let url):
      feed.url.flatMap { HTTPOrigin($0) }.map { $0 == HTTPOrigin(url) } ?? false
    case .file, .standardInput, .bytes: false
    }
  }

  /// The input, with the environment's values of the feed's variables.
  private var inputWithSecrets: Input {
    get throws(UsageError) {
      guard case .requests(var asked) = input, let requests = feed.requests else { return input }
      // A typed header line does not need the feed's variable.
      let values = variables.hidden(of: feed).merging(try values(requests.variables)) { $1 }
      asked.secrets = RequestSecrets(values)
      return .requests(asked)
    }
  }

  /// Returns the values of variables that are sent to the feed's server, by their names.
  private func values(_ names: [String]) throws(UsageError) -> [String: String] {
    var mirror: String?
    if case .requests(let asked) = input { mirror = asked.mirror }
    // A document with variables has all its URLs on one server.
    let own = feed.url ?? feed.requests?.urls.first ?? ""
    return try variables.values(
      names, of: feed, to: OpenVariables.Server(own: own, mirror: mirror))
  }
}

extension ReadingOptions {
  /// Returns an error's text. It names the feed if the feed was assumed.
  func text(of error: PipelineError) -> Text {
    isFeedAssumed ? error.text(readAs: feed.name) : error.text
  }

  /// Returns the conversion of these options. An offline one sends no requests and needs no
  /// secrets.
  func conversion(isOffline: Bool = false) throws(UsageError) -> Conversion {
    var conversion = Conversion(of: isOffline ? input : try inputWithSecrets, as: feed)
    conversion.moreInputs = moreInputs
    conversion.skipsBrokenInputs = skipsBroken
    conversion.threads = threads
    conversion.inputDates = inputDates
    conversion.entry = entry
    if let maxSize { conversion.maxSize = maxSize }
    conversion.certificateFile = cacert
    if !isOffline { conversion.headers = try headerLines }
    return conversion
  }
}
