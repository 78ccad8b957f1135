import Sluice

extension ConvertOptions {
  /// Does what `convert` is asked to do.
  func run(_ console: Console) -> ExitCode {
    do throws(UsageError) {
      let conversion = try conversion
      let state = isOffline ? try StatePath.chosen(state) : nil
      let tally = conversion.tally
      let outcome = withProgress(
        on: console, isAllowed: isProgressAllowed, read: { ProgressState(tally) }
      ) {
        state.map { Sluice.convertLastGood(conversion, state: $0) } ?? Sluice.convert(conversion)
      }
      return report(
        outcome.error, outcome.statistics, missing: outcome.shortfall, doubt: outcome.doubt,
        outdated: outcome.outdated, console)
    } catch {
      console.error(error.text(command: .convert))
      return .usage
    }
  }

  /// The conversion that these options and the environment ask for.
  var conversion: Conversion {
    get throws(UsageError) {
      var conversion = try reading.conversion(isOffline: isOffline)
      conversion.outputs = outputs
      conversion.table = table
      conversion.mergesDatabases = isMerge
      conversion.conditions = conditions
      conversion.from = from
      conversion.to = to
      conversion.dialect = csvDialect
      conversion.language = calendarLanguage ?? reading.feed.language
      conversion.calendarName = calendarName
      conversion.alarms =
        alarms.isEmpty ? [reading.feed.event?.alarm].compactMap(\.self) : alarms.map(\.duration)
      conversion.rejects = rejects
      conversion.rejectLimit = maxRejects
      conversion.statistics = stats
      conversion.changes = changes
      if let epoch = Environment.value("SOURCE_DATE_EPOCH") {
        guard let seconds = wholeNumber(epoch[...]) else { throw .badEpoch(epoch) }
        conversion.stamp = seconds
      }
      return conversion
    }
  }

  /// Whether a line of progress may be shown: where data goes to the terminal it would get between.
  var isProgressAllowed: Bool {
    let destinations = outputs.map(\.destination) + [rejects, stats].compactMap { $0 }
    return reading.isProgressAllowed
      && !(destinations.contains(.standardOutput) && Descriptor.standardOutput.isTerminal)
  }

  /// Says what a person should know of how it went, and chooses the exit code; what is missing may
  /// be allowed to be.
  func report(
    _ error: PipelineError?, _ counts: Statistics, missing shortfall: PipelineError? = nil,
    isAllowed: Bool = false, doubt: ListDoubt? = nil, outdated: Int = 0, _ console: Console
  ) -> ExitCode {
    if outdated > 0, reading.verbosity != .quiet { console.note(.begunAnew(outdated)) }
    if let error {
      let code = ExitCode(error)
      // A reader that has seen enough is no error.
      if code != .done { console.error(reading.text(of: error)) }
      return code
    }
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
    if let shortfall {
      if !isAllowed || reading.verbosity != .quiet { console.warning(shortfall.text) }
      if !isAllowed { return .someRejected }
    }
    if let doubt {
      console.warning(.doubtful(doubt))
      return .someRejected
    }
    return counts.rejected > 0 && !areRejectsAllowed ? .someRejected : .done
  }
}

extension ReadingOptions {
  /// An error's text; where the data may be another feed's, it says what it was read as.
  func text(of error: PipelineError) -> Text {
    isFeedAssumed ? error.text.readAsDefault(feed.name) : error.text
  }

  /// A conversion that reads what these options say. Nothing is asked offline, and no secret needed.
  func conversion(isOffline: Bool = false) throws(UsageError) -> Conversion {
    var conversion = Conversion(feed, isOffline ? input : try inputWithSecrets)
    conversion.entry = entry
    if let maxSize { conversion.maxSize = maxSize }
    conversion.certificateFile = cacert
    if !isOffline { conversion.headers = try headerLines }
    return conversion
  }
}

extension ProgressState {
  /// Reads how far a run has come.
  init(_ tally: Tally) {
    let progress = tally.progress
    self.init(
      bytesRead: progress.bytes, totalBytes: progress.expected, records: progress.records,
      requestsDone: tally.requestProgress?.done, requestsInAll: tally.requestProgress?.of,
      secondsToWait: tally.pause)
  }
}
