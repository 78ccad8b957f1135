import Sluice

/// What is said of a run that went well.
extension Text {
  /// Says that nothing was kept, and why.
  static func noneKept(_ counts: Statistics, _ from: Day?, _ to: Day?) -> Text {
    if let unmatched = counts.unmatched {
      let nearest = unmatched.nearest.map { escaped($0, limit: 60) }.joined(separator: ", ")
      let text = Text(
        en: "none of \(counts.read) records matches --where \(unmatched.column)",
        ru: "ни одна запись (из \(counts.read)) не подходит под --where \(unmatched.column)")
      guard !nearest.isEmpty else { return text }
      return text + Text(en: "; nearest values: \(nearest)", ru: "; ближайшие значения: \(nearest)")
    }
    let wanted = "\(from.map { "\($0)" } ?? "") … \(to.map { "\($0)" } ?? "")"
    let text = Text(
      en: "none of \(counts.read) records has a day in \(wanted)",
      ru: "ни одна запись (из \(counts.read)) не попадает в дни \(wanted)")
    guard let days = counts.daysRead else { return text }
    return text
      + Text(
        en: "; the feed's days are \(days.lowerBound) … \(days.upperBound)",
        ru: "; в наборе дни \(days.lowerBound) … \(days.upperBound)")
  }

  /// Says that records were refused, and how to see them.
  static func someRejected(_ counts: Statistics, areKept: Bool) -> Text {
    let reasons = RejectReason.allCases.compactMap { reason in
      counts.reasons[reason].map { "\(reason.rawValue) \($0)" }
    }.joined(separator: ", ")
    let text = Text(
      en: "\(counts.rejected) of \(counts.read) records rejected: \(reasons)",
      ru: "отклонено записей: \(counts.rejected) из \(counts.read): \(reasons)")
    guard !areKept else { return text }
    return text + Text(en: "; --rejects FILE shows them", ru: "; их покажет --rejects FILE")
  }

  /// Says that a calendar is larger than Google takes.
  static func largeCalendar(_ counts: Statistics) -> Text {
    Text(
      en: "the calendar has \(counts.events) events and \(counts.calendarBytes) bytes; Google "
        + "refuses more than 1000 events or 1 MB; choose your house with --where street=… "
        + "--where house=…",
      ru: "в календаре событий: \(counts.events), байт: \(counts.calendarBytes); Google не "
        + "принимает больше 1000 событий или 1 МБ; выберите свой дом: --where street=… "
        + "--where house=…")
  }

  /// Sums a run up.
  static func summary(_ counts: Statistics) -> Text {
    let written = counts.written.map { "\(escaped($0.path, limit: 200)) (\($0.bytes))" }
      .joined(separator: ", ")
    return Text(
      en: "records read \(counts.read), kept \(counts.kept), filtered \(counts.filtered), "
        + "skipped \(counts.skipped), rejected \(counts.rejected); rows \(counts.rows), "
        + "events \(counts.events); bytes written: \(written)",
      ru: "записей прочитано \(counts.read), принято \(counts.kept), отсеяно \(counts.filtered), "
        + "пропущено \(counts.skipped), отклонено \(counts.rejected); строк \(counts.rows), "
        + "событий \(counts.events); записано байт: \(written)")
  }
}
