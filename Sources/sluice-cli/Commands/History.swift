import Sluice
import SluiceSync
import SluiceText

extension Command {
  /// The row of `history`.
  static let history = Command(
    name: "history",
    summary: Text(
      en: "make a table of what became of each outage, night by night",
      ru: "составить таблицу: что стало с каждым отключением ночь за ночью"),
    operands: [.inputs],
    notes: [
      Text(
        en: """
          Each input is a night of the feed. They are taken in the order of their dates: that in \
          the name (2026-01-05), or where --pattern says, or that of the file in an archive. The \
          rules are those of sync. A row is an event for as long as its days and its texts stay \
          the same.
          """,
        ru: """
          Каждый входной файл — одна ночь набора. Ночи берутся по порядку дат: из имени \
          (2026-01-05), или из места, которое задано --pattern, или по дате файла в архиве. Правила \
          те же, что у sync. Строка — событие, пока не меняются его дни и названия.
          """),
      Text(
        en: """
          Days without a night are told, not guessed: what vanished in them has unseen_from and \
          unseen_to. With --address, the story of one place is shown for people.
          """,
        ru: """
          О днях без данных сообщается, и ничего не додумывается: у того, что за эти дни пропало, \
          заполнены unseen_from и unseen_to. С --address выводится рассказ об одном месте, для \
          людей.
          """),
    ],
    examples: [
      Example(
        line: "sluice history nights/ -o history.csv",
        meaning: Text(
          en: "all nights of a folder, one row for each version of an event",
          ru: "все ночи из папки, по строке на каждую версию события")),
      Example(
        line: "sluice history nights/*.json --pattern '*-{ddMMyyyy}.json' -o history.xlsx",
        meaning: Text(
          en: "the date is in the names in another form", ru: "дата в именах записана иначе")),
      Example(
        line: "sluice history --address 'Садовая 14' nights/*.zip",
        meaning: Text(en: "the story of one house", ru: "история одного дома")),
    ],
    options: HistoryOptions.self)
}

/// The options of `history`.
struct HistoryOptions: CommandOptions {
  var reading: ReadingOptions
  private var made: MadeOutputs
  /// The place whose story is told, or nil for the table of all.
  private var address: String?
  private var maxRejects: RejectLimit
  private var areRejectsAllowed: Bool

  var feedRead: Feed? { reading.feed }
  var openVariables: OpenVariables? { reading.variables }

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    // The feed's own URL has one night only, and no date.
    guard !arguments.operands.isEmpty || arguments[.filesFrom] != nil else {
      throw .missingOperand("INPUT")
    }
    reading = try ReadingOptions(ofSeveral: arguments)
    if case .requests = reading.input { throw .inputs(.serverAmongOthers(feed: reading.feed.name)) }
    if let pattern = try arguments.pattern(.pattern) {
      guard arguments[.inputDate] == nil else {
        throw .onlyOne(OptionName.pattern.spelled, OptionName.inputDate.spelled)
      }
      reading.inputDates = pattern
    }
    let feed = try reading.feed.made { (feed) throws(PipelineError) in
      try historyFeed(of: feed).feed
    }
    address = arguments[.address]
    if let address {
      guard canFind(address, in: reading.feed.tables[0]) else {
        throw .badValue(.address, value: address)
      }
      if !arguments.all(.output).isEmpty {
        throw .onlyOne(OptionName.address.spelled, OptionName.output.spelled)
      }
    }
    made = try MadeOutputs(arguments, of: feed, inputs: [reading.input] + reading.moreInputs)
    maxRejects = try arguments.value(.maxRejects, RejectLimit.init) ?? .standard
    areRejectsAllowed = arguments.has(.allowRejects)
  }
}

extension HistoryOptions {
  /// Reads the nights, and writes the table or tells the story.
  func run(_ console: Console) -> ExitCode {
    do throws(UsageError) {
      var conversion = try reading.conversion()
      conversion.rejectLimit = maxRejects
      conversion.address = address
      let counters = Counters()
      do throws(PipelineError) {
        let findings: HistoryFindings
        if address != nil {
          findings = try withProgress(
            on: console, isAllowed: reading.isProgressAllowed, read: { ProgressState(counters) }
          ) { () throws(PipelineError) in try story(of: conversion, counters: counters) }
          let shown = show(StoryReport.text(of: findings, console.language), console)
          guard shown == .done else { return shown }
        } else {
          let table = try historyFeed(of: reading.feed)
          var output = made.conversion(of: table.feed)
          if output.sort.isEmpty { output.sort = table.order }
          let isShown = reading.isProgressAllowed && !made.isOnTerminal
          let result = withProgress(
            on: console, isAllowed: isShown, read: { ProgressState(counters) }
          ) { history(of: conversion, into: output, counters: counters) }
          if let error = result.outcome.error {
            guard ExitCode(error) == .done else { throw error }
          }
          findings = result.findings
        }
        return report(findings, console)
      } catch {
        console.error(reading.text(of: error))
        return ExitCode(error)
      }
    } catch {
      console.error(error.text(command: .history))
      return ExitCode(error)
    }
  }

  /// Says what the nights lack. Returns the exit code.
  private func report(_ findings: HistoryFindings, _ console: Console) -> ExitCode {
    if reading.verbosity != .quiet {
      for left in findings.leftOut { console.warning(.leftOut(left.error)) }
      if !findings.gaps.isEmpty, let text = Text.gaps(findings, all: reading.verbosity == .verbose)
      {
        console.note(text)
      }
      if findings.rejected > 0, !areRejectsAllowed { console.warning(.rejected(findings.rejected)) }
      if findings.sameNumber > 0 { console.warning(.sameNumber(findings.sameNumber)) }
      if reading.verbosity == .verbose { console.note(.nights(findings)) }
    }
    let isComplete = findings.leftOut.isEmpty && findings.sameNumber == 0
    return isComplete && (findings.rejected == 0 || areRejectsAllowed) ? .done : .someRejected
  }
}

/// Tells the story of one place.
private enum StoryReport {
  /// One line for each thing that happened, with its date.
  static func text(of findings: HistoryFindings, _ language: Language) -> String {
    guard let first = findings.nights.first, let last = findings.nights.last else { return "" }
    // A place may be in the feed without any days.
    guard !findings.place.isEmpty else { return PlaceRemarks.nothing[language] + "\n" }
    var lines = Text.name(of: findings.place)[language] + "\n"
    for line in findings.story {
      lines += "\(line.night)  \(text(of: line, first)[language])\n"
    }
    if let line = findings.story.last, line.night != last {
      lines += Text.toldUntil(last)[language]
    }
    return lines
  }

  private static func text(of line: StoryLine, _ first: Day) -> Text {
    let days = Text.days(line.days)
    let text: Text =
      switch line.kind {
      case .new where line.night == first:
        Text(en: "known from the first night: \(days)", ru: "известно с первой ночи: \(days)")
      case .new: Text(en: "announced: \(days)", ru: "объявлено: \(days)")
      case .moved:
        Text(
          en: "moved: \(line.oldDays.map(Text.days) ?? days) → \(days)",
          ru: "перенесено: \(line.oldDays.map(Text.days) ?? days) → \(days)")
      case .restored: Text(en: "announced again: \(days)", ru: "снова объявлено: \(days)")
      case .reworded:
        Text(en: "named in other words: \(days)", ru: "названо иначе: \(days)")
      case .cancelled: Text(en: "cancelled: \(days)", ru: "отменено: \(days)")
      case .past:
        Text(
          en: "over, and gone from the feed: \(days)",
          ru: "закончилось, в данных больше нет: \(days)")
      }
    guard let unseen = line.unseen else { return text }
    guard unseen.lowerBound < unseen.upperBound else {
      return text
        + Text(
          en: " (not seen on \(unseen.lowerBound))", ru: " (не было видно \(unseen.lowerBound))")
    }
    return text
      + Text(
        en: " (not seen from \(unseen.lowerBound) to \(unseen.upperBound))",
        ru: " (не было видно с \(unseen.lowerBound) по \(unseen.upperBound))")
  }
}

extension Text {
  /// Tells the days that have no night. Of many only some, unless `all` are wanted.
  fileprivate static func gaps(_ findings: HistoryFindings, all: Bool) -> Text? {
    let most = all ? Int.max : 5
    let days = findings.gaps.reduce(0) {
      $0 + Int($1.upperBound.number - $1.lowerBound.number) + 1
    }
    var parts = findings.gaps.prefix(most).map { gap in
      gap.lowerBound == gap.upperBound
        ? "\(gap.lowerBound)" : "\(gap.lowerBound) – \(gap.upperBound)"
    }
    if findings.gaps.count > most { parts.append("…") }
    let list = parts.joined(separator: ", ")
    return Text(
      en: "there are no data of \(count: days, "day", "days"): \(list)",
      ru: "нет данных за \(count: days, "день", "дня", "дней"): \(list)")
  }

  /// Warns of records that could not be read.
  fileprivate static func rejected(_ count: Int) -> Text {
    Text(
      en: """
        \(count: count, "record", "records") rejected in all nights together; what is missing at \
        their addresses does not count as cancelled
        """,
      ru: """
        отклонено записей за все ночи: \(count); пропавшее по их адресам не считается отменённым
        """)
  }

  /// Warns of rows without events.
  fileprivate static func sameNumber(_ count: Int) -> Text {
    Text(
      en: """
        same-number: \(count: count, "row", "rows") left out: the address has the number of another \
        address, which came first
        """,
      ru: """
        same-number: пропущено строк: \(count): номер адреса совпал с номером другого, который \
        встретился раньше
        """)
  }

  /// Sums up the nights.
  fileprivate static func nights(_ findings: HistoryFindings) -> Text {
    guard let first = findings.nights.first, let last = findings.nights.last else {
      return Text(en: "no night", ru: "ни одной ночи")
    }
    let count = findings.nights.count
    return Text(
      en: "\(count: count, "night", "nights") from \(first) to \(last)",
      ru: "\(count: count, "ночь", "ночи", "ночей") с \(first) по \(last)")
  }

  /// Ends a story: nothing has changed until the last night.
  fileprivate static func toldUntil(_ day: Day) -> Text {
    Text(
      en: "\(day)  nothing else until this night\n", ru: "\(day)  до этой ночи больше ничего\n")
  }
}
