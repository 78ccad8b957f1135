import Sluice

extension SyncOptions {
  /// Does what `sync` is asked to do.
  func run(_ console: Console) -> ExitCode {
    do throws(UsageError) {
      var job = SyncJob(try convert.conversion, state: try StatePath.chosen(convert.state))
      if let maxAge { job.maxAge = maxAge }
      job.staleOK = staleOK
      job.maxShrink = maxShrink
      job.accepts = accepts
      job.today = today
      let tally = job.conversion.tally
      let outcome = withProgress(
        on: console, isAllowed: convert.isProgressAllowed, read: { ProgressState(tally) }
      ) { [job] in
        Sluice.sync(job)
      }
      return report(outcome, console)
    } catch {
      console.error(error.text(command: .sync))
      return .usage
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
    return convert.report(outcome.error, outcome.statistics, console)
  }
}
