import Sluice
import SluiceSync
import SluiceText
import Synchronization

extension Command {
  /// The row of `sync`.
  static let sync = Command(
    name: "sync",
    summary: Text(
      en: "keep published files up to date, night after night: download, check, publish",
      ru: """
        поддерживать опубликованные файлы в порядке каждую ночь: скачать, проверить, опубликовать
        """),
    operands: [.input],
    notes: [
      Text(
        en: """
          It prints nothing if all is well. The published files stay unchanged if the source cannot \
          be reached or sends broken data, and if a guard refuses the change: a feed that is \
          suddenly empty, much shorter or older than last time, or whose days are all in the past. \
          If you have looked at such a change and it is right, run sync once with --accept.
          """,
        ru: """
          Если всё хорошо, ничего не сообщает. Опубликованные файлы не меняются, если источник \
          недоступен или отдаёт испорченные данные, а также если изменение отклоняет защита: данные \
          вдруг пусты, намного короче или старее, чем в прошлый раз, или все дни в них прошли. Если \
          вы посмотрели и изменение верно, запустите sync один раз с --accept.
          """),
      Text(
        en: """
          A URL is requested again only after --max-age, and then downloaded only if it has \
          changed. The files are always written from the last good copy, so that changed options \
          take effect; files that would not change are left alone.
          """,
        ru: """
          Адрес запрашивается снова только по истечении --max-age, а скачивается, только если \
          данные изменились. Файлы всегда создаются из последней удачной копии, чтобы новые \
          параметры подействовали; файл, который не изменился бы, остаётся нетронутым.
          """),
    ],
    examples: [
      Example(
        line: """
          sluice sync -o /srv/www/site/ -o /srv/www/outages.csv --state /var/lib/sluice
          """,
        meaning: Text(
          en: "publish a site with a calendar for each house, and a table, in a nightly job",
          ru: "опубликовать в ночном задании сайт с календарём для каждого дома и таблицу")),
      Example(
        line: "sluice sync --config /etc/sluice/hot-water.yaml",
        meaning: Text(
          en: "the same, with a configuration file", ru: "то же по файлу настроек")),
      Example(
        line: "sluice sync -o /srv/www/site/ --stale-ok 7d",
        meaning: Text(
          en: "tolerate a source that is down for up to a week",
          ru: "терпеть, если источник недоступен не дольше недели")),
      Example(
        line: "sluice sync -o /srv/www/site/ --accept",
        meaning: Text(
          en: "accept a change that a guard has refused",
          ru: "принять изменение, которое отклонила защита")),
    ],
    options: SyncOptions.self)
}

/// The options of `sync`: a conversion, and the options of repeated runs.
struct SyncOptions: CommandOptions {
  var convert: ConvertOptions
  /// The maximum age of an answer in seconds, or nil for the feed's.
  var maxAge: Int?
  /// The number of seconds for which the last good copy may replace a source that cannot be used,
  /// or nil if that is always an error.
  var staleOK: Int?
  /// The number of seconds in which all answers must have arrived, if no other is chosen: less than
  /// the 30 minutes that the installed unit gives a run.
  private static let standardMaxTime = 20 * 60
  var maxShrink: ShrinkLimit
  var accepts: Bool
  /// The day before which a period is past, or nil for today.
  var today: Day?
  /// The monitor of the runs, or nil if there is none.
  var ping: Ping?

  var feedRead: Feed? { convert.reading.feed }
  var openVariables: OpenVariables? { convert.reading.variables }

  /// Reads the options. There must be an output, and each must be a file.
  init(_ arguments: Arguments) throws(UsageError) {
    guard !arguments.all(.output).isEmpty else { throw .noFileToSync }
    convert = try ConvertOptions(arguments)
    let destinations =
      convert.outputs.map(\.destination)
      + [convert.changes, convert.fileIndex, convert.tableForm.schema].compactMap { $0 }
    if destinations.contains(.standardOutput) { throw .noFileToSync }
    maxAge = try arguments.value(.maxAge, seconds(in:))
    staleOK = try arguments.value(.staleOK, seconds(in:))
    maxShrink =
      try arguments.value(.maxShrink) { ShrinkLimit($0) } ?? convert.reading.feed.maxShrink
      ?? .standard
    accepts = arguments.has(.accept)
    today = try arguments.value(.today) { Day(iso: $0) }
    if let url = arguments[.ping] {
      // The URL is as secret as a password.
      guard let ping = Ping(url) else { throw .badValue(.ping, value: Redaction.mark) }
      self.ping = ping
    }
  }
}

extension SyncOptions {
  /// Runs `sync`, and reports the run to the monitor if there is one.
  func run(_ console: Console) -> ExitCode {
    var console = console.stamped
    guard let ping else { return run(console, nil).code }
    let watcher = Watcher(ping, certificateFile: convert.reading.cacert)
    console.transcript = Transcript()
    let (code, isBusy) = run(console, watcher)
    // If another run has the lock, that one reports.
    if !isBusy {
      watcher.ended(code, console, isVerbose: convert.reading.verbosity == .verbose)
    }
    return code
  }

  /// Runs `sync`. Returns also whether another run had the lock.
  private func run(_ console: Console, _ watcher: Watcher?) -> (code: ExitCode, isBusy: Bool) {
    do throws(UsageError) {
      var job = SyncJob(try convert.conversion, state: try StatePath.chosen(convert.state))
      if convert.maxTime == nil { job.conversion.maxSeconds = Self.standardMaxTime }
      if let maxAge { job.maxAge = maxAge }
      job.staleOK = staleOK
      job.maxShrink = maxShrink
      job.accepts = accepts
      job.today = today
      job.publicText = { $0.publicText }
      convert.warn(console)
      if let watcher { job.begun = { watcher.begun() } }
      let counters = Counters()
      let outcome = withProgress(
        on: console, isAllowed: convert.isProgressAllowed, read: { ProgressState(counters) }
      ) { [job] in
        SluiceSync.sync(job, counters: counters)
      }
      return (report(outcome, job.conversion.addresses, console), outcome.isBusy)
    } catch {
      console.error(error.text(command: .sync))
      return (ExitCode(error), false)
    }
  }

  private func report(
    _ outcome: SyncOutcome, _ addresses: [String], _ console: Console
  ) -> ExitCode {
    let places = PlaceRemarks(
      chosen: addresses.compactMap { outcome.places[$0] }, near: outcome.nearPlaces,
      allowsNothing: true)
    if let error = outcome.error, let since = outcome.standsSince {
      if convert.reading.verbosity != .quiet {
        console.warning(.lastGoodStands(since: since, because: error))
      }
      return convert.report(nil, outcome.statistics, places: places, console)
    }
    if let changes = outcome.changes, convert.reading.verbosity == .verbose {
      console.note(changes.text)
    }
    return convert.report(
      outcome.error, outcome.statistics, missing: outcome.shortfall,
      isAllowed: isYoungEnough(outcome.shortfall), doubt: outcome.doubt, places: places,
      console)
  }

  /// Whether `--stale-ok` allows the old answers that replace the missing ones.
  private func isYoungEnough(_ shortfall: PipelineError?) -> Bool {
    guard let staleOK, case .requests(let fault)? = shortfall?.fault else { return false }
    return fault.missing.allSatisfy { fault.ages[$0].map { $0 <= staleOK } ?? false }
  }
}

extension SyncOutcome {
  /// Whether another run had the lock.
  fileprivate var isBusy: Bool {
    if case .sync(.busy)? = error?.fault { true } else { false }
  }
}

/// Reports a run to a monitor.
///
///     begun ─▶ … ─▶ ended        failed reports are mentioned at the end, with --verbose
///
/// A failed report does not change the result of a run.
private final class Watcher: Sendable {
  private let ping: Ping
  private let certificateFile: String?
  private let failures = Mutex<[PipelineError]>([])

  /// Makes a watcher that reports to this URL. The file has certificates to trust.
  init(_ ping: Ping, certificateFile: String?) {
    self.ping = ping
    self.certificateFile = certificateFile
  }

  /// Reports that the run has begun. Blocks for some seconds at most. May be called on any thread.
  func begun() { tell(.begun) }

  /// Reports the end of the run. Every code but 0 is a failure, which is reported with the messages
  /// of the run. Then warns of failed reports, if `isVerbose` is true.
  func ended(_ code: ExitCode, _ console: Console, isVerbose: Bool) {
    tell(code == .done ? .succeeded : .failed(lines: console.transcript?.text ?? ""))
    guard isVerbose else { return }
    for error in failures.withLock({ $0 }) { console.warning(.pingUnheard(error)) }
  }

  private func tell(_ news: Ping.News) {
    guard let error = ping.tell(news, certificateFile: certificateFile) else { return }
    failures.withLock { if !$0.contains(error) { $0.append(error) } }
  }
}
