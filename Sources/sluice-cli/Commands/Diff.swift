import Sluice
import SluiceSync
import SluiceText

extension Command {
  /// The row of `diff`.
  static let diff = Command(
    name: "diff",
    summary: Text(
      en: "show what is new, moved, cancelled or reworded between two inputs",
      ru: "показать, что появилось, перенесено, отменено или названо иначе между двумя файлами"),
    operands: [
      Operand(
        value: .file("A"), isRequired: false,
        help: Text(
          en: """
            the earlier input: a file, '-' or an http(s) URL; if it is the only one, it is compared \
            with its last good copy that sync keeps; default: the feed's own URL
            """,
          ru: """
            более ранние данные: файл, «-» или адрес http(s); если указаны только они, они \
            сравниваются со своей последней удачной копией, которую хранит sync; по умолчанию — \
            собственный адрес набора данных
            """)),
      Operand(
        value: .file("B"), isRequired: false,
        help: Text(
          en: "the later input: a file, '-' or an http(s) URL",
          ru: "более поздние данные: файл, «-» или адрес http(s)")),
    ],
    notes: [
      Text(
        en: """
          It ends with 0 if nothing differs and with 1 if something does. An outage that is over is \
          no difference when it leaves the feed. What is over is known by the day of B: --today, or \
          the date in its name or its archive, or today.
          """,
        ru: """
          Код завершения 0, если различий нет, и 1, если они есть. Если из данных ушло то, что уже \
          закончилось, это не различие. Что закончилось, видно по дню B: это --today, или дата в \
          имени файла или в архиве, или сегодняшний день.
          """)
    ],
    examples: [
      Example(
        line: "sluice diff monday.json tuesday.json",
        meaning: Text(en: "what has changed, for people", ru: "что изменилось, для людей")),
      Example(
        line: "sluice diff monday.json tuesday.json -o changes.ndjson",
        meaning: Text(
          en: "the same for a program, as sync --changes writes it",
          ru: "то же для программы, в том же виде, что у sync --changes")),
      Example(
        line: "sluice diff --state /var/lib/sluice",
        meaning: Text(
          en: "what tonight's sync would find: the feed now, and its last good copy",
          ru: "что найдёт ночной sync: набор сейчас и его последняя удачная копия")),
    ],
    options: DiffOptions.self)
}

/// The options of `diff`.
struct DiffOptions: CommandOptions {
  var reading: ReadingOptions
  /// Whether the first input is the last good copy of the second.
  private var isWithLastGood: Bool
  /// The day that counts as today, or nil for that of the second input.
  private var today: Day?
  /// Today by the feed's clock, or by `SOURCE_DATE_EPOCH`.
  private var clock: Day
  /// The files for programs; nil to show the changes.
  private var made: MadeOutputs?
  private var maxRejects: RejectLimit
  private var areRejectsAllowed: Bool
  private var state: String?

  var feedRead: Feed? { reading.feed }
  var openVariables: OpenVariables? { reading.variables }

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    let operands = arguments.operands
    reading = try ReadingOptions(arguments.with(operand: operands.last))
    if case .requests = reading.input { throw .inputs(.serverAmongOthers(feed: reading.feed.name)) }
    isWithLastGood = operands.count < 2
    if operands.count > 1 {
      reading.moreInputs = [reading.input]
      reading.input = try Input(operands[0])
      if reading.input == .standardInput, reading.moreInputs == [.standardInput] {
        throw .inputs(.standardInputAmongOthers)
      }
    }
    reading.inputDates = try arguments.pattern(.inputDate)
    today = try arguments.value(.today) { Day(iso: $0) }
    clock = try reading.feed.today(arguments)
    let feed = try reading.feed.made(changesFeed)
    if !arguments.all(.output).isEmpty || arguments[.format] != nil {
      made = try MadeOutputs(arguments, of: feed, inputs: [reading.input] + reading.moreInputs)
    }
    maxRejects = try arguments.value(.maxRejects, RejectLimit.init) ?? .standard
    areRejectsAllowed = arguments.has(.allowRejects)
    state = arguments[.state]
  }
}

extension DiffOptions {
  /// Compares, and shows or writes the changes.
  func run(_ console: Console) -> ExitCode {
    do throws(UsageError) {
      var conversion = try reading.conversion()
      conversion.rejectLimit = maxRejects
      let state = isWithLastGood ? try StatePath.chosen(state) : nil
      do throws(PipelineError) {
        if let state {
          conversion.moreInputs = [conversion.input]
          conversion.input = .file(try lastGoodPath(of: conversion, state: state))
        }
        let comparison = try compare(conversion, today: today, clock: clock)
        return try report(comparison, console)
      } catch {
        console.error(reading.text(of: error))
        return ExitCode(error)
      }
    } catch {
      console.error(error.text(command: .diff))
      return ExitCode(error)
    }
  }

  /// Shows or writes the changes, and says what else there is to know.
  private func report(
    _ comparison: Comparison, _ console: Console
  ) throws(PipelineError) -> ExitCode {
    if let made {
      let outcome = write(
        comparison, of: reading.feed, into: made.conversion(of: try changesFeed(of: reading.feed)))
      if let error = outcome.error {
        guard ExitCode(error) == .done else { throw error }
      }
    } else if reading.verbosity != .quiet {
      let shown = show(
        DiffReport.text(of: comparison, console.language), console)
      guard shown == .done else { return shown }
    }
    if reading.verbosity != .quiet, comparison.rejected > 0 {
      console.warning(.rejectedOfBoth(comparison.rejected, waiting: comparison.counts.waiting))
    }
    if reading.verbosity == .verbose {
      console.note(.compared(comparison))
    }
    if !comparison.changes.isEmpty { return .nothingSelected }
    return comparison.rejected > 0 && !areRejectsAllowed ? .someRejected : .done
  }
}

/// Lays out the differences of two inputs, for people.
private enum DiffReport {
  /// The changes by their kinds, one a line.
  static func text(of comparison: Comparison, _ language: Language) -> String {
    var lines = ""
    for kind in Comparison.Change.Kind.allCases {
      let changes = comparison.changes.filter { $0.kind == kind }
      guard !changes.isEmpty else { continue }
      lines += Text.heading(kind, changes.count)[language] + "\n"
      for change in changes { lines += "  " + line(of: change)[language] + "\n" }
    }
    return lines
  }

  private static func line(of change: Comparison.Change) -> Text {
    let name = Text.name(of: change.place)
    switch (change.kind, change.oldDays, change.days) {
    case (.moved, let old?, let days?):
      return name + .verbatim(": ") + .days(old) + .verbatim(" → ") + .days(days)
    case (.reworded, _, let days?):
      let texts = change.texts.map { text in
        let column = text.column
        return Text(
          en: "\(column.heading(in: .en)) \(quoted: text.old) → \(quoted: text.new)",
          ru: "\(column.heading(in: .ru)) \(quoted: text.old) → \(quoted: text.new)")
      }
      return name + .verbatim(": ") + .days(days) + .verbatim("; ")
        + .joined(texts, by: ", ")
    case (_, let days?, _), (_, nil, let days?): return name + .verbatim(": ") + .days(days)
    case (_, nil, nil): return name
    }
  }
}

extension Text {
  /// The heading of the changes of a kind.
  fileprivate static func heading(_ kind: Comparison.Change.Kind, _ count: Int) -> Text {
    switch kind {
    case .new: Text(en: "new: \(count)", ru: "новых: \(count)")
    case .moved: Text(en: "moved: \(count)", ru: "перенесено: \(count)")
    case .cancelled: Text(en: "cancelled: \(count)", ru: "отменено: \(count)")
    case .reworded: Text(en: "reworded: \(count)", ru: "названо иначе: \(count)")
    }
  }

  /// Warns of records that could not be compared.
  fileprivate static func rejectedOfBoth(_ count: Int, waiting: Int) -> Text {
    Text(
      en: """
        \(count: count, "record", "records") rejected in both inputs together; what is missing at \
        their addresses does not count as cancelled: \(waiting)
        """,
      ru: """
        отклонено записей в обоих файлах: \(count); пропавшее по их адресам не считается \
        отменённым: \(waiting)
        """)
  }

  /// Sums up a comparison.
  fileprivate static func compared(_ comparison: Comparison) -> Text {
    let counts = comparison.counts
    let summary = Text(
      en: """
        new \(counts.new), moved \(counts.moved), cancelled \(counts.cancelled), reworded \
        \(counts.reworded), past and gone \(counts.gone)
        """,
      ru: """
        новых \(counts.new), перенесено \(counts.moved), отменено \(counts.cancelled), названо иначе \
        \(counts.reworded), закончилось и ушло \(counts.gone)
        """)
    guard let today = comparison.today else {
      return summary + Text(en: "; nothing counts as past", ru: "; ничто не считается прошедшим")
    }
    return summary
      + Text(
        en: "; what ended before \(today) is past",
        ru: "; прошедшим считается то, что закончилось до \(today)")
  }
}
