import Sluice

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
