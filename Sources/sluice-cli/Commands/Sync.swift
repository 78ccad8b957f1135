import Sluice
import Synchronization

/// What `sync` is asked to do: a conversion, and how to go about it night after night.
struct SyncOptions: Equatable, Sendable {
  var convert: ConvertOptions
  /// In seconds; nil is the feed's.
  var maxAge: Int?
  /// In seconds; nil where a source that cannot be used is an error in any case.
  var staleOK: Int?
  var maxShrink: ShrinkLimit
  var accepts: Bool
  /// Nil is the clock's.
  var today: Day?
  /// Who hears how the run goes.
  var ping: Ping?

  /// Reads the options; there must be an output, and each must be a file.
  init(_ arguments: Arguments, operand: String?) throws(UsageError) {
    guard !arguments.all(.output).isEmpty else { throw .noFileToSync }
    convert = try ConvertOptions(arguments, operand: operand)
    let destinations = convert.outputs.map(\.destination) + [convert.changes].compactMap { $0 }
    if destinations.contains(.standardOutput) { throw .noFileToSync }
    maxAge = try arguments.value(.maxAge, seconds(in:))
    staleOK = try arguments.value(.staleOK, seconds(in:))
    maxShrink =
      try arguments.value(.maxShrink) { ShrinkLimit($0) } ?? convert.reading.feed.maxShrink
      ?? .standard
    accepts = arguments.has(.accept)
    today = try arguments.value(.today) { Day(iso: $0) }
    if let url = arguments[.ping] {
      // The URL is a secret, as it were a password.
      guard let ping = Ping(url) else { throw .badValue(.ping, value: Redaction.mark) }
      self.ping = ping
    }
  }
}

extension SyncOptions {
  /// Does what `sync` is asked to do, watched or not.
  func run(_ console: Console) -> ExitCode {
    guard let ping else { return run(console, nil).code }
    let watcher = Watcher(ping, certificateFile: convert.reading.cacert)
    var console = console
    console.transcript = Transcript()
    let (code, isBusy) = run(console, watcher)
    // Where another run is at work, the news is that one's to tell.
    if !isBusy {
      watcher.ended(code, console, isVerbose: convert.reading.verbosity == .verbose)
    }
    return code
  }

  /// Does it; tells besides whether another run was at work.
  private func run(_ console: Console, _ watcher: Watcher?) -> (code: ExitCode, isBusy: Bool) {
    do throws(UsageError) {
      var job = SyncJob(try convert.conversion, state: try StatePath.chosen(convert.state))
      if let maxAge { job.maxAge = maxAge }
      job.staleOK = staleOK
      job.maxShrink = maxShrink
      job.accepts = accepts
      job.today = today
      if let watcher { job.begun = { watcher.begun() } }
      let tally = job.conversion.tally
      let outcome = withProgress(
        on: console, isAllowed: convert.isProgressAllowed, read: { ProgressState(tally) }
      ) { [job] in
        Sluice.sync(job)
      }
      return (report(outcome, console), outcome.isBusy)
    } catch {
      console.error(error.text(command: .sync))
      return (.usage, false)
    }
  }

  private func report(_ outcome: SyncOutcome, _ console: Console) -> ExitCode {
    if let error = outcome.error, let since = outcome.standsSince {
      if convert.reading.verbosity != .quiet {
        console.warning(.lastGoodStands(since: since, because: error))
      }
      return convert.report(nil, outcome.statistics, console)
    }
    if let changes = outcome.changes, convert.reading.verbosity == .verbose {
      console.note(changes.text)
    }
    return convert.report(
      outcome.error, outcome.statistics, missing: outcome.shortfall,
      isAllowed: isYoungEnough(outcome.shortfall), doubt: outcome.doubt,
      outdated: outcome.outdated, console)
  }

  /// Whether `--stale-ok` allows what stands in for the missing.
  private func isYoungEnough(_ shortfall: PipelineError?) -> Bool {
    guard let staleOK, case .requests(let fault)? = shortfall?.fault else { return false }
    return fault.missing.allSatisfy { fault.ages[$0].map { $0 <= staleOK } ?? false }
  }
}

extension SyncOutcome {
  /// Whether another run was at work.
  fileprivate var isBusy: Bool {
    if case .sync(.busy)? = error?.fault { true } else { false }
  }
}

/// Tells whoever watches over the runs how this one goes.
///
///     begun ─▶ … ─▶ ended        what was not heard is said at the end, and only when asked
///
/// No watcher changes how a run ends.
final class Watcher: Sendable {
  private let ping: Ping
  private let certificateFile: String?
  private let unheard = Mutex<[PipelineError]>([])

  /// Watches for the owner of this URL; the file has certificates to trust.
  init(_ ping: Ping, certificateFile: String?) {
    self.ping = ping
    self.certificateFile = certificateFile
  }

  /// Tells that the run has begun; blocks for some seconds at most, on any thread.
  func begun() { tell(.begun) }

  /// Tells how the run has ended: all but 0 is a failure, with what was said. Then says what was
  /// not heard, where that is wanted.
  func ended(_ code: ExitCode, _ console: Console, isVerbose: Bool) {
    tell(code == .done ? .succeeded : .failed(lines: console.transcript?.text ?? ""))
    guard isVerbose else { return }
    for error in unheard.withLock({ $0 }) { console.warning(.pingUnheard(error)) }
  }

  private func tell(_ news: Ping.News) {
    guard let error = ping.tell(news, certificateFile: certificateFile) else { return }
    unheard.withLock { if !$0.contains(error) { $0.append(error) } }
  }
}

/// Hides the secrets that a setting may hold.
enum Secrets {
  /// The value of a setting as it may be shown: header lines without credentials, URLs without
  /// userinfo and without the values of parameters that have names of secrets.
  static func hidden(_ text: String, of key: String) -> String {
    switch OptionName(rawValue: key) {
    case .header: header(text)
    // Whoever knows a watcher's URL may speak for the run.
    case .ping: Redaction.mark
    default: url(text)
    }
  }

  private static func header(_ line: String) -> String {
    guard let colon = line.firstIndex(of: ":") else { return Redaction.mark }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }.lowercased()
    let schemes = ["bearer ", "basic ", "digest "]
    let isSecret = isTelling(line[..<colon]) || schemes.contains(where: value.hasPrefix)
    return isSecret ? "\(line[..<colon]): \(Redaction.mark)" : line
  }

  private static func url(_ text: String) -> String {
    let text = Redaction.url(text)
    guard let rest = URLParts(text)?.rest, let query = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
    else { return text }
    let start = text.utf8.index(after: query)
    let parameters = text[start...].split(separator: "&", omittingEmptySubsequences: false)
    return text[..<start]
      + parameters.map { parameter in
        guard let equals = parameter.utf8.firstIndex(of: UInt8(ascii: "=")),
          isTelling(parameter[..<equals])
        else { return String(parameter) }
        return "\(parameter[...equals])\(Redaction.mark)"
      }.joined(separator: "&")
  }

  /// Whether this is a usual name of a secret.
  private static func isTelling(_ name: Substring) -> Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "token", "key", "secret", "pass", "session", "sign", "credential"]
      .contains { name.firstPlace(of: $0) != nil }
  }
}
