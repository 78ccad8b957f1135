import Glibc
import Sluice

extension ConvertOptions {
  /// Does what `convert` is asked to do.
  func run(_ console: Console) -> ExitCode {
    var conversion = reading.conversion
    conversion.outputs = outputs
    conversion.conditions = conditions
    conversion.from = from
    conversion.to = to
    conversion.dialect = csvDialect
    conversion.language = calendarLanguage ?? reading.feed.language
    conversion.calendarName = calendarName
    conversion.alarms = alarms.map(\.duration)
    conversion.rejects = rejects
    conversion.rejectLimit = maxRejects
    conversion.statistics = stats
    if let epoch = getenv("SOURCE_DATE_EPOCH").map({ String(cString: $0) }), !epoch.isEmpty {
      guard let seconds = wholeNumber(epoch[...]) else {
        console.error(UsageError.badEpoch(epoch).text(command: .convert))
        return .usage
      }
      conversion.stamp = seconds
    }
    let tally = conversion.tally
    let outcome = withProgress(
      on: console, isAllowed: reading.isProgressAllowed && !writesToTerminal,
      read: { ProgressState(tally) }
    ) {
      Sluice.convert(conversion)
    }
    return report(outcome, console)
  }

  /// Data goes to the terminal: a line of progress would get between.
  private var writesToTerminal: Bool {
    let destinations = outputs.map(\.destination) + [rejects, stats].compactMap { $0 }
    return destinations.contains(.standardOutput) && Descriptor.standardOutput.isTerminal
  }

  /// Says what a person should know of how it went, and chooses the exit code.
  private func report(_ outcome: Outcome, _ console: Console) -> ExitCode {
    if let error = outcome.error {
      let code = ExitCode(error)
      // A reader that has seen enough is no error.
      if code != .done { console.error(error.text) }
      return code
    }
    let counts = outcome.statistics
    let isVerbose = reading.verbosity == .verbose
    if reading.verbosity != .quiet {
      if let text = Text.noneKept(counts, from, to) { console.warning(text) }
      if counts.rejected > 0, !areRejectsAllowed || isVerbose {
        console.warning(.someRejected(counts, areKept: rejects != nil))
      }
      if console.isTerminal || isVerbose, counts.isLargeCalendar {
        console.warning(.largeCalendar(counts))
      }
    }
    if isVerbose { console.note(.summary(counts)) }
    return counts.rejected > 0 && !areRejectsAllowed ? .someRejected : .done
  }
}

extension ReadingOptions {
  /// A conversion that reads what these options say.
  var conversion: Conversion {
    var conversion = Conversion(feed, input)
    conversion.entry = entry
    if let maxSize { conversion.maxSize = maxSize }
    conversion.certificateFile = cacert
    return conversion
  }
}

extension ProgressState {
  /// Reads how far a run has come.
  init(_ tally: Tally) {
    let progress = tally.progress
    self.init(
      bytesRead: progress.bytes, totalBytes: progress.expected, records: progress.records)
  }
}
