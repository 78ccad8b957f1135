import Sluice
import SluiceSync
import SluiceText

extension ConvertOptions {
  /// Reports the result of a run, and returns the exit code. `shortfall` names missing parts of the
  /// feed, which are no error if `isAllowed` is true.
  func report(
    _ error: PipelineError?, _ counts: Statistics, missing shortfall: PipelineError? = nil,
    isAllowed: Bool = false, doubt: ListDoubt? = nil, places: PlaceRemarks, _ console: Console
  ) -> ExitCode {
    if counts.outdatedAnswers > 0, reading.verbosity != .quiet {
      console.note(.begunAnew(counts.outdatedAnswers))
    }
    if let error {
      let code = ExitCode(error)
      // A reader that closed the pipe is not an error.
      if code != .done { console.error(reading.text(of: error)) }
      return code
    }
    let broken = counts.inputs.compactMap(\.error)
    if reading.verbosity != .quiet {
      for error in broken { console.warning(.leftOut(error)) }
    }
    let isVerbose = reading.verbosity == .verbose
    if reading.verbosity != .quiet {
      for remark in places.remarks(isVerbose) { console.note(remark) }
      for empty in counts.emptySelections where !(empty.isOfPlace && places.allowsNothing) {
        console.warning(
          .noneKept(empty, counts, replacedBy: places.allowsNothing ? .accept : .allowEmpty))
      }
      if !places.chosen.isEmpty, places.allowsNothing {
        if counts.kept == 0, isVerbose { console.note(PlaceRemarks.nothing) }
      } else if counts.emptySelections.isEmpty,
        let text = Text.noneKept(counts, rows.from, rows.to, places)
      {
        console.warning(text)
      }
      if counts.rejected > 0, !areRejectsAllowed || isVerbose {
        console.warning(.someRejected(counts, areKept: rejects != nil))
      }
      if counts.sameNumber > 0, !areRejectsAllowed || isVerbose {
        console.warning(.sameNumber(counts.sameNumber, areKept: rejects != nil))
      }
      // Every night is the same, so only somebody who looks is told.
      // A built-in feed is as it was meant.
      if !reading.feed.isBuiltIn, !places.allowsNothing || isVerbose {
        for unread in counts.unread { console.warning(.unread(unread)) }
      }
      if counts.isLargeCalendar {
        console.warning(.largeCalendar(counts, splitBy: calendarColumn))
      }
    }
    if counts.largeSiteCalendars > 0, reading.verbosity != .quiet {
      console.warning(.largeSiteCalendars(counts.largeSiteCalendars))
    }
    // A successful run is silent where nobody looks.
    if !counts.renamed.isEmpty, isVerbose || console.isTerminal && reading.verbosity != .quiet {
      console.note(.renamed(counts.renamed))
    }
    if isVerbose {
      console.note(.summary(counts))
      if counts.mayBeCut { console.note(.mayBeCut) }
    }
    if let shortfall {
      if !isAllowed || reading.verbosity != .quiet { console.warning(shortfall.text) }
      if !isAllowed { return .someRejected }
    }
    if let doubt {
      console.warning(.doubtful(doubt))
      return .someRejected
    }
    if !broken.isEmpty { return .someRejected }
    let isAnyLeftOut = counts.rejected > 0 || counts.sameNumber > 0
    return isAnyLeftOut && !areRejectsAllowed ? .someRejected : .done
  }
}

extension ConvertOptions {
  /// The column by which a calendar is best split: the number of the key, or its first part.
  private var calendarColumn: String {
    let table = OutputFormat.ics.named(reading.feed.tables[0])
    return table.keyNumber?.column ?? table.columns.first?.name ?? ""
  }
}

/// What a run says about places.
struct PlaceRemarks {
  /// The places that were chosen for addresses.
  var chosen: [ChosenPlace] = []
  /// The places that come nearest to conditions that no record matches.
  var near: [NamedPlace] = []
  /// Whether it is usual that there is nothing for the chosen place.
  var allowsNothing = false
}

extension PlaceRemarks {
  /// Names the chosen places that somebody should look at: those found in spite of a typing error.
  fileprivate func remarks(_ isVerbose: Bool) -> [Text] {
    chosen.compactMap(\.found).filter { isVerbose || $0.reasons.contains(.typo) }.map { found in
      Text(en: "the place is \(Text.name(of: found))", ru: "место: \(Text.name(of: found))")
    }
  }

  /// Says that there is nothing for the place at the moment.
  static let nothing = Text(
    en: "there is nothing for this address at the moment", ru: "по этому адресу сейчас ничего нет")
}

extension Text {
  /// Returns a report that no record was kept, why, and which files stay because of that. Returns
  /// nil if there is nothing to report.
  fileprivate static func noneKept(
    _ counts: Statistics, _ from: Day?, _ to: Day?, _ places: PlaceRemarks
  ) -> Text? {
    guard let none = noneKeptAlone(counts, from, to, places) else { return nil }
    guard !counts.unchanged.isEmpty else { return none }
    let files = counts.unchanged.map { escaped($0, limit: 200) }.joined(separator: ", ")
    return none
      + Text(
        en: "; unchanged: \(files); --allow-empty replaces them",
        ru: "; не изменено: \(files); заменить их позволит --allow-empty")
  }

  private static func noneKeptAlone(
    _ counts: Statistics, _ from: Day?, _ to: Day?, _ places: PlaceRemarks
  ) -> Text? {
    guard counts.kept == 0 else {
      guard counts.isSelectionEmpty else { return nil }
      let tables = counts.emptyTables.joined(separator: ", ")
      return Text(
        en: "the selection keeps no row of \(tables)",
        ru: "под отбор не подошла ни одна строка: \(tables)")
    }
    if counts.skippedMatches > 0 {
      return Text(
        en: """
          nothing is planned for the records that match (\(counts.skippedMatches) of \
          \(counts.read)); they are skipped
          """,
        ru: """
          для найденных записей (\(counts.skippedMatches) из \(counts.read)) ничего не \
          запланировано; они пропущены
          """)
    }
    if counts.outsideOfDays > 0 { return noneInDays(counts, counts.outsideOfDays, from, to) }
    if !places.chosen.isEmpty { return PlaceRemarks.nothing }
    guard let unmatched = counts.unmatched, counts.filtered > 0 else {
      return counts.isSelectionEmpty ? none(of: counts.read) : nil
    }
    return noneMatches(counts.read, unmatched, near: places.near)
  }

  /// Returns a report that an output's own selection kept no row, and why.
  fileprivate static func noneKept(
    _ empty: EmptySelection, _ counts: Statistics, replacedBy option: OptionName
  ) -> Text {
    let reason =
      if let days = empty.days {
        noneInDays(counts, days.rows, days.from, days.to)
      } else if empty.isOfPlace {
        PlaceRemarks.nothing
      } else if let unmatched = empty.unmatched {
        noneMatches(counts.read, unmatched, near: empty.near)
      } else {
        none(of: counts.read)
      }
    let named = .verbatim("\(escaped(empty.path, limit: 200)): ") + reason
    guard counts.unchanged.contains(empty.path) else { return named }
    return named
      + Text(
        en: "; it is unchanged; \(option.spelled) replaces it",
        ru: "; файл не изменён; заменить его позволит \(option.spelled)")
  }

  private static func none(of read: Int) -> Text {
    Text(
      en: "the selection keeps none of \(read) records",
      ru: "под отбор не подошла ни одна запись (из \(read))")
  }

  private static func noneMatches(
    _ read: Int, _ unmatched: (column: String, nearest: [String]), near: [NamedPlace]
  ) -> Text {
    let none = Text(
      en: "none of \(read) records matches --where",
      ru: "ни одна запись (из \(read)) не подходит под --where")
    // Whole places say more than values of one column, which may belong to other places.
    guard near.isEmpty else { return none + .nearest(near) }
    guard !unmatched.nearest.isEmpty else { return none }
    let nearest = unmatched.nearest.map { escaped($0, limit: 60) }.joined(separator: ", ")
    return none
      + Text(
        en: "; nearest values of \(unmatched.column): \(nearest)",
        ru: "; ближайшие значения \(unmatched.column): \(nearest)")
  }

  private static func noneInDays(
    _ counts: Statistics, _ count: Int, _ from: Day?, _ to: Day?
  ) -> Text {
    let none =
      switch (from, to) {
      case (let from?, let to?):
        Text(
          en: "none of \(count) records has a day from \(from) to \(to)",
          ru: "ни у одной записи (из \(count)) нет дней с \(from) по \(to)")
      case (let from?, nil):
        Text(
          en: "none of \(count) records has a day on \(from) or later",
          ru: "ни у одной записи (из \(count)) нет дней \(from) или позже")
      case (nil, let to?):
        Text(
          en: "none of \(count) records has a day on \(to) or earlier",
          ru: "ни у одной записи (из \(count)) нет дней \(to) или раньше")
      case (nil, nil):
        Text(
          en: "none of \(count) records has a day", ru: "ни у одной записи (из \(count)) нет дней")
      }
    guard let days = counts.daysRead else { return none }
    let (first, last) = (days.lowerBound, days.upperBound)
    return none
      + Text(en: "; their days are \(first) to \(last)", ru: "; их дни — с \(first) по \(last)")
  }

  /// Reports that records were rejected, and how to see them unless they `areKept` in a file.
  fileprivate static func someRejected(_ counts: Statistics, areKept: Bool) -> Text {
    let reasons = RejectReason.allCases.compactMap { reason in
      counts.reasons[reason].map { "\(reason.rawValue) \($0)" }
    }.joined(separator: ", ")
    let records = plural(counts.judged, "record", "records")
    let rejected = Text(
      en: "\(counts.rejected) of \(counts.judged) \(records) rejected: \(reasons)",
      ru: "отклонено записей: \(counts.rejected) из \(counts.judged): \(reasons)")
    guard !areKept else { return rejected }
    return rejected + Text(en: "; --rejects FILE shows them", ru: "; их покажет --rejects FILE")
  }

  /// Reports that one of several inputs was left out.
  static func leftOut(_ error: PipelineError) -> Text {
    Text(en: "input left out: \(error.text.en)", ru: "файл пропущен: \(error.text.ru)")
  }

  /// Reports that events were left out, because of the numbers of their addresses.
  fileprivate static func sameNumber(_ count: Int, areKept: Bool) -> Text {
    let records = plural(count, "record", "records")
    let leftOut = Text(
      en: """
        same-number: \(count) \(records) not in the calendar: the address has the number of another \
        address, which came first; the tables have it
        """,
      ru: """
        same-number: нет в календаре записей: \(count): номер адреса совпал с номером другого, \
        который встретился раньше; в таблицах они есть
        """)
    guard !areKept else { return leftOut }
    return leftOut + Text(en: "; --rejects FILE shows them", ru: "; их покажет --rejects FILE")
  }

  /// Reports how many elements of lists are in no row, because a column reads one by its place.
  static func unread(_ unread: UnreadElements) -> Text {
    let places = unread.read.map { "\(unread.path)[\($0)]" }.joined(separator: ", ")
    let name = escaped(places, limit: 200)
    let all = escaped("\(unread.path)[*]", limit: 200)
    return Text(
      en: """
        \(name): elements left out: \(unread.elements), in lists: \(unread.lists); \(all) joins \
        them
        """,
      ru: """
        \(name): не вошло элементов: \(unread.elements), списков: \(unread.lists); их соединит \
        \(all)
        """)
  }

  /// Reports that a calendar is larger than Google accepts. A calendar for each value of the column
  /// is smaller.
  fileprivate static func largeCalendar(_ counts: Statistics, splitBy column: String) -> Text {
    Text(
      en: """
        a calendar has \(counts.eventsOfFile) events and \(counts.bytesOfFile) bytes; Google Calendar \
        refuses more than 1000 events or 1 MB; write one for each value of a column, \
        -o 'ics/{\(column)}.ics', or choose a part with --where FIELD=VALUE
        """,
      ru: """
        в календаре событий: \(counts.eventsOfFile), байт: \(counts.bytesOfFile); Google Календарь не \
        принимает больше 1000 событий или 1 МБ; запишите по календарю на каждое значение столбца, \
        -o 'ics/{\(column)}.ics', или выберите часть: --where FIELD=VALUE
        """)
  }

  /// Reports that calendars of a site are larger than Google accepts.
  fileprivate static func largeSiteCalendars(_ count: Int) -> Text {
    Text(
      en: """
        calendars of the site that Google Calendar refuses, with more than 1000 events or 1 MB: \
        \(count); subscribe to single houses, or choose a part with --where FIELD=VALUE
        """,
      ru: """
        календарей сайта, которые Google Календарь не примет (больше 1000 событий или 1 МБ): \
        \(count); подписывайтесь на отдельные дома или выберите часть: --where FIELD=VALUE
        """)
  }

  /// Tells the names that are others in a database.
  fileprivate static func renamed(_ names: [Statistics.Renamed]) -> Text {
    var told: [Statistics.Renamed] = []
    // Two databases of one run may have the same names.
    for name in names where !told.contains(name) { told.append(name) }
    let list = told.map { "\(escaped($0.name)) → \(escaped($0.sql))" }.joined(separator: ", ")
    return Text(
      en: "names in the database, so that SQL needs no quotation marks: \(list)",
      ru: "имена в базе данных, чтобы SQL понимал их без кавычек: \(list)")
  }

  /// Says that the end of the input could not be checked.
  static let mayBeCut = Text(
    en: "the data came without a length: if the server cut them off, that could not be noticed",
    ru: "данные пришли без указания длины: если сервер их оборвал, заметить это нельзя")

  /// Returns the summary of a run.
  fileprivate static func summary(_ counts: Statistics) -> Text {
    let counted = Text(
      en: """
        records read \(counts.read), kept \(counts.kept), filtered \(counts.filtered), skipped \
        \(counts.skipped), rejected \(counts.rejected); rows \(counts.rows), events \(counts.events)
        """,
      ru: """
        записей прочитано \(counts.read), принято \(counts.kept), отсеяно \(counts.filtered), \
        пропущено \(counts.skipped), отклонено \(counts.rejected); строк \(counts.rows), событий \
        \(counts.events)
        """)
    guard !counts.written.isEmpty else { return counted }
    let written = counts.written.map { "\(escaped($0.path, limit: 200)) (\($0.bytes))" }
      .joined(separator: ", ")
    return counted
      + Text(en: "; bytes written: \(written)", ru: "; записано байт: \(written)")
  }
}
