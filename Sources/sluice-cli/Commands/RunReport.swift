import Sluice

extension ConvertOptions {
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

/// What is said of a run that went well.
extension Text {
  /// Says that nothing was kept, and why; nil where nothing is to be said of it.
  static func noneKept(_ counts: Statistics, _ from: Day?, _ to: Day?) -> Text? {
    guard counts.kept == 0 else { return nil }
    if counts.skippedMatches > 0 {
      return Text(
        en: "what matches says that nothing is planned there: \(counts.skippedMatches) of "
          + "\(counts.read) records, skipped",
        ru: "для найденного ничего не запланировано: записей \(counts.skippedMatches) "
          + "из \(counts.read), пропущены")
    }
    if counts.outsideOfDays > 0 { return noneInDays(counts, from, to) }
    guard let unmatched = counts.unmatched, counts.filtered > 0 else { return nil }
    let nearest = unmatched.nearest.map { escaped($0, limit: 60) }.joined(separator: ", ")
    let text = Text(
      en: "none of \(counts.read) records matches --where",
      ru: "ни одна запись (из \(counts.read)) не подходит под --where")
    guard !nearest.isEmpty else { return text }
    return text
      + Text(
        en: "; nearest values of \(unmatched.column): \(nearest)",
        ru: "; ближайшие значения \(unmatched.column): \(nearest)")
  }

  private static func noneInDays(_ counts: Statistics, _ from: Day?, _ to: Day?) -> Text {
    let wanted =
      switch (from, to) {
      case (let from?, let to?): Text(en: "from \(from) to \(to)", ru: "с \(from) по \(to)")
      case (let from?, nil): Text(en: "on \(from) or later", ru: "\(from) или позже")
      case (nil, let to?): Text(en: "on \(to) or earlier", ru: "\(to) или раньше")
      case (nil, nil): Text.verbatim("")
      }
    let text = Text(
      en: "none of \(counts.outsideOfDays) records has a day \(wanted.en)",
      ru: "ни у одной записи (из \(counts.outsideOfDays)) нет дней \(wanted.ru)")
    guard let days = counts.daysRead else { return text }
    return text
      + Text(
        en: "; theirs are \(days.lowerBound) to \(days.upperBound)",
        ru: "; их дни — с \(days.lowerBound) по \(days.upperBound)")
  }

  /// Says that records were refused, and how to see them.
  static func someRejected(_ counts: Statistics, areKept: Bool) -> Text {
    let reasons = RejectReason.allCases.compactMap { reason in
      counts.reasons[reason].map { "\(reason.rawValue) \($0)" }
    }.joined(separator: ", ")
    let text = Text(
      en: "\(counts.rejected) of \(counts.judged) \(plural(counts.judged, "record", "records")) "
        + "rejected: \(reasons)",
      ru: "отклонено записей: \(counts.rejected) из \(counts.judged): \(reasons)")
    guard !areKept else { return text }
    return text + Text(en: "; --rejects FILE shows them", ru: "; их покажет --rejects FILE")
  }

  /// Says that a calendar is larger than Google takes.
  static func largeCalendar(_ counts: Statistics) -> Text {
    Text(
      en: "the calendar has \(counts.events) events and \(counts.calendarBytes) bytes; Google "
        + "refuses more than 1000 events or 1 MB; choose a part with --where FIELD=VALUE",
      ru: "в календаре событий: \(counts.events), байт: \(counts.calendarBytes); Google не "
        + "принимает больше 1000 событий или 1 МБ; выберите часть: --where FIELD=VALUE")
  }

  /// Sums a run up.
  static func summary(_ counts: Statistics) -> Text {
    let written = counts.written.map { "\(escaped($0.path, limit: 200)) (\($0.bytes))" }
      .joined(separator: ", ")
    let counted = Text(
      en: "records read \(counts.read), kept \(counts.kept), filtered \(counts.filtered), "
        + "skipped \(counts.skipped), rejected \(counts.rejected); rows \(counts.rows), "
        + "events \(counts.events)",
      ru: "записей прочитано \(counts.read), принято \(counts.kept), отсеяно \(counts.filtered), "
        + "пропущено \(counts.skipped), отклонено \(counts.rejected); строк \(counts.rows), "
        + "событий \(counts.events)")
    guard !written.isEmpty else { return counted }
    return counted
      + Text(en: "; bytes written: \(written)", ru: "; записано байт: \(written)")
  }
}
